// The one way in which anything in this program fails.
//
// An `Error` is a closed `Code` (what a caller acts on), one sentence for a person, a hint that says what
// to do next, and the extra keys that a refusal prints (`line=`, `holder_pid=`, ...). Nothing here throws;
// exceptions of third-party libraries are stopped in the file that calls them.
#pragma once

#include "base/error_codes.hpp"

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace mandate {

struct Error {
    Code code{};
    std::string message;                                       // lower-case start, raw bytes, escaped when printed
    std::string hint;                                          // what to do next; may be empty
    std::vector<std::pair<std::string, std::string>> details;  // further keys of the answer, in printed order
    std::string path;                                          // what it failed on; printed apart from the sentence
    int system_error = 0;                                      // errno, where a caller tells the causes of a code apart

    Error& with(std::string_view key, std::string_view value)
    {
        details.emplace_back(key, value);
        return *this;
    }
    Error& on(std::string_view failed_path)
    {
        path = failed_path;
        return *this;
    }
};

template<typename T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

// `return fail(Code::usage, "...", "...");` from any function that returns a Result.
inline Unexpected fail(Code code, std::string message, std::string hint = {})
{
    return Unexpected(Error{code, std::move(message), std::move(hint), {}, {}});
}

inline Unexpected fail(Error error) { return Unexpected(std::move(error)); }

}  // namespace mandate
