// k nearest neighbours among the last `window` records. The window is stored feature by feature, so that the distances
// of many records to one take a few vector instructions per feature.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "prequential/renewable.hpp"

namespace prequential {

class Knn final : public Renewable {
 public:
  // cardinality: 0 for a numeric feature.
  Knn(int n_classes, std::vector<std::int32_t> cardinality, std::size_t k, std::size_t window)
      : k_(k), window_(window), n_classes_(n_classes), cardinality_(std::move(cardinality)) {
    ranges_.resize(cardinality_.size());
  }

  const char* kind() const override { return "knn"; }
  int n_classes() const override { return n_classes_; }
  void grow(int n_classes) override { n_classes_ = std::max(n_classes_, n_classes); }
  void widen(const std::vector<std::int32_t>& cardinality) override {
    cells_.resize(cardinality.size() * capacity_, kMissing);
    for (std::size_t j = cardinality_.size(); j < cardinality.size(); ++j)
      ranges_.push_back({.n_missing = cardinality[j] == 0 ? size() : 0});
    cardinality_ = cardinality;
    ++scaling_;
  }

  void scores(const double* x, double* out) const override { vote(x, out); }

  // A prediction depends on its neighbours: it holds until one of them leaves the window, a new record is as near, or
  // the ranges that scale the distances change.
  void scores_on(const double* x, double* out, Basis& basis) const override {
    const auto& near = vote(x, out);
    basis = {.place = n_learned_, .stamp = n_learned_, .version = scaling_, .reach = size() < k_ ? kInfinity : 0.0};
    for (const std::size_t i : near) {
      basis.place = std::min(basis.place, n_learned_ - size() + age_rank(i));
      basis.reach = std::max(basis.reach, of_this_thread().distances[i]);
    }
  }
  bool holds(const double* x, const Basis& basis) const override {
    const std::uint64_t first = n_learned_ - size();
    if (basis.version != scaling_ || basis.place < first) return false;
    for (std::uint64_t s = basis.stamp; s < n_learned_; ++s)
      if (distance((oldest_ + (s - first)) % size(), x) <= basis.reach) return false;
    return true;
  }

  void learn(const double* x, int y, double w) override {
    const bool full = size() == window_;
    const std::size_t i = full ? oldest_ : size();
    if (full) {
      labels_[i] = y;
      weights_[i] = w;
      oldest_ = (oldest_ + 1) % window_;
    } else {
      if (size() == capacity_) reserve(std::min(window_, std::max<std::size_t>(16, 2 * size())));
      labels_.push_back(y);
      weights_.push_back(w);
    }
    ++n_learned_;
    for (std::size_t j = 0; j < cardinality_.size(); ++j) {
      double& cell = cells_[j * capacity_ + i];
      const double before = full ? cell : kMissing;
      cell = x[j];
      if (cardinality_[j] == 0) follow(j, full, before, cell);
    }
  }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<Knn>(n_classes_, cardinality_, k_, window_);
  }

  std::size_t nbytes() const override {
    return allocated(sizeof *this) + bytes_of(cardinality_) + bytes_of(ranges_) + bytes_of(labels_) + bytes_of(weights_) +
           bytes_of(cells_);
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(k_));
    to.put(std::uint64_t(window_));
    to.put(std::int32_t(n_classes_));
    to.put(std::uint64_t(oldest_));
    to.put(cardinality_);
    to.put(labels_);
    to.put(weights_);
    for (std::size_t j = 0; j < cardinality_.size(); ++j) to.put(std::vector<double>(column(j), column(j) + size()));
  }
  void read(Reader& from) override {
    const auto k = from.get<std::uint64_t>(), window = from.get<std::uint64_t>();
    const auto n_classes = from.get<std::int32_t>();
    const auto oldest = from.get<std::uint64_t>();
    std::vector<std::int32_t> cardinality, labels;
    from.get(cardinality, cardinality_.size());
    for (std::size_t j = 0; j < cardinality.size(); ++j)
      if ((cardinality[j] == 0) != (cardinality_[j] == 0))
        throw std::invalid_argument("these bytes are the state of a learner of other features");
    from.get(labels);
    const std::size_t n = labels.size();
    bool sound = k > 0 && n <= window && (oldest == 0 || (n == window && oldest < window));
    sound = sound && window > 0 && n_classes >= 0 && n_classes <= (1 << 20);
    for (const std::int32_t label : labels) sound = sound && label >= 0 && label < n_classes;
    Knn other(n_classes, std::move(cardinality), k, window);
    other.oldest_ = oldest;
    other.reserve(n);
    other.labels_ = std::move(labels);
    from.get(other.weights_, n);
    for (const double weight : other.weights_) sound = sound && weight > 0 && std::isfinite(weight);
    if (!sound) throw std::invalid_argument("damaged state: the window of a nearest-neighbour learner");
    std::vector<double> column;
    for (std::size_t j = 0; j < cardinality_.size(); ++j) {
      from.get(column, n);
      std::copy(column.begin(), column.end(), other.cells_.begin() + std::ptrdiff_t(j * other.capacity_));
      if (cardinality_[j] != 0) continue;
      other.metric(j);
      for (const double v : column) other.ranges_[j].n_missing += std::isnan(v);
    }
    other.n_learned_ = n;
    *this = std::move(other);
  }

 private:
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // The range of a numeric feature in the window.
  struct Range {
    double low = kInfinity, high = -kInfinity;
    std::size_t n_missing = 0;

    // 0 if all values are equal.
    double scale() const {
      const double scale = 1 / (high - low);
      return high > low && std::isfinite(scale) ? scale : 0;
    }
  };

  std::size_t k_, window_, capacity_ = 0, oldest_ = 0;
  int n_classes_;
  std::vector<std::int32_t> cardinality_;
  std::vector<Range> ranges_;         // [feature]
  std::vector<std::int32_t> labels_;  // a ring starting at `oldest_`, once it is full
  std::vector<double> weights_;       // the same
  std::vector<double> cells_;         // [feature][place in the ring]
  std::uint64_t n_learned_ = 0;       // records so far
  std::uint64_t scaling_ = 0;         // changes with every change of a range

  std::size_t size() const { return labels_.size(); }
  // How many records of the window are older than the one at place i.
  std::size_t age_rank(std::size_t i) const { return (i + size() - oldest_) % size(); }
  const double* column(std::size_t j) const { return cells_.data() + j * capacity_; }

  void reserve(std::size_t n) {
    labels_.reserve(n);
    weights_.reserve(n);
    std::vector<double> wider(cardinality_.size() * n);
    for (std::size_t j = 0; j < cardinality_.size(); ++j)
      std::copy_n(cells_.begin() + j * capacity_, size(), wider.begin() + j * n);
    cells_ = std::move(wider);
    capacity_ = n;
  }

  // The column is searched only if an extreme value leaves the window. That is rare, and even if it happens at every
  // record (a feature that only rises) it costs less than the distances to the next record.
  void follow(std::size_t j, bool full, double before, double now) {
    Range& range = ranges_[j];
    const Range old = range;
    range.n_missing += std::isnan(now);
    range.n_missing -= full && std::isnan(before);
    if ((before == range.low && !(now <= before)) || (before == range.high && !(now >= before))) {
      metric(j);
    } else {
      if (now < range.low) range.low = now;
      if (now > range.high) range.high = now;
    }
    scaling_ += old.low != range.low || old.high != range.high || old.n_missing != range.n_missing;
  }

  void metric(std::size_t j) {
    const double* v = column(j);
    const std::size_t n = size();
    constexpr std::size_t lanes = 8;  // independent, so that they are compared in parallel
    double low[lanes], high[lanes];
    std::fill(low, low + lanes, kInfinity);
    std::fill(high, high + lanes, -kInfinity);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        low[l] = v[i + l] < low[l] ? v[i + l] : low[l];
        high[l] = v[i + l] > high[l] ? v[i + l] : high[l];
      }
    for (; i < n; ++i) {
      low[0] = v[i] < low[0] ? v[i] : low[0];
      high[0] = v[i] > high[0] ? v[i] : high[0];
    }
    ranges_[j].low = *std::min_element(low, low + lanes);
    ranges_[j].high = *std::max_element(high, high + lanes);
  }

  // The votes of the nearest records; returns their places.
  const std::vector<std::size_t>& vote(const double* x, double* out) const {
    std::fill(out, out + n_classes_, 0.0);
    Scratch& scratch = of_this_thread();
    scratch.near.clear();
    if (size() == 0) return scratch.near;
    scratch.distances.assign(size(), 0.0);
    for (std::size_t j = 0; j < cardinality_.size(); ++j) add_distances(j, x[j], scratch.distances.data());
    double total = 0;
    for (const std::size_t i : neighbours(scratch)) {
      out[labels_[i]] += weights_[i];
      total += weights_[i];
    }
    for (int c = 0; c < n_classes_; ++c) out[c] /= total;
    return scratch.near;
  }

  // The distance to one record: the same operations as in `add_distances`.
  double distance(std::size_t i, const double* x) const {
    double sum = 0;
    for (std::size_t j = 0; j < cardinality_.size(); ++j) {
      const double v = column(j)[i];
      if (cardinality_[j] != 0) {
        sum += v == x[j] ? 0.0 : 1.0;
        continue;
      }
      const Range& range = ranges_[j];
      const double scale = range.scale();
      const bool missing = std::isnan(x[j]), both = missing && std::isnan(v);
      if (!missing && !std::isnan(v)) {
        const double d = (x[j] - v) * scale;
        sum += d * d;
      } else if (both) {
        sum += 1.0;
      } else {
        const double at = scale > 0 ? ((missing ? v : x[j]) - range.low) * scale : 0.0;
        const double far = at < 0.5 ? 1 - at : at;
        sum += far * far;
      }
    }
    return sum;
  }

  // Add the squared differences of one feature to the distances.
  void add_distances(std::size_t j, double x, double* __restrict to) const {
    const double* __restrict v = column(j);
    const std::size_t n = size();
    if (cardinality_[j] != 0) {
      for (std::size_t i = 0; i < n; ++i) to[i] += v[i] == x ? 0.0 : 1.0;  // a missing value equals no value
      return;
    }
    const Range& range = ranges_[j];
    const double scale = range.scale(), low = range.low;
    if (std::isnan(x)) {
      for (std::size_t i = 0; i < n; ++i) {
        const double at = scale > 0 ? (v[i] - low) * scale : 0.0;
        const double far = at < 0.5 ? 1 - at : at;
        to[i] += v[i] == v[i] ? far * far : 1.0;
      }
    } else if (range.n_missing > 0) {
      const double at = scale > 0 ? (x - low) * scale : 0.0;
      const double far = at < 0.5 ? 1 - at : at;
      for (std::size_t i = 0; i < n; ++i) {
        const double d = (x - v[i]) * scale, known = d == d ? d : far;
        to[i] += known * known;
      }
    } else if (scale > 0) {
      for (std::size_t i = 0; i < n; ++i) {
        const double d = (x - v[i]) * scale;
        to[i] += d * d;
      }
    }
  }

  // Per thread, not per learner: two threads may ask one learner, and the memory of a learner is its window only.
  struct Scratch {
    std::vector<double> distances, some;
    std::vector<std::size_t> near;
  };
  static Scratch& of_this_thread() {
    thread_local Scratch scratch;
    return scratch;
  }

  // The places of the k nearest records, and of all others as near as the k-th. Sorting a thousand distances would cost
  // as much as computing them. So the minimum of each of some groups is found first: the k-th smallest of these is at
  // least the k-th smallest of all, and few other records are as near.
  const std::vector<std::size_t>& neighbours(Scratch& scratch) const {
    auto& [distances, some, near] = scratch;
    const std::size_t n = size(), groups = std::max<std::size_t>(32, 2 * std::min(k_, n));
    double bound = kInfinity;
    if (n >= 2 * groups) {
      some.assign(distances.begin(), distances.begin() + groups);
      for (std::size_t i = groups; i + groups <= n; i += groups)
        for (std::size_t g = 0; g < groups; ++g) some[g] = distances[i + g] < some[g] ? distances[i + g] : some[g];
      bound = kth(some);
    }
    near.clear();
    some.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (!(distances[i] <= bound)) continue;
      near.push_back(i);
      some.push_back(distances[i]);
    }
    const double radius = kth(some);
    std::erase_if(near, [&](std::size_t i) { return distances[i] > radius; });
    return near;
  }

  // The k-th smallest, or the largest if there are fewer.
  double kth(std::vector<double>& values) const {
    const auto at = values.begin() + (std::min(k_, values.size()) - 1);
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }
};

}  // namespace prequential
