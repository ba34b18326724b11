// Checkpoints on their way to Python: heads and counts.
#pragma once
#include "arrays.hpp"
#include "prequential/grid.hpp"

using Both = std::tuple<Array<double>, Array<double>>;

inline Both both(const prequential::Grid& grid, const prequential::Snapshots& s) {
  constexpr std::size_t width = prequential::Grid::kHead;
  const std::size_t k = s.head.size() / width;
  return {array(s.head, {k, width}), array(s.counts, {k, grid.n_parts(), grid.width()})};
}
