#include "examples/kit/grammar/difficulty.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>

namespace lookback {
namespace {

bool crosses_two(const SentencePair& pair, bool strictly) {
  const auto word = [&](const Link& link) {
    const std::string& text = pair.source[static_cast<std::size_t>(link.source)];
    return text != "?" && text != "," && text != ".";
  };
  std::map<int, std::set<int>> crossed, to;
  for (const Link& link : pair.links) to[link.source].insert(link.target);
  for (const Link& a : pair.links)
    for (const Link& b : pair.links)
      if (a.source < b.source &&
          (strictly ? *to[a.source].begin() > *to[b.source].rbegin() : a.target > b.target) && word(a) &&
          word(b))
        crossed[a.source].insert(b.source), crossed[b.source].insert(a.source);
  return std::any_of(crossed.begin(), crossed.end(), [](const auto& one) { return one.second.size() > 1; });
}

std::set<std::string> forms(std::span<const Tokens> sentences) {
  std::set<std::string> all;
  for (const Tokens& tokens : sentences) all.insert(tokens.begin(), tokens.end());
  return all;
}

}  // namespace

Difficulty difficulty(std::span<const SentencePair> pairs) {
  Difficulty d;
  d.pairs = static_cast<int>(pairs.size());
  d.source_forms = static_cast<int>(forms(sources(pairs)).size());
  d.target_forms = static_cast<int>(forms(targets(pairs)).size());
  int crossing = 0, strict = 0, one_to_many = 0, many_to_one = 0, linked = 0, off = 0;
  for (const SentencePair& pair : pairs) {
    const int S = static_cast<int>(pair.source.size()), T = static_cast<int>(pair.target.size());
    std::map<int, std::set<int>> to, from;
    for (const Link& link : pair.links)
      to[link.source].insert(link.target), from[link.target].insert(link.source);
    for (const Link& link : pair.links)
      one_to_many += to[link.source].size() > 1, many_to_one += from[link.target].size() > 1;
    linked += static_cast<int>(from.size());
    for (int t = 0; t < T; ++t)
      off += !from[t].contains(static_cast<int>(std::lround(t * (S - 1.0) / std::max(T - 1, 1))));
    crossing += crosses_two(pair, false), strict += crosses_two(pair, true);
    d.links += static_cast<int>(pair.links.size());
    d.source_tokens += S, d.target_tokens += T;
    ++d.lengths[S];
  }
  d.crossing = 1.0 * crossing / d.pairs, d.strict_crossing = 1.0 * strict / d.pairs;
  d.one_to_many = 1.0 * one_to_many / d.links, d.many_to_one = 1.0 * many_to_one / d.links;
  d.linked = 1.0 * linked / d.target_tokens, d.diagonal_error = 1.0 * off / d.target_tokens;
  return d;
}

double unseen(std::span<const Tokens> sentences, std::span<const Tokens> others) {
  const std::set<std::string> known = forms(others);
  double all = 0, missing = 0;
  for (const Tokens& tokens : sentences)
    for (const std::string& token : tokens) ++all, missing += !known.contains(token);
  return missing / all;
}

}  // namespace lookback
