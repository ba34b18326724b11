#include "prequential/rank_window.hpp"

#include "results.hpp"

namespace {

using prequential::Rank;

// The different scores of a class in ascending order, and the weights of its negatives and positives at each.
struct ScoreGroups {
  Array<double> score, negatives, positives;
};

// A window over the last `most` records, and the value of one metric after each record.
class Ranks {
 public:
  Ranks(std::uint64_t most, int n_classes, int rank, bool paper)
      : most_(within<std::uint64_t>("w", most, 1, std::uint64_t(1) << 31)),
        rank_(Rank(within("rank", rank, 0, int(prequential::kRanks) - 1))),
        window_(within("n_classes", n_classes, 2, prequential::kMostClasses), 1u << rank_, paper) {}

  // One column of scores: any numbers that rank the second of two classes. One column per class: probabilities.
  Array<double> update(Codes y, Matrix scores, std::optional<Vector> w) {
    const std::size_t n = y.shape(0), m = scores.shape(1);
    const int n_classes = window_.n_classes();
    check_length("scores", scores.shape(0), n);
    check_weights(w, n);
    if (check_codes("y", y, n, n_classes) > n_classes)
      throw nb::value_error(("y holds a code that is not below " + std::to_string(n_classes)).c_str());
    if (m != std::size_t(n_classes) && !(m == 1 && n_classes == 2))
      throw nb::value_error(("scores has " + std::to_string(m) + " columns for " + std::to_string(n_classes) +
                             " classes").c_str());
    if (m > 1) check_signs(scores);
    auto result = empty<double>({n});
    double* out = result.data();
    nb::gil_scoped_release nogil;
    std::vector<double> keys(std::size_t(n_classes), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = w ? w->data()[i] : 1.0;
      if (y.data()[i] >= 0 && weight > 0) {
        rank(scores.data() + i * m, m, keys.data());
        if (window_.size() == most_) window_.pop();
        window_.push(int(y.data()[i]), keys.data(), weight);
      }
      out[i] = window_.value(rank_);
    }
    return result;
  }

  double value() { return window_.value(rank_); }

  ScoreGroups groups(int code) {
    if (code < 0 || code >= window_.n_classes()) throw nb::value_error("there is no such class");
    std::vector<double> score, n, p;
    window_.walk(code, [&](double s, double negatives, double positives) {
      score.push_back(s);
      n.push_back(negatives);
      p.push_back(positives);
    });
    return {array(std::move(score)), array(std::move(n)), array(std::move(p))};
  }

  std::size_t size() const { return window_.size(); }
  std::size_t nbytes() const { return window_.nbytes(); }

  nb::bytes to_bytes() const {
    prequential::Writer to("rank_window", 1);
    to.put(most_);
    window_.write(to);
    to.seal();
    return nb::bytes(to.data.data(), to.data.size());
  }
  void load_bytes(nb::bytes state) {
    prequential::Reader from(state.data(), state.size(), "rank_window", 1);
    if (from.get<std::uint64_t>() != most_) throw std::invalid_argument("these bytes are the state of another window");
    prequential::RankWindow loaded = window_.fresh();
    loaded.load(from);
    from.done();
    if (loaded.size() > most_) throw std::invalid_argument("damaged state: a window of ranks");
    window_ = std::move(loaded);
  }

 private:
  std::uint64_t most_;
  Rank rank_;
  prequential::RankWindow window_;

  template <class T>
  static T within(const char* name, T value, T least, T most) {
    if (value < least || value > most)
      throw nb::value_error((std::string(name) + " must be from " + std::to_string(least) + " to " +
                             std::to_string(most)).c_str());
    return value;
  }

  static void check_signs(const Matrix& scores) {
    const std::size_t m = scores.shape(1);
    for (std::size_t k = 0; k < scores.shape(0) * m; ++k)
      if (scores.data()[k] < 0 && std::isfinite(scores.data()[k]))
        throw nb::value_error(("the score of record " + std::to_string(k / m) + " of this call for class code " +
                               std::to_string(k % m) + " is " + std::to_string(scores.data()[k]) +
                               "; with one column per class, scores must be at least 0").c_str());
  }

  // Scores that are not finite, or all zero, are abstentions.
  static void rank(const double* scores, std::size_t m, double* keys) {
    if (m == 1) {
      keys[0] = std::isfinite(scores[0]) ? 0.0 : std::numeric_limits<double>::quiet_NaN();
      keys[1] = scores[0];
      return;
    }
    double total = 0;
    bool finite = true;
    for (std::size_t c = 0; c < m; ++c) {
      total += scores[c];
      finite = finite && std::isfinite(scores[c]);
    }
    prequential::rank_keys(scores, m, finite ? total : 0.0, int(m), keys);
  }
};

}  // namespace

void init_rank_window(nb::module_& m) {
  nb::class_<ScoreGroups> groups(m, "ScoreGroups",
                                 "The different scores of a class in ascending order, and the weights of its negatives "
                                 "and positives at each.");
  add_array(groups, "score", &ScoreGroups::score);
  add_array(groups, "negatives", &ScoreGroups::negatives);
  add_array(groups, "positives", &ScoreGroups::positives);
  nb::class_<Ranks>(m, "RankWindow", "The last records in the order of their scores, and one metric of this order.")
      .def(nb::init<std::uint64_t, int, int, bool>(), "w"_a, "n_classes"_a, "rank"_a, "paper"_a)
      .def("update", &Ranks::update, "y"_a.noconvert(), "scores"_a, "w"_a.none(),
           "Add some records; return the value after each.")
      .def("groups", &Ranks::groups, "code"_a)
      .def_prop_ro("value", &Ranks::value)
      .def_prop_ro("size", &Ranks::size)
      .def_prop_ro("nbytes", &Ranks::nbytes)
      .def("to_bytes", &Ranks::to_bytes)
      .def("load_bytes", &Ranks::load_bytes, "state"_a);
}
