// Which key a label that is none was meant to be. For record_lint.cpp.
#pragma once

#include <string>
#include <string_view>

namespace mandate::core {

// The known key that `label` is but for its case, or `-`, `.` and blanks where the key has `_`; "" for none.
std::string key_but_for_spelling(std::string_view label);

// The same, and what is a few letters away from one.
std::string nearest_key(std::string_view label);

// Letters of other alphabets that look like ASCII ones become these, invisible characters go, and what is left
// that is no ASCII becomes `?`.
std::string look_alike_ascii(std::string_view label);

bool is_ascii(std::string_view text);

}  // namespace mandate::core
