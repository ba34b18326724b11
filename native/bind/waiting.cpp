#include "prequential/waiting.hpp"

#include "replica.hpp"

using prequential::Waiting;

namespace {

using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The numbers of a vector, which Python then owns.
template <class T>
Array<T> given(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  return Array<T>(kept->data(), shape, nb::capsule(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); }));
}

void check_events(const Codes& id, const Vector& time, std::size_t n) {
  check_length("id", id.shape(0), n);
  check_length("time", time.shape(0), n);
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(time.data()[i]) <= Waiting::kMostTime))
      throw nb::value_error(
          ("the time of event " + std::to_string(i) + " of this call is not a number from -1e300 to 1e300").c_str());
}

std::tuple<double, double> step(Waiting& waiting, Replica& replica, Matrix X, Codes id, Vector time, Codes label,
                                std::optional<Vector> w, bool ask_all) {
  const Bounded values = replica.prepare(X, label, w);
  check_events(id, time, X.shape(0));
  const Waiting::Events events{X.shape(0), values.data(), id.data(), time.data(), label.data(), w ? w->data() : nullptr};
  const Unlocked unlocked(replica.python);
  const auto seconds = waiting.step(*replica.learner, events, ask_all);
  return {seconds.predict, seconds.learn};
}

void replay(Waiting& waiting, Flags known, Codes id, Vector time, Codes label) {
  const std::size_t n = known.shape(0);
  check_events(id, time, n);
  check_codes("label", label, n, 1);
  for (std::size_t i = 0; i < n; ++i)
    if (known.data()[i] && label.data()[i] < 0)
      throw nb::value_error(("event " + std::to_string(i) + " of this call brings a label, and has none").c_str());
  nb::gil_scoped_release nogil;
  waiting.replay(n, known.data(), id.data(), time.data(), label.data());
}

}  // namespace

void init_waiting(nb::module_& m) {
  nb::class_<Waiting>(m, "Waiting", "Records that wait for their labels, and what was predicted for them meanwhile.")
      .def("__init__",
           [](Waiting* self, std::size_t n_features, int bins, std::uint64_t period, double horizon,
              std::size_t remember, bool first_class) {
             if (bins < 1 || bins > 100000 || period < 1 || !(horizon > 0))
               throw nb::value_error("bins must be 1 to 100000, period at least 1, horizon above 0");
             new (self) Waiting(n_features, bins, period, horizon, remember, first_class);
           },
           "n_features"_a, "bins"_a, "period"_a, "horizon"_a, "remember"_a, "first_class"_a = false)
      .def("step", &step, "learner"_a, "X"_a, "id"_a.noconvert(), "time"_a, "label"_a.noconvert(), "w"_a.none(),
           "ask_all"_a = false,
           "Let a learner live through some events; returns the seconds spent predicting and learning.")
      .def("replay", &replay, "known"_a.noconvert(), "id"_a.noconvert(), "time"_a, "label"_a.noconvert(),
           "Take predictions (known 0) and labels (known 1) that were made elsewhere.")
      .def("take",
           [](Waiting& waiting, int bins) {
             auto r = waiting.take();
             const std::size_t n = r.event.size(), m = r.irregular.size(), width = std::size_t(bins) + 2;
             if (n * width != r.predictions.size()) throw nb::value_error("bins is another number");
             return std::make_tuple(given(std::move(r.event), {n}), given(std::move(r.predictions), {n, width}),
                                    given(std::move(r.latency), {n}), given(std::move(r.irregular), {m}),
                                    given(std::move(r.irregular_id), {m}), given(std::move(r.irregular_event), {m}),
                                    given(std::move(r.irregular_time), {m}));
           },
           "bins"_a,
           "Take away what happened: for each label the number of its event, the predictions of its record and its "
           "latency; for each irregular event its kind, id, number and time.")
      .def_prop_ro("n_waiting", &Waiting::n_waiting)
      .def_prop_ro("n_events", &Waiting::n_events)
      .def_prop_ro("n_records", &Waiting::n_records)
      .def_prop_ro("n_versions", &Waiting::n_versions)
      .def_prop_ro("n_labels", &Waiting::n_labels)
      .def_prop_ro("n_expired", &Waiting::n_expired)
      .def_prop_ro("n_asked", &Waiting::n_asked)
      .def_prop_ro("n_known", &Waiting::n_known)
      .def("known", [](const Waiting& waiting) {
        auto ids = waiting.known();
        const std::size_t n = ids.size();
        return given(std::move(ids), {n});
      }, "The ids of the records that wait, and of past ones that are known again.")
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
