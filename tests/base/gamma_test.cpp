#include "base/gamma.hpp"

#include "catch.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

namespace {

using namespace dibs;

const std::vector<double> shapes{0.1, 0.3, 0.5, 0.99, 1, 1.01, 2, 3.7, 9, 40, 250, 1000};

}  // namespace

TEST_CASE("gamma: its logarithm is that of the C library") {
  for (double x = 1e-3; x < 1e5; x *= 1.3) {
    CHECK(real::log_gamma(x) == Approx(std::lgamma(x)).epsilon(1e-12).margin(1e-12));
  }
  CHECK(std::exp(real::log_gamma(5)) == Approx(24).epsilon(1e-13));  // 4!
}

TEST_CASE("gamma: the share below a value is that of another library") {
  for (const double shape : shapes) {
    for (double x = 1e-6; x < 3000; x *= 1.7) {
      CHECK(real::gamma_share_below(shape, x) ==
            Approx(boost::math::gamma_p(shape, x)).epsilon(1e-10).margin(1e-13));
    }
  }
}

TEST_CASE("gamma: quantiles are those of another library, and lead back to their share") {
  for (const double shape : shapes) {
    for (const double p : {1e-9, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 1 - 1e-9}) {
      const double x = real::gamma_quantile(shape, p);
      CHECK(x == Approx(boost::math::gamma_p_inv(shape, p)).epsilon(1e-8).margin(1e-100));
      CHECK(real::gamma_share_below(shape, x) == Approx(p).epsilon(1e-9));
    }
  }
}
