#include "nn/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/file.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's byte order is taken as it is");

namespace fs = std::filesystem;
using Json = nlohmann::json;

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

// The header as an object: of names that are there once, and not nested deeper than the format is.
Json read_header(std::string_view text) {
  std::set<std::string> names;
  const auto check = [&](int depth, Json::parse_event_t event, const Json& json) {
    require(depth <= 3, "not a safetensors file, or damaged: the header is nested too deep");
    if (depth == 1 && event == Json::parse_event_t::key)
      require(names.insert(json).second, "the name {} is there twice", json.get<std::string>());
    return true;
  };
  Json header = Json::parse(text, check, false);
  require(header.is_object(), "not a safetensors file, or damaged: the header is not JSON");
  return header;
}

bool whole_numbers(const Json& list) {
  const auto whole = [](const Json& n) { return n.is_number_unsigned(); };
  return list.is_array() && std::all_of(list.begin(), list.end(), whole);
}

std::pair<Extent, Entry> read_entry(const std::string& name, const Json& json) {
  const auto part = [&](const char* key) { return json.is_object() ? json.value(key, Json()) : Json(); };
  const Json type = part("dtype"), sizes = part("shape"), offsets = part("data_offsets");
  require(type.is_string(), "{} has no dtype", name);
  const std::string dtype = type;
  require(dtype == "F32" || dtype == "F64", "{} is {}; only F32 and F64 are read", name, dtype);
  const std::size_t width = dtype == "F32" ? sizeof(float) : sizeof(double);
  require(whole_numbers(sizes), "{} has no shape in whole numbers", name);
  require(whole_numbers(offsets) && offsets.size() == 2, "{} has no data_offsets, two whole numbers", name);
  require(sizes.size() <= Shape::max_rank, "{} has {} axes; at most {} are read", name, sizes.size(),
          Shape::max_rank);
  Shape shape;
  for (const Json& n : sizes) shape = shape.inserted(shape.rank(), n.get<Index>());
  const std::size_t begin = offsets[0], end = offsets[1], bytes = end - begin;
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

// What the header says of a file of `size` bytes, of which at least the header is at hand.
struct Layout {
  std::map<std::string, std::string> text;
  std::multimap<Extent, Entry> entries;  // in the order of their values
  std::size_t values = 0;                // where they begin in the file
};

// How many bytes of the file the header takes, with its length in front.
std::size_t header_size(std::string_view file, std::uintmax_t size) {
  require(!file.starts_with("PK\3\4"),
          "a zip file, as torch.save writes it; docs/exchange.md tells the way here");
  std::uint64_t length = 0;
  if (file.size() >= sizeof length) std::memcpy(&length, file.data(), sizeof length);
  require(size >= 8 && length <= size - 8,
          "not a safetensors file, or cut short: {} bytes with a header of {}", size, length);
  return 8 + length;
}

Layout read_layout(std::string_view head, std::uintmax_t size) {
  Layout layout;
  layout.values = head.size();
  const Json header = read_header(head.substr(8));
  for (const auto& [name, json] : header.items())
    if (name == "__metadata__") {
      require(json.is_object(), "the texts have no names");
      for (const auto& [key, text] : json.items()) {
        require(text.is_string(), "the text {} is none", key);
        layout.text[key] = text;
      }
    } else {
      layout.entries.insert(read_entry(name, json));
    }
  std::size_t at = 0;
  for (const auto& [extent, entry] : layout.entries) {
    require(extent.first == at, "{} begins at byte {}, but what is before it ends at {}", entry.name,
            extent.first, at);
    at = extent.second;
  }
  require(at == size - head.size(), "the values should be {} bytes and are {}", at, size - head.size());
  return layout;
}

TensorFile read_tensors(std::string_view file, const Layout& layout) {
  TensorFile result{{}, layout.text};
  if (const auto sum = result.text.find("checksum"); sum != result.text.end()) {
    const std::size_t place = file.find(before_checksum + sum->second);
    require(sum->second.size() == blank.size() && place != file.npos &&
                checksum(file, place + before_checksum.size()) == sum->second,
            "damaged, cut short or changed after it was written: the checksum is another");
  }
  for (const auto& [extent, entry] : layout.entries) {
    const auto read = entry.width == sizeof(float) ? read_values<float> : read_values<double>;
    result.tensors.push_back({entry.name, read(entry.shape, file.data() + layout.values + extent.first)});
  }
  return result;
}

}  // namespace

void write_safetensors(const std::string& path, const TensorFile& file) try {
  std::map<std::string, std::string> texts = file.text;
  texts["checksum"] = blank;
  nlohmann::ordered_json header;
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

// The header is judged before the values are read: a file of any size that is none costs nothing.
TensorFile read_safetensors(const std::string& path) try {
  std::error_code none;
  const auto type = fs::status(path, none).type();
  require(type != fs::file_type::fifo && type != fs::file_type::character, "not a file on a disk");
  const std::string length = read_file(path, 8);
  const std::uintmax_t size = fs::file_size(path);
  const Layout layout = read_layout(read_file(path, header_size(length, size)), size);
  const std::string file = read_file(path);
  require(file.size() == size, "it changed while it was read");
  return read_tensors(file, layout);
} catch (const std::system_error&) {  // says the path already
  throw;
} catch (const std::exception& error) {
  throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
}

}  // namespace lookback::inline LOOKBACK_NS
