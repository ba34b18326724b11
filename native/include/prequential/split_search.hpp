// The search for the split of a leaf that separates the classes best.
#pragma once
#include "prequential/feature_table.hpp"
#include "prequential/tree_split.hpp"

namespace prequential {

struct TreeRules {
  enum class Prediction : std::uint8_t { majority, naive_bayes, adaptive };
  Prediction prediction = Prediction::adaptive;
  bool moa_densities = false;  // naive Bayes and nominal splits as in MOA (moa_density)
  Criterion criterion = Criterion::info_gain;
  bool binary = false;       // split a nominal feature into one value and the rest, not into one branch per value
  std::int32_t n_points = 10;   // thresholds to try, equally spaced between the least and the greatest value
  double subspace = 0;       // features drawn for each leaf: a number, a share below 1, kSqrt, or 0 for all
  double grace = 200;        // weight that a leaf learns between two searches for a split
  double delta = 1e-7;       // the probability that a split is not the best one
  double tau = 0.05;         // a bound below this decides a tie
  double least_share = 0.01; // of the records, on at least two branches

  static constexpr double kSqrt = -1;
  // How many of n features a leaf considers; halves are rounded to even numbers.
  std::size_t n_drawn(std::size_t n) const {
    if (subspace == 0) return n;
    const double share = std::max(1.0, std::nearbyint(subspace * double(n)));
    const double drawn = subspace == kSqrt ? std::floor(std::sqrt(double(n))) + 1 : subspace < 1 ? share : subspace;
    return drawn < double(n) ? std::size_t(drawn) : n;
  }
};

// Each feature is tried in turn; the best split of the best feature is kept, and the gain of the second best feature.
class SplitSearch {
 public:
  SplitSearch(const TreeRules& rules, const FeatureTable<RangedMoments>& table, const Features& features)
      : rules_(rules), table_(table), features_(features), n_classes_(table.n_classes()) {
    for (double w : table.weights()) weight_ += w;
  }

  Division& best() { return best_; }
  double second() const { return second_; }

  // Equally spaced between the least and the greatest value. The weight of a class below is that of its Gaussian. The
  // gains are computed several at a time (lanes.hpp), then that of the best once more, with all that belongs to it.
  void try_thresholds(std::size_t k) {
    const std::size_t C = std::size_t(n_classes_), room = kLanes * blocks_of(std::size_t(rules_.n_points));
    double least = std::numeric_limits<double>::infinity(), most = -least;
    start(2);
    of_classes_.resize(5 * C + room);
    double *const weight = of_classes_.data(), *const mean = weight + C, *const root = mean + C,
                  *const its_least = root + C, *const its_most = its_least + C, *const gains = its_most + C;
    for (std::size_t c = 0; c < C; ++c) {
      const RangedMoments g = table_.number(k, int(c));
      before_[c] = weight[c] = g.weight;
      mean[c] = g.mean;
      const double variance = g.m2 / (g.weight > 1 ? g.weight - 1 : g.weight);
      root[c] = variance > 0 ? std::sqrt(2 * variance) : 0;
      least = std::min(least, its_least[c] = g.least);
      most = std::max(most, its_most[c] = g.most);
    }
    begin_feature();
    const double step = most / (rules_.n_points + 1) - least / (rules_.n_points + 1);  // no overflow of their difference
    lane_kernel().gains({weight, mean, root, its_least, its_most, C, std::size_t(rules_.n_points), least, step, most,
                         known_, weight_, impurity_, rules_.least_share, rules_.criterion == Criterion::gini},
                        gains);
    const double* const best = std::max_element(gains, gains + rules_.n_points);  // the first of equal ones
    if (*best > -std::numeric_limits<double>::infinity()) {
      const double at = least + step * double(best - gains + 1);
      for (std::size_t c = 0; c < C; ++c) {
        const double below = weight_below(table_.number(k, int(c)), at);
        branches_[c] = below;
        branches_[C + c] = before_[c] - below;
      }
      consider({Split::Kind::threshold, features_.numeric[k], 2, 0, at});
    }
    end_feature();
  }

  // One branch per value, and each value against all others. With one branch per value each branch must have had a grace
  // period of records on average: otherwise hundreds of values would leave a leaf nothing to learn from.
  void try_values(std::size_t k) {
    const Values& values = table_.values(k);
    const int n = int(values.n_codes());
    start(std::max(n, 2));
    for (int c = 0; c < n_classes_; ++c) before_[std::size_t(c)] = values.weight[std::size_t(c)];
    begin_feature();
    const bool enough = rules_.moa_densities || known_ >= rules_.grace * values.n_seen;
    if (!rules_.binary && n >= 2 && enough) {
      for (int v = 0; v < n; ++v)
        for (int c = 0; c < n_classes_; ++c)
          branches_[std::size_t(v * n_classes_ + c)] = values.count[std::size_t(c) * values.width + std::size_t(v)];
      consider({Split::Kind::values, features_.nominal[k], n, 0, 0});
    }
    for (int v = 0; v < n; ++v) {
      for (int c = 0; c < n_classes_; ++c) {
        const double of_value = values.count[std::size_t(c) * values.width + std::size_t(v)];
        branches_[std::size_t(c)] = of_value;
        branches_[std::size_t(n_classes_ + c)] = before_[std::size_t(c)] - of_value;
      }
      consider({Split::Kind::value, features_.nominal[k], 2, 0, double(v)});
    }
    end_feature();
  }

 private:
  const TreeRules& rules_;
  const FeatureTable<RangedMoments>& table_;
  const Features& features_;
  int n_classes_;
  double weight_ = 0;               // of all records
  double known_ = 0;                // of those whose value is not missing
  double impurity_ = 0;             // of those
  std::vector<double> before_;      // [class], of those
  std::vector<double> branches_;    // [branch][class], of the current split
  std::vector<double> of_classes_;  // what is known of each class of a feature, and the gains of thresholds
  Division best_, of_feature_;
  double second_ = 0;               // making no split has gain 0

  static double weight_below(const RangedMoments& g, double at) {
    if (!(g.weight > 0) || at < g.least) return 0;
    if (at >= g.most) return g.weight;
    const double variance = g.m2 / (g.weight > 1 ? g.weight - 1 : g.weight);
    if (!(variance > 0)) return g.mean <= at ? g.weight : 0;
    return g.weight * 0.5 * elementary::erfc((g.mean - at) / std::sqrt(2 * variance));
  }

  void start(int n_branches) {
    before_.resize(std::size_t(n_classes_));
    branches_.resize(std::size_t(n_branches) * std::size_t(n_classes_));
  }
  void begin_feature() {
    known_ = 0;
    for (double w : before_) known_ += w;
    impurity_ = impurity(rules_.criterion, before_.data(), n_classes_, known_);
    of_feature_.gain = -std::numeric_limits<double>::infinity();
  }

  // Its gain, times the share of records whose value is known (as in C4.5).
  void consider(Split split) {
    int n_large = 0;
    double after = 0, largest = -1;
    for (int b = 0; b < split.n_branches; ++b) {
      const double* counts = branches_.data() + b * n_classes_;
      double weight = 0;
      for (int c = 0; c < n_classes_; ++c) weight += counts[c];
      if (weight > largest) {
        largest = weight;
        split.fallback = b;
      }
      n_large += weight > rules_.least_share * known_;
      after += weight * impurity(rules_.criterion, counts, n_classes_, weight);
    }
    if (n_large < 2) return;
    const double gain = (impurity_ - after / known_) * (known_ / weight_);
    if (!(gain > of_feature_.gain)) return;
    of_feature_.gain = gain;
    of_feature_.split = split;
    of_feature_.counts.assign(branches_.begin(), branches_.begin() + split.n_branches * n_classes_);
  }

  void end_feature() {
    if (of_feature_.gain > best_.gain) {
      second_ = std::max(second_, best_.gain);
      std::swap(best_, of_feature_);
    } else {
      second_ = std::max(second_, of_feature_.gain);
    }
  }
};

}  // namespace prequential
