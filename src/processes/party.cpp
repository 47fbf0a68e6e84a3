#include "processes/party.hpp"

#include "runtime/message_topic.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

namespace dibs::processes {
namespace {

bool is_about_supply(const events::event& e) {
  return std::visit([]<class Fact>(const Fact&) { return runtime::changes_supply<Fact>; }, e.what);
}

}  // namespace

void supply_news::add(std::span<const events::event> all) {
  std::ranges::copy_if(all, std::back_inserter(facts), is_about_supply);
}

void party::carry(sim_time sent, std::span<const runtime::event> mail) {
  const std::lock_guard lock(guard_);
  for (const runtime::event& e : mail) {
    mail_.push_back({sent, e});
  }
}

void party::carry(const runtime::lapse_notice& lapse) {
  const std::lock_guard lock(guard_);
  lapses_.push_back(lapse);
}

party::outgoing party::take_outgoing(sim_time sure) {
  outgoing out;
  const std::lock_guard lock(guard_);
  const auto keep_mail = std::stable_partition(
      mail_.begin(), mail_.end(), [sure](const sent_event& e) { return e.sent < sure; });
  std::transform(mail_.begin(), keep_mail, std::back_inserter(out.mail), [](const sent_event& e) {
    return e.what;
  });
  mail_.erase(mail_.begin(), keep_mail);
  const auto keep_lapses =
      std::stable_partition(lapses_.begin(), lapses_.end(), [sure](const runtime::lapse_notice& l) {
        return l.now < sure;
      });
  out.lapses.assign(lapses_.begin(), keep_lapses);
  lapses_.erase(lapses_.begin(), keep_lapses);
  return out;
}

void party::record_loss(runtime::live_system& system,
                        const runtime::event& e,
                        events::loss_cause cause) {
  if (e.role == runtime::role::message || e.role == runtime::role::answer) {
    const runtime::topic about = runtime::topic_in(e);
    system.record(e.from, events::message_lost{e.from, e.to, about.ride, about.token, cause});
  }
}

}  // namespace dibs::processes
