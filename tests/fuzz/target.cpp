// What libFuzzer calls; CMake says which READER of readers.hpp.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    lookback::fuzz::READER({reinterpret_cast<const char*>(data), size});
  } catch (const std::runtime_error&) {
  } catch (const std::invalid_argument&) {}
  return 0;
}
