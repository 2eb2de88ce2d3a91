#include "attention/score.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>

#include "core/nearest_name.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Registry {
  std::map<std::string, MakeScore> scores;
  std::set<std::string> claimed_twice;
};

Registry& registry() {  // made on first use: SCORE's statics may run before any other
  static Registry instance;
  return instance;
}

const Registry& complete_registry() {
  static const bool once = (register_all_scores(), true);
  static_cast<void>(once);
  return registry();
}

}  // namespace

void register_score(const std::string& name, MakeScore make) {
  const auto [entry, added] = registry().scores.emplace(name, make);
  if (!added && entry->second != make) registry().claimed_twice.insert(name);
}

std::vector<std::string> score_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : complete_registry().scores) names.push_back(name);
  return names;
}

std::shared_ptr<const Score> make_score(const std::string& name, Params params, Sizes sizes) {
  const Registry& known = complete_registry();
  if (known.claimed_twice.count(name))
    throw std::invalid_argument(
        fmt::format("two different score functions are registered as \"{}\"; rename one", name));
  const auto entry = known.scores.find(name);
  if (entry != known.scores.end()) return entry->second(params, sizes);
  throw std::invalid_argument(unknown_name("score function", name, score_names()));
}

void require_equal_sizes(const char* score, const Sizes& sizes) {
  if (sizes.query != sizes.key)
    throw std::invalid_argument(
        fmt::format("{}: a query of size {} cannot meet keys of size {}; use general, additive or concat",
                    score, sizes.query, sizes.key));
}

void require_hidden_size(const char* score, const Sizes& sizes) {
  if (sizes.hidden < 1)
    throw std::invalid_argument(
        fmt::format("{}: the alignment layer has size {}; set Sizes::hidden", score, sizes.hidden));
}

}  // namespace lookback::inline LOOKBACK_NS
