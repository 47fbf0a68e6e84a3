/// One end of what two processes send each other over connections that may break. Pure.
///
/// Facts arrive once and in order, however often the connection breaks: what was not acknowledged
/// is sent again. Messages do not: those that were under way are lost with the connection, as with
/// any link that is cut, and whoever sent them learns which.
#pragma once

#include "processes/packet.hpp"

#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace dibs::processes {

class packet_stream {
 public:
  /// Packets that came and were taken.
  [[nodiscard]] std::uint64_t received() const { return received_; }

  /// Numbers the packet and keeps it until it is acknowledged.
  const packet& send(packet p) {
    p.number = ++sent_;
    p.received = received_;
    waiting_.push_back(std::move(p));
    return waiting_.back();
  }
  /// Says only what has come.
  [[nodiscard]] packet acknowledgement() const {
    packet p;
    p.received = received_;
    return p;
  }

  /// Whether it is news. What came before, or out of turn, is not.
  [[nodiscard]] bool take(const packet& p) {
    acknowledge(p.received);
    if (p.number != received_ + 1) {
      return false;
    }
    received_ = p.number;
    return true;
  }

  /// There is a new connection, over which the other end says how many it has taken: the messages
  /// that are lost. What `waiting` then gives is to be sent again.
  [[nodiscard]] std::vector<runtime::event> reconnect(std::uint64_t taken) {
    acknowledge(taken);
    std::vector<runtime::event> lost;
    for (packet& p : waiting_) {
      lost.insert(lost.end(), p.mail.begin(), p.mail.end());
      p.mail.clear();
      p.received = received_;
    }
    return lost;
  }
  [[nodiscard]] const std::deque<packet>& waiting() const { return waiting_; }

 private:
  void acknowledge(std::uint64_t taken) {
    while (!waiting_.empty() && waiting_.front().number <= taken) {
      waiting_.pop_front();
    }
  }

  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::deque<packet> waiting_;
};

}  // namespace dibs::processes
