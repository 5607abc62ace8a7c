//! Numbers that say how something is made, locked or opened: the colour and the kind of a split (`invalid-count`), the displacement unit of
//! a window and the kind of a lock (`invalid-window`), the access mode of a file and offsets in it (`invalid-file`); and calls that a
//! file's access mode does not allow.
//!
//! MPI-4.1 sections 7.4.2 (colours and kinds of splits), 12.2.1 and 12.5.3 (windows and locks), 14.2.1 (access modes: one of three, and what
//! excludes each other), 14.4 (offsets). That the bits of access modes are distinct is all that is taken from our header's numbers.

use frontend::ir::{Callee, InstKind, Span};
use frontend::mpi::{
    self, Class, Constant, Direction, FileOp, FilePhase, FilePosition, Function, Object as Kind, Plain, Role,
};

use super::Rule;
use super::call::{Call, constant_of, range};
use super::values::{Atom, Interval, State};
use crate::results::{Finding, Related};

const READ_ONLY: &str = "MPI_MODE_RDONLY";
const WRITE_ONLY: &str = "MPI_MODE_WRONLY";
const READ_AND_WRITE: &str = "MPI_MODE_RDWR";
const SEQUENTIAL: &str = "MPI_MODE_SEQUENTIAL";

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    if call.is_wrapper {
        return;
    }
    for (_, argument) in call.arguments() {
        let param = argument.param;
        let Some((rule, noun)) = rule(param.role) else { continue };
        if param.direction != Direction::In || param.is_pointer() {
            continue;
        }
        let is_place = is_place(call.mpi) || counts_from_start(call);
        let problem = |atom: &Atom| problem(param.role, is_place, atom);
        if !argument.value.all(|atom| problem(atom).is_some()) {
            continue;
        }
        let Some(reason) = argument.value.atoms().into_iter().flatten().find_map(problem) else { continue };
        let message = format!("the {noun} of {} is {reason}", call.mpi.name);
        let mut finding = call.finding(rule, argument.expr, message);
        finding.related = call.origin(argument.expr, "it gets this value here");
        findings.push(finding);
    }
    findings.extend(misused_file(call));
}

/// The rule about numbers of a role, and what to call them.
pub(super) fn rule(role: Role) -> Option<(Rule, &'static str)> {
    Some(match role {
        Role::Color => (Rule::InvalidCount, "colour"),
        Role::SplitType => (Rule::InvalidCount, "kind of split"),
        Role::DisplacementUnit => (Rule::InvalidWindow, "displacement unit"),
        Role::LockType => (Rule::InvalidWindow, "kind of lock"),
        Role::AccessMode => (Rule::InvalidFile, "access mode"),
        Role::FileOffset => (Rule::InvalidFile, "offset"),
        _ => return None,
    })
}

/// Whether an offset in a file that a call is given is a place in it, rather than a distance.
pub(super) fn is_place(mpi: &Function) -> bool {
    matches!(mpi.class, Class::FileData { .. } | Class::FileManage(FileOp::SetView))
}

/// Why an alternative cannot be such a number; `is_place` is what [`is_place`] tells of the call.
pub(super) fn problem(role: Role, is_place: bool, atom: &Atom) -> Option<String> {
    match atom {
        Atom::Int(range) => number_problem(role, is_place, *range),
        Atom::Constant(_) => constant_problem(role, constant_of(atom)?),
        _ => None,
    }
}

fn number_problem(role: Role, is_place: bool, range: Interval) -> Option<String> {
    // A range without lower end comes from a test such as `colour < 0`, which special values pass too.
    let is_negative = range.lo.is_some() && range.hi.is_some_and(|hi| hi < 0);
    let shown = || range.single().map_or_else(|| "negative".to_owned(), |n| n.to_string());
    match role {
        Role::Color => is_negative
            .then(|| format!("{}, but a colour is not (MPI_UNDEFINED stands for none)", below(range))),
        Role::SplitType => is_negative.then(|| format!("{}, which is no MPI_COMM_TYPE", shown())),
        Role::DisplacementUnit => {
            let is_wrong = range.hi.is_some_and(|hi| hi < 1);
            is_wrong.then(|| match range.single() {
                Some(n) => format!("{n}; it must be positive"),
                None => "not positive on any path that gets here".to_owned(),
            })
        }
        Role::LockType => range.single().map(|n| format!("{n}, which is no kind of lock")),
        Role::AccessMode => contradiction(range.single()?),
        Role::FileOffset if is_place => {
            is_negative.then(|| format!("{}, but a place in a file is not", below(range)))
        }
        _ => None,
    }
}

/// A negative number, as the beginning of a sentence that goes on with what is not negative.
fn below(range: Interval) -> String {
    range.single().map_or_else(|| "negative".to_owned(), |n| format!("{n}, which is negative"))
}

fn constant_problem(role: Role, constant: &Constant) -> Option<String> {
    let is_any = |kinds: &[Plain]| kinds.iter().any(|&kind| constant.is(kind));
    let name = constant.name;
    match role {
        Role::Color => is_any(&[Plain::AnySource, Plain::ProcNull, Plain::Root, Plain::AnyTag])
            .then(|| format!("{name}, which is no colour (MPI_UNDEFINED stands for none)")),
        Role::SplitType => (!is_any(&[Plain::SplitType, Plain::Undefined]))
            .then(|| format!("{name}, which is no MPI_COMM_TYPE")),
        Role::LockType => (!is_any(&[Plain::LockType])).then(|| format!("{name}, which is no kind of lock")),
        Role::AccessMode if is_any(&[Plain::AccessMode]) => contradiction(constant.value?.into()),
        Role::AccessMode => Some(format!("{name}, which is no access mode")),
        _ => None,
    }
}

/// Whether a mode of a file has a bit.
fn has(mode: i128, name: &str) -> bool {
    let bit = mpi::constant(name).and_then(|constant| constant.value);
    bit.is_some_and(|bit| mode & i128::from(bit) != 0)
}

/// What is wrong with an access mode by itself.
fn contradiction(mode: i128) -> Option<String> {
    let known: i64 = mpi::constants().filter(|c| c.is(Plain::AccessMode)).filter_map(|c| c.value).sum();
    if mode & !i128::from(known) != 0 {
        return None;
    }
    let ways = [READ_ONLY, WRITE_ONLY, READ_AND_WRITE];
    let ways: Vec<&str> = ways.into_iter().filter(|name| has(mode, name)).collect();
    let excluded = match ways[..] {
        [] => return Some(format!("without any of {READ_ONLY}, {WRITE_ONLY} and {READ_AND_WRITE}")),
        [first, second, ..] => return Some(format!("both {first} and {second}")),
        [READ_ONLY] => ["MPI_MODE_CREATE", "MPI_MODE_EXCL"].into_iter().find(|name| has(mode, name))?,
        [READ_AND_WRITE] if has(mode, SEQUENTIAL) => SEQUENTIAL,
        _ => return None,
    };
    Some(format!("{} with {excluded}, which exclude each other", ways[0]))
}

/// Whether the offset of a call counts from the beginning of a file.
fn counts_from_start(call: &Call<'_>) -> bool {
    let whence = call.mpi.param_with_role(Role::Whence).and_then(|index| call.argument(index));
    whence.is_some_and(|whence| whence.value.as_constant() == Some("MPI_SEEK_SET"))
}

/// A call that the mode does not allow with which its file was opened.
fn misused_file(call: &Call<'_>) -> Option<Finding> {
    let is_over = matches!(call.mpi.class, Class::FileData { phase: FilePhase::SplitEnd, .. });
    let argument = call.mpi.param_with_role(Role::File).and_then(|index| call.argument(index))?;
    if is_over {
        return None;
    }
    let mut opened = None;
    let reason = |atom: &Atom| match atom {
        Atom::Made(Kind::File, opened) => forbidden(call.mpi.class, mode_at(call, *opened)?),
        _ => None,
    };
    if !argument.value.all(|atom| reason(atom).is_some()) {
        return None;
    }
    let reason = argument.value.atoms().into_iter().flatten().find_map(|atom| {
        if let Atom::Made(_, span) = atom {
            opened = Some(*span);
        }
        reason(atom)
    })?;
    let message = format!("{} on a file that was opened with {reason}", call.mpi.name);
    let mut finding = call.finding(Rule::InvalidFile, argument.expr, message);
    finding.related = opened
        .map(|opened| Related { range: range(call.unit, opened), message: "opened here".to_owned() })
        .into_iter()
        .collect();
    Some(finding)
}

/// Which part of an access mode does not allow a call.
fn forbidden(class: Class, mode: i128) -> Option<&'static str> {
    if contradiction(mode).is_some() {
        return None;
    }
    let by_position = |position: FilePosition| {
        matches!(position, FilePosition::Explicit | FilePosition::Individual).then_some(SEQUENTIAL)
    };
    let excluded = match class {
        Class::FileData { write: true, .. } if has(mode, READ_ONLY) => return Some(READ_ONLY),
        Class::FileData { write: false, .. } if has(mode, WRITE_ONLY) => return Some(WRITE_ONLY),
        Class::FileData { position, .. } => by_position(position)?,
        Class::FileManage(FileOp::Seek | FileOp::SeekShared | FileOp::SetSize) => SEQUENTIAL,
        _ => return None,
    };
    has(mode, excluded).then_some(excluded)
}

/// The access mode that a call of the function opens a file with, where it is written down there in constants.
fn mode_at(call: &Call<'_>, opened: Span) -> Option<i128> {
    let cfg = call.function.body.as_ref()?;
    let mut insts = cfg.graph.node_weights().flat_map(|block| &block.insts);
    let open = insts.find(|inst| inst.span == opened)?;
    let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, args, .. } = &open.kind else {
        return None;
    };
    let mode = args.get(mpi.param_with_role(Role::AccessMode)?)?;
    call.eval.value(&State::default(), mode).as_range()?.single()
}
