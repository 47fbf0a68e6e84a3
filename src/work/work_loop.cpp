#include "work/work_loop.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>

namespace dibs::work {
namespace {

constexpr std::chrono::milliseconds moment{100};
/// Runs that take less than this together are taken at once: often enough that two workers end
/// together, seldom enough that a journal is asked for hundreds of small runs at a time.
constexpr double ahead_s = 0.25;
constexpr std::size_t ahead_max = 500;
/// A journal that had nothing is asked again after this.
constexpr double before_asking_again_s = 0.25;

std::string name_of_process() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}/{}", host.data(), ::getpid());
}

}  // namespace

work_loop::work_loop(journal& j, work_options how)
    : journal_(j),
      how_(std::move(how)),
      holder_(name_of_process()),
      own_id_(how_.own ? how_.own->id() : ""),
      pool_(how_.jobs, how_.stop) {
  if (how_.own) {
    studies_[own_id_] = how_.own;
  }
}

bool work_loop::is_idle() const { return found_nothing_ && pool_.is_empty(); }

std::size_t work_loop::runs_ahead() const {
  if (how_.batch > 0) {
    return how_.batch;
  }
  const double mean_s = pool_.mean_run_s();
  const double fit = mean_s > 0 ? how_.jobs * ahead_s / mean_s : 1;
  return std::max<std::size_t>(how_.jobs,
                               std::min(static_cast<std::size_t>(fit), ahead_max * how_.jobs));
}

result<std::shared_ptr<const study>> work_loop::study_of(const std::string& id) {
  auto& known = studies_[id];
  if (known == nullptr) {
    auto read = journal_.study_of(id);
    if (!read) {
      return tl::unexpected<error>(read.error());
    }
    known = std::make_shared<const study>(std::move(*read));
  }
  return known;
}

result<void> work_loop::take() {
  const std::size_t ahead = runs_ahead();
  const std::size_t waiting = pool_.waiting();
  if (waiting * 2 > ahead || (found_nothing_ && since_take_.seconds() < before_asking_again_s)) {
    return {};
  }
  if (const auto looked = reconsider(); !looked) {
    return looked;
  }
  // Threads without work want one run each, beside what is to wait for them.
  const std::size_t idle =
      how_.jobs - std::min<std::size_t>(how_.jobs, pool_.held().size() - pool_.waiting());
  auto taken = journal_.take({.holder = holder_,
                              .build = how_.build,
                              .study = own_id_,
                              .refused = refused_,
                              .runs = static_cast<std::uint32_t>(ahead - waiting + idle),
                              .lease_s = how_.lease_s});
  if (!taken) {
    return tl::unexpected<error>(taken.error());
  }
  since_take_ = {};
  found_nothing_ = taken->empty();
  std::vector<run_order> orders;
  for (taken_run& each : *taken) {
    const auto of = study_of(each.study);
    if (!of) {
      return tl::unexpected<error>(of.error());
    }
    orders.push_back({std::move(each), *of});
  }
  pool_.give(std::move(orders));
  return {};
}

result<bool> work_loop::has_moved(const std::string& id) {
  auto now = journal_.study_of(id);
  if (!now) {
    return tl::unexpected<error>(now.error());
  }
  auto& known = studies_[id];
  const bool has = known != nullptr && known->folder != now->folder;
  known = std::make_shared<const study>(std::move(*now));
  return has;
}

result<void> work_loop::reconsider() {
  if (refused_.empty() || since_reconsidered_.seconds() < how_.reconsider_s) {
    return {};
  }
  since_reconsidered_ = {};
  for (std::size_t i = refused_.size(); i-- > 0;) {
    const auto moved = has_moved(refused_[i]);
    if (!moved) {
      return tl::unexpected<error>(moved.error());
    }
    if (*moved) {
      refused_.erase(refused_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return {};
}

result<void> work_loop::turn_away(std::vector<finished_run>& done) {
  std::vector<taken_run> back;
  for (refused_run& each : pool_.refused()) {
    const std::string of = each.run.study;
    if (of == own_id_) {
      done.push_back({.id = each.run.id, .result = {}, .failed = std::move(each.why)});
      continue;
    }
    back.push_back(std::move(each.run));
    // Its deciding process may go on from another folder, or machine, by now.
    const auto moved = has_moved(of);
    if (!moved) {
      return tl::unexpected<error>(moved.error());
    }
    if (!*moved && std::ranges::find(refused_, of) == refused_.end()) {
      refused_.push_back(of);
      refusals_.push_back(each.why.text);
    }
    for (taken_run& also : pool_.let_go(of)) {
      back.push_back(std::move(also));
    }
  }
  return back.empty() ? result<void>() : journal_.give_back(back);
}

result<void> work_loop::renew() {
  if (since_renewal_.seconds() < how_.lease_s / 3) {
    return {};
  }
  since_renewal_ = {};
  const auto held = pool_.held();
  if (held.empty()) {
    return {};
  }
  return journal_.renew(held, how_.lease_s).map([this](const std::vector<std::int64_t>& tokens) {
    pool_.keep_only(tokens);
  });
}

result<std::vector<finished_run>> work_loop::put(std::vector<finished_run> done) {
  const auto arrivals = journal_.put(done);
  if (!arrivals) {
    return tl::unexpected<error>(arrivals.error());
  }
  std::vector<finished_run> kept;
  for (std::size_t i = 0; i < done.size(); ++i) {
    switch ((*arrivals)[i]) {
      case arrival::kept:
        kept.push_back(std::move(done[i]));
        break;
      case arrival::differs:
        return failure(exit_code::replay_differed,
                       fmt::format("run {} of the journal came to another result than when it was "
                                   "run before, with the same build: this machine or the other one "
                                   "computes wrongly",
                                   done[i].id));
      case arrival::unwanted:
        break;
    }
  }
  return kept;
}

result<std::vector<finished_run>> work_loop::turn() {
  if (const auto taken = take(); !taken) {
    return tl::unexpected<error>(taken.error());
  }
  auto done = pool_.finished(moment);
  if (const auto left = turn_away(done); !left) {
    return tl::unexpected<error>(left.error());
  }
  std::vector<finished_run> kept;
  if (!done.empty()) {
    auto handed_in = put(std::move(done));
    if (!handed_in) {
      return handed_in;
    }
    kept = std::move(*handed_in);
  }
  const auto renewed = renew();
  return renewed ? result<std::vector<finished_run>>(std::move(kept))
                 : tl::unexpected<error>(renewed.error());
}

result<void> work_loop::give_back() {
  const auto held = pool_.held();
  return held.empty() ? result<void>() : journal_.give_back(held);
}

}  // namespace dibs::work
