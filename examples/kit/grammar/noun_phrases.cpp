#include <algorithm>
#include <string_view>

#include "examples/kit/grammar/clauses.hpp"

namespace lookback::grammar {
namespace {

constexpr std::string_view water = "agua";  // feminine, and yet "el agua": it begins with a stressed a

std::string article(const Noun& noun, bool plural) {
  return noun.es == water ? "el" : split(the.es, ' ')[2 * plural + noun.gender];
}

int pronoun_for(const NounPhrase& who) {
  return who.pronoun >= 0   ? who.pronoun
         : who.person == we ? 4
         : who.plural       ? 5
                            : 2 + (who.gender == feminine);
}

}  // namespace

int Clauses::weighted(std::initializer_list<int> weights) {
  int sum = 0, choice = 0;
  for (const int weight : weights) sum += weight;
  int left = static_cast<int>(random_.below(sum));
  for (const int weight : weights) {
    if (left < weight) break;
    left -= weight, ++choice;
  }
  return choice;
}

const Noun& Clauses::any_noun(Kinds kinds, Kinds without) {
  std::vector<const Noun*> fitting;
  for (const Noun& noun : nouns)
    if (noun.kinds & kinds && !(noun.kinds & without)) fitting.push_back(&noun);
  return fresh(fitting);
}

bool Clauses::many(const Noun& noun, double share) {
  return !(noun.kinds & (one | mass)) && chance(noun.kinds & pair ? 0.9 : share);
}

NounPhrase Clauses::pronoun(int which) {
  static constexpr Person persons[] = {I, you, he, he, we, they};
  NounPhrase who{{words_.en(pronouns[which].subject), {}}, {}, persons[which]};
  who.head = ids(who.phrase.en);
  who.gender = which == 3 ? feminine : masculine;
  who.plural = which > 3;
  who.pronoun = which;
  who.gendered = which == 2 || which == 3;
  who.kinds = grammar::person | child;
  return who;
}

NounPhrase Clauses::name() {
  std::vector<const Name*> all;
  for (const Name& one : names) all.push_back(&one);
  const Name& one = fresh(all);
  const Line en = words_.en(one.en);
  NounPhrase who{{en, es(one.es, ids(en))}, ids(en)};
  who.gender = one.gender;
  who.kinds = grammar::person | child;
  return who;
}

NounPhrase Clauses::two_people(bool ours) {
  NounPhrase first = name(), second = name();
  if (ours && chance(0.3)) {
    second.phrase = words_.fixed({"i", "yo"});
    second.gender = masculine;
    first.person = we;
  } else {
    first.person = they;
  }
  first.phrase = first.phrase + words_.fixed({"and", "y"}) + second.phrase;
  first.head = together(first.head, ids(second.phrase.en));
  first.plural = true;
  if (second.gender == masculine) first.gender = masculine;
  return first;
}

// red; very big; long and interesting; cheap italian. What follows the noun in Spanish is given back, what
// precedes it is put into `before`.
Phrase Clauses::adjectives(const NounPhrase& noun, Line& before) {
  std::vector<const Adjective*> inner, outer, all, praise;
  for (const Adjective& adjective : grammar::adjectives) {
    if (!(adjective.kinds & noun.kinds) || said_.contains(&adjective)) continue;
    if (adjective.side == Side::before && noun.kinds & mass) continue;  // "buena sopa" wants an article
    all.push_back(&adjective);
    if (adjective.rank == 1) inner.push_back(&adjective);
    if (adjective.rank == 2 && adjective.copula == Copula::ser) outer.push_back(&adjective);
    if (adjective.praise) praise.push_back(&adjective);
  }
  if (all.empty()) return {};
  const Adjective& one = *pick(outer.empty() ? all : chance(0.5) ? outer : all);
  const Phrase first = adjective(one, noun);
  if (one.side == Side::before) before = first.es;
  const Phrase after{first.en, one.side == Side::before ? Line{} : first.es};
  if (one.rank == 2 && one.copula == Copula::ser && !inner.empty() && !(noun.kinds & anyone) &&
      chance(0.35)) {
    const Phrase second = adjective(*pick(inner), noun);
    return {after.en + second.en, second.es + after.es};
  }
  if (one.side == Side::before || one.rank == 1) return after;
  if (one.copula == Copula::ser && !praise.empty() && chance(0.3)) {
    const Adjective& other = *pick(praise);
    if (&other != &one) return after + words_.fixed({"and", "y"}) + adjective(other, noun);
  }
  return one.copula == Copula::ser && chance(0.25) ? words_.fixed({"very", "muy"}) + after : after;
}

Phrase Clauses::adjective(const Adjective& adjective, const NounPhrase& noun) {
  said_.insert(&adjective);
  const Line en = words_.en(adjective.en);
  return {en, es(agreeing(adjective, noun.gender, noun.plural), ids(en))};
}

// [noun]
// the teacher's old house -> la casa vieja del profesor
NounPhrase Clauses::noun(const Noun& noun, bool plural, int depth, Articles articles) {
  const Line en = words_.en(plural ? english_plural(noun.en) : split(noun.en, '/')[0]);
  NounPhrase np{{}, {en.back().ids}, plural ? they : he, noun.gender, plural, -1, noun.kinds};
  const std::vector<std::string> spanish = split(plural ? spanish_plural(noun.es) : noun.es, ' ');
  Line name, before;
  for (const std::string& word : spanish) name = name + es(word, name.empty() ? np.head : en[0].ids);
  const Phrase after =
      depth > 0 && !plain_ && chance(noun.kinds & relative ? 0.2 : 0.5) ? adjectives(np, before) : Phrase{};

  Phrase first, last;
  const bool owned = noun.kinds & (relative | home | food | drink | thing | animal);
  if (owned && depth > 0 && chance(noun.kinds & relative ? 0.3 : 0.18)) {
    last = owner(noun.kinds & relative ? child : Kinds{0});
    first = {last.en, es(article(noun, plural), together(last.en.back().ids, np.head))};
    last.en.clear();
  } else {
    first = determiner(noun, plural, articles, np);
    const bool the_one = !first.en.empty() && (first.en[0].text == "the" || first.en[0].text == "a");
    if (noun.kinds & part && the_one && depth > 0 && chance(0.5))
      last = words_.fixed({"of", "de"}) +
             this->noun(any_noun(house | room), false, 0, Articles::definite).phrase;
    else if (depth > 1 && the_one && noun.kinds & (anyone | thing | food) && chance(0.5))
      last = relative_clause(np);
  }
  np.phrase = {first.en + after.en + en + last.en, first.es + before + name + after.es + last.es};
  return np;
}
// [/noun]

Phrase Clauses::owner(Kinds without) {
  Phrase who =
      chance(0.6) ? name().phrase : noun(any_noun(anyone, without), false, 0, Articles::definite).phrase;
  who.en.back().text += "'s";
  return {who.en, es("de", who.en.back().ids) + who.es};
}

Phrase Clauses::determiner(const Noun& noun, bool plural, Articles articles, NounPhrase& np) {
  const auto one_of = [&](const Determiner& d) {
    const Line en = words_.en(plural ? d.many : d.one);
    return Phrase{en, es(split(d.es, ' ')[2 * plural + noun.gender], together(ids(en), np.head))};
  };
  if (articles == Articles::general) return {{}, es(article(noun, plural), np.head)};
  if (articles == Articles::many) return one_of(counting[1]);
  if (noun.kinds & relative) return one_of(pick(owning));
  const bool mine = noun.kinds & (home | food | drink | thing | animal), none = noun.kinds & mass;
  const bool sure = articles != Articles::indefinite;
  switch (weighted({45 * sure, none ? 0 : 9 * sure, (mine ? noun.kinds & (food | drink) ? 6 : 16 : 0) * sure,
                    35 * (articles != Articles::definite)})) {
    case 0: {
      const Line en = words_.en("the");
      return {en, es(article(noun, plural), together(ids(en), np.head))};
    }
    case 1:
      return one_of(pick(pointing));
    case 2:
      return one_of(pick(owning));
    default:
      np.definite = false;
  }
  if (none) return {};
  if (!plural) return one_of(chance(0.85) ? a : counting[2]);
  if (noun.kinds & (goods | food) && articles == Articles::any && chance(0.3)) return {};
  const Number& number = pick(numbers);
  if (chance(0.5)) return words_.fixed({number.en, number.es});
  return one_of(counting[chance(0.5)]);
}

// who sells the bread; that maria bought
Phrase Clauses::relative_clause(const NounPhrase& noun) {
  related_ = true;
  const Phrase that = words_.fixed({noun.kinds & anyone && chance(0.5) ? "who" : "that", "que"});
  const auto told = [&](const Verb& verb) {
    if (verb.sort != Sort::act) return verb.sort == Sort::state ? Aspect::present : Aspect::past;
    return chance(0.5) ? Aspect::present : Aspect::past;
  };
  if (noun.kinds & anyone) {
    const Verb& verb =
        any_verb(grammar::person, [](const Verb& v) { return v.objects && !(v.objects & anyone); });
    NounPhrase silent = noun;
    silent.phrase = {};
    const Phrase what = with_object(verb, 0);
    return that + arrange(silent, group(verb, told(verb), Mood::statement, silent), Mood::statement, what);
  }
  const Verb& verb =
      any_verb(grammar::person, [&](const Verb& v) { return v.objects & noun.kinds && rest(v.es).empty(); });
  const NounPhrase who = chance(0.4) ? pronoun(static_cast<int>(random_.below(6))) : somebody(0);
  return that + arrange(who, group(verb, told(verb), Mood::statement, who), Mood::statement, {});
}

NounPhrase Clauses::somebody(int depth) {
  if (chance(0.4)) return name();
  const Noun& who = any_noun(anyone);
  return noun(who, many(who, 0.25), depth, Articles::definite);
}

NounPhrase Clauses::subject(Kinds kinds, int depth, Mood mood) {
  const int ours = mood != Mood::question;  // nobody asks what he does himself
  if (!(kinds & (anyone | child))) return definite(kinds, depth);
  const int sort = weighted({36, 56, 8});
  const NounPhrase who = sort == 0        ? pronoun(weighted({26 * ours, 12, 18, 18, 12 * ours, 14}))
                         : sort == 2      ? two_people(ours)
                         : kinds & anyone ? somebody(depth)
                         : chance(0.5)    ? name()
                                          : definite(kinds, depth);
  topic_ = pronoun_for(who);
  return who;
}

// he rested and she did not -> y ella no: a pronoun that means another than the last subject is said
NounPhrase Clauses::another_subject() {
  const int last = topic_;
  NounPhrase who = subject(anyone, 1);
  if (who.pronoun >= 0 && who.pronoun != last) who.phrase.es = es(pronouns[who.pronoun].said, who.head);
  return who;
}

NounPhrase Clauses::object(Kinds kinds, int depth, Mood mood) {
  if (kinds & anyone && chance(0.6)) return somebody(depth);
  const Noun& what = any_noun(kinds);
  if (what.kinds & (room | open | shop | house)) return noun(what, false, depth, Articles::definite);
  const bool some = mood != Mood::negation || what.kinds & mass;  // nobody "did not eat some apples"
  return noun(what, many(what, 0.35), depth, some ? Articles::any : Articles::definite);
}

NounPhrase Clauses::definite(Kinds kinds, int depth) {
  const Noun& what = any_noun(kinds);
  return noun(what, many(what, 0.3), depth, Articles::definite);
}

NounPhrase Clauses::one_thing(Kinds kinds, int depth) {
  return noun(any_noun(kinds), false, depth, Articles::definite);
}

NounPhrase Clauses::again(const NounPhrase& who) {
  NounPhrase same = pronoun(pronoun_for(who));
  same.gender = who.gender;
  same.gendered = who.gendered;
  return same;
}

int Clauses::other_than(const NounPhrase& who) {
  const bool ours = who.person == I || who.person == we;
  return ours                ? weighted({0, 2, 4, 4, 0, 4})
         : who.person == you ? weighted({3, 0, 4, 4, 3, 4})
                             : weighted({3, 3, 4, 4, 3, 4});
}

Phrase Clauses::somewhere(Kinds kinds, int depth) {
  const Noun& where = any_noun(kinds);
  const Fixed in{where.kinds & shop ? "at" : "in", "en"};
  const bool outside = where.kinds & (house | shop);
  const Phrase before = words_.fixed(chance(0.75) ? in : outside ? pick(near_a_place) : near_a_place[0]);
  return before + noun(where, false, std::min(depth, 1), Articles::definite).phrase;
}

// under the table; on the old chair
Phrase Clauses::near_something(int depth) {
  const Phrase what = one_thing(top, depth).phrase;
  return words_.fixed(pick(near_a_thing)) + what;
}

}  // namespace lookback::grammar
