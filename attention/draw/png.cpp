#include "attention/draw/png.hpp"

#include <new>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace lookback {

std::string encode_png(const Image& image) {
  if (image.rgb.empty()) throw std::invalid_argument("png: the picture is empty");
  std::string bytes;
  auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  const int stride = image.width * 3;
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), stride))
    throw std::bad_alloc();
  return bytes;
}

void write_png(const std::string& path, const Image& image) { write_file(path, encode_png(image)); }

}  // namespace lookback
