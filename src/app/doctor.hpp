// Proves that enforcement works here, one check after the other, and mends what is safe to mend.
//
// Reads only, unless `fix`: then the exclude is written, outdated hooks of ours are installed anew, and
// leftover temporary files are swept under the lock. Nothing that belongs to a person is touched: a leftover
// lock directory, foreign hooks, a broken record are named with what to do.
#pragma once

#include "app/lane.hpp"
#include "base/timestamp.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mandate::app {

enum class Health { ok, fixed, warning, failed };
std::string_view name(Health health);

struct Check {
    std::string name;  // record, lock, exclude, hooks, ledger, unenforced, leftovers, configuration, versions
    Health health = Health::ok;
    std::string text;  // raw
    std::string hint;
};

std::vector<Check> examine(const Lane& lane, bool fix, Time now);

}  // namespace mandate::app
