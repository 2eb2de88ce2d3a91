// Note II's attention decoder, with options for what the notes leave open.
//
//   x_t = W_in [y_{t-1}; c_{t-1}]    s_t = cell(x_t, s_{t-1})    c_t = attention(s_t)    logits_t = W_out [s_t; c_t]
//
// The new state asks (both notes' formulas; Luong et al. 2015); c_t goes into the output and the next step's
// input.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/decoder.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/lstm.hpp"

namespace lookback::inline LOOKBACK_NS {

enum class Cell { gru, lstm };                   // an LSTM hands its c on from step to step; s alone asks
enum class Query { new_state, previous_state };  // previous: Bahdanau et al. 2015
enum class Bridge { copy, linear_tanh };         // s_0 = h_S, or tanh(W h_S + b); an LSTM's c_S likewise
enum class FirstContext { zero, attended };      // c_0: Note II's zero, or what s_0 finds
enum class Input { projected, direct };          // the cell reads W_in [y; c] + b, or [y; c]
enum class Readout { projected, direct };        // vocab(W_out [s; c] + b), or Note I's W_o [s; c]

struct AttentionDecoderOptions {
  std::string score = "additive";  // or "none": h_S, handed over once, is all there is
  bool score_bias = false;         // additive: a bias inside the tanh
  Index heads = 1;                 // each with its own score; contexts are concatenated
  Index layers = 1;                // stacked cells; the top one asks
  Cell cell = Cell::gru;
  Query query = Query::new_state;
  Bridge bridge = Bridge::copy;
  FirstContext first_context = FirstContext::zero;
  Input input = Input::projected;  // makes no difference to score "none"
  Readout readout = Readout::projected;
  bool tied = false;  // the embedding's rows are the readout's; out([s; c]) is then of size E by default
  Real dropout = 0;   // of embedded words and outputs, where a random stream is passed
  bool update_embedding_for_previous = true;  // false: no gradient to a fed-back word's embedding but GO's
};

struct DecoderSizes {
  Index vocabulary, embedding, hidden;  // V, E, H
  Index key;                            // of a source state; 2H if bidirectional
  Index alignment;                      // A
  Index output = 0;                     // of out([s; c]) when projected; 0: H, or E when tied
};

// Every layer starts from the same s_0, and an LSTM's from the same c. start, step, teach and cell throw
// std::invalid_argument for shapes that do not fit, and for a memory or state of another decoder;
// std::out_of_range for a word that is not in 0 .. V-1.
class AttentionDecoder : public Decoder {
 public:
  // Throws std::invalid_argument for layers or heads < 1, an unknown score, or sizes it, bridge = copy or a
  // tied readout cannot take.
  AttentionDecoder(Params params, DecoderSizes sizes, AttentionDecoderOptions options = {});

  Memory read(const Encoded& encoded) const override;
  State start(const Memory& memory) const override;
  Step step(const Memory& memory, const Ids& previous, State& state) const override;
  Forced teach(const Memory& memory, const Ids& inputs, Random* dropout = nullptr) const override;

  struct CellOutput {
    Tensor output;   // out([s_t; c_t]) [B, O]; with readout = direct [s_t; c_t] itself
    Tensor weights;  // [B, heads, S]
    Tensor context;  // [B, heads key]
  };
  // One step before any vocabulary: embedded [B, E] -> output; moves `state` on.
  CellOutput cell(const Tensor& embedded, const Memory& memory, State& state) const;

  const AttentionDecoderOptions& options() const { return options_; }
  const Embedding& embedding() const { return embedding_; }

 private:
  struct Looked {
    Tensor context, weights;  // [B, heads key], [B, heads, S]
  };
  Looked look(const Tensor& s, const Memory& memory) const;
  CellOutput ask(const Tensor& embedded, const Memory& memory, State& state) const;  // its output: [s_t; c_t]
  Tensor projected(const Tensor& sc) const { return out_ ? (*out_)(sc) : sc; }
  Tensor move_on(std::size_t layer, const Tensor& x, State& state) const;  // that layer's s_t
  std::size_t cell_parts() const { return (options_.cell == Cell::lstm ? 2 : 1) * cells_.size(); }
  bool attends() const { return !heads_.empty(); }

  DecoderSizes sizes_;
  AttentionDecoderOptions options_;
  Embedding embedding_;
  std::vector<std::shared_ptr<const RecurrentCell>> cells_;
  std::vector<Attention> heads_;
  std::optional<Linear> bridge_, bridge_c_, in_, out_;
  Linear vocab_;
};

}  // namespace lookback::inline LOOKBACK_NS
