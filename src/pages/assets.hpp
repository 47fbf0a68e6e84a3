/// The files of `assets/`, embedded at build (`assets/embed.cmake`).
#pragma once

#include <string_view>

namespace dibs::pages::assets {

extern const std::string_view style;        ///< of the charts, and ours
extern const std::string_view charts;       ///< uPlot, with its licence
extern const std::string_view script;       ///< ours
extern const std::string_view live_style;   ///< of a page that is served
extern const std::string_view live_script;  ///< the same
// SHA-256, 64 hexadecimal digits.
extern const std::string_view style_sha256;
extern const std::string_view charts_sha256;
extern const std::string_view script_sha256;
extern const std::string_view live_style_sha256;
extern const std::string_view live_script_sha256;

}  // namespace dibs::pages::assets
