// `init`: a person's grant becomes a record.

#include "base/text.hpp"
#include "base/timestamp.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/words.hpp"
#include "core/init_request.hpp"
#include "os/env.hpp"

#include <algorithm>
#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_init{
    "init", "[DIR] key=value...", "write the lane's record",
    "task= and authorized_by= are required, and allow= or --preset. Explicit keys win over the preset; --without\n"
    "then subtracts. Keys: task recorded_at recorded_by authorized_by scope terminal_gate allow deny review_budget\n"
    "review_rounds_used expires_at budget_NAME. No limit is asked for by name: review_budget=unlimited.\n"
    "An existing record is exit 2 record-exists; --force replaces it. Prints written= and excluded= (whether git\n"
    "ignores the record: already, yes, or no with excluded_reason=).",
    "mandate init --preset standard task=demo authorized_by=ann review_budget=2"};

class InitVerb final : public BookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_init; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--preset", "P", m_request.preset, "start from a preset: mandate presets");
        arguments.options("--without", "A", m_request.without, "take actions out again, a comma list");
        arguments.flag("--force", m_force, "replace an existing record");
    }

protected:
    // A word with a key in front of its first `=` is an assignment; the one other word is DIR.
    Result<void> check_arguments() override
    {
        for (const std::string& word : m_words) {
            const std::size_t equals = word.find('=');
            if (equals != std::string::npos && word.find('/') >= equals) {
                m_request.assignments.push_back(word);
            } else if (!m_directory.empty()) {
                return too_many(word,
                                "write keys as key=value; " + in_quotes(m_directory) + " is taken for the directory");
            } else {
                m_directory = word;
            }
        }
        return {};
    }
    [[nodiscard]] std::string directory_word() const override { return m_directory; }
    Result<void> check_words(const core::Vocabulary& vocabulary) override
    {
        return core::init_values(m_request, {vocabulary, now(), {}, {}, {}}).map([](auto&&) {});
    }
    void configure(app::BookingRequest& request) override
    {
        request.creates = true;
        request.replaces = m_force;
        request.check_before = [this](const app::Lane& lane) { return values(lane).map([](auto&&) {}); };
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        if (snapshot.exists && !m_force) {
            return fail(exists(snapshot));
        }
        const auto written = values(snapshot.lane);
        if (!written) {
            return fail(written.error());
        }
        core::Plan plan;
        plan.event = "init";
        plan.new_record = core::canonical_record(*written);
        plan.new_task = written->at("task");
        for (const auto& [key, value] : *written) {
            if (key != "mandate_version" && key != "task" && key != "lane_id" && key != "branch" && !value.empty()) {
                plan.fields.emplace_back(key, value);
            }
        }
        if (snapshot.exists) {
            plan.fields.emplace_back("force", true);
        }
        m_warnings = warnings(snapshot, *written);
        plan.answer.add("mandate_file", snapshot.lane.record_path()).add("mandate_exists", true).add("written", true);
        return plan;
    }
    void finish(const app::Booked& booked, Outcome& outcome) override
    {
        outcome.answer.add("excluded", booked.excluded);
        outcome.notes.insert(outcome.notes.end(), m_warnings.begin(), m_warnings.end());
        if (!booked.excluded_reason.empty()) {
            outcome.answer.add("excluded_reason", booked.excluded_reason);
            outcome.notes.push_back("git does not ignore the record (" + booked.excluded_reason +
                                    "); keep it out of commits yourself");
        }
    }

private:
    [[nodiscard]] Result<std::map<std::string, std::string>> values(const app::Lane& lane) const
    {
        // Who runs the command is the best that is known of who records; never git's configuration.
        const std::string recorded_by = text::escape(os::variable("USER").value_or(""));
        return core::init_values(m_request, {lane.settings.vocabulary, now(), recorded_by,
                                             text::escape(lane.place.lane_id), text::escape(lane.place.head.branch)});
    }
    // What is written all the same, but hardly meant: a grant that is over, and rounds that the new record forgets.
    [[nodiscard]] static std::vector<std::string> warnings(const app::Snapshot& snapshot,
                                                           const std::map<std::string, std::string>& written)
    {
        const auto value = [&written](const char* key) {
            const auto found = written.find(key);
            return found != written.end() ? found->second : std::string();
        };
        std::vector<std::string> said;
        const std::string expires_at = value("expires_at");
        if (const auto until = parse_seconds_utc(expires_at); until && snapshot.now > *until) {
            said.push_back("expires_at " + expires_at + " is past, so nothing is granted");
        }
        const std::uint64_t admitted =
            text::parse_decimal(value("review_rounds_used"), core::k_number_limit).value_or(0);
        if (const core::Record* old = snapshot.record; old != nullptr && old->review_rounds_used > admitted) {
            said.push_back("the record that was replaced had used " + std::to_string(old->review_rounds_used) +
                           " rounds of task '" + old->task + "', the new one says " + std::to_string(admitted) +
                           "; what was booked here stays in the ledger");
        }
        return said;
    }
    [[nodiscard]] Error exists(const app::Snapshot& snapshot) const
    {
        const std::string existing = snapshot.record != nullptr ? snapshot.record->task : std::string();
        const auto asked = values(snapshot.lane);
        const bool mismatch = existing.empty() || !asked || asked->at("task") != existing;
        Error error{Code::record_exists,
                    "the lane has a record already",
                    "keep it, or replace it with --force",
                    {},
                    snapshot.lane.record_path()};
        error.with("mandate_file", snapshot.lane.record_path())
            .with("written", "no")
            .with("existing_task", existing)
            .with("task_mismatch", mismatch ? "yes" : "no");
        return error;
    }

    core::InitRequest m_request;
    std::vector<std::string> m_warnings;
    std::string m_directory;
    bool m_force = false;
};

}  // namespace

std::unique_ptr<Verb> make_init() { return std::make_unique<InitVerb>(); }

}  // namespace mandate::cli
