//! `thread-level`: calls of MPI by threads for which the program has not asked (MPI-4.1 section 11.6).
//!
//! The level that a program asks for is that of its calls of `MPI_Init_thread`, or `MPI_THREAD_SINGLE` for `MPI_Init`. What a call
//! needs follows from the OpenMP directives around it, and around the calls that lead to it: where a branch may ask for the number of
//! the thread, no more is said than that a thread of a team calls. A function that a thread library is given to run is executed
//! beside the main thread.

use std::collections::BTreeMap;

use frontend::ir::visit::{Part, walk_inst, walk_terminator};
use frontend::ir::{Callee, Expr, ExprKind, Inst, InstKind, Span, Threads};
use frontend::mpi::{Class, Plain, Role, constant};
use frontend::program::{FunctionRef, Program, Resolution};

use super::Rule;
use super::call::range;
use crate::results::{Finding, Related, Severity};

/// Functions that run another function in a thread of its own, and which argument that is.
const STARTERS: [(&str, usize); 2] = [("pthread_create", 2), ("thrd_create", 1)];

/// Levels of thread support, in the order of the standard.
const LEVELS: [&str; 4] =
    ["MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"];

/// What a call needs, and for whose sake.
#[derive(Clone, Copy)]
struct Need {
    level: usize,
    /// Where the threads come from, if not from a directive around the call itself.
    through: Option<(FunctionRef, Span)>,
}

pub(super) fn check(program: &Program) -> Vec<Finding> {
    let reachable = program.reachable();
    let Some(asked) = asked_level(program, &reachable) else { return Vec::new() };
    let highest = compared_level(program, &reachable);
    let mut needs: BTreeMap<FunctionRef, Need> = BTreeMap::new();
    for &function in &reachable {
        for inst in insts(program, function) {
            for (target, level) in threads_of_call(program, function, inst) {
                raise(&mut needs, target, Need { level, through: Some((function, inst.span)) });
            }
        }
    }
    // What a function calls is executed by the threads that execute the function.
    let mut work: Vec<FunctionRef> = needs.keys().copied().collect();
    while let Some(function) = work.pop() {
        let Some(&need) = needs.get(&function) else { continue };
        for inst in insts(program, function) {
            for target in called(program, function, inst) {
                if raise(&mut needs, target, need) {
                    work.push(target);
                }
            }
        }
    }
    let mut findings = Vec::new();
    for &function in &reachable {
        for inst in insts(program, function) {
            let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } = &inst.kind else {
                continue;
            };
            if matches!(mpi.class, Class::Init { .. } | Class::Finalize | Class::Query(_) | Class::Abort) {
                continue;
            }
            let here = program.function(function).executed_by(inst.span).map(level_of);
            let here = here.map(|level| Need { level, through: None });
            let around = needs.get(&function).copied();
            let Some(need) = [here, around].into_iter().flatten().max_by_key(|need| need.level) else {
                continue;
            };
            if need.level <= asked || need.level <= highest {
                continue;
            }
            findings.push(finding(program, function, inst, mpi.name, asked, need));
        }
    }
    findings
}

fn finding(
    program: &Program,
    function: FunctionRef,
    inst: &Inst,
    name: &str,
    asked: usize,
    need: Need,
) -> Finding {
    let who = match need.level {
        1 => "a thread of a team",
        2 => "a thread that need not be the main one",
        _ => "several threads at a time",
    };
    let related = need.through.map(|(caller, span)| Related {
        range: range(&program.units[caller.unit], span),
        message: "the threads come from here".to_owned(),
    });
    Finding {
        rule: Rule::ThreadLevel,
        severity: Severity::Error,
        message: format!(
            "{name} is called by {who}, which needs {}, but the program asks for {}",
            LEVELS[need.level], LEVELS[asked]
        ),
        range: range(&program.units[function.unit], inst.span),
        np: "any np >= 1".to_owned(),
        ranks: String::new(),
        related: related.into_iter().collect(),
        fix: None,
        rebuild: None,
    }
}

/// The least level with which some threads may call MPI.
fn level_of(threads: Threads) -> usize {
    match threads {
        Threads::All => 3,
        Threads::OneByOne => 2,
        Threads::Some | Threads::Primary => 1,
    }
}

/// Notes what a function needs; whether that is more than before.
fn raise(needs: &mut BTreeMap<FunctionRef, Need>, function: FunctionRef, need: Need) -> bool {
    match needs.get(&function) {
        Some(known) if need.level <= known.level => false,
        _ => {
            needs.insert(function, need);
            true
        }
    }
}

fn insts(program: &Program, function: FunctionRef) -> impl Iterator<Item = &Inst> {
    let cfg = program.function(function).body.iter();
    cfg.flat_map(|cfg| cfg.graph.node_weights().flat_map(|block| &block.insts))
}

/// The functions of the program that an instruction calls.
fn called(program: &Program, function: FunctionRef, inst: &Inst) -> Vec<FunctionRef> {
    match &inst.kind {
        InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } => {
            match program.resolve(function.unit, name) {
                Resolution::Defined(target) => vec![target],
                Resolution::External => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The functions that threads execute because of a call, with the level that MPI calls in them need.
fn threads_of_call(program: &Program, function: FunctionRef, inst: &Inst) -> Vec<(FunctionRef, usize)> {
    let InstKind::Call { callee, args, .. } = &inst.kind else { return Vec::new() };
    let by_team = program.function(function).executed_by(inst.span).map(level_of);
    let mut found: Vec<(FunctionRef, usize)> = by_team
        .map(|level| called(program, function, inst).into_iter().map(|target| (target, level)).collect())
        .unwrap_or_default();
    if let Callee::Direct { name, mpi: None } = callee
        && let Some((_, index)) = STARTERS.iter().find(|(starter, _)| **name == **starter)
        && let Some(Expr { kind: ExprKind::FunctionAddress(run), .. }) =
            args.get(*index).map(Expr::strip_casts)
        && let Resolution::Defined(target) = program.resolve(function.unit, run)
    {
        found.push((target, 2));
    }
    found
}

/// The highest level that the program asks for; `None` where it asks for none, or for one that is not known.
fn asked_level(program: &Program, functions: &[FunctionRef]) -> Option<usize> {
    let mut asked = None;
    for &function in functions {
        for inst in insts(program, function) {
            let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, args, .. } = &inst.kind
            else {
                continue;
            };
            let level = match mpi.class {
                Class::Init { threaded: false } => 0,
                Class::Init { threaded: true } => {
                    let index = mpi.param_with_role(Role::ThreadLevel)?;
                    level_named(args.get(index)?.strip_casts().constant_name()?)?
                }
                _ => continue,
            };
            asked = asked.max(Some(level));
        }
    }
    asked
}

/// The highest level that the program names elsewhere: it may look at what it got, and not go on with less.
fn compared_level(program: &Program, functions: &[FunctionRef]) -> usize {
    let mut highest = 0;
    for &function in functions {
        let Some(cfg) = &program.function(function).body else { continue };
        let mut note = |part: Part<'_>| {
            if let Part::Expr(expr) = part
                && let Some(level) = expr.constant_name().and_then(level_named)
            {
                highest = highest.max(level);
            }
        };
        for block in cfg.graph.node_weights() {
            for inst in &block.insts {
                let is_init = matches!(&inst.kind, InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. }
                    if matches!(mpi.class, Class::Init { .. }));
                if !is_init {
                    walk_inst(inst, &mut note);
                }
            }
            walk_terminator(&block.terminator, &mut note);
        }
    }
    highest
}

fn level_named(name: &str) -> Option<usize> {
    constant(name).filter(|constant| constant.is(Plain::ThreadLevel))?;
    LEVELS.iter().position(|level| *level == name)
}
