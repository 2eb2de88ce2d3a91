#include "nn/safetensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/file.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's byte order is taken as it is");

using Json = nlohmann::ordered_json;

constexpr std::string_view blank = "00000000";          // in the place of the checksum
const std::string before_checksum = "\"checksum\":\"";  // a quote inside a text is escaped: not found there

// Of a file whose eight digits stand at `place`.
std::string checksum(std::string_view file, std::size_t place) {
  const std::uint32_t before = crc32(blank, crc32(file.substr(0, place)));
  return fmt::format("{:08x}", crc32(file.substr(place + blank.size()), before));
}

template <class... A>
void require(bool good, fmt::format_string<A...> why, A&&... a) {
  if (!good) throw std::runtime_error(fmt::format(why, std::forward<A>(a)...));
}

struct Entry {
  std::string name;
  Shape shape;
  std::size_t width;  // bytes of a value
};
using Extent = std::pair<std::size_t, std::size_t>;  // begin and end among the values

std::size_t whole(const Json& n) {
  require(n.is_number_unsigned(), "{} is not a whole number", n.dump());
  return n;
}

std::pair<Extent, Entry> read_entry(const std::string& name, const Json& json) {
  const std::string dtype = json.at("dtype");
  require(dtype == "F32" || dtype == "F64", "{} is {}; only F32 and F64 are read", name, dtype);
  const std::size_t width = dtype == "F32" ? sizeof(float) : sizeof(double);
  const Json &sizes = json.at("shape"), &offsets = json.at("data_offsets");
  require(sizes.size() <= Shape::max_rank, "{} has {} axes; at most {} are read", name, sizes.size(),
          Shape::max_rank);
  Shape shape;
  for (const Json& n : sizes) shape = shape.inserted(shape.rank(), static_cast<Index>(whole(n)));
  const std::size_t begin = whole(offsets.at(0)), end = whole(offsets.at(1)), bytes = end - begin;
  const bool fits =
      begin <= end && bytes % width == 0 && bytes / width == static_cast<std::size_t>(shape.size());
  require(fits, "{} is {} {} in bytes {} to {}, which does not fit", name, to_string(shape), dtype, begin,
          end);
  return {{begin, end}, {name, shape, width}};
}

template <class Stored>
Tensor read_values(const Shape& shape, const char* from) {
  const Tensor x(shape);
  Real* to = x.write();
  for (Index i = 0; i < x.size(); ++i, from += sizeof(Stored)) {
    Stored value;  // the bytes may lie anywhere
    std::memcpy(&value, from, sizeof value);
    to[i] = static_cast<Real>(value);
  }
  return x;
}

TensorFile parse(std::string_view file) {
  require(!file.starts_with("PK\3\4"),
          "a zip file, as torch.save writes it; docs/exchange.md tells the way here");
  std::uint64_t length = 0;
  if (file.size() >= sizeof length) std::memcpy(&length, file.data(), sizeof length);
  require(file.size() >= 8 && length <= file.size() - 8,
          "not a safetensors file, or cut short: {} bytes with a header of {}", file.size(), length);
  const std::string_view values = file.substr(8 + length);
  const Json header = Json::parse(file.substr(8, length), nullptr, false);
  require(header.is_object(), "not a safetensors file, or damaged: the header is not JSON");

  TensorFile result{{}, header.value("__metadata__", Json::object())};
  if (const auto sum = result.text.find("checksum"); sum != result.text.end()) {
    const std::size_t place = file.find(before_checksum + sum->second);
    require(sum->second.size() == blank.size() && place != file.npos &&
                checksum(file, place + before_checksum.size()) == sum->second,
            "damaged, cut short or changed after it was written: the checksum is another");
  }
  std::multimap<Extent, Entry> entries;  // in the order of their values
  for (const auto& [name, json] : header.items())
    if (name != "__metadata__") entries.insert(read_entry(name, json));
  std::size_t at = 0;
  for (const auto& [extent, entry] : entries) {
    require(extent.first == at, "{} begins at byte {}, but what is before it ends at {}", entry.name,
            extent.first, at);
    at = extent.second;
  }
  require(at == values.size(), "the values should be {} bytes and are {}", at, values.size());
  for (const auto& [extent, entry] : entries) {
    const auto read = entry.width == sizeof(float) ? read_values<float> : read_values<double>;
    result.tensors.push_back({entry.name, read(entry.shape, values.data() + extent.first)});
  }
  return result;
}

}  // namespace

void write_safetensors(const std::string& path, const TensorFile& file) try {
  std::map<std::string, std::string> texts = file.text;
  texts["checksum"] = blank;
  Json header;
  header["__metadata__"] = texts;
  std::string values;
  for (const auto& [name, x] : file.tensors) {
    require(!header.contains(name), "cannot write {}: the name {} is there twice", path, name);
    std::vector<Index> shape;
    for (int axis = 0; axis < x.rank(); ++axis) shape.push_back(x.shape()[axis]);
    const std::size_t begin = values.size();
    values.append(reinterpret_cast<const char*>(x.data()), x.values().size_bytes());
    header[name] = {{"dtype", sizeof(Real) == sizeof(float) ? "F32" : "F64"},
                    {"shape", shape},
                    {"data_offsets", {begin, values.size()}}};
  }
  std::string text = header.dump();
  text.append(-text.size() % 8, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(text).append(values);
  const std::size_t place = bytes.find(before_checksum) + before_checksum.size();
  write_file(path, bytes.replace(place, blank.size(), checksum(bytes, place)));
} catch (const Json::exception&) {
  throw std::runtime_error(fmt::format("cannot write {}: a name or text is not UTF-8", path));
}

TensorFile read_safetensors(const std::string& path) {
  const std::string bytes = read_file(path);
  try {
    return parse(bytes);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace lookback::inline LOOKBACK_NS
