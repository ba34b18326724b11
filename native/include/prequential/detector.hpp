// What drift detectors share. A detector D has
//   bool update(double x)                 whether there is an alarm after x; most detectors restart then
//   void reset()
//   bool accepts(double x) const          whether x is a valid value
//   static constexpr const char* kAccepted   the valid values in words
//   static constexpr std::size_t kShown   how many numbers `show` writes
//   void show(double* out) const          the statistics after the last value, then their limit; NaN for none
//   std::size_t nbytes() const            allocated bytes, beyond the object itself
//   write(Writer&) const, load(Reader&)   if the bytes do not fit, nothing is changed
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

enum class Direction : std::uint8_t { up, down, both };

// NaN means no value: it is skipped. Other values that the detector does not accept are rejected before the first value
// is processed.
template <class D>
void check_values(const D& detector, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isnan(x[i]) && !detector.accepts(x[i]))
      throw std::invalid_argument("the value " + std::to_string(x[i]) + " at position " + std::to_string(i) +
                                  " cannot be used. Accepted: " + D::kAccepted);
}

// Process values up to and including the first alarm; returns its position, or n if there is none.
template <class D>
std::size_t until_alarm(D& detector, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isnan(x[i]) && detector.update(x[i])) return i;
  return n;
}

// The same; `shown` gets the statistics after each value that was passed, NaN after a missing one.
template <class D>
std::size_t shown_until_alarm(D& detector, const double* x, std::size_t n, double* shown) {
  for (std::size_t i = 0; i < n; ++i, shown += D::kShown) {
    std::fill_n(shown, D::kShown, std::nan(""));
    if (std::isnan(x[i])) continue;
    const bool alarm = detector.update(x[i]);
    detector.show(shown);
    if (alarm) return i;
  }
  return n;
}

// Process all values; returns the positions of the alarms.
template <class D>
std::vector<std::int64_t> alarms(D& detector, const double* x, std::size_t n) {
  std::vector<std::int64_t> found;
  for (std::size_t i = until_alarm(detector, x, n); i < n; i += 1 + until_alarm(detector, x + i + 1, n - i - 1))
    found.push_back(std::int64_t(i));
  return found;
}

}  // namespace prequential
