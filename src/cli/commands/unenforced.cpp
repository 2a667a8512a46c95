// `unenforced`: what went ahead unchecked, as numbers; and a person's acknowledgement of it.

#include "app/unenforced_list.hpp"
#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_unenforced{
    "unenforced",
    "[DIR]",
    "what went ahead unchecked, counted; --ack accepts it",
    "One line a reason, since the last acknowledgement: reason=CODE count=N last=TIME benign=yes|no, with --all\n"
    "of every lane of the repository, removed ones included, and lane=ID at its end. Exit 1 when one that is not\n"
    "benign is not acknowledged, or a ledger cannot be read; else 0. --ack appends an acknowledgement by a\n"
    "person, which accepts the history drift of the moment too, and then answers: acknowledged= and\n"
    "accepted_drift= say what it took. Nothing is ever deleted.",
    "mandate unenforced --ack --by ann --reason 'the tests ran by hand'",
    "--ack --by WHO"};

class UnenforcedVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_unenforced; }
    [[nodiscard]] Uses uses() const override { return Uses::lane; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.flag("--all", m_all, "every lane of the repository, removed ones included");
        arguments.flag("--ack", m_ack, "accept what is counted");
        arguments.option("--by", "WHO", m_by, "with --ack: the person who accepts it (required)");
        arguments.option("--reason", "T", m_reason, "with --ack: why, for the ledger");
    }
    Result<Outcome> run(const Globals& globals) override
    {
        const auto request = ack_request();
        if (!request) {
            return fail(request.error());
        }
        // An acknowledgement of another lane than the one that was named would hide what happened in this one.
        const auto lane =
            open_lane(globals, {directory_of(globals, word_at(m_words, 0)), globals.branch, m_ack, false});
        if (!lane) {
            return fail(lane.error());
        }
        Outcome outcome = start_outcome(*lane);
        add_fallback(*lane, outcome);
        if (m_ack) {
            const auto accepted =
                m_all ? app::acknowledge_all(*lane, *request) : app::acknowledge_lane(*lane, *request);
            if (!accepted) {
                return fail(accepted.error());
            }
            add_accepted(*accepted, outcome);
        }
        add_rows(app::list_unenforced(lane->place, m_all), outcome);
        return outcome;
    }

private:
    [[nodiscard]] Result<app::AckRequest> ack_request() const
    {
        if (auto checked = at_most(m_words, 1); !checked) {
            return fail(std::move(checked.error()));
        }
        if (!m_ack && (m_by || m_reason)) {
            return fail(Code::usage, std::string(m_by ? "--by" : "--reason") + " is of use only with --ack");
        }
        if (!m_ack) {
            return app::AckRequest{};
        }
        auto by = required_person(m_by, "who accepts it", k_unenforced);
        auto reason = text_option("--reason", m_reason);
        if (!by || !reason) {
            return fail(by ? reason.error() : by.error());
        }
        return app::AckRequest{std::move(*by), std::move(*reason)};
    }

    // The fallback's own row is in the listing, so a second `reason=` would only say it twice; but for one that could
    // not be written (`ledger=unwritable`).
    static void add_fallback(const app::Lane& lane, Outcome& outcome)
    {
        Outcome counted;
        count_fallback(lane, {}, counted);
        bool written = true;
        for (const auto& [key, value] : counted.answer.fields()) {
            outcome.answer.add(key, value);
            written = written && key != "ledger";
        }
        if (!written) {
            outcome.answer.append(counted.answer);
        }
        outcome.notes.insert(outcome.notes.end(), counted.notes.begin(), counted.notes.end());
    }

    static void add_accepted(const app::Acknowledged& accepted, Outcome& outcome)
    {
        outcome.answer.add("task", core::text_or_absent(accepted.task))
            .add("acknowledged", core::Value(accepted.taken.serious))
            .add("acknowledged_benign", core::Value(accepted.taken.benign))
            .add("accepted_drift", core::Value(accepted.drift));
        outcome.notes.insert(outcome.notes.end(), accepted.notes.begin(), accepted.notes.end());
        outcome.booked = true;
    }

    void add_rows(const app::UnenforcedList& list, Outcome& outcome) const
    {
        core::UnenforcedTotals sums;
        std::vector<core::Answer> rows;
        for (const app::LaneUnenforced& lane : list.lanes) {
            for (const core::UnenforcedRow& row : lane.rows) {
                (row.benign ? sums.benign : sums.serious) += row.count;
                core::Answer line;
                line.add("reason", core::Value(core::Escaped{row.reason}))
                    .add("count", core::Value(row.count))
                    .add("last", core::text_or_absent(row.last))
                    .add("benign", row.benign);
                if (m_all) {
                    line.add("lane", core::Value(core::Escaped{lane.lane_id}));
                }
                rows.push_back(std::move(line));
            }
        }
        outcome.answer.add("unenforced", core::Value(sums.serious)).add("unenforced_benign", core::Value(sums.benign));
        if (list.foreign_lines > 0) {
            outcome.answer.add("foreign_lines", core::Value(list.foreign_lines));
        }
        for (const Error& problem : list.problems) {
            outcome.answer.add("ledger", "unreadable");
            outcome.remarks.push_back(remark(problem));
        }
        // What cannot be read may hold anything, so it is no yes.
        outcome.exit = sums.serious > 0 || !list.problems.empty() ? Exit::no : Exit::yes;
        outcome.answer.line_rows("reasons", std::move(rows));
    }

    std::vector<std::string> m_words;
    std::optional<std::string> m_by, m_reason;
    bool m_all = false;
    bool m_ack = false;
};

}  // namespace

std::unique_ptr<Verb> make_unenforced() { return std::make_unique<UnenforcedVerb>(); }

}  // namespace mandate::cli
