// libgit2's start, and its last message as our error.
//
// libgit2's message lives in thread-local storage and is overwritten by the next call, so it is taken at
// once, on the failing line.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace mandate::git {

// Starts libgit2 once per process and sets what must hold before any repository is opened: the accepted
// extensions, and no ownership check of its own (app/place_owner asks git's rules instead). It is never shut
// down: the process ends soon, and freeing its caches first would only cost time. Every function of this
// layer calls it, so that nobody has to remember.
void start_library();

// `fail(git::last_error(Code::repository_broken, "cannot open the repository"))`
Error last_error(Code code, const std::string& what_failed);

std::string library_version();  // "1.5.1"

// Id of a blob with these bytes, 40 hex digits: what `git hash-object --stdin` prints.
std::string blob_id(std::string_view bytes);

}  // namespace mandate::git
