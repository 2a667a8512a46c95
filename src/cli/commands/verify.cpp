// `verify`: is the ledger what was written, and does the record say what it says?

#include "app/verify.hpp"

#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "core/unenforced_tally.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_verify{
    "verify", "[DIR]", "hold record and ledger against each other, and the chain against itself",
    "Walks the ledger from its start. Prints consistent=, chain=ok|broken, lines=, torn=, pending=yes (a booking\n"
    "was interrupted; the next one says so), hand_edited=yes (somebody else wrote the record), history_drift=\n"
    "and reason=CODE TEXT for each finding: twenty, and their number in findings=. Without a record the chain\n"
    "alone is judged. Exit 0 when consistent, 1 when not; docs/ledger.md lists the codes.",
    "mandate verify || mandate log"};

core::Answer answer_of(const app::Verification& verification)
{
    using core::Value;
    const core::LedgerReport& ledger = verification.ledger;
    const core::UnenforcedTotals sums = core::totals(ledger.state.unenforced);
    core::Answer answer;
    answer.add("ledger_file", verification.ledger_file)
        .add("consistent", ledger.consistent)
        .add("chain", ledger.chain_ok ? "ok" : "broken")
        .add("lines", Value(ledger.lines))
        .add("torn", Value(ledger.torn))
        .add("unchained", Value(ledger.unchained))
        .add("booked_unlocked", Value(ledger.unlocked))
        .add("pending", verification.standing == core::Standing::interrupted)
        .add("hand_edited", verification.standing == core::Standing::edited)
        .add("history_drift", Value(verification.history_drift))
        .add("unenforced", Value(sums.serious))
        .add("unenforced_benign", Value(sums.benign))
        .add("findings", Value(ledger.findings));
    for (const core::LedgerFinding& finding : ledger.shown) {
        answer.because(core::info(finding.fault).name, finding.text);
    }
    if (ledger.findings > ledger.shown.size()) {
        answer.add("findings_not_shown", Value(ledger.findings - ledger.shown.size()));
    }
    return answer;
}

class VerifyVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_verify; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        const auto verification = app::verify(lane);
        if (!verification) {
            return fail(verification.error());
        }
        Outcome outcome = start_outcome(lane);
        if (verification->task) {
            outcome.answer.add("task", *verification->task);
        }
        outcome.answer.append(answer_of(*verification));
        outcome.exit = verification->ledger.consistent ? Exit::yes : Exit::no;
        count_fallback(lane, verification->task.value_or(""), outcome);
        return outcome;
    }
};

}  // namespace

std::unique_ptr<Verb> make_verify() { return std::make_unique<VerifyVerb>(); }

}  // namespace mandate::cli
