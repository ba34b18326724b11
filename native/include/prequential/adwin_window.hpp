// The window of ADWIN as a forgetting: the longest run of recent records whose mean loss shows no change, and every
// metric over these records (Bifet, De Francisci Morales, Read, Holmes and Pfahringer 2015).
//
// ADWIN keeps the losses in buckets of 1, 2, 4, … records. A large bucket holds the counts of its records. The records
// of small buckets, the youngest, are kept one by one, so that a record costs O(1) with any number of classes, and
// memory is O(classes² log width). Nothing is subtracted when the window shrinks: its counts are summed again over what
// is left, so rounding errors do not add up.
#pragma once
#include "prequential/adwin.hpp"
#include "prequential/forgetting.hpp"

namespace prequential {

class AdwinWindow final : public Forgetting {
 public:
  // The loss is 0 or 1; in regression, the absolute error divided by `largest`, at most 1.
  AdwinWindow(int n_classes, int n_losses, const AdwinRules& rules, double largest)
      : n_classes_(n_classes), n_losses_(n_losses), largest_(largest), sums_(width()), adwin_(rules) {
    while ((std::size_t(1) << dense_level_) < width() && dense_level_ < kMostDense) ++dense_level_;
  }

  void add(const Outcomes& o) override {
    if (o.counts() && n_classes_ > 0) {
      count(o);
    } else {
      for (std::size_t i = 0; i < o.n; ++i) insert(o, i, o.weighted ? o.weight[i] : 1.0);
    }
  }

  void read(double* out) const override {
    for (std::size_t k = 0; k < cells(); ++k) *out++ = sums_[k].value();
    for (std::size_t k = cells() + n_classes_; k < width(); ++k) *out++ = sums_[k].value();
    out[-n_losses_ - 1] = double(n_alarms_);
  }

  void grow(int n_classes) override {
    for (Young& one : young_)
      if (one.cell >= 0) {
        const int prediction = one.cell - one.label * (n_classes_ + 1);
        one.cell = one.label * (n_classes + 1) + (prediction == n_classes_ ? n_classes : prediction);
      }
    sums_ = relaid(sums_, n_classes);
    for (auto& row : rows_) row = relaid(row, n_classes);
    n_classes_ = n_classes;
  }

  std::size_t nbytes() const override {
    std::size_t n = sizeof *this + adwin_.nbytes() + young_.capacity() * sizeof(Young) +
                    young_losses_.capacity() * sizeof(double) + sums_.capacity() * sizeof(Sum) +
                    free_.capacity() * sizeof(std::int32_t) + rows_.capacity() * sizeof(std::vector<double>) +
                    levels_.capacity() * sizeof(std::vector<std::int32_t>);
    for (const auto& row : rows_) n += row.capacity() * sizeof(double);
    for (const auto& level : levels_) n += level.capacity() * sizeof(std::int32_t);
    return n;
  }

  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(n_losses_);
    to.put(largest_);
    to.put(dense_level_);
    to.put(majority_);
    to.put(n_alarms_);
    to.put(sums_);
    to.put(std::vector<Young>(young_.begin() + std::ptrdiff_t(first_), young_.end()));
    to.put(std::vector<double>(young_losses_.begin() + std::ptrdiff_t(first_ * n_losses_), young_losses_.end()));
    adwin_.write(to);
    to.put(std::uint64_t(levels_.size()));
    for (const auto& level : levels_) {
      to.put(std::uint64_t(level.size()));
      for (std::int32_t row : level) to.put(rows_[row]);
    }
  }
  void load(Reader& from) override {
    if (from.get<int>() != n_classes_ || from.get<int>() != n_losses_ || from.get<double>() != largest_)
      throw std::invalid_argument("these bytes are the state of another window");
    dense_level_ = from.get<int>();
    majority_ = checked_majority(from.get<int>(), n_classes_);
    n_alarms_ = from.get<std::uint64_t>();
    from.get(sums_, width());
    from.get(young_);
    from.get(young_losses_, young_.size() * n_losses_);
    first_ = 0;
    adwin_.load(from);
    rows_.clear();
    free_.clear();
    levels_.assign(checked_size(from.get<std::uint64_t>(), 64), {});
    bool sound = dense_level_ >= 0 && dense_level_ <= kMostDense;
    for (std::size_t k = 0; sound && k < levels_.size(); ++k) {
      const auto n = from.get<std::uint64_t>();
      sound = n == adwin_.n_buckets(dense_level_ + k);
      for (std::uint64_t i = 0; sound && i < n; ++i) {
        levels_[k].push_back(std::int32_t(rows_.size()));
        from.get(rows_.emplace_back(), width());
      }
    }
    if (!sound || !young_fit()) throw std::invalid_argument("damaged state: a window");
  }

  std::unique_ptr<Forgetting> clone() const override { return std::make_unique<AdwinWindow>(*this); }
  void merge(Forgetting&, const Seam&) override {
    throw std::invalid_argument("an ADWIN window cannot be merged: which records it holds depends on the order of its cuts");
  }

  // Called by ADWIN: pairs of the oldest buckets were merged, the oldest bucket was dropped.
  void merged(std::size_t k, std::size_t n) {
    if (int(k) + 1 < dense_level_) return;
    const std::size_t level = k + 1 - dense_level_;
    if (levels_.size() <= level) levels_.resize(level + 1);
    for (; n > 0; --n) {
      if (level == 0) {
        levels_[0].push_back(collect(std::uint64_t(1) << dense_level_));
        continue;
      }
      auto& from = levels_[level - 1];
      const std::int32_t older = from[0], younger = from[1];
      for (std::size_t j = 0; j < width(); ++j) rows_[older][j] += rows_[younger][j];
      free_.push_back(younger);
      from.erase(from.begin(), from.begin() + 2);
      levels_[level].push_back(older);
    }
  }
  void dropped(std::size_t k) {
    if (int(k) < dense_level_) {
      take(std::uint64_t(1) << k, nullptr);
    } else {
      auto& level = levels_[k - dense_level_];
      free_.push_back(level.front());
      level.erase(level.begin());
    }
  }

 private:
  enum : std::uint8_t { kMajority = 1, kNoChange = 2 };
  static constexpr int kMostDense = 12;
  static constexpr std::size_t kMostAtOnce = 64;

  struct Young {  // a record of a small bucket
    std::int32_t cell;
    std::uint16_t label, hits;
    double weight;
  };

  int n_classes_, n_losses_;
  double largest_;
  int dense_level_ = 5;
  int majority_ = -1;
  std::uint64_t n_alarms_ = 0;
  std::vector<Sum> sums_;                  // over the window: matrix, labels, tallies and losses
  std::vector<Young> young_;               // from first_ on, oldest first
  std::vector<double> young_losses_;
  std::size_t first_ = 0;
  std::vector<std::vector<double>> rows_;           // laid out as the sums
  std::vector<std::int32_t> free_;                  // of these, the unused ones
  std::vector<std::vector<std::int32_t>> levels_;   // rows of the large buckets, by size from 2^dense_level_ on, oldest first
  Adwin adwin_;

  std::size_t cells() const { return std::size_t(n_classes_) * (n_classes_ + 1); }
  std::size_t width() const { return cells() + n_classes_ + kLosses + n_losses_; }
  Sum& label_sum(int y) { return sums_[cells() + y]; }

  // The majority class after class y has gained weight.
  int heavier(int y) {
    const double mine = label_sum(y).value();
    if (majority_ < 0) return mine > 0 ? y : -1;
    const double best = label_sum(majority_).value();
    return mine > best || (mine == best && y < majority_) ? y : majority_;
  }

  // Records with weight 1 and without losses. ADWIN checks its window now and then: what depends on the order is done
  // from one check to the next, the rest for all records since the last alarm.
  void count(const Outcomes& o) {
    Sum* labels = &sums_[cells()];
    std::int32_t majority_hits = 0, no_change_hits = 0;
    std::size_t since = 0;
    Young young[kMostAtOnce];
    double losses[kMostAtOnce];
    std::uint8_t hits[kMostAtOnce];
    for (std::size_t i = 0; i < o.n;) {
      const std::size_t n = std::min({o.n - i, adwin_.room(), kMostAtOnce});
      if (o.plain && majority_ >= 0) {
        majority_hits += watch_two(&o.plain_cell[i], n, hits);
      } else {
        for (std::size_t k = 0; k < n; ++k) {
          const int y = o.label[i + k];
          hits[k] = majority_ == y;
          majority_hits += hits[k];
          labels[y].count(1);
          majority_ = heavier(y);
        }
      }
      for (std::size_t k = 0; k < n; ++k) {
        const int y = o.label[i + k], cell = o.cell[i + k], no_change = o.no_change[i + k];
        no_change_hits += no_change;
        young[k] = {cell, std::uint16_t(y), std::uint16_t(hits[k] | no_change << 1), 1.0};
        losses[k] = cell != y * (n_classes_ + 2);
      }
      young_.insert(young_.end(), young, young + n);
      i += n;
      if (adwin_.update(losses, n, *this)) {
        ++n_alarms_;
        add_up();
        since = i;
        majority_hits = no_change_hits = 0;
      }
    }
    if (o.plain) {
      tally_plain(sums_, &o.plain_cell[since], o.n - since, 1);
    } else {
      tally(sums_, &o.cell[since], o.n - since, 1);
    }
    Sum* tallies = labels + n_classes_;
    tallies[kMajorityHits].count(majority_hits);
    tallies[kNoChangeHits].count(no_change_hits);
    tallies[kWeight].count(double(o.n - since));
    tallies[kRecords].count(double(o.n - since));
  }

  // The labels of plain records (two classes): whether the majority class before each was right, and how often.
  int watch_two(const std::uint8_t* cells_of, std::size_t n, std::uint8_t* hits) {
    Sum* labels = &sums_[cells()];
    std::int64_t ahead = std::int64_t(labels[1].high - labels[0].high);
    int found = 0, ones = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const int y = cells_of[k] >= 3, right = (ahead > 0) ^ y ^ 1;
      hits[k] = std::uint8_t(right);
      found += right;
      ones += y;
      ahead += 2 * y - 1;
    }
    labels[0].count(double(n) - ones);
    labels[1].count(ones);
    majority_ = ahead > 0;
    return found;
  }

  void insert(const Outcomes& o, std::size_t i, double w) {
    const int y = o.label[i];
    const double* losses = n_losses_ ? &o.losses[i * n_losses_] : nullptr;
    if (o.cell[i] < 0 && joins(y, w)) {
      label_sum(y).add(w);
      majority_ = heavier(y);
      return;
    }
    young_.push_back({o.cell[i], std::uint16_t(y),
                      std::uint16_t((majority_ == y ? kMajority : 0) | (o.no_change[i] ? kNoChange : 0)), w});
    if (losses) young_losses_.insert(young_losses_.end(), losses, losses + n_losses_);
    weigh(young_.back(), losses);
    if (n_classes_ > 0) majority_ = heavier(y);
    if (o.cell[i] < 0) return;
    const double loss = n_classes_ > 0 ? double(o.cell[i] != y * (n_classes_ + 2)) : std::min(1.0, losses[0] / largest_);
    if (adwin_.update(loss, *this)) {
      ++n_alarms_;
      add_up();
    }
  }

  // Records that only contribute their labels are kept with the next record that counts: one per class, with the weight
  // of all. So a learner that abstains for a long time costs no memory.
  bool joins(int y, double w) {
    for (std::size_t j = young_.size(); j-- > first_ && young_[j].cell < 0;)
      if (young_[j].label == y) {
        young_[j].weight += w;
        return true;
      }
    return false;
  }

  void weigh(const Young& one, const double* losses) {
    const double w = one.weight;
    Sum* tallies = &sums_[cells() + n_classes_];
    if (n_classes_ > 0) {
      label_sum(one.label).add(w);
      if (one.cell < 0) return;  // only a label: the record does not count
      sums_[one.cell].add(w);
      if (one.hits & kMajority) tallies[kMajorityHits].add(w);
      if (one.hits & kNoChange) tallies[kNoChangeHits].add(w);
    }
    tallies[kWeight].add(w);
    tallies[kRecords].count(1);
    for (int k = 0; k < n_losses_; ++k) tallies[kLosses + k].add(w * losses[k]);
  }

  // The counts of the n oldest young records, and of those among them that are only labels.
  std::int32_t collect(std::uint64_t n) {
    if (free_.empty()) {
      free_.push_back(std::int32_t(rows_.size()));
      rows_.emplace_back();
    }
    const std::int32_t at = free_.back();
    free_.pop_back();
    rows_[at].assign(width(), 0.0);
    take(n, rows_[at].data());
    return at;
  }

  // Remove the n oldest young records, and add them to a row if there is one.
  void take(std::uint64_t n, double* row) {
    double majority_hits = 0, no_change_hits = 0, weight = 0, records = 0;
    for (; n > 0; ++first_) {
      const Young& one = young_[first_];
      n -= one.cell >= 0;
      if (!row) continue;
      if (n_classes_ > 0) row[cells() + one.label] += one.weight;
      if (one.cell < 0) continue;
      if (n_classes_ > 0) {
        row[one.cell] += one.weight;
        majority_hits += one.weight * (one.hits & kMajority);
        no_change_hits += one.weight * (one.hits >> 1);
      }
      weight += one.weight;
      records += 1;
      for (int k = 0; k < n_losses_; ++k)
        row[cells() + n_classes_ + kLosses + k] += one.weight * young_losses_[first_ * n_losses_ + k];
    }
    if (row) {
      double* tallies = row + cells() + n_classes_;
      tallies[kMajorityHits] = majority_hits;
      tallies[kNoChangeHits] = no_change_hits;
      tallies[kWeight] = weight;
      tallies[kRecords] = records;
    }
    if (first_ >= 1024) {
      young_.erase(young_.begin(), young_.begin() + std::ptrdiff_t(first_));
      young_losses_.erase(young_losses_.begin(), young_losses_.begin() + std::ptrdiff_t(first_ * n_losses_));
      first_ = 0;
    }
  }

  void add_up() {
    std::fill(sums_.begin(), sums_.end(), Sum{});
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
      for (std::int32_t row : *level)
        for (std::size_t k = 0; k < width(); ++k) sums_[k].add(rows_[row][k]);
    for (std::size_t i = first_; i < young_.size(); ++i)
      weigh(young_[i], n_losses_ ? &young_losses_[i * n_losses_] : nullptr);
    majority_ = -1;
    for (int y = 0; y < n_classes_; ++y) majority_ = heavier(y);
  }

  // The same counts, laid out for more classes.
  template <class T>
  std::vector<T> relaid(const std::vector<T>& from, int n_classes) const {
    const auto at = from.begin() + std::ptrdiff_t(cells());
    std::vector<T> to = grown(std::vector<T>(from.begin(), at), n_classes_, n_classes);
    to.insert(to.end(), at, at + n_classes_);
    to.resize(to.size() + std::size_t(n_classes - n_classes_));
    to.insert(to.end(), at + n_classes_, from.end());
    return to;
  }

  static std::size_t checked_size(std::uint64_t n, std::uint64_t most) {
    if (n > most) throw std::invalid_argument("damaged state: a window");
    return std::size_t(n);
  }

  bool young_fit() const {
    std::uint64_t n_waiting = 0, n_small = 0;
    for (const Young& one : young_) {
      const std::int64_t prediction = std::int64_t(one.cell) - std::int64_t(one.label) * (n_classes_ + 1);
      if (one.label >= std::max(1, n_classes_)) return false;
      if (one.cell != -1 && (prediction < 0 || prediction > n_classes_)) return false;
      n_waiting += one.cell >= 0;
    }
    for (int k = 0; k < dense_level_; ++k) n_small += std::uint64_t(adwin_.n_buckets(k)) << k;
    const std::size_t n_large = adwin_.n_rows() > std::size_t(dense_level_) ? adwin_.n_rows() - dense_level_ : 0;
    return n_waiting == n_small && n_large <= levels_.size();
  }
};

}  // namespace prequential
