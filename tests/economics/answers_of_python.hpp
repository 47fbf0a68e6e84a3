/// What the document's calculator answers in CPython 3.11, printed by float.hex(): to the bit.
#pragma once

#include "economics/calculator.hpp"

#include <cstdint>

namespace dibs::economics {

struct answer_of_python {
  const char* name = "";
  parameters p;
  std::int64_t lease_s = 0;
  double threshold = 0;
  double interval_s = 0;
  double cost = 0;
};

inline constexpr answer_of_python answers_of_python[] = {
    {"", {30, .2, 60, 5, 20}, 30, 0x1.6666666666666p-1, 0x1.5p+4, 0x1.6666666666666p+2},
    {"",
     {12.5, .75, 1000, 2, 10},
     14,
     0x1.6666666666666p-1,
     0x1.3999999999999p+3,
     0x1.3f56f56f56f58p+4},
    {"",
     {60, 1, 5000, 100, 30},
     63,
     0x1.6666666666666p-1,
     0x1.60cccccccccccp+5,
     0x1.498db6db6db6ep+10},
    {"", {.4, .2, 10, 1, 1}, 9, 0x1.6666666666666p-1, 0x1.9333333333333p+2, 0x1.a666666666667p-2},
    {"", {9.99, 3.0, 2e4, 3, 7}, 18, 0.5, 9, 0x1.5e9999999999ap+8},
    {"no failures",
     {2, .5, 0, 10, 1},
     34,
     0x1.6666666666666p-1,
     0x1.7ccccccccccccp+4,
     0x1.0f0f0f0f0f0f1p+0},
    {"free false positives", {2, .5, 5, 0, 1}, 3, 0.5, 1.5, 0x1.1111111111111p-9},
    {"a negative cost",
     {3.5, .1, 4, -10, 1},
     3,
     0x1.6666666666666p-1,
     0x1.0ccccccccccccp+1,
     -0x1.7ff258bf258bfp+3},
    {"negative unavailability",
     {3.5, .1, 4, 10, -1},
     37,
     0x1.6666666666666p-1,
     0x1.9e66666666666p+4,
     0x1.e7a34177e5ad6p-1},
    {"both negative",
     {3.5, .1, 4, -10, -1},
     3,
     0x1.6666666666666p-1,
     0x1.0ccccccccccccp+1,
     -0x1.800da740da741p+3},
    {"an optimum inside the range",
     {7.25, 0.25, 1e5, 12345.678, .0625},
     79,
     0x1.6666666666666p-1,
     0x1.ba66666666666p+5,
     0x1.3b95060cad6c8p+9},
    {"a negative round trip",
     {5, -1, 2, 10, 1},
     19,
     0x1.6666666666666p-1,
     0x1.a999999999999p+3,
     0x1.e6675bae51ccep+0},
    {"a negative operation",
     {-1, 2, 2, 10, 1},
     49,
     0x1.6666666666666p-1,
     0x1.1266666666666p+5,
     0x1.7f21d4db799a6p-1},
    {"hardly any cost",
     {1, 0, 1, 1e-300, 1e-300},
     9,
     0x1.6666666666666p-1,
     0x1.9333333333333p+2,
     0x1.1329d5425390cp-998},
    {"a huge cost",
     {5, .05, 2, 1e308, 1e308},
     50,
     0x1.6666666666666p-1,
     35,
     0x1.8764381324516p+1019},
    {"a day",
     {86400, 5, .5, 1e6, .01},
     864149,
     0x1.6666666666666p-1,
     0x1.275d099999999p+19,
     0x1.3106fdbbbe02dp+2},
};

}  // namespace dibs::economics
