#include "world/h3_cell.hpp"

#include "base/real.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace dibs::world {
namespace {

// The standard lays hexagons upon the twenty faces of an icosahedron, each a plane that touches the
// globe in its middle. Within a face a place is a + b w, with w = e^(2 pi i / 3), and a step of 1
// from one cell of the coarsest resolution to the next. A resolution finer is a lattice seven times
// as dense, turned by 19 degrees to either side in turn: places are multiplied by 2 - w or 3 + w,
// whose product is 7.

struct lattice {
  std::int64_t a = 0;
  std::int64_t b = 0;

  friend constexpr lattice operator+(lattice p, lattice q) { return {p.a + q.a, p.b + q.b}; }
  friend constexpr lattice operator*(lattice p, std::int64_t n) { return {p.a * n, p.b * n}; }

  /// As complex numbers, where w w = -1 - w.
  friend constexpr lattice operator*(lattice p, lattice q) {
    return {p.a * q.a - p.b * q.b, p.a * q.b + p.b * q.a - p.b * q.b};
  }
};

constexpr lattice finer_odd{2, -1};
constexpr lattice finer_even{3, 1};
constexpr lattice turn_left{1, 1};  ///< by 60 degrees
constexpr lattice turn_right{0, -1};

/// Of the digits 0 to 6.
constexpr std::array<lattice, 7> steps{
    {{0, 0}, {-1, -1}, {0, 1}, {-1, 0}, {1, 0}, {0, -1}, {1, 1}}};

struct face {
  std::array<double, 3> middle;  ///< on the unit sphere; the first axis goes to 0 north, 0 east
  double azimuth;                ///< of its first axis, from north, clockwise
  std::array<int, 3> beyond;     ///< the faces past its sides
};

enum side : std::uint8_t { first_and_second, third_and_first, second_and_third };

/// What face 0 is called and how they are turned is the standard's own choice.
constexpr std::array<face, 20> faces{
    face{{0.2199307791404606, 0.6583691780274996, 0.7198475378926182},
         5.6199582685239398,
         {4, 1, 5}},
    face{{-0.2139234834501421, 0.1478171829550703, 0.9656017935214205},
         5.7603390817141872,
         {0, 2, 6}},
    face{{0.1092625278784797, -0.4811951572873210, 0.8697775121287253},
         0.7802136543934300,
         {1, 3, 7}},
    face{{0.7428567301586791, -0.3593941678278028, 0.5648005936517033},
         0.4304693639799999,
         {2, 4, 8}},
    face{{0.8112534709140969, 0.3448953237639384, 0.4721387736413930},
         6.1302691233351114,
         {3, 0, 9}},
    face{{-0.1055498149613921, 0.9794457296411413, 0.1718874610009365},
         2.6928777065306428,
         {10, 14, 0}},
    face{{-0.8075407579970092, 0.1533552485898818, 0.5695261994882688},
         2.9829630034772438,
         {11, 10, 1}},
    face{{-0.2846148069787907, -0.8644080972654206, 0.4144792552473539},
         3.5329120027901411,
         {12, 11, 2}},
    face{{0.7405621473854482, -0.6673299564565524, -0.0789837646326737},
         3.4943050042595681,
         {13, 12, 3}},
    face{{0.8512303986474293, 0.4722343788582681, -0.2289137388687808},
         3.0032141694995383,
         {14, 13, 4}},
    face{{-0.7405621473854481, 0.6673299564565524, 0.0789837646326737},
         5.9304729565098115,
         {5, 6, 15}},
    face{{-0.8512303986474292, -0.4722343788582682, 0.2289137388687808},
         0.1383784840902548,
         {6, 7, 16}},
    face{{0.1055498149613919, -0.9794457296411413, -0.1718874610009365},
         0.4487149470591503,
         {7, 8, 17}},
    face{{0.8075407579970092, -0.1533552485898819, -0.5695261994882688},
         0.1586296501125493,
         {8, 9, 18}},
    face{{0.2846148069787908, 0.8644080972654204, -0.4144792552473539},
         5.8918659579792385,
         {9, 5, 19}},
    face{{-0.7428567301586791, 0.3593941678278027, -0.5648005936517033},
         2.7111232896097933,
         {16, 19, 10}},
    face{{-0.8112534709140971, -0.3448953237639382, -0.4721387736413930},
         3.2945088374342683,
         {17, 15, 11}},
    face{{-0.2199307791404607, -0.6583691780274996, -0.7198475378926182},
         3.8048196922454398,
         {18, 16, 12}},
    face{{0.2139234834501420, -0.1478171829550704, -0.9656017935214205},
         3.6644388790551924,
         {19, 17, 13}},
    face{{-0.1092625278784796, 0.4811951572873210, -0.8697775121287253},
         2.3613789991963631,
         {15, 18, 14}}};

/// The five faces around each pole are numbered first and last.
constexpr bool is_polar(int f) { return f < 5 || f >= 15; }

struct base_cell {
  int face;
  int a;
  int b;

  /// Twelve lie at the corners of the icosahedron, which end the first axis of their face.
  [[nodiscard]] constexpr bool is_pentagon() const { return a == 2 && b == 0; }
};

constexpr std::array<base_cell, 122> base_cells{
    {{1, 1, 0},    {2, 1, 1},   {1, 0, 0},    {2, 1, 0},    {0, 2, 0},    {1, 1, 1},
     {1, -1, -1},  {2, 0, 0},   {0, 1, 0},    {2, 0, 1},    {1, 0, 1},    {1, -1, 0},
     {3, 1, 0},    {3, 1, 1},   {11, 2, 0},   {4, 1, 0},    {0, 0, 0},    {6, 0, 1},
     {0, -1, -1},  {2, -1, 0},  {7, -1, -1},  {2, -1, -1},  {0, 1, 1},    {6, -1, -1},
     {10, 2, 0},   {6, 0, 0},   {3, 0, 0},    {11, 1, 0},   {4, 1, 1},    {3, 0, 1},
     {0, -1, 0},   {4, 0, 0},   {5, 0, 1},    {0, 0, 1},    {7, 0, 1},    {11, 1, 1},
     {7, 0, 0},    {10, 1, 0},  {12, 2, 0},   {6, 0, -1},   {7, 0, -1},   {4, -1, -1},
     {3, -1, -1},  {3, -1, 0},  {4, 0, 1},    {6, 1, 0},    {11, 0, 0},   {8, -1, -1},
     {5, -1, -1},  {14, 2, 0},  {5, 0, 0},    {12, 1, 0},   {10, 1, 1},   {4, -1, 0},
     {12, 1, 1},   {7, 1, 0},   {11, 0, 1},   {10, 0, 0},   {13, 2, 0},   {10, -1, -1},
     {11, -1, -1}, {9, 0, 1},   {8, 0, 1},    {6, 2, 0},    {8, 0, 0},    {9, -1, -1},
     {14, 1, 0},   {5, 0, -1},  {16, -1, 0},  {8, 0, -1},   {5, 1, 0},    {12, 0, 0},
     {7, 2, 0},    {12, 0, 1},  {10, 0, 1},   {9, 0, 0},    {13, 1, 0},   {16, -1, -1},
     {15, -1, 0},  {15, 0, 1},  {16, 0, 1},   {14, 1, 1},   {13, 1, 1},   {5, 2, 0},
     {8, 1, 0},    {14, 0, 0},  {9, 0, -1},   {14, -1, -1}, {17, -1, -1}, {12, -1, -1},
     {16, 0, 0},   {17, -1, 0}, {15, -1, -1}, {16, 0, -1},  {9, 1, 0},    {15, 0, 0},
     {13, 0, 0},   {8, 2, 0},   {13, 0, 1},   {17, 0, -1},  {19, 0, 1},   {14, 0, 1},
     {19, -1, 0},  {17, 0, 1},  {13, -1, -1}, {17, 0, 0},   {16, 1, 0},   {9, 2, 0},
     {15, 0, -1},  {15, 1, 0},  {18, -1, 0},  {18, -1, -1}, {19, -1, -1}, {17, 1, 0},
     {19, 0, 0},   {18, 0, 1},  {18, 0, -1},  {19, 2, 0},   {19, 1, 0},   {18, 0, 0},
     {19, 0, -1},  {18, 1, 0}}};

constexpr int digits_max = 15;

int resolution_of(std::uint64_t cell) { return static_cast<int>((cell >> 52U) & 0xFU); }

std::size_t base_of(std::uint64_t cell) { return (cell >> 45U) & 0x7FU; }

/// Of the resolution, from 1 on.
unsigned digit_of(std::uint64_t cell, int resolution) {
  return static_cast<unsigned>(cell >> (3U * static_cast<unsigned>(digits_max - resolution))) & 7U;
}

unsigned first_digit_above_0(std::uint64_t cell) {
  for (int r = 1; r <= resolution_of(cell); ++r) {
    if (const unsigned digit = digit_of(cell, r); digit != 0) {
      return digit;
    }
  }
  return 0;
}

/// From the middle of its base cell, on the lattice of the next even resolution.
lattice offset_of(std::uint64_t cell) {
  lattice p;
  const int resolution = resolution_of(cell);
  for (int r = 1; r <= resolution; ++r) {
    p = p * (r % 2 == 1 ? finer_odd : finer_even) + steps[digit_of(cell, r)];
  }
  return resolution % 2 == 1 ? p * finer_even : p;
}

struct place_on_face {
  int face = 0;
  lattice at;
};

/// Past which side of its face a place lies; none within it or on its edge. `unit`: how many steps
/// make one of the coarsest lattice, of which a face has two from its middle to a corner.
std::optional<side> side_passed(lattice p, std::int64_t unit) {
  // On three axes, of which at least one is 0 and none below it.
  const std::int64_t third = std::max<std::int64_t>({0, -p.a, -p.b});
  const std::int64_t first = p.a + third;
  const std::int64_t second = p.b + third;
  if (first + second + third <= 2 * unit) {
    return std::nullopt;
  }
  return third == 0 ? first_and_second : second > 0 ? second_and_third : third_and_first;
}

/// The same place as the face past the side has it.
place_on_face across(place_on_face p, side s, std::int64_t unit) {
  const int next = faces[static_cast<std::size_t>(p.face)].beyond[s];
  constexpr lattice half_turn{-1, 0};
  if (s == second_and_third) {
    return {next, p.at * half_turn + lattice{-2, 0} * unit};
  }
  const bool is_first = s == first_and_second;
  if (is_polar(p.face)) {
    return is_first ? place_on_face{next, p.at * turn_left + lattice{0, -2} * unit}
                    : place_on_face{next, p.at * turn_right + lattice{2, 2} * unit};
  }
  return {next, p.at * half_turn + (is_first ? lattice{2, 2} : lattice{0, -2}) * unit};
}

place_on_face place_of(std::uint64_t cell, std::int64_t unit) {
  const base_cell& base = base_cells[base_of(cell)];
  lattice offset = offset_of(cell);
  const unsigned towards = base.is_pentagon() ? first_digit_above_0(cell) : 0;
  // A pentagon lacks one of six sectors: those after the gap close it.
  if (towards == 5) {
    offset = offset * turn_right;
  }
  const lattice middle = lattice{base.a, base.b} * unit;
  place_on_face p{base.face, middle + offset};
  const auto first = side_passed(p.at, unit);
  if (!first) {
    return p;
  }
  if (towards == 4 && first == third_and_first) {
    p.at = middle + offset * turn_right;
  }
  p = across(p, *first, unit);
  if (base.is_pentagon()) {
    while (const auto again = side_passed(p.at, unit)) {
      p = across(p, *again, unit);
    }
  }
  return p;
}

/// Off the plane and on to the globe, along the line to its centre.
place_in_degrees on_globe(const place_on_face& p, std::int64_t unit) {
  const face& f = faces[static_cast<std::size_t>(p.face)];
  const auto& [x, y, z] = f.middle;
  const double level = std::sqrt(x * x + y * y);  // no middle is a pole
  const std::array<double, 3> north{-x * z / level, -y * z / level, level};
  const std::array<double, 3> east{-y / level, x / level, 0};
  /// A step of the coarsest lattice, where the globe's radius is 1.
  const double step = (3 - std::sqrt(5.0)) / 2 / static_cast<double>(unit);
  const double along = step * (static_cast<double>(p.at.a) - static_cast<double>(p.at.b) / 2);
  const double left = step * static_cast<double>(p.at.b) * std::sqrt(3.0) / 2;
  const double c = real::cos(f.azimuth);
  const double s = real::sin(f.azimuth);
  const double northward = along * c + left * s;
  const double eastward = along * s - left * c;
  std::array<double, 3> v{};
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = f.middle[i] + northward * north[i] + eastward * east[i];
  }
  constexpr double degrees = 180 / 3.14159265358979323846;
  return {degrees * real::angle_of(v[2], std::sqrt(v[0] * v[0] + v[1] * v[1])),
          degrees * real::angle_of(v[1], v[0])};
}

bool is_cell(std::uint64_t index) {
  constexpr std::uint64_t cell_mode = 0x08;  // with a 0 before it and three after it
  if (index >> 56U != cell_mode || base_of(index) >= base_cells.size()) {
    return false;
  }
  for (int r = 1; r <= digits_max; ++r) {
    if ((digit_of(index, r) == 7) != (r > resolution_of(index))) {
      return false;
    }
  }
  return !base_cells[base_of(index)].is_pentagon() || first_digit_above_0(index) != 1;
}

}  // namespace

std::optional<std::uint64_t> read_h3_cell(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
  }
  constexpr std::size_t hex_digits = 15;
  constexpr std::size_t decimal_digits = 18;
  const bool is_hex =
      text.size() == hex_digits || (text.size() == hex_digits + 1 && text.front() == '0');
  if (!is_hex && text.size() != decimal_digits) {
    return std::nullopt;
  }
  std::uint64_t index = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, index, is_hex ? 16 : 10);
  return read.ec == std::errc() && read.ptr == end && is_cell(index) ? std::optional(index)
                                                                     : std::nullopt;
}

place_in_degrees middle_of_h3_cell(std::uint64_t cell) {
  std::int64_t unit = 1;
  for (int r = 2; r <= resolution_of(cell) + 1; r += 2) {
    unit *= 7;
  }
  return on_globe(place_of(cell, unit), unit);
}

}  // namespace dibs::world
