#include "examples/kit/text/bpe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace lookback {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view more = "@@";

// Where UTF-8 is broken, a stray byte belongs to the character before it.
Strings characters(std::string_view word) {
  Strings pieces;
  do {
    std::size_t size = std::min<std::size_t>(word.size(), 1);
    while (size < word.size() && (word[size] & 0xC0) == 0x80) ++size;
    pieces.emplace_back(word.substr(0, size));
    word.remove_prefix(size);
    if (!word.empty()) pieces.back() += more;
  } while (!word.empty());
  return pieces;
}

// An @ stays alone, so that @@ at the end of a piece is always the mark; so does a space, which parts a merge in two.
bool can_merge(const std::string& piece) { return piece[0] != '@' && (piece[0] & 0xFF) > ' '; }

std::string merged(const std::string& left, const std::string& right) {  // low@@ er -> lower
  return left.substr(0, left.size() - more.size()) + right;
}

// Puts `both` wherever left and right stand side by side, from the beginning on.
template <class Piece>
void put_together(std::vector<Piece>& pieces, const Piece& left, const Piece& right, const Piece& both) {
  auto to = pieces.begin();
  for (auto from = pieces.begin(); from != pieces.end(); ++to) {
    const bool here = *from == left && from + 1 != pieces.end() && from[1] == right;
    *to = here ? both : *from;
    from += here ? 2 : 1;
  }
  pieces.erase(to, pieces.end());
}

// How often pairs of pieces are seen, and in which words: a merge counts those words anew and no others.
class Learner {
 public:
  explicit Learner(const std::map<std::string, std::int64_t>& counts) {
    for (const auto& [word, times] : counts) {
      words_.push_back({{}, times});
      for (const std::string& piece : characters(word)) words_.back().pieces.push_back(id(piece));
      count(words_.size() - 1, 1);
    }
    rank();
  }

  Strings learn(std::size_t most) {
    Strings merges;
    while (merges.size() < most && !ranked_.empty()) {
      const auto [minus, names] = ranked_.top();
      ranked_.pop();
      const Pair pair{id(names.first), id(names.second)};
      if (seen_[pair].times != -minus) continue;  // it has changed, and stands there anew
      const int both = id(merged(names.first, names.second));
      for (const std::size_t word : std::exchange(seen_[pair].words, {})) {
        count(word, -1);
        put_together(words_[word].pieces, pair.first, pair.second, both);
        count(word, 1);
      }
      rank();
      merges.push_back(names.first + ' ' + names.second);
    }
    return merges;
  }

 private:
  using Pair = std::pair<int, int>;
  struct Word {
    std::vector<int> pieces;
    std::int64_t times;
  };
  struct Seen {
    std::int64_t times = 0;
    std::set<std::size_t> words;
  };
  using Ranked = std::pair<std::int64_t, std::pair<std::string, std::string>>;  // minus the times

  int id(const std::string& piece) {
    const auto [entry, fresh] = ids_.emplace(piece, static_cast<int>(names_.size()));
    if (fresh) names_.push_back(piece);
    return entry->second;
  }
  const std::string& name(int id) const { return names_[static_cast<std::size_t>(id)]; }

  void count(std::size_t word, int sign) {
    const auto& [pieces, times] = words_[word];
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const Pair pair{pieces[i], pieces[i + 1]};
      if (!can_merge(name(pair.first)) || !can_merge(name(pair.second))) continue;
      Seen& seen = seen_[pair];
      seen.times += sign * times;
      if (sign > 0)
        seen.words.insert(word);
      else
        seen.words.erase(word);
      changed_.insert(pair);
    }
  }

  void rank() {
    for (const Pair& pair : std::exchange(changed_, {}))
      if (const std::int64_t times = seen_[pair].times; times > 1)
        ranked_.push({-times, {name(pair.first), name(pair.second)}});
  }

  std::vector<Word> words_;
  std::vector<std::string> names_;  // of pieces
  std::unordered_map<std::string, int> ids_;
  std::map<Pair, Seen> seen_;
  std::set<Pair> changed_;
  std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> ranked_;
};

}  // namespace

Bpe::Bpe(std::size_t merges, std::initializer_list<std::span<const Strings>> texts) {
  std::map<std::string, std::int64_t> counts;
  for (const std::span<const Strings> text : texts)
    for (const Strings& sentence : text)
      for (const std::string& word : sentence) ++counts[word];
  *this = Bpe(Learner(counts).learn(merges));
}

Bpe::Bpe(Strings merges) : merges_(std::move(merges)) {
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    const std::string& line = merges_[i];
    const std::size_t space = line.find(' ');
    const std::string left = line.substr(0, space), right = space == line.npos ? "" : line.substr(space + 1);
    if (!left.ends_with(more) || !can_merge(left) || !can_merge(right) || right.find(' ') != right.npos ||
        !rank_.emplace(line, i).second)
      throw std::invalid_argument(fmt::format("merge {}: \"{}\" is not one, or not new", i + 1, line));
  }
}

Strings Bpe::pieces(const std::string& word) const {
  Strings pieces = characters(word);
  for (;;) {
    std::size_t best = merges_.size(), at = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = rank_.find(pieces[i] + ' ' + pieces[i + 1]);
      if (found != rank_.end() && found->second < best) best = found->second, at = i;
    }
    if (best == merges_.size()) return pieces;
    const std::string left = pieces[at], right = pieces[at + 1];
    put_together(pieces, left, right, merged(left, right));
  }
}

std::vector<Strings> Bpe::apply(std::span<const Strings> sentences) const {
  std::unordered_map<std::string, Strings> known;
  std::vector<Strings> all;
  for (const Strings& sentence : sentences) {
    all.emplace_back();
    for (const std::string& word : sentence) {
      const auto [entry, fresh] = known.try_emplace(word);
      if (fresh) entry->second = pieces(word);
      all.back().insert(all.back().end(), entry->second.begin(), entry->second.end());
    }
  }
  return all;
}

Strings Bpe::join(std::span<const std::string> pieces) {
  Strings words;
  bool inside = false;  // a word
  for (std::string_view piece : pieces) {
    if (!inside) words.emplace_back();
    inside = piece.ends_with(more);
    if (inside) piece.remove_suffix(more.size());
    words.back() += piece;
  }
  return words;
}

}  // namespace lookback
