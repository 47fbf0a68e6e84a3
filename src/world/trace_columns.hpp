/// The columns of a file of real requests.
#pragma once

#include <optional>
#include <string>

namespace dibs::world {

/// What the columns are called in the file's first line. Places are not read in a world without
/// geography; where latitude and longitude are one column, it holds WKT points, or ids where
/// there is a file of zones. Of the last five a file may lack those that have their standard names,
/// as here.
struct trace_columns {
  std::string time = "time";          ///< as `text::clock_time_reader` reads it
  std::optional<std::string> date{};  ///< of the time, where that has none
  std::string lat = "lat";            ///< degrees, as are all places
  std::string lon = "lon";
  std::string to_lat = "to_lat";  ///< without it, trips end where others begin
  std::string to_lon = "to_lon";
  std::string trip = "trip";        ///< how long it took; seconds unless the name says
  std::string to_time = "to_time";  ///< when it ended: for its length, where `trip` is not there
  std::string from_time = "from_time";  ///< when it began, for that length; `time` if absent

  [[nodiscard]] bool operator==(const trace_columns&) const = default;
};

}  // namespace dibs::world
