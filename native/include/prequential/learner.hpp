// The role of a learner: score a record, learn a record with its weight, make a fresh copy, bytes in and out. Whatever
// composes learners composes any of them.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

class Learner {
 public:
  virtual ~Learner() = default;

  // Classes known so far; `scores` fills as many numbers. A class that was never learned scores zero, so that it does
  // not matter when `grow` was called.
  virtual int n_classes() const = 0;
  virtual void grow(int n_classes) = 0;

  // All zero: the learner abstains.
  virtual void scores(const double* x, double* out) const = 0;
  virtual void learn(const double* x, int y, double w) = 0;
  virtual std::unique_ptr<Learner> fresh(std::uint64_t seed) const = 0;

  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void read(Reader& from) = 0;
};

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

struct Seconds {
  double predict = 0;
  double learn = 0;
  double count = 0;
};

// Score every record before learning it; records with y < 0 have no label and are scored only. Reading the clock costs
// as much as a small learner, so one record in 32 is timed and the chunk's time is shared out in that proportion.
inline Seconds test_then_train(Learner& learner, const double* X, std::size_t n, std::size_t n_features,
                               const std::int64_t* y, const double* w, double* out, std::size_t n_columns) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t sample = 32;
  const auto begun = Clock::now();
  Clock::duration predicting{}, learning{};
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = X + i * n_features;
    const bool labelled = y[i] >= 0;
    const double weight = w ? w[i] : 1.0;
    if (i % sample == 0) {
      const auto a = Clock::now();
      learner.scores(x, out + i * n_columns);
      const auto b = Clock::now();
      if (labelled && weight > 0) learner.learn(x, int(y[i]), weight);
      predicting += b - a;
      learning += Clock::now() - b;
    } else {
      learner.scores(x, out + i * n_columns);
      if (labelled && weight > 0) learner.learn(x, int(y[i]), weight);
    }
  }
  const double total = std::chrono::duration<double>(Clock::now() - begun).count();
  const double a = std::chrono::duration<double>(predicting).count();
  const double b = std::chrono::duration<double>(learning).count();
  const double share = a + b > 0 ? a / (a + b) : 0.5;
  return {total * share, total * (1 - share), 0};
}

}  // namespace prequential
