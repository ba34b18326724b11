// What is ranked by metrics of the order of scores.
#pragma once

namespace prequential {

// What is ranked. Without a positive class: with two classes the second, with more each against the rest.
struct RankRules {
  static constexpr int kNoPositive = -1, kNotSeen = -2;  // not seen: no record of the positive class has come yet

  unsigned wanted = 0;         // bits 1 << kAuc and so on
  int positive = kNoPositive;  // the class that is ranked against the rest
  bool paper = false;          // ties are broken by arrival
  bool open = false;           // more classes may come
};

}  // namespace prequential
