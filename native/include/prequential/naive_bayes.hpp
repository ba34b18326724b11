// Naive Bayes: a Gaussian for each class and numeric feature, counts for each class and nominal feature.
#pragma once
#include "prequential/naive_bayes_renewal.hpp"

namespace prequential {

class NaiveBayes final : public Renewable {
 public:
  // cardinality: 0 for a numeric feature, otherwise the number of its values known so far.
  NaiveBayes(int n_classes, std::vector<std::int32_t> cardinality, bool moa_densities)
      : cardinality_(std::move(cardinality)), features_(cardinality_), moa_densities_(moa_densities),
        table_(features_, moa_densities ? Smoothing::laplace : Smoothing::marginal) {
    grow(n_classes);
  }

  const char* kind() const override { return "naive_bayes"; }
  int n_classes() const override { return table_.n_classes(); }
  void grow(int n_classes) override { table_.grow(features_, n_classes); }
  void widen(const std::vector<std::int32_t>& cardinality) override {
    const Features wider(cardinality);
    table_.widen(features_, wider);
    features_ = wider;
    cardinality_ = cardinality;
  }

  void scores(const double* x, double* out) const override {
    const double* prior = table_.weights().data();
    const int C = n_classes();
    if (moa_densities_) return moa_scores(x, out);
    for (int c = 0; c < C; ++c)
      if (prior[c] > 0) out[c] = elementary::log(prior[c]) + table_.log_likelihood(features_, x, c);
    shares_of_logarithms(prior, C, out);
  }

  void learn(const double* x, int y, double w) override {
    last_change_.note(y, table_.add(features_, x, y, w).shared);
    ++stamp_;
  }

  // A label may change any prediction, but only the terms of one class.
  void scores_on(const double* x, double* out, Basis& basis) const override {
    basis = {};
    scores(x, out);
  }
  std::size_t n_terms() const override { return moa_densities_ ? 0 : std::size_t(n_classes()); }
  void renew(const Asked& asked, const std::vector<std::size_t>& rows, std::vector<std::size_t>& stale,
             std::vector<std::int32_t>& answers) const override {
    if (moa_densities_) return Renewable::renew(asked, rows, stale, answers);
    NaiveBayesRenewal renewal(table_, features_, table_.weights().data());
    Scratch out{std::size_t(n_classes())};
    for (const std::size_t i : rows) {
      int best = renewal.best(asked.record(i), asked.terms_of(i), last_change_.changed(asked.bases[i].kept, stamp_));
      asked.bases[i].kept = stamp_;
      if (best == NaiveBayesRenewal<Moments>::kUnclear) {
        scores(asked.record(i), out.data());
        best = best_class(out.data(), n_classes());
      }
      stale.push_back(i);
      answers.push_back(best);
    }
  }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<NaiveBayes>(n_classes(), cardinality_, moa_densities_);
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
    NaiveBayes other(0, std::move(cardinality), moa_densities_);
    other.stamp_ = stamp_ + 1;  // no old prediction depends on it
    other.table_.read(from, other.features_);
    *this = std::move(other);
  }

 private:
  std::vector<std::int32_t> cardinality_;
  Features features_;
  bool moa_densities_;
  FeatureTable<Moments> table_;
  std::uint64_t stamp_ = 0;  // changes with every record
  LastChange last_change_;

  // Without a label yet, it abstains.
  void moa_scores(const double* x, double* out) const {
    double total = 0;
    for (double w : table_.weights()) total += w;
    if (total > 0) return table_.moa_scores(features_, x, table_.weights(), total, out);
    std::fill(out, out + n_classes(), 0.0);
  }
};

}  // namespace prequential
