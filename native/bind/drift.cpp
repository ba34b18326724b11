// Drift detectors: all have the same methods.
#include "prequential/adwin_detector.hpp"
#include "prequential/ddm.hpp"
#include "prequential/eddm.hpp"
#include "prequential/page_hinkley.hpp"
#include "prequential/ratio.hpp"

#include "bound_detector.hpp"

using namespace prequential;

namespace {

template <class D>
nb::class_<BoundDetector<D>> define(nb::module_& m, const char* name, const std::string& kind) {
  using Bound = BoundDetector<D>;
  return nb::class_<Bound>(m, name)
      .def("update",
           [](Bound& detector, Vector values) {
             std::vector<std::int64_t> found;
             {
               nb::gil_scoped_release nogil;
               found = detector.update_all(values.data(), values.shape(0));
             }
             return array(std::move(found));
           },
           "values"_a, "Process some values, NaN for none; return the positions of the alarms.")
      .def("update",
           [](Bound& detector, const std::vector<double>& values) {
             return array(detector.update_all(values.data(), values.size()));
           },
           "values"_a)
      .def("update", [](Bound& detector, double value) { return detector.update_until_alarm(&value, 1) == 0; },
           "value"_a, "Process one value, NaN for none; return whether there was an alarm.")
      .def("until_alarm",
           [](Bound& detector, Vector values) {
             nb::gil_scoped_release nogil;
             return detector.update_until_alarm(values.data(), values.shape(0));
           },
           "values"_a, "Process values up to the first alarm; return its position, or their number if there is none.")
      .def("shown_until_alarm",
           [](Bound& detector, Vector values) {
             auto shown = empty<double>({values.shape(0), D::kShown});
             std::size_t passed = 0;
             {
               nb::gil_scoped_release nogil;
               passed = detector.shown_until_alarm(values.data(), values.shape(0), shown.data());
             }
             return std::make_tuple(passed, shown);
           },
           "values"_a, "until_alarm, and the statistics after each value, up to and including the alarm.")
      .def_ro("drift_detected", &Bound::alarmed, "Whether the last value raised an alarm.")
      .def("reset", &Bound::restart, "Forget everything.")
      .def("to_bytes",
           [kind](const Bound& detector) {
             Writer to(kind, 2);
             to.put(detector.alarmed);
             detector.write(to);
             to.seal();
             return nb::bytes(to.data.data(), to.data.size());
           })
      .def("load_bytes",
           [kind](Bound& detector, nb::bytes bytes) {
             Reader from(bytes.data(), bytes.size(), kind, 2);
             Bound loaded = detector;
             loaded.alarmed = from.get<bool>();
             loaded.load(from);
             from.done();
             detector = std::move(loaded);
           },
           "state"_a);
}

Direction direction_of(const std::string& name) {
  if (name == "up") return Direction::up;
  if (name == "down") return Direction::down;
  if (name == "both") return Direction::both;
  throw nb::value_error("direction must be up, down or both");
}

Floor floor_of(const std::string& name) {
  if (name == "minimum") return Floor::minimum;
  if (name == "none") return Floor::none;
  if (name == "zero") return Floor::zero;
  throw nb::value_error("floor must be minimum, none or zero");
}

template <class Mean>
void define_ratio(nb::module_& m, const char* name, const char* kind) {
  define<Ratio<Mean>>(m, name, kind)
      .def(nb::init<double, double, double, double>(), "short_term"_a, "long_term"_a, "delta"_a, "threshold"_a);
}

}  // namespace

void init_drift(nb::module_& m) {
  define<PageHinkley>(m, "PageHinkley", "page_hinkley")
      .def("__init__",
           [](BoundDetector<PageHinkley>* self, double delta, double threshold, double alpha, std::uint64_t min_records,
              const std::string& direction, const std::string& floor, bool strict) {
             new (self) BoundDetector<PageHinkley>(PageHinkley(
                 {delta, threshold, alpha, min_records, direction_of(direction), floor_of(floor), strict}));
           },
           "delta"_a, "threshold"_a, "alpha"_a, "min_records"_a, "direction"_a, "floor"_a, "strict"_a);
  define_ratio<FadingMean>(m, "FadingRatio", "fading_ratio");
  define_ratio<SlidingMean>(m, "SlidingRatio", "sliding_ratio");
  define<AdwinDetector>(m, "AdwinDetector", "adwin_detector")
      .def("__init__",
           [](BoundDetector<AdwinDetector>* self, double delta, std::uint32_t clock, std::uint32_t max_buckets,
              std::uint32_t min_window, std::uint32_t min_side, std::uint32_t side_offset, bool multiflow,
              const std::string& direction, bool restart, bool theorem3) {
             AdwinRules rules;
             rules.delta = delta;
             rules.clock = clock;
             rules.max_buckets = max_buckets;
             rules.min_window = min_window;
             rules.min_side = min_side;
             rules.side_offset = side_offset;
             rules.multiflow = multiflow;
             rules.theorem3 = theorem3;
             new (self) BoundDetector<AdwinDetector>(rules, direction_of(direction), restart);
           },
           "delta"_a, "clock"_a, "max_buckets"_a, "min_window"_a, "min_side"_a, "side_offset"_a, "multiflow"_a,
           "direction"_a, "restart"_a, "theorem3"_a)
      .def_prop_ro("width", [](const BoundDetector<AdwinDetector>& detector) { return detector.window().width(); })
      .def_prop_ro("mean", [](const BoundDetector<AdwinDetector>& detector) { return detector.window().mean(); });
  define<Ddm>(m, "Ddm", "ddm")
      .def(nb::init<double, std::uint64_t, std::uint64_t>(), "level"_a, "first_minimum"_a, "first_alarm"_a);
  define<Eddm>(m, "Eddm", "eddm")
      .def(nb::init<double, std::uint64_t, std::uint64_t, bool>(), "beta"_a, "first_maximum"_a, "min_errors"_a,
           "sample"_a);
}
