#include "cli/commands/support.hpp"

#include "app/gate_facts.hpp"
#include "app/unenforced.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "core/duration.hpp"
#include "core/record.hpp"
#include "os/env.hpp"

#include <utility>

namespace mandate::cli {

Result<void> at_most(const std::vector<std::string>& words, std::size_t most)
{
    if (words.size() > most) {
        return too_many(words[most]);
    }
    return {};
}

std::string word_at(const std::vector<std::string>& words, std::size_t index)
{
    return index < words.size() ? words[index] : std::string();
}

std::string directory_of(const Globals& globals, const std::string& positional)
{
    const std::string base = globals.directory.value_or("");
    if (positional.empty() || base.empty() || positional[0] == '/') {
        return positional.empty() ? base : positional;
    }
    return base + "/" + positional;
}

void say_files(const Globals& globals, const app::Settings& settings, const std::string& lane)
{
    if (globals.verbose) {
        const std::string files = settings.files.empty() ? "none" : text::join(settings.files, ", ");
        os::write_stderr(sentence((lane.empty() ? "" : "lane '" + text::escape(lane) + "', ") +
                                  "configuration files: " + text::escape(files)));
    }
}

Result<app::Lane> open_lane(const Globals& globals, const app::LaneRequest& request)
{
    auto lane = app::open_lane(request);
    if (lane) {
        say_files(globals, lane->settings, lane->place.root);
    }
    return lane;
}

Result<app::Lane> reading_lane(const Globals& globals, const std::string& positional, Settings settings)
{
    return open_lane(globals,
                     {directory_of(globals, positional), globals.branch, false, settings == Settings::required});
}

Result<app::Lane> only_lane(const Globals& globals, const std::vector<std::string>& words, Settings settings)
{
    if (auto checked = at_most(words, 1); !checked) {
        return fail(std::move(checked.error()));
    }
    return reading_lane(globals, word_at(words, 0), settings);
}

Result<Outcome> ReadingVerb::run(const Globals& globals)
{
    const auto lane = only_lane(globals, m_words, Settings::optional);
    if (!lane) {
        return fail(lane.error());
    }
    return answer(*lane);
}

Outcome start_outcome(const app::Lane& lane)
{
    Outcome outcome;
    outcome.answer = lane.head_of_answer();
    outcome.notes = lane.notes;
    return outcome;
}

void count_fallback(const app::Lane& lane, const std::string& task, Outcome& outcome)
{
    if (!lane.fell_back) {
        return;
    }
    app::Ledger ledger(lane.place);
    app::LedgerEntry context;
    context.task = task;
    const app::Counted counted =
        app::count_unenforced(ledger, std::move(context), {core::Unenforced::lane_fallback, lane.missing_branch, {}});
    outcome.answer.append(counted.answer);
    outcome.notes.push_back("no worktree holds the branch '" + text::escape(lane.missing_branch) +
                            "'; this is the answer for the directory");
    if (counted.note) {
        outcome.notes.push_back(*counted.note);
    }
}

std::string next_step(const app::Lane& lane, const core::Record& record, Outcome& outcome)
{
    const auto facts = app::gather_facts(core::Question::next, lane, record);
    if (!facts) {
        outcome.notes.push_back(facts.error().message);
    }
    return std::string(core::decide_next(record, app::gate_rules(lane), facts.value_or(core::GateFacts{})).step);
}

Time now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

Result<std::chrono::milliseconds> parse_lock_timeout(const std::string& given)
{
    const auto time = core::parse_duration(given);
    if (!time) {
        return fail(Code::value_invalid, "--lock-timeout is no time: " + in_quotes(given),
                    "give seconds, or a unit: 250ms, 5s, 2m; 0 does not wait");
    }
    return *time;
}

Result<std::chrono::milliseconds> lock_timeout(const Globals& globals, const app::Lane& lane)
{
    return globals.lock_timeout ? parse_lock_timeout(*globals.lock_timeout)
                                : Result<std::chrono::milliseconds>(lane.settings.config.lock_timeout.value);
}

Result<std::uint64_t> number_option(std::string_view name, const std::string& value, std::uint64_t least)
{
    const auto number = text::parse_decimal(value, core::k_number_limit);
    if (!number) {
        return fail(Code::value_invalid, std::string(name) + " is no plain number: " + in_quotes(value),
                    "give " + std::to_string(least) + " to 1000000 in plain digits");
    }
    if (*number < least) {
        return fail(Code::value_invalid, std::string(name) + " is out of range: " + in_quotes(value),
                    "give " + std::to_string(least) + " or more");
    }
    return *number;
}

Result<std::string> text_option(std::string_view name, const std::optional<std::string>& value)
{
    const std::string trimmed(text::trim(value.value_or("")));
    if (auto checked = core::check_value(name, trimmed); !checked) {
        return fail(std::move(checked.error()));
    }
    return trimmed;
}

Error missing(std::string_view option, std::string_view purpose, const Manual& manual)
{
    std::string line = std::string(purpose) + ": mandate " + std::string(manual.name);
    for (const std::string_view part : {manual.synopsis, manual.required}) {
        line += (part.empty() ? "" : " ") + std::string(part);
    }
    return Error{Code::usage, std::string(option) + " is missing", std::move(line), {}, {}};
}

Result<std::string> required_person(const std::optional<std::string>& by, std::string_view purpose,
                                    const Manual& manual)
{
    auto given = text_option("--by", by);
    if (given && given->empty()) {
        return fail(missing("--by WHO", purpose, manual));
    }
    return given;
}

Result<std::string> token_option(const std::optional<std::string>& value)
{
    auto token = text_option("--token", value);
    if (token && value && token->empty()) {
        return fail(Code::usage, "--token is empty", "give a name for this call, or leave it out");
    }
    return token;
}

Error unknown_action(const std::string& action, const core::Vocabulary& vocabulary)
{
    const std::string near = vocabulary.suggest_action(action);
    return Error{Code::unknown_action,
                 "there is no action " + in_quotes(action),
                 near.empty() ? "see: mandate actions" : "did you mean '" + near + "'?",
                 {},
                 {}};
}

bool is_about_place(const Error& error)
{
    switch (error.code) {
        case Code::not_a_directory:
        case Code::not_a_repository:
        case Code::not_a_worktree:
        case Code::worktree_mismatch:
        case Code::repository_owner:
        case Code::repository_unsupported:
        case Code::repository_broken:
            return true;
        default:
            return false;
    }
}

core::Vocabulary words_without_lane()
{
    auto settings = app::load_settings(nullptr, app::OnInvalid::note);
    return settings ? std::move(settings->vocabulary) : core::Vocabulary();
}

Result<Outcome> BookingVerb::run(const Globals& globals)
{
    if (auto checked = check_arguments(); !checked) {
        return fail(std::move(checked.error()));
    }
    if (globals.lock_timeout) {
        if (const auto given = parse_lock_timeout(*globals.lock_timeout); !given) {
            return fail(given.error());
        }
    }
    const auto lane = open_lane(globals, {directory_of(globals, directory_word()), globals.branch, true, true});
    if (!lane) {
        const auto words = is_about_place(lane.error()) ? check_words(words_without_lane()) : Result<void>();
        return fail(words ? lane.error() : words.error());
    }
    Outcome outcome = start_outcome(*lane);
    app::BookingRequest request{*lane, *lock_timeout(globals, *lane),
                                [](const std::string& said) { os::write_stderr_unless_blocked(sentence(said)); }};
    request.check_before = [this](const app::Lane& here) { return check_words(here.settings.vocabulary); };
    configure(request);
    auto booked = app::book(request, [this](const app::Snapshot& snapshot) { return decide(snapshot); });
    if (!booked) {
        return fail(std::move(booked.error()));
    }
    outcome.answer.add("task", booked->task).append(booked->answer);
    outcome.exit = booked->decided_no && m_strict ? Exit::no : Exit::yes;
    outcome.booked = !booked->decided_no;
    if (!booked->advice.empty()) {
        outcome.notes.push_back(booked->advice);
    }
    finish(*booked, outcome);
    return outcome;
}

}  // namespace mandate::cli
