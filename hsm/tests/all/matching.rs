//! Maps, selections and matchings against enumeration: whatever is answered is exactly so in every small instance.

use std::cell::Cell;

use hsm::{Answered, Assignment, DigitBox, Endpoint, Fact, Reasoner, Relation, Symbol, Term, Truth};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use crate::worlds::{self, World, lookup, members, numbers, rank, sets, terms, worlds};

/// How many questions were answered.
#[derive(Default)]
struct Score {
    asked: Cell<u32>,
    answered: Cell<u32>,
}

impl Score {
    fn note<T>(&self, answer: &Answered<T>) {
        self.asked.set(self.asked.get() + 1);
        self.answered.set(self.answered.get() + u32::from(answer.is_ok()));
    }

    /// A test in which nothing is answered would show nothing.
    fn assert_at_least(&self, percent: u32) {
        println!("{} of {} answered", self.answered.get(), self.asked.get());
        assert!(self.answered.get() * 100 >= self.asked.get() * percent);
    }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

fn value(term: &Term, instance: &Assignment, rank: i128) -> Option<i128> {
    let symbol = worlds::rank();
    term.evaluate(|name| if *name == symbol { Some(rank) } else { instance.get(name) }).ok()
}

#[test]
fn a_map_has_the_values_of_its_term() {
    let score = Score::default();
    let questions = sets().prop_flat_map(|(world, ranks)| (Just(world), Just(ranks), terms(world)));
    let run = runner(1000).run(&questions, |(world, ranks, term)| {
        let answer = Reasoner::new(world.assumptions()).map(&ranks, &term, &rank());
        score.note(&answer);
        let Ok(exact) = answer else { return Ok(()) };
        for instance in world.instances() {
            let lookup = lookup(&exact.assumptions, &instance);
            let mut pairs: Vec<(i128, i128)> = exact
                .value
                .iter()
                .flat_map(|piece| {
                    numbers(&piece.ranks, &lookup).into_iter().zip(numbers(&piece.values, &lookup))
                })
                .collect();
            pairs.sort_unstable();
            let expected: Vec<(i128, i128)> = members(std::slice::from_ref(&ranks), &lookup)
                .into_iter()
                .map(|rank| (rank, value(&term, &instance, rank).expect("divisors are positive")))
                .collect();
            prop_assert_eq!(pairs, expected, "{}", instance);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(50);
}

#[test]
fn a_selection_is_where_the_condition_holds() {
    let score = Score::default();
    let relations = [Relation::Less, Relation::LessEqual, Relation::Equal, Relation::NotEqual];
    let questions = sets().prop_flat_map(move |(world, ranks)| {
        (Just(world), Just(ranks), terms(world), select(relations.to_vec()), terms(world))
    });
    let run = runner(1000).run(&questions, |(world, ranks, left, relation, right)| {
        let condition = Fact::compare(left, relation, right);
        let answer = Reasoner::new(world.assumptions()).select(&ranks, &condition, &rank());
        score.note(&answer);
        let Ok(exact) = answer else { return Ok(()) };
        for instance in world.instances() {
            let lookup = lookup(&exact.assumptions, &instance);
            let holds = |member: &i128| {
                let with_rank: Assignment = instance
                    .iter()
                    .map(|(symbol, value)| (symbol.clone(), value))
                    .chain([(rank(), *member)])
                    .collect();
                condition.evaluate(&with_rank) == Ok(true)
            };
            let (inside, outside): (Vec<i128>, Vec<i128>) =
                members(std::slice::from_ref(&ranks), &lookup).into_iter().partition(holds);
            prop_assert_eq!(members(&exact.value.inside, &lookup), inside, "{}", instance);
            prop_assert_eq!(members(&exact.value.outside, &lookup), outside, "{}", instance);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(40);
}

#[test]
fn intersections_and_differences_are_those_of_the_sets() {
    let score = Score::default();
    let questions =
        worlds().prop_flat_map(|world| (Just(world), select(world.boxes()), select(world.boxes())));
    let run = runner(500).run(&questions, |(world, one, other)| {
        let answer = Reasoner::new(world.assumptions()).intersect(&one, &other);
        score.note(&answer);
        let Ok(exact) = answer else { return Ok(()) };
        for instance in world.instances() {
            let lookup = lookup(&exact.assumptions, &instance);
            let (inside, outside): (Vec<i128>, Vec<i128>) = members(std::slice::from_ref(&one), &lookup)
                .into_iter()
                .partition(|rank| other.contains(*rank, &lookup) == Some(true));
            prop_assert_eq!(members(&exact.value.inside, &lookup), inside, "{}", instance);
            prop_assert_eq!(members(&exact.value.outside, &lookup), outside, "{}", instance);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(75);
}

/// Two sides of a communication.
fn communications() -> impl Strategy<Value = (World, Endpoint, Endpoint)> {
    worlds().prop_flat_map(|world| {
        let end = move || {
            let partner = prop_oneof![8 => select(world.partners()), 1 => terms(world)];
            (select(world.boxes()), partner).prop_map(|(ranks, partner)| Endpoint { ranks, partner })
        };
        (Just(world), end(), end())
    })
}

fn check_matching(
    reasoner: &Reasoner<'_>,
    instances: &[Assignment],
    sends: &Endpoint,
    receives: &Endpoint,
    score: &Score,
) -> Result<(), TestCaseError> {
    let answer = reasoner.matching(sends, receives, &rank());
    score.note(&answer);
    let Ok(exact) = answer else { return Ok(()) };
    for instance in instances {
        let lookup = lookup(&exact.assumptions, instance);
        let list = |ranks: &DigitBox| members(std::slice::from_ref(ranks), &lookup);
        let (senders, receivers) = (list(&sends.ranks), list(&receives.ranks));
        let expected: Vec<(i128, i128)> = senders
            .iter()
            .filter_map(|&sender| Some((sender, value(&sends.partner, instance, sender)?)))
            .filter(|(sender, receiver)| {
                receivers.contains(receiver) && value(&receives.partner, instance, *receiver) == Some(*sender)
            })
            .collect();
        let mut found = Vec::new();
        for matched in &exact.value.matched {
            let (from, to) = match &matched.pairs {
                Some(pairs) => (numbers(&pairs.ranks, &lookup), numbers(&pairs.values, &lookup)),
                None => list(&matched.senders)
                    .into_iter()
                    .map(|sender| {
                        (sender, value(&sends.partner, instance, sender).expect("divisors are positive"))
                    })
                    .unzip(),
            };
            let mut sorted = (from.clone(), to.clone());
            sorted.0.sort_unstable();
            sorted.1.sort_unstable();
            prop_assert_eq!(sorted, (list(&matched.senders), list(&matched.receivers)), "{}", instance);
            found.extend(from.into_iter().zip(to));
        }
        found.sort_unstable();
        prop_assert_eq!(&found, &expected, "{}", instance);
        let rest = |all: Vec<i128>, used: &dyn Fn(&(i128, i128)) -> i128| -> Vec<i128> {
            all.into_iter().filter(|rank| !expected.iter().any(|pair| used(pair) == *rank)).collect()
        };
        let senders = rest(senders, &|pair| pair.0);
        prop_assert_eq!(members(&exact.value.unmatched_senders, &lookup), senders, "{}", instance);
        let receivers = rest(receivers, &|pair| pair.1);
        prop_assert_eq!(members(&exact.value.unmatched_receivers, &lookup), receivers, "{}", instance);
    }
    Ok(())
}

#[test]
fn a_matching_is_all_pairs_that_name_each_other() {
    let score = Score::default();
    let run = runner(1200).run(&communications(), |(world, sends, receives)| {
        let reasoner = Reasoner::new(world.assumptions());
        check_matching(&reasoner, &world.instances(), &sends, &receives, &score)
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(35);
}

#[test]
fn cases_cover_everything_and_each_is_answered_exactly() {
    let score = Score::default();
    let run = runner(80).run(&communications(), |(world, sends, receives)| {
        let reasoner = Reasoner::new(world.assumptions());
        let answers = reasoner.by_cases(6, |reasoner| reasoner.matching(&sends, &receives, &rank()));
        let mut covered = vec![0; world.instances().len()];
        for answer in &answers {
            let assumptions = match answer {
                Ok(exact) => &exact.assumptions,
                Err(failure) => &failure.assumptions,
            };
            let holds = |instance: &Assignment| {
                let complete = assumptions.complete(instance).expect("all symbols have values");
                assumptions.facts().iter().all(|fact| fact.evaluate(&complete) == Ok(true))
            };
            let instances: Vec<Assignment> = world.instances().into_iter().filter(holds).collect();
            for (i, instance) in world.instances().iter().enumerate() {
                covered[i] += u32::from(instances.contains(instance));
            }
            check_matching(&reasoner.under(assumptions.clone()), &instances, &sends, &receives, &score)?;
        }
        prop_assert!(covered.iter().all(|times| *times == 1), "{:?}", covered);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(60);
}

#[test]
fn properties_of_maps_are_those_of_the_values() {
    let score = Score::default();
    let questions = sets().prop_flat_map(|(world, ranks)| {
        let terms = prop_oneof![3 => select(world.partners()), 1 => terms(world)];
        (Just(world), Just(ranks), terms, select(world.boxes()))
    });
    let run = runner(400).run(&questions, |(world, ranks, term, target)| {
        let reasoner = Reasoner::new(world.assumptions());
        let identity = reasoner.is_identity(&ranks, &term, &rank());
        let injective = reasoner.is_injective(&ranks, &term, &rank());
        let onto = reasoner.is_onto(&ranks, &term, &target, &rank());
        let image = reasoner.image(&ranks, &term, &rank());
        score.note(&identity);
        score.note(&injective);
        score.note(&onto);
        score.note(&image);
        for instance in world.instances() {
            let plain = lookup(&world.assumptions(), &instance);
            let list = |ranks: &DigitBox| members(std::slice::from_ref(ranks), &plain);
            let from = list(&ranks);
            let mut to: Vec<i128> = from
                .iter()
                .map(|rank| value(&term, &instance, *rank).expect("divisors are positive"))
                .collect();
            let is = |truth: &Answered<Truth>, fact: bool| match truth {
                Ok(exact) if exact.value == Truth::Yes => fact,
                Ok(exact) if exact.value == Truth::No => !fact,
                _ => true,
            };
            prop_assert!(is(&identity, from == to), "identity {identity:?} at {instance}");
            to.sort_unstable();
            let different = to.windows(2).all(|pair| pair[0] != pair[1]);
            prop_assert!(is(&injective, different), "injective {injective:?} at {instance}");
            to.dedup();
            prop_assert!(is(&onto, to == list(&target)), "onto {onto:?} at {instance}");
            if let Ok(image) = &image {
                let lookup = lookup(&image.assumptions, &instance);
                let mut all: Vec<i128> =
                    image.value.iter().flat_map(|part| numbers(&part.ranks(), &lookup)).collect();
                all.sort_unstable();
                all.dedup();
                prop_assert_eq!(all, to, "{}", instance);
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(50);
}

/// With a prover behind the algebra, answers are as exact.
#[cfg(feature = "z3")]
#[test]
fn a_matching_with_the_help_of_z3_is_exact() {
    let (score, limit) = (Score::default(), 1_000_000);
    let run = runner(60).run(&communications(), |(world, sends, receives)| {
        let reasoner = Reasoner::new(world.assumptions()).with_prover(&hsm::Standard, limit, 3 * limit);
        check_matching(&reasoner, &world.instances(), &sends, &receives, &score)
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    score.assert_at_least(25);
}

/// The name of the rank is the caller's.
#[test]
fn the_rank_may_have_any_name() {
    let me = Symbol::new("me");
    let reasoner = Reasoner::new(World::Several.assumptions());
    let end = |partner: Term| Endpoint { ranks: DigitBox::interval(0, worlds::p("np")), partner };
    let own = || Term::from(me.clone());
    let exact = reasoner.matching(&end(own() + 1), &end(own() - 1), &me).unwrap();
    assert_eq!(exact.value.matched[0].senders.to_string(), "[0..np - 2]");
    // Under another name it is a uniform value, about which nothing is known.
    assert!(reasoner.matching(&end(own() + 1), &end(own() - 1), &rank()).is_err());
}
