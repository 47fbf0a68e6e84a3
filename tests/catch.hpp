/// Catch2 under one name: version 2 on Debian 12, version 3 on Debian 13.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>  // IWYU pragma: export
using Catch::Approx;
#else
#include <catch2/catch.hpp>  // IWYU pragma: export; brings its own Approx
#endif
