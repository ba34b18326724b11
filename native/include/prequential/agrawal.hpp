// Agrawal's loan applicants (Agrawal et al. 1993): nine features, ten rules for the class, and features that are
// perturbed after the class was computed.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "prequential/record_draws.hpp"

namespace prequential {

class Agrawal {
 public:
  Agrawal(std::uint64_t seed, int rule, double perturbation) : seed_(seed), rule_(rule), perturbation_(perturbation) {}

  std::size_t n_features() const { return 9; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x4147524157414C /* "AGRAWAL" */, index);
    Applicant a;
    a.salary = 20'000 + 130'000 * draw.uniform();
    const double commission = 10'000 + 65'000 * draw.uniform();
    a.commission = a.salary >= 75'000 ? 0 : commission;
    a.age = double(20 + draw.below(61));
    a.level = double(draw.below(5));
    const double car = double(draw.below(20)), zipcode = double(draw.below(9)), wealth = (9 - zipcode) * 100'000;
    a.house_value = wealth * (0.5 + draw.uniform());
    a.house_years = double(1 + draw.below(30));
    a.loan = 500'000 * draw.uniform();
    const bool first = in_group_a(a);
    if (perturbation_ > 0) {
      const auto moved = [&](double value, double range, double low, double high) {
        return std::clamp(value + range * (2 * draw.uniform() - 1) * perturbation_, low, high);
      };
      a.salary = moved(a.salary, 130'000, 20'000, 150'000);
      if (a.commission > 0) a.commission = moved(a.commission, 65'000, 10'000, 75'000);
      a.age = std::floor(moved(a.age, 60, 20, 80) + 0.5);
      a.house_value = moved(a.house_value, wealth, 0, 135'000);
      a.house_years = std::floor(moved(a.house_years, 29, 1, 30) + 0.5);
      a.loan = moved(a.loan, 500'000, 0, 500'000);
    }
    const double values[] = {a.salary, a.commission, a.age, a.level, car, zipcode, a.house_value, a.house_years, a.loan};
    std::copy(std::begin(values), std::end(values), x);
    return first ? 0 : 1;
  }

 private:
  struct Applicant {
    double salary, commission, age, level, house_value, house_years, loan;
  };

  static bool within(double value, double thousands_low, double thousands_high) {
    return 1000 * thousands_low <= value && value <= 1000 * thousands_high;
  }

  bool in_group_a(const Applicant& a) const {
    const int stage = a.age < 40 ? 0 : a.age < 60 ? 1 : 2;
    constexpr double pay[3][2] = {{50, 100}, {75, 125}, {25, 75}};
    const bool usual_pay = within(a.salary, pay[stage][0], pay[stage][1]);
    constexpr int levels[3][2] = {{0, 1}, {1, 3}, {2, 4}};
    const bool usual_level = levels[stage][0] <= a.level && a.level <= levels[stage][1];
    const double income = a.salary + a.commission, two_thirds = 2 * income / 3;
    switch (rule_) {
      case 1: return stage != 1;
      case 2: return usual_pay;
      case 3: return usual_level;
      case 4: {
        constexpr double usual[3][2] = {{25, 75}, {50, 100}, {50, 100}}, other[3][2] = {{50, 100}, {75, 125}, {25, 75}};
        const auto& range = usual_level ? usual[stage] : other[stage];
        return within(a.salary, range[0], range[1]);
      }
      case 5: {
        constexpr double usual[3][2] = {{100, 300}, {200, 400}, {300, 500}};
        constexpr double other[3][2] = {{200, 400}, {300, 500}, {100, 300}};
        const auto& range = usual_pay ? usual[stage] : other[stage];
        return within(a.loan, range[0], range[1]);
      }
      case 6: return within(income, pay[stage][0], pay[stage][1]);
      case 7: return two_thirds - a.loan / 5 - 20'000 > 0;
      case 8: return two_thirds - 5000 * a.level - 20'000 > 0;
      case 9: return two_thirds - 5000 * a.level - a.loan / 5 - 10'000 > 0;
      default: {
        const double equity = a.house_years >= 20 ? a.house_value * (a.house_years - 20) / 10 : 0;
        return two_thirds - 5000 * a.level + equity / 5 - 10'000 > 0;
      }
    }
  }

  std::uint64_t seed_;
  int rule_;
  double perturbation_;
};

}  // namespace prequential
