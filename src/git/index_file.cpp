#include "git/index_file.hpp"

#include "git/ewah.hpp"
#include "git/index_entries.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mandate::git {

namespace {

constexpr std::size_t k_id_at = 40;
constexpr std::size_t k_flags_at = 60;
constexpr std::uint32_t k_stage_mask = 0x3000;
constexpr std::uint32_t k_skip_worktree = 0x4000;  // of the extended flags
constexpr std::uint32_t k_intent_to_add = 0x2000;

using Step = IndexEntries::Step;

IndexFileEntry entry_of(const IndexEntries& at)
{
    const char* fields = at.fields().data();
    const auto number = [fields](std::size_t i) { return big_endian_32(fields + 4 * i); };
    const std::uint32_t flags = big_endian_16(fields + k_flags_at);
    const bool extended = at.fields().size() > k_flags_at + 2;
    const std::uint32_t more = extended ? big_endian_16(fields + k_flags_at + 2) : 0;
    IndexFileEntry entry;
    entry.name = at.name();
    std::copy_n(fields + k_id_at, k_index_hash_size, entry.id.begin());
    std::tie(entry.changed_s, entry.changed_ns, entry.modified_s, entry.modified_ns) =
        std::tuple(number(0), number(1), number(2), number(3));
    std::tie(entry.device, entry.inode, entry.mode) = std::tuple(number(4), number(5), number(6));
    std::tie(entry.uid, entry.gid, entry.size) = std::tuple(number(7), number(8), number(9));
    entry.stage = (flags & k_stage_mask) >> 12U;
    entry.skip_worktree = (more & k_skip_worktree) != 0;
    entry.intent_to_add = (more & k_intent_to_add) != 0;
    return entry;
}

struct Parsed {
    std::vector<IndexFileEntry> entries;
    std::string_view extensions;
};

std::optional<Parsed> parse(std::string_view bytes)
{
    auto at = IndexEntries::open(bytes);
    if (!at) {
        return std::nullopt;
    }
    Parsed parsed;
    parsed.entries.reserve(std::min<std::size_t>(at->count(), bytes.size() / k_flags_at));
    Step step = at->next();
    for (; step == Step::entry; step = at->next()) {
        parsed.entries.push_back(entry_of(*at));
    }
    if (step == Step::broken) {
        return std::nullopt;
    }
    parsed.extensions = at->extensions();
    return parsed;
}

// The root of the cached tree (gitformat-index, "Cache tree"): an empty path, the count of entries (-1: not
// known), a blank, the count of subtrees, a newline, the id.
std::string cached_tree(std::string_view extensions)
{
    constexpr std::size_t k_header = 8;
    while (extensions.size() >= k_header) {
        const std::string_view signature = extensions.substr(0, 4);
        const std::size_t size = big_endian_32(extensions.data() + 4);
        std::string_view body = extensions.substr(k_header).substr(0, size);
        extensions.remove_prefix(std::min(extensions.size(), k_header + size));
        if (signature != "TREE") {
            continue;
        }
        const std::size_t line = body.find('\n');
        if (!body.starts_with('\0') || line == std::string_view::npos || body.substr(1).starts_with('-')) {
            return {};
        }
        body.remove_prefix(line + 1);
        return body.size() < k_index_hash_size ? std::string() : std::string(body.substr(0, k_index_hash_size));
    }
    return {};
}

// gitformat-index, "Split index": the first bitmap says which entries of the base are deleted, the second
// which are replaced, in order, by the entries of this file that have no name.
std::optional<std::vector<IndexFileEntry>> merge(std::vector<IndexFileEntry> own, std::vector<IndexFileEntry> base,
                                                 std::string_view bitmaps)
{
    const bool has_bitmaps = !bitmaps.empty();
    const auto deleted = EwahBitmap::take(bitmaps);
    const auto replaced = EwahBitmap::take(bitmaps);
    if (has_bitmaps && (!deleted || !replaced)) {
        return std::nullopt;
    }
    std::vector<IndexFileEntry> merged;
    merged.reserve(own.size() + base.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < base.size(); ++i) {
        const auto gone = has_bitmaps ? deleted->test(i) : std::optional(false);
        const auto changed = has_bitmaps ? replaced->test(i) : std::optional(false);
        if (!gone || !changed) {
            return std::nullopt;
        }
        if (*changed) {
            if (next >= own.size() || !own[next].name.empty()) {
                return std::nullopt;
            }
            own[next].name = base[i].name;
            base[i] = std::move(own[next++]);
        }
        if (!*gone) {
            merged.push_back(std::move(base[i]));
        }
    }
    for (; next < own.size(); ++next) {
        merged.push_back(std::move(own[next]));
    }
    std::stable_sort(merged.begin(), merged.end(), [](const IndexFileEntry& a, const IndexFileEntry& b) {
        return std::tie(a.name, a.stage) < std::tie(b.name, b.stage);
    });
    return merged;
}

bool usable(const std::vector<IndexFileEntry>& entries)
{
    return std::all_of(entries.begin(), entries.end(),
                       [](const IndexFileEntry& entry) { return !entry.name.empty(); }) &&
           std::is_sorted(entries.begin(), entries.end(), [](const IndexFileEntry& a, const IndexFileEntry& b) {
               return std::tie(a.name, a.stage) < std::tie(b.name, b.stage);
           });
}

}  // namespace

std::optional<IndexFile> read_index_file(
    std::string_view bytes, const std::function<std::optional<std::string_view>(const std::string& id)>& shared_index)
{
    auto parsed = parse(bytes);
    const IndexExtensions extensions = parsed ? read_index_extensions(parsed->extensions) : IndexExtensions{};
    if (!parsed || !extensions.understood) {
        return std::nullopt;
    }
    IndexFile index{std::move(parsed->entries), cached_tree(parsed->extensions)};
    if (extensions.link && extensions.link->base_id.find_first_not_of('0') != std::string::npos) {
        const auto base_bytes = shared_index(extensions.link->base_id);
        auto base = base_bytes && index_checksum(*base_bytes) == extensions.link->base_id ? parse(*base_bytes)
                                                                                          : std::optional<Parsed>();
        auto merged = base ? merge(std::move(index.entries), std::move(base->entries), extensions.link->bitmaps)
                           : std::optional<std::vector<IndexFileEntry>>();
        if (!merged) {
            return std::nullopt;
        }
        index.entries = std::move(*merged);
    }
    return usable(index.entries) ? std::optional(std::move(index)) : std::nullopt;
}

}  // namespace mandate::git
