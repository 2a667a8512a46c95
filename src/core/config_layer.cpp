#include "core/config_layer.hpp"

#include "base/text.hpp"
#include "core/config_bounds.hpp"
#include "core/excerpt.hpp"

#include <utility>

namespace mandate::core {

std::string key_of(const TomlItem& item) { return text::join(item.path, "."); }

void Layer::ignore(const TomlItem& item, std::string_view why)
{
    m_config.notes.push_back("line " + std::to_string(item.line) + " of '" + m_info.source +
                             "' is ignored: " + key_of(item) + " there may only tighten, and " + std::string(why));
}

Unexpected Layer::bad_value(const TomlItem& item, const std::string& expected) const
{
    return fail(config_error(origin(item.line), excerpt(key_of(item)) + " must be " + expected, "correct the value"));
}

Unexpected Layer::unknown_key(const TomlItem& item, const std::vector<std::string_view>& known) const
{
    const std::string close = text::did_you_mean(key_of(item), known);
    return fail(config_error(origin(item.line), excerpt(key_of(item)) + " is not a key of the configuration",
                             suggestion_or(close, "'mandate config' lists the keys")));
}

Result<ListSetting> Layer::list(const TomlItem& item, bool (*fits)(std::string_view), const std::string& what) const
{
    const auto* strings = std::get_if<TomlStrings>(&item.value);
    if (strings == nullptr) {
        return bad_value(item, "a list of at most " + std::to_string(k_most_words) + " " + what);
    }
    ListSetting setting;
    setting.origin = origin(item.line);
    for (const TomlString& string : *strings) {
        if (!fits(string.text)) {
            return fail(config_error(origin(string.line),
                                     excerpt(string.text) + " cannot stand in " + key_of(item) + ", a list of " + what,
                                     "correct the value"));
        }
        setting.values.push_back(string.text);
        setting.origins.push_back(origin(string.line));
    }
    return setting;
}

}  // namespace mandate::core
