#include "examples/kit/text/bleu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
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

// Adds what one sentence matches, and its lengths.
void count(Bleu& b, const Words& translation, const std::vector<Words>& references) {
  b.length += std::ssize(translation);
  b.reference_length += closest_length(translation, references);
  for (std::size_t n = 1; n <= 4; ++n) {
    Counts allowed(before);  // the most a reference has of each run
    for (const Words& reference : references)
      for (const auto& [run, count] : runs(reference, n)) allowed[run] = std::max(allowed[run], count);
    for (const auto& [run, count] : runs(translation, n)) {
      b.totals[n - 1] += count;
      if (const auto found = allowed.find(run); found != allowed.end())
        b.matches[n - 1] += std::min(count, found->second);
    }
  }
}

void add(Bleu& b, const Bleu& sentence) {
  b.length += sentence.length;
  b.reference_length += sentence.reference_length;
  for (std::size_t n = 0; n < 4; ++n) b.totals[n] += sentence.totals[n], b.matches[n] += sentence.matches[n];
}

// Of what is counted.
void score(Bleu& b) {
  const auto c = static_cast<double>(b.length), r = static_cast<double>(b.reference_length);
  if (b.length > 0) b.brevity_penalty = c > r ? 1 : std::exp(1 - r / c);
  double logs = 0;
  for (std::size_t n = 0; n < 4; ++n) {
    if (b.totals[n] > 0)
      b.precisions[n] = static_cast<double>(b.matches[n]) / static_cast<double>(b.totals[n]);
    logs += std::log(b.precisions[n]) / 4;  // minus infinity when there is none
  }
  b.score = b.brevity_penalty * std::exp(logs);
}

std::vector<Bleu> count_each(std::span<const Words> translations, std::span<const Words> references) {
  if (translations.size() != references.size() || translations.empty())
    throw std::invalid_argument(
        fmt::format("bootstrap: {} translations, {} references", translations.size(), references.size()));
  std::vector<Bleu> all(translations.size());
  for (std::size_t i = 0; i < all.size(); ++i) count(all[i], translations[i], {references[i]});
  return all;
}

double score_of(std::span<const Bleu> sentences, std::span<const std::size_t> drawn) {
  Bleu sum;
  for (const std::size_t i : drawn) add(sum, sentences[i]);
  score(sum);
  return sum.score;
}

Interval bootstrap(std::size_t sentences, Random random, int times,
                   const std::function<double(std::span<const std::size_t> drawn)>& statistic) {
  if (times < 1) throw std::invalid_argument(fmt::format("bootstrap: {} times", times));
  std::vector<double> all;
  std::vector<std::size_t> drawn(sentences);
  while (std::ssize(all) < times) {
    for (std::size_t& i : drawn)
      i = static_cast<std::size_t>(random.below(static_cast<std::ptrdiff_t>(sentences)));
    all.push_back(statistic(drawn));
  }
  std::sort(all.begin(), all.end());
  const auto outside = static_cast<std::size_t>(0.025 * times);
  return {all[outside], all[all.size() - 1 - outside]};
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
    count(b, translations[i], references[i]);
  }
  score(b);
  return b;
}

Bleu bleu(std::span<const Words> translations, std::span<const Words> references) {
  std::vector<std::vector<Words>> sets;
  for (const Words& reference : references) sets.push_back({reference});
  return bleu(translations, sets);
}

Interval bootstrap(std::span<const Words> translations, std::span<const Words> references, Random random,
                   int times) {
  const std::vector<Bleu> all = count_each(translations, references);
  return bootstrap(all.size(), random, times, [&](const auto& drawn) { return score_of(all, drawn); });
}

Interval bootstrap(std::span<const Words> a, std::span<const Words> b, std::span<const Words> references,
                   Random random, int times) {
  const std::vector<Bleu> of_a = count_each(a, references), of_b = count_each(b, references);
  return bootstrap(of_a.size(), random, times,
                   [&](const auto& drawn) { return score_of(of_a, drawn) - score_of(of_b, drawn); });
}

std::string Bleu::signature(std::string_view compared) const {
  return fmt::format("BLEU-4, corpus level, {}, no smoothing, closest reference length, scale 0 to 1",
                     compared);
}

}  // namespace lookback
