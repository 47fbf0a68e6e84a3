#include "load/service_record.hpp"

#include "catch.hpp"

namespace dibs::load {
namespace {

using service_client::outcome;

TEST_CASE("service record: an outage lasts from the first lost call to the next answer") {
  service_record r;
  r.note(outcome::yes, 201, "", at(1s));
  r.note(outcome::lost, 0, "no route", at(2s));
  r.note(outcome::lost, 503, "503: away", at(3s));
  r.note(outcome::no, 409, "409", at(5s));
  CHECK(r.account(at(9s)).outages == 1);
  CHECK(r.account(at(9s)).away == 3s);
  CHECK_FALSE(r.account(at(9s)).is_away);
  CHECK(r.account(at(9s)).last_trouble == "503: away");
  r.note(outcome::lost, 0, "gone", at(7s));
  CHECK(r.account(at(9s)).outages == 2);
  CHECK(r.account(at(9s)).away == 5s);
  CHECK(r.account(at(9s)).is_away);
}

TEST_CASE("service record: what the service would not take is counted, and a lock is known") {
  service_record r;
  r.note(outcome::unfit, 404, "404: no such path", at(1s));
  r.note(outcome::unfit, 404, "404: no such path", at(2s));
  CHECK(r.account(at(3s)).unfit.at("404: no such path") == 2);
  CHECK_FALSE(r.is_locked());
  r.note(outcome::unfit, 401, "401", at(3s));
  CHECK(r.is_locked());
}

}  // namespace
}  // namespace dibs::load
