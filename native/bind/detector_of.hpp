// The native detector of a Python object, behind the interface of any_detector.hpp.
#pragma once
#include "prequential/adwin_detector.hpp"
#include "prequential/ddm.hpp"
#include "prequential/eddm.hpp"
#include "prequential/page_hinkley.hpp"
#include "prequential/ratio.hpp"
#include "bound_detector.hpp"
#include "python_detector.hpp"

template <class... Native>
std::unique_ptr<prequential::AnyDetector> boxed(nb::handle state) {
  std::unique_ptr<prequential::AnyDetector> found;
  const auto try_one = [&]<class D>(const D*) {
    using Bound = BoundDetector<D>;
    if (nb::isinstance<Bound>(state)) found = std::make_unique<prequential::Boxed<D>>(nb::cast<const Bound&>(state));
  };
  (try_one(static_cast<const Native*>(nullptr)), ...);
  return found;
}

// `detector` is a `Detector` of the drift package. It is fed with the values, or with their mean, faded or over a
// window. Returns the native detector, and whether it is written in Python.
inline std::pair<std::unique_ptr<prequential::AnyDetector>, bool> detector_of(
    nb::object detector, std::optional<double> fading, std::optional<std::size_t> window) {
  using namespace prequential;
  nb::object state = detector.attr("_start")();
  auto found = boxed<PageHinkley, Ratio<FadingMean>, Ratio<SlidingMean>, AdwinDetector, Ddm, Eddm>(state);
  const bool python = !found;
  if (python) found = std::make_unique<PythonDetector>(std::move(detector), std::move(state));
  if (fading)
    found = std::make_unique<OnMean<FadingMean>>(FadingMean(*fading), std::move(found));
  else if (window)
    found = std::make_unique<OnMean<SlidingMean>>(SlidingMean(double(*window)), std::move(found));
  return {std::move(found), python};
}
