// The compiled module: one init function per concept.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void init_binned_matrices(nb::module_& m);
void init_compositions(nb::module_& m);
void init_drift(nb::module_& m);
void init_elementary(nb::module_& m);
void init_ensemble(nb::module_& m);
void init_fold(nb::module_& m);
void init_generators(nb::module_& m);
void init_grid(nb::module_& m);
void init_lanes(nb::module_& m);
void init_learner(nb::module_& m);
void init_results(nb::module_& m);
void init_rows(nb::module_& m);
void init_tree(nb::module_& m);
void init_waiting(nb::module_& m);
void init_wrapper(nb::module_& m);

NB_MODULE(_native, m) {
  m.doc() = "The hot loops of prequential: arrays in, arrays out, without the GIL.";
  init_results(m);  // first: others return them
  init_binned_matrices(m);
  init_compositions(m);
  init_drift(m);
  init_elementary(m);
  init_generators(m);
  init_grid(m);
  init_lanes(m);
  init_learner(m);
  init_ensemble(m);  // after the learners, which it takes
  init_fold(m);      // after learners and grids, which it takes
  init_rows(m);
  init_tree(m);
  init_waiting(m);
  init_wrapper(m);  // after learners and detectors, which it takes
}
