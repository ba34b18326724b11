#include "prequential/waiting.hpp"

#include "bound_learner.hpp"

using prequential::Waiting;

namespace {

// What happened since the last call. For each label: the number of its event, the predictions of its record (initial,
// bins 1 to B, final), the scores of the initial and the final one if they are kept, and its latency. For each irregular event: its kind, id, number and time.
struct Taken {
  Array<std::int64_t> event;
  Array<std::int32_t> prediction;
  Array<double> scores;
  Array<double> latency;
  Array<std::uint8_t> kind;
  Array<std::int64_t> id, at;
  Array<double> time;
};

void check_events(const Codes& id, const Vector& time, std::size_t n) {
  check_length("id", id.shape(0), n);
  check_length("time", time.shape(0), n);
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(time.data()[i]) <= Waiting::kMostTime))
      throw nb::value_error(
          ("the time of event " + std::to_string(i) + " of this call is not a number from -1e300 to 1e300").c_str());
}

prequential::Seconds step(Waiting& waiting, BoundLearner& bound, Matrix X, Codes id, Vector time, Codes label,
                          std::optional<Vector> w, bool ask_all) {
  const Bounded values = bound.prepare(X, label, w);
  check_events(id, time, X.shape(0));
  const Waiting::Events events{X.shape(0), values.data(), id.data(), time.data(), label.data(), w ? w->data() : nullptr};
  const Unlocked unlocked(bound.python);
  return waiting.step(*bound.learner, events, ask_all);
}

Taken take(Waiting& waiting, int bins) {
  auto r = waiting.take();
  const std::size_t n = r.event.size(), width = std::size_t(bins) + 2;
  if (n * width != r.predictions.size()) throw nb::value_error("bins is not the number this object was made with");
  return {array(std::move(r.event)),        array(std::move(r.predictions), {n, width}),
          array(std::move(r.scores), {n, 2, waiting.n_scores()}),
          array(std::move(r.latency)),      array(std::move(r.irregular)),
          array(std::move(r.irregular_id)), array(std::move(r.irregular_event)),
          array(std::move(r.irregular_time))};
}

void replay(Waiting& waiting, Flags known, Codes id, Vector time, Codes label, std::optional<Matrix> scores) {
  const std::size_t n = known.shape(0);
  check_events(id, time, n);
  check_codes("label", label, n, 1);
  for (std::size_t i = 0; i < n; ++i)
    if (known.data()[i] && label.data()[i] < 0)
      throw nb::value_error(("event " + std::to_string(i) + " of this call is a label event without a label").c_str());
  if (scores.has_value() != (waiting.n_scores() > 0))
    throw nb::value_error("scores must be given exactly if they are kept");
  if (scores) {
    check_length("scores", scores->shape(0), n);
    check_length("the scores of an event", scores->shape(1), waiting.n_scores());
  }
  nb::gil_scoped_release nogil;
  waiting.replay(n, known.data(), id.data(), time.data(), label.data(), scores ? scores->data() : nullptr);
}

}  // namespace

void init_waiting(nb::module_& m) {
  nb::class_<Taken> taken(m, "Taken",
                          "For each label: event (its number), prediction (label, [initial, bins, final]), scores (label, [initial, final], "
                          "class) if they are kept, and latency. "
                          "For each irregular event: kind, id, at (its number) and time.");
  add_array(taken, "event", &Taken::event);
  add_array(taken, "prediction", &Taken::prediction);
  add_array(taken, "scores", &Taken::scores);
  add_array(taken, "latency", &Taken::latency);
  add_array(taken, "kind", &Taken::kind);
  add_array(taken, "id", &Taken::id);
  add_array(taken, "at", &Taken::at);
  add_array(taken, "time", &Taken::time);
  nb::class_<Waiting>(m, "Waiting", "Records that wait for their labels, and their predictions meanwhile.")
      .def("__init__",
           [](Waiting* self, std::size_t n_features, int bins, std::uint64_t period, double horizon,
              std::size_t remember, bool first_class) {
             if (bins < 1 || bins > 100000 || period < 1 || !(horizon > 0))
               throw nb::value_error("bins must be 1 to 100000, period at least 1, horizon above 0");
             new (self) Waiting(n_features, bins, period, horizon, remember, first_class);
           },
           "n_features"_a, "bins"_a, "period"_a, "horizon"_a, "remember"_a, "first_class"_a = false)
      .def("keep_scores",
           [](Waiting& waiting, int n_classes) {
             if (n_classes < 1 || waiting.n_events() > 0)
               throw nb::value_error("scores are kept for at least 1 class, from the first event on");
             waiting.keep_scores(n_classes);
           },
           "n_classes"_a, "Keep the scores of the initial and of the final prediction.")
      .def("step", &step, "learner"_a, "X"_a, "id"_a.noconvert(), "time"_a, "label"_a.noconvert(), "w"_a.none(),
           "ask_all"_a = false,
           "Process some events with a learner; returns the seconds spent.")
      .def("replay", &replay, "known"_a.noconvert(), "id"_a.noconvert(), "time"_a, "label"_a.noconvert(),
           "scores"_a.none() = nb::none(),
           "Process predictions (known 0) and labels (known 1) from a log.")
      .def("take", &take, "bins"_a, "Return what happened since the last call, and drop it.")
      .def_prop_ro("n_waiting", &Waiting::n_waiting)
      .def_prop_ro("n_events", &Waiting::n_events)
      .def_prop_ro("n_records", &Waiting::n_records)
      .def_prop_ro("n_versions", &Waiting::n_versions)
      .def_prop_ro("n_labels", &Waiting::n_labels)
      .def_prop_ro("n_expired", &Waiting::n_expired)
      .def_prop_ro("n_asked", &Waiting::n_asked)
      .def_prop_ro("n_known", &Waiting::n_known)
      .def("known", [](const Waiting& waiting) { return array(waiting.known()); },
           "The ids of the records that wait, and of past records that are remembered.")
      .def_prop_ro("nbytes", &Waiting::nbytes)
      .def("to_bytes",
           [](const Waiting& waiting) {
             prequential::Writer to("waiting", 2);
             waiting.write(to);
             to.seal();
             return nb::bytes(to.data.data(), to.data.size());
           })
      .def("load_bytes", [](Waiting& waiting, nb::bytes state) {
        prequential::Reader from(state.data(), state.size(), "waiting", 2);
        waiting.read(from);
        from.done();
      }, "state"_a);
}
