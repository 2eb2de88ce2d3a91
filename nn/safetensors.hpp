// safetensors: named tensors and named texts in one file.       github.com/huggingface/safetensors, "Format"
//
//   8 bytes    n, the length of the header, little-endian
//   n bytes    JSON, spaces to a multiple of 8:
//              {"__metadata__": {name: text, ..},
//               name: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ..}
//   the rest   values, little-endian, row-major, one tensor behind the other
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct TensorFile {
  std::vector<Param> tensors;               // in the order of their values in the file
  std::map<std::string, std::string> text;  // "__metadata__"
};

// Whole or not at all (core/file.hpp). The text "checksum" is added: the CRC-32, in hexadecimal, of all bytes
// of the file with these eight digits as zeros. Throws std::system_error when it cannot be written,
// std::runtime_error for a name that is there twice or is not UTF-8.
void write_safetensors(const std::string& path, const TensorFile& file);

// F32 and F64 become Real; other types, F16 and whole numbers among them, are refused by name. Refused is
// also a file that is not to the byte what its header says (holes, overlaps, bytes after the end), and one
// with a "checksum" that is not its own; another program's need not have one. All is checked before the first
// tensor is made. Throws std::runtime_error, "path: reason".
TensorFile read_safetensors(const std::string& path);

}  // namespace lookback::inline LOOKBACK_NS
