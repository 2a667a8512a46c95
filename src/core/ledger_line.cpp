#include "core/ledger_line.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace mandate::core {

namespace {

using Json = nlohmann::ordered_json;

// The keys that every line has; what else stands in a line belongs to its event.
constexpr std::array<std::string_view, 13> k_common{"v",    "seq", "at",     "event", "lane",    "task",      "branch",
                                                    "head", "pid", "record", "prev",  "chained", "checkpoint"};

bool is_common(std::string_view key) { return std::find(k_common.begin(), k_common.end(), key) != k_common.end(); }

Json to_json(const Booking& booking)
{
    return {{"seq", booking.seq},       {"event", booking.event},   {"record", booking.record},
            {"before", booking.before}, {"rounds", booking.rounds}, {"done", booking.done}};
}

Json to_json(const Checkpoint& checkpoint)
{
    const LedgerState& state = checkpoint.state;
    Json json = {{"offset", checkpoint.offset},    {"task", state.task},
                 {"rounds", state.task_rounds},    {"accepted", state.accepted_drift},
                 {"counted", state.counted_drift}, {"found", state.found},
                 {"unenforced", Json::object()}};
    for (const auto& [reason, count] : state.unenforced) {
        json["unenforced"][reason] = count;
    }
    if (state.newest) {
        json["newest"] = to_json(*state.newest);
    }
    if (state.previous) {
        json["previous"] = to_json(*state.previous);
    }
    return json;
}

// The parsed object is untrusted: every access asks for the type first, so the library never throws. Its text may
// come from anybody, and some of it goes into lines of ours again (a checkpoint): our own is escaped already and
// stays as it is.
std::string text_of(const Json& json) { return text::escape_again(json.get_ref<const std::string&>()); }

std::string text_at(const Json& json, const char* key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_string() ? text_of(*it) : std::string();
}

template<typename Number>
Number number_at(const Json& json, const char* key)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_number_integer() ? it->get<Number>() : Number{0};
}

// No honest count comes near this; a forged one must not overflow a sum.
constexpr std::uint64_t k_count_limit = 1'000'000'000'000;

std::uint64_t count_at(const Json& json, const char* key)
{
    return std::min(number_at<std::uint64_t>(json, key), k_count_limit);
}

bool flag_at(const Json& json, const char* key, bool otherwise)
{
    const auto it = json.find(key);
    return it != json.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

std::optional<Booking> parse_booking(const Json& json, const char* key)
{
    const auto it = json.find(key);
    if (it == json.end() || !it->is_object()) {
        return std::nullopt;
    }
    return Booking{number_at<std::uint64_t>(*it, "seq"),
                   text_at(*it, "event"),
                   text_at(*it, "record"),
                   text_at(*it, "before"),
                   std::clamp<std::int64_t>(number_at<std::int64_t>(*it, "rounds"), -1, 1),
                   flag_at(*it, "done", false)};
}

std::optional<Checkpoint> parse_checkpoint(const Json& line)
{
    const auto it = line.find("checkpoint");
    if (it == line.end() || !it->is_object()) {
        return std::nullopt;
    }
    Checkpoint checkpoint;
    checkpoint.offset = number_at<std::uint64_t>(*it, "offset");
    LedgerState& state = checkpoint.state;
    state.task = text_at(*it, "task");
    constexpr auto k_rounds_limit = static_cast<std::int64_t>(k_count_limit);
    state.task_rounds = std::clamp(number_at<std::int64_t>(*it, "rounds"), -k_rounds_limit, k_rounds_limit);
    state.accepted_drift = count_at(*it, "accepted");
    state.counted_drift = count_at(*it, "counted");
    state.found = text_at(*it, "found");
    state.newest = parse_booking(*it, "newest");
    state.previous = parse_booking(*it, "previous");
    if (const auto counts = it->find("unenforced"); counts != it->end() && counts->is_object()) {
        for (const auto& [reason, count] : counts->items()) {
            state.unenforced[text::escape_again(reason)] = count.is_number_unsigned() ? count.get<std::uint64_t>() : 0;
        }
    }
    return checkpoint;
}

const LedgerValue* find(const LedgerFields& fields, std::string_view key)
{
    for (const auto& [name, value] : fields) {
        if (name == key) {
            return &value;
        }
    }
    return nullptr;
}

}  // namespace

std::string LedgerLine::text(std::string_view field) const
{
    const LedgerValue* value = find(fields, field);
    const std::string* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    return text != nullptr ? *text : std::string();
}

std::uint64_t LedgerLine::number(std::string_view field) const
{
    const LedgerValue* value = find(fields, field);
    const std::uint64_t* number = value != nullptr ? std::get_if<std::uint64_t>(value) : nullptr;
    return number != nullptr ? *number : 0;
}

bool LedgerLine::has(std::string_view field) const { return find(fields, field) != nullptr; }

std::string format_line(const LedgerLine& line)
{
    Json json = {{"v", 1},
                 {"seq", line.seq},
                 {"at", line.at},
                 {"event", line.event},
                 {"lane", line.lane},
                 {"task", line.task},
                 {"branch", line.branch},
                 {"head", line.head}};
    for (const auto& [key, value] : line.fields) {
        std::visit([&json, &name = key](const auto& held) { json[name] = held; }, value);
    }
    json["pid"] = line.pid;
    json["record"] = line.record;
    json["prev"] = line.prev;
    if (!line.chained) {
        json["chained"] = false;
    }
    if (line.checkpoint) {
        json["checkpoint"] = to_json(*line.checkpoint);
    }
    // `replace`: a byte that is no UTF-8 cannot come here (all text is escaped), and must not throw if it does.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<LedgerLine> parse_line(std::string_view bytes)
{
    if (bytes.empty() || bytes.size() > k_line_limit || bytes.front() != '{') {
        return std::nullopt;
    }
    const Json json = Json::parse(bytes, nullptr, false);
    if (json.is_discarded() || !json.is_object() || number_at<std::uint64_t>(json, "v") != 1) {
        return std::nullopt;
    }
    LedgerLine line;
    line.seq = number_at<std::uint64_t>(json, "seq");
    line.at = text_at(json, "at");
    line.event = text_at(json, "event");
    line.lane = text_at(json, "lane");
    line.task = text_at(json, "task");
    line.branch = text_at(json, "branch");
    line.head = text_at(json, "head");
    line.pid = number_at<std::uint64_t>(json, "pid");
    line.record = text_at(json, "record");
    line.prev = text_at(json, "prev");
    line.chained = flag_at(json, "chained", true);
    if (line.seq == 0 || line.seq > k_count_limit || line.event.empty()) {
        return std::nullopt;
    }
    for (const auto& [raw_key, value] : json.items()) {
        const std::string key = text::escape_again(raw_key);
        if (is_common(key) || line.has(key)) {
            continue;
        }
        if (value.is_string()) {
            line.fields.emplace_back(key, text_of(value));
        } else if (value.is_number_unsigned()) {
            line.fields.emplace_back(key, value.get<std::uint64_t>());
        } else if (value.is_boolean()) {
            line.fields.emplace_back(key, value.get<bool>());
        }
    }
    line.checkpoint = parse_checkpoint(json);
    if (line.checkpoint) {
        line.checkpoint->state.last_seq = line.seq;
    }
    return line;
}

std::string line_text(std::string_view raw)
{
    std::string text = text::escape(raw);
    if (text.size() > k_line_text_limit) {
        std::size_t end = k_line_text_limit;
        while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;  // not in the middle of a character: escaped text is UTF-8
        }
        text.resize(end);
        text += "...";
    }
    return text;
}

LedgerFields escaped_fields(LedgerFields raw)
{
    raw.resize(std::min(raw.size(), k_line_fields_limit));
    for (auto& [key, value] : raw) {
        if (auto* text = std::get_if<std::string>(&value)) {
            *text = line_text(*text);
        }
    }
    return raw;
}

}  // namespace mandate::core
