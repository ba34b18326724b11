// A fading factor: S = e + alpha S. Instead of shrinking the past, each new record counts for more: weights grow by
// 1/alpha a record and everything is read relative to the newest, so a record costs O(1) whatever the number of classes.
#pragma once
#include "prequential/forgetting.hpp"

namespace prequential {

class Fading final : public Forgetting {
 public:
  Fading(int n_classes, int n_losses, double alpha)
      : n_classes_(n_classes), growth_(1 / alpha), matrix_(std::size_t(n_classes) * (n_classes + 1)),
        labels_(n_classes), tallies_(kLosses + n_losses) {}

  void add(const Outcomes& o) override {
    for (std::size_t i = 0; i < o.n; ++i) {
      scale_ *= growth_;
      if (scale_ > 1e100) fold();
      const double w = o.weighted ? scale_ * o.weight[i] : scale_;
      if (n_classes_ > 0) {
        const int y = o.label[i];
        tallies_[kMajorityHits] += majority_ == y ? w : 0;
        tallies_[kNoChangeHits] += o.no_change[i] ? w : 0;
        matrix_[o.cell[i]] += w;
        labels_[y] += w;
        if (majority_ < 0 || labels_[y] > labels_[majority_] || (labels_[y] == labels_[majority_] && y < majority_))
          majority_ = labels_[y] > 0 ? y : -1;
      }
      tallies_[kWeight] += w;
      tallies_[kRecords] += scale_;
      for (int k = 0; k < o.n_losses; ++k) tallies_[kLosses + k] += w * o.losses[i * o.n_losses + k];
    }
  }

  void read(double* out) const override {
    for (double cell : matrix_) *out++ = cell / scale_;
    for (double tally : tallies_) *out++ = tally / scale_;
  }

  void grow(int n_classes) override {
    matrix_ = grown(matrix_, n_classes_, n_classes);
    labels_.resize(n_classes);
    n_classes_ = n_classes;
  }

  std::size_t nbytes() const override {
    return sizeof *this + (matrix_.capacity() + labels_.capacity() + tallies_.capacity()) * sizeof(double);
  }
  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(growth_);
    to.put(scale_);
    to.put(majority_);
    to.put(matrix_);
    to.put(labels_);
    to.put(tallies_);
  }
  void load(Reader& from) override {
    n_classes_ = from.get<int>();
    growth_ = from.get<double>();
    scale_ = from.get<double>();
    majority_ = checked_majority(from.get<int>(), n_classes_);
    from.get(matrix_, std::size_t(n_classes_) * (n_classes_ + 1));
    from.get(labels_, n_classes_);
    from.get(tallies_, tallies_.size());
  }

 private:
  int n_classes_;
  int majority_ = -1;
  double growth_;
  double scale_ = 1;
  std::vector<double> matrix_, labels_, tallies_;

  void fold() {
    const double by = growth_ / scale_;  // what is kept now weighs as before the step, the new record 1/alpha
    for (auto* values : {&matrix_, &labels_, &tallies_})
      for (double& v : *values) v *= by;
    scale_ = growth_;
  }
};

}  // namespace prequential
