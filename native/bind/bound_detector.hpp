// A drift detector as Python sees it: it also knows whether the last value raised an alarm.
#pragma once
#include "arrays.hpp"
#include "prequential/detector.hpp"

template <class D>
struct BoundDetector : D {
  using D::D;
  BoundDetector(D detector) : D(std::move(detector)) {}

  bool alarmed = false;

  std::vector<std::int64_t> update_all(const double* values, std::size_t n) {
    prequential::check_values(detector(), values, n);
    auto found = prequential::alarms(detector(), values, n);
    if (n > 0) alarmed = !found.empty() && std::size_t(found.back()) == n - 1;
    return found;
  }
  std::size_t update_until_alarm(const double* values, std::size_t n) {
    prequential::check_values(detector(), values, n);
    const std::size_t passed = prequential::until_alarm(detector(), values, n);
    if (n > 0) alarmed = passed < n;
    return passed;
  }
  // The same, with the statistics after each value.
  std::size_t shown_until_alarm(const double* values, std::size_t n, double* shown) {
    prequential::check_values(detector(), values, n);
    const std::size_t passed = prequential::shown_until_alarm(detector(), values, n, shown);
    if (n > 0) alarmed = passed < n;
    return passed;
  }
  void restart() {
    D::reset();
    alarmed = false;
  }

 private:
  D& detector() { return *this; }
};
