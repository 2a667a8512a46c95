// A ledger of any bytes: folded, checked, and each line that is one survives being written again. And the other
// way round: whatever text a line is given, it stays one line and reads back as the same.
#include "core/ledger_check.hpp"
#include "core/ledger_line.hpp"
#include "core/ledger_state.hpp"
#include "fuzz/property.hpp"

using namespace mandate;
using namespace mandate::fuzz;

namespace {

void write_and_read(const core::LedgerLine& line)
{
    const std::string written = core::format_line(line);
    require_harmless(written, "a line is one line");
    const auto again = core::parse_line(written);
    require(again.has_value(), "what is written is a line");
    require(again->seq == line.seq && again->event == line.event && again->task == line.task &&
                again->fields == line.fields && again->record == line.record && again->prev == line.prev &&
                again->chained == line.chained,
            "a line reads back as it was written");
}

void forge(std::string_view text)
{
    core::LedgerLine line;
    line.seq = 1;
    line.at = "2026-01-31T09:05:00.123Z";
    line.event = "unenforced";
    line.lane = "main";
    line.task = core::line_text(text);
    line.fields = core::escaped_fields({{"reason", std::string(text)}, {"round", std::uint64_t{7}}});
    write_and_read(line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = as_text(data, size);
    core::LedgerState state("task");
    core::LedgerCheck check("main", "task", [](std::string_view line) { return std::to_string(line.size()); });
    std::uint64_t offset = 0;
    for (const std::string_view whole : lines_of(bytes)) {
        const bool ended = whole.back() == '\n';
        const std::string_view text = whole.substr(0, whole.size() - (ended ? 1 : 0));
        check.take({text, offset, ended});
        if (const auto line = core::parse_line(text)) {
            state.apply(*line);
            write_and_read(*line);
        }
        offset += whole.size();
    }
    const auto report = check.finish();
    require(report.findings >= report.shown.size() && report.shown.size() <= 25, "a report is bounded");
    static_cast<void>(core::history_drift(state, core::standing(state, "record"), 0));
    forge(bytes);
    return 0;
}
