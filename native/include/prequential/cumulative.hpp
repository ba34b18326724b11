// All records so far, each with its full weight.
#pragma once
#include <optional>

#include "prequential/forgetting.hpp"
#include "prequential/rank_sketch.hpp"

namespace prequential {

class Cumulative final : public Forgetting {
 public:
  Cumulative(int n_classes, int n_losses, const RankRules& ranks = {})
      : n_classes_(n_classes), matrix_(std::size_t(n_classes) * (n_classes + 1)), labels_(n_classes),
        tallies_(kLosses + n_losses) {
    if (ranks.wanted) ranks_.emplace(n_classes, ranks);
  }

  void add(const Outcomes& o) override {
    if (ranks_) ranks_->add(o);
    if (o.counts()) {
      count(o);
    } else {
      for (std::size_t i = 0; i < o.n; ++i) insert(o, i, o.weighted ? o.weight[i] : 1.0);
    }
  }

  void read(double* out) const override {
    for (const Sum& cell : matrix_) *out++ = cell.value();
    for (const Sum& tally : tallies_) *out++ = tally.value();
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
    return sizeof *this + (matrix_.capacity() + labels_.capacity() + tallies_.capacity()) * sizeof(Sum) +
           (ranks_ ? ranks_->nbytes() : 0);
  }
  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(majority_);
    to.put(matrix_);
    to.put(labels_);
    to.put(tallies_);
    if (ranks_) ranks_->write(to);
  }
  void load(Reader& from) override {
    if (from.get<int>() != n_classes_) throw std::invalid_argument("damaged state: the number of classes");
    majority_ = checked_majority(from.get<int>(), n_classes_);
    from.get(matrix_, std::size_t(n_classes_) * (n_classes_ + 1));
    from.get(labels_, n_classes_);
    from.get(tallies_, tallies_.size());
    if (ranks_) ranks_->load(from);
  }

  std::unique_ptr<Forgetting> clone() const override { return std::make_unique<Cumulative>(*this); }

  // Everything adds up except the majority hits: the later part was judged without the earlier labels.
  void merge(Forgetting& forgetting, const Seam& seam) override {
    auto& later = of_same_kind<Cumulative>(forgetting);
    if (seam.no_change) later.tallies_[kNoChangeHits].add(seam.weight);
    if (seam.shift != 0) {
      double losses[4];
      for (int k = 0; k < 4; ++k) losses[k] = later.tallies_[kLosses + k].value();
      shift_targets(losses, later.tallies_[kWeight].value(), seam.shift);
      for (int k = 2; k < 4; ++k) later.tallies_[kLosses + k] = {losses[k], 0};
    }
    for (std::size_t k = 0; k < matrix_.size(); ++k) matrix_[k].add(later.matrix_[k]);
    for (std::size_t k = 0; k < labels_.size(); ++k) labels_[k].add(later.labels_[k]);
    for (std::size_t k = 0; k < tallies_.size(); ++k) tallies_[k].add(later.tallies_[k]);
    if (seam.n_earlier > 0 && n_classes_ > 0) tallies_[kMajorityHits] = {kUnknown, 0};
    majority_ = heaviest(labels_);
    if (ranks_) ranks_->merge(*later.ranks_, 1);
  }

 private:
  int n_classes_;
  int majority_ = -1;
  std::vector<Sum> matrix_, labels_, tallies_;
  mutable std::optional<RankSketch> ranks_;  // the order of scores, if needed; put in order when read

  void count(const Outcomes& o) {
    std::int64_t majority_hits = 0;
    std::int32_t no_change_hits = 0;
    for (std::size_t i = 0; i < o.n; ++i) no_change_hits += o.no_change[i];
    std::size_t i = 0;
    if (o.plain && n_classes_ == 2 && majority_ >= 0) {
      majority_hits = count_majority(o);
      i = o.n;
    }
    for (; i < o.n; ++i) {
      const int y = o.label[i];
      majority_hits += majority_ == y;
      labels_[y].count(1);
      majority_ = heaviest(labels_, y, majority_);
    }
    if (o.plain) {
      tally_plain(matrix_, o.plain_cell.data(), o.n, 1);
    } else {
      tally(matrix_, o.cell.data(), o.n, 1);
    }
    tallies_[kMajorityHits].count(double(majority_hits));
    tallies_[kNoChangeHits].count(double(no_change_hits));
    tallies_[kWeight].count(double(o.n));
    tallies_[kRecords].count(double(o.n));
  }

  // Two classes. If one is ahead by more than the length of a block, it stays ahead throughout the block.
  std::int64_t count_majority(const Outcomes& o) {
    constexpr std::size_t block = 64;
    std::int64_t ahead = std::int64_t(labels_[1].high - labels_[0].high), hits = 0, ones = 0;
    for (std::size_t i = 0; i < o.n; i += block) {
      const std::size_t m = std::min(block, o.n - i);
      std::int32_t found = 0;
      for (std::size_t k = i; k < i + m; ++k) found += o.label[k];
      if (ahead > std::int64_t(m)) {
        hits += found;
      } else if (-ahead >= std::int64_t(m)) {
        hits += std::int64_t(m) - found;
      } else {
        std::int64_t now = ahead;
        for (std::size_t k = i; k < i + m; ++k) {
          const int y = o.label[k];
          hits += (now > 0) ^ y ^ 1;
          now += 2 * y - 1;
        }
      }
      ahead += 2 * std::int64_t(found) - std::int64_t(m);
      ones += found;
    }
    labels_[0].count(double(std::int64_t(o.n) - ones));
    labels_[1].count(double(ones));
    majority_ = ahead > 0;
    return hits;
  }

  void insert(const Outcomes& o, std::size_t i, double w) {
    if (o.cell[i] < 0) {
      labels_[o.label[i]].add(w);
      majority_ = heaviest(labels_, o.label[i], majority_);
      return;
    }
    if (n_classes_ > 0) {
      const int y = o.label[i];
      if (majority_ == y) tallies_[kMajorityHits].add(w);
      if (o.no_change[i]) tallies_[kNoChangeHits].add(w);
      matrix_[o.cell[i]].add(w);
      labels_[y].add(w);
      majority_ = heaviest(labels_, y, majority_);
    }
    tallies_[kWeight].add(w);
    tallies_[kRecords].add(1);
    for (int k = 0; k < o.n_losses; ++k) tallies_[kLosses + k].add(w * o.losses[i * o.n_losses + k]);
  }
};

}  // namespace prequential
