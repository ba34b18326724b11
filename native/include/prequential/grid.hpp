// Counts of what was predicted, under several forgettings in one pass: every record is judged once (judge.hpp), every
// forgetting counts its outcome, and at every checkpoint the counts are copied.
#pragma once
#include <cmath>
#include <limits>

#include "prequential/adwin_window.hpp"
#include "prequential/cumulative.hpp"
#include "prequential/exponential_histogram.hpp"
#include "prequential/fading.hpp"
#include "prequential/judge.hpp"
#include "prequential/sliding.hpp"

namespace prequential {

struct Snapshots {
  std::vector<double> head;    // one row per checkpoint: records, time, unlabelled, abstained, of these not finite
  std::vector<double> counts;  // one row per checkpoint: for every forgetting, its matrix and tallies
};

class Grid {
 public:
  static constexpr int kHead = 5;

  // probabilities: keep log-loss and Brier score. skip: leave abstentions out instead of counting them wrong. ranks:
  // which metrics of the order of scores to keep, and of which class. n_own: how many losses each record brings with it.
  Grid(int n_classes, bool regression, bool probabilities, bool skip, const RankRules& ranks = {}, int n_own = 0)
      : judge_(n_classes, regression, probabilities, skip, ranks.wanted, n_own), ranks_(ranks) {
    if (ranks.positive < RankRules::kNotSeen || ranks.positive >= std::max(1, this->n_classes()))
      throw std::invalid_argument("positive must be the code of a class, -1 for none, or -2 for one not seen yet");
  }

  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  void add_cumulative() { parts_.push_back(std::make_unique<Cumulative>(n_classes(), n_losses(), rank_rules())); }
  void add_sliding(double records, double seconds) {
    check_window(records, seconds);
    parts_.push_back(std::make_unique<Sliding>(n_classes(), n_losses(), records, seconds, rank_rules()));
  }
  void add_exponential_histogram(double records, double seconds, double error) {
    check_window(records, seconds);
    if (!(error > 0 && error < 1)) throw std::invalid_argument("error must lie in (0, 1)");
    parts_.push_back(std::make_unique<ExponentialHistogram>(n_classes(), n_losses(), records, seconds, error,
                                                            regression()));
  }
  void add_fading(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) throw std::invalid_argument("alpha must be in (0, 1]");
    parts_.push_back(std::make_unique<Fading>(n_classes(), n_losses(), alpha, rank_rules()));
  }
  void add_adwin(double delta, double largest, bool theorem3) {
    if (!(largest > 0 && largest <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("largest must be a finite number above 0");
    AdwinRules rules;
    rules.delta = delta;
    rules.theorem3 = theorem3;
    parts_.push_back(std::make_unique<AdwinWindow>(n_classes(), n_losses(), rules, largest));
  }

  void keep_verdicts() { judge_.keep_verdicts(); }
  std::vector<std::uint8_t> take_verdicts() { return judge_.take_verdicts(); }

  int n_classes() const { return judge_.n_classes(); }
  int n_losses() const { return judge_.n_losses(); }
  int n_own() const { return judge_.n_own(); }
  std::uint64_t n_seen() const { return judge_.n_seen(); }
  bool regression() const { return judge_.regression(); }
  std::size_t n_parts() const { return parts_.size(); }
  std::size_t width() const {
    return std::size_t(n_classes()) * (n_classes() + 1) + kLosses + n_losses() + (judge_.ranks() ? 2 * kRanks : 0);
  }

  // The positive class, once it has appeared.
  void set_positive(int code) {
    if (code == ranks_.positive || regression()) return;
    if (ranks_.positive != RankRules::kNotSeen) throw std::invalid_argument("the grid has a positive class already");
    grow(code + 1);
    ranks_.positive = code;
    for (auto& part : parts_) part->set_positive(code);
  }
  // The records of a forgetting in the order of their scores; null if it does not keep them.
  RankWindow* ranks(std::size_t part) { return parts_.at(part)->ranks(); }

  void grow(int n_classes) {
    if (regression() || n_classes <= this->n_classes()) return;
    for (auto& part : parts_) part->grow(n_classes);
    judge_.grow(n_classes);
  }

  // every: records between snapshots, 0 for none.
  void update(const Predictions& p, std::uint64_t every, Snapshots& snapshots) {
    judge_.reserve(p.n);
    for (std::size_t i = 0; i < p.n;) {
      std::size_t stop = std::min(p.n, i + Judge::kMost);
      if (every > 0) stop = std::size_t(std::min<std::uint64_t>(stop, i + every - n_seen() % every));
      step(p, i, stop);
      i = stop;
      if (every > 0 && n_seen() % every == 0) snapshot(snapshots);
    }
  }

  // Labels that came before the first record to be counted: only the baselines learn them.
  void prime(const std::int64_t* y, const double* weight, const double* time, std::size_t n) {
    judge_.reserve(n);
    for (std::size_t i = 0; i < n; i += Judge::kMost) {
      judge_.prime(y, weight, time, i, std::min(n, i + Judge::kMost));
      count();
    }
  }

  void snapshot(Snapshots& to) const {
    const auto head = judge_.head();
    to.head.insert(to.head.end(), head.begin(), head.end());
    const std::size_t at = to.counts.size();
    to.counts.resize(at + parts_.size() * width(), std::numeric_limits<double>::quiet_NaN());  // ranks, without a window
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k]->read(&to.counts[at + k * width()]);
  }

  // Append the records of `later`, which began empty. If that is impossible, nothing is changed.
  void merge(const Grid& later) {
    judge_.check_same(later.judge_);
    if (later.n_parts() != n_parts()) throw std::invalid_argument("the two grids have different forgettings");
    const int most = std::max(n_classes(), later.n_classes());
    const int positive = later.ranks_.positive == RankRules::kNotSeen ? ranks_.positive : later.ranks_.positive;
    if (later.ranks_.paper != ranks_.paper || (positive != ranks_.positive && ranks_.positive != RankRules::kNotSeen))
      throw std::invalid_argument("the two grids rank scores by different rules");
    const Seam seam = seam_to(later);
    std::vector<std::unique_ptr<Forgetting>> merged;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      auto part = parts_[k]->clone(), its = later.parts_[k]->clone();
      if (most > n_classes()) part->grow(most);
      if (most > later.n_classes()) its->grow(most);
      part->set_positive(positive);
      its->set_positive(positive);
      if (seam.n_earlier == 0 && seam.shift == 0) {
        part = std::move(its);
      } else if (seam.n_later > 0) {
        part->merge(*its, seam);
      }
      if (!std::isnan(later.judge_.last_time())) part->advance(later.judge_.last_time());
      merged.push_back(std::move(part));
    }
    parts_ = std::move(merged);
    ranks_.positive = positive;
    judge_.grow(most);
    judge_.append(later.judge_);
    if (n_given_ == 0) {
      first_label_ = later.first_label_;
      first_weight_ = later.first_weight_;
      first_counts_ = later.first_counts_;
    }
    n_given_ += later.n_given_;
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this;
    for (const auto& part : parts_) n += part->nbytes();
    return n;
  }

  void write(Writer& to) const {
    judge_.write(to);
    to.put(ranks_.positive);
    to.put(n_given_);
    to.put(first_label_);
    to.put(first_weight_);
    to.put(first_counts_);
    for (const auto& part : parts_) part->write(to);
  }
  // Into a grid with the same forgettings.
  void load(Reader& from) {
    grow(judge_.load(from));
    load_positive(from.get<int>());
    n_given_ = from.get<std::uint64_t>();
    first_label_ = from.get<std::int64_t>();
    first_weight_ = from.get<double>();
    first_counts_ = from.get<bool>();
    for (auto& part : parts_) part->load(from);
    from.done();
  }

 private:
  Judge judge_;
  RankRules ranks_;
  std::vector<std::unique_ptr<Forgetting>> parts_;
  std::uint64_t n_given_ = 0;  // records given to the forgettings; the other three are about the first of them
  std::int64_t first_label_ = -1;
  double first_weight_ = 1;
  bool first_counts_ = false;

  // A regression has no classes to rank.
  RankRules rank_rules() const { return regression() ? RankRules{} : ranks_; }

  static void check_window(double records, double seconds) {
    if (!(records >= 1 && (std::isinf(records) || records == std::floor(records))))
      throw std::invalid_argument("records must be a whole number of at least 1, or infinite");
    if (!(seconds > 0)) throw std::invalid_argument("seconds must be a number above 0, or infinite");
    if (std::isinf(records) == std::isinf(seconds))
      throw std::invalid_argument("one of records and seconds must be finite, and not both");
  }

  void load_positive(int saved) {
    if (saved != ranks_.positive && ranks_.positive != RankRules::kNotSeen)
      throw std::invalid_argument("these bytes are the state of a grid with another positive class");
    if (saved < RankRules::kNotSeen || saved >= std::max(1, n_classes()))
      throw std::invalid_argument("damaged state: a positive class");
    if (saved >= 0) set_positive(saved);
  }

  Seam seam_to(const Grid& later) const {
    Seam seam;
    seam.n_earlier = n_given_;
    seam.n_later = later.n_given_;
    seam.no_change = later.first_counts_ && later.first_label_ == judge_.last_label();
    seam.weight = later.first_weight_;
    if (!std::isnan(judge_.origin()) && !std::isnan(later.judge_.origin()))
      seam.shift = later.judge_.origin() - judge_.origin();
    return seam;
  }

  void step(const Predictions& p, std::size_t from, std::size_t to) {
    try {
      judge_.judge(p, from, to);
    } catch (const Rejected&) {
      count();
      throw;
    }
    count();
    if (p.time && to > from)
      for (auto& part : parts_) part->advance(judge_.last_time());
  }
  void count() {
    const Outcomes& outcomes = judge_.outcomes();
    if (n_given_ == 0 && outcomes.n > 0) {
      first_label_ = outcomes.label[0];
      first_weight_ = outcomes.weighted ? outcomes.weight[0] : 1.0;
      first_counts_ = outcomes.cell[0] >= 0;
    }
    n_given_ += outcomes.n;
    for (auto& part : parts_) part->add(outcomes);
  }
};

}  // namespace prequential
