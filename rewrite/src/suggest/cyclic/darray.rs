//! Redistributions through one place that has the whole array: a file, a window, or the memory of one process.
//!
//! `MPI_Type_create_darray` says which elements of an array belong to a process. Where the parts of all processes are put into the whole
//! array by one such datatype and taken out of it by another one, the array has changed its distribution.

use analyzer::results::Related;
use frontend::mpi::{Class, Completion, FileOp, RmaOp, Role, TypeConstructor};
use redistribution::Order;
use tree_sitter::Node;

use super::super::scope::{Scope, Variable, has_word};
use super::super::values::{number, words};
use super::{Change, Dealt, Found, Today, is_own_rank};
use crate::text::{Call, descendants, function_of};

/// A datatype of what a process has of an array.
struct Part<'t> {
    call: Call<'t>,
    handle: Variable<'t>,
    rank: Node<'t>,
    sizes: Vec<i64>,
    dealt: Vec<Dealt>,
    /// `MPI_ORDER_C` or `MPI_ORDER_FORTRAN`.
    order: &'t str,
    basic: &'t str,
}

/// Something that has the whole array.
#[derive(Debug, PartialEq, Eq)]
enum Store<'t> {
    /// A file by its name where the function opens it, or else by its handle.
    File(&'t str),
    /// A window, the process whose memory it is, and where in it.
    Window(&'t str, &'t str, &'t str),
    /// An array of the process that all others send to.
    Memory(&'t str),
}

/// A call that moves a part between a process and a store.
struct Moved<'t> {
    part: usize,
    call: Call<'t>,
    store: Store<'t>,
    /// Whether the store gets the part.
    into: bool,
}

pub(super) fn redistributions(scope: &Scope<'_>) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let root = scope.file.root();
    let functions = descendants(root).into_iter().filter(|node| node.kind() == "function_definition");
    for function in functions.filter(|function| scope.text(*function).contains("MPI_Type_create_darray")) {
        let mut calls: Vec<Call<'_>> = descendants(function)
            .into_iter()
            .filter(|node| node.kind() == "call_expression")
            .filter_map(|node| Call::around_loosely(scope.file, node).filter(|call| call.node == node))
            .filter(|call| !scope.is_macro(call.mpi.name) && function_of(call.node) == Some(function))
            .collect();
        calls.sort_unstable_by_key(|call| call.node.start_byte());
        let parts: Vec<Part<'_>> = calls.iter().filter_map(|call| Part::of(scope, call)).collect();
        let moved: Vec<Moved<'_>> =
            (0..parts.len()).flat_map(|at| moves(scope, &parts, at, &calls)).collect();
        all.extend(moved.iter().filter_map(|taken| found(scope, &parts, &moved, taken)));
    }
    all
}

/// The redistribution that is complete when a part has been taken out of a store, if that is all that is done with the store.
fn found<'t>(scope: &Scope<'t>, parts: &[Part<'t>], moved: &[Moved<'t>], taken: &Moved<'t>) -> Option<Found> {
    let of_store: Vec<&Moved<'t>> = moved.iter().filter(|other| other.store == taken.store).collect();
    let [given, last] = of_store.as_slice() else { return None };
    let in_turn = given.into && !taken.into && std::ptr::eq(*last, taken);
    let (old, new) = (&parts[given.part], &parts[taken.part]);
    let same_array =
        old.sizes == new.sizes && (old.order, old.basic) == (new.order, new.basic) && old.dealt != new.dealt;
    if !in_turn || !same_array || given.call.node.end_byte() > taken.call.node.start_byte() {
        return None;
    }
    let (today, replaced) = match taken.store {
        Store::File(_) => (Today::File, "the way through the file, where nobody else reads it"),
        Store::Window(..) => (Today::OneProcess, "the way through the window"),
        Store::Memory(_) => (Today::OneProcess, "the way through one process"),
    };
    let related = |part: &Part<'t>, message: &str| Related {
        range: scope.file.range(part.call.node),
        message: message.to_owned(),
    };
    Some(Found {
        today,
        change: Change {
            dimensions: old.dealt.iter().zip(&new.dealt).map(|(from, to)| [*from, *to]).collect(),
            lengths: Some(old.sizes.clone()),
            // Processes of such a datatype are numbered in this order, however the array is stored.
            orders: [Order::RowMajor; 2],
            storage: if old.order == "MPI_ORDER_C" { Order::RowMajor } else { Order::ColumnMajor },
        },
        range: scope.file.range(taken.call.node),
        related: vec![
            related(old, "the old distribution is described here"),
            related(new, "the new distribution is described here"),
        ],
        replaced,
    })
}

impl<'t> Part<'t> {
    fn of(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        if !matches!(call.mpi.class, Class::TypeConstructor(TypeConstructor::Darray)) {
            return None;
        }
        let [_, rank, dimensions, sizes, kinds, blocks, processes, order, basic, new] =
            call.arguments()?.try_into().ok()?;
        let numbers = |list: Node<'t>| -> Option<Vec<i64>> {
            words(scope, list)?.iter().map(|word| word.parse().ok()).collect()
        };
        let (sizes, processes) = (numbers(sizes)?, numbers(processes)?);
        let (kinds, blocks) = (words(scope, kinds)?, words(scope, blocks)?);
        let dimensions = usize::try_from(number(scope, dimensions)?).ok()?;
        let lengths = [sizes.len(), processes.len(), kinds.len(), blocks.len()];
        if lengths.iter().any(|length| *length < dimensions) || dimensions == 0 {
            return None;
        }
        let dealt = (0..dimensions)
            .map(|axis| dealt(&kinds[axis], &blocks[axis], sizes[axis], processes[axis]))
            .collect::<Option<_>>()?;
        let handle = (new.kind() == "pointer_expression").then(|| new.child_by_field_name("argument"))??;
        let handle =
            (handle.kind() == "identifier").then(|| scope.variable(handle, scope.text(handle)))??;
        let (order, basic) = (scope.text(order), scope.text(basic));
        let is_known = ["MPI_ORDER_C", "MPI_ORDER_FORTRAN"].contains(&order)
            && frontend::mpi::constant(basic).is_some_and(|constant| constant.datatype().is_some())
            && rank.kind() == "identifier";
        let sizes = sizes[..dimensions].to_vec();
        is_known.then_some(Self { call: *call, handle, rank, sizes, dealt, order, basic })
    }
}

/// How a dimension is dealt out (MPI-4.1 section 5.1.4).
fn dealt(kind: &str, block: &str, size: i64, processes: i64) -> Option<Dealt> {
    if size < 1 || processes < 1 {
        return None;
    }
    let is_default = block == "MPI_DISTRIBUTE_DFLT_DARG";
    let given = || block.parse().ok().filter(|block: &i64| 0 < *block);
    let block = match kind {
        "MPI_DISTRIBUTE_CYCLIC" if is_default => 1,
        "MPI_DISTRIBUTE_CYCLIC" => given()?,
        "MPI_DISTRIBUTE_BLOCK" if is_default => size.checked_add(processes - 1)? / processes,
        "MPI_DISTRIBUTE_BLOCK" => {
            given().filter(|block| block.checked_mul(processes).is_none_or(|room| size <= room))?
        }
        "MPI_DISTRIBUTE_NONE" if processes == 1 => size,
        _ => return None,
    };
    Some(Dealt { processes, block })
}

/// What a part is used for, besides being committed and freed; nothing where that is not all plain.
fn moves<'t>(scope: &Scope<'t>, parts: &[Part<'t>], at: usize, calls: &[Call<'t>]) -> Vec<Moved<'t>> {
    let part = &parts[at];
    let Some(uses) = scope.uses(&part.handle) else { return Vec::new() };
    let mut all = Vec::new();
    for name in uses {
        let Some(call) = Call::around_loosely(scope.file, name) else { return Vec::new() };
        match call.mpi.class {
            Class::TypeConstructor(_) if call.node == part.call.node => {}
            Class::TypeCommit | Class::TypeDestructor => {}
            _ => match moved(scope, parts, at, &call, name, calls) {
                Some(moved) => all.push(moved),
                None => return Vec::new(),
            },
        }
    }
    all
}

fn moved<'t>(
    scope: &Scope<'t>,
    parts: &[Part<'t>],
    at: usize,
    call: &Call<'t>,
    name: Node<'t>,
    calls: &[Call<'t>],
) -> Option<Moved<'t>> {
    let part = &parts[at];
    let text = |role| call.argument(role).map(|node| scope.text(node));
    let is_rank = |role| text(role) == Some(scope.text(part.rank));
    let takes_one = || call.last_argument(Role::Count).is_some_and(|count| scope.text(count) == "1");
    let last_datatype = call.last_argument(Role::Datatype) == Some(name);
    let is_own = || is_own_rank(scope, part.rank);
    let (store, into) = match call.mpi.class {
        Class::FileManage(FileOp::SetView) if last_datatype && is_own() => {
            let file = text(Role::File)?;
            let of_file = |other: &&Call<'t>| {
                call.node.start_byte() < other.node.start_byte()
                    && other.argument(Role::File).is_some_and(|node| scope.text(node) == file)
            };
            // What is done with the file as it is seen then.
            let view =
                calls.iter().filter(of_file).map(|other| other.mpi.class).take_while(|class| {
                    !matches!(class, Class::FileManage(FileOp::SetView) | Class::FileClose)
                });
            let ways: Vec<bool> = view
                .filter_map(|class| match class {
                    Class::FileData { write, .. } => Some(write),
                    _ => None,
                })
                .collect();
            let into = *ways.first()?;
            if ways.iter().any(|way| *way != into) {
                return None;
            }
            let opened = calls.iter().rev().find(|other| {
                matches!(other.mpi.class, Class::FileOpen)
                    && other.node.start_byte() < call.node.start_byte()
                    && other.argument(Role::File).is_some_and(|node| has_word(scope.text(node), file))
            });
            let name = opened.and_then(|open| Some(scope.text(*open.arguments()?.get(1)?)));
            (Store::File(name.unwrap_or(file)), into)
        }
        Class::Rma { operation: operation @ (RmaOp::Put | RmaOp::Get), .. }
            if last_datatype && takes_one() && is_own() =>
        {
            let [window, target, place] = [Role::Window, Role::Target, Role::TargetDisplacement].map(text);
            (Store::Window(window?, target?, place?), operation == RmaOp::Put)
        }
        Class::Receive { completion: Completion::Blocking | Completion::Nonblocking, matched: false }
            if takes_one() && is_rank(Role::Source) =>
        {
            (Store::Memory(text(Role::RecvBuffer)?), true)
        }
        Class::Send { completion: Completion::Blocking | Completion::Nonblocking, .. }
            if takes_one() && is_rank(Role::Dest) =>
        {
            (Store::Memory(text(Role::SendBuffer)?), false)
        }
        _ => return None,
    };
    Some(Moved { part: at, call: *call, store, into })
}
