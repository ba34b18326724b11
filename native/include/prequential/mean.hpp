// Means that forget: with a fading factor, or over a window.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/memory.hpp"

namespace prequential {

// S = x + alpha S, N = 1 + alpha N, mean = S / N.
class FadingMean {
 public:
  explicit FadingMean(double alpha) : alpha_(alpha) {
    if (!(alpha > 0 && alpha <= 1)) throw std::invalid_argument("a fading factor must lie in (0, 1]");
  }

  double update(double x) {
    sum_ = x + alpha_ * sum_;
    n_ = 1 + alpha_ * n_;
    return sum_ / n_;
  }
  void reset() { sum_ = n_ = 0; }
  double parameter() const { return alpha_; }
  std::size_t nbytes() const { return 0; }  // beyond the object itself

  void write(Writer& to) const {
    to.put(sum_);
    to.put(n_);
  }
  void load(Reader& from) {
    sum_ = from.get<double>();
    n_ = from.get<double>();
  }

 private:
  double alpha_;
  double sum_ = 0, n_ = 0;
};

// The mean of the last w values. Nothing is ever subtracted (see sliding.hpp): each value of the older part is kept as
// the sum from it to the end of that part, so the oldest can just be dropped; the younger part has one running sum.
class SlidingMean {
 public:
  explicit SlidingMean(double w) : w_(w >= 1 && w < 1e15 ? std::size_t(w) : 0) {
    if (double(w_) != w || w_ == 0) throw std::invalid_argument("a window must be a whole number of at least 1");
  }

  double update(double x) {
    if (older_.size() + younger_.size() == w_) {
      if (older_.empty()) turn();
      older_.pop_back();
    }
    younger_.push_back(x);
    sum_ += x;
    return (sum_ + (older_.empty() ? 0.0 : older_.back())) / double(older_.size() + younger_.size());
  }
  void reset() {
    older_.clear();
    younger_.clear();
    sum_ = 0;
  }
  double parameter() const { return double(w_); }
  std::size_t nbytes() const { return bytes_of(older_) + bytes_of(younger_); }

  void write(Writer& to) const {
    to.put(older_);
    to.put(younger_);
    to.put(sum_);
  }
  void load(Reader& from) {
    from.get(older_);
    from.get(younger_);
    sum_ = from.get<double>();
    if (older_.size() + younger_.size() > w_) throw std::invalid_argument("damaged state: a window is too long");
  }

 private:
  std::size_t w_;
  std::vector<double> older_;    // oldest last
  std::vector<double> younger_;  // oldest first
  double sum_ = 0;

  void turn() {
    double sum = 0;
    for (auto x = younger_.rbegin(); x != younger_.rend(); ++x) older_.push_back(sum += *x);
    younger_.clear();
    sum_ = 0;
  }
};

}  // namespace prequential
