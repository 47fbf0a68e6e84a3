#include "economics/calculator_errors.hpp"

#include "catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::economics;

std::vector<std::string> faults_of(const parameters& p) {
  const auto right = corrected(p);
  REQUIRE(right);
  return faults(p, compat(p), *right);
}

bool some_has(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& s) {
    return s.find(part) != std::string::npos;
  });
}

TEST_CASE("faults: each mistake stands beside the document's own figure", "[economics]") {
  const auto all = faults_of({5, 0.05, 2, 10, 1});
  CHECK(all.size() == 9);
  CHECK(some_has(all, "its lease of 50 s costs $50.7/h, not $0.734/h"));
  CHECK(some_has(all, "= 360 s, 60 times the sqrt(7.2 fp/(rate un)) = 6 s"));
  CHECK(some_has(all, "stops at 50 s only because it tries nothing longer"));
  CHECK(some_has(all, "minimum lease of 5.15 s down to 5 s"));
  CHECK(some_has(all, "none beyond 50 s"));
  CHECK(some_has(all, "for 6 s it is 0.6, where at least one has the probability 0.451"));
  CHECK(some_has(all, "0.65 of it, 32.5 s"));
  CHECK(some_has(all, "103 an hour, not 72"));
  CHECK(some_has(all, "the share that is left, which is 0.3"));
}

TEST_CASE("faults: what does not show in a case is not said of it") {
  CHECK(some_has(faults_of({5.9, 0, 50, 0.01, 100}), "and chooses one, of 5 s"));
  CHECK_FALSE(some_has(faults_of({5, 0.05, 2, 10, 1}), "and chooses one"));
  const auto whole = faults_of({10, 5, 5000, 1, 50});
  CHECK_FALSE(some_has(whole, "It cuts its minimum lease"));
  CHECK_FALSE(some_has(whole, "tries nothing longer"));
}

TEST_CASE("faults: a case without an answer is told by its exception") {
  const auto all = faults_of({0.2, 0.05, 1, 1, 1});
  CHECK(some_has(all, "no answer for a minimum lease of 0.35 s (ZeroDivisionError"));
  CHECK(some_has(all, "3,600 times too little"));
}

TEST_CASE("faults: sentences are plain ASCII on one line and end with a full stop") {
  for (const parameters& p : {parameters{5, 0.05, 2, 10, 1},
                              parameters{0.2, 0.05, 1, 1, 1},
                              parameters{1e14, 0, 1e-6, 1e9, 1e-6}}) {
    for (const std::string& sentence : faults_of(p)) {
      INFO(sentence);
      CHECK(sentence.ends_with('.'));
      CHECK(std::all_of(
          sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; }));
    }
  }
}

}  // namespace
