// Words of the command line in a refusal: repeated as they were typed, and held against those that there are.
//
// What is repeated is escaped and at most 60 bytes of the word; a list ends where the sentence's bound cuts it.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mandate::cli {

// 'word'. Not `quoted`: <iomanip>, which some versions of CLI11 include, has one that ours would lose to.
std::string in_quotes(std::string_view word);

// "did you mean 'near'? there are: a, b, c", without the question where none is near.
std::string choices(std::string_view word, const std::vector<std::string_view>& known);

// "there is a word too many: 'word'"; without a hint of its own it is given the verb's manual.
Unexpected too_many(std::string_view word, std::string hint = {});

}  // namespace mandate::cli
