// EDDM (Baena-García et al. 2006): the distance between two errors grows while a learner learns. There is an alarm when
// its mean plus two standard deviations has fallen below beta times the maximum so far. Then the detector restarts.
#pragma once
#include "prequential/detector.hpp"

namespace prequential {

class Eddm {
 public:
  static constexpr const char* kAccepted = "0 (right) and 1 (wrong)";

  // The maximum is taken from value `first_maximum` on; there is no alarm up to `min_errors` errors. `sample`: divide
  // the variance by one less than the number of distances, as River does.
  Eddm(double beta, std::uint64_t first_maximum, std::uint64_t min_errors, bool sample)
      : beta_(beta), first_maximum_(first_maximum), min_errors_(min_errors), sample_(sample) {}

  bool accepts(double x) const { return x == 0 || x == 1; }

  bool update(double x) {
    ++n_;
    shown_ = std::nan("");
    if (x == 0) return false;
    ++n_errors_;
    const double distance = double(n_ - last_error_), away = distance - mean_, count = double(n_errors_);
    last_error_ = n_;
    mean_ += away / count;
    squares_ += away * (distance - mean_);
    if (n_ < first_maximum_) return false;
    const double divisor = sample_ ? count - 1 : count;
    const double level = mean_ + 2 * (divisor > 0 ? std::sqrt(squares_ / divisor) : 0.0);
    if (level > highest_) {
      highest_ = level;
      shown_ = 1;
      return false;
    }
    shown_ = level / highest_;
    if (n_errors_ <= min_errors_ || !(level / highest_ < beta_)) return false;
    reset();
    return true;
  }

  void reset() {
    n_ = n_errors_ = last_error_ = 0;
    mean_ = squares_ = highest_ = 0;
  }

  // After an error: the share of the maximum that is left, and the share below which there is an alarm.
  static constexpr std::size_t kShown = 2;
  void show(double* out) const {
    out[0] = shown_;
    out[1] = beta_;
  }

  std::size_t nbytes() const { return 0; }

  void write(Writer& to) const {
    to.put(beta_);
    to.put(first_maximum_);
    to.put(min_errors_);
    to.put(sample_);
    for (auto value : {n_, n_errors_, last_error_}) to.put(value);
    for (double value : {mean_, squares_, highest_}) to.put(value);
  }
  void load(Reader& from) {
    if (from.get<double>() != beta_ || from.get<std::uint64_t>() != first_maximum_ ||
        from.get<std::uint64_t>() != min_errors_ || from.get<bool>() != sample_)
      throw std::invalid_argument("these bytes are the state of an EDDM with other rules");
    Eddm loaded(beta_, first_maximum_, min_errors_, sample_);
    for (auto* value : {&loaded.n_, &loaded.n_errors_, &loaded.last_error_}) *value = from.get<std::uint64_t>();
    for (auto* value : {&loaded.mean_, &loaded.squares_, &loaded.highest_}) *value = from.get<double>();
    *this = loaded;
  }

 private:
  double beta_;
  std::uint64_t first_maximum_, min_errors_;
  bool sample_;
  std::uint64_t n_ = 0, n_errors_ = 0, last_error_ = 0;
  double mean_ = 0, squares_ = 0, highest_ = 0;
  double shown_ = std::nan("");  // not saved: it is of the last value
};

}  // namespace prequential
