#include "report/check_page.hpp"

#include "report/explanation_text.hpp"
#include "text/escape.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <sstream>

namespace dibs::report {
namespace {

using check::row;

constexpr const char* page_sign = "\u00b1";

std::string html_of(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>body{{font:16px/1.5 sans-serif;"
      "max-width:76em;margin:2em auto;padding:0 1em}}table{{border-collapse:collapse;width:100%}}"
      "td,th{{border-bottom:1px solid #ccc;padding:.4em .6em;text-align:left;vertical-align:top}}"
      "pre{{white-space:pre-wrap}}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{1}</body>\n</html>\n",
      text::markup_text(title),
      body);
}

std::string table_cell(const std::string& text) {
  return "<td>" + text::markup_text(text) + "</td>";
}

/// Lines as they are: in an attribute or a cell their ends would be escapes.
std::string markup_lines(const std::string& text) {
  std::string lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) {
    lines += text::markup_text(line) + "\n";
  }
  return lines;
}

std::string mends_told(const row& r) {
  std::string text = words_of(r.mended->what.set);
  for (const check::mend& each : r.also) {
    text += " or " + words_of(each.set);
  }
  return text;
}

/// Of the page of a story, as a sentence.
std::string mend_of(const row& r, const std::string& sign) {
  return r.mended      ? fmt::format("Mend: {}. As it stands that costs: {}.",
                                mends_told(r),
                                cost_told(*r.mended, sign))
         : r.tried > 0 ? fmt::format("Mend: none found; {} changes were tried.", r.tried)
                       : "No mend was tried.";
}

std::string html_row_of(const row& r,
                        const checked_column& c,
                        const std::map<std::string, std::string>& links) {
  const auto link = links.find(r.name);
  const std::string name = text::markup_text(r.name);
  std::string line = "<tr><td>";
  line += link == links.end()
              ? name
              : fmt::format("<a href=\"{}\">{}</a>", text::link_text(link->second), name);
  line += "<br>" + text::markup_text(r.sentence) + "</td>";
  line +=
      table_cell(r.why_not.empty() ? std::string(incidents::name_of(r.outcome)) : "does not apply");
  line += table_cell(!r.why_not.empty()                 ? r.why_not
                     : r.worse.empty() && r.broken == 0 ? std::string()
                                                        : harms_told(r, c.found.runs, page_sign));
  line += table_cell(r.mended      ? mends_told(r)
                     : r.tried > 0 ? fmt::format("none found; {} changes were tried", r.tried)
                                   : std::string());
  line += table_cell(r.mended ? cost_told(*r.mended, page_sign) : "");
  return line + "</tr>\n";
}

}  // namespace

std::string check_page_of(const checked_column& c,
                          const std::map<std::string, std::string>& links) {
  std::string body = "<p>" + text::markup_text(verdict_of(c.found, page_sign)) + "</p>\n";
  const auto add = [&](const char* title, const std::vector<row>& rows, auto which) {
    std::string lines;
    for (const row& r : rows) {
      lines += which(r) ? html_row_of(r, c, links) : "";
    }
    if (!lines.empty()) {
      body += fmt::format(
          "<h2>{}</h2>\n<table>\n<tr><th>cause</th><th></th><th>what is worse</th>"
          "<th>mend</th><th>what the mend costs as it "
          "stands</th></tr>\n{}</table>\n",
          title,
          lines);
    }
  };
  const auto has_its_own = [](const row& r) { return r.is_own() && r.is_harmed(); };
  add("Settings and rules of its own", c.found.rows, has_its_own);
  add("What may befall it", c.found.rows, [&](const row& r) {
    return r.counts() && !has_its_own(r);
  });
  add("Right in this scenario: what if it were not", c.found.rows, [](const row& r) {
    return !r.counts();
  });
  add("What does not apply", c.found.idle, [](const row&) { return true; });
  return html_of("Check of " + c.name,
                 body + "<p>" +
                     markup_lines(together_told(c.found, page_sign) + ttl_told(c.found)) +
                     "</p>\n");
}

std::string columns_page_of(std::span<const checked_column> columns,
                            const std::vector<std::string>& folders) {
  std::string body;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    body += fmt::format("<h2><a href=\"{}/index.html\">{}</a></h2>\n<p>{}</p>\n",
                        text::link_text(folders[i]),
                        text::markup_text(columns[i].name),
                        text::markup_text(verdict_of(columns[i].found, page_sign)));
  }
  body += "<pre>" + markup_lines(text_of(columns, text::terminal_style{}, true)) + "</pre>\n";
  return html_of("Check of several designs", body);
}

std::string story_page_of(const row& r, const check::story& s, std::uint32_t runs) {
  std::string body =
      "<p>" + text::markup_text(r.sentence) + "</p>\n<p><a href=\"index.html\">All rows</a></p>\n";
  body += "<p>" + text::markup_text(harms_told(r, runs, page_sign)) + ".</p>\n";
  body += s.told ? "<pre>" + markup_lines(describe(*s.told, text::terminal_style{})) + "</pre>\n"
                 : "<p>The run with most of this harm has no single case that can be told.</p>\n";
  body += "<p>" + text::markup_text(mend_of(r, page_sign)) + "</p>\n";
  body += fmt::format("<p>Seed {}, and these settings:</p>\n<pre>", r.seed);
  for (const scenario::override_value& each : r.set) {
    body += text::markup_text("--set " + text::shell_word(each.path + "=" + each.value)) + "\n";
  }
  return html_of(r.name, body + "</pre>\n");
}

}  // namespace dibs::report
