// A fading factor: S = e + alpha S. Instead of shrinking the past, each new record gets a larger weight: weights grow
// by 1/alpha per record, and sums are read relative to the newest weight, so a record costs O(1) with any number of
// classes.
#pragma once
#include <optional>

#include "prequential/elementary.hpp"
#include "prequential/forgetting.hpp"
#include "prequential/rank_sketch.hpp"

namespace prequential {

class Fading final : public Forgetting {
 public:
  Fading(int n_classes, int n_losses, double alpha, const RankRules& ranks = {})
      : n_classes_(n_classes), growth_(1 / alpha), matrix_(std::size_t(n_classes) * (n_classes + 1)),
        labels_(n_classes), tallies_(kLosses + n_losses) {
    if (ranks.wanted) ranks_.emplace(n_classes, ranks, growth_);
  }

  void add(const Outcomes& o) override {
    if (ranks_) ranks_->add(o);
    std::size_t i = 0;
    while (i < o.n) {
      if (o.plain && n_classes_ == 2 && majority_ >= 0 && scale_ * growth_ <= kMost) {
        i = count(o, i);
      } else {
        insert(o, i++);
      }
    }
  }

  void read(double* out) const override {
    for (double cell : matrix_) *out++ = cell / scale_;
    for (double tally : tallies_) *out++ = tally / scale_;
    if (ranks_) ranks_->read(out);
  }

  void set_positive(int code) override {
    if (ranks_) ranks_->set_positive(code);
  }

  void grow(int n_classes) override {
    if (ranks_) ranks_->grow(n_classes);
    matrix_ = grown(matrix_, n_classes_, n_classes);
    labels_.resize(n_classes);
    n_classes_ = n_classes;
  }

  std::size_t nbytes() const override {
    return sizeof *this + (matrix_.capacity() + labels_.capacity() + tallies_.capacity()) * sizeof(double) +
           (ranks_ ? ranks_->nbytes() : 0);
  }
  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(growth_);
    to.put(scale_);
    to.put(majority_);
    to.put(matrix_);
    to.put(labels_);
    to.put(tallies_);
    if (ranks_) ranks_->write(to);
  }
  void load(Reader& from) override {
    if (from.get<int>() != n_classes_) throw std::invalid_argument("damaged state: the number of classes");
    if (from.get<double>() != growth_) throw std::invalid_argument("these bytes are the state of another fading factor");
    scale_ = from.get<double>();
    majority_ = checked_majority(from.get<int>(), n_classes_);
    from.get(matrix_, std::size_t(n_classes_) * (n_classes_ + 1));
    from.get(labels_, n_classes_);
    from.get(tallies_, tallies_.size());
    if (ranks_) ranks_->load(from);
  }

  std::unique_ptr<Forgetting> clone() const override { return std::make_unique<Fading>(*this); }

  // The earlier part fades by alpha for every record of the later one. The majority hits of the later part were judged
  // without the earlier labels and never leave, so they stay unknown.
  void merge(Forgetting& forgetting, const Seam& seam) override {
    auto& later = of_same_kind<Fading>(forgetting);
    if (later.growth_ != growth_) throw std::invalid_argument("the two grids have different fading factors");
    const double first = later.scale_ * elementary::exp((1 - double(seam.n_later)) * elementary::log(growth_));  // the weight of the first record
    if (seam.no_change) later.tallies_[kNoChangeHits] += first * seam.weight;
    if (seam.shift != 0) shift_targets(&later.tallies_[kLosses], later.tallies_[kWeight], seam.shift);
    const double by = first / growth_ / scale_;
    for (std::size_t k = 0; k < matrix_.size(); ++k) matrix_[k] = matrix_[k] * by + later.matrix_[k];
    for (std::size_t k = 0; k < labels_.size(); ++k) labels_[k] = labels_[k] * by + later.labels_[k];
    for (std::size_t k = 0; k < tallies_.size(); ++k) tallies_[k] = tallies_[k] * by + later.tallies_[k];
    if (seam.n_earlier > 0 && n_classes_ > 0) tallies_[kMajorityHits] = kUnknown;
    scale_ = later.scale_;
    if (ranks_) ranks_->merge(*later.ranks_, elementary::exp(-double(seam.n_later) * elementary::log(growth_)));
    const auto top = std::max_element(labels_.begin(), labels_.end());
    majority_ = top == labels_.end() || !(*top > 0) ? -1 : int(top - labels_.begin());
  }

 private:
  static constexpr double kMost = 1e100;

  int n_classes_;
  int majority_ = -1;
  double growth_;
  double scale_ = 1;
  std::vector<double> matrix_, labels_, tallies_;
  mutable std::optional<RankSketch> ranks_;  // the order of scores, if needed; put in order when read

  void insert(const Outcomes& o, std::size_t i) {
    scale_ *= growth_;
    if (scale_ > kMost) fold();
    const double w = o.weighted ? scale_ * o.weight[i] : scale_;
    const bool counts = o.cell[i] >= 0;
    if (n_classes_ > 0) {
      const int y = o.label[i];
      if (counts) {
        if (majority_ == y) tallies_[kMajorityHits] += w;
        if (o.no_change[i]) tallies_[kNoChangeHits] += w;
        matrix_[o.cell[i]] += w;
      }
      labels_[y] += w;
      if (majority_ < 0 || labels_[y] > labels_[majority_] || (labels_[y] == labels_[majority_] && y < majority_))
        majority_ = labels_[y] > 0 ? y : -1;
    }
    if (!counts) return;
    tallies_[kWeight] += w;
    tallies_[kRecords] += scale_;
    for (int k = 0; k < o.n_losses; ++k) tallies_[kLosses + k] += w * o.losses[i * o.n_losses + k];
  }

  // Plain records, until the next rescaling: the same sums in the same order, kept in registers. Adding zero to the
  // other sums is faster than selecting one.
  std::size_t count(const Outcomes& o, std::size_t i) {
    // For each cell: what it adds to the cells 0, 1, 3, 4, to the two labels, and to the majority hits if the majority
    // is the first class, and if it is the second.
    static constexpr double adds[5][8] = {{1, 0, 0, 0, 1, 0, 1, 0},
                                          {0, 1, 0, 0, 1, 0, 1, 0},
                                          {0, 0, 0, 0, 0, 0, 0, 0},
                                          {0, 0, 1, 0, 0, 1, 0, 1},
                                          {0, 0, 0, 1, 0, 1, 0, 1}};
    double sums[6] = {matrix_[0], matrix_[1], matrix_[3], matrix_[4], labels_[0], labels_[1]};
    double majority_hits = tallies_[kMajorityHits], no_change_hits = tallies_[kNoChangeHits];
    double weight = tallies_[kWeight], records = tallies_[kRecords], scale = scale_;
    for (; i < o.n; ++i) {
      const double w = scale * growth_;
      if (w > kMost) break;
      scale = w;
      const double* add = adds[o.plain_cell[i]];
      majority_hits += w * add[6 + (sums[5] > sums[4])];  // a table, as a branch would be mispredicted half the time
      no_change_hits += w * double(o.no_change[i]);
      for (int k = 0; k < 6; ++k) sums[k] += w * add[k];
      weight += w;
      records += w;
    }
    matrix_[0] = sums[0];
    matrix_[1] = sums[1];
    matrix_[3] = sums[2];
    matrix_[4] = sums[3];
    labels_[0] = sums[4];
    labels_[1] = sums[5];
    tallies_[kMajorityHits] = majority_hits;
    tallies_[kNoChangeHits] = no_change_hits;
    tallies_[kWeight] = weight;
    tallies_[kRecords] = records;
    majority_ = sums[5] > sums[4];
    scale_ = scale;
    return i;
  }

  void fold() {
    const double by = growth_ / scale_;  // old sums keep their weights of before the step, the new record gets 1/alpha
    for (auto* values : {&matrix_, &labels_, &tallies_})
      for (double& v : *values) v *= by;
    scale_ = growth_;
  }
};

}  // namespace prequential
