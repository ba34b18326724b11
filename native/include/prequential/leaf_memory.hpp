// How the leaves of a tree keep within a bound of memory: those that promise least give up their tables.
#pragma once
#include "prequential/hoeffding_leaf.hpp"

namespace prequential {

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
  const auto bound = std::size_t(0.9 * double(max_bytes));
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
