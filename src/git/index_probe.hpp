// Is a top-level name in git's index? Answered from the index bytes alone, without building an index in
// memory: entries are sorted by name, so the walk stops at the first name that sorts after (one entry in a
// usual repository), and an index of a million entries costs one pass at worst.
//
// Reads versions 2, 3 and 4, split indexes (base in sharedindex.<id>, with the delete bitmap) and sparse
// ones. Anything that cannot be understood is `unknown`, never `no`. Format: git's
// Documentation/gitformat-index.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::git {

enum class Tracked { no, yes, unknown };

// What counts as the name: it alone; it or what stands below it as a directory; whatever begins with it.
enum class NameMatch { exact, exact_or_below, prefix };

struct IndexAnswer {
    Tracked tracked = Tracked::unknown;
    // Set when the index is split and the answer needs its base: call probe_split_index with the base's bytes.
    std::optional<std::string> shared_index_id;
};

// That an index is split shows only in an extension behind its last entry. In a large index the way there
// would cost what stopping early saved, so `shared_index_exists` is asked first: where git's directory holds
// no sharedindex.* file, no index there can be split. Without the function the way is always walked.
IndexAnswer probe_index(std::string_view index, std::string_view name,
                        const std::function<bool()>& shared_index_exists = {}, NameMatch match = NameMatch::exact);

Tracked probe_split_index(std::string_view index, std::string_view shared_index, std::string_view name,
                          NameMatch match = NameMatch::exact);

}  // namespace mandate::git
