#include "core/config_toml.hpp"

#include "base/text.hpp"
#include "core/config_bounds.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <sstream>
#include <stdexcept>
#include <toml.hpp>
#include <tuple>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::size_t k_longest_reason = 120;
constexpr std::uint64_t k_largest_number = 1000000000;

// 3.x and 4.x differ in the names below and nowhere else that matters here. 3.7 does not define the macro.
#if defined(TOML11_VERSION_MAJOR) && TOML11_VERSION_MAJOR >= 4

using Value = toml::value;
Value parse(std::istream& stream) { return toml::parse(stream, "configuration"); }

std::size_t line_of(const toml::source_location& where) { return where.first_line_number(); }
std::size_t column_of(const toml::source_location& where) { return where.first_column_number(); }
std::size_t line_of(const toml::syntax_error& error)
{
    const bool known = !error.errors().empty() && !error.errors().front().locations().empty();
    return known ? line_of(error.errors().front().locations().front().first) : 0;
}

#else

// 3.7.1 takes the last element of an empty list for `a = []` with `[a.b]` below.
template<typename... T>
class GuardedList : public std::vector<T...> {
public:
    using std::vector<T...>::vector;
    auto& back()
    {
        if (this->empty()) {
            throw std::out_of_range("a table inside of an empty list");
        }
        return std::vector<T...>::back();
    }
};

using Value = toml::basic_value<toml::discard_comments, std::map, GuardedList>;
Value parse(std::istream& stream)
{
    return toml::parse<toml::discard_comments, std::map, GuardedList>(stream, "configuration");
}

std::size_t line_of(const toml::source_location& where) { return where.line(); }
std::size_t column_of(const toml::source_location& where) { return where.column(); }
std::size_t line_of(const toml::syntax_error& error) { return line_of(error.location()); }

#endif

// A text's lines by number, found once: a file of many lines and many numbers would be walked again for each.
class Lines {
public:
    explicit Lines(std::string_view text) : m_text(text)
    {
        for (std::size_t newline = text.find('\n'); newline != std::string_view::npos;
             newline = text.find('\n', newline + 1)) {
            m_starts.push_back(newline + 1);
        }
    }

    // From `column` of `line` on, both 1-based; empty where there is no such place.
    [[nodiscard]] std::string_view from(std::size_t line, std::size_t column) const
    {
        if (line == 0 || line > m_starts.size() || column == 0) {
            return {};
        }
        const std::string_view rest = m_text.substr(m_starts[line - 1]);
        const std::string_view found = rest.substr(0, rest.find('\n'));
        return found.substr(std::min(column - 1, found.size()));
    }

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts{0};
};

// "[error] toml::parse_table: invalid line format\n --> ..." -> "invalid line format"
std::string reason_of(std::string_view what)
{
    what = what.substr(0, what.find('\n'));
    for (const std::string_view noise : {std::string_view("[error] "), std::string_view("toml::")}) {
        if (what.starts_with(noise)) {
            what.remove_prefix(noise.size());
        }
    }
    const std::size_t colon = what.find(": ");
    if (colon != std::string_view::npos && what.substr(0, colon).find(' ') == std::string_view::npos) {
        what.remove_prefix(colon + 2);
    }
    return std::string(what.substr(0, k_longest_reason));
}

class Flattener {
public:
    explicit Flattener(std::string_view text) : m_lines(text) {}

    // Not deeper than the text has brackets and dots, which check_bounds has limited.
    void add(const Value& value, const std::vector<std::string>& path)
    {
        if (value.is_table() && (path.empty() || !value.as_table().empty())) {
            for (const auto& [key, child] : value.as_table()) {
                std::vector<std::string> child_path = path;
                child_path.push_back(key);
                add(child, child_path);
            }
            return;
        }
        TomlItem item{path, line_of(value.location()), {}};
        if (value.is_table()) {
            item.value = TomlEmptyTable{};
        } else if (value.is_boolean()) {
            item.value = value.as_boolean();
        } else if (value.is_integer()) {
            take_number(item, value);
        } else if (value.is_string()) {
            item.value = toml::get<std::string>(value);
        } else if (value.is_array()) {
            take_strings(item, value);
        }
        m_items.push_back(std::move(item));
    }

    std::vector<TomlItem> take()
    {
        const auto earlier = [](const TomlItem& a, const TomlItem& b) {
            return std::tie(a.line, a.path) < std::tie(b.line, b.path);
        };
        std::sort(m_items.begin(), m_items.end(), earlier);
        return std::move(m_items);
    }

private:
    void take_number(TomlItem& item, const Value& value) const
    {
        const std::string_view rest = m_lines.from(item.line, column_of(value.location()));
        const auto number = text::parse_decimal(rest.substr(0, rest.find_first_of(" \t\r,]}#")), k_largest_number);
        if (number && static_cast<std::int64_t>(*number) == value.as_integer()) {
            item.value = *number;
        }
    }

    static void take_strings(TomlItem& item, const Value& value)
    {
        TomlStrings strings;
        if (value.as_array().size() > k_most_words) {
            return;
        }
        for (const Value& element : value.as_array()) {
            if (!element.is_string()) {
                return;
            }
            strings.push_back({toml::get<std::string>(element), line_of(element.location())});
        }
        item.value = std::move(strings);
    }

    Lines m_lines;
    std::vector<TomlItem> m_items;
};

}  // namespace

Result<std::vector<TomlItem>> read_toml(std::string_view text, const LayerInfo& layer)
{
    if (auto bounded = check_bounds(text, layer); !bounded) {
        return fail(std::move(bounded.error()));
    }
    try {
        // With a line end of our own: 3.7.1 adds none after a carriage return and looks one byte past it.
        std::istringstream stream(std::string(text) + "\n");
        const Value root = parse(stream);
        Flattener flattener(text);
        flattener.add(root, {});
        return flattener.take();
    } catch (const toml::syntax_error& error) {
        return fail(config_error({layer.name, layer.source, line_of(error)},
                                 "not valid TOML: " + reason_of(error.what()), "correct the file"));
    } catch (const std::exception& error) {
        return fail(config_error({layer.name, layer.source, 0}, "not valid TOML: " + reason_of(error.what()),
                                 "correct the file"));
    }
}

}  // namespace mandate::core
