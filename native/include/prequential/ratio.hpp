// Algorithm 4 of Gama, Sebastião and Rodrigues (2013): the Page–Hinkley test on the ratio of a short-term mean to a
// long-term mean of the same losses. There is no ratio, and no test, while the long-term mean is zero.
//
// The algorithm starts the running minimum at 1. The first m is −delta, which lies below, so it makes no difference.
#pragma once
#include "prequential/mean.hpp"
#include "prequential/page_hinkley.hpp"

namespace prequential {

template <class Mean>
class Ratio {
 public:
  static constexpr const char* kAccepted = "finite numbers of at least 0";

  Ratio(double short_term, double long_term, double delta, double threshold)
      : short_(short_term), long_(long_term), test_({.delta = delta, .threshold = threshold}) {}

  bool accepts(double x) const { return std::isfinite(x) && x >= 0; }

  bool update(double x) {
    const double quick = short_.update(x), slow = long_.update(x);
    ratio_ = std::nan("");
    if (!(slow > 0)) return false;
    ratio_ = quick / slow;
    const bool alarm = test_.update(ratio_);
    test_.show(shown_);
    if (alarm) reset();
    return alarm;
  }

  void reset() {
    short_.reset();
    long_.reset();
    test_.reset();
  }

  // The ratio, the rise of m of the test on it, and the threshold.
  static constexpr std::size_t kShown = 3;
  void show(double* out) const {
    out[0] = ratio_;
    out[1] = std::isnan(ratio_) ? ratio_ : shown_[0];
    out[2] = shown_[1];
  }

  std::size_t nbytes() const { return short_.nbytes() + long_.nbytes(); }

  void write(Writer& to) const {
    to.put(short_.parameter());
    to.put(long_.parameter());
    short_.write(to);
    long_.write(to);
    test_.write(to);
  }

  void load(Reader& from) {
    Ratio loaded = *this;
    if (from.get<double>() != short_.parameter() || from.get<double>() != long_.parameter())
      throw std::invalid_argument("these bytes are the state of a ratio of other means");
    loaded.short_.load(from);
    loaded.long_.load(from);
    loaded.test_.load(from);
    *this = std::move(loaded);
  }

 private:
  Mean short_, long_;
  PageHinkley test_;
  double ratio_ = std::nan(""), shown_[PageHinkley::kShown] = {std::nan(""), std::nan("")};  // not saved
};

}  // namespace prequential
