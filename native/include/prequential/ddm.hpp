// DDM (Gama et al. 2004): the error rate p falls while a learner learns. With s its standard deviation, there is an
// alarm when p + s has risen from its minimum to more than p_min + level · s_min. Then the detector restarts.
#pragma once
#include <algorithm>
#include <limits>

#include "prequential/detector.hpp"

namespace prequential {

class Ddm {
 public:
  static constexpr const char* kAccepted = "numbers from 0 to 1";

  // The minimum of p + s is taken from value `first_minimum` on; there is no alarm before value `first_alarm`.
  Ddm(double level, std::uint64_t first_minimum, std::uint64_t first_alarm)
      : level_(level), first_minimum_(first_minimum), first_alarm_(first_alarm) {}

  bool accepts(double x) const { return x >= 0 && x <= 1; }

  bool update(double x) {
    ++n_;
    p_ += (x - p_) / double(n_);
    const double s = std::sqrt(std::max(0.0, p_ * (1 - p_)) / double(n_));
    shown_[0] = p_ + s;
    shown_[1] = std::nan("");
    if (n_ < first_minimum_) return false;
    if (p_ + s <= least_) {
      least_ = p_ + s;
      p_min_ = p_;
      s_min_ = s;
    }
    shown_[1] = p_min_ + level_ * s_min_;
    if (n_ < first_alarm_ || !(p_ + s > p_min_ + level_ * s_min_)) return false;
    reset();
    return true;
  }

  void reset() {
    n_ = 0;
    p_ = p_min_ = s_min_ = 0;
    least_ = std::numeric_limits<double>::infinity();
  }

  // p + s, and the level above which there is an alarm.
  static constexpr std::size_t kShown = 2;
  void show(double* out) const { std::copy_n(shown_, kShown, out); }

  std::size_t nbytes() const { return 0; }

  void write(Writer& to) const {
    to.put(level_);
    to.put(first_minimum_);
    to.put(first_alarm_);
    to.put(n_);
    for (double value : {p_, least_, p_min_, s_min_}) to.put(value);
  }
  void load(Reader& from) {
    if (from.get<double>() != level_ || from.get<std::uint64_t>() != first_minimum_ ||
        from.get<std::uint64_t>() != first_alarm_)
      throw std::invalid_argument("these bytes are the state of a DDM with other rules");
    Ddm loaded(level_, first_minimum_, first_alarm_);
    loaded.n_ = from.get<std::uint64_t>();
    for (auto* value : {&loaded.p_, &loaded.least_, &loaded.p_min_, &loaded.s_min_}) *value = from.get<double>();
    *this = loaded;
  }

 private:
  double level_;
  std::uint64_t first_minimum_, first_alarm_;
  std::uint64_t n_ = 0;
  double p_ = 0, p_min_ = 0, s_min_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double shown_[kShown] = {std::nan(""), std::nan("")};  // not saved: they are of the last value
};

}  // namespace prequential
