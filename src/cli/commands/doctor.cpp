// `doctor`: does enforcement work here?

#include "app/doctor.hpp"

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_doctor{
    "doctor", "[DIR]", "prove that enforcement works here",
    "One line a check: check=NAME state=ok|fixed|warning|failed text=WHAT; WHAT TO DO. --fix mends what is\n"
    "safe: the exclude, outdated hooks of ours, leftover temporary files. Exit 1 when a check failed.",
    "mandate doctor --fix"};

class DoctorVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_doctor; }
    void declare(Arguments& arguments) override
    {
        ReadingVerb::declare(arguments);
        arguments.flag("--fix", m_fix, "mend what is safe to mend");
    }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        Outcome outcome = start_outcome(lane);
        count_fallback(lane, {}, outcome);
        std::vector<core::Answer> rows;
        Table table({{"CHECK"}, {"STATE"}, {"", Fit::wrapped}});
        for (const app::Check& check : app::examine(lane, m_fix, now())) {
            const bool said = check.health != app::Health::ok && !check.hint.empty();
            rows.push_back(core::Answer()
                               .add("check", check.name)
                               .add("state", app::name(check.health))
                               .add("text", check.text + (said ? "; " + check.hint : "")));
            const Tone tone = check.health == app::Health::failed    ? Tone::bad
                              : check.health == app::Health::warning ? Tone::warning
                                                                     : Tone::good;
            table.add(
                {{check.name, Tone::strong}, {std::string(app::name(check.health)), tone}, {text::escape(check.text)}});
            if (said) {
                table.add({{""}, {""}, {"-> " + text::escape(check.hint), Tone::faint}});
            }
            outcome.exit = check.health == app::Health::failed ? Exit::no : outcome.exit;
        }
        outcome.answer.line_rows("checks", std::move(rows));
        outcome.human = [table = std::move(table)](const Terminal& terminal) { return table.render(terminal); };
        return outcome;
    }

private:
    bool m_fix = false;
};

}  // namespace

std::unique_ptr<Verb> make_doctor() { return std::make_unique<DoctorVerb>(); }

}  // namespace mandate::cli
