// Buffers of the pool: each by itself, whatever its size and whichever thread it comes from.
#include "core/pool.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/catch.hpp"

namespace {

using namespace lookback;

struct Buffer {
  std::size_t bytes;
  unsigned char* data;
  unsigned char mark;

  Buffer(std::size_t n, std::size_t k)
      : bytes(n), data(static_cast<unsigned char*>(pool_allocate(n))), mark(k % 251) {
    std::fill_n(data, bytes, mark);
  }
  bool whole() const {
    return std::all_of(data, data + bytes, [this](unsigned char c) { return c == mark; });
  }
};

std::vector<Buffer> many() {  // of less than a cache line up to some huge pages
  std::vector<Buffer> all;
  for (std::size_t bytes = 1; bytes < 10'000'000; bytes = bytes * 5 / 4 + 1) {
    all.emplace_back(bytes, all.size());
    all.emplace_back(bytes, all.size());
  }
  return all;
}

}  // namespace

TEST_CASE("buffers are aligned and do not overlap") {
  const std::vector<Buffer> all = many();
  for (const Buffer& buffer : all) {
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data) % 64 == 0);
    CHECK(buffer.whole());
  }
  for (const Buffer& buffer : all) pool_release(buffer.data, buffer.bytes);
  const std::size_t held = pool_bytes();
  for (const Buffer& buffer : many()) pool_release(buffer.data, buffer.bytes);
  CHECK(pool_bytes() == held);  // the same ones again
}

TEST_CASE("buffers outlive the thread that asked for them, and end in any other") {
  std::vector<Buffer> all;
  std::thread([&] { all = many(); }).join();
  const std::vector<Buffer> more = many();
  for (const Buffer& buffer : all) CHECK(buffer.whole());
  std::thread([&] {
    for (const Buffer& buffer : all) pool_release(buffer.data, buffer.bytes);
  }).join();
  const std::vector<Buffer> again = many();  // what the threads have left among them
  for (const Buffer& buffer : more) CHECK(buffer.whole());
  for (const Buffer& buffer : again) CHECK(buffer.whole());
  for (const auto& buffers : {more, again})
    for (const Buffer& buffer : buffers) pool_release(buffer.data, buffer.bytes);
}
