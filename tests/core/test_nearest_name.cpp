#include "core/nearest_name.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

using lookback::nearest_name;
using lookback::unknown_name;

TEST_CASE("The nearest name: one slip is seen through, another word is not") {
  const std::vector<std::string> scores = {"additive", "concat", "cosine", "dot", "general", "scaled_dot"};
  CHECK(nearest_name("adittive", scores) == "additive");
  CHECK(nearest_name("genral", scores) == "general");
  CHECK(nearest_name("dto", scores) == "dot");
  CHECK(nearest_name("dots", scores) == "dot");
  CHECK(nearest_name("scaleddot", scores) == "scaled_dot");
  CHECK(nearest_name("dot", scores) == "dot");
  CHECK(nearest_name("bilinear", scores).empty());
  CHECK(nearest_name("x", scores).empty());
  CHECK(nearest_name("", scores).empty());
  CHECK(nearest_name("dot", {}).empty());
}

TEST_CASE("The nearest name: swapped neighbours are one edit, and the first of two equals wins") {
  CHECK(nearest_name("ab", std::vector<std::string>{"ba"}) == "ba");
  CHECK(nearest_name("abc", std::vector<std::string>{"cba"}).empty());
  CHECK(nearest_name("cat", std::vector<std::string>{"bat", "car"}) == "bat");
}

TEST_CASE("An unknown name is told with those that are known, and the nearest where one is near") {
  const std::vector<std::string> scores = {"additive", "dot"};
  CHECK(unknown_name("score", "dto", scores) ==
        "no score \"dto\"; known: additive, dot; did you mean \"dot\"?");
  CHECK(unknown_name("score", "bilinear", scores) == "no score \"bilinear\"; known: additive, dot");
}
