/// Who holds a zone (S1): one matcher that writes, or any number that read.
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <map>
#include <vector>

namespace dibs::checkers {

class zones {
 public:
  void judge(const events::zone_granted& f, const event_context& s);
  void judge(const events::zone_ended& f, const event_context& s);

 private:
  struct zone_hold {
    matcher_id matcher;
    events::zone_mode mode{};
  };

  std::map<zone_id, std::vector<zone_hold>> held_;
};

}  // namespace dibs::checkers
