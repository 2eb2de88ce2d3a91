// The file format, byte by byte.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "core/pool.hpp"
#include "nn/safetensors.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring, Catch::Matchers::StartsWith;

const TemporaryFolder& folder() {
  static const TemporaryFolder made;
  return made;
}

// A file as another program may write it.
std::string bytes_of(const std::string& header, const std::string& values) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + values;
}

template <class T>
std::string values(std::vector<T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

TensorFile read(const std::string& bytes) {
  return read_safetensors(folder().write("read.safetensors", bytes));
}

struct Fault {
  const char* name;
  std::string bytes;
  const char* reason;
};

// A header of one tensor W with these attributes.
std::string W(const std::string& attributes) { return "{\"W\":{" + attributes + "}}"; }

}  // namespace

TEST_CASE("tensors of every rank and texts of every kind come back as they were") {
  const std::string path = folder() / "round trip.safetensors";
  const Real tiny = std::numeric_limits<Real>::denorm_min();
  const TensorFile file{
      {{"scalar", Tensor({}, tiny)},
       {"empty", Tensor({0, 3})},
       {"a.b", Tensor({2, 3}, {1, Real(-0.1), 3, 4, 5, 6})},
       {"ключ \"\\\"checksum\\\":\\\"00000000", Tensor({1, 2, 1, 2}, {7, 8, 9, Real(-0.)})}},
      {{"words", "añ\nb\n"}, {"", ""}, {"say", "\"checksum\":\"00000000\" \\ \x01"}}};
  write_safetensors(path, file);
  const TensorFile back = read_safetensors(path);
  REQUIRE(back.tensors.size() == file.tensors.size());
  for (std::size_t k = 0; k < file.tensors.size(); ++k) {
    const Tensor &x = file.tensors[k].value, &y = back.tensors[k].value;
    CHECK(back.tensors[k].name == file.tensors[k].name);
    REQUIRE(y.shape() == x.shape());
    CHECK(std::memcmp(x.data(), y.data(), x.values().size_bytes()) == 0);
  }
  CHECK(back.text.at("checksum").size() == 8);
  std::map<std::string, std::string> text = back.text;
  text.erase("checksum");
  CHECK(text == file.text);
  const std::string bytes = read_file(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  CHECK(length % 8 == 0);  // so that values lie on multiples of 8
  CHECK(bytes.substr(8, 17) == "{\"__metadata__\":{");
  write_safetensors(path, back);
  CHECK(read_file(path) == bytes);
}

TEST_CASE("another program's file: any order, any length of the header, F32 and F64, no texts") {
  const TensorFile file = read(bytes_of(
      "{\"b\": {\"shape\": [2], \"dtype\": \"F32\", \"data_offsets\": [8, 16]},\n \"c\": {\"dtype\": "
      "\"F64\", \"shape\": [], \"data_offsets\": [0, 8]}, \"a\": {\"dtype\": \"F64\", \"shape\": [0, "
      "9], \"data_offsets\": [8, 8]}} ",
      values<double>({0.1}) + values<float>({1.5f, -2})));
  REQUIRE(file.tensors.size() == 3);
  CHECK(file.tensors[0].name == "c");
  CHECK(file.tensors[0].value.item() == static_cast<Real>(0.1));
  CHECK(file.tensors[1].value.shape() == Shape({0, 9}));
  CHECK(distance(file.tensors[2].value, Tensor({2}, {1.5, -2})) == 0);
  CHECK(file.text.empty());
  CHECK(read(bytes_of("{}", "")).tensors.empty());
}

TEST_CASE("what cannot be written is refused, and the old file stays") {
  const std::string path = folder().write("kept.safetensors", "old");
  const Tensor x({2});
  CHECK_THROWS_WITH(write_safetensors(path, {{{"W", x}, {"W", x}}, {}}),
                    "cannot write " + path + ": the name W is there twice");
  CHECK_THROWS_WITH(write_safetensors(path, {{{"__metadata__", x}}, {}}),
                    ContainsSubstring("is there twice"));
  CHECK_THROWS_WITH(write_safetensors(path, {{{"W\xFF", x}}, {}}),
                    "cannot write " + path + ": a name or text is not UTF-8");
  CHECK_THROWS_WITH(write_safetensors(path, {{}, {{"key", "\xC3"}}}), ContainsSubstring("not UTF-8"));
  CHECK_THROWS_AS(write_safetensors(path, {{{"W", Tensor()}}, {}}), std::logic_error);
  CHECK(read_file(path) == "old");
  CHECK_THROWS_WITH(write_safetensors(folder() / "none/x", {}),
                    ContainsSubstring("No such file or directory"));
}

TEST_CASE("case 18: a file that is not what its header says is refused with the reason") {
  const std::string two = values<float>({1, 2}),
                    entry = "\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]";
  REQUIRE(read(bytes_of(W(entry), two)).tensors.size() == 1);
  const auto typed = [&](const char* dtype) {
    return bytes_of(W("\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[2],\"data_offsets\":[0,8]"), two);
  };
  const auto shaped = [&](const std::string& shape, const std::string& offsets = "[0,8]") {
    return bytes_of(W("\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":" + offsets), two);
  };
  const std::string huge = std::to_string(std::uint64_t{1} << 60);
  const std::vector<Fault> faults = {
      {"empty", "", "not a safetensors file, or cut short: 0 bytes"},
      {"seven bytes", std::string(7, '\0'), "not a safetensors file, or cut short: 7 bytes"},
      {"no header", std::string(8, '\0'), "the header is not JSON"},
      {"a text file", "Once upon a time there was a net", "not a safetensors file, or cut short"},
      {"torch.save", std::string("PK\3\4") + std::string(99, '\0'), "a zip file, as torch.save writes it"},
      {"header longer than the file", bytes_of(W(entry), "").replace(6, 1, "\x7F"), "or cut short"},
      {"header longer by 1", bytes_of(W(entry), "").replace(0, 1, "\xFF"), "or cut short"},
      {"not JSON", bytes_of("{\"W\":", two), "the header is not JSON"},
      {"not an object", bytes_of("[1, 2]", two), "the header is not JSON"},
      {"deep JSON", bytes_of(std::string(100'000, '['), two), "the header is nested too deep"},
      {"a deep size", shaped(std::string(100'000, '[') + std::string(100'000, ']')), "nested too deep"},
      {"a size in a list", shaped("[[2]]"), "nested too deep"},
      {"lists for sizes", shaped("[[],[]]"), "W has no shape in whole numbers"},
      {"a number for a shape", shaped("2"), "W has no shape in whole numbers"},
      {"an object for a shape", shaped("{\"a\":2}"), "W has no shape in whole numbers"},
      {"three offsets", shaped("[2]", "[0,8,8]"), "W has no data_offsets, two whole numbers"},
      {"offsets out of range", shaped("[2]", "[0,99999999999999999999]"), "W has no data_offsets"},
      {"a text for the texts", bytes_of("{\"__metadata__\":\"a\"}", ""), "the texts have no names"},
      {"a list for the texts", bytes_of("{\"__metadata__\":[\"a\"]}", ""), "the texts have no names"},
      {"a text that is none", bytes_of("{\"__metadata__\":{\"a\":1}}", ""), "the text a is none"},
      {"not UTF-8", bytes_of("{\"\xFF\":1}", two), "the header is not JSON"},
      {"tensor is a number", bytes_of("{\"W\":1}", two), "W has no dtype"},
      {"no dtype", bytes_of(W("\"shape\":[2]"), two), "W has no dtype"},
      {"no shape", bytes_of(W("\"dtype\":\"F32\",\"data_offsets\":[0,8]"), two), "W has no shape"},
      {"half precision", typed("F16"), "W is F16; only F32 and F64 are read"},
      {"brain floats", typed("BF16"), "W is BF16; only"},
      {"whole numbers", typed("I64"), "W is I64; only"},
      {"2^60 values", shaped("[" + huge + "]"),
       "W is [1152921504606846976] F32 in bytes 0 to 8, which does not"},
      {"2^60 values and offsets",
       shaped("[" + huge + "]", "[0," + std::to_string(std::uint64_t{1} << 62) + "]"),
       "the values should be 4611686018427387904 bytes and are 8"},
      {"2^120 values", shaped("[" + huge + "," + huge + "]"), "more values than can be counted"},
      {"2^120 values and a 0", shaped("[" + huge + "," + huge + ",0]", "[0,0]"), "more values than can be"},
      {"2^63 values", shaped("[9223372036854775808]"), "a shape cannot have the size -9223372036854775808"},
      {"a negative size", shaped("[-2]"), "W has no shape in whole numbers"},
      {"a broken size", shaped("[2.0]"), "W has no shape in whole numbers"},
      {"five axes", shaped("[1,1,1,1,2]"), "W has 5 axes; at most 4 are read"},
      {"one value too many", shaped("[3]"), "W is [3] F32 in bytes 0 to 8, which does not fit"},
      {"half a value", shaped("[2]", "[0,10]"), "which does not fit"},
      {"end before begin", shaped("[2]", "[8,0]"), "which does not fit"},
      {"one offset", shaped("[2]", "[0]"), "W has no data_offsets, two whole numbers"},
      {"a hole in front", bytes_of(W("\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]"), two),
       "W begins at byte 4, but what is before it ends at 0"},
      {"an overlap", bytes_of("{\"U\":{" + entry + "}," + W(entry).substr(1), two),
       "W begins at byte 0, but what is before it ends at 8"},
      {"a name twice",
       bytes_of("{\"W\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"W\":{\"dtype\":\"F32\","
                "\"shape\":[1],"
                "\"data_offsets\":[4,8]}}",
                two),
       "the name W is there twice"},
      {"values cut short", bytes_of(W(entry), two.substr(0, 7)), "the values should be 8 bytes and are 7"},
      {"bytes after the end", bytes_of(W(entry), two + "!"), "the values should be 8 bytes and are 9"},
      {"no tensor, yet values", bytes_of("{}", two), "the values should be 0 bytes and are 8"},
      {"another's checksum", bytes_of("{\"__metadata__\":{\"checksum\":\"12345678\"}}", ""),
       "checksum is another"},
      {"no checksum at all", bytes_of("{\"__metadata__\":{\"checksum\":\"\"}}", ""), "checksum is another"},
      {"a checksum in words", bytes_of("{\"__metadata__\": {\"checksum\": \"12345678\"}}", ""),
       "checksum is"}};
  for (const auto& [name, bytes, reason] : faults) {
    INFO(name);
    const std::string path = folder().write("fault.safetensors", bytes);
    const std::size_t held = pool_bytes();
    std::string why;
    try {
      read_safetensors(path);
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    CHECK(pool_bytes() == held);  // no tensor was made
    CHECK_THAT(why, StartsWith(path + ": ") && ContainsSubstring(reason));
  }
  CHECK_THROWS_WITH(read_safetensors(folder() / "none"),
                    "cannot read " + (folder() / "none") + ": No such file or directory");
  CHECK_THROWS_WITH(read_safetensors(folder().path.string()), ContainsSubstring("Is a directory"));
}
