// Prequential evaluation of a native learner: a few records at a time are scored, learned and counted, so that their
// scores stay in the cache.
#pragma once
#include "prequential/grid.hpp"
#include "prequential/learner.hpp"

namespace prequential {

struct Records {  // absent parts are null
  std::size_t n, n_features;
  const double* X;
  const std::int64_t* y;
  const double* weight;
  const double* time;
};

// Let `step(from, to, scores)` score and learn a few records at a time, and count their scores. `tested`: flags of the
// records that are scored, null for all.
template <class Step>
Seconds counted(Grid& grid, const Records& r, const std::uint8_t* tested, std::size_t n_columns, std::uint64_t every,
                Snapshots& snapshots, Step step) {
  constexpr std::size_t few = 2048;
  std::vector<double> scores(few * n_columns);
  Seconds spent;
  for (std::size_t i = 0; i < r.n; i += few) {
    const std::size_t m = std::min(few, r.n - i);
    const Seconds own = step(i, i + m, scores.data());
    Predictions p;
    p.n = m;
    p.label = r.y + i;
    p.scores = scores.data();
    p.n_columns = n_columns;
    p.weight = r.weight ? r.weight + i : nullptr;
    p.time = r.time ? r.time + i : nullptr;
    const bool all = !tested || std::all_of(tested + i, tested + i + m, [](std::uint8_t one) { return one != 0; });
    p.tested = all ? nullptr : tested + i;
    const auto begun = std::chrono::steady_clock::now();
    grid.update(p, every, snapshots);
    spent.predict += own.predict;
    spent.learn += own.learn;
    spent.count += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
  return spent;
}

inline Seconds test_and_count(Learner& learner, Grid& grid, const Records& r, std::uint64_t every,
                              Snapshots& snapshots) {
  const std::size_t C = std::size_t(learner.n_classes());
  return counted(grid, r, nullptr, C, every, snapshots, [&](std::size_t from, std::size_t to, double* scores) {
    const double* weight = r.weight ? r.weight + from : nullptr;
    return test_then_train(learner, r.X + from * r.n_features, to - from, r.n_features, r.y + from, weight, scores);
  });
}

}  // namespace prequential
