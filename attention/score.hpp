// Score functions: how well does a decoder state match each source state? And their registry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ops.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Sizes {
  Index query = 0, key = 0;  // features of a decoder state s and of a source state h
  Index hidden = 0;          // A, the alignment layer of additive and concat
  bool bias = false;         // additive: one more parameter, inside the tanh
};

// A score function holds its parameters and computes e; mask, softmax and context are Attention's.
struct Score {
  virtual ~Score() = default;
  // What can be computed once a sentence: h [B, S, key] -> anything [B, S, ..]. Default: h itself.
  virtual Tensor keys(const Tensor& h) const { return h; }
  // e: s [B, T, query] against keys(h) -> [B, T, S].
  virtual Tensor scores(const Tensor& s, const Tensor& keys) const = 0;
};

using MakeScore = std::shared_ptr<const Score> (*)(Params, Sizes);

// The score registered under `name`, its parameters added to `params`. Throws std::invalid_argument for an
// unknown name, listing the known ones and the nearest, and for a name that two different scores claim.
std::shared_ptr<const Score> make_score(const std::string& name, Params params, Sizes sizes);
std::vector<std::string> score_names();                        // sorted
void register_score(const std::string& name, MakeScore make);  // the same entry twice is one entry

void register_all_scores();  // written by CMake: calls what SCORE defines in each file of attention/scores

// Throws std::invalid_argument naming both sizes unless query and key are equal: for scores without a matrix.
void require_equal_sizes(const char* score, const Sizes& sizes);
// Throws std::invalid_argument when A is 0, which would make every score 0.
void require_hidden_size(const char* score, const Sizes& sizes);

// At the end of a score's file. It makes the score known by `name`: through register_all_scores for the files
// of attention/scores, through the static below for a program of the reader's own, where its function is
// static too: as a symbol it would replace the library's of that name, and a reader's "dot" go unnoticed.
#ifdef LOOKBACK_SCORE_FILE  // set by CMake for this library
#define LOOKBACK_SCORE_LINKAGE
#else
#define LOOKBACK_SCORE_LINKAGE static
#endif
#define SCORE(name, Type)                                                                  \
  LOOKBACK_SCORE_LINKAGE void register_score_##name() {                                    \
    register_score(#name, [](Params params, Sizes sizes) -> std::shared_ptr<const Score> { \
      return std::make_shared<Type>(params, sizes);                                        \
    });                                                                                    \
  }                                                                                        \
  [[maybe_unused]] static const bool score_is_registered_##name = (register_score_##name(), true);

}  // namespace lookback::inline LOOKBACK_NS
