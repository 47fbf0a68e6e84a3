/// How long a driver can be held: a lease stands no longer than it says, clean-up and drift added
/// (B4), and one whose holder is dead no longer than that (B5).
#pragma once

#include "checkers/scene.hpp"
#include "events/facts.hpp"

namespace dibs::checkers {

class holds {
 public:
  void judge(const events::lease_ended& f, const scene& s) const;
  void judge(const events::trip_committed& f, const scene& s) const;

 private:
  static void judge_length(const scene& s);
};

}  // namespace dibs::checkers
