// The linter over a lane's record: what keeps anything from answering from it is a finding here, like all else.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "base/timestamp.hpp"
#include "core/record_lint.hpp"

namespace mandate::app {

// no-mandate where there is no record; every other refusal of a record is a finding.
Result<core::LintReport> check_record(const Lane& lane, Time now);

}  // namespace mandate::app
