#include "prequential/grid.hpp"

#include "arrays.hpp"
#include "results.hpp"

using prequential::Grid;
using prequential::Predictions;
using prequential::Snapshots;

namespace {

Updated update(Grid& grid, std::optional<Codes> y, std::optional<Vector> target, std::optional<Matrix> scores,
               std::optional<Codes> prediction, std::optional<Vector> w, std::optional<Vector> t, std::uint64_t every,
               std::optional<Flags> tested) {
  Predictions p;
  if (grid.regression() ? !target || !scores : !y || (!scores && !prediction))
    throw nb::value_error("labels, and scores or predictions, are needed");
  p.n = grid.regression() ? target->shape(0) : y->shape(0);
  if (grid.regression()) {
    p.target = target->data();
  } else {
    p.label = y->data();
    grid.grow(check_codes("y", *y, p.n, grid.n_classes()));
  }
  if (scores) {
    check_length("scores", scores->shape(0), p.n);
    p.scores = scores->data();
    p.n_columns = scores->shape(1);
    if (grid.regression() && p.n_columns != 1) throw nb::value_error("a regression score is a single number");
    prequential::checked_classes(int(p.n_columns));
    grid.grow(int(p.n_columns));
  }
  if (prediction) {
    grid.grow(check_codes("prediction", *prediction, p.n, grid.n_classes()));
    p.prediction = prediction->data();
  }
  check_weights(w, p.n);
  if (w) p.weight = w->data();
  if (t) check_length("t", t->shape(0), p.n);
  if (t) p.time = t->data();
  if (tested) check_length("tested", tested->shape(0), p.n);
  if (tested) p.tested = tested->data();
  Snapshots s;
  std::string fault;
  {
    nb::gil_scoped_release nogil;
    try {
      grid.update(p, every, s);
    } catch (const prequential::Rejected& rejected) {
      fault = rejected.what();
    }
  }
  return {{grid, std::move(s)}, std::move(fault)};
}

}  // namespace

void init_grid(nb::module_& m) {
  nb::class_<Grid>(m, "Grid", "The counts under every forgetting, updated together.")
      .def(nb::init<int, bool, bool, bool, unsigned>(), "n_classes"_a, "regression"_a, "probabilities"_a, "skip"_a,
           "ranks"_a = 0)
      .def("add_cumulative", &Grid::add_cumulative)
      .def("add_sliding", &Grid::add_sliding, "records"_a, "seconds"_a)
      .def("add_fading", &Grid::add_fading, "alpha"_a)
      .def("add_adwin", &Grid::add_adwin, "delta"_a, "largest"_a)
      .def("add_exponential_histogram", &Grid::add_exponential_histogram, "records"_a, "seconds"_a, "error"_a)
      .def("update", &update, "y"_a.none().noconvert(), "target"_a.none(), "scores"_a.none(),
           "prediction"_a.none().noconvert(), "w"_a.none(), "t"_a.none(), "every"_a, "tested"_a.none().noconvert() = nb::none(),
           "Count some records, up to a rejected score.")
      .def("prime",
           [](Grid& grid, Codes y, std::optional<Vector> w, std::optional<Vector> t) {
             const std::size_t n = y.shape(0);
             if (grid.regression()) throw nb::value_error("a regression grid has no class labels");
             grid.grow(check_codes("y", y, n, grid.n_classes()));
             check_weights(w, n);
             if (t) check_length("t", t->shape(0), n);
             grid.prime(y.data(), w ? w->data() : nullptr, t ? t->data() : nullptr, n);
           },
           "y"_a.noconvert(), "w"_a.none(), "t"_a.none(),
           "Give the baselines the labels that came before the first record to be counted.")
      .def("snapshot",
           [](const Grid& grid) {
             Snapshots s;
             grid.snapshot(s);
             return SnapshotArrays(grid, std::move(s));
           },
           "The current counts, as one checkpoint.")
      .def("keep_verdicts", &Grid::keep_verdicts, "Keep for every record from now on whether it was predicted right.")
      .def("take_verdicts", [](Grid& grid) { return array(grid.take_verdicts()); },
           "Return the verdicts since the last call, and drop them: 0 wrong, 1 right, 2 not counted.")
      .def("merge", &Grid::merge, "later"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Append the records of a later grid to those of this one.")
      .def("grow", [](Grid& grid, int n) { grid.grow(prequential::checked_classes(n)); }, "n_classes"_a)
      .def_prop_ro("n_classes", &Grid::n_classes)
      .def_prop_ro("n_seen", &Grid::n_seen)
      .def_prop_ro("nbytes", &Grid::nbytes)
      .def("to_bytes",
           [](const Grid& grid) {
             prequential::Writer to("grid", 2);
             grid.write(to);
             to.seal();
             return nb::bytes(to.data.data(), to.data.size());
           })
      .def("load_bytes", [](Grid& grid, nb::bytes state) {
        prequential::Reader from(state.data(), state.size(), "grid", 2);
        grid.load(from);
      }, "state"_a);
}
