// A window over the last w records, or over those of the last s seconds.
//
// Counts are added and subtracted exactly. Losses are real numbers of any size, and subtracting a huge one would leave
// a lasting rounding error, so no loss is ever subtracted. The window has two parts: each record of the older part
// holds the sum from itself to the end of that part, so the oldest can just be dropped; the younger part has one
// running sum. When the older part is empty, the whole window becomes the older part: O(1) per record on average.
// Weights are summed again then.
//
// The file is long because plain windows of two classes have a path of their own, many records at a time, and because
// merging two windows needs all of their state.
#pragma once
#include <optional>

#include "prequential/forgetting.hpp"
#include "prequential/rank_window.hpp"

namespace prequential {

class Sliding final : public Forgetting {
 public:
  // One of the two limits is infinite.
  Sliding(int n_classes, int n_losses, double records, double seconds, const RankRules& ranks = {})
      : n_classes_(n_classes), n_losses_(n_losses), records_(records), seconds_(seconds),
        matrix_(std::size_t(n_classes) * (n_classes + 1)), labels_(n_classes), tallies_(kLosses), younger_(n_losses) {
    if (std::isfinite(records)) allocate(std::size_t(std::min(records, 1024.0)));
    if (ranks.wanted) ranks_.emplace(n_classes, ranks);
  }

  void add(const Outcomes& o) override {
    std::size_t i = 0;
    while (i < o.n) {
      if (o.plain && n_classes_ == 2 && !weighted_ && n_odd_ + n_unknown_ == 0 && double(size_) == records_) {
        const std::size_t m = replace(o, i);
        if (ranks_) {
          for (std::size_t k = i; k < i + m; ++k) {
            ranks_->pop();
            ranks_->push(o.label[k], o.key(k), 1.0);
          }
        }
        i += m;
        continue;
      }
      if (o.weighted && !weighted_ && o.weight[i] != 1.0) start_weighing();
      if (timed()) advance(o.time[i]);
      const bool majority = majority_ >= 0 && majority_ == o.label[i];
      if (double(size_) == records_) evict();
      insert(o, i, std::uint8_t((majority ? kMajority : 0) | (o.no_change[i] ? kNoChange : 0)));
      ++i;
    }
  }

  void advance(double time) override {
    if (timed())
      while (size_ > 0 && !(ring_time_[first_] > time - seconds_)) evict();
  }

  void read(double* out) const override {
    for (const Sum& cell : matrix_) *out++ = std::max(0.0, cell.value());
    for (const Sum& tally : tallies_) *out++ = tally.value();
    if (n_unknown_ > 0) out[kMajorityHits - kLosses] = kUnknown;
    for (int k = 0; k < n_losses_; ++k) {
      Sum sum = younger_[k];
      if (n_older_ > 0) sum.add(ring_losses_[first_ * n_losses_ + k]);
      *out++ = sum.value();
    }
    if (ranks_) ranks_->read(out);
  }

  void set_positive(int code) override {
    if (ranks_) ranks_->set_positive(code);
  }
  RankWindow* ranks() override { return ranks_ ? &*ranks_ : nullptr; }

  void grow(int n_classes) override {
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      if (ring_[k] < 0) continue;
      const int prediction = ring_[k] - ring_label_[k] * (n_classes_ + 1);
      ring_[k] = ring_label_[k] * (n_classes + 1) + (prediction == n_classes_ ? n_classes : prediction);
    }
    matrix_ = grown(matrix_, n_classes_, n_classes);
    labels_.resize(n_classes);
    if (weighted_) {
      in_cell_ = grown(in_cell_, n_classes_, n_classes);
      in_class_.resize(n_classes);
    }
    if (ranks_) ranks_->grow(n_classes);
    n_classes_ = n_classes;
  }

  std::size_t nbytes() const override {
    return sizeof *this + (ranks_ ? ranks_->nbytes() : 0) +
           (matrix_.capacity() + tallies_.capacity() + labels_.capacity() + younger_.capacity()) * sizeof(Sum) +
           (in_cell_.capacity() + in_class_.capacity()) * sizeof(std::int64_t) +
           (ring_.capacity() + ring_label_.capacity()) * sizeof(std::int32_t) + ring_hits_.capacity() +
           (ring_weight_.capacity() + ring_time_.capacity() + ring_losses_.capacity()) * sizeof(double);
  }

  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(n_losses_);
    to.put(records_);
    to.put(seconds_);
    to.put(weighted_);
    to.put(majority_);
    to.put(std::uint64_t(first_));
    to.put(std::uint64_t(size_));
    to.put(std::uint64_t(n_older_));
    to.put(matrix_);
    to.put(labels_);
    to.put(tallies_);
    to.put(younger_);
    to.put(in_cell_);
    to.put(in_class_);
    to.put(ring_);
    to.put(ring_label_);
    to.put(ring_hits_);
    to.put(ring_weight_);
    to.put(ring_time_);
    to.put(ring_losses_);
    if (ranks_) ranks_->write(to);
  }
  void load(Reader& from) override {
    const bool same = from.get<int>() == n_classes_ && from.get<int>() == n_losses_ &&
                      from.get<double>() == records_ && from.get<double>() == seconds_;
    if (!same) throw std::invalid_argument("these bytes are the state of another window");
    weighted_ = from.get<bool>();
    majority_ = checked_majority(from.get<int>(), n_classes_);
    first_ = from.get<std::uint64_t>();
    size_ = from.get<std::uint64_t>();
    n_older_ = from.get<std::uint64_t>();
    from.get(matrix_, std::size_t(n_classes_) * (n_classes_ + 1));
    from.get(labels_, n_classes_);
    from.get(tallies_, tallies_.size());
    from.get(younger_, n_losses_);
    from.get(in_cell_, weighted_ ? matrix_.size() : 0);
    from.get(in_class_, weighted_ ? labels_.size() : 0);
    from.get(ring_);
    from.get(ring_label_, ring_.size());
    from.get(ring_hits_, ring_.size());
    from.get(ring_weight_, ring_.size());
    from.get(ring_time_, timed() ? ring_.size() : 0);
    from.get(ring_losses_, ring_.size() * n_losses_);
    bool sound = size_ <= ring_.size() && n_older_ <= size_ && (first_ < ring_.size() || first_ == 0) &&
                 double(ring_.size()) <= records_;
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      const std::int64_t label = ring_label_[k], prediction = ring_[k] - label * (n_classes_ + 1);
      sound = sound && label >= 0 && label < std::max(1, n_classes_) &&
              (ring_[k] == -1 || (prediction >= 0 && prediction <= n_classes_));
    }
    if (!sound) throw std::invalid_argument("damaged state: a window");
    if (ranks_) ranks_->load(from);
    if (ranks_ && ranks_->size() != size_) throw std::invalid_argument("damaged state: a window");
    n_odd_ = n_unknown_ = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      n_odd_ += odd(ring_[place(j)]);
      n_unknown_ += (ring_hits_[place(j)] & kNotKnown) != 0;
    }
  }

  std::unique_ptr<Forgetting> clone() const override { return std::make_unique<Sliding>(*this); }

  // The youngest records of this window that still fit, then those of the later one. The majority hits of later records
  // that had labels of the earlier part in their window are unknown until these records have left.
  void merge(Forgetting& forgetting, const Seam& seam) override {
    auto& later = of_same_kind<Sliding>(forgetting);
    if (later.records_ != records_ || later.seconds_ != seconds_)
      throw std::invalid_argument("the two grids have different sliding windows");
    constexpr double never = -std::numeric_limits<double>::infinity();
    later.mark_unknown(seam, size_ > 0 && timed() ? ring_time_[place(size_ - 1)] : never);
    if (seam.no_change && later.size_ == seam.n_later) later.ring_hits_[later.first_] |= kNoChange;
    if (seam.shift != 0) later.shift_ring(seam.shift);
    if (weighted_ || later.weighted_) {
      if (!weighted_) start_weighing();
      if (!later.weighted_) later.start_weighing();
    }
    while (double(size_ + later.size_) > records_) evict();
    if (later.n_older_ > 0) join_older(later);
    const std::size_t before = size_;
    size_ += later.size_;
    n_odd_ += later.n_odd_;
    n_unknown_ += later.n_unknown_;
    if (size_ > ring_.size()) {
      const double more = std::max(double(size_), 2.0 * double(ring_.size()));
      allocate(std::size_t(std::min(records_, more)));
    }
    for (std::size_t j = 0; j < later.size_; ++j) copy(later, later.place(j), place(before + j));
    for (std::size_t k = 0; k < younger_.size(); ++k) younger_[k].add(later.younger_[k]);
    for (auto* sums : {&matrix_, &labels_, &tallies_}) std::fill(sums->begin(), sums->end(), Sum{});
    std::fill(in_cell_.begin(), in_cell_.end(), 0);
    std::fill(in_class_.begin(), in_class_.end(), 0);
    for (std::size_t j = 0; j < size_; ++j) {
      const std::size_t at = place(j);
      weigh(at, 1);
      if (!weighted_ || n_classes_ == 0) continue;
      if (ring_[at] >= 0) ++in_cell_[ring_[at]];
      ++in_class_[ring_label_[at]];
    }
    if (ranks_) ranks_->append(*later.ranks_);
    majority_ = heaviest(labels_);
  }

 private:
  // Which baselines were right, and whether the majority class was not known.
  enum : std::uint8_t { kMajority = 1, kNoChange = 2, kNotKnown = 4 };

  int n_classes_, n_losses_;
  double records_, seconds_;
  bool weighted_ = false;
  int majority_ = -1;
  std::vector<Sum> matrix_, labels_, tallies_;
  std::vector<Sum> younger_;                      // losses of the younger part
  std::vector<std::int64_t> in_cell_, in_class_;  // number of records in each sum, once records are weighted
  std::size_t first_ = 0, size_ = 0;              // the ring: oldest record, number of records
  std::size_t n_odd_ = 0;                         // of these, abstentions and records that do not count
  std::size_t n_unknown_ = 0;                     // of these, records whose majority class was not known
  std::size_t n_older_ = 0;                       // of these, records of the older part
  std::vector<std::int32_t> ring_, ring_label_;   // cells of the matrix, labels
  std::vector<std::uint8_t> ring_hits_;
  std::vector<double> ring_weight_, ring_time_, ring_losses_;
  mutable std::optional<RankWindow> ranks_;       // the same records with their scores, if needed; ordered when read

  // The learner abstained, or the record does not count.
  bool odd(std::int32_t cell) const { return n_classes_ > 0 && (cell < 0 || cell % (n_classes_ + 1) == n_classes_); }
  bool timed() const { return std::isfinite(seconds_); }

  void allocate(std::size_t capacity) {
    std::rotate(ring_.begin(), ring_.begin() + first_, ring_.end());
    std::rotate(ring_label_.begin(), ring_label_.begin() + first_, ring_label_.end());
    std::rotate(ring_hits_.begin(), ring_hits_.begin() + first_, ring_hits_.end());
    std::rotate(ring_weight_.begin(), ring_weight_.begin() + first_, ring_weight_.end());
    if (timed()) std::rotate(ring_time_.begin(), ring_time_.begin() + first_, ring_time_.end());
    std::rotate(ring_losses_.begin(), ring_losses_.begin() + first_ * n_losses_, ring_losses_.end());
    first_ = 0;
    ring_.resize(capacity);
    ring_label_.resize(capacity);
    ring_hits_.resize(capacity);
    ring_weight_.resize(capacity, 1.0);
    if (timed()) ring_time_.resize(capacity);
    ring_losses_.resize(capacity * n_losses_);
  }

  // Plain records into a full window: as many as fit before the end of the ring.
  std::size_t replace(const Outcomes& o, std::size_t from) {
    const std::size_t m = std::min(o.n - from, ring_.size() - first_);
    std::int32_t* cell = &ring_[first_];
    std::int32_t* label = &ring_label_[first_];
    std::uint8_t* hits = &ring_hits_[first_];
    if (m == size_) {  // the whole window is replaced
      std::fill(matrix_.begin(), matrix_.end(), Sum{});
    } else {
      tally_plain(matrix_, cell, m, -1);
    }
    tally_plain(matrix_, &o.plain_cell[from], m, 1);
    std::int64_t ahead = std::int64_t(labels_[1].high - labels_[0].high);
    std::int32_t gained = 0, majority_hits = 0, no_change_hits = 0;
    const std::int32_t* now = &o.label[from];
    const std::uint8_t* persistent = &o.no_change[from];
    for (std::size_t k = 0; k < m; ++k) gained += now[k] - label[k];
    for (std::size_t k = 0; k < m; ++k) no_change_hits += persistent[k] - (hits[k] >> 1);
    for (std::size_t k = 0; k < m; ++k) majority_hits -= hits[k] & kMajority;
    for (std::size_t k = 0; k < m; ++k) {  // the other loops are vectorised
      const int right = (ahead > 0) ^ now[k] ^ 1;
      majority_hits += right;
      ahead += 2 * (now[k] - label[k]);
      hits[k] = std::uint8_t(right | persistent[k] << 1);
    }
    std::copy_n(now, m, label);
    std::copy_n(&o.cell[from], m, cell);
    labels_[0].count(double(-gained));
    labels_[1].count(double(gained));
    tallies_[kMajorityHits].count(double(majority_hits));
    tallies_[kNoChangeHits].count(double(no_change_hits));
    majority_ = ahead > 0;
    first_ = first_ + m == ring_.size() ? 0 : first_ + m;
    return m;
  }

  void insert(const Outcomes& o, std::size_t i, std::uint8_t hits) {
    if (size_ == ring_.size())
      allocate(std::size_t(std::min(records_, std::max(1024.0, 2.0 * double(ring_.size())))));
    std::size_t at = first_ + size_;
    if (at >= ring_.size()) at -= ring_.size();
    ++size_;
    ring_[at] = o.cell[i];
    ring_label_[at] = o.label[i];
    ring_hits_[at] = hits;
    ring_weight_[at] = o.weighted ? o.weight[i] : 1.0;
    if (timed()) ring_time_[at] = o.time[i];
    for (int k = 0; k < n_losses_; ++k)
      younger_[k].add(ring_losses_[at * n_losses_ + k] = ring_weight_[at] * o.losses[i * n_losses_ + k]);
    weigh(at, 1);
    if (ranks_) ranks_->push(o.cell[i] < 0 ? -1 : o.label[i], o.key(i), ring_weight_[at]);
    if (n_classes_ == 0) return;
    n_odd_ += odd(o.cell[i]);
    if (weighted_) {
      if (o.cell[i] >= 0) ++in_cell_[o.cell[i]];
      ++in_class_[o.label[i]];
    }
    majority_ = heaviest(labels_, o.label[i], majority_);
  }

  void evict() {
    if (n_older_ == 0) turn();
    const std::size_t at = first_;
    if (++first_ == ring_.size()) first_ = 0;
    --size_;
    --n_older_;
    if (ranks_) ranks_->pop();
    n_odd_ -= odd(ring_[at]);
    n_unknown_ -= (ring_hits_[at] & kNotKnown) != 0;
    weigh(at, -1);
    if (weighted_ && n_classes_ > 0) {
      // A sum without records is exactly zero: a class without records must not seem present.
      if (ring_[at] >= 0 && --in_cell_[ring_[at]] == 0) matrix_[ring_[at]] = {};
      if (--in_class_[ring_label_[at]] == 0) labels_[ring_label_[at]] = {};
    }
    if (size_ == 0) {  // all sums of an empty window are exactly zero
      for (auto* sums : {&matrix_, &labels_, &tallies_}) std::fill(sums->begin(), sums->end(), Sum{});
      majority_ = -1;
    } else if (n_classes_ > 0 && ring_label_[at] == majority_) {
      majority_ = heaviest(labels_);
    }
  }

  // The whole window becomes its older part.
  void turn() {
    n_older_ = size_;
    if (n_losses_ > 0) {
      std::vector<Sum> sums(n_losses_);
      for (std::size_t j = size_; j-- > 0;)
        for (int k = 0; k < n_losses_; ++k) {
          double& loss = ring_losses_[place(j) * n_losses_ + k];
          sums[k].add(loss);
          loss = sums[k].value();
        }
      std::fill(younger_.begin(), younger_.end(), Sum{});
    }
    if (weighted_) {
      for (auto* sums : {&matrix_, &labels_, &tallies_}) std::fill(sums->begin(), sums->end(), Sum{});
      for (std::size_t j = 0; j < size_; ++j) weigh(place(j), 1);
    }
  }

  // Mark the later part of a merge. `last`: the time of the last record before it.
  void mark_unknown(const Seam& seam, double last) {
    if (n_classes_ == 0 || seam.n_earlier == 0) return;
    for (std::size_t j = 0; j < size_; ++j) {
      const std::size_t at = place(j);
      if (timed() ? last > ring_time_[at] - seconds_ : double(seam.n_later - size_ + j) < records_) {
        n_unknown_ += (ring_hits_[at] & kNotKnown) == 0;
        ring_hits_[at] = std::uint8_t((ring_hits_[at] & ~kMajority) | kNotKnown);
      }
    }
  }

  // Make targets relative to another origin. Losses of the older part are sums to its end.
  void shift_ring(double shift) {
    Sum weight;
    for (std::size_t j = size_; j-- > 0;) {
      const std::size_t at = place(j);
      if (j >= n_older_) {
        shift_targets(&ring_losses_[at * n_losses_], ring_weight_[at], shift);
      } else {
        weight.add(ring_weight_[at]);
        shift_targets(&ring_losses_[at * n_losses_], weight.value(), shift);
      }
    }
    std::fill(younger_.begin(), younger_.end(), Sum{});
    for (std::size_t j = n_older_; j < size_; ++j)
      for (int k = 0; k < n_losses_; ++k) younger_[k].add(ring_losses_[place(j) * n_losses_ + k]);
  }

  // Put this whole window before the older part of a later window: its sums continue to the end of that part.
  void join_older(const Sliding& later) {
    std::vector<Sum> tail(n_losses_), sums(n_losses_);
    for (int k = 0; k < n_losses_; ++k) {
      tail[k].add(later.ring_losses_[later.first_ * n_losses_ + k]);
      sums[k] = tail[k];
      tail[k].add(younger_[k]);
    }
    for (std::size_t j = size_; j-- > 0;)
      for (int k = 0; k < n_losses_; ++k) {
        double& loss = ring_losses_[place(j) * n_losses_ + k];
        if (j >= n_older_) {
          sums[k].add(loss);
          loss = sums[k].value();
        } else {
          Sum sum = tail[k];
          sum.add(loss);
          loss = sum.value();
        }
      }
    n_older_ = size_ + later.n_older_;
    std::fill(younger_.begin(), younger_.end(), Sum{});
  }

  // Copy a record of another ring.
  void copy(const Sliding& from, std::size_t at, std::size_t to) {
    ring_[to] = from.ring_[at];
    ring_label_[to] = from.ring_label_[at];
    ring_hits_[to] = from.ring_hits_[at];
    ring_weight_[to] = from.ring_weight_[at];
    if (timed()) ring_time_[to] = from.ring_time_[at];
    std::copy_n(from.ring_losses_.begin() + at * n_losses_, n_losses_, ring_losses_.begin() + to * n_losses_);
  }

  // The position of the j-th oldest record in the ring.
  std::size_t place(std::size_t j) const { return first_ + j < ring_.size() ? first_ + j : first_ + j - ring_.size(); }

  void weigh(std::size_t at, int sign) {
    const double w = sign * ring_weight_[at];
    if (n_classes_ > 0) {
      labels_[ring_label_[at]].add(w);
      if (ring_[at] < 0) return;  // only a label: the record does not count
      matrix_[ring_[at]].add(w);
      if (ring_hits_[at] & kMajority) tallies_[kMajorityHits].add(w);
      if (ring_hits_[at] & kNoChange) tallies_[kNoChangeHits].add(w);
    }
    tallies_[kWeight].add(w);
    tallies_[kRecords].add(sign);
  }

  void start_weighing() {
    weighted_ = true;
    if (n_losses_ == 0) n_older_ = 0;  // so the result does not depend on how the records are cut into chunks
    in_cell_.resize(matrix_.size());
    in_class_.resize(labels_.size());
    for (std::size_t k = 0; k < matrix_.size(); ++k) in_cell_[k] = std::int64_t(matrix_[k].high);
    for (std::size_t k = 0; k < labels_.size(); ++k) in_class_[k] = std::int64_t(labels_[k].high);
  }
};

}  // namespace prequential
