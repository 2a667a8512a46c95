// An answer or a refusal as bytes: key=value lines or JSON on stdout, one sentence on stderr.
//
// Every text passes the one escaping here, so no value forges a line or a terminal sequence. An answer is
// one string: nothing partial is ever printed.
#pragma once

#include "base/error.hpp"
#include "core/answer.hpp"

#include <string>

namespace mandate::cli {

std::string render_lines(const core::Answer& answer);
std::string render_json(const core::Answer& answer);

// `mandate_KEY='value'` lines that are safe to eval: every name is prefixed, every value quoted. Rows are
// numbered: mandate_lanes_count=2, mandate_lanes_0_task='...'.
std::string render_shell(const core::Answer& answer);

// One value as key=value lines show it, escaped.
std::string text_of(const core::Value& value);
std::string escaped(const std::string& text);

core::Answer refusal(const Error& error);  // error=<code> and the keys that help

// What a person reads beside an answer, worded as a refusal is; there is no code, since nothing was refused.
struct Remark {
    std::string message;
    std::string hint;
    std::string path;
};
Remark remark(const Error& error);  // of something that failed and does not keep the verb from answering

// `mandate: <message>: '<path>'; <hint>` in one line, at most 400 bytes apart from the path.
std::string sentence(const Error& error);
std::string sentence(const Remark& remark);
std::string sentence(const std::string& note);

}  // namespace mandate::cli
