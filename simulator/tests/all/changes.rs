//! Faults and shrinking.

use std::collections::BTreeMap;

use simulator::ast::Program;
use simulator::fault::{self, Fault};
use simulator::generate::{Wish, generate};
use simulator::parse::parse;
use simulator::print::print;
use simulator::random::Random;
use simulator::shrink::shrink;
use simulator::{Ended, Order, Outcome, Setting, compile, run};

fn at(program: &Program, np: usize) -> Option<Outcome> {
    let executable = compile(&parse(&print(program)).ok()?).ok()?;
    Some(run(&executable, Setting { np, buffered: true, order: Order::InTurn }))
}

/// Each kind of fault is put into some programs, and most of these go wrong with four processes; not all, since a tag may be changed
/// where nobody sends.
#[test]
fn faults_make_programs_wrong() {
    let mut kinds: BTreeMap<Fault, (u32, u32)> = BTreeMap::new();
    for seed in 0..600 {
        let program = parse(&generate(seed, &Wish::default()).text).unwrap();
        let Some((faulty, fault)) = fault::put(&program, &mut Random::new(seed)) else { continue };
        assert_ne!(program, faulty);
        let outcome = at(&faulty, 4).unwrap();
        let (all, wrong) = kinds.entry(fault).or_default();
        *all += 1;
        *wrong += u32::from(!outcome.is_right());
    }
    for fault in Fault::ALL {
        let (all, wrong) = kinds.get(&fault).copied().unwrap_or_default();
        assert!(all >= 4 && wrong >= 1, "{}: {wrong} of {all} are wrong", fault.text());
    }
}

/// What remains of a program that hangs still does, and is a few statements.
#[test]
fn a_shrunk_program_still_fails() {
    let hangs = |program: &Program| matches!(at(program, 3), Some(Outcome { ended: Ended::Hang(_), .. }));
    let mut seen = 0;
    for seed in 0..60 {
        let program = parse(&generate(seed, &Wish::default()).text).unwrap();
        let Some((faulty, _)) = fault::put(&program, &mut Random::new(seed)) else { continue };
        if !hangs(&faulty) {
            continue;
        }
        seen += 1;
        let smallest = shrink(&faulty, hangs, 2000);
        assert!(hangs(&smallest));
        let lines = print(&smallest).lines().count();
        assert!(lines <= print(&faulty).lines().count() && lines < 70, "{}", print(&smallest));
    }
    assert!(seen >= 5, "{seen}");
}
