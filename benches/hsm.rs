//! The matching of communication patterns by algebra, against Z3 on the same identities in the same run.
//!
//! Every pattern is a send and a receive by all processes, for any number of them. The algebra answers who matches whom;
//! Z3 is asked only whether the composition of both partners is the identity, which is the smaller question: it says nothing
//! of who is left over. Three tables follow the times of divan:
//!
//! * each pattern: time by algebra, time of Z3 alone (or the limit), and their ratio;
//! * all patterns together: proofs per second, and how many of the claims in them were settled by algebra and by Z3, with Z3
//!   at hand and without;
//! * a shift along the last dimension of a periodic mesh of 1 to 6 dimensions: the cost against the number of levels.
//!
//! Memories are per thread, so each measurement of Z3 runs in a thread of its own.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use divan::Bencher;
#[cfg(feature = "z3")]
use hsm::{Answer, Enumeration, Prover, Z3};
use hsm::{Assumptions, DigitBox, Endpoint, Fact, Polynomial, Reasoner, Standard, Statistics, Symbol, Term};

/// Units of work for one claim: about two seconds.
const LIMIT: u64 = 20_000_000;

fn main() {
    for pattern in patterns() {
        assert!(pattern.is_complete(), "{}", pattern.name);
    }
    divan::main();
    // Not when the benches are only listed or tried.
    if !std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        #[cfg(feature = "z3")]
        against_z3();
        shares();
        levels();
    }
}

fn term(name: &str) -> Term {
    Term::symbol(name)
}

fn rank() -> Symbol {
    Symbol::new("rank")
}

/// All processes send `there` and receive from `back`.
#[derive(Clone)]
struct Pattern {
    name: String,
    assumptions: Assumptions,
    there: Term,
    back: Term,
}

impl Pattern {
    fn new(name: &str, facts: &[Fact], there: Term, back: Term) -> Self {
        Self { name: name.to_owned(), assumptions: Assumptions::of(facts.iter().cloned()), there, back }
    }

    /// What the matching took, and whether it leaves nobody over.
    fn run(&self, reasoner: &Reasoner<'_>) -> (bool, Statistics) {
        let world = || DigitBox::interval(0, Polynomial::symbol("np"));
        let end = |partner: &Term| Endpoint { ranks: world(), partner: partner.clone() };
        match reasoner.matching(&end(&self.there), &end(&self.back), &rank()) {
            Ok(exact) => (exact.value.is_complete(), exact.statistics),
            Err(failure) => (false, failure.statistics),
        }
    }

    fn is_complete(&self) -> bool {
        self.run(&Reasoner::new(self.assumptions.clone())).0
    }

    /// The identity alone, for Z3 alone.
    #[cfg(feature = "z3")]
    fn identity(&self) -> (Vec<Fact>, Fact) {
        let mut facts = self.assumptions.facts();
        facts.push(Fact::all([Fact::le(0, rank()), Fact::lt(rank(), term("np"))]));
        let back = self.back.substitute(&rank(), &self.there).expect("a few dozen steps");
        (facts, Fact::eq(back, rank()))
    }
}

/// The patterns of the paper's section VIII, and what is common beyond them.
fn patterns() -> Vec<Pattern> {
    let (r, np, nrows, ncols) = (term("rank"), term("np"), term("nrows"), term("ncols"));
    let positive = |names: &[&str]| names.iter().map(|name| Fact::le(1, term(name))).collect::<Vec<_>>();
    let mut mesh = positive(&["nrows", "ncols"]);
    mesh.push(Fact::eq(&np, &nrows * &ncols));
    let with = |fact: Fact| mesh.iter().cloned().chain([fact]).collect::<Vec<_>>();
    let (row, column) = (r.floor_div(&ncols), &r % &ncols);
    let square = (&r % &nrows) * &nrows + r.floor_div(&nrows);
    let half = r.floor_div(2);
    let rectangle = ((&half % &nrows) * &nrows + half.floor_div(&nrows)) * 2 + &r % 2;
    let line = [Fact::le(1, &np), Fact::le(0, term("k")), Fact::lt(term("k"), &np)];
    let mut all = vec![
        Pattern::new("NAS CG, square", &with(Fact::eq(&ncols, &nrows)), square.clone(), square),
        Pattern::new("NAS CG, rectangle", &with(Fact::eq(&ncols, &nrows * 2)), rectangle.clone(), rectangle),
        Pattern::new("ring", &positive(&["np"]), (&r + 1) % &np, (&r - 1 + &np) % &np),
        Pattern::new("ring, any step", &line, (&r + term("k")) % &np, (&r - term("k") + &np) % &np),
        Pattern::new("reversal", &positive(&["np"]), &np - 1 - &r, &np - 1 - &r),
        Pattern::new(
            "transpose",
            &mesh,
            &column * &nrows + &row,
            (&r % &nrows) * &ncols + r.floor_div(&nrows),
        ),
        Pattern::new(
            "diagonal of a torus",
            &mesh,
            (&row + 1) % &nrows * &ncols + (&column + 1) % &ncols,
            (&row - 1 + &nrows) % &nrows * &ncols + (&column - 1 + &ncols) % &ncols,
        ),
        Pattern::new(
            "Cannon",
            &with(Fact::eq(&ncols, &nrows)),
            &row * &ncols + (&column - &row + &ncols) % &ncols,
            &row * &ncols + (&column + &row) % &ncols,
        ),
        Pattern::new("red and black", &with(Fact::eq(&ncols % 2, 0)), r.flip(1), r.flip(1)),
        hypercube(),
    ];
    all.extend((1..=3).map(torus));
    all
}

/// Recursive doubling in all its steps.
fn hypercube() -> Pattern {
    let mut assumptions = Assumptions::new();
    assumptions.assume_power_of_two(&Symbol::new("np"), None);
    assumptions.assume_power_of_two(&Symbol::new("mask"), None);
    assumptions.assume(&Fact::lt(term("mask"), term("np")));
    let partner = term("rank").flip(term("mask"));
    Pattern { name: "recursive doubling".to_owned(), assumptions, there: partner.clone(), back: partner }
}

/// A shift along the last dimension of a periodic mesh.
fn torus(dimensions: usize) -> Pattern {
    let names: Vec<String> = (0..dimensions).map(|i| format!("n{i}")).collect();
    let product =
        |names: &[String]| names.iter().fold(Term::constant(1), |product, name| product * term(name));
    let mut facts: Vec<Fact> = names.iter().map(|name| Fact::le(1, term(name))).collect();
    facts.push(Fact::eq(term("np"), product(&names)));
    // All digits are taken apart and put together again.
    let rank_with = |change: &dyn Fn(Term, &Term) -> Term| {
        names.iter().enumerate().fold(Term::constant(0), |sum, (i, name)| {
            let weight = product(&names[..i]);
            let digit = term("rank").floor_div(&weight) % term(name);
            let digit = if i + 1 == dimensions { change(digit, &term(name)) } else { digit };
            sum + digit * weight
        })
    };
    let there = rank_with(&|digit, n| (digit + 1) % n);
    let back = rank_with(&|digit, n| (digit - 1 + n) % n);
    Pattern::new(&format!("torus of {dimensions}"), &facts, there, back)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Time of one matching, without anything remembered.
fn by_algebra(pattern: &Pattern) -> Duration {
    median(
        (0..9)
            .map(|_| {
                let start = Instant::now();
                black_box(pattern.is_complete());
                start.elapsed()
            })
            .collect(),
    )
}

/// Time of Z3 on the identity, after small instances have not refuted it, and whether Z3 proved it.
#[cfg(feature = "z3")]
fn by_z3(pattern: &Pattern) -> (Duration, bool) {
    let (facts, goal) = pattern.identity();
    let run = move || {
        // The first question of a thread pays for its solver.
        let _: Answer = Z3.prove(&[], &Fact::le(term("x"), term("x") * term("x")), LIMIT);
        let start = Instant::now();
        let _: Answer = Enumeration::default().prove(&facts, &goal, LIMIT);
        let proved = Z3.prove(&facts, &goal, LIMIT) == Answer::Proved;
        (start.elapsed(), proved)
    };
    thread::spawn(run).join().expect("no panic")
}

#[cfg(feature = "z3")]
fn against_z3() {
    println!("\nthe matching by algebra, and the identity alone by Z3 (limit {LIMIT} units of work)");
    println!("{:<22} {:>12} {:>12} {:>9}", "pattern", "algebra", "Z3", "ratio");
    for pattern in patterns() {
        let (algebra, (z3, proved)) = (by_algebra(&pattern), by_z3(&pattern));
        let ratio = z3.as_secs_f64() / algebra.as_secs_f64();
        let (algebra, z3) = (format!("{algebra:.2?}"), format!("{z3:.2?}"));
        let ratio = if proved { format!("{ratio:.1}") } else { "unproved".to_owned() };
        println!("{:<22} {algebra:>12} {z3:>12} {ratio:>9}", pattern.name);
    }
}

fn shares() {
    println!("\nall patterns: matchings, and the claims within them by what settled them");
    println!(
        "{:<12} {:>9} {:>11} {:>9} {:>9} {:>9}",
        "means", "matched", "proofs/s", "algebra", "Z3", "open"
    );
    for with_z3 in [false, true] {
        let run = move || {
            let start = Instant::now();
            let (mut sum, mut proofs) = (Statistics::default(), 0_u32);
            for pattern in patterns() {
                let reasoner = Reasoner::new(pattern.assumptions.clone());
                let reasoner = if with_z3 { reasoner.with_prover(&Standard, LIMIT, LIMIT) } else { reasoner };
                let (complete, statistics) = pattern.run(&reasoner);
                proofs += u32::from(complete);
                sum.by_algebra += statistics.by_algebra;
                sum.by_prover += statistics.by_prover;
                sum.open += statistics.open;
            }
            (proofs, f64::from(proofs) / start.elapsed().as_secs_f64(), sum)
        };
        let (proofs, rate, sum) = thread::spawn(run).join().expect("no panic");
        let means = if with_z3 { "with Z3" } else { "algebra" };
        let Statistics { by_algebra, by_prover, open, .. } = sum;
        println!("{means:<12} {proofs:>9} {rate:>11.0} {by_algebra:>9} {by_prover:>9} {open:>9}");
    }
}

fn levels() {
    println!("\na shift along the last dimension of a periodic mesh");
    println!("{:<12} {:>12} {:>12}", "dimensions", "time", "to one less");
    let mut before: Option<Duration> = None;
    for dimensions in 1..=6 {
        let time = by_algebra(&torus(dimensions));
        let ratio = before
            .map_or_else(String::new, |before| format!("{:.2}", time.as_secs_f64() / before.as_secs_f64()));
        println!("{dimensions:<12} {:>12} {ratio:>12}", format!("{time:.2?}"));
        before = Some(time);
    }
}

#[divan::bench(args = patterns().iter().map(|pattern| pattern.name.clone()).collect::<Vec<_>>())]
fn matching(bencher: Bencher<'_, '_>, name: &str) {
    let pattern = patterns().into_iter().find(|pattern| pattern.name == name).expect("a name of one of them");
    bencher.bench_local(|| pattern.is_complete());
}
