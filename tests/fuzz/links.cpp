// A corpus in one file, with the links between words.
#include <fmt/format.h>

#include "examples/kit/text/corpus.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {

std::string read_links(std::string_view bytes) {
  const Corpus corpus = read_corpus({folder().write("a.txt", bytes), ""});
  std::size_t links = 0;
  for (const SentencePair& pair : corpus.pairs) {
    expect(!pair.source.empty() && !pair.target.empty(), "no side of a pair is empty");
    for (const Link& link : pair.links)
      expect(link.source >= 0 && link.source < std::ssize(pair.source) && link.target >= 0 &&
                 link.target < std::ssize(pair.target),
             "links join words that are there");
    links += pair.links.size();
    as_written(corpus, pair);
  }
  write_corpus(folder() / "b.txt", corpus.pairs);
  const Corpus again = read_corpus({folder() / "b.txt", ""});
  expect(again.pairs.size() == corpus.pairs.size(), "what is written is read again");
  for (std::size_t i = 0; i < again.pairs.size(); ++i) {
    const SentencePair &a = corpus.pairs[i], &b = again.pairs[i];
    expect(a.source == b.source && a.target == b.target && a.links == b.links, "every pair comes back");
  }
  return fmt::format("{} pairs, {} links", corpus.pairs.size(), links);
}

}  // namespace lookback::fuzz
