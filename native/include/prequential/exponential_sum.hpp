// The sum of non-negative amounts over a window too large to keep, within a given relative error: an exponential
// histogram (Datar, Gionis, Indyk and Motwani 2002), for real amounts instead of ones.
//
// Neighbouring amounts are kept as one bucket, oldest first. Two neighbours may be merged if their sum is at most 2
// error × the sum of all buckets newer than both. Newer buckets leave the window later, so this holds as long as the
// bucket exists. Only the oldest bucket can lie across the edge of the window; then half of it is counted. If the newer
// buckets sum to R, the oldest to s, and x of s is inside, the exact sum is R + x and the estimate R + s/2; they differ
// by at most s/2 <= error × R <= error × exact sum. A bucket inside the window is counted in full, so nothing is
// estimated before the window is full, nor if every bucket is a single record.
//
// After merging, no two neighbours can be merged, so the sum grows by 1 + 2 error with every second bucket: about (1 +
// ln(error × sum)) / error buckets for ones. One pass merges them whenever their number has doubled: O(1) per amount on
// average. Nothing is ever subtracted: at each pass every bucket stores the sum of the newer ones.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "prequential/bytes.hpp"

namespace prequential {

class ExponentialSum {
 public:
  // Places never decrease. Amounts at the edge or before it have left the window.
  void push(double place, double amount, double edge, double error) {
    if (amount == 0) return;
    while (head_ < buckets_.size() && !(buckets_[head_].last > edge)) ++head_;
    if (head_ >= n_noted_ || buckets_.size() == limit_) compress(error);
    since_ += amount;
    if (buckets_.size() > n_noted_ && buckets_.back().first == place) {  // they leave together
      buckets_.back().sum += amount;
    } else {
      buckets_.push_back({place, place, amount, 0});
    }
  }

  double value(double edge) const {
    const std::size_t oldest = live(edge);
    if (oldest == buckets_.size()) return 0;
    const Bucket& bucket = buckets_[oldest];
    double newer = bucket.newer + since_;
    if (oldest >= n_noted_) {
      newer = 0;
      for (std::size_t j = buckets_.size(); --j > oldest;) newer += buckets_[j].sum;
    }
    return newer + (bucket.first > edge ? bucket.sum : bucket.sum / 2);
  }

  // The edge at which the value changes next, if nothing is added.
  double next(double edge) const {
    const std::size_t oldest = live(edge);
    if (oldest == buckets_.size()) return std::numeric_limits<double>::infinity();
    return buckets_[oldest].first > edge ? buckets_[oldest].first : buckets_[oldest].last;
  }

  // Append the amounts of another sum, all at later places, each moved by `shift`. The rule above still holds for every
  // bucket, as newer buckets were only added, so the error stays within its bound.
  void append(const ExponentialSum& later, double shift, double edge, double error) {
    if (later.head_ == later.buckets_.size()) return;
    for (std::size_t j = later.head_; j < later.buckets_.size(); ++j) {
      Bucket bucket = later.buckets_[j];
      bucket.first += shift;
      bucket.last += shift;
      buckets_.push_back(bucket);
    }
    while (head_ < buckets_.size() && !(buckets_[head_].last > edge)) ++head_;
    compress(error);
  }

  // Remove the very first amount, if it is still in the window.
  void take_back(double place, double amount, double error) {
    if (head_ == buckets_.size() || buckets_[head_].first != place) return;
    Bucket& bucket = buckets_[head_];
    bucket.sum -= amount;
    if (!(bucket.sum > 0)) ++head_;
    compress(error);
  }

  std::size_t nbytes() const { return buckets_.capacity() * sizeof(Bucket); }

  void write(Writer& to) const {
    to.put(std::uint64_t(head_));
    to.put(std::uint64_t(n_noted_));
    to.put(std::uint64_t(limit_));
    to.put(since_);
    to.put(buckets_);
  }
  void load(Reader& from) {
    head_ = from.get<std::uint64_t>();
    n_noted_ = from.get<std::uint64_t>();
    limit_ = from.get<std::uint64_t>();
    since_ = from.get<double>();
    from.get(buckets_);
    const std::size_t n = buckets_.size();
    bool sound = head_ <= n && n_noted_ <= n && n <= limit_;
    for (std::size_t j = 0; j < n; ++j)
      sound = sound && buckets_[j].first <= buckets_[j].last && buckets_[j].sum > 0 &&
              (j == 0 || buckets_[j - 1].last <= buckets_[j].first);
    if (!sound) throw std::invalid_argument("damaged state: an exponential histogram");
  }

 private:
  struct Bucket {
    double first, last;  // places of its oldest and its newest record
    double sum;
    double newer;  // sum of the buckets that were newer at the last pass
  };

  std::vector<Bucket> buckets_;
  std::size_t head_ = 0;     // the buckets before it have left the window
  std::size_t n_noted_ = 0;  // the buckets before it existed at the last pass
  std::size_t limit_ = 4;    // the number of buckets that starts the next pass
  double since_ = 0;         // sum added since the last pass

  // The oldest bucket that is at least partly inside.
  std::size_t live(double edge) const {
    if (head_ == buckets_.size() || buckets_[head_].last > edge) return head_;
    const auto found = std::partition_point(buckets_.begin() + std::ptrdiff_t(head_), buckets_.end(),
                                            [edge](const Bucket& bucket) { return !(bucket.last > edge); });
    return std::size_t(found - buckets_.begin());
  }

  // The pass, from the newest to the oldest.
  void compress(double error) {
    std::size_t to = buckets_.size();
    if (head_ < to) {
      double newer = 0;
      Bucket bucket = buckets_.back();
      for (std::size_t j = to - 1; j-- > head_;) {
        const Bucket& older = buckets_[j];
        if (older.sum + bucket.sum <= 2 * error * newer) {
          bucket.sum += older.sum;
          bucket.first = older.first;
        } else {
          bucket.newer = newer;
          newer += bucket.sum;
          buckets_[--to] = bucket;
          bucket = older;
        }
      }
      bucket.newer = newer;
      buckets_[--to] = bucket;
    }
    buckets_.erase(buckets_.begin(), buckets_.begin() + std::ptrdiff_t(to));
    head_ = 0;
    n_noted_ = buckets_.size();
    limit_ = std::max<std::size_t>(4, 2 * n_noted_);
    buckets_.reserve(limit_);
    since_ = 0;
  }
};

}  // namespace prequential
