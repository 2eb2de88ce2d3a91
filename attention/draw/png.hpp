// Pictures as PNG files. The bytes depend on the pixels alone.
#pragma once

#include "attention/draw/image.hpp"
#include "core/file.hpp"

namespace lookback {

std::string encode_png(const Image& image);

// Encodes in memory, then write_file: whole or not there, or std::system_error "cannot write <path>:
// <reason>".
void write_png(const std::string& path, const Image& image);

}  // namespace lookback
