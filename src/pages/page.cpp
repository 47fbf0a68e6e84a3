#include "pages/page.hpp"

#include "base/ensure.hpp"
#include "pages/assets.hpp"
#include "text/base64.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace dibs::pages {
namespace {

std::uint32_t digit_of(char hexadecimal) {
  return static_cast<std::uint32_t>(hexadecimal <= '9' ? hexadecimal - '0'
                                                       : hexadecimal - 'a' + 10);
}

/// Of a digest in hexadecimal digits.
std::string base64_of(std::string_view digest) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digest.size(); i += 2) {
    bytes += static_cast<char>(digit_of(digest[i]) << 4 | digit_of(digest[i + 1]));
  }
  return text::to_base64(bytes);
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}' 'sha256-{}'; style-src 'sha256-{}'; base-uri "
      "'none'; form-action 'none'",
      base64_of(pages::assets::charts_sha256),
      base64_of(pages::assets::script_sha256),
      base64_of(pages::assets::style_sha256));
}

}  // namespace

std::string page_of(const std::string& title, const std::string& model) {
  ensure(model.find('<') == std::string::npos, "a model can end no script element");
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{}</title>\n<style>", text::markup_text(title));
  page += pages::assets::style;
  page += "</style>\n</head>\n<body>\n<noscript>This page draws itself with a script of its own, ";
  page += "which is off here; <code>dibs report --format md</code> gives its figures as text.";
  page += "</noscript>\n<main id=\"page\"></main>\n<script type=\"application/json\" id=\"model\">";
  page += text::shown_json(model);
  page += "</script>\n<script>";
  page += pages::assets::charts;
  page += "</script>\n<script>";
  page += pages::assets::script;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace dibs::pages
