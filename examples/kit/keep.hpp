// Keeping a training run in a file, to go on from after an interruption: --save and --resume of a chapter.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "examples/kit/text/options.hpp"
#include "examples/kit/text/run_text.hpp"
#include "nn/adam.hpp"
#include "nn/checkpoint.hpp"

namespace lookback::inline LOOKBACK_NS {

// [keep]
struct Keep {
  std::string path = "";                        // "": the run is not kept; signals do what they always do
  bool resume = false;                          // go on from the file; without one, begin
  RunText same = {};                            // what makes the run this one: another's file is refused
  std::map<std::string, Random*> streams = {};  // what dropout and the like draw from
  std::set<int> looks = {};                     // epochs that after_epoch is to see again when it goes on
  std::function<double()> validation_loss =
      {};                      // asked after every epoch; the weights at its least are kept,
  bool end_with_best = false;  // and are those that the run ends with
  std::chrono::steady_clock::duration every = std::chrono::seconds(10);  // how often the file is written
};
// [/keep]

// As --save and --resume have it, for a run of this seed. A chapter that trains two models keeps them in two
// files: m.safetensors and, with the part "hold-out", m-hold-out.safetensors. Throws std::system_error when no file can
// be written there.
Keep keep_run(const Options& options, RunText same, const std::string& part = "");

// Of every epoch done, also of those before an interruption: the mean loss a target token, measured before its steps;
// and Keep::validation_loss after it, when it is asked.
struct History {
  std::vector<double> loss = {}, validation_loss = {};
};
int best_epoch(
    const History& history);  // the first of the least validation loss, counted from 1; 0: none was asked

// How far a run has come.
struct Place {
  Index step = 0;
  double loss = 0;   // of the epoch that has begun: the sum over its tokens,
  Index tokens = 0;  // and their number
  History history = {};
};

// What train() does with a Keep. The file is written now and then, when SIGINT or SIGTERM came, and after the last
// step; a second one ends the program at once. Equal runs write equal bytes, however often they stopped.
class Keeper {
 public:
  Keeper(Keep keep, const Params& params, Adam& adam);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // The place of the file, or the beginning. Parameters, adam and streams become those of the file, `look` is
  // called for the epochs of Keep::looks that are done. Throws std::runtime_error, and changes nothing, when it
  // is another run's file, or one of more than `steps` steps, of which `in_epoch` make an epoch. A run that
  // begins names on stderr the file of another that it will replace.
  Place resume(Index steps, Index in_epoch, const std::function<void(int epoch)>& look);
  void after_epoch(History& history);                // of which the loss is known
  void after_step(const Place& place, Index steps);  // throws Interrupted
  void end();

 private:
  void save(const Place& place);
  void keep_weights(int epoch);  // as they are, among the past ones

  Keep keep_;
  Params params_;
  Adam& adam_;
  std::vector<Param> best_, past_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  void (*handlers_[2])(int) = {};
};

}  // namespace lookback::inline LOOKBACK_NS
