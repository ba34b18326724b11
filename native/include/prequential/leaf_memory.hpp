// How the leaves of a tree keep within a bound of memory: those that promise least give up their tables. What is left
// without any table may take three quarters of the bound: then no leaf is split, and those that promise most still learn.
#pragma once
#include "prequential/hoeffding_leaf.hpp"

namespace prequential {

// Deeper trees would be lists: no leaf is split there.
constexpr int kMostDepth = 1000;

inline std::size_t filled(std::uint64_t max_bytes) { return std::size_t(0.9 * double(max_bytes)); }

// Whether a tree that takes so much without any table leaves room for some, of at least `table` bytes.
inline bool leaves_room(std::size_t bare, std::size_t table, std::uint64_t max_bytes) {
  return bare <= max_bytes - max_bytes / 4 && bare + table <= filled(max_bytes);
}

// Bytes of a list once n more are in it.
template <class T>
std::size_t bytes_with(const std::vector<T>& list, std::size_t n) {
  std::size_t capacity = std::max<std::size_t>(list.capacity(), 1);
  while (capacity < list.size() + n) capacity *= 2;
  return allocated(capacity * sizeof(T));
}

// Keep as many tables as fit, with `room` bytes and a tenth of the bound left free, so that the next search is not soon:
// those of the most promising leaves. A leaf that has become promising begins a table anew. `whole`: the bytes of the
// tree as it is.
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
  const std::size_t usual = n_tables ? tables / n_tables : 0;  // what a table that is begun anew will take
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
