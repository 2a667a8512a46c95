// Text as Markdown of the kind that forges render (GFM), safe whatever the text is.
//
// Every text becomes a code span: nothing in one is a heading, HTML, a link, a #reference or an @mention. It is
// cut at 240 columns, and is escaped for terminals already, so that it has no line end of its own.
#pragma once

#include <string>
#include <string_view>

namespace mandate::cli {

std::string code_span(std::string_view text);   // in a paragraph; "" for no text
std::string table_cell(std::string_view text);  // the same between the bars of a table

}  // namespace mandate::cli
