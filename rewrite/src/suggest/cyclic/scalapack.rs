//! Redistributions that ScaLAPACK is asked for, by `p?gemr2d`.
//!
//! A descriptor says how a matrix is dealt out: over the process grid of a BLACS context, in blocks of MB rows and NB columns. `p?gemr2d`
//! moves a matrix from one descriptor to another, in as many steps as there are processes.

use analyzer::results::Related;
use redistribution::Order;
use tree_sitter::Node;

use super::super::scope::{Scope, Shape, Variable};
use super::super::values::number;
use super::{Change, Dealt, Found, Today};
use crate::text::{descendants, function_of};

/// Names without the letter of the type of the elements.
const MOVES: [&str; 2] = ["Cp?gemr2d", "p?gemr2d_"];
/// The parameter of these that is written, the matrix in its new distribution.
const TARGET: usize = 6;
/// Letters of types.
const TYPES: [char; 5] = ['i', 's', 'd', 'c', 'z'];

/// Functions that are given addresses, and which of their parameters they write.
const WRITTEN: [(&str, &[usize]); 10] = [
    ("Cblacs_get", &[2]),
    ("blacs_get_", &[2]),
    ("Cblacs_gridinit", &[0]),
    ("blacs_gridinit_", &[0]),
    ("Cblacs_gridinfo", &[1, 2, 3, 4]),
    ("blacs_gridinfo_", &[1, 2, 3, 4]),
    ("descinit_", &[0, 9]),
    ("numroc_", &[]),
    ("blacs_gridexit_", &[]),
    ("blacs_barrier_", &[]),
];

/// A call of a function that MPI does not have.
struct Library<'t> {
    name: &'t str,
    node: Node<'t>,
    arguments: Vec<Node<'t>>,
}

/// What a descriptor says.
struct Descriptor<'t> {
    /// Rows and columns.
    dealt: [Dealt; 2],
    order: Order,
    /// The call that makes it.
    call: Node<'t>,
}

pub(super) fn redistributions(scope: &Scope<'_>) -> Vec<Found> {
    let calls = descendants(scope.file.root()).into_iter().filter(|node| node.kind() == "call_expression");
    calls
        .filter_map(|node| Library::of(scope, node))
        .filter(|call| MOVES.iter().any(|pattern| is_of_some_type(call.name, pattern)))
        .filter_map(|call| found(scope, &call))
        .collect()
}

/// Whether an address is an argument that ScaLAPACK only reads.
pub(in super::super) fn is_only_read<'t>(scope: &Scope<'t>, address: Node<'t>) -> bool {
    let call = address.parent().and_then(|list| list.parent()).and_then(|node| Library::of(scope, node));
    let Some(call) = call else { return false };
    let Some(at) = call.arguments.iter().position(|argument| *argument == address) else { return false };
    if MOVES.iter().any(|pattern| is_of_some_type(call.name, pattern)) {
        return at != TARGET;
    }
    WRITTEN.iter().any(|(name, written)| *name == call.name && !written.contains(&at))
}

fn is_of_some_type(name: &str, pattern: &str) -> bool {
    TYPES.iter().any(|letter| *name == pattern.replace('?', &letter.to_string()))
}

fn found<'t>(scope: &Scope<'t>, call: &Library<'t>) -> Option<Found> {
    let [rows, columns, _, from_row, from_column, from, _, to_row, to_column, to, _] =
        call.arguments.as_slice().try_into().ok()?;
    let is_whole = [from_row, from_column, to_row, to_column]
        .into_iter()
        .all(|first| passed(scope, first).and_then(|first| number(scope, first)) == Some(1));
    let lengths =
        [rows, columns].map(|length| passed(scope, length).and_then(|length| number(scope, length)));
    let [Some(rows), Some(columns)] = lengths else { return None };
    let (from, to) = (Descriptor::of(scope, from)?, Descriptor::of(scope, to)?);
    let dimensions: Vec<[Dealt; 2]> = (0..2).map(|axis| [from.dealt[axis], to.dealt[axis]]).collect();
    let changes = dimensions.iter().any(|[from, to]| from != to);
    if !is_whole || !changes || rows < 1 || columns < 1 {
        return None;
    }
    let related = |descriptor: &Descriptor<'t>, message: &str| Related {
        range: scope.file.range(descriptor.call),
        message: message.to_owned(),
    };
    Some(Found {
        today: Today::Messages,
        change: Change {
            dimensions,
            lengths: Some(vec![rows, columns]),
            orders: [from.order, to.order],
            storage: Order::ColumnMajor,
        },
        range: scope.file.range(call.node),
        related: vec![
            related(&from, "the old distribution is described here"),
            related(&to, "the new distribution is described here"),
        ],
        replaced: "the call, where the columns of a process's part lie side by side",
    })
}

impl<'t> Library<'t> {
    fn of(scope: &Scope<'t>, node: Node<'t>) -> Option<Self> {
        let function = node.child_by_field_name("function").filter(|_| node.kind() == "call_expression")?;
        let understood = function_of(node).is_some_and(|function| !function.has_error());
        let name = scope.text(function);
        let list = node.child_by_field_name("arguments")?;
        let mut cursor = list.walk();
        let arguments = list.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
        (understood && !scope.is_macro(name)).then_some(Self { name, node, arguments })
    }
}

impl<'t> Descriptor<'t> {
    /// The descriptor that an array is, if one call of `descinit_` makes it.
    fn of(scope: &Scope<'t>, name: Node<'t>) -> Option<Self> {
        let variable = (name.kind() == "identifier").then(|| scope.variable(name, scope.text(name)))??;
        let call = only_call_that_writes(scope, &variable, &["descinit_"])?;
        let [_, _, _, row_block, column_block, first_row, first_column, context, _, _] =
            call.arguments.as_slice().try_into().ok()?;
        let value = |argument: Node<'t>| number(scope, passed(scope, argument)?);
        if value(first_row)? != 0 || value(first_column)? != 0 {
            return None;
        }
        let context = passed(scope, context).filter(|node| node.kind() == "identifier")?;
        let context = scope.variable(context, scope.text(context))?;
        let grid = only_call_that_writes(scope, &context, &["Cblacs_gridinit", "blacs_gridinit_"])?;
        let [_, order, rows, columns] = grid.arguments.as_slice().try_into().ok()?;
        // The other interface takes addresses.
        let extent = |node: Node<'t>| {
            let node = if grid.name.ends_with('_') { passed(scope, node)? } else { node };
            number(scope, node).filter(|extent| 0 < *extent)
        };
        // Anything else than a C is by rows.
        let order = match scope.text(order).trim_start_matches('"').chars().next()? {
            'C' | 'c' => Order::ColumnMajor,
            _ if order.kind() == "string_literal" => Order::RowMajor,
            _ => return None,
        };
        let dealt = |processes, block| Some(Dealt { processes: extent(processes)?, block: value(block)? });
        let dealt = [dealt(rows, row_block)?, dealt(columns, column_block)?];
        // A grid of one row or one column has only one order.
        let is_line = dealt.iter().any(|dealt| dealt.processes == 1);
        let order = if is_line { Order::RowMajor } else { order };
        Some(Self { dealt, order, call: call.node })
    }
}

/// The one call of certain functions that is given a variable, or its address, to be written, if no call after it may write it again.
fn only_call_that_writes<'t>(
    scope: &Scope<'t>,
    variable: &Variable<'t>,
    names: &[&str],
) -> Option<Library<'t>> {
    let is_first =
        |call: &Library<'t>, given| names.contains(&call.name) && call.arguments.first() == Some(&given);
    let mut found: Option<Library<'t>> = None;
    let mut others = Vec::new();
    for name in scope.uses(variable)? {
        let parent = name.parent()?;
        let given = if parent.kind() == "pointer_expression" { parent } else { name };
        let call = given.parent().and_then(|list| list.parent()).and_then(|node| Library::of(scope, node));
        match call {
            Some(call) if is_first(&call, given) => {
                if found.replace(call).is_some() {
                    return None;
                }
            }
            call => others.push((name, given, call)),
        }
    }
    let found = found?;
    let is_plain = variable.shape == Shape::Plain;
    let leaves = |(name, given, call): &(Node<'t>, Node<'t>, Option<Library<'t>>)| {
        name.end_byte() <= found.node.start_byte()
            || match call {
                Some(call) => {
                    (is_plain && given == name) || is_only_read(scope, *given) || is_computation(call.name)
                }
                None => is_plain && scope.only_reads(*name),
            }
    };
    others.iter().all(leaves).then_some(found)
}

/// Whether a function has the name of one of ScaLAPACK's, which read descriptors.
fn is_computation(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('p')
        && letters.next().is_some_and(|letter| TYPES.contains(&letter))
        && name.ends_with('_')
}

/// The value that an argument of a Fortran subroutine leads to: of `&x` it is `x`; other expressions are values of the C interface.
fn passed<'t>(scope: &Scope<'t>, argument: Node<'t>) -> Option<Node<'t>> {
    match argument.kind() {
        "pointer_expression" if scope.text(argument).starts_with('&') => {
            argument.child_by_field_name("argument")
        }
        "pointer_expression" => None,
        _ => Some(argument),
    }
}
