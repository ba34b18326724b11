// The records of a window with their scores, and the metrics of the order of scores: AUC, scored AUC, average
// precision, Hand and Till's M.
//
// Records are added at one end and dropped at the other. The order is updated when a metric is read: record by record
// if few have changed since, O(log w) each; by sorting if many have. So a run with a checkpoint at every record pays
// for a tree, and one with a checkpoint every thousand records pays for one sort per thousand records.
#pragma once
#include <array>
#include <memory>

#include "prequential/outcome.hpp"
#include "prequential/rank_rules.hpp"
#include "prequential/rank_tree.hpp"

namespace prequential {

class RankWindow {
 public:
  RankWindow(int n_classes, const RankRules& rules) : rules_(rules) { grow(n_classes); }
  RankWindow(const RankWindow& other) : RankWindow(other.n_classes_, other.rules_) { append(other); }
  RankWindow(RankWindow&&) = default;
  RankWindow& operator=(RankWindow&&) = default;

  std::size_t size() const { return std::size_t(next_ - first_); }

  void set_positive(int code) {
    if (code == rules_.positive) return;
    rules_.positive = code;
    forget_order();
  }

  // Add the youngest record. `keys` has one number per class; the first is NaN if the learner abstained. A record with
  // the label -1 takes a place in the window, but is not ranked.
  void push(int label, const double* keys, double weight) {
    if (std::size_t(next_ - held()) == label_.size()) allocate();
    if (weight != 1.0 && label >= 0 && !weighted_) {
      weighted_ = true;
      ordered_ = false;
    }
    const std::size_t at = place(next_++);
    label_[at] = label;
    weight_[at] = weight;
    std::copy_n(keys, n_classes_, keys_.data() + at * std::size_t(n_classes_));
  }

  // Add the records of a later window with the same number of classes.
  void append(const RankWindow& later) {
    for (std::uint64_t i = later.first_; i < later.next_; ++i) {
      const std::size_t at = later.place(i);
      push(later.label_[at], later.keys_.data() + at * std::size_t(n_classes_), later.weight_[at]);
    }
  }

  // Drop the oldest record.
  void pop() {
    ++first_;
    if (ordered_ && first_ - built_first_ > few()) ordered_ = false;
  }

  // The metrics, then the bounds on their errors: they are exact.
  void read(double* out) {
    for (int rank = 0; rank < kRanks; ++rank) {
      out[rank] = wanted(Rank(rank)) ? value(Rank(rank)) : kUndefined;
      out[kRanks + rank] = std::isnan(out[rank]) ? kUndefined : 0.0;
    }
  }

  double value(Rank rank) {
    if (n_classes_ < 2) return kUndefined;
    order();
    if (rank == kHandTill) return hand_till();
    double sum = 0;
    int n = 0;
    for (const RankTree& tree : one_against_rest_) {
      const double one = rank == kAuc         ? tree.auc()
                         : rank == kScoredAuc ? tree.scored_auc()
                                              : average_precision(tree);
      if (std::isnan(one)) continue;
      sum += one;
      ++n;
    }
    return n > 0 ? sum / n : kUndefined;
  }

  // Call `visit` with each score of a class, ascending, and the weights of its negatives and positives. An abstention
  // has an infinite score.
  template <class F>
  void walk(int code, F&& visit) {
    order();
    for (std::size_t k = 0; k < one_against_rest_.size(); ++k)
      if (ranked(k) == code) one_against_rest_[k].walk(visit);
  }

  void grow(int n_classes) {
    if (n_classes == n_classes_) return;
    std::vector<double> keys(label_.size() * std::size_t(n_classes));
    for (std::size_t at = 0; at < label_.size(); ++at)
      std::copy_n(keys_.data() + at * std::size_t(n_classes_), n_classes_, keys.data() + at * std::size_t(n_classes));
    keys_ = std::move(keys);
    n_classes_ = n_classes;
    forget_order();
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + (keys_.capacity() + weight_.capacity()) * sizeof(double) +
                    label_.capacity() * sizeof(std::int32_t) + pairwise_.capacity() * sizeof pairwise_[0] +
                    sorted_.capacity() * sizeof sorted_[0];
    for (const RankTree& tree : one_against_rest_) n += tree.nbytes();
    for (const auto& tree : pairwise_) n += tree ? tree->nbytes() : 0;
    return n;
  }

  void write(Writer& to) const {
    to.put(n_classes_);
    to.put(rules_.wanted);
    to.put(rules_.positive);
    to.put(rules_.paper);
    to.put(weighted_);
    to.put(ordered_);
    to.put(first_);
    to.put(next_);
    to.put(built_first_);
    to.put(built_next_);
    to.put(label_);
    to.put(weight_);
    to.put(keys_);
    to.put(std::uint64_t(one_against_rest_.size()));
    for (const RankTree& tree : one_against_rest_) tree.write(to);
    to.put(std::uint64_t(pairwise_.size()));
    for (const auto& tree : pairwise_) {
      to.put(bool(tree));
      if (tree) tree->write(to);
    }
  }
  void load(Reader& from) {
    const bool same = from.get<int>() == n_classes_ && from.get<unsigned>() == rules_.wanted &&
                      from.get<int>() == rules_.positive && from.get<bool>() == rules_.paper;
    if (!same) throw std::invalid_argument("these bytes are the state of a window of other ranks");
    weighted_ = from.get<bool>();
    ordered_ = from.get<bool>();
    first_ = from.get<std::uint64_t>();
    next_ = from.get<std::uint64_t>();
    built_first_ = from.get<std::uint64_t>();
    built_next_ = from.get<std::uint64_t>();
    from.get(label_);
    from.get(weight_, label_.size());
    from.get(keys_, label_.size() * std::size_t(n_classes_));
    const auto n_trees = from.get<std::uint64_t>();
    bool sound = first_ <= next_ && (label_.size() & (label_.size() - 1)) == 0 &&
                 (!ordered_ || (built_first_ <= built_next_ && built_first_ <= first_ && built_next_ <= next_)) &&
                 next_ - held() <= label_.size() && (n_trees == 0 || n_trees == n_rest());
    for (std::int32_t label : label_) sound = sound && label >= -1 && label < n_classes_;
    if (!sound || (ordered_ && n_trees != n_rest())) throw std::invalid_argument("damaged state: a window of ranks");
    one_against_rest_.assign(n_trees, RankTree(rules_.paper, wanted(kScoredAuc), weighted_));
    for (RankTree& tree : one_against_rest_) tree.load(from);
    const auto n_pairs = from.get<std::uint64_t>();
    if (n_pairs != 0 && (n_pairs != n_pairwise() || n_trees != n_rest()))
      throw std::invalid_argument("damaged state: a window of ranks");
    if (ordered_ && n_pairs != n_pairwise()) throw std::invalid_argument("damaged state: a window of ranks");
    pairwise_.clear();
    pairwise_.resize(n_pairs);
    for (auto& tree : pairwise_) {
      if (!from.get<bool>()) continue;
      tree = std::make_unique<RankTree>(rules_.paper, false, weighted_);
      tree->load(from);
    }
  }

 private:
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  int n_classes_ = 0;
  RankRules rules_;
  bool weighted_ = false;
  bool ordered_ = false;                // the trees hold the records from built_first_ to built_next_
  std::uint64_t first_ = 0, next_ = 0;  // numbers of the oldest record and of the next one
  std::uint64_t built_first_ = 0, built_next_ = 0;
  std::vector<std::int32_t> label_;  // a ring, its length a power of two
  std::vector<double> weight_, keys_;
  std::vector<RankTree> one_against_rest_;           // one tree per class that is ranked: see `ranked`
  std::vector<std::unique_ptr<RankTree>> pairwise_;  // [positive class][negative class], for Hand and Till
  std::vector<std::pair<double, std::uint64_t>> sorted_;

  bool wanted(Rank rank) const { return rules_.wanted >> rank & 1; }
  bool has_positive() const { return rules_.positive >= 0; }
  // The number of classes that are ranked against the rest, and the k-th of them.
  std::size_t n_rest() const {
    if (n_classes_ < 2 || rules_.positive == RankRules::kNotSeen) return 0;
    return has_positive() || n_classes_ == 2 ? 1 : std::size_t(n_classes_);
  }
  int ranked(std::size_t k) const { return has_positive() ? rules_.positive : n_classes_ == 2 ? 1 : int(k); }
  std::size_t n_pairwise() const { return wanted(kHandTill) ? std::size_t(n_classes_) * n_classes_ : 0; }

  // Up to this many changes are faster one by one than by sorting.
  std::uint64_t few() const { return 16 + size() / 4; }
  // The oldest record whose scores are still needed.
  std::uint64_t held() const { return ordered_ ? built_first_ : first_; }
  std::size_t place(std::uint64_t arrival) const { return std::size_t(arrival) & (label_.size() - 1); }

  // The trees are useless now.
  void forget_order() {
    ordered_ = false;
    one_against_rest_.clear();
    pairwise_.clear();
  }

  void allocate() {
    const std::size_t capacity = std::max<std::size_t>(64, 2 * label_.size());
    std::vector<std::int32_t> label(capacity);
    std::vector<double> weight(capacity), keys(capacity * std::size_t(n_classes_));
    for (std::uint64_t a = held(); a < next_; ++a) {
      const std::size_t from = place(a), to = std::size_t(a) & (capacity - 1);
      label[to] = label_[from];
      weight[to] = weight_[from];
      std::copy_n(keys_.data() + from * std::size_t(n_classes_), n_classes_, keys.data() + to * std::size_t(n_classes_));
    }
    label_ = std::move(label);
    weight_ = std::move(weight);
    keys_ = std::move(keys);
  }

  // An abstention is wrong in each of its pairs: below all others if positive, above all others if negative.
  double key(std::size_t at, int code) const {
    const double* keys = keys_.data() + at * std::size_t(n_classes_);
    if (!std::isnan(keys[0])) return keys[code];
    return label_[at] == code ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }

  RankTree& pair(int positive, int negative) {
    auto& tree = pairwise_[std::size_t(positive) * n_classes_ + negative];
    if (!tree) tree = std::make_unique<RankTree>(rules_.paper, false, weighted_);
    return *tree;
  }

  // Update the trees.
  void order() {
    if (!ordered_) return build();
    const std::uint64_t left = std::min(first_, built_next_), come = std::max(first_, built_next_);
    if (left - built_first_ + (next_ - come) > few()) return build();
    bool sound = true;
    for (std::uint64_t a = built_first_; a < left; ++a)
      change(place(a), [&](RankTree& tree, double score, bool positive, double weight) {
        sound = tree.remove(score, positive, weight) && sound;
      });
    for (std::uint64_t a = come; a < next_; ++a)
      change(place(a), [&](RankTree& tree, double score, bool positive, double weight) {
        tree.insert(score, positive, weight);
      });
    built_first_ = first_;
    built_next_ = next_;
    // Sums of weights of one score are compensated, and summed again now and then.
    if (!sound || (weighted_ && subtracted() > size())) build();
  }

  template <class F>
  void change(std::size_t at, F&& what) {
    const int y = label_[at];
    if (y < 0) return;
    for (std::size_t k = 0; k < one_against_rest_.size(); ++k) {
      const int c = ranked(k);
      what(one_against_rest_[k], key(at, c), y == c, weight_[at]);
    }
    if (pairwise_.empty()) return;
    for (int c = 0; c < n_classes_; ++c) {
      if (c == y) continue;
      what(pair(y, c), key(at, y), true, weight_[at]);
      what(pair(c, y), key(at, c), false, weight_[at]);
    }
  }

  std::size_t subtracted() const {
    std::size_t most = 0;
    for (const RankTree& tree : one_against_rest_) most = std::max(most, tree.n_subtracted());
    return most;
  }

  void build() {
    one_against_rest_.resize(n_rest(), RankTree(rules_.paper, wanted(kScoredAuc), weighted_));
    for (RankTree& tree : one_against_rest_) {
      tree.clear();
      tree.weigh(weighted_);
    }
    pairwise_.clear();
    pairwise_.resize(n_pairwise());
    for (int c = 0; c < n_classes_; ++c) {
      const std::size_t at = has_positive() || n_classes_ == 2 ? 0 : std::size_t(c);
      const bool rest = n_rest() > 0 && ranked(at) == c;
      if (!rest && pairwise_.empty()) continue;
      sorted_.clear();
      for (std::uint64_t a = first_; a < next_; ++a)
        if (label_[place(a)] >= 0) sorted_.emplace_back(key(place(a), c), a);
      std::sort(sorted_.begin(), sorted_.end());
      for (const auto& [score, a] : sorted_) {
        const int y = label_[place(a)];
        const double w = weight_[place(a)];
        if (rest) one_against_rest_[at].append(score, y == c, w);
        if (pairwise_.empty()) continue;
        if (y != c) {
          pair(c, y).append(score, false, w);
        } else {
          for (int other = 0; other < n_classes_; ++other)
            if (other != c) pair(c, other).append(score, true, w);
        }
      }
    }
    for (RankTree& tree : one_against_rest_) tree.finish();
    for (auto& tree : pairwise_)
      if (tree) tree->finish();
    built_first_ = first_;
    built_next_ = next_;
    ordered_ = true;
  }

  // The mean of (A(i|j) + A(j|i)) / 2 over all pairs of classes in the window (Hand and Till 2001).
  double hand_till() const {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < n_classes_; ++i)
      for (int j = 0; j < i; ++j) {
        const auto &one = pairwise_[std::size_t(i) * n_classes_ + j], &other = pairwise_[std::size_t(j) * n_classes_ + i];
        if (!one || !other) continue;
        const double both = (one->auc() + other->auc()) / 2;
        if (std::isnan(both)) continue;
        sum += both;
        ++n;
      }
    return n > 0 ? sum / n : kUndefined;
  }

  // Over all scores, from the highest down: the sum of the gain in recall times the precision.
  static double average_precision(const RankTree& tree) {
    if (tree.n_records(true) == 0) return kUndefined;
    std::vector<std::array<double, 2>> groups;
    tree.walk([&](double, double n, double p) { groups.push_back({n, p}); });
    double n = 0, p = 0, sum = 0;
    for (std::size_t k = groups.size(); k-- > 0;) {
      n += groups[k][0];
      p += groups[k][1];
      if (groups[k][1] > 0) sum += groups[k][1] * (p / (n + p));
    }
    return std::min(1.0, sum / p);
  }
};

}  // namespace prequential
