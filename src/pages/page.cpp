#include "pages/page.hpp"

#include "base/ensure.hpp"
#include "pages/assets.hpp"
#include "text/base64.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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

/// What a page is made of beside its model.
struct parts {
  std::vector<std::string_view> scripts;
  std::string_view style;
  std::string policy;
  std::string_view without_script;  ///< HTML
};

parts parts_of_report() {
  namespace with = pages::assets;
  return {{with::charts, with::script},
          with::style,
          fmt::format("default-src 'none'; script-src 'sha256-{}' 'sha256-{}'; style-src "
                      "'sha256-{}'; base-uri 'none'; form-action 'none'",
                      base64_of(with::charts_sha256),
                      base64_of(with::script_sha256),
                      base64_of(with::style_sha256)),
          "This page draws itself with a script of its own, which is off here; <code>dibs report "
          "--format md</code> gives its figures as text."};
}

parts parts_of_live_page() {
  namespace with = pages::assets;
  return {{with::live_script},
          with::live_style,
          fmt::format("default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; "
                      "connect-src 'self'; base-uri 'none'; form-action 'none'",
                      base64_of(with::live_script_sha256),
                      base64_of(with::live_style_sha256)),
          "This page needs its script, which is off here; <code>dibs sweep</code> runs many points "
          "and gives their figures as text."};
}

std::string put_together(const std::string& title, const std::string& model, const parts& with) {
  ensure(model.find('<') == std::string::npos, "a model can end no script element");
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page +=
      fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", with.policy);
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{}</title>\n<style>", text::markup_text(title));
  page += with.style;
  page += fmt::format("</style>\n</head>\n<body>\n<noscript>{}</noscript>\n", with.without_script);
  page += "<main id=\"page\"></main>\n<script type=\"application/json\" id=\"model\">";
  page += text::shown_json(model);
  page += "</script>\n";
  for (const std::string_view script : with.scripts) {
    page += fmt::format("<script>{}</script>\n", script);
  }
  page += "</body>\n</html>\n";
  return page;
}

}  // namespace

std::string page_of(const std::string& title, const std::string& model) {
  return put_together(title, model, parts_of_report());
}

std::string live_page_of(const std::string& title, const std::string& model) {
  return put_together(title, model, parts_of_live_page());
}

}  // namespace dibs::pages
