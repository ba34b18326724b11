// New predictions of naive Bayes for records that it has predicted before (renewable.hpp). A label changes one class
// only, so the log weight of each record in each class is kept, and only that of this class is computed again. The
// logarithms are those of `FeatureTable`, bit for bit.
#pragma once
#include "prequential/feature_table.hpp"
#include "prequential/renewable.hpp"

namespace prequential {

// The class that alone has changed in the last steps, and their number.
class LastChange {
 public:
  static constexpr int kAll = -1;

  // `shared`: something that all classes depend on has changed too.
  void note(int y, bool shared) {
    n_ = shared ? 0 : std::uint32_t(y) == class_ ? n_ + 1 : 1;
    class_ = std::uint32_t(y);
  }
  // The only class that has changed in the steps from `kept` to `now`, or kAll.
  int changed(std::uint64_t kept, std::uint64_t now) const { return kept <= now && now - kept <= n_ ? int(class_) : kAll; }

 private:
  std::uint32_t class_ = 0, n_ = 0;
};

// The predictions of naive Bayes in its current state. `prior`: the weights of the classes. A class without records in
// the table is never predicted.
template <class Number>
class NaiveBayesRenewal {
 public:
  NaiveBayesRenewal(const FeatureTable<Number>& table, const Features& features, const double* prior)
      : table_(table), features_(features), prior_(prior) {}

  static constexpr int kUnclear = -1;

  // The best class of a record, or kUnclear if two are so close that only the scores can decide. `terms`: the logarithm
  // for each class, which is updated. `changed`: the class that has changed since, or kAll.
  int best(const double* x, double* terms, int changed) {
    const Packed packed(features_, x);
    const std::size_t C = std::size_t(table_.n_classes());
    if (changed != LastChange::kAll) {
      renew(x, packed, terms, std::size_t(changed));
    } else {
      for (std::size_t c = 0; c < C; ++c) renew(x, packed, terms, c);
    }
    int best = kUnclear;
    double top = -kInfinity, second = -kInfinity;
    bool numbers = true;
    for (std::size_t c = 0; c < C; ++c) {
      numbers = numbers && !std::isnan(terms[c]);
      if (terms[c] > top) {
        second = top;
        top = terms[c];
        best = int(c);
      } else {
        second = std::max(second, terms[c]);
      }
    }
    return numbers && top < kInfinity && top - second > kClear ? best : kUnclear;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kClear = 1e-9;  // the scores of the two classes then differ by many rounding errors

  void renew(const double* x, const Packed& packed, double* terms, std::size_t c) {
    terms[c] = table_.weights()[c] > 0 ? table_.logarithm(features_, x, packed.data(), prior_, int(c)) : -kInfinity;
  }

  const FeatureTable<Number>& table_;
  const Features& features_;
  const double* prior_;
};

}  // namespace prequential
