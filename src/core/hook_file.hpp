// The hook files: POSIX sh of at most ten lines that hand everything to the binary.
//
// A file first runs the hook that was there before (kept beside it as <hook>.mandate-chained) with the same
// arguments and the same stdin; where that one refuses, so does the file. Ours runs last: it sees what the
// other staged. Only shell builtins are used, so a stripped PATH does not matter. Pure text.
#pragma once

#include "core/hook_policy.hpp"

#include <string>
#include <string_view>

namespace mandate::core {

constexpr std::string_view k_chained_suffix = ".mandate-chained";

struct HookFile {
    Hook hook;
    std::string binary;  // absolute path, or a name to be found through PATH
    // What happens once the binary is gone: the file cannot read the configuration then, so [hooks] on_error is
    // written into it. A pass is never silent, but it cannot be counted.
    bool pass_when_gone = false;
};
std::string hook_file(const HookFile& file);

bool is_hook_file(std::string_view content);  // one of ours, whatever binary it names

// The hook manager that wrote a file and would overwrite what we put in its place; "" when none is recognised.
std::string_view hook_manager(std::string_view content);

}  // namespace mandate::core
