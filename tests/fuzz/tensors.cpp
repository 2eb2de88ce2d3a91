// A safetensors file, byte for byte as it is.
#include <fmt/format.h>

#include <algorithm>

#include "nn/safetensors.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {

std::string read_tensors(std::string_view bytes) {
  const TensorFile file = read_safetensors(folder().write("m.safetensors", bytes));
  const std::string path = folder() / "again.safetensors";
  write_safetensors(path, file);
  const TensorFile again = read_safetensors(path);
  expect(again.tensors.size() == file.tensors.size(), "what is written is read again");
  Index values = 0;
  for (std::size_t k = 0; k < file.tensors.size(); ++k) {
    const auto& [name, x] = file.tensors[k];
    expect(again.tensors[k].name == name && again.tensors[k].value.shape() == x.shape(),
           "every tensor comes back");
    values += x.size();
  }
  return fmt::format("{} tensors, {} values", file.tensors.size(), values);
}

}  // namespace lookback::fuzz
