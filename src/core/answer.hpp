// What a verb has to say, before anybody decided how it looks: keys in order, typed values, rows.
//
// The cli renders it as key=value lines, as JSON or for a terminal. Text is raw here and escaped there;
// `Escaped` is text that carries the one escaping already (a record's branch, a ledger string).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mandate::core {

struct Absent {};
struct Escaped {
    std::string text;
};

using Value = std::variant<Absent, std::string, Escaped, std::uint64_t, bool, std::vector<std::string>>;

// A number that may be unknown: absent prints as an empty value and as null.
inline Value number(const std::optional<std::uint64_t>& value) { return value ? Value(*value) : Value(Absent{}); }

// Text of which nothing is the same as absent.
inline Value text_or_absent(std::string_view value)
{
    return value.empty() ? Value(Absent{}) : Value(std::string(value));
}

class Answer {
public:
    using Field = std::pair<std::string, Value>;

    // A key stands once: adding it again replaces its value in place.
    Answer& add(std::string_view key, Value value)
    {
        for (auto& [name, held] : m_fields) {
            if (name == key) {
                held = std::move(value);
                return *this;
            }
        }
        m_fields.emplace_back(std::string(key), std::move(value));
        return *this;
    }
    Answer& add(std::string_view key, const std::string& value) { return add(key, Value(value)); }
    Answer& add(std::string_view key, const char* value) { return add(key, Value(std::string(value))); }
    Answer& add(std::string_view key, std::string_view value) { return add(key, Value(std::string(value))); }
    Answer& append(const Answer& other)
    {
        for (const auto& [key, value] : other.m_fields) {
            add(key, value);
        }
        m_reasons.insert(m_reasons.end(), other.m_reasons.begin(), other.m_reasons.end());
        return *this;
    }

    // `reason=<code> <text>` lines; in JSON a row {"code","text"} under `reasons`.
    struct Reason {
        std::string code;
        std::string text;
    };
    Answer& because(std::string_view code, std::string_view text = {})
    {
        m_reasons.push_back({std::string(code), std::string(text)});
        return *this;
    }

    // Rows of a listing, under `rows_name` in JSON ("lanes", "events", ...), blocks of lines otherwise.
    Answer& rows(std::string_view rows_name, std::vector<Answer> rows)
    {
        m_rows_name = rows_name;
        m_rows = std::move(rows);
        return *this;
    }

    // The same, but each row is one line of key=value words; the caller sees to it that no value holds a blank.
    Answer& line_rows(std::string_view rows_name, std::vector<Answer> lines)
    {
        m_rows_are_lines = true;
        return rows(rows_name, std::move(lines));
    }

    [[nodiscard]] const std::vector<Field>& fields() const { return m_fields; }
    [[nodiscard]] const std::vector<Reason>& reasons() const { return m_reasons; }
    [[nodiscard]] const std::string& rows_name() const { return m_rows_name; }
    [[nodiscard]] const std::vector<Answer>& rows() const { return m_rows; }
    [[nodiscard]] bool rows_are_lines() const { return m_rows_are_lines; }

private:
    std::vector<Field> m_fields;
    std::vector<Reason> m_reasons;
    std::string m_rows_name;
    std::vector<Answer> m_rows;
    bool m_rows_are_lines = false;
};

}  // namespace mandate::core
