// For closing.cpp only: where the lane's commits are, besides on its branch.
#pragma once

#include "app/closing.hpp"
#include "git/repository.hpp"

#include <string>

namespace mandate::app {

// Fills in merge, unpushed and remote_ahead; returns the integration branch, "" where there is none.
Result<std::string> add_history(const Place& place, const git::Repository& repository, const std::string& head,
                                const CloseQuestion& question, core::CloseFacts& facts);

}  // namespace mandate::app
