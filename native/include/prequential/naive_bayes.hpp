// Naive Bayes: a Gaussian for each class and numeric feature, a table of counts for each class and nominal feature.
#pragma once
#include "prequential/feature_table.hpp"

namespace prequential {

class NaiveBayes final : public Learner {
 public:
  // cardinality: 0 for a numeric feature, otherwise the number of its values known so far.
  NaiveBayes(int n_classes, std::vector<std::int32_t> cardinality)
      : cardinality_(std::move(cardinality)), features_(cardinality_), table_(features_) {
    grow(n_classes);
  }

  int n_classes() const override { return table_.n_classes(); }
  void grow(int n_classes) override { table_.grow(features_, n_classes); }

  void scores(const double* x, double* out) const override {
    const double* prior = table_.weights().data();
    const int C = n_classes();
    for (int c = 0; c < C; ++c)
      if (prior[c] > 0) out[c] = std::log(prior[c]) + table_.log_likelihood(features_, x, c);
    shares_of_logarithms(prior, C, out);
  }

  void learn(const double* x, int y, double w) override { table_.add(features_, x, y, w); }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<NaiveBayes>(n_classes(), cardinality_);
  }

  std::size_t nbytes() const override {
    return allocated(sizeof *this) + bytes_of(cardinality_) + features_.nbytes() + table_.nbytes();
  }

  void write(Writer& to) const override {
    to.put(cardinality_);
    table_.write(to);
  }
  void read(Reader& from) override {
    std::vector<std::int32_t> cardinality;
    from.get(cardinality, cardinality_.size());
    check_same_kinds(cardinality, cardinality_);
    NaiveBayes other(0, std::move(cardinality));
    other.table_.read(from, other.features_);
    *this = std::move(other);
  }

 private:
  std::vector<std::int32_t> cardinality_;
  Features features_;
  FeatureTable<Gauss> table_;
};

}  // namespace prequential
