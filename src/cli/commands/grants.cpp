// `grant`, `revoke`, `extend`, `rebind`: edits of the grant under the lock, with history.

#include "core/grants.hpp"

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mandate::cli {

namespace {

// Actions are words of the command line; the lane is found by -C, --branch or the current directory.
class ActionsBookingVerb : public BookingVerb {
protected:
    [[nodiscard]] std::string directory_word() const override { return {}; }
    Result<void> check_arguments() override
    {
        if (m_words.empty()) {
            return fail(Code::usage, "there is no action on the command line", "see: mandate actions");
        }
        for (std::string& word : m_words) {
            word = text::trim(word);
        }
        return {};
    }
    Result<void> check_words(const core::Vocabulary& vocabulary) override
    {
        for (const std::string& word : m_words) {
            if (!vocabulary.knows_action(word)) {
                return fail(unknown_action(word, vocabulary));
            }
        }
        return {};
    }
};

constexpr Manual k_grant{
    "grant",
    "ACTION...",
    "a person allows more",
    "Puts each ACTION into allow and takes it out of deny. Prints allow= and deny= as they are now.",
    "mandate grant merge --by ann",
    "--by WHO"};

class GrantVerb final : public ActionsBookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_grant; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--by", "WHO", m_by_text, "the person who grants it (required)");
    }

protected:
    Result<void> check_arguments() override
    {
        if (auto checked = ActionsBookingVerb::check_arguments(); !checked) {
            return checked;
        }
        auto by = required_person(m_by_text, "who grants it", manual());
        if (!by) {
            return fail(std::move(by.error()));
        }
        m_by = std::move(*by);
        return {};
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        return core::plan_grant(*snapshot.record, m_words, m_by);
    }

private:
    std::optional<std::string> m_by_text;
    std::string m_by;
};

constexpr Manual k_revoke{
    "revoke", "ACTION...", "allow less; anybody may",
    "Takes each ACTION out of allow, so that it is unlisted; with --deny it is denied. A denied one stays\n"
    "denied. Prints allow= and deny= as they are now.",
    "mandate revoke open-pr --deny"};

class RevokeVerb final : public ActionsBookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_revoke; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.flag("--deny", m_deny, "put it into deny as well");
    }

protected:
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        const std::vector<std::string>& allow = snapshot.record->allow;
        const std::vector<std::string>& deny = snapshot.record->deny;
        m_unlists = std::any_of(m_words.begin(), m_words.end(), [&allow, &deny](const std::string& action) {
            return std::find(allow.begin(), allow.end(), action) != allow.end() &&
                   std::find(deny.begin(), deny.end(), action) == deny.end();
        });
        return core::plan_revoke(*snapshot.record, m_words, m_deny);
    }
    // Whoever granted it out of deny would else take the revocation for the way back into it.
    void finish(const app::Booked& /*booked*/, Outcome& outcome) override
    {
        if (m_unlists && !m_deny) {
            outcome.notes.emplace_back("unlisted now, not denied; --deny denies it");
        }
    }

private:
    bool m_deny = false;
    bool m_unlists = false;
};

// `extend` and `rebind` name a person and take [DIR].
class PersonBookingVerb : public BookingVerb {
protected:
    void declare_by(Arguments& arguments)
    {
        arguments.words(m_words);
        arguments.option("--by", "WHO", m_by_text, "the person who decides it (required)");
    }
    Result<void> check_arguments() override
    {
        auto by = required_person(m_by_text, "who decides it", manual());
        if (!by) {
            return fail(std::move(by.error()));
        }
        m_by = std::move(*by);
        return at_most(m_words, 1);
    }
    std::string m_by;

private:
    std::optional<std::string> m_by_text;
};

constexpr Manual k_extend{"extend",
                          "[DIR]",
                          "a person adds review rounds",
                          "Adds N to the review budget. Without a budget there is nothing to extend: exit 5.",
                          "mandate extend --rounds 2 --by ann",
                          "--rounds N --by WHO"};

class ExtendVerb final : public PersonBookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_extend; }
    void declare(Arguments& arguments) override
    {
        declare_by(arguments);
        arguments.option("--rounds", "N", m_rounds_text, "how many more (required)");
    }

protected:
    Result<void> check_arguments() override
    {
        if (!m_rounds_text) {
            return fail(missing("--rounds N", "how many more", k_extend));
        }
        auto rounds = number_option("--rounds", *m_rounds_text, 1);
        if (!rounds) {
            return fail(std::move(rounds.error()));
        }
        m_rounds = *rounds;
        return PersonBookingVerb::check_arguments();
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        return core::plan_extend(*snapshot.record, m_rounds, m_by);
    }

private:
    std::optional<std::string> m_rounds_text;
    std::uint64_t m_rounds = 0;
};

constexpr Manual k_rebind{
    "rebind",
    "[DIR]",
    "a person binds the record to this lane and branch",
    "For a record that was moved here, or whose branch was renamed (git branch -m). Prints lane_id= and\n"
    "branch= as they are now.",
    "mandate rebind --by ann",
    "--by WHO"};

class RebindVerb final : public PersonBookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_rebind; }
    void declare(Arguments& arguments) override { declare_by(arguments); }

protected:
    void configure(app::BookingRequest& request) override { request.binding = app::Binding::ignore; }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        return core::plan_rebind(*snapshot.record, text::escape(snapshot.lane.place.lane_id),
                                 text::escape(snapshot.lane.place.head.branch), m_by);
    }
};

}  // namespace

std::unique_ptr<Verb> make_grant() { return std::make_unique<GrantVerb>(); }
std::unique_ptr<Verb> make_revoke() { return std::make_unique<RevokeVerb>(); }
std::unique_ptr<Verb> make_extend() { return std::make_unique<ExtendVerb>(); }
std::unique_ptr<Verb> make_rebind() { return std::make_unique<RebindVerb>(); }

}  // namespace mandate::cli
