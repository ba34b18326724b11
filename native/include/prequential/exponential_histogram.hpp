// A window too large to keep, over the last w records or those of the last s seconds: every sum is an exponential
// histogram, within a given relative error of the sum over the exact window.
//
// A record has one cell, so it costs O(1) with any number of classes, and a cell gets memory with its first record. The
// weight is the sum of the cells, so shares add up to 1. The misses of the two baselines are kept, and their hits are
// the weight minus the misses: kappa depends on the misses, and the error of a difference of two estimates is not
// bounded. For the same reason there is no R2: the sums of targets are unknown.
#pragma once
#include "prequential/exponential_sum.hpp"
#include "prequential/forgetting.hpp"

namespace prequential {

class ExponentialHistogram final : public Forgetting {
 public:
  // One of the two limits is infinite.
  ExponentialHistogram(int n_classes, int n_losses, double records, double seconds, double error,
                       bool regression = false)
      : n_classes_(n_classes), n_losses_(n_losses), records_(records), seconds_(seconds), error_(error),
        cell_(n_cells(n_classes)), labels_(n_classes), label_(n_classes), losses_(n_losses), regression_(regression) {}

  void add(const Outcomes& o) override {
    for (std::size_t i = 0; i < o.n; ++i) {
      advance(o.time[i]);
      if (edge() >= next_) recompute_labels();  // the majority class is that of the full window before the record
      n_ += 1;
      insert(o, i, o.weighted ? o.weight[i] : 1.0);
    }
  }

  void advance(double time) override {
    if (timed()) now_ = std::max(now_, time);
  }

  void read(double* out) const override {
    const double from = edge();
    double weight = 0;
    for (std::size_t k = 0; k < cell_.size(); ++k) {
      const double sum = cell_[k] > 0 ? cells_[cell_[k] - 1].value(from) : 0;
      weight += sum;
      if (n_classes_ > 0) *out++ = sum;
    }
    const double n = n_records_.value(from), n_records = timed() ? n : std::max(0.0, std::min(records_, n_) - n);
    if (n_classes_ == 0 && last_odd_ <= from) weight = n_records;
    *out++ = n_classes_ == 0 ? 0 : from < unknown_ ? kUnknown : weight - majority_misses_.value(from);
    *out++ = n_classes_ == 0 ? 0 : weight - no_change_misses_.value(from);
    *out++ = weight;
    *out++ = n_records;
    *out++ = 0;  // no alarms: it does not look for changes
    for (int k = 0; k < n_losses_; ++k) *out++ = is_bounded(k) ? losses_[std::size_t(k)].value(from) : kUnknown;
  }

  void grow(int n_classes) override {
    cell_ = grown(cell_, n_classes_, n_classes);
    labels_.resize(n_classes);
    label_.resize(n_classes);
    n_classes_ = n_classes;
  }

  std::size_t nbytes() const override {
    std::size_t n = sizeof *this + cell_.capacity() * sizeof cell_[0] + label_.capacity() * sizeof label_[0];
    for (const auto* sums : {&cells_, &labels_, &losses_}) n += sums->capacity() * sizeof(ExponentialSum);
    each(*this, [&n](const ExponentialSum& sum) { n += sum.nbytes(); });
    return n;
  }

  void write(Writer& to) const override {
    to.put(n_classes_);
    to.put(n_losses_);
    to.put(records_);
    to.put(seconds_);
    to.put(error_);
    to.put(majority_);
    for (const double number : {n_, now_, next_, first_, last_, last_odd_, unknown_}) to.put(number);
    to.put(cell_);
    to.put(label_);
    to.put(std::uint64_t(cells_.size()));
    each(*this, [&to](const ExponentialSum& sum) { sum.write(to); });
  }
  void load(Reader& from) override {
    const bool same = from.get<int>() == n_classes_ && from.get<int>() == n_losses_ &&
                      from.get<double>() == records_ && from.get<double>() == seconds_ &&
                      from.get<double>() == error_;
    if (!same) throw std::invalid_argument("these bytes are the state of another exponential histogram");
    majority_ = checked_majority(from.get<int>(), n_classes_);
    for (double* number : {&n_, &now_, &next_, &first_, &last_, &last_odd_, &unknown_})
      *number = from.get<double>();
    from.get(cell_, n_cells(n_classes_));
    from.get(label_, std::size_t(n_classes_));
    const auto n = from.get<std::uint64_t>();
    if (n > cell_.size() || std::any_of(cell_.begin(), cell_.end(), [n](std::uint32_t k) { return k > n; }))
      throw std::invalid_argument("damaged state: a cell");
    cells_.resize(std::size_t(n));
    each(*this, [&from](ExponentialSum& sum) { sum.load(from); });
  }

  std::unique_ptr<Forgetting> clone() const override { return std::make_unique<ExponentialHistogram>(*this); }

  // The error stays within its bound. The majority misses are unknown (NaN) while the window holds later records that
  // had labels of the earlier part in their window.
  void merge(Forgetting& forgetting, const Seam& seam) override {
    auto& later = of_same_kind<ExponentialHistogram>(forgetting);
    if (later.records_ != records_ || later.seconds_ != seconds_ || later.error_ != error_)
      throw std::invalid_argument("the two grids have different exponential histograms");
    if (seam.no_change) later.no_change_misses_.take_back(later.first_, seam.weight, error_);
    const double shift = timed() ? 0 : n_;
    if (seam.n_earlier > 0) {
      const double unknown = timed() ? std::min(last_ + seconds_, later.last_) : shift + std::min(later.n_, records_);
      unknown_ = std::max(unknown_, unknown);
    }
    n_ += later.n_;
    now_ = std::max(now_, later.now_);
    last_ = later.last_ + shift;
    last_odd_ = std::max(last_odd_, later.last_odd_ + shift);
    unknown_ = std::max(unknown_, later.unknown_ + shift);
    const double from = edge();
    for (std::size_t k = 0; k < cell_.size(); ++k)
      if (later.cell_[k] > 0) cell(k).append(later.cells_[later.cell_[k] - 1], shift, from, error_);
    for (std::size_t c = 0; c < labels_.size(); ++c) labels_[c].append(later.labels_[c], shift, from, error_);
    for (std::size_t k = 0; k < losses_.size(); ++k) losses_[k].append(later.losses_[k], shift, from, error_);
    majority_misses_.append(later.majority_misses_, shift, from, error_);
    no_change_misses_.append(later.no_change_misses_, shift, from, error_);
    n_records_.append(later.n_records_, shift, from, error_);
    recompute_labels();
  }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  // Whether losses are not negative and never subtracted: all except the targets of a regression.
  bool is_bounded(int k) const { return !regression_ || k < 2 || k > 3; }

  int n_classes_, n_losses_;
  double records_, seconds_, error_;
  int majority_ = -1;
  // The place of a record is its number, from 1, or its time.
  double n_ = 0, now_ = kNever;
  double next_ = -kNever;                         // the edge at which the weight of some label changes next
  double first_ = kNever, last_ = kNever;         // places of the first and the last record
  double last_odd_ = kNever;                      // of the last record with a weight other than 1
  double unknown_ = kNever;                       // of the last record whose majority class was not known
  std::vector<std::uint32_t> cell_;               // position of a cell in `cells_`, from 1; 0: no record yet
  std::vector<ExponentialSum> cells_, labels_;
  std::vector<double> label_;  // weights of the labels
  std::vector<ExponentialSum> losses_;
  bool regression_;
  ExponentialSum majority_misses_, no_change_misses_;
  ExponentialSum n_records_;  // a window in seconds: those that count; in records: those that do not, as all are known

  static std::size_t n_cells(int n_classes) {
    return std::max<std::size_t>(1, std::size_t(n_classes) * std::size_t(n_classes + 1));
  }

  bool timed() const { return std::isfinite(seconds_); }
  double edge() const { return timed() ? now_ - seconds_ : n_ - records_; }

  template <class Self, class Call>
  static void each(Self& self, Call&& call) {
    for (auto* sums : {&self.cells_, &self.labels_, &self.losses_})
      for (auto& sum : *sums) call(sum);
    for (auto* sum : {&self.majority_misses_, &self.no_change_misses_, &self.n_records_}) call(*sum);
  }

  ExponentialSum& cell(std::size_t k) {
    if (cell_[k] == 0) {
      cells_.emplace_back();
      cell_[k] = std::uint32_t(cells_.size());
    }
    return cells_[cell_[k] - 1];
  }

  // Compute the current weights of all labels.
  void recompute_labels() {
    const double from = edge();
    next_ = -kNever;
    for (std::size_t c = 0; c < labels_.size(); ++c) {
      label_[c] = labels_[c].value(from);
      next_ = std::min(next_, labels_[c].next(from));
    }
    const auto top = std::max_element(label_.begin(), label_.end());
    majority_ = top == label_.end() || !(*top > 0) ? -1 : int(top - label_.begin());
  }

  void insert(const Outcomes& o, std::size_t i, double w) {
    const double place = timed() ? now_ : n_, from = edge();
    const bool known = majority_ == o.label[i];
    if (first_ == kNever) first_ = place;
    last_ = place;
    if (w != 1) last_odd_ = place;
    if (n_classes_ > 0) learn(o.label[i], place, w, from);
    const bool counts = o.cell[i] >= 0;
    if (counts == timed()) n_records_.push(place, 1, from, error_);
    if (!counts) return;
    if (n_classes_ > 0) {
      if (!known) majority_misses_.push(place, w, from, error_);
      if (!o.no_change[i]) no_change_misses_.push(place, w, from, error_);
    }
    cell(std::size_t(o.cell[i])).push(place, w, from, error_);
    for (std::size_t k = 0; k < losses_.size(); ++k)
      if (is_bounded(int(k)))
        losses_[k].push(place, w * o.losses[i * std::size_t(n_losses_) + k], from, error_);
  }

  void learn(int y, double place, double w, double from) {
    ExponentialSum& sum = labels_[std::size_t(y)];
    sum.push(place, w, from, error_);
    const double before = label_[std::size_t(y)], now = label_[std::size_t(y)] = sum.value(from);
    next_ = std::min(next_, sum.next(from));
    if (now < before) {
      next_ = kNever;  // other classes may be ahead now
    } else if (majority_ < 0 || now > label_[std::size_t(majority_)] ||
               (now == label_[std::size_t(majority_)] && y < majority_)) {
      majority_ = y;
    }
  }
};

}  // namespace prequential
