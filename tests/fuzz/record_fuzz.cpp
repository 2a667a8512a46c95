// A record of any bytes: parsed, linted, one key edited. The edit is exactly that change and no other byte.
#include "core/record.hpp"
#include "core/record_lint.hpp"
#include "core/verdict.hpp"
#include "fuzz/property.hpp"

#include <algorithm>
#include <array>

using namespace mandate;
using namespace mandate::fuzz;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> k_edits{{{"task", "new"},
                                                                                {"review_rounds_used", "7"},
                                                                                {"round_state", "booked"},
                                                                                {"findings_open", "3"},
                                                                                {"settled_head", "0123"},
                                                                                {"scope", "a: b = c"},
                                                                                {"lane_id", "main"}}};

// The verdict must come from a line of the file: some line at column 0 that starts with `allow` and names the word.
bool file_allows(std::string_view bytes, std::string_view action)
{
    const auto lines = lines_of(bytes);
    return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) {
        return line.substr(0, 5) == "allow" && line.find(action) != std::string_view::npos;
    });
}

std::size_t common_prefix(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
{
    std::size_t n = 0;
    while (n < a.size() && n < b.size() && a[n] == b[n]) {
        ++n;
    }
    return n;
}

// One line changed, added or removed, and every other line the same to the byte.
void require_one_line_changed(std::string_view before, std::string_view after)
{
    const auto old_lines = lines_of(before);
    const auto new_lines = lines_of(after);
    const std::size_t at = common_prefix(old_lines, new_lines);
    const std::size_t old_rest = old_lines.size() - at;
    const std::size_t new_rest = new_lines.size() - at;
    const std::size_t kept = std::min({old_rest, new_rest, std::max(old_rest, new_rest) - 1});
    require(std::max(old_rest, new_rest) - kept <= 1, "an edit changes one line");
    require(std::equal(old_lines.end() - static_cast<std::ptrdiff_t>(kept), old_lines.end(),
                       new_lines.end() - static_cast<std::ptrdiff_t>(kept)),
            "every other line is kept to the byte");
}

void edit_one_key(const core::Record& record, std::string_view choice)
{
    const unsigned number = choice.empty() ? 0U : static_cast<unsigned char>(choice[0]);
    const auto& [key, value] = k_edits[number % k_edits.size()];
    const bool clear = choice.size() > 1 && choice[1] == '-';
    const core::Edit edit{std::string(key), clear ? std::nullopt : std::optional<std::string>(value)};
    const std::string edited = core::edit_record(record, {edit});
    const auto again = core::parse_record(edited, core::Vocabulary());
    require(again.has_value(), "an edited record is a record");
    auto expected = record.values;
    if (clear) {
        expected.erase(std::string(key));
    } else {
        expected[std::string(key)] = std::string(value);
    }
    require(again->values == expected, "an edit changes the one key");
    if (edited != record.bytes) {
        require_one_line_changed(record.bytes, edited);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto [choice, bytes] = steer(as_text(data, size));
    const core::Vocabulary vocabulary;
    const auto report = core::lint_record(bytes, {vocabulary, Time{}, true});
    require(report.shown.size() <= 101 && report.findings >= report.shown.size(), "lint is bounded");

    const auto record = core::parse_record(std::string(bytes), vocabulary);
    if (!record) {
        require(!record.error().message.empty(), "a refusal says why");
        return 0;
    }
    require(record->bytes == bytes, "a record keeps its bytes");
    for (const std::string& action : vocabulary.actions()) {
        if (core::decide(*record, action, {}, Time{}) == core::Verdict::allowed) {
            require(file_allows(bytes, action), "a grant stands in the file");
        }
    }
    edit_one_key(*record, choice);
    return 0;
}
