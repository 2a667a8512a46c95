// The id by which the ledger names a record: what `git hash-object` prints for its bytes.
#pragma once

#include <string>
#include <string_view>

namespace mandate::app {

std::string record_id(std::string_view bytes);

}  // namespace mandate::app
