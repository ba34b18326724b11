// Predicts the last label: the baseline to beat on streams whose labels depend on the previous ones.
#pragma once
#include <algorithm>

#include "prequential/renewable.hpp"

namespace prequential {

class NoChange final : public Renewable {
 public:
  explicit NoChange(int n_classes) : n_classes_(n_classes) {}

  const char* kind() const override { return "no_change"; }
  int n_classes() const override { return n_classes_; }
  void grow(int n_classes) override { n_classes_ = std::max(n_classes_, n_classes); }
  void scores(const double*, double* out) const override {
    std::fill(out, out + n_classes_, 0.0);
    if (last_ >= 0) out[last_] = 1;
  }
  void learn(const double*, int y, double) override { last_ = y; }
  bool blind() const override { return true; }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override { return std::make_unique<NoChange>(n_classes_); }
  std::size_t nbytes() const override { return allocated(sizeof *this); }
  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(last_);
  }
  void read(Reader& from) override {
    n_classes_ = from.get<int>();
    last_ = from.get<int>();
    if (n_classes_ < 0 || last_ < -1 || last_ >= n_classes_)
      throw std::invalid_argument("damaged state: the last label of a no-change learner");
  }

 private:
  int n_classes_;
  int last_ = -1;
};

}  // namespace prequential
