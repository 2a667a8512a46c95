#include "app/record_check.hpp"

#include "app/inspect.hpp"

#include <utility>

namespace mandate::app {

Result<core::LintReport> check_record(const Lane& lane, Time now)
{
    core::LintReport report;
    const auto file = read_record_file(lane.place);
    if (!file) {
        report.add_refusal(file.error());
        return report;
    }
    if (!*file) {
        return fail(no_mandate(lane));
    }
    const std::string& bytes = (*file)->bytes;
    report = core::lint_record(bytes, {lane.settings.vocabulary, now, !lane.place.head.branch.empty()});
    if (const auto record = core::parse_record(bytes, lane.settings.vocabulary)) {
        if (const auto bound = check_binding(*record, lane.place); !bound) {
            report.add_refusal(bound.error());
        }
    }
    return report;
}

}  // namespace mandate::app
