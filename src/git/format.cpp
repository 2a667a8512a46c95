#include "git/format.hpp"

#include "git/config_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace mandate::git {

namespace {

constexpr std::string_view k_extension_prefix = "extensions.";
constexpr int k_newest_version = 1;
constexpr int k_no_version = -1;

// Extensions that change nothing about how this program reads a repository.
constexpr std::array<std::string_view, 6> k_harmless{"noop",         "noop-v1",        "preciousobjects",
                                                     "partialclone", "worktreeconfig", "relativeworktrees"};

// Unknown extensions of a version 0 repository are ignored by git, but these are an error there too.
constexpr std::array<std::string_view, 4> k_version_1_only{"noop-v1", "objectformat", "refstorage",
                                                           "compatobjectformat"};

struct Raw {
    int version = k_no_version;
    std::vector<ConfigEntry> extensions;
    std::optional<bool> bare;
    std::optional<std::string> worktree;
    bool worktree_config = false;
};

bool is_wanted(std::string_view name)
{
    return name == "core.bare" || name == "core.worktree" || name == "core.repositoryformatversion" ||
           name.starts_with(k_extension_prefix);
}

template<typename Names>
bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Error bad_value(const std::string& path, const ConfigEntry& entry)
{
    const std::string value = entry.value ? "'" + *entry.value + "'" : std::string("no value");
    Error error{Code::repository_broken, entry.name + " has " + value + ", which git does not take", {}, {}, {}};
    error.on(path);
    return error;
}

Result<void> take(const ConfigEntry& entry, const std::string& path, Raw& raw)
{
    if (entry.name == "core.bare") {
        raw.bare = parse_bool(entry.value);
        return raw.bare ? Result<void>{} : fail(bad_value(path, entry));
    }
    if (entry.name == "core.worktree") {
        raw.worktree = entry.value;
        return raw.worktree ? Result<void>{} : fail(bad_value(path, entry));
    }
    if (entry.name == "core.repositoryformatversion") {
        const std::optional<int> version = parse_int(entry.value);
        raw.version = version.value_or(k_no_version);
        return version ? Result<void>{} : fail(bad_value(path, entry));
    }
    if (entry.name == "extensions.worktreeconfig") {
        const std::optional<bool> on = parse_bool(entry.value);
        raw.worktree_config = on.value_or(false);
        if (!on) {
            return fail(bad_value(path, entry));
        }
    }
    raw.extensions.push_back(entry);
    return {};
}

// As people and git's manual write them; libgit2 hands all names over in lower case.
std::string display_name(const std::string& extension)
{
    constexpr std::array<std::array<std::string_view, 2>, 3> k_names{
        {{"objectformat", "objectFormat"}, {"refstorage", "refStorage"}, {"compatobjectformat", "compatObjectFormat"}}};
    for (const auto& [lower, written] : k_names) {
        if (extension == lower) {
            return std::string(written);
        }
    }
    return extension;
}

Error unsupported_extension(const std::string& extension, const std::optional<std::string>& value)
{
    std::string message = "the repository uses extensions." + display_name(extension);
    if (value && !value->empty()) {
        message += "=" + *value;
    }
    Error error{Code::repository_unsupported, message + ", which cannot be read", {}, {}, {}};
    error.hint = "use a repository with sha1 objects and refs kept in files";
    error.with("extension", display_name(extension));
    return error;
}

Result<void> check_extension(const std::string& extension, const std::optional<std::string>& value, int version)
{
    if (version < 1) {
        return contains(k_version_1_only, extension) ? fail(unsupported_extension(extension, value)) : Result<void>{};
    }
    const bool readable = contains(k_harmless, extension) || (extension == "objectformat" && value == "sha1") ||
                          (extension == "refstorage" && value == "files");
    return readable ? Result<void>{} : fail(unsupported_extension(extension, value));
}

}  // namespace

Result<Format> read_format(const std::string& common_dir, const std::string& git_dir, bool linked, ReadSmallFile read)
{
    const auto read_into = [read](const std::string& path, Raw& raw, bool repository_file) -> Result<void> {
        const auto entries = read_config_file(path, is_wanted, read);
        if (!entries) {
            return fail(entries.error());
        }
        for (const ConfigEntry& entry : *entries) {
            const bool counts = repository_file || entry.name == "core.bare" || entry.name == "core.worktree";
            if (entry.included || !counts) {
                continue;
            }
            if (auto taken = take(entry, path, raw); !taken) {
                return taken;
            }
        }
        return {};
    };

    Raw raw;
    const std::string config = common_dir + "/config";
    if (auto done = read_into(config, raw, true); !done) {
        return fail(done.error());
    }
    // Without a version git looks at none of the other keys (setup.c, check_repository_format_gently).
    if (raw.version < 0) {
        return Format{};
    }
    if (raw.version > k_newest_version) {
        Error error{Code::repository_unsupported,
                    "the repository has format version " + std::to_string(raw.version),
                    {},
                    {},
                    {}};
        error.hint = "versions 0 and 1 can be read";
        return fail(error.on(config));
    }
    Format format;
    for (const ConfigEntry& entry : raw.extensions) {
        const std::string extension = entry.name.substr(k_extension_prefix.size());
        if (auto known = check_extension(extension, entry.value, raw.version); !known) {
            return fail(known.error().on(config));
        }
        format.extensions.push_back(extension);
    }
    format.worktree_config = raw.worktree_config;
    if (raw.worktree_config) {
        const std::string worktree_config = git_dir + "/config.worktree";
        if (auto done = read_into(worktree_config, raw, false); !done) {
            return fail(done.error());
        }
    }
    if (!linked || raw.worktree_config) {
        format.bare = raw.bare.value_or(false);
        format.worktree = raw.worktree;
    }
    return format;
}

}  // namespace mandate::git
