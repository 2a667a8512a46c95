// `log`: the ledger of a lane, oldest first.

#include "app/history.hpp"
#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/human.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_log{
    "log", "[DIR]", "the ledger: what was booked, and what went unenforced",
    "One event a block of key=value lines, oldest first. --all takes every lane of the repository, removed\n"
    "ones included. Lines that are not the ledger's own are counted (foreign_lines=), never fatal; a record that\n"
    "nothing answers from is said (problem=CODE). At a terminal a line an event, without the done lines that only\n"
    "close another one. Exit 0.",
    "mandate log --since 2026-01-01T00:00:00Z"};

constexpr std::size_t k_short_id = 12;  // as much of a commit's id as a person needs

core::Answer row_of(const core::LedgerLine& line)
{
    using core::Escaped;
    core::Answer row;
    row.add("seq", core::Value(line.seq))
        .add("at", core::Value(Escaped{line.at}))
        .add("event", core::Value(Escaped{line.event}));
    for (const auto& [key, text] : {std::pair<const char*, const std::string&>{"lane", line.lane},
                                    {"task", line.task},
                                    {"branch", line.branch},
                                    {"head", line.head}}) {
        row.add(key, text.empty() ? core::Value(core::Absent{}) : core::Value(Escaped{text}));
    }
    for (const auto& [key, value] : line.fields) {
        if (const auto* text = std::get_if<std::string>(&value)) {
            row.add(key, core::Value(Escaped{*text}));
        } else if (const auto* count = std::get_if<std::uint64_t>(&value)) {
            row.add(key, core::Value(*count));
        } else {
            row.add(key, core::Value(std::get<bool>(value)));
        }
    }
    row.add("pid", core::Value(line.pid))
        .add("record", core::Value(Escaped{line.record}))
        .add("prev", core::Value(Escaped{line.prev}));
    if (!line.chained) {
        row.add("chained", false);
    }
    return row;
}

// What an event says beyond its frame, as words for a person.
std::string details(const core::LedgerLine& line)
{
    std::string words;
    for (const auto& [key, value] : line.fields) {
        const auto* text = std::get_if<std::string>(&value);
        const auto* count = std::get_if<std::uint64_t>(&value);
        const std::string shown = text != nullptr         ? text::escape_again(*text)
                                  : count != nullptr      ? std::to_string(*count)
                                  : std::get<bool>(value) ? "yes"
                                                          : "no";
        const bool is_id = key.ends_with("head");
        words += shown.empty() ? ""
                               : (words.empty() ? "" : ", ") + text::escape_again(key) + " " +
                                     (is_id ? shown.substr(0, k_short_id) : shown);
    }
    return words;
}

Table table_of(const std::vector<core::LedgerLine>& lines, bool all_lanes)
{
    Table table({{"AT (UTC)"},
                 {"EVENT"},
                 {"LANE", Fit::shortened},
                 {"TASK", Fit::shortened, false, true},
                 {"HEAD"},
                 {"", Fit::wrapped}});
    for (const core::LedgerLine& line : lines) {
        if (line.event != "done") {
            table.add({{text::escape_again(line.at.substr(0, 19)), Tone::faint},
                       {text::escape_again(line.event), tone_of(line.event)},
                       {all_lanes ? text::escape_again(line.lane) : ""},
                       {text::escape_again(line.task)},
                       {text::escape_again(line.head.substr(0, k_short_id)), Tone::faint},
                       {details(line)}});
        }
    }
    return table;
}

class LogVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_log; }
    [[nodiscard]] Uses uses() const override { return Uses::lane; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.flag("--all", m_all, "every lane of the repository, removed ones included");
        arguments.option("--since", "T", m_since, "events from T on: YYYY-MM-DDThh:mm:ssZ");
    }
    Result<Outcome> run(const Globals& globals) override
    {
        if (auto checked = at_most(m_words, 1); !checked) {
            return fail(std::move(checked.error()));
        }
        std::optional<Time> since;
        if (m_since) {
            since = parse_utc(*m_since);
            if (!since) {
                return fail(Code::value_invalid, "--since is no time: " + in_quotes(*m_since),
                            "write it as 2026-01-31T09:00:00Z");
            }
        }
        const auto lane = reading_lane(globals, word_at(m_words, 0), Settings::optional);
        if (!lane) {
            return fail(lane.error());
        }
        Outcome outcome = start_outcome(*lane);
        count_fallback(*lane, {}, outcome);
        // The ledger answers whatever became of the record, and says what would keep others from answering.
        if (const auto record = app::load_record(*lane); !record) {
            outcome.answer.add("problem", info(record.error().code).name);
            outcome.remarks.push_back({record.error().message, record.error().hint, lane->record_path()});
        }
        const app::History history = app::read_history(lane->place, m_all, since);
        std::vector<core::Answer> rows;
        for (const core::LedgerLine& line : history.lines) {
            rows.push_back(row_of(line));
        }
        if (history.foreign_lines > 0) {
            outcome.answer.add("foreign_lines", core::Value(history.foreign_lines));
        }
        if (history.torn) {
            outcome.answer.add("ledger", "torn");
        }
        for (const std::string& damage : history.damage) {
            outcome.answer.add("ledger", "damaged");
            outcome.notes.push_back(damage);
        }
        for (const Error& problem : history.problems) {
            outcome.answer.add("ledger", "unreadable");
            outcome.remarks.push_back(remark(problem));
        }
        // What the answer says of itself (a torn or foreign line) stands above the events.
        outcome.human = [head = outcome.answer, table = table_of(history.lines, m_all)](const Terminal& terminal) {
            return render_human(head, terminal, now()) + "\n" + table.render(terminal);
        };
        outcome.answer.rows("events", std::move(rows));
        return outcome;
    }

private:
    std::vector<std::string> m_words;
    std::optional<std::string> m_since;
    bool m_all = false;
};

}  // namespace

std::unique_ptr<Verb> make_log() { return std::make_unique<LogVerb>(); }

}  // namespace mandate::cli
