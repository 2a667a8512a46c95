#include "app/record_check.hpp"

#include "app/inspect.hpp"

#include <utility>

namespace mandate::app {

Result<CheckedRecord> check_record(const Lane& lane, Time now)
{
    CheckedRecord checked;
    const auto file = read_record_file(lane.place);
    if (!file) {
        checked.report.add_refusal(file.error());
        return checked;
    }
    if (!*file) {
        return fail(no_mandate(lane));
    }
    const std::string& bytes = (*file)->bytes;
    checked.report = core::lint_record(bytes, {lane.settings.vocabulary, now, !lane.place.head.branch.empty()});
    if (const auto record = core::parse_record(bytes, lane.settings.vocabulary)) {
        checked.task = record->task;
        if (const auto bound = check_binding(*record, lane.place); !bound) {
            checked.report.add_refusal(bound.error());
        }
    }
    return checked;
}

}  // namespace mandate::app
