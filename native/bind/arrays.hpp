// Arrays at the boundary to Python: their types, how native memory becomes an array, and checks of what comes in.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "prequential/outcome.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;
using Shape = std::initializer_list<std::size_t>;

// An array over memory that `owner` holds. Nothing is copied: the owner lives until Python drops the array.
template <class T, class Owner>
Array<T> array_of(T* data, Shape shape, Owner owner) {
  auto held = std::make_unique<Owner>(std::move(owner));
  const nb::capsule capsule(held.get(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  held.release();
  return Array<T>(data, shape, capsule);
}

template <class T>
Array<T> array(std::vector<T>&& values, Shape shape) {
  T* data = values.data();  // stays where it is when the vector is moved
  return array_of(data, shape, std::move(values));
}
template <class T>
Array<T> array(std::vector<T>&& values) {
  const std::size_t n = values.size();
  return array(std::move(values), {n});
}

// An array to be filled, not set to zero.
template <class T>
Array<T> empty(Shape shape) {
  const std::size_t n = std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies<>());
  auto values = std::make_unique_for_overwrite<T[]>(n);
  T* data = values.get();
  return array_of(data, shape, std::move(values));
}

inline void check_length(const char* name, std::size_t found, std::size_t expected) {
  if (found != expected) {
    throw nb::value_error((std::string(name) + " has " + std::to_string(found) + " records where " +
                           std::to_string(expected) + " are expected").c_str());
  }
}

inline void check_weights(const std::optional<Vector>& w, std::size_t n) {
  if (!w) return;
  check_length("w", w->shape(0), n);
  for (std::size_t i = 0; i < n; ++i)
    if (!(w->data()[i] >= 0) || std::isinf(w->data()[i]))
      throw nb::value_error(("the weight of record " + std::to_string(i) + " of this call is " +
                             std::to_string(w->data()[i]) + "; a weight is a finite number of at least 0").c_str());
}

// Label codes, -1 for none. Returns the number of classes they need, or `known` if that is more.
inline int check_codes(const char* name, const Codes& codes, std::size_t n, int known) {
  check_length(name, codes.shape(0), n);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i) bits |= std::uint64_t(codes.data()[i]);
  if (bits < std::uint64_t(known)) return known;  // the usual case, many codes at a time
  std::int64_t most = -1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t code = codes.data()[i];
    if (code < -1 || code >= prequential::kMostClasses)
      throw nb::value_error((std::string(name) + " holds the code " + std::to_string(code) + " at record " +
                             std::to_string(i) + " of this call; codes run from 0 to 4095, -1 for none").c_str());
    most = std::max(most, code);
  }
  return std::max(known, int(most + 1));
}
