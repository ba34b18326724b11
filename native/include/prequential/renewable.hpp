// Learners that can be asked for the same records again and again as they learn (waiting.hpp), with little work where
// the prediction stays the same.
#pragma once
#include "prequential/learner.hpp"

namespace prequential {

// What a prediction depends on: numbers that only the learner that made it understands. They are valid while this
// learner lives, and are not part of its bytes. A default basis matches no learner: `kNever` is no version and no time
// of terms.
struct Basis {
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);
  std::uint64_t place = 0, stamp = 0, version = kNever, kept = kNever;
  double reach = 0;
};

// Records that are asked again, row by row; for each the basis of its last prediction, and as many numbers (its terms)
// as the learner wants to keep.
struct Asked {
  const double* X;
  std::size_t n_features;
  Basis* bases;
  double* terms;
  std::size_t n_terms;

  const double* record(std::size_t i) const { return X + i * n_features; }
  double* terms_of(std::size_t i) const { return terms + i * n_terms; }
};

class Renewable : public Learner {
 public:
  // Whether all records get the same scores. Then nothing below is needed.
  virtual bool blind() const { return false; }

  // The scores, and what they depend on.
  virtual void scores_on(const double* x, double* out, Basis&) const { scores(x, out); }
  // Whether the same prediction is certain; it may be false at any time.
  virtual bool holds(const double*, const Basis&) const { return false; }
  // How many terms to keep per record. It changes only with the number of classes.
  virtual std::size_t n_terms() const { return 0; }
  // Among the records `rows`, add those whose prediction may have changed to `stale`, in any order, and their best
  // classes to `answers`.
  virtual void renew(const Asked& asked, const std::vector<std::size_t>& rows, std::vector<std::size_t>& stale,
                     std::vector<std::int32_t>& answers) const {
    Scratch out{std::size_t(n_classes())};
    for (const std::size_t i : rows) {
      const double* x = asked.record(i);
      if (holds(x, asked.bases[i])) continue;
      scores_on(x, out.data(), asked.bases[i]);
      stale.push_back(i);
      answers.push_back(best_class(out.data(), n_classes()));
    }
  }
};

}  // namespace prequential
