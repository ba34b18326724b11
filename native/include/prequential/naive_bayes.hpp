// Naive Bayes: a Gaussian for each class and numeric feature, counts for each class and nominal feature.
#pragma once
#include "prequential/moa_density.hpp"
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
    table_.widen(features_, wider, table_.weights().data());
    features_ = wider;
    cardinality_ = cardinality;
  }

  void scores(const double* x, double* out) const override {
    if (moa_densities_) return moa_scores(x, out);
    const double* prior = table_.weights().data();
    table_.logarithms(features_, x, Packed(features_, x).data(), prior, out);
    shares_of_logarithms(prior, n_classes(), out);
  }

  void learn(const double* x, int y, double w) override {
    const double* prior = table_.weights().data();
    last_change_.note(y, table_.add(features_, x, Packed(features_, x).data(), y, w, prior).shared);
    ++stamp_;
  }

  // Where the table allows, a few dozen records at a time: their logarithms and exponentials are then taken several at
  // once. A record that is not easy is scored and learned alone.
  void score_then_learn_all(const double* X, std::size_t n, std::size_t n_features, const std::int64_t* y,
                            const double* w, double* out) override {
    const std::size_t C = std::size_t(n_classes());
    std::size_t i = 0;
    while (i < n && !moa_densities_) {
      const std::size_t m = std::min(n - i, kFew);
      if (!table_.sweeps()) break;
      const std::size_t done = sweep(X + i * n_features, m, n_features, y + i, w ? w + i : nullptr, out + i * C);
      i += done;
      if (done == m) continue;
      Learner::score_then_learn_all(X + i * n_features, 1, n_features, y + i, w ? w + i : nullptr, out + i * C);
      ++i;
    }
    if (i < n)
      Learner::score_then_learn_all(X + i * n_features, n - i, n_features, y + i, w ? w + i : nullptr, out + i * C);
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

  static constexpr std::size_t kFew = 64;  // records at a time

  // Score and learn easy records; returns how many.
  std::size_t sweep(const double* X, std::size_t n, std::size_t n_features, const std::int64_t* y, const double* w,
                    double* out) {
    const std::size_t width = table_.width();
    const auto packed = std::make_unique_for_overwrite<double[]>(kFew * width);
    const LaneKernel& kernel = lane_kernel();
    for (std::size_t i = 0; i < n; ++i)
      kernel.pack(X + i * n_features, features_.numeric.data(), features_.numeric.size(), packed.get() + i * width);
    double prior[kFew + kLanes], m[kFew + kLanes], e[kFew + kLanes], constants[kFew + kLanes];
    std::int32_t label[kFew];
    Sweep s{};
    s.packed = packed.get();
    s.y = y;
    s.w = w;
    s.distances = out;
    s.prior = prior;
    s.m = m;
    s.e = e;
    s.label = label;
    std::size_t done = 0;
    for (bool more = true; more && done < n;) {
      const std::size_t from = done;
      done = table_.sweep(s, from, n);
      more = table_.gap_changed();
      std::fill_n(prior + done, kLanes, 1.0);
      std::fill_n(m + done, kLanes, 1.0);
      std::fill_n(e + done, kLanes, 0.0);
      kernel.constants(prior + from, m + from, e + from, done - from, constants + from);
      table_.finish(s, from, done, constants);
      for (std::size_t i = from; i < done; ++i)
        if (label[i] >= 0) {
          last_change_.note(label[i], more && i + 1 == done);
          ++stamp_;
        }
    }
    kernel.shares(done, std::size_t(n_classes()), out);
    return done;
  }

  // Without a label yet, it abstains.
  void moa_scores(const double* x, double* out) const {
    double total = 0;
    for (double w : table_.weights()) total += w;
    if (total > 0) return prequential::moa_scores(table_, features_, x, table_.weights(), total, out);
    std::fill(out, out + n_classes(), 0.0);
  }
};

}  // namespace prequential
