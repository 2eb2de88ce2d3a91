#include "examples/kit/text/bleu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace lookback {
namespace {

using Counts = std::map<std::span<const std::string>, std::ptrdiff_t,
                        bool (*)(std::span<const std::string>, std::span<const std::string>)>;

bool before(std::span<const std::string> a, std::span<const std::string> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

Counts runs(const Words& words, std::size_t n) {
  Counts counts(before);
  for (std::size_t i = 0; i + n <= words.size(); ++i) ++counts[std::span(words).subspan(i, n)];
  return counts;
}

std::ptrdiff_t closest_length(const Words& words, const std::vector<Words>& references) {
  const auto away = [&](const Words& r) { return std::abs(std::ssize(r) - std::ssize(words)); };
  const auto nearer = [&](const Words& a, const Words& b) {
    return away(a) != away(b) ? away(a) < away(b) : a.size() < b.size();
  };
  return std::ssize(*std::min_element(references.begin(), references.end(), nearer));
}

}  // namespace

Bleu bleu(std::span<const Words> translations, std::span<const std::vector<Words>> references) {
  if (translations.size() != references.size())
    throw std::invalid_argument(fmt::format("bleu: {} translations but {} sets of references",
                                            translations.size(), references.size()));
  Bleu b;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    if (references[i].empty())
      throw std::invalid_argument(fmt::format("bleu: translation {} has no reference", i));
    b.length += std::ssize(translations[i]);
    b.reference_length += closest_length(translations[i], references[i]);
    for (std::size_t n = 1; n <= 4; ++n) {
      Counts allowed(before);  // the most a reference has of each run
      for (const Words& reference : references[i])
        for (const auto& [run, count] : runs(reference, n)) allowed[run] = std::max(allowed[run], count);
      for (const auto& [run, count] : runs(translations[i], n)) {
        b.totals[n - 1] += count;
        if (const auto found = allowed.find(run); found != allowed.end())
          b.matches[n - 1] += std::min(count, found->second);
      }
    }
  }
  const auto c = static_cast<double>(b.length), r = static_cast<double>(b.reference_length);
  if (b.length > 0) b.brevity_penalty = c > r ? 1 : std::exp(1 - r / c);
  double logs = 0;
  for (std::size_t n = 0; n < 4; ++n) {
    if (b.totals[n] > 0)
      b.precisions[n] = static_cast<double>(b.matches[n]) / static_cast<double>(b.totals[n]);
    logs += std::log(b.precisions[n]) / 4;  // minus infinity when there is none
  }
  b.score = b.brevity_penalty * std::exp(logs);
  return b;
}

Bleu bleu(std::span<const Words> translations, std::span<const Words> references) {
  std::vector<std::vector<Words>> sets;
  for (const Words& reference : references) sets.push_back({reference});
  return bleu(translations, sets);
}

std::string Bleu::signature() const {
  return "BLEU-4, corpus level, tokens and case as given, no smoothing, closest reference length, scale 0 to "
         "1";
}

}  // namespace lookback
