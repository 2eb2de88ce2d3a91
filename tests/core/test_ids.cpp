// Ids and masks.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/ids.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Bytes = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("ids are rows of numbers") {
  const Ids ids({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(ids.size() == 6);
  CHECK(ids.column(1).shape == Shape{2});
  CHECK(ids.column(1).values == std::vector<std::int32_t>{2, 5});
  CHECK(Ids(Shape{2, 2}, 7).values == std::vector<std::int32_t>{7, 7, 7, 7});
  CHECK(Ids(Shape{0, 3}).size() == 0);
  CHECK(Ids(Shape{0, 3}).column(2).size() == 0);
}

TEST_CASE("ids refuse a wrong count and a wrong column") {
  CHECK_THROWS_WITH((Ids({2, 3}, {1, 2})), "Ids[2, 3]: 2 values were given");
  CHECK_THROWS_WITH(Ids(Shape{2, 3}).column(3), "Ids[2, 3] has no column 3");
  CHECK_THROWS_WITH(Ids(Shape{2, 3}).column(-1), "Ids[2, 3] has no column -1");
  CHECK_THROWS_WITH(Ids(Shape{4}).column(0), "Ids[4] has no column 0");
}

TEST_CASE("case 16: an id out of range is refused with op, id, place and V") {
  CHECK_NOTHROW(Ids({3}, {0, 4, 2}).check_range("lookup", 5));
  CHECK_NOTHROW(Ids(Shape{0}).check_range("lookup", 0));
  CHECK_THROWS_WITH(Ids({3}, {0, 5, 2}).check_range("lookup", 5),
                    "lookup: id 5 at place 1 of [3] is not in 0 .. 4 (V = 5)");
  CHECK_THROWS_WITH(Ids({1, 2}, {0, -1}).check_range("gather", 5),
                    "gather: id -1 at place 1 of [1, 2] is not in 0 .. 4 (V = 5)");
  CHECK_THROWS_AS(Ids(Shape{1}, INT32_MAX).check_range("gather", 5), std::out_of_range);
}

TEST_CASE("ids whose shape and values disagree are refused before an op reads them") {
  Ids ids({3}, {0, 1, 2});
  ids.values.pop_back();
  CHECK_THROWS_WITH(ids.check_range("gather", 5), "gather: the ids [3] hold 2 values");
  CHECK_THROWS_WITH(Ids().check_range("lookup", 5), "lookup: the ids [] hold 0 values");
}

TEST_CASE("masks keep lengths or the past") {
  const Mask lengths = Mask::lengths(std::array<Index, 3>{2, 0, 3}, 3);
  CHECK(lengths.shape == Shape{3, 3});
  CHECK(lengths.values == Bytes{1, 1, 0, 0, 0, 0, 1, 1, 1});
  CHECK(Mask::causal(3).values == Bytes{1, 0, 0, 1, 1, 0, 1, 1, 1});
  CHECK(lengths.reshape({3, 1, 3}).shape == Shape{3, 1, 3});
  CHECK(lengths.reshape({3, 1, 3}).values == lengths.values);
  CHECK(Mask::lengths({}, 3).shape == Shape{0, 3});
  CHECK(Mask().empty());
  CHECK_FALSE(lengths.empty());
  CHECK_FALSE(Mask::causal(0).empty());
}

TEST_CASE("masks refuse a length over S and a wrong count") {
  CHECK_THROWS_WITH(Mask::lengths(std::array<Index, 2>{2, 4}, 3),
                    "Mask::lengths: length 4 of row 1 is not in 0 .. 3");
  CHECK_THROWS_WITH(Mask::lengths(std::array<Index, 1>{-1}, 3),
                    "Mask::lengths: length -1 of row 0 is not in 0 .. 3");
  CHECK_THROWS_WITH((Mask({2}, {1})), "Mask[2]: 1 values were given");
  CHECK_THROWS_WITH(Mask::causal(2).reshape({3}), "Mask[3]: 4 values were given");
}
