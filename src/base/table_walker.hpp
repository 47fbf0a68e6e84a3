/// Walks through a table of numbered entries in their order.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace dibs {

/// `Value` is what `table[i]` refers to.
template <class Table, class Value>
class table_walker {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;

  table_walker() = default;
  table_walker(Table& table, std::size_t i) : table_(&table), i_(i) {}
  reference operator*() const { return (*table_)[i_]; }
  pointer operator->() const { return &(*table_)[i_]; }
  table_walker& operator++() {
    ++i_;
    return *this;
  }
  table_walker operator++(int) { return std::exchange(*this, table_walker(*table_, i_ + 1)); }
  friend bool operator==(const table_walker&, const table_walker&) = default;

 private:
  Table* table_ = nullptr;
  std::size_t i_ = 0;
};

}  // namespace dibs
