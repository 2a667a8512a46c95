#include "app/record_id.hpp"

#include "git/library.hpp"

namespace mandate::app {

std::string record_id(std::string_view bytes) { return git::blob_id(bytes); }

}  // namespace mandate::app
