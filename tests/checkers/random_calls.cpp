#include "random_calls.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

namespace dibs::checkers::test {
namespace {

/// A service of one driver that is mostly right: once in a while its answer is another one, it
/// says that another reason was behind it, or it lets go of her by itself.
class service {
 public:
  service(stream& random, const service_options& how) : random_(random), how_(how) {
    sim_time t{};
    for (int i = 0; i < how.calls; ++i) {
      t += up_to(5s);
      todo_.push({t, mark::kind::called, static_cast<std::size_t>(i)});
    }
    if (is_excused(0.1)) {
      todo_.push({sim_time{} + up_to(40s), mark::kind::may_be_free_of_any});
    }
    history_.calls.resize(static_cast<std::size_t>(how.calls));
  }

  told_calls history() {
    for (; !todo_.empty(); todo_.pop()) {
      const mark m = todo_.top();
      switch (m.what) {
        case mark::kind::called:
          call(m);
          break;
        case mark::kind::takes_effect:
          decide(history_.calls[m.which], m.t);
          continue;
        case mark::kind::answered:
          youngest_told_ = std::max(youngest_told_, history_.calls[m.which].token);
          break;
        case mark::kind::may_be_free:
        case mark::kind::may_be_free_of_any:
          held_ = m.token == held_ && random_.happens(0.7) ? token_id::none() : held_;
          break;
      }
      history_.marks.push_back(m);
    }
    return history_;
  }

 private:
  sim_duration up_to(sim_duration most) {
    return sim_duration{
        static_cast<std::int64_t>(1 + random_.below(static_cast<std::uint64_t>(most.count())))};
  }
  bool is_excused(double share) { return how_.excuses && random_.happens(share); }

  operation_kind asked() {
    if (random_.happens(how_.renewals)) {
      return operation_kind::renewal;
    }
    constexpr std::array others{operation_kind::grant,
                                operation_kind::grant,
                                operation_kind::confirm,
                                operation_kind::release};
    return others[random_.below(others.size())];
  }

  void call(const mark& m) {
    operation& a = history_.calls[m.which];
    a = {.what = asked(), .called = m.t, .ttl = how_.ttl};
    if (a.what != operation_kind::grant) {
      const bool older = youngest_told_.value > 1 && random_.happens(0.1);
      a.token = token_id{youngest_told_.value - (older ? 1 : 0)};
    }
    const bool is_never_answered = a.what != operation_kind::grant && random_.happens(how_.unheard);
    a.excused = is_never_answered && is_excused(0.5);
    const sim_time effect = m.t + up_to(random_.happens(0.5) ? sim_duration{10ms} : 4s);
    if (!is_never_answered || random_.happens(0.7)) {
      todo_.push({effect, mark::kind::takes_effect, m.which});
    }
    if (!is_never_answered) {
      a.answered = effect + up_to(random_.happens(0.5) ? sim_duration{10ms} : 4s);
      todo_.push({a.answered, mark::kind::answered, m.which});
    }
    if (youngest_told_.is_some() && is_excused(0.1)) {
      todo_.push({m.t + up_to(2s), mark::kind::may_be_free, 0, youngest_told_});
    }
  }

  void decide(operation& a, sim_time now) {
    const bool live = held_.is_some() && (kept_ || now < over_);
    const bool current = live && a.token == held_;
    const bool wrong = random_.happens(how_.wrong);
    switch (a.what) {
      case operation_kind::grant:
        if (live != wrong) {
          a.what = operation_kind::denial;
          a.excused = is_excused(0.3);
          return;
        }
        held_ = a.token = token_id{++last_};
        kept_ = false;
        over_ = now + a.ttl;
        return;
      case operation_kind::confirm:
      case operation_kind::renewal:
        if (a.is_open() ? !current : current == wrong) {
          refuse(a);
        } else if (a.what == operation_kind::confirm) {
          kept_ = true;
        } else if (kept_) {
          refuse(a);
        } else {
          over_ = now + a.ttl;
        }
        return;
      case operation_kind::release:
        held_ = current ? token_id::none() : held_;
        return;
      case operation_kind::denial:
      case operation_kind::refusal:
        return;
    }
  }

  /// Who never hears of it does not know.
  void refuse(operation& a) {
    if (!a.is_open()) {
      a.what = operation_kind::refusal;
      a.excused = is_excused(0.3);
      a.may_have_renewed = a.excused && random_.happens(0.3);
    }
  }

  stream& random_;
  const service_options how_;
  std::priority_queue<mark, std::vector<mark>, std::greater<>> todo_;
  told_calls history_;
  token_id youngest_told_;
  token_id held_;
  bool kept_ = false;
  sim_time over_{};
  std::uint64_t last_ = 0;
};

}  // namespace

linear_order::place_number begun(linear_order& order, const operation& a) {
  if (a.is_open() && a.what == operation_kind::renewal) {
    order.may_be_renewed(a.token, a.called, {a.ttl, a.ttl});
    return linear_order::no_place;
  }
  return order.begin(a);
}

told_calls random_calls(stream& random, const service_options& how) {
  return service(random, how).history();
}

}  // namespace dibs::checkers::test
