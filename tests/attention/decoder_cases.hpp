// The decoders that tests go through: every score, and every option the notes leave open.
#pragma once

#include <string>
#include <vector>

#include "attention/attention_decoder.hpp"

namespace lookback::inline LOOKBACK_NS {

struct DecoderCase {
  std::string name;
  AttentionDecoderOptions options;
};

inline std::vector<DecoderCase> decoder_options() {
  return {
      {"default", {}},
      {"two heads", {.heads = 2}},
      {"two layers", {.layers = 2}},
      {"the previous state asks", {.query = Query::previous_state}},
      {"bridge", {.bridge = Bridge::linear_tanh}},
      {"first context attended", {.first_context = FirstContext::attended}},
      {"input direct", {.input = Input::direct}},
      {"readout direct", {.readout = Readout::direct}},
      {"tied", {.tied = true}},
      {"score none", {.score = "none"}},
      {"score none, readout direct", {.score = "none", .readout = Readout::direct}},
      {"LSTM", {.cell = Cell::lstm}},
      {"score none, LSTM", {.score = "none", .cell = Cell::lstm}},
      {"a bias inside the tanh", {.score_bias = true}},
      {"no gradient through words fed back", {.update_embedding_for_previous = false}},
      {"all of them",
       {.score = "general",
        .heads = 2,
        .layers = 3,
        .query = Query::previous_state,
        .bridge = Bridge::linear_tanh,
        .first_context = FirstContext::attended,
        .readout = Readout::direct}},
      {"all of them, LSTM",
       {.heads = 2,
        .layers = 2,
        .cell = Cell::lstm,
        .bridge = Bridge::linear_tanh,
        .first_context = FirstContext::attended,
        .input = Input::direct}},
  };
}

// An encoder of the decoder's kind of cell, and what it hands over.
inline Recurrent make_encoder(Cell cell, const Params& p, Index in, Index hidden) {
  return cell == Cell::lstm ? Recurrent(LSTM(p, in, hidden)) : GRU(p, in, hidden);
}
inline Encoded encoded(const States& states, std::span<const Index> lengths) {
  return {states.h, states.last, Mask::lengths(lengths, states.h.shape()[1]), states.final[0].c};
}

inline std::vector<DecoderCase> decoder_scores(const std::vector<std::string>& names) {
  std::vector<DecoderCase> cases;
  for (const std::string& name : names) cases.push_back({name, {.score = name}});
  return cases;
}

}  // namespace lookback::inline LOOKBACK_NS
