// Prequential evaluation of a native learner in one go: a few records at a time are scored, learned and counted, so that
// their scores never leave the cache.
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

inline Seconds test_and_count(Learner& learner, Grid& grid, const Records& r, std::uint64_t every,
                              Snapshots& snapshots) {
  constexpr std::size_t few = 2048;
  const std::size_t C = std::size_t(learner.n_classes());
  std::vector<double> scores(few * C);
  Seconds spent;
  for (std::size_t i = 0; i < r.n; i += few) {
    const std::size_t m = std::min(few, r.n - i);
    const double* weight = r.weight ? r.weight + i : nullptr;
    const Seconds own =
        test_then_train(learner, r.X + i * r.n_features, m, r.n_features, r.y + i, weight, scores.data(), C);
    Predictions p;
    p.n = m;
    p.label = r.y + i;
    p.scores = scores.data();
    p.n_columns = C;
    p.weight = weight;
    p.time = r.time ? r.time + i : nullptr;
    const auto begun = std::chrono::steady_clock::now();
    grid.update(p, every, snapshots);
    spent.predict += own.predict;
    spent.learn += own.learn;
    spent.count += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
  return spent;
}

}  // namespace prequential
