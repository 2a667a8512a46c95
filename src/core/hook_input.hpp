// The lines that git writes to a hook's stdin, read strictly: what is not exactly such a line is an error, since
// a line that is skipped would be a ref that nobody asked about. Pure, linear, no copies but of the refs.
#pragma once

#include "base/error.hpp"
#include "core/hook_policy.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace mandate::core {

constexpr std::size_t k_hook_input_limit = std::size_t{32} << 20U;  // bytes: some 200,000 refs

// pre-push: "<local ref> <local id> <remote ref> <remote id>". The local ref may be any expression, blanks
// included ("HEAD^{/fix it}"), so fields are counted from the end. value-invalid.
Result<std::vector<RefMove>> parse_push_input(std::string_view input);

// reference-transaction: "<old> <new> <ref>"; a value may also be "ref:<name>". Only branches are kept: no
// other ref asks anything. value-invalid.
Result<std::vector<RefMove>> parse_transaction_input(std::string_view input);

}  // namespace mandate::core
