#include "prequential/grid.hpp"

#include "arrays.hpp"
#include "results.hpp"

using prequential::Grid;
using prequential::Predictions;
using prequential::Snapshots;

namespace {

using prequential::RankRules;

// The different scores of a class in ascending order, and the weights of its negatives and positives at each.
struct ScoreGroups {
  Array<double> score, negatives, positives;
};

ScoreGroups groups(Grid& grid, std::size_t part, int code) {
  std::vector<double> score, n, p;
  prequential::RankWindow* window = part < grid.n_parts() ? grid.ranks(part) : nullptr;
  if (!window) throw nb::value_error("this forgetting keeps no order of scores");
  window->walk(code, [&](double s, double negatives, double positives) {
    score.push_back(s);
    n.push_back(negatives);
    p.push_back(positives);
  });
  return {array(std::move(score)), array(std::move(n)), array(std::move(p))};
}

void count_one(Grid& grid, Predictions& p, const double& w, const double& t) {
  if (grid.n_own() > 0) throw nb::value_error("a grid with losses of its own counts arrays of records");
  if (!(w >= 0) || std::isinf(w)) throw nb::value_error("a weight is a finite number of at least 0");
  p.n = 1;
  if (w != 1) p.weight = &w;
  if (!std::isnan(t)) p.time = &t;
  Snapshots none;
  try {
    grid.update(p, 0, none);
  } catch (const prequential::Rejected& rejected) {
    throw nb::value_error(rejected.what());
  }
}

// One record, without arrays. NaN is no time; a prediction of -1 is none.
void update_one(Grid& grid, std::int64_t y, const std::optional<std::vector<double>>& scores,
                std::optional<std::int64_t> prediction, double w, double t) {
  if (!scores && !prediction) throw nb::value_error("labels, and scores or predictions, are needed");
  const std::int64_t said = prediction.value_or(-1);
  for (const std::int64_t code : {y, said})
    if (code < -1 || code >= prequential::kMostClasses) throw nb::value_error("codes run from 0 to 4095, -1 for none");
  if (grid.regression()) throw nb::value_error("a regression grid has no class labels");
  Predictions p;
  p.label = &y;
  if (scores) {
    p.scores = scores->data();
    p.n_columns = scores->size();
  }
  if (prediction) p.prediction = &said;
  grid.grow(prequential::checked_classes(int(std::max<std::int64_t>({y + 1, said + 1, std::int64_t(p.n_columns)}))));
  count_one(grid, p, w, t);
}

// One record of two classes, with one number that is higher for the class `positive`.
void update_margin(Grid& grid, std::int64_t y, double margin, int positive, double w, double t) {
  if (grid.regression() || grid.n_classes() != 2 || positive < 0 || positive > 1 || y < -1 || y > 1)
    throw nb::value_error("a margin is between two classes");
  Predictions p;
  p.label = &y;
  p.margin = &margin;
  p.positive = positive;
  count_one(grid, p, w, t);
}

// One target and its prediction; NaN is none.
void update_number(Grid& grid, double target, double prediction, double w, double t) {
  if (!grid.regression()) throw nb::value_error("a grid of classes has no targets");
  Predictions p;
  p.target = &target;
  p.scores = &prediction;
  p.n_columns = 1;
  count_one(grid, p, w, t);
}

Updated update(Grid& grid, std::optional<Codes> y, std::optional<Vector> target, std::optional<Matrix> scores,
               std::optional<Codes> prediction, std::optional<Vector> w, std::optional<Vector> t, std::uint64_t every,
               std::optional<Flags> tested, std::optional<Vector> margin, int positive, std::optional<Matrix> own) {
  Predictions p;
  if (grid.regression() ? !target || !scores : !y || (!scores && !prediction && !margin))
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
  if (margin) {
    check_length("margin", margin->shape(0), p.n);
    if (grid.n_classes() != 2 || positive < 0 || positive > 1) throw nb::value_error("a margin is between two classes");
    p.margin = margin->data();
    p.positive = positive;
  }
  check_weights(w, p.n);
  if (w) p.weight = w->data();
  if (t) check_length("t", t->shape(0), p.n);
  if (t) p.time = t->data();
  if (tested) check_length("tested", tested->shape(0), p.n);
  if (tested) p.tested = tested->data();
  if (bool(own) != (grid.n_own() > 0) || (own && own->shape(1) != std::size_t(grid.n_own())))
    throw nb::value_error("own must have a column for each loss of the grid");
  if (own) check_length("own", own->shape(0), p.n);
  if (own) p.own = own->data();
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
  nb::class_<ScoreGroups> score_groups(m, "ScoreGroups",
                                       "The different scores of a class in ascending order, and the weights of its "
                                       "negatives and positives at each.");
  add_array(score_groups, "score", &ScoreGroups::score);
  add_array(score_groups, "negatives", &ScoreGroups::negatives);
  add_array(score_groups, "positives", &ScoreGroups::positives);
  nb::class_<Grid>(m, "Grid", "The counts under every forgetting, updated together.")
      .def("__init__",
           [](Grid* self, int n_classes, bool regression, bool probabilities, bool skip, unsigned ranks, int positive,
              bool paper, bool open, int n_own) {
             new (self)
                 Grid(n_classes, regression, probabilities, skip, RankRules{ranks, positive, paper, open}, n_own);
           },
           "n_classes"_a, "regression"_a, "probabilities"_a, "skip"_a, "ranks"_a = 0,
           "positive"_a = RankRules::kNoPositive + 0, "paper"_a = false, "open"_a = false, "n_own"_a = 0)
      .def("add_cumulative", &Grid::add_cumulative)
      .def("add_sliding", &Grid::add_sliding, "records"_a, "seconds"_a)
      .def("add_fading", &Grid::add_fading, "alpha"_a)
      .def("add_adwin", &Grid::add_adwin, "delta"_a, "largest"_a, "theorem3"_a)
      .def("add_exponential_histogram", &Grid::add_exponential_histogram, "records"_a, "seconds"_a, "error"_a)
      .def("update", &update, "y"_a.none().noconvert(), "target"_a.none(), "scores"_a.none(),
           "prediction"_a.none().noconvert(), "w"_a.none(), "t"_a.none(), "every"_a, "tested"_a.none().noconvert() = nb::none(),
           "margin"_a.none() = nb::none(), "positive"_a = 1, "own"_a.none() = nb::none(), "Count some records, up to a rejected score.")
      .def("update_one", &update_one, "y"_a, "scores"_a.none(), "prediction"_a.none(), "w"_a = 1.0,
           "t"_a = std::numeric_limits<double>::quiet_NaN(), "Count one record.")
      .def("update_margin", &update_margin, "y"_a, "margin"_a, "positive"_a, "w"_a = 1.0,
           "t"_a = std::numeric_limits<double>::quiet_NaN(), "Count one record with a margin between two classes.")
      .def("update_number", &update_number, "target"_a, "prediction"_a, "w"_a = 1.0,
           "t"_a = std::numeric_limits<double>::quiet_NaN(), "Count one target and its prediction.")
      .def("set_positive", &Grid::set_positive, "code"_a, "Rank this class against the rest, now that it has appeared.")
      .def("groups", &groups, "part"_a, "code"_a, "The scores of a class in the window of a forgetting.")
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
             prequential::Writer to("grid", 5);
             grid.write(to);
             to.seal();
             return nb::bytes(to.data.data(), to.data.size());
           })
      .def("load_bytes", [](Grid& grid, nb::bytes state) {
        prequential::Reader from(state.data(), state.size(), "grid", 5);
        grid.load(from);
      }, "state"_a);
}
