// How much a long source and a long decoding take.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "core/pool.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

constexpr Index E = 8, H = 16;

std::size_t in_fresh_thread(const std::function<std::size_t()>& bytes) {  // with a pool of its own
  std::size_t result = 0;
  std::thread([&] { result = bytes(); }).join();
  return result;
}

// Bytes a source of S tokens and 20 decode steps take, recorded by a tape or not.
std::size_t bytes_for(Index S, const AttentionDecoderOptions& options, bool recorded) {
  return in_fresh_thread([&] {
    const Params params(1);
    const Embedding embed(params["embedding"], 50, E);
    const GRU gru(params["gru"], E, H);
    const AttentionDecoder decoder(params["decoder"], {50, E, H, H, H}, options);
    const std::size_t before = pool_bytes();
    const std::vector<Index> lengths{S};
    const auto decode = [&] {
      const States states = gru(embed(Ids({1, S}, 7)), lengths);
      return feed_previous(decoder, decoder.read({states.h, states.last, Mask::lengths(lengths, S)}), 20)
          .logits;
    };
    if (recorded) {
      Tape tape;
      tape.backward(sum(decode()));
    } else {
      decode();
    }
    return pool_bytes() - before;
  });
}

}  // namespace

TEST_CASE("case 15: 10,000 source tokens and 20 decode steps take memory that grows by O(S)") {
  for (const std::string score : {"additive", "general", "concat"})
    for (const bool recorded : {false, true}) {
      const std::size_t half = bytes_for(5'000, {.score = score}, recorded),
                        whole = bytes_for(10'000, {.score = score}, recorded);
      INFO(score << (recorded ? ", recorded" : "") << ": " << half << " and " << whole << " bytes");
      CHECK(whole < 3 * half);  // S^2 would be 4; size classes of the pool take part of the rest
      CHECK(whole < 10'000 * (recorded ? 20 : 4) * (E + 8 * H) * sizeof(Real));  // S A, not S S or S 20 A
    }
}

TEST_CASE("without a tape 10,000 decoder steps keep nothing") {
  for (const auto& [name, options] : decoder_options()) {
    INFO(name);
    const AttentionDecoder decoder(Params(1), {9, E, H, H, 4}, options);
    const Memory memory = decoder.read({Tensor({2, 3, H}, 1), Tensor({2, H}, 1), {}, Tensor({2, H}, 1)});
    State state = decoder.start(memory);
    const Ids word({2}, {GO, 4});
    for (int i = 0; i < 3; ++i) decoder.step(memory, word, state);
    const std::size_t warm = pool_bytes();
    for (int i = 0; i < 10'000; ++i) decoder.step(memory, word, state);
    CHECK(pool_bytes() == warm);
  }
}
