// `round` and what may become of it: cancel, reviewed, fixed, acknowledged. The decisions are core/rounds.

#include "core/rounds.hpp"

#include "app/revision.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "core/verdict.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_round{
    "round", "[DIR]", "book one review round, before the review runs",
    "Takes one round from the review budget under the lane's lock. Prints round_authorized=yes and round=N, or\n"
    "round_authorized=no when the budget is spent (exit 0; with --strict exit 1). yes together with\n"
    "review_budget_exhausted=yes means: this one may run, none after it. With --token T a retry of the same\n"
    "call is answered again (replayed=yes) and charges nothing.",
    "mandate round --token \"$CI_RUN_ID\" | grep -q '^round_authorized=yes$' && ./review.sh"};

class RoundVerb final : public BookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_round; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--token", "T", m_token_text,
                         "a name for this call: asked again with it, the answer is the same");
        arguments.flag("--strict", m_strict, "exit 1 when the budget is spent");
        arguments.flag("--unenforced", m_unenforced, "go on, counted, where the file system cannot lock");
    }

protected:
    Result<void> check_arguments() override
    {
        auto token = token_option(m_token_text);
        if (!token) {
            return fail(std::move(token.error()));
        }
        m_token = std::move(*token);
        return at_most(m_words, 1);
    }
    void configure(app::BookingRequest& request) override { request.even_unlocked = m_unenforced; }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        if (core::is_expired(*snapshot.record, snapshot.now)) {
            return fail(app::expired(*snapshot.record));
        }
        return core::plan_round(*snapshot.record, m_token);
    }

private:
    std::optional<std::string> m_token_text;
    std::string m_token;
    bool m_unenforced = false;
};

constexpr Manual k_cancel{
    "cancel", "[DIR]", "give a booked round back: its review never ran",
    "The state is the one before the round again and the number is given again. One level deep: a\n"
    "booked round that another round followed cannot be cancelled (exit 5). Counted as round-cancelled.",
    "mandate cancel --reason 'the reviewer was not available'"};

class CancelVerb final : public BookingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_cancel; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--reason", "T", m_reason, "why, for the ledger");
    }

protected:
    Result<void> check_arguments() override
    {
        auto reason = text_option("--reason", m_reason);
        if (!reason) {
            return fail(std::move(reason.error()));
        }
        m_checked_reason = std::move(*reason);
        return at_most(m_words, 1);
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        return core::plan_cancel(*snapshot.record, m_checked_reason);
    }

private:
    std::optional<std::string> m_reason;
    std::string m_checked_reason;
};

// The verbs that record an outcome share their options: findings, a revision, a person, a reason.
class OutcomeVerb : public BookingVerb {
protected:
    void declare_findings(Arguments& arguments, std::string help)
    {
        arguments.words(m_words);
        arguments.option("--findings", "N", m_findings_text, std::move(help));
    }
    Result<void> check_arguments() override
    {
        if (m_findings_text) {
            auto findings = number_option("--findings", *m_findings_text, m_least_findings);
            if (!findings) {
                return fail(std::move(findings.error()));
            }
            m_findings = *findings;
        }
        auto by = text_option("--by", m_by_text);
        auto reason = text_option("--reason", m_reason_text);
        if (!by || !reason) {
            return fail(by ? reason.error() : by.error());
        }
        m_by = std::move(*by);
        m_reason = std::move(*reason);
        return at_most(m_words, 1);
    }
    // A revision that does not resolve is a refusal of the command line: before the record and before the lock.
    void configure(app::BookingRequest& request) override
    {
        request.check_before = [this](const app::Lane& lane) -> Result<void> {
            if (!m_head) {
                return {};
            }
            return app::resolve_commit(lane.place, *m_head).map([this](std::string id) { m_named = std::move(id); });
        };
    }
    // The commit that the outcome is about: --head, else HEAD. An unborn branch has none.
    [[nodiscard]] Result<std::string> commit(const app::Snapshot& snapshot) const
    {
        if (m_head) {
            return m_named;
        }
        if (snapshot.head.empty()) {
            return fail(Code::value_invalid, "there is no commit yet", "commit first, or name one with --head");
        }
        return snapshot.head;
    }

    std::optional<std::string> m_findings_text, m_head, m_by_text, m_reason_text;
    std::optional<std::uint64_t> m_findings;
    std::uint64_t m_least_findings = 1;
    std::string m_by, m_reason, m_named;
};

constexpr Manual k_reviewed{"reviewed",
                            "[DIR]",
                            "record what a booked review found",
                            "From any state but booked the review was not booked: it is recorded all the same, with\n"
                            "booked=no, and counted as unbooked-review.",
                            "mandate reviewed --findings 3 --by ann",
                            "--findings N"};

class ReviewedVerb final : public OutcomeVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_reviewed; }
    void declare(Arguments& arguments) override
    {
        m_least_findings = 0;
        declare_findings(arguments, "how many findings the review left open (required)");
        arguments.option("--head", "REV", m_head, "the commit that was reviewed; default HEAD");
        arguments.option("--by", "WHO", m_by_text, "who reviewed");
    }

protected:
    Result<void> check_arguments() override
    {
        if (!m_findings_text) {
            return fail(missing("--findings N", "how many findings the review left open", k_reviewed));
        }
        return OutcomeVerb::check_arguments();
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        auto head = commit(snapshot);
        if (!head) {
            return fail(std::move(head.error()));
        }
        return core::plan_reviewed(*snapshot.record, {*m_findings, std::move(*head), m_by});
    }
};

constexpr Manual k_fixed{
    "fixed", "[DIR]", "record that findings of the review are fixed",
    "K of the open findings (default all) are fixed; when none is left the state is fixed and the\n"
    "commit is settled_head. Without open findings of a review: exit 5.",
    "mandate fixed --findings 2"};

class FixedVerb final : public OutcomeVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_fixed; }
    void declare(Arguments& arguments) override
    {
        declare_findings(arguments, "how many are fixed; default all open ones");
        arguments.option("--head", "REV", m_head, "the commit that fixes them; default HEAD");
    }

protected:
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        auto head = commit(snapshot);
        if (!head) {
            return fail(std::move(head.error()));
        }
        return core::plan_fixed(*snapshot.record, m_findings, *head);
    }
};

constexpr Manual k_acknowledged{
    "acknowledged",
    "[DIR]",
    "a person takes the lane as it stands at HEAD",
    "Closes open findings (K of them, default all) without a fix; when none is left the state is\n"
    "acknowledged and HEAD is settled_head. From any state but booked, so that a spent budget\n"
    "never leaves a lane without a way on.",
    "mandate acknowledged --by ann --reason 'the last finding is a matter of taste'",
    "--by WHO"};

class AcknowledgedVerb final : public OutcomeVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_acknowledged; }
    void declare(Arguments& arguments) override
    {
        declare_findings(arguments, "how many are accepted; default all open ones");
        arguments.option("--by", "WHO", m_by_text, "the person who takes it (required)");
        arguments.option("--reason", "T", m_reason_text, "why, for the ledger");
    }

protected:
    Result<void> check_arguments() override
    {
        if (auto by = required_person(m_by_text, "who takes it", k_acknowledged); !by) {
            return fail(std::move(by.error()));
        }
        return OutcomeVerb::check_arguments();
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        auto head = commit(snapshot);
        if (!head) {
            return fail(std::move(head.error()));
        }
        return core::plan_acknowledged(*snapshot.record, {m_findings, std::move(*head), m_by, m_reason});
    }
};

}  // namespace

std::unique_ptr<Verb> make_round() { return std::make_unique<RoundVerb>(); }
std::unique_ptr<Verb> make_cancel() { return std::make_unique<CancelVerb>(); }
std::unique_ptr<Verb> make_reviewed() { return std::make_unique<ReviewedVerb>(); }
std::unique_ptr<Verb> make_fixed() { return std::make_unique<FixedVerb>(); }
std::unique_ptr<Verb> make_acknowledged() { return std::make_unique<AcknowledgedVerb>(); }

}  // namespace mandate::cli
