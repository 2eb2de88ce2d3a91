#include "examples/kit/grammar/clauses.hpp"

namespace lookback::grammar {

Phrase Clauses::simple(Mood mood, int depth) {
  const bool past = chance(0.3);
  switch (weighted({44, 8, 7, 9, 9, 4, 5, 10, 4, 6, 5, 2, 2})) {
    case 0:
      return action(mood, depth);
    case 1:
      return giving_to(mood);
    case 2:
      return seeing_them(mood);
    case 3:
      return quality_of_thing(past, mood, depth);
    case 4: {
      const Copula copula = chance(0.3) ? Copula::ser : Copula::estar;
      return quality(subject(anyone, depth, mood), copula, past, mood);
    }
    case 5:
      return feeling(subject(anyone, 0, mood), past, mood);
    case 6:
      return age(subject(child, 0, mood), past, mood);
    case 7:
      return liking(mood);
    case 8:
      return comparison(mood);
    case 9:
      return there_is(mood);
    case 10:
      return located(chance(0.5) ? definite(small, 1) : subject(anyone, 0, mood), past, mood);
    case 11:
      return mood == Mood::statement ? hurting() : action(mood, depth);
    default:
      return mood == Mood::statement ? weather(past) : action(mood, depth);
  }
}

// She does not sing because she is tired. He drank the water because he was thirsty.
Phrase Clauses::because(const NounPhrase& who) {
  const bool past = chance(0.5), wanting = chance(0.4);
  const Verb& verb = any_verb(grammar::person, [&](const Verb& v) {
    if (!wanting) return v.sort == Sort::act && (v.objects || v.places == open);
    return v.sort == Sort::act && v.objects & (food | drink | dish) && !(v.objects & text);
  });
  const Phrase main = past ? action(who, verb, Aspect::past, wanting ? Mood::statement : Mood::negation, 1)
                           : action(who, verb,
                                    pick(std::initializer_list<Aspect>{Aspect::present, Aspect::progressive,
                                                                       Aspect::going_to, Aspect::want}),
                                    wanting ? Mood::statement : Mood::negation, 1);
  const Phrase join = words_.fixed({"because", "porque"});
  const NounPhrase same = again(who);
  if (wanting)
    return main + join +
           arrange(same, be(tener, past, Mood::statement, same), Mood::statement,
                   words_.fixed(feelings[verb.objects & drink ? 1 : 0]));
  switch (weighted({30, 35, 25})) {
    case 0:
      return main + join +
             arrange(same, be(tener, past, Mood::statement, same), Mood::statement,
                     words_.fixed(feelings[2 + random_.below(std::ssize(feelings) - 3)]));
    case 1:
      return main + join + quality(same, Copula::estar, past, Mood::statement);
    default:
      return main + join + weather(past);
  }
}

// Maria drinks tea when it is cold. We saw the dog when we were in the garden.
Phrase Clauses::when(const NounPhrase& who) {
  const bool past = chance(0.5), there = chance(0.5);
  const Verb& verb = any_verb(grammar::person, [&](const Verb& v) {
    return v.sort != Sort::state && (!past || !there || (v.objects && !(v.objects & place)));
  });
  const NounPhrase same = again(who);
  const Phrase main = arrange(who, group(verb, past ? Aspect::past : Aspect::present, Mood::statement, who),
                              Mood::statement, with_object(verb, 1));
  const Phrase then = !there ? weather(past)
                      : past ? located(same, true, Mood::statement)
                             : quality(same, Copula::estar, false, Mood::statement);
  const Phrase when = words_.fixed({"when", "cuando"});
  return chance(0.5) || (who.pronoun >= 0 && !who.phrase.es.empty())
             ? main + when + then
             : when + then + words_.fixed({",", ","}) + main;
}

Phrase Clauses::two_clauses() {
  const Aspect aspect = any_aspect(verbs[0]);
  const auto one = [&](const NounPhrase& who) {
    const Verb& verb = any_verb(grammar::person, [](const Verb& v) { return v.sort != Sort::state; });
    return arrange(who, group(verb, aspect, Mood::statement, who), Mood::statement, with_object(verb, 1));
  };
  const Phrase first = one(subject(anyone, 1)), join = words_.fixed({"and", "y"});
  return first + join + one(another_subject());
}

// Maria reads the book but Pedro does not read the newspaper.
Phrase Clauses::but() {
  const Verb& verb =
      any_verb(grammar::person, [](const Verb& v) { return v.objects || v.sort == Sort::act; });
  const Aspect aspect = any_aspect(verb);
  const auto one = [&](const NounPhrase& who, Mood mood) {
    return arrange(who, group(verb, aspect, mood, who), mood, with_object(verb, 1, mood));
  };
  const NounPhrase who = subject(anyone, 1);
  const Phrase first = one(who, Mood::statement), join = words_.fixed({"but", "pero"});
  const int topic = topic_;
  const auto ours = [](const NounPhrase& np) { return np.person == I || np.person == we; };
  NounPhrase other;  // not among the first: nobody rests and does not rest
  do topic_ = topic, other = another_subject();
  while ((other.pronoun >= 0 && (who.plural || other.pronoun == topic)) || (ours(who) && ours(other)));
  return first + join + one(other, Mood::negation);
}

Phrase Clauses::saying_that(const Phrase& what) {
  const NounPhrase who = subject(anyone, 0);
  const Group says = group(saying[random_.below(who.person == he || who.person == they ? 3 : 2)],
                           Aspect::present, Mood::statement, who);
  return arrange(who, says, Mood::statement, words_.fixed({"that", "que"})) + what;
}

Phrase Clauses::asking() {
  switch (weighted({3, 3, 3, 3, 2, 2, 2, 2})) {
    case 0: {  // where did maria buy the bread ?
      const Verb& verb = any_verb(grammar::person, [](const Verb& v) { return v.places != 0; });
      const NounPhrase who = subject(anyone, 1, Mood::question);
      const Phrase what = with_object(verb, 1);
      return words_.fixed({"where", "dónde"}) +
             arrange(who, group(verb, any_aspect(verb), Mood::question, who), Mood::question, what);
    }
    case 1: {  // when did maria buy the bread ?
      const Verb& verb = any_verb(grammar::person, [](const Verb& v) { return v.sort != Sort::state; });
      const NounPhrase who = subject(anyone, 1, Mood::question);
      const Phrase what = with_object(verb, 1);
      return words_.fixed({"when", "cuándo"}) +
             arrange(who, group(verb, any_aspect(verb), Mood::question, who), Mood::question, what);
    }
    case 2: {  // what is the boy eating ?
      const Verb& verb = any_verb(grammar::person, [](const Verb& v) {
        return v.objects && !(v.objects & (anyone | place)) && rest(v.es).empty();
      });
      const NounPhrase who = subject(anyone, 1, Mood::question);
      return words_.fixed({"what", "qué"}) +
             arrange(who, group(verb, any_aspect(verb), Mood::question, who), Mood::question, {});
    }
    case 3: {  // who is reading the book ?
      const Verb& verb = any_verb(grammar::person, [](const Verb&) { return true; });
      const NounPhrase who{words_.fixed({"who", "quién"}), {}};
      return action(who, verb, any_aspect(verb), Mood::statement, 1);
    }
    case 4: {  // where is the key ?
      const NounPhrase what = chance(0.5) ? definite(small, 1) : subject(anyone, 1, Mood::question);
      return words_.fixed({"where", "dónde"}) +
             arrange(what, be(estar, chance(0.3), Mood::question, what), Mood::question, {});
    }
    case 5: {  // how old is maria ?
      const NounPhrase who = subject(child, 1, Mood::question);
      const Group is = be(tener, chance(0.3), Mood::question, who);
      return words_.fixed({"how old", "cuántos años"}) + arrange(who, is, Mood::question, {});
    }
    case 6: {  // how much does the hat cost ?
      const NounPhrase what = definite(goods, 1);
      const Line how = words_.en("how much"), does = words_.en(what.plural ? "do" : "does"),
                 cost = words_.en("cost");
      return {
          how + does + what.phrase.en + cost,
          es("cuánto", ids(how)) + es(what.plural ? "cuestan" : "cuesta", ids(does + cost)) + what.phrase.es};
    }
    default: {  // why is pedro sad ?
      const NounPhrase who = subject(anyone, 1, Mood::question);
      const Phrase why = words_.fixed({"why", "por qué"});
      const bool past = chance(0.3);
      return why + (chance(0.5) ? feeling(who, past, Mood::question)
                                : quality(who, Copula::estar, past, Mood::question));
    }
  }
}

SentencePair Clauses::sentence() {
  words_ = {};
  said_.clear();
  related_ = false, topic_ = -1;
  const auto question = [&](const Phrase& clause) {
    const Line mark = words_.en("?");
    return finish(
        {clause.en + mark, es("¿", together(ids(mark), clause.en[0].ids)) + clause.es + es("?", ids(mark))});
  };
  const auto statement = [&](const Phrase& clause) { return finish(clause + words_.fixed({".", "."})); };
  switch (weighted({40, 12, 9, 7, 5, 6, 5, 4, 4, 4, 3, 3})) {
    case 0:
      return statement(simple(Mood::statement, 2));
    case 1:
      return statement(simple(Mood::negation, 1));
    case 2:
      return question(simple(Mood::question, 1));
    case 3:
      return question(asking());
    case 4:
      return statement(it_again());
    case 5:
      return statement(because(subject(anyone, 1)));
    case 6:
      return statement(when(subject(anyone, 1)));
    case 7:
      return statement(two_clauses());
    case 8:
      return statement(saying_that(simple(Mood::statement, 1)));
    case 9:
      return statement(but());
    case 10: {
      const Phrase first = simple(Mood::statement, 2), join = words_.fixed({"and", "y"});
      return statement(first + join + (chance(0.5) ? because(another_subject()) : when(another_subject())));
    }
    default:
      return statement(saying_that(chance(0.5) ? but() : because(subject(anyone, 1))));
  }
}

}  // namespace lookback::grammar
