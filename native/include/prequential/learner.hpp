// The role of a learner: score a record, learn a record with its weight, make a fresh copy, bytes in and out. Whatever
// composes learners composes any of them.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

using Facts = std::vector<std::pair<std::string, std::uint64_t>>;

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

  // Both, one after the other; a learner may share work between them.
  virtual void score_then_learn(const double* x, int y, double w, double* out) {
    scores(x, out);
    learn(x, y, w);
  }

  // An untrained learner with the same parameters and classes.
  virtual std::unique_ptr<Learner> fresh(std::uint64_t seed) const = 0;

  // Show each learner that this one is made of, the one it makes fresh ones from included.
  virtual void visit(const std::function<void(Learner&)>&) {}

  // What can be told of the model in numbers: how many leaves, members, replacements.
  virtual Facts facts() const { return {}; }

  // What the allocator has given to this learner, the object itself included.
  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void read(Reader& from) = 0;
};

// What the allocator takes for n bytes: a header of 8, steps of 16, at least 32 (glibc's rule; others come close).
inline std::size_t allocated(std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(32, (n + 23) / 16 * 16); }

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return allocated(v.capacity() * sizeof(T));
}

// Without room to spare: then a model that was read from bytes takes as many as the one that was written.
template <class T>
void resize_exactly(std::vector<T>& v, std::size_t n) {
  v.reserve(n);
  v.resize(n);
}

// The class with the highest score, the lowest code of several; -1 where there is none (all zero: abstains).
inline int best_class(const double* scores, int n_classes) {
  int best = -1;
  double most = 0;
  for (int c = 0; c < n_classes; ++c)
    if (scores[c] > most) {
      most = scores[c];
      best = c;
    }
  return best;
}

// Room for a number a class, on the stack where there are few, so that a learner can be asked from two threads at once.
class Scratch {
 public:
  explicit Scratch(std::size_t n) : data_(few_) {
    if (n > kFew) {
      many_.resize(n);
      data_ = many_.data();
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  double* data() { return data_; }
  double& operator[](std::size_t i) { return data_[i]; }

 private:
  static constexpr std::size_t kFew = 32;
  double few_[kFew];
  std::vector<double> many_;
  double* data_;
};

struct Seconds {
  double predict = 0;
  double learn = 0;
  double count = 0;
};

// Score every record before learning it; records with y < 0 have no label and are scored only. Reading the clock costs
// as much as a small learner, so one record in 32 is timed, its two parts apart, and the chunk's time is shared out in that
// proportion.
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
    } else if (labelled && weight > 0) {
      learner.score_then_learn(x, int(y[i]), weight, out + i * n_columns);
    } else {
      learner.scores(x, out + i * n_columns);
    }
  }
  const double total = std::chrono::duration<double>(Clock::now() - begun).count();
  const double a = std::chrono::duration<double>(predicting).count();
  const double b = std::chrono::duration<double>(learning).count();
  const double share = a + b > 0 ? a / (a + b) : 0.5;
  return {total * share, total * (1 - share), 0};
}

}  // namespace prequential
