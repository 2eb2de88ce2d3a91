#include "examples/kit/grammar/phrase.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "examples/kit/grammar/inflect.hpp"

namespace lookback::grammar {
namespace {

bool vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

}  // namespace

Line operator+(Line a, const Line& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Phrase operator+(const Phrase& a, const Phrase& b) { return {a.en + b.en, a.es + b.es}; }

std::vector<int> ids(const Line& line) {
  std::vector<int> all;
  for (const Word& word : line) all.insert(all.end(), word.ids.begin(), word.ids.end());
  return all;
}

std::vector<int> together(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Line Words::en(std::string_view text) {
  Line line;
  for (const std::string& word : split(text, ' ')) line.push_back({word, {next_++}});
  return line;
}

Phrase Words::fixed(const Fixed& entry) {
  const int first = next_;
  Phrase phrase{en(entry.en), es(entry.es, {})};
  for (const std::string& link : split(entry.links, ' ')) {
    const std::vector<std::string> ends = split(link, '-');
    phrase.es[std::stoul(ends[1])].ids.push_back(first + std::stoi(ends[0]));
  }
  const int last = static_cast<int>(phrase.en.size()) - 1;
  if (!*entry.links)
    for (int i = 0; Word & word : phrase.es) word.ids = {first + std::min(i++, last)};
  return phrase;
}

Line es(std::string_view text, const std::vector<int>& from) {
  Line line;
  for (const std::string& word : split(text, ' ')) line.push_back({word, from});
  return line;
}

SentencePair finish(const Phrase& sentence) {
  SentencePair pair{};
  std::map<int, int> place;  // of an English word
  for (std::size_t i = 0; i < sentence.en.size(); ++i) {
    const bool an = sentence.en[i].text == "a" && vowel(sentence.en[i + 1].text[0]);
    place[sentence.en[i].ids[0]] = static_cast<int>(i);
    pair.source.push_back(an ? "an" : sentence.en[i].text);
  }
  std::set<int> from;
  for (std::size_t j = 0; j < sentence.es.size(); ++j) {
    const auto& [text, ids] = sentence.es[j];
    const std::string next = j + 1 < sentence.es.size() ? sentence.es[j + 1].text : "";
    for (const int id : ids) from.insert(place.at(id));
    if (next == "el" && (text == "a" || text == "de")) continue;  // its links pass to the contraction
    const std::string before = j > 0 && text == "el" ? sentence.es[j - 1].text : "";
    pair.target.push_back(before == "a"                          ? "al"
                          : before == "de"                       ? "del"
                          : text == "y" && next.starts_with('i') ? "e"
                                                                 : text);
    for (const int i : std::exchange(from, {}))
      pair.links.push_back({i, static_cast<int>(std::ssize(pair.target)) - 1});
  }
  return pair;
}

}  // namespace lookback::grammar
