// One record as Python passes it: a number or None per feature.
#pragma once
#include "bounded.hpp"
#include "prequential/learner.hpp"

// The values of a record as a learner takes them: None is NaN, large numbers are clipped.
class Record {
 public:
  // cardinality: 0 for a numeric feature. An object that is not a number raises TypeError.
  Record(nb::handle values, const std::vector<std::int32_t>& cardinality) : row_(cardinality.size()) {
    const std::size_t n = cardinality.size();
    if (!PyTuple_Check(values.ptr()) && !PyList_Check(values.ptr())) throw nb::type_error("a record is a tuple or list");
    if (nb::len(values) != n)
      throw nb::value_error(("the record has " + std::to_string(nb::len(values)) + " values where the schema has " +
                             std::to_string(n) + " features").c_str());
    PyObject** items = PySequence_Fast_ITEMS(values.ptr());
    for (std::size_t j = 0; j < n; ++j) row_[j] = cardinality[j] == 0 ? number(items[j], j) : code(items[j], j);
  }
  const double* data() { return row_.data(); }

 private:
  prequential::Scratch row_;

  static double value_of(PyObject* item) {
    if (PyFloat_CheckExact(item)) return PyFloat_AS_DOUBLE(item);
    if (item == Py_None) return std::numeric_limits<double>::quiet_NaN();
    const double value = PyFloat_AsDouble(item);
    if (value == -1.0 && PyErr_Occurred()) nb::raise_python_error();
    return value;
  }
  static double number(PyObject* item, std::size_t j) {
    const double value = value_of(item);
    if (std::isinf(value))
      throw nb::value_error(("feature " + std::to_string(j) + " is infinite; a value is a finite number, or NaN").c_str());
    return std::isnan(value) ? value : std::clamp(value, -Bounded::kMost, Bounded::kMost);
  }
  static double code(PyObject* item, std::size_t j) {
    const double value = value_of(item);
    if (!std::isnan(value) && !valid_code(value))
      throw nb::value_error(("nominal feature " + std::to_string(j) + " holds " + std::to_string(value) +
                             "; a nominal value is a code of at least 0, or NaN").c_str());
    return value;
  }
};
