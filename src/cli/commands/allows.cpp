// `allows`: may this lane do it without asking again?

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "core/verdict.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_allows{
    "allows", "ACTION [DIR]", "may this lane do ACTION without asking again?",
    "Prints verdict=: allowed (exit 0), denied or unlisted (exit 1), no-mandate or expired (exit 3). An\n"
    "ACTION outside the vocabulary is exit 2, and so is a record that cannot be trusted: error=CODE and\n"
    "never a verdict. `mandate actions` lists the words.",
    "mandate allows merge || echo 'ask first'"};

Exit exit_of(core::Verdict verdict)
{
    switch (verdict) {
        case core::Verdict::allowed:
            return Exit::yes;
        case core::Verdict::denied:
        case core::Verdict::unlisted:
            return Exit::no;
        case core::Verdict::no_mandate:
        case core::Verdict::expired:
            break;
    }
    return Exit::nobody_asked;
}

// What a person reads where the verdict is no yes: what it is, on which record, and what to do next.
std::optional<Remark> explanation(core::Verdict verdict, const std::string& action, const app::Lane& lane,
                                  const core::Record* record)
{
    const std::string grant = "a person can change that: mandate grant " + action + " --by WHO";
    const auto on_record = [&lane](std::string message, std::string hint) {
        return Remark{std::move(message), std::move(hint), lane.record_path()};
    };
    switch (verdict) {
        case core::Verdict::allowed:
            break;
        case core::Verdict::denied: {
            const auto& everywhere = lane.settings.config.policy_deny.values;
            if (std::find(everywhere.begin(), everywhere.end(), action) != everywhere.end()) {
                return on_record("policy.deny denies '" + action + "' in every lane",
                                 "mandate config --show-origin says which file");
            }
            return on_record("the record denies '" + action + "'", grant);
        }
        case core::Verdict::unlisted:
            return on_record("the record does not allow '" + action + "'", grant);
        case core::Verdict::no_mandate:
            return remark(app::no_mandate(lane));
        case core::Verdict::expired:
            return remark(app::expired(*record).on(lane.record_path()));
    }
    return std::nullopt;
}

class AllowsVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_allows; }
    [[nodiscard]] Uses uses() const override { return Uses::lane; }
    void declare(Arguments& arguments) override { arguments.words(m_words); }
    Result<Outcome> run(const Globals& globals) override
    {
        if (auto checked = at_most(m_words, 2); !checked) {
            return fail(std::move(checked.error()));
        }
        if (m_words.empty()) {
            return fail(Code::usage, "there is no action on the command line", "mandate allows ACTION [DIR]");
        }
        const std::string action(text::trim(m_words[0]));
        auto lane = reading_lane(globals, word_at(m_words, 1));
        if (!lane && lane.error().code == Code::not_a_directory && m_words.size() == 2) {
            lane.error().hint = "allows takes one ACTION; the second word is a directory";
        }
        // A word that no configuration can declare is refused before any place is looked at.
        if (!core::is_word(action)) {
            return fail(unknown_action(action, core::Vocabulary()));
        }
        if (!lane) {
            if (is_about_place(lane.error())) {
                const core::Vocabulary words = words_without_lane();
                return fail(words.knows_action(action) ? lane.error() : unknown_action(action, words));
            }
            return fail(lane.error());
        }
        if (!lane->settings.vocabulary.knows_action(action)) {
            return fail(app::in_lane(unknown_action(action, lane->settings.vocabulary), *lane));
        }
        const auto loaded = app::load_record(*lane);
        if (!loaded) {
            return fail(loaded.error());
        }
        Outcome outcome = start_outcome(*lane);
        const core::Record* record = *loaded ? &(*loaded)->record : nullptr;
        outcome.answer.add("mandate_file", lane->record_path());
        core::Verdict verdict = core::Verdict::no_mandate;
        if (record != nullptr) {
            outcome.answer.add("task", record->task);
            verdict = core::decide(*record, action, lane->settings.config.policy_deny.values, now());
        }
        outcome.answer.add("action", action).add("verdict", core::name(verdict));
        outcome.exit = exit_of(verdict);
        if (auto explained = explanation(verdict, action, *lane, record)) {
            outcome.remarks.push_back(std::move(*explained));
        }
        count_fallback(*lane, record != nullptr ? record->task : std::string(), outcome);
        return outcome;
    }

private:
    std::vector<std::string> m_words;
};

}  // namespace

std::unique_ptr<Verb> make_allows() { return std::make_unique<AllowsVerb>(); }

}  // namespace mandate::cli
