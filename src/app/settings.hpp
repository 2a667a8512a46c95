// The configuration of one run: defaults, the files of section "Configuration" of the manual from the widest to the
// nearest, then variables. Options are the command line's own.
//
// An absent file costs one failed look. A file that is there and cannot be read is config-invalid, since it
// may hold what denies; only below the home directory is one that this user may not reach taken as
// absent, as git does (a hook that runs as another user keeps HOME). `.mandate.toml` is never followed
// through a symlink: the branch that brought it would choose what is read.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"
#include "core/config.hpp"
#include "core/vocabulary.hpp"

#include <string>
#include <vector>

namespace mandate::app {

enum class Color { automatic, always, never };

struct Settings {
    core::Config config;
    core::Vocabulary vocabulary;
    std::vector<std::string> notes;  // one sentence each, for stderr
    std::vector<std::string> files;  // that were there and are in force, raw bytes
    Color color = Color::automatic;
};

constexpr const char* k_system_config = "/etc/mandate/config.toml";

// What is done with a layer that is not valid. Verbs that use no configuration answer all the same: with
// `note` it is left out, a note says so, and nothing fails; the vocabulary is then open where words may be missing.
enum class OnInvalid { refuse, note };

// `place`: none outside of a worktree; its two files are then left out. Fails with config-invalid only.
Result<Settings> load_settings(const Place* place, OnInvalid on_invalid = OnInvalid::refuse,
                               const std::string& system_file = k_system_config);

}  // namespace mandate::app
