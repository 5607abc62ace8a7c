//! Last writers against a simulation.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Accesses, Context, Error, Flow, Instance, Pair, Relation};
use proptest::prelude::*;

use super::random::{MANY, cases, instance};

/// A statement within one loop or none: whether it reads, where in the loop it stands, and its location in terms of the counter.
#[derive(Clone, Debug)]
struct Statement {
    kind: Kind,
    /// The rounds in which it is executed: from, to, and every so many.
    rounds: (i64, i64, i64),
    /// It accesses the location `factor * t + offset`.
    factor: i64,
    offset: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Read,
    Write,
    Possible,
}

fn statement(kind: impl Strategy<Value = Kind>) -> impl Strategy<Value = Statement> {
    let rounds = (0_i64..3, 2_i64..6, 1_i64..3);
    (kind, rounds, -1_i64..2, -1_i64..3).prop_map(|(kind, rounds, factor, offset)| Statement {
        kind,
        rounds,
        factor,
        offset,
    })
}

fn program(kinds: &'static [Kind]) -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(statement(prop::sample::select(kinds)), 1..5)
}

/// An access of an instance to a location, and its position.
type Access = (Kind, Instance, i64, (i64, usize));

impl Statement {
    fn name(&self, at: usize) -> String {
        format!("{:?}{at}", self.kind)
    }

    fn domain(&self) -> String {
        let (from, to, step) = self.rounds;
        format!("{from} <= t < {to} and (t - {from}) mod {step} = 0")
    }

    fn rounds(&self) -> impl Iterator<Item = i64> {
        let (from, to, step) = self.rounds;
        (from..to).step_by(step as usize)
    }
}

fn relation(
    context: &Context,
    program: &[Statement],
    of: impl Fn(&Statement, usize) -> Option<String>,
) -> Relation {
    let parts = program.iter().enumerate().filter_map(|(at, statement)| {
        of(statement, at).map(|to| format!("{}[t] -> {to} : {}", statement.name(at), statement.domain()))
    });
    let text = format!("{{ {} }}", parts.collect::<Vec<_>>().join("; "));
    Relation::parse(context, &text).expect("it is a relation")
}

fn accesses(context: &Context, program: &[Statement]) -> Accesses {
    let of = |kind: Kind| {
        let location = |statement: &Statement, _: usize| {
            (statement.kind == kind)
                .then(|| format!("M[{}t + {}]", statement.factor, statement.offset).replace("+ -", "- "))
        };
        relation(context, program, location)
    };
    Accesses {
        reads: of(Kind::Read),
        writes: of(Kind::Write),
        possible_writes: Some(of(Kind::Possible)),
        schedule: relation(context, program, |_, at| Some(format!("[t, {at}]"))),
    }
}

fn run(program: &[Statement]) -> Vec<Access> {
    let mut all: Vec<Access> = Vec::new();
    for (at, statement) in program.iter().enumerate() {
        for t in statement.rounds() {
            let location = statement.factor * t + statement.offset;
            all.push((statement.kind, instance(&statement.name(at), &[t]), location, (t, at)));
        }
    }
    all.sort_by_key(|access| access.3);
    all
}

/// A read with its location, as the pairs of a flow have it.
fn read_of(reader: &Instance, location: i64) -> Instance {
    let coordinates = [&reader.coordinates[..], &[location]].concat();
    Instance { name: format!("{} -> M", reader.name), coordinates }
}

fn set_of(relation: &Relation) -> BTreeSet<(Instance, Instance)> {
    let pairs: Vec<Pair> = relation.pairs(MANY).expect("it is bounded");
    pairs.into_iter().map(|pair| (pair.from, pair.to)).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn last_writers(program in program(&[Kind::Read, Kind::Write, Kind::Possible])) {
        let context = Context::new()?;
        let Flow { writers, possible_writers, unwritten, possibly_unwritten } = accesses(&context, &program).flow()?;
        let run = run(&program);
        let (mut last, mut possible, mut none, mut maybe_none) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (at, (_, reader, location, _)) in run.iter().enumerate().filter(|(_, access)| access.0 == Kind::Read) {
            let before = run[..at].iter().rev().filter(|access| access.2 == *location && access.0 != Kind::Read);
            let mut is_certain = false;
            let mut is_first = true;
            for (kind, writer, ..) in before {
                possible.insert((read_of(reader, *location), writer.clone()));
                if *kind == Kind::Write {
                    is_certain = true;
                    if is_first {
                        last.insert((read_of(reader, *location), writer.clone()));
                    }
                    break;
                }
                is_first = false;
            }
            let read = (reader.clone(), instance("M", &[*location]));
            if !is_certain {
                maybe_none.insert(read.clone());
                if is_first {
                    none.insert(read);
                }
            }
        }
        prop_assert_eq!(set_of(&writers), last);
        prop_assert_eq!(set_of(&possible_writers), possible);
        prop_assert_eq!(set_of(&unwritten), none);
        prop_assert_eq!(set_of(&possibly_unwritten), maybe_none);
    }

    #[test]
    fn last_writers_where_all_is_certain(program in program(&[Kind::Read, Kind::Write])) {
        let context = Context::new()?;
        let accesses = accesses(&context, &program);
        let with = accesses.flow()?;
        let without = Accesses { possible_writes: None, ..accesses }.flow()?;
        prop_assert!(with.writers.is_equal(&without.writers)?);
        prop_assert!(without.writers.is_equal(&without.possible_writers)?);
        prop_assert!(without.unwritten.is_equal(&without.possibly_unwritten)?);
        prop_assert!(without.writers.is_single_valued()?);
    }
}

/// `for (t = 0; t < n; t++) { if (t > 0) use(a[t - 1]); a[t] = ...; }`, for any number of rounds.
#[test]
fn a_loop_reads_what_the_round_before_has_written() {
    let context = Context::new().expect("there is memory");
    let relation = |text: &str| Relation::parse(&context, text).expect(text);
    let accesses = Accesses {
        reads: relation("[n] -> { use[t] -> a[t - 1] : 0 < t < n; end[] -> a[n - 1] }"),
        writes: relation("[n] -> { set[t] -> a[t] : 0 <= t < n }"),
        possible_writes: None,
        schedule: relation("[n] -> { use[t] -> [0, t, 0]; set[t] -> [0, t, 1]; end[] -> [1, 0, 0] }"),
    };
    let flow = accesses.flow().expect("small");
    assert_eq!(
        flow.writers.to_string(),
        "[n] -> { [end[] -> a[n - 1]] -> set[n - 1] : 1 <= n; [use[t] -> a[t - 1]] -> set[t - 1] : 0 < t < n }"
            .replace("0 < t", "1 <= t")
    );
    assert_eq!(flow.unwritten.to_string(), "[n] -> { end[] -> a[n - 1] : n <= 0 }");
    let parameters = BTreeMap::from([("n".to_owned(), 4)]);
    let pair = Pair { parameters, from: instance("use -> a", &[3, 2]), to: instance("set", &[2]) };
    assert_eq!(flow.writers.contains(&pair), Ok(true));
}

/// isl's own analysis says `W2[0]`, which `W0[1]` has overwritten.
#[test]
fn a_write_of_a_later_round_is_later() {
    let context = Context::new().expect("there is memory");
    let relation = |text: &str| Relation::parse(&context, text).expect(text);
    let accesses = Accesses {
        reads: relation("{ R[2] -> M[0] }"),
        writes: relation("{ W0[t] -> M[1 - t] : t = 1; W2[t] -> M[-t] : 0 <= t < 2 }"),
        possible_writes: None,
        schedule: relation("{ W0[t] -> [t, 0]; R[t] -> [t, 1]; W2[t] -> [t, 2] }"),
    };
    assert_eq!(accesses.flow().expect("small").writers.to_string(), "{ [R[2] -> M[0]] -> W0[1] }");
}

#[test]
fn schedules_of_different_lengths_are_refused() {
    let context = Context::new().expect("there is memory");
    let relation = |text: &str| Relation::parse(&context, text).expect(text);
    let accesses = Accesses {
        reads: relation("{ use[t] -> a[t] }"),
        writes: relation("{ set[t] -> a[t] }"),
        possible_writes: None,
        schedule: relation("{ use[t] -> [t, 0]; set[t] -> [t] }"),
    };
    assert!(matches!(accesses.flow(), Err(Error::Tuples(_))));
}
