#include "git/plain_config.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mandate::git {

namespace {

bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

// Lower case; nothing where it is no name of a section or a key.
std::optional<std::string> name_of(std::string_view written)
{
    const bool plain = !written.empty() && std::all_of(written.begin(), written.end(), is_name_byte);
    return plain ? std::optional(text::lower(std::string(written))) : std::nullopt;
}

// "[name]" or "[name "sub"]": the start of the names of its keys, with a dot at the end.
std::optional<std::string> section_of(std::string_view line)
{
    if (line.size() < 2 || line.front() != '[' || line.back() != ']') {
        return std::nullopt;
    }
    line = line.substr(1, line.size() - 2);
    std::string_view subsection;
    if (const std::size_t space = line.find(' '); space != std::string_view::npos) {
        subsection = line.substr(space + 1);
        line = line.substr(0, space);
        if (subsection.size() < 2 || subsection.front() != '"' || subsection.back() != '"') {
            return std::nullopt;
        }
        subsection = subsection.substr(1, subsection.size() - 2);
        if (subsection.empty() || subsection.find_first_of("\"\\") != std::string_view::npos) {
            return std::nullopt;
        }
    }
    auto section = name_of(line);
    if (!section || section->starts_with("include")) {
        return std::nullopt;
    }
    *section += '.';
    if (!subsection.empty()) {
        *section += std::string(subsection) + '.';
    }
    return section;
}

std::optional<ConfigEntry> entry_of(std::string_view line, const std::string& section)
{
    const std::size_t equals = line.find('=');
    if (section.empty() || equals == std::string_view::npos) {
        return std::nullopt;
    }
    const auto key = name_of(text::trim(line.substr(0, equals)));
    const bool starts_with_a_letter = key && key->front() >= 'a' && key->front() <= 'z';
    const std::string_view value = text::trim(line.substr(equals + 1));
    if (!starts_with_a_letter || value.find_first_of("\"\\#;") != std::string_view::npos) {
        return std::nullopt;
    }
    return ConfigEntry{section + *key, std::string(value), false};
}

bool is_plain_byte(char c) { return c == '\t' || static_cast<unsigned char>(c) >= ' '; }

}  // namespace

std::optional<std::vector<ConfigEntry>> parse_plain_config(std::string_view bytes, WantedName wanted)
{
    std::vector<ConfigEntry> entries;
    std::string section;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view line = text::trim(bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        if (!std::all_of(line.begin(), line.end(), is_plain_byte)) {
            return std::nullopt;
        }
        if (line.empty() || line.front() == '#' || line.front() == ';') {
            continue;
        }
        if (auto started = section_of(line)) {
            section = std::move(*started);
            continue;
        }
        auto entry = entry_of(line, section);
        if (!entry) {
            return std::nullopt;
        }
        if (wanted(entry->name)) {
            entries.push_back(std::move(*entry));
        }
    }
    return entries;
}

}  // namespace mandate::git
