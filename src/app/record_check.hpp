// The linter over a lane's record: what keeps anything from answering from it is a finding here, like all else.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "base/timestamp.hpp"
#include "core/record_lint.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct CheckedRecord {
    core::LintReport report;
    std::optional<std::string> task;  // of a record that parses
};

// no-mandate where there is no record; every other refusal of a record is a finding.
Result<CheckedRecord> check_record(const Lane& lane, Time now);

}  // namespace mandate::app
