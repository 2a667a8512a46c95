// What the verbs share: finding their lane, counting a fallback, and the frame of every booking verb.
#pragma once

#include "app/booking.hpp"
#include "app/inspect.hpp"
#include "app/lane.hpp"
#include "cli/verb.hpp"
#include "core/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::cli {

// At most `most` words, else usage. Returns the word at `index` or "".
Result<void> at_most(const std::vector<std::string>& words, std::size_t most);
std::string word_at(const std::vector<std::string>& words, std::size_t index);

// -C DIR and the verb's own DIR, which is relative to it.
std::string directory_of(const Globals& globals, const std::string& positional);

// -v: which lane answers and which configuration files were read, in one line on stderr. It is said before
// anything is decided, so that it stands in front of a refusal too.
void say_files(const Globals& globals, const app::Settings& settings, const std::string& lane = {});
Result<app::Lane> open_lane(const Globals& globals, const app::LaneRequest& request);

enum class Settings { required, optional };
Result<app::Lane> reading_lane(const Globals& globals, const std::string& positional,
                               Settings settings = Settings::required);
// The same for a verb that takes [DIR] and nothing else.
Result<app::Lane> only_lane(const Globals& globals, const std::vector<std::string>& words,
                            Settings settings = Settings::required);

// Starts the answer (lane=, lane_source=) and takes over the lane's notes.
Outcome start_outcome(const app::Lane& lane);

// A reading verb answered for the directory because --branch found no lane: counted before it answers.
void count_fallback(const app::Lane& lane, const std::string& task, Outcome& outcome);

// The lane's next step. Where git cannot be asked (a note says so), nothing counts as settled, pushed or merged, and
// the step is one that is still safe.
std::string next_step(const app::Lane& lane, const core::Record& record, Outcome& outcome);

Time now();

// value-invalid when it is no time.
Result<std::chrono::milliseconds> parse_lock_timeout(const std::string& given);

// The option or the configured value.
Result<std::chrono::milliseconds> lock_timeout(const Globals& globals, const app::Lane& lane);

// A number on the command line, by the record's strict rule and without its trimming; `least` or more.
Result<std::uint64_t> number_option(std::string_view name, const std::string& value, std::uint64_t least = 0);

// An option that is not given though the verb cannot do without it: "--by WHO is missing; who grants it: mandate grant
// ACTION... --by WHO", where `purpose` is "who grants it".
Error missing(std::string_view option, std::string_view purpose, const Manual& manual);

// Text that goes into the record or the ledger: the record's rules; "" for an option that is not given.
Result<std::string> text_option(std::string_view name, const std::optional<std::string>& value);
Result<std::string> required_person(const std::optional<std::string>& by, std::string_view purpose,
                                    const Manual& manual);

// The same for --token, which may be left out but not be empty: an unset variable must not mean "no token".
Result<std::string> token_option(const std::optional<std::string>& value);

Error unknown_action(const std::string& action, const core::Vocabulary& vocabulary);

// Whether a lane was refused for its place. The words that answer then are those of the machine and the user:
// where there is no lane, no repository can declare any.
bool is_about_place(const Error& error);
core::Vocabulary words_without_lane();

// Every verb that reads one lane and takes [DIR] and no other word: the lane, then what it says of it.
class ReadingVerb : public Verb {
public:
    [[nodiscard]] Uses uses() const override { return Uses::lane; }
    void declare(Arguments& arguments) override { arguments.words(m_words); }
    Result<Outcome> run(const Globals& globals) final;

protected:
    virtual Result<Outcome> answer(const app::Lane& lane) = 0;

private:
    std::vector<std::string> m_words;
};

// Every booking verb: the lane, the write path, the answer's frame. A verb adds its options and `decide`.
class BookingVerb : public Verb {
public:
    [[nodiscard]] Uses uses() const final { return Uses::booking; }
    Result<Outcome> run(const Globals& globals) override;

protected:
    // Checks the command line before any file is looked at.
    virtual Result<void> check_arguments() { return {}; }
    // The same for words that configuration may add to: with the lane's, or with the machine's and the user's
    // where there is no lane, since the command line is refused before the place.
    virtual Result<void> check_words(const core::Vocabulary& /*vocabulary*/) { return {}; }
    virtual Result<core::Plan> decide(const app::Snapshot& snapshot) = 0;
    virtual void configure(app::BookingRequest& /*request*/) {}
    virtual void finish(const app::Booked& /*booked*/, Outcome& /*outcome*/) {}
    [[nodiscard]] virtual std::string directory_word() const { return word_at(m_words, 0); }

    std::vector<std::string> m_words;
    bool m_strict = false;  // a decided no is exit 1
};

}  // namespace mandate::cli
