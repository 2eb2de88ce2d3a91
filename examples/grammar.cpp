// The generated English-Spanish corpus: how hard it is, what is in it, and its three files.      docs/grammar.md
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/file.hpp"
#include "examples/kit/grammar/difficulty.hpp"
#include "examples/kit/grammar/grammar.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"

using namespace lookback;

namespace {

using Pairs = std::span<const SentencePair>;

// What a learner has to find out, with the English and Spanish words by which an example is known.
struct Phenomenon {
  const char *name, *en, *es;
};
constexpr Phenomenon phenomena[] = {
    {"an adjective follows its noun", "red", "rojo"},
    {"two adjectives turn round", "small", "negro pequeño"},
    {"very", "very", "muy"},
    {"the owner follows", "teacher's", "del profesor"},
    {"a compound turns round", "orange juice", "zumo de naranja"},
    {"contraction of a el, de el", "to the", "al"},
    {"the pronoun is dropped", "i", "compré"},
    {"do is not said", "does not", "no"},
    {"the subject after the verb", "is maria", "maría ?"},
    {"a person as object", "loves", "quiere a"},
    {"the object before the verb", "them", "los"},
    {"to whom before the verb", "her the", "le"},
    {"it, by the gender of the noun", "and ate it", "y la"},
    {"it and to whom", "gave it to", "se la"},
    {"like turns subject and object", "maria likes", "a maría le gusta"},
    {"so does hurt", "my feet hurt", "me duelen los pies"},
    {"age and hunger are had", "years old", "tiene"},
    {"ser and estar", "is sick", "está"},
    {"going to", "is going to", "va a"},
    {"have to", "has to", "tiene que"},
    {"reflexive verbs", "gets up", "se levanta"},
    {"two words are one", "looks for", "busca"},
    {"one word is two", "home", "a casa"},
    {"more than", "taller than", "más"},
    {"there is", "there are", "hay"},
    {"time goes first", "yesterday", "ayer"},
    {"a day and its morning", "morning", "por la mañana"},
    {"weather", "it is raining", "está lloviendo"},
    {"relative clause", "the man who", "el hombre que"},
    {"two clauses", "because", "porque"},
};

bool holds(const Tokens& sentence, const char* words) {
  return fmt::format(" {} ", fmt::join(sentence, " ")).find(fmt::format(" {} ", words)) != std::string::npos;
}

// i see her -> la (her) veo (i see)
std::string with_links(const SentencePair& pair) {
  std::string text;
  for (int t = 0; t < std::ssize(pair.target); ++t) {
    Tokens from;
    for (const Link& link : pair.links)
      if (link.target == t) from.push_back(pair.source[static_cast<std::size_t>(link.source)]);
    text += fmt::format("{}{} ({})", t ? " " : "", pair.target[static_cast<std::size_t>(t)],
                        fmt::join(from, " "));
  }
  return text;
}

// The shortest sentence that shows it.
void print_phenomena(Pairs pairs) {
  std::set<int> taken;
  for (const Phenomenon& what : phenomena) {
    const SentencePair* best = nullptr;
    for (const SentencePair& pair : pairs)
      if (holds(pair.source, what.en) && holds(pair.target, what.es) && !taken.contains(pair.line) &&
          (!best || pair.source.size() < best->source.size()))
        best = &pair;
    if (!best) continue;
    taken.insert(best->line);
    fmt::print("{}\n  {}\n  {}\n", what.name, detokenize(best->source), with_links(*best));
  }
}

void print_difficulty(const char* name, Pairs pairs, Pairs train) {
  const Difficulty d = difficulty(pairs);
  fmt::print(
      "{:<11} {:>6} {:>7} {:>6} {:>7.1f} {:>6.1f} {:>9.1f} % {:>5.1f} % {:>5.1f} % {:>8.3f} {:>8.2f} %\n",
      name, d.pairs, d.source_forms, d.target_forms, 1.0 * d.source_tokens / d.pairs,
      1.0 * d.target_tokens / d.pairs, 100 * d.crossing, 100 * d.one_to_many, 100 * d.many_to_one,
      d.diagonal_error, 100 * unseen(targets(pairs), targets(train)));
}

void print_lengths(Pairs pairs) {
  const Difficulty d = difficulty(pairs);
  int most = 0;
  for (const auto& [length, count] : d.lengths) most = std::max(most, count);
  for (const auto& [length, count] : d.lengths)
    fmt::print("  {:>2} {:>5} {}\n", length, count,
               std::string(static_cast<std::size_t>(50 * count / most), '#'));
}

double shared_patterns(Pairs test, Pairs train) {
  std::set<std::string> known;
  for (const SentencePair& pair : train) known.insert(grammar_pattern(pair.source));
  double shared = 0;
  for (const SentencePair& pair : test) shared += known.contains(grammar_pattern(pair.source));
  return shared / static_cast<double>(test.size());
}

CorpusParts corpus(std::uint64_t seed, int sentences) try {
  return make_grammar({.seed = seed, .train = sentences});
} catch (const std::runtime_error& error) {
  throw std::runtime_error(fmt::format("--sentences: {}", error.what()));
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.out = "out/grammar"};
  int sentences = 8000, shown = 20;
  Chapter program("grammar", "the generated English-Spanish corpus: difficulty, examples, files");
  program.takes(options, {"--seed", "--out"});
  program.takes("--sentences", sentences, "pairs to train on", 1, 100'000);
  program.takes("--show", shown, "pairs to print", 0, 100'000);
  return program.run(argc, argv, [&] {
    const CorpusParts parts = corpus(options.seed, sentences);
    fmt::print("part         pairs      words        tokens     crossing   one to  many to diagonal\n");
    fmt::print(
        "                       en     es      en     es                many      one    error   unseen\n");
    print_difficulty("train", parts.train, parts.train);
    print_difficulty("validation", parts.validation, parts.train);
    print_difficulty("test", parts.test, parts.train);
    fmt::print("target words with a link: {:.1f} %\n", 100 * difficulty(parts.train).linked);
    fmt::print("test sentences whose pattern is in train: {:.1f} %\n",
               100 * shared_patterns(parts.test, parts.train));
    std::vector<Tokens> all = targets(parts.train);
    const std::set<Tokens> train(all.begin(), all.end());
    const std::vector<Tokens> validation = targets(parts.validation), test = targets(parts.test);
    all.insert(all.end(), validation.begin(), validation.end());
    all.insert(all.end(), test.begin(), test.end());
    fmt::print("Spanish sentences that repeat another pair's: {} of {}; test sentences in train: {} of {}\n",
               all.size() - std::set<Tokens>(all.begin(), all.end()).size(), all.size(),
               std::count_if(test.begin(), test.end(), [&](const Tokens& t) { return train.contains(t); }),
               test.size());
    fmt::print(
        "crossing, all of a word behind all of the other: train {:.1f} %, validation {:.1f} %, test {:.1f} "
        "%\n",
        100 * difficulty(parts.train).strict_crossing, 100 * difficulty(parts.validation).strict_crossing,
        100 * difficulty(parts.test).strict_crossing);
    fmt::print("\nEnglish lengths in train\n");
    print_lengths(parts.train);
    fmt::print("\nWhat is in it\n");
    print_phenomena(parts.train);
    fmt::print("\nThe first test sentences\n");
    for (const SentencePair& pair : Pairs(parts.test).first(std::min<std::size_t>(shown, parts.test.size())))
      fmt::print("  {}\n    {}\n", detokenize(pair.source), detokenize(pair.target));
    write_corpus(options.out + "/train.txt", parts.train);
    write_corpus(options.out + "/validation.txt", parts.validation);
    write_corpus(options.out + "/test.txt", parts.test);
  });
}
