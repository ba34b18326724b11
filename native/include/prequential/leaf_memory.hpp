// How the leaves of a tree keep within a memory bound: the least promising ones drop their tables. Without tables the
// tree may take three quarters of the bound; beyond that no leaf is split, and the most promising ones still learn.
#pragma once
#include "prequential/hoeffding_leaf.hpp"

namespace prequential {

// No leaf is split at this depth: a deeper tree would degenerate to a list.
constexpr int kMostDepth = 1000;

inline std::size_t filled(std::uint64_t max_bytes) { return std::size_t(0.9 * double(max_bytes)); }

// Whether a tree of `bare` bytes without tables leaves room for tables of at least `table` bytes.
inline bool leaves_room(std::size_t bare, std::size_t table, std::uint64_t max_bytes) {
  return bare <= max_bytes - max_bytes / 4 && bare + table <= filled(max_bytes);
}

// The bytes of a list after n more were added.
template <class T>
std::size_t bytes_with(const std::vector<T>& list, std::size_t n) {
  std::size_t capacity = std::max<std::size_t>(list.capacity(), 1);
  while (capacity < list.size() + n) capacity *= 2;
  return allocated(capacity * sizeof(T));
}

// Keep the tables of the most promising leaves, as many as fit with `room` bytes and a tenth of the bound left free, so
// that the next call is not soon. A leaf that has become promising starts a new table. `whole`: the current bytes of
// the tree.
inline void fit_memory(const std::vector<HoeffdingLeaf*>& leaves, const Features& all, std::size_t whole,
                       std::size_t room, std::uint64_t max_bytes) {
  struct Candidate {
    double promise;
    std::size_t index, table;
  };
  std::vector<Candidate> candidates;
  std::size_t tables = 0, n_tables = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    candidates.push_back({leaves[i]->promise(), i, leaves[i]->table_nbytes()});
    tables += candidates.back().table;
    n_tables += leaves[i]->active();
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.promise != b.promise ? a.promise > b.promise : a.index < b.index;
  });
  const std::size_t usual = n_tables ? tables / n_tables : 0;  // what a new table will take
  const std::size_t bound = filled(max_bytes);
  std::size_t used = whole - tables + room;
  for (const Candidate& candidate : candidates) {
    HoeffdingLeaf& leaf = *leaves[candidate.index];
    const std::size_t its = leaf.active() ? candidate.table : usual;
    if (used + its <= bound) {
      used += its;
      leaf.activate(all);
    } else {
      leaf.deactivate();
    }
  }
}

}  // namespace prequential
