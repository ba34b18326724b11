// Statistics of each feature in each class: mean and variance of a numeric feature, counts of a nominal one. Naive
// Bayes has one such table, a Hoeffding tree one per leaf.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "prequential/features.hpp"
#include "prequential/moments.hpp"
#include "prequential/nominal_counts.hpp"
#include "prequential/odds.hpp"
#include "prequential/pooled_feature.hpp"

namespace prequential {

// How the values of a nominal feature are smoothed.
enum class Smoothing : std::uint8_t { laplace, marginal };

// What the classes share is summarised again whenever the number of records has grown by an eighth, and when a new value
// matters. In between, a record changes the densities of its own class only, unless a gap does (PooledFeature).
//
// Numeric features lie class by class, each statistic next to that of the next feature, so that the loops of lanes.hpp
// take four at a time; what is the same for many records, inverse variances and a constant per class, is kept.
template <class Number>
class FeatureTable {
 public:
  explicit FeatureTable(const Features& features, Smoothing smoothing = Smoothing::laplace)
      : smoothing_(smoothing), values_(features.nominal.size()) {}

  int n_classes() const { return int(weights_.size()); }
  // Returns whether there are more than before.
  bool grow(const Features& features, int n_classes) {
    if (n_classes <= this->n_classes()) return false;
    resize_exactly(weights_, std::size_t(n_classes));
    resize_exactly(constants_, std::size_t(n_classes));
    if (shared_.empty()) make_shared(features.numeric.size());
    resize_exactly(numbers_, std::size_t(n_classes) * stride());
    if constexpr (kRanged)
      for (std::size_t c = 0; c < std::size_t(n_classes); ++c)
        if (!(weights_[c] > 0)) clear_range(c);
    for (Values& v : values_) {
      resize_exactly(v.count, std::size_t(n_classes) * v.width);
      resize_exactly(v.weight, std::size_t(n_classes));
    }
    return true;
  }

  // Make room for the features that `after` has in addition, which follow the others. They have been missing so far.
  void widen(const Features& before, const Features& after, const double* prior) {
    const std::size_t C = std::size_t(n_classes()), n = before.numeric.size(), m = after.numeric.size();
    resize_exactly(values_, after.nominal.size());
    for (std::size_t k = before.nominal.size(); k < values_.size(); ++k) resize_exactly(values_[k].weight, C);
    if (C == 0 || m == n) return;
    if (!ragged_) become_ragged();
    const FeatureTable old = *this;
    make_shared(m);
    copy_rows(old.shared_, old.width(), shared_, width(), TableView::kShared, n);
    numbers_ = std::vector<double>(C * stride());
    for (std::size_t c = 0; c < C; ++c)
      if constexpr (kRanged) clear_range(c);
    copy_rows(old.numbers_, old.width(), numbers_, width(), C * n_parts(), n);
    count_odd(m);
    refresh(prior);
  }

  struct Added {
    bool widened = false;  // the table takes more bytes than before
    bool shared = false;   // something that the densities of all classes depend on has changed
  };
  // Missing values are skipped. `prior`: the weights of the classes, this record counted. `packed`: the record.
  Added add(const Features& features, const double* x, const double* packed, int y, double w, const double* prior) {
    Added added;
    if (!ragged_ && is_missing(packed, features.numeric.size())) {
      become_ragged();
      added.widened = true;
    }
    weights_[y] += w;
    n_records_ += 1;
    const bool due = n_records_ >= next_summary_;
    Volume volume;
    const Learned learned = lane_kernel().learn(view(), packed, std::size_t(y), w, volume);
    binds_ |= learned.binds;
    added.shared = learned.gap && binds_;
    if (n_odd_ > 0) added.shared |= note(features, packed, due);
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      if (std::isnan(value)) continue;
      const auto [widened, is_new] = values_[k].add(std::size_t(value), y, w);
      if (is_new && !due && smoothing_ == Smoothing::marginal) values_[k].summarise();
      added.widened |= widened;
      added.shared |= is_new;
    }
    if (due) {
      for (std::size_t k = 0; k < features.numeric.size(); ++k) summarise(k);
      if (smoothing_ == Smoothing::marginal)
        for (Values& v : values_)
          if (v.n_seen > 0) v.summarise();
      next_summary_ = n_records_ + std::max(1.0, std::floor(n_records_ / 8));
      added.shared = true;
    }
    if (added.shared)
      refresh(prior);
    else
      constants_[std::size_t(y)] = constant(prior[y], volume);
    return added;
  }

  // The logarithms of the densities of a record in all classes, each plus that of the weight of the class, with
  // independent features in units of their deviation. A feature is left out if its value is missing, or if it has had
  // only one value in all classes. Finite, so that classes can be compared when the record is too far from all; those
  // of classes without records mean nothing.
  void logarithms(const Features& features, const double* x, const double* packed, const double* prior,
                  double* out) const {
    const int C = n_classes();
    lane_kernel().distances(view(), packed, out);
    const bool whole = C > 0 && !std::isnan(out[0]);
    const bool more = n_odd_ > 0 || !values_.empty();
    for (int c = 0; c < C; ++c) {
      if (!whole)
        out[c] = weights_[std::size_t(c)] > 0 ? of_partial(packed, c, prior[c]) : 0;
      else
        out[c] = constants_[std::size_t(c)] - 0.5 * out[c];
      if (more) out[c] += logarithm_of_shares(features, x, packed, c);
      out[c] = std::max(out[c], -1e300);
    }
  }
  // That of one class, which has records.
  double logarithm(const Features& features, const double* x, const double* packed, const double* prior, int c) const {
    const double distance = lane_kernel().distance(view(), packed, std::size_t(c));
    double log_p = std::isnan(distance) ? of_partial(packed, c, prior[c])
                                        : constants_[std::size_t(c)] - 0.5 * distance;
    if (n_odd_ > 0 || !values_.empty()) log_p += logarithm_of_shares(features, x, packed, c);
    return std::max(log_p, -1e300);
  }

  // Score and learn records of this table whose features are all numbers, as `logarithms` and `add` would: see Sweep.
  bool sweeps() const { return values_.empty() && n_odd_ == 0 && n_classes() > 0; }
  std::size_t sweep(Sweep& s, std::size_t from, std::size_t to) {
    const double records = n_records_, left = next_summary_ - 1 - n_records_;
    s.may_learn = left > 0 ? std::size_t(left) : 0;
    const std::size_t may = s.may_learn;
    s.weights = weights_.data();
    s.binds = binds_;
    Stop stop;
    const std::size_t end = lane_kernel().sweep(view(), s, from, to, stop);
    binds_ = s.binds;
    n_records_ = records + double(may - s.may_learn);
    gap_changed_ = stop == Stop::gap;
    return end;
  }
  // After a sweep: its distances become logarithms, and the constants of the classes those of the last record.
  void finish(const Sweep& s, std::size_t from, std::size_t to, double* constants) {
    const int C = n_classes();
    for (std::size_t i = from; i < to; ++i) {
      double* out = s.distances + i * std::size_t(C);
      for (int c = 0; c < C; ++c)
        out[c] = weights_[std::size_t(c)] > 0 ? std::max(constants_[std::size_t(c)] - 0.5 * out[c], -1e300)
                                              : -std::numeric_limits<double>::infinity();
      if (s.label[i] >= 0) constants_[std::size_t(s.label[i])] = constants[i];
    }
    if (!gap_changed_) return;
    refresh(weights_.data());
    gap_changed_ = false;
  }
  bool gap_changed() const { return gap_changed_; }
  std::size_t width() const { return shared_.size() / TableView::kShared; }

  const std::vector<double>& weights() const { return weights_; }  // of the records of each class
  Number number(std::size_t k, int c) const {
    const double* own = numbers_.data() + std::size_t(c) * stride() + k;
    Number g;
    g.weight = ragged_ ? own[(n_parts() - 1) * width()] : weights_[std::size_t(c)];
    g.mean = own[TableView::kMean * width()];
    g.m2 = own[TableView::kM2 * width()];
    if constexpr (kRanged) {
      g.least = own[TableView::kLeast * width()];
      g.most = own[TableView::kMost * width()];
    }
    return g;
  }
  const Values& values(std::size_t k) const { return values_[k]; }
  PooledFeature pooled(std::size_t k) const {
    const auto part = [&](std::size_t i) { return shared_[i * width() + k]; };
    PooledFeature p;
    p.first = part(TableView::kFirst);
    p.second = part(TableView::kSecond);
    p.last = part(TableView::kLast);
    p.gap = part(TableView::kGap);
    p.floor = part(TableView::kFloor);
    p.unit = std::fabs(part(TableView::kUnit));
    p.mean = part(TableView::kAllMean);
    p.weight = part(TableView::kAllWeight);
    return p;
  }

  // Beyond the object itself.
  std::size_t nbytes() const {
    std::size_t n = bytes_of(weights_) + bytes_of(constants_) + bytes_of(shared_) + bytes_of(numbers_) + bytes_of(values_);
    for (const Values& v : values_)
      n += bytes_of(v.count) + bytes_of(v.weight) + bytes_of(v.seen) + bytes_of(v.marginal);
    return n;
  }

  void write(Writer& to) const {
    to.put(n_records_);
    to.put(next_summary_);
    to.put(ragged_);
    to.put(weights_);
    to.put(shared_);
    to.put(numbers_);
    for (const Values& v : values_) {
      to.put(v.width);
      to.put(v.n_seen);
      to.put(v.count);
      to.put(v.weight);
      to.put(v.seen);
      to.put(v.marginal);
      to.put(v.marginal_of_unknown);
    }
  }
  // `prior`: as in `add`, null for the weights of the table itself. What is kept besides is computed again.
  void read(Reader& from, const Features& features, const std::vector<double>* prior = nullptr) {
    n_records_ = from.get<double>();
    next_summary_ = from.get<double>();
    ragged_ = from.get<bool>();
    from.get(weights_);
    const std::size_t C = weights_.size();
    from.get(shared_, C > 0 ? TableView::kShared * kLanes * blocks_of(features.numeric.size()) : 0);
    from.get(numbers_, C * stride());
    resize_exactly(constants_, C);
    for (Values& v : values_) {
      v.width = from.get<std::uint64_t>();
      v.n_seen = from.get<double>();
      if (v.width > (1u << 26)) throw std::invalid_argument("damaged state: the values of a nominal feature");
      from.get(v.count, C * v.width);
      from.get(v.weight, C);
      from.get(v.seen, v.width);
      from.get(v.marginal, smoothing_ == Smoothing::marginal && v.n_seen > 0 ? v.width : 0);
      v.marginal_of_unknown = from.get<double>();
    }
    if (prior && prior->size() < C) throw std::invalid_argument("damaged state: the classes of a leaf");
    if (C == 0) return;
    count_odd(features.numeric.size());
    refresh((prior ? *prior : weights_).data());
  }

 private:
  static constexpr bool kRanged = std::is_same_v<Number, RangedMoments>;
  Smoothing smoothing_;
  double n_records_ = 0, next_summary_ = 0;  // learned so far, and when to summarise again
  bool ragged_ = false;                      // whether numeric features were missing: then each has its own weights
  bool binds_ = true;                        // whether a gap may bound a density
  bool gap_changed_ = false;                 // in the last sweep, so that other classes are to be refreshed
  std::uint32_t n_odd_ = 0;                  // numeric features with fewer than three values
  std::vector<double> weights_;              // [class]
  std::vector<double> constants_;            // [class]: log(prior) - log(sizes) / 2
  std::vector<double> shared_;               // [part][numeric feature], parts of TableView; PooledFeature. A unit below
                                             // 0 is that of a feature of two values, which has no Gaussian
  std::vector<double> numbers_;              // [class][part][numeric feature]
  std::vector<Values> values_;               // [nominal feature]

  std::size_t n_parts() const { return (kRanged ? 5 : 3) + ragged_; }
  std::size_t stride() const { return n_parts() * width(); }
  TableView view() const {
    return {const_cast<double*>(numbers_.data()), const_cast<double*>(shared_.data()), weights_.data(),
            width() / kLanes, n_parts(), weights_.size(), ragged_, kRanged};
  }

  void make_shared(std::size_t n) {
    const std::size_t width = kLanes * blocks_of(n);
    shared_ = std::vector<double>(TableView::kShared * width);
    const PooledFeature none;
    for (std::size_t k = 0; k < n; ++k) {
      const std::pair<TableView::Shared, double> values[] = {
          {TableView::kLast, none.last}, {TableView::kGap, none.gap}, {TableView::kFirst, none.first},
          {TableView::kSecond, none.second}};
      for (const auto& [part, value] : values) shared_[std::size_t(part) * width + k] = value;
    }
    n_odd_ = std::uint32_t(n);
  }
  void count_odd(std::size_t n) {
    n_odd_ = 0;
    for (std::size_t k = 0; k < n; ++k) n_odd_ += !pooled(k).settled();
  }
  void clear_range(std::size_t c) {
    const RangedMoments none;
    double* own = numbers_.data() + c * stride();
    std::fill_n(own + TableView::kLeast * width(), width(), none.least);
    std::fill_n(own + TableView::kMost * width(), width(), none.most);
  }
  static void copy_rows(const std::vector<double>& from, std::size_t step, std::vector<double>& to,
                        std::size_t step_to, std::size_t n_rows, std::size_t n) {
    for (std::size_t r = 0; r < n_rows; ++r)
      std::copy_n(from.begin() + std::ptrdiff_t(r * step), n, to.begin() + std::ptrdiff_t(r * step_to));
  }

  static bool is_missing(const double* packed, std::size_t n) {
    bool any = false;
    for (std::size_t k = 0; k < n; ++k) any |= packed[k] != packed[k];
    return any;
  }
  void become_ragged() {
    const std::size_t before = stride(), C = weights_.size();
    const std::vector<double> old = std::move(numbers_);
    ragged_ = true;
    numbers_ = std::vector<double>(C * stride());
    for (std::size_t c = 0; c < C; ++c) {
      std::copy_n(old.begin() + std::ptrdiff_t(c * before), before, numbers_.begin() + std::ptrdiff_t(c * stride()));
      std::fill_n(numbers_.begin() + std::ptrdiff_t(c * stride() + before), width(), weights_[c]);
    }
  }

  // Note the values of features that have had fewer than three. Returns whether a new one matters.
  bool note(const Features& features, const double* packed, bool due) {
    bool matters = false;
    for (std::size_t k = 0; k < features.numeric.size(); ++k) {
      PooledFeature p = pooled(k);
      if (p.settled() || std::isnan(packed[k])) continue;
      const bool is_new = p.note(packed[k]);
      shared_[TableView::kFirst * width() + k] = p.first;
      shared_[TableView::kSecond * width() + k] = p.second;
      n_odd_ -= p.settled();
      if (is_new && !due) summarise(k);
      matters |= is_new;
    }
    return matters;
  }
  void summarise(std::size_t k) {
    PooledFeature p = pooled(k);
    p.summarise(n_classes(), n_records_, [&](int c) { return number(k, c); });
    shared_[TableView::kFloor * width() + k] = p.floor;
    shared_[TableView::kUnit * width() + k] = p.has_two_values() ? -p.unit : p.unit;
    shared_[TableView::kAllMean * width() + k] = p.mean;
    shared_[TableView::kAllWeight * width() + k] = p.weight;
  }
  // What is kept for all classes, computed again.
  void refresh(const double* prior) {
    binds_ = false;
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      if (!(weights_[c] > 0)) continue;
      Volume volume;
      binds_ |= lane_kernel().refresh(view(), c, volume);
      constants_[c] = constant(prior[c], volume);
    }
  }
  static double constant(double prior, const Volume& volume) {
    prior = std::max(prior, kLeastPrior);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(prior);
    const double part = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    const double power = double(std::int64_t(bits >> 52) - 1023);
    return 0.5 * elementary::log_of_product(part * part / volume.m, (power + power) - volume.e);
  }
  double of_partial(const double* packed, int c, double prior) const {
    Volume volume;
    const double distance = lane_kernel().partial(view(), packed, std::size_t(c), volume);
    return constant(prior, volume) - 0.5 * distance;
  }
  // Of the features of two values, and of the nominal ones.
  double logarithm_of_shares(const Features& features, const double* x, const double* packed, int c) const {
    Odds odds;
    if (n_odd_ > 0)
      for (std::size_t k = 0; k < features.numeric.size(); ++k)
        if (shared_[TableView::kUnit * width() + k] < 0 && !std::isnan(packed[k]))
          odds.times(pooled(k).probability(packed[k], number(k, c)));
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      const Values& v = values_[k];
      if (std::isnan(value) || v.n_seen == 0) continue;
      odds.times(v.probability(std::size_t(value), c));
    }
    return odds.log();
  }
};

}  // namespace prequential
