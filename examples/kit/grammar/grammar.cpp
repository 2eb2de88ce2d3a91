#include "examples/kit/grammar/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "examples/kit/grammar/clauses.hpp"

namespace lookback {

namespace {

// Every form of the words that are inflected, with its class.
const std::map<std::string, std::string>& classes() {
  using namespace grammar;
  static const std::map<std::string, std::string> known = [] {
    std::map<std::string, std::string> of;
    const auto add = [&](const std::string& words, const std::string& name) {
      of.emplace(split(words, ' ')[0], name);
    };
    for (const Noun& noun : nouns) {
      const std::string one = split(noun.en, '/')[0];
      for (const std::string& word : split(one, ' ')) of.emplace(word, "noun");
      of.emplace(split(english_plural(noun.en), ' ').back(), "nouns");
      of.emplace(one + "'s", "owner's");
    }
    for (const Name& name : names)
      of.emplace(name.en, "name"), of.emplace(std::string(name.en) + "'s", "owner's");
    for (const Adjective& adjective : adjectives) {
      of.emplace(adjective.en, "adjective");
      of.emplace(more(adjective.en), "comparative");
    }
    for (const Number& number : numbers) of.emplace(number.en, "number");
    for (const Number& number : ages) of.emplace(number.en, "number");
    for (const Number& day : days) of.emplace(day.en, "day"), of.emplace(std::string(day.en) + "s", "days");
    for (const std::span<const Verb> list : {std::span<const Verb>(verbs), std::span<const Verb>(giving)})
      for (const Verb& verb : list) {
        add(english(verb, Form::base), "verb");
        add(english(verb, Form::third), "verbs");
        add(english(verb, Form::past), "verbed");
        add(english(verb, Form::ing), "verbing");
      }
    for (const char* helper : {"have", "has", "is", "are", "was", "were", "going"}) of.erase(helper);
    return of;
  }();
  return known;
}

}  // namespace

std::string grammar_pattern(const Tokens& source) {
  std::string pattern;
  for (const std::string& word : source) {
    const auto found = classes().find(word);
    pattern += (found == classes().end() ? word : found->second) + " ";
  }
  return pattern;
}

CorpusParts make_grammar(const GrammarOptions& options) {
  constexpr std::size_t shortest = 3, longest = 25;
  const auto fits = [](const Tokens& side) { return side.size() >= shortest && side.size() <= longest; };
  grammar::Clauses grammar(options.seed);
  std::set<Tokens> known;
  std::set<std::string> words;  // of train
  const auto all_known = [&](const Tokens& side) {
    return words.empty() || std::all_of(side.begin(), side.end(),
                                        [&](const std::string& word) { return words.contains(word); });
  };
  const auto part = [&](int count) {
    std::vector<SentencePair> pairs;
    for (int tries = 0; std::ssize(pairs) < count; ++tries) {
      if (tries > 50 * count + 1000)
        throw std::runtime_error(
            words.empty() ? fmt::format("{} is too many: {} sentences differ", count, known.size())
                          : fmt::format("{} is too few: its words make no {} others", options.train, count));
      SentencePair pair = grammar.sentence();
      if (!fits(pair.source) || !fits(pair.target) || !all_known(pair.source) || !all_known(pair.target))
        continue;
      if (!known.insert(pair.source).second) continue;
      pair.line = static_cast<int>(pairs.size()) + 1;
      pairs.push_back(std::move(pair));
    }
    return pairs;
  };
  CorpusParts parts;
  parts.train = part(options.train);
  for (const SentencePair& pair : parts.train)
    for (const Tokens* side : {&pair.source, &pair.target}) words.insert(side->begin(), side->end());
  parts.validation = part(options.validation);
  parts.test = part(options.test);
  return parts;
}

}  // namespace lookback
