#include "base/compressing_table.hpp"

#include "base/compressed_records.hpp"
#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

using namespace dibs;

namespace {

struct entry {
  std::uint64_t number = 0;
  std::uint64_t changes = 0;
  std::uint32_t anything = 0;

  friend bool operator==(const entry&, const entry&) = default;
};

using table = packing_table<entry, packing_pace{256 * sizeof(entry), 1, 4 * 256}>;
static_assert(table::block_size == 256);

/// Many blocks, of which the last are used most, and the others now and then.
class both_tables {
 public:
  explicit both_tables(std::uint64_t seed) : random_(stream::keyed(seed, purpose::pick)) {}

  void step() {
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        add();
        break;
      case 3:
        packing_.settle();
        break;
      case 4:
        grow();
        break;
      case 5:
        read();
        break;
      default:
        change();
    }
    REQUIRE(packing_.size() == plain_.size());
    const std::size_t blocks = (plain_.size() + table::block_size - 1) / table::block_size;
    REQUIRE(packing_.spare_blocks() <= 1 + (blocks - packing_.packed_blocks()) / 4);
  }

  void require_same() const {
    std::size_t seen = 0;
    packing_.each([&](std::size_t i, const entry& e) {
      REQUIRE(i == seen++);
      REQUIRE(e == plain_[i]);
    });
    REQUIRE(seen == plain_.size());
    REQUIRE(std::equal(packing_.begin(), packing_.end(), plain_.begin(), plain_.end()));
  }
  [[nodiscard]] std::size_t packed_blocks() const { return packing_.packed_blocks(); }

 private:
  void add() {
    const std::uint64_t n = random_.below(40);
    for (std::uint64_t i = 0; i < n; ++i) {
      const entry e{plain_.size(), 0, static_cast<std::uint32_t>(random_.bits())};
      plain_.push_back(e);
      REQUIRE(packing_.push_back(e) == e);
    }
  }

  void grow() {
    const std::size_t i = plain_.size() + random_.below(3);
    plain_.resize(i + 1);
    REQUIRE(packing_.grown(i) == plain_[i]);
  }

  void read() const {
    if (!plain_.empty()) {
      const std::size_t i = somewhere();
      REQUIRE(std::as_const(packing_)[i] == plain_[i]);
    }
  }

  /// Two at once, as whoever moves something from one entry to another.
  void change() {
    if (plain_.empty()) {
      return;
    }
    const std::size_t i = somewhere();
    const std::size_t j = somewhere();
    entry& from = packing_[i];
    entry& to = packing_[j];
    from.changes += 1;
    to.number += 7;
    plain_[i].changes += 1;
    plain_[j].number += 7;
    REQUIRE(packing_.if_open(i) == &from);
  }

  [[nodiscard]] std::size_t somewhere() const {
    const std::uint64_t back = random_.below(
        random_.below(10) == 0 ? plain_.size() : std::min<std::uint64_t>(plain_.size(), 1'000));
    return plain_.size() - 1 - back;
  }

  table packing_;
  std::vector<entry> plain_;
  mutable stream random_;
};

/// So many blocks, each settled after.
table filled(std::size_t blocks) {
  table t;
  for (std::size_t i = 0; i < blocks * table::block_size; ++i) {
    t.push_back({i, 0, 0});
    t.settle();
  }
  return t;
}

}  // namespace

TEST_CASE("packing table: keeps room for some of the blocks to come, and gives the rest back") {
  constexpr std::size_t blocks = 100;
  table t;
  for (std::size_t i = 0; i < blocks * table::block_size; ++i) {
    t.push_back({i, 0, 0});
  }
  CHECK(t.spare_blocks() == 0);
  std::size_t packed = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    t.push_back({i, 0, 0});
    for (std::size_t k = 1; k < table::block_size; ++k) {
      t.push_back({});
    }
    t.settle();
    CHECK(t.packed_blocks() >= packed);
    packed = t.packed_blocks();
    CHECK(t.spare_blocks() <= 1 + (blocks + i + 1 - packed) / 4);
    CHECK(t.spare_blocks() > 0);
  }
  CHECK(packed > blocks);
}

TEST_CASE("packing table: holds what a plain one holds, packed or not") {
  const auto seed = GENERATE(1U, 2U, 3U);
  both_tables tables(seed);
  std::size_t most_packed = 0;
  for (int i = 0; i < 6'000; ++i) {
    tables.step();
    most_packed = std::max(most_packed, tables.packed_blocks());
    if (i % 500 == 0) {
      tables.require_same();
    }
  }
  tables.require_same();
  REQUIRE(most_packed > 20);
}

TEST_CASE("packing table: what nobody uses is packed, and what is in use is not") {
  table t = filled(5);
  REQUIRE(t.packed_blocks() == 0);
  for (std::size_t i = 0; i < 40 * table::block_size; ++i) {
    t.push_back({});
    t[300].changes += 1;
    t.settle();
    REQUIRE(t.if_open(300) != nullptr);
  }
  // All but the one that is in use, the newest, and those that were not idle for long enough.
  REQUIRE(t.packed_blocks() == 45 - 1 - 1 - 4);
  REQUIRE(t.if_open(0) == nullptr);
  REQUIRE(t[300].changes == 40 * table::block_size);
}

TEST_CASE("packing table: to read what is packed opens nothing, and what is changed is read anew") {
  table t = filled(20);
  const std::size_t packed = t.packed_blocks();
  REQUIRE(packed == 15);
  for (std::size_t i = 0; i < 20; ++i) {
    REQUIRE(std::as_const(t)[i * table::block_size + 1].number == i * table::block_size + 1);
  }
  REQUIRE(t.packed_blocks() == packed);
  t[1].number = 77;
  REQUIRE(std::as_const(t)[1].number == 77);
  while (t.if_open(1) != nullptr) {
    t.push_back({});
    t.settle();
  }
  REQUIRE(std::as_const(t)[1].number == 77);
}

namespace {

/// Of blocks each of which is used when it is new and again when so many more have been opened: how
/// many of the last hundred had to be opened again for that.
std::size_t opened_again(const std::vector<std::size_t>& later) {
  constexpr std::size_t blocks = 400;
  table t;
  std::size_t opened = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t i = 0; i < table::block_size; ++i) {
      t.push_back({});
    }
    for (const std::size_t back : later) {
      if (block >= back) {
        const std::size_t old = (block - back) * table::block_size;
        opened += block >= blocks - 100 && t.if_open(old) == nullptr ? 1U : 0U;
        t[old].changes += 1;
      }
    }
    t.settle();
  }
  return opened;
}

}  // namespace

TEST_CASE("packing table: a block that is used once more is opened for that") {
  REQUIRE(opened_again({30}) == 100);
}

TEST_CASE("packing table: what is used again and again stays open for longer") {
  const std::size_t opened = opened_again({20, 40, 60});
  REQUIRE(opened >= 80);
  REQUIRE(opened <= 120);
}

TEST_CASE("packing table: one block that is used long after makes room for one block") {
  table t = filled(400);
  t[0].changes += 1;
  for (std::size_t i = 0; i < 20 * table::block_size; ++i) {
    t.push_back({});
    t.settle();
  }
  REQUIRE(t.packed_blocks() >= 420 - 5 - 1);
}

TEST_CASE("packed records: come back as they were, whatever they hold") {
  auto random = stream::keyed(5, purpose::pick);
  std::vector<std::byte> room;
  for (const std::size_t width : {1U, 7U, 64U, 152U, 255U}) {
    for (const std::uint64_t values : {1U, 2U, 256U}) {  // of a byte: from all alike to noise
      std::vector<std::byte> records(width * 256);
      for (std::byte& b : records) {
        b = static_cast<std::byte>(random.below(values));
      }
      std::vector<std::byte> again(records.size());
      const std::span<const std::byte> little = packed(records, width, room);
      unpack(little, again);
      REQUIRE(again == records);
      REQUIRE(little.size() <= records.size() + 16);
      REQUIRE((values > 1 || width < 64 || little.size() < records.size() / 20));
    }
  }
}
