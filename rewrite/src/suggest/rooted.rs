//! One process with each of the others: broadcast, scatter, gather, reduction.

use std::collections::BTreeMap;

use analyzer::results::{Edit, Fix, Gain, Pairing, ProgramReport, Related, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Completion, Role};
use tree_sitter::Node;

use super::aliases::is_private;
use super::combine::{self, Combined};
use super::scope::{Scope, Shape, names};
use super::sweep::Sweep;
use super::unused::{Needless, leftovers};
use super::{call_at, has_finding};
use crate::text::{Call, descendants, function_of, statements};

/// What all messages together do.
enum Meaning<'t> {
    Broadcast,
    Scatter(Block<'t>),
    Gather(Block<'t>),
    Reduce(Combined<'t>),
}

/// Where the root has the block of each process.
enum Block<'t> {
    /// Side by side in the order of the ranks, from here on.
    InOrder(Node<'t>),
    /// The text does not tell.
    Elsewhere,
}

/// What else is sent and received by the two calls of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shared {
    No,
    /// Messages from one of them to the other, which are told of once more for some numbers of processes or rounds.
    BetweenThem,
    /// Messages from or to other calls.
    WithOthers,
}

impl Shared {
    fn of(report: &ProgramReport, index: usize) -> Self {
        let channels = &report.topology.channels;
        let own = [&channels[index].send.range, &channels[index].recv.range];
        let others = channels.iter().enumerate().filter(|(other, _)| *other != index);
        let common = others
            .map(|(_, channel)| [&channel.send.range, &channel.recv.range])
            .filter(|ends| ends.iter().any(|end| own.contains(end)));
        common.fold(Self::No, |shared, ends| match shared {
            Self::WithOthers => shared,
            _ if ends == own => Self::BetweenThem,
            _ => Self::WithOthers,
        })
    }
}

/// One of the two calls in its text.
struct End<'s, 't> {
    scope: &'s Scope<'t>,
    call: Call<'t>,
}

/// The two sides of a channel.
struct Sides<'s, 't> {
    root: End<'s, 't>,
    other: End<'s, 't>,
    sweep: Sweep<'t>,
    /// Rank of the root, as a formula.
    rank: &'s str,
    /// Whether the loop is come to only once.
    is_once: bool,
    /// Elements of a message.
    count: &'s str,
    report: &'s ProgramReport,
}

/// The collective that a channel is.
pub(super) fn collective(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let channel = &report.topology.channels[index];
    let (rank, sends) = match &channel.pairing {
        Pairing::RootToOthers(rank) => (rank, true),
        Pairing::OthersToRoot(rank) => (rank, false),
        Pairing::EachToOthers | Pairing::Other => return None,
    };
    let (at, away) = if sends { (&channel.send, &channel.recv) } else { (&channel.recv, &channel.send) };
    let shared = Shared::of(report, index);
    if shared == Shared::WithOthers || has_finding(report, &[&at.range, &away.range]) {
        return None;
    }
    let (scope, call) = call_at(scopes, at)?;
    let sweep = Sweep::around(scope, &call)?;
    let (other_scope, other) = call_at(scopes, away)?;
    // What is nonblocking may be so for a reason: something else is done in the meantime.
    if !is_blocking(&call) || !is_blocking(&other) {
        return None;
    }
    let sides = Sides {
        root: End { scope, call },
        other: End { scope: other_scope, call: other },
        sweep,
        rank,
        is_once: channel.repeat == "1" && shared == Shared::No,
        count: &channel.count,
        report,
    };
    let meaning = sides.meaning(sends)?;
    let buffer = scope.text(sides.root.call.argument(buffer_role(sends))?);
    let (name, what) = match &meaning {
        Meaning::Broadcast => {
            ("MPI_Bcast", format!("sends `{buffer}` to each other process, one after the other"))
        }
        Meaning::Scatter(_) => {
            ("MPI_Scatter", "sends each other process its block, one after the other".to_owned())
        }
        Meaning::Gather(_) => {
            ("MPI_Gather", "receives a block of each other process, one after the other".to_owned())
        }
        Meaning::Reduce(combined) => (
            "MPI_Reduce",
            format!("combines what each other process sends by {}, one after the other", combined.operation),
        ),
    };
    let linear = "(np - 1)(a + m*b)".to_owned();
    let after = match &meaning {
        Meaning::Broadcast | Meaning::Reduce(_) => "ceil(log2(np)) (a + m*b)",
        Meaning::Scatter(_) | Meaning::Gather(_) => "ceil(log2(np)) a + (np - 1) m*b",
    };
    let verb = if sends { "the other processes receive here" } else { "the other processes send here" };
    Some(Suggestion {
        rule: Rule::UseCollective,
        message: format!("rank {rank} {what}: `{name}` does that"),
        range: at.range.clone(),
        related: vec![Related { range: away.range.clone(), message: verb.to_owned() }],
        np: report.verdict.np.clone(),
        gain: Gain { model: Gain::MESSAGES, before: linear, after: after.to_owned() },
        edit: sides.edit(&meaning, name),
    })
}

fn is_blocking(call: &Call<'_>) -> bool {
    let blocking = matches!(
        call.mpi.class,
        Class::Send { completion: Completion::Blocking, .. }
            | Class::Receive { completion: Completion::Blocking, matched: false }
    );
    blocking && !call.mpi.name.ends_with("_c")
}

fn buffer_role(sends: bool) -> Role {
    if sends { Role::SendBuffer } else { Role::RecvBuffer }
}

impl<'t> Sides<'_, 't> {
    fn meaning(&self, sends: bool) -> Option<Meaning<'t>> {
        let (scope, call, sweep) = (self.root.scope, &self.root.call, &self.sweep);
        let buffer = call.argument(buffer_role(sends))?;
        if !scope.is_pure(buffer) {
            return None;
        }
        if !sweep.rest.is_empty() {
            return match sends {
                true => self.may_come_first(buffer).then_some(Meaning::Broadcast),
                false => combine::combined(scope, call, sweep).map(Meaning::Reduce),
            };
        }
        let partner = call.argument(if sends { Role::Dest } else { Role::Source })?;
        match (sends, sweep.moves(scope, buffer)) {
            (true, false) => Some(Meaning::Broadcast),
            (true, true) => Some(Meaning::Scatter(self.block(buffer, partner))),
            // Each message takes the place of the one before.
            (false, false) => None,
            (false, true) => match self.block(buffer, partner) {
                Block::Elsewhere if scope.text(partner) == "MPI_ANY_SOURCE" => None,
                block => Some(Meaning::Gather(block)),
            },
        }
    }

    /// Whether all messages may be sent before the loop does anything else: they are the same, and what else it does neither changes them
    /// nor ends it.
    fn may_come_first(&self, buffer: Node<'t>) -> bool {
        let (scope, call, sweep) = (self.root.scope, &self.root.call, &self.sweep);
        let given = [Role::SendBuffer, Role::Count, Role::Datatype, Role::Communicator];
        let given: Vec<Node<'t>> = given.into_iter().filter_map(|role| call.argument(role)).collect();
        let named: Vec<Node<'t>> = given
            .iter()
            .flat_map(|argument| descendants(*argument))
            .filter(|node| {
                node.kind() == "identifier" && frontend::mpi::constant(scope.text(*node)).is_none()
            })
            .collect();
        let own = |name: &Node<'t>| match scope.variable(*name, scope.text(*name)) {
            Some(variable) => is_private(scope, &variable),
            None => scope.number(scope.text(*name)).is_some(),
        };
        let within = || sweep.rest.iter().flat_map(|statement| descendants(*statement));
        let leaves = |node: Node<'t>| {
            let jumps = ["break_statement", "continue_statement", "return_statement", "goto_statement"];
            jumps.contains(&node.kind())
        };
        let touched = |name: &Node<'t>| {
            let Some(variable) = scope.variable(*name, scope.text(*name)) else { return false };
            within()
                .filter(|node| node.kind() == "identifier" && scope.text(*node) == scope.text(*name))
                .any(|node| variable.shape != Shape::Plain || !scope.only_reads(node))
        };
        let place = matches!(buffer.kind(), "identifier")
            || (buffer.kind() == "pointer_expression"
                && scope.text(buffer).starts_with('&')
                && buffer.child_by_field_name("argument").is_some_and(|of| of.kind() == "identifier"));
        place
            && !given.iter().any(|argument| sweep.moves(scope, *argument))
            && named.iter().all(own)
            && !named.iter().any(touched)
            && !within().any(leaves)
    }

    /// Where the blocks of the root are: `&a[i]`, `&a[i * n]`, `a + i * n` and `a[i]` for blocks of `n` elements and rank `i`.
    fn block(&self, buffer: Node<'t>, partner: Node<'t>) -> Block<'t> {
        self.blocks_from(buffer, partner).map_or(Block::Elsewhere, Block::InOrder)
    }

    fn blocks_from(&self, buffer: Node<'t>, partner: Node<'t>) -> Option<Node<'t>> {
        let scope = self.root.scope;
        if scope.text(partner) != self.sweep.variable {
            return None;
        }
        let count = scope.text(self.root.call.argument(Role::Count)?);
        let datatype = scope.text(self.root.call.argument(Role::Datatype)?);
        let (array, index) = match buffer.kind() {
            "pointer_expression" if scope.text(buffer).starts_with('&') => {
                let element = buffer.child_by_field_name("argument")?;
                if element.kind() != "subscript_expression" {
                    return None;
                }
                (element.child_by_field_name("argument")?, element.child_by_field_name("index")?)
            }
            "binary_expression" if buffer.child_by_field_name("operator")?.kind() == "+" => {
                (buffer.child_by_field_name("left")?, buffer.child_by_field_name("right")?)
            }
            "subscript_expression" => {
                return self.row(buffer, count, datatype);
            }
            _ => return None,
        };
        if array.kind() != "identifier" {
            return self.row(array, count, datatype).filter(|_| scope.text(index) == "0");
        }
        let variable = scope.variable(array, scope.text(array))?;
        let one_dimension = match &variable.shape {
            Shape::Pointer => true,
            Shape::Array(lengths) => lengths.len() == 1,
            Shape::Plain | Shape::Other => false,
        };
        let fits = one_dimension && scope.has_elements(&variable, datatype) && self.is_block(index, count);
        fits.then_some(array)
    }

    /// Whether an index is the first of the block of the rank: `i` for one element, `i * n` for `n`.
    fn is_block(&self, index: Node<'t>, count: &str) -> bool {
        let scope = self.root.scope;
        let index = inside(index);
        if scope.text(index) == self.sweep.variable {
            return count == "1";
        }
        let (Some(left), Some(right), Some(operator)) = (
            index.child_by_field_name("left"),
            index.child_by_field_name("right"),
            index.child_by_field_name("operator"),
        ) else {
            return false;
        };
        let sides = [scope.text(inside(left)), scope.text(inside(right))];
        operator.kind() == "*"
            && (sides == [self.sweep.variable, count] || sides == [count, self.sweep.variable])
    }

    /// The array of which the row of the rank is `a[i]`.
    fn row(&self, row: Node<'t>, count: &str, datatype: &str) -> Option<Node<'t>> {
        let scope = self.root.scope;
        if row.kind() != "subscript_expression" {
            return None;
        }
        let (array, index) = (row.child_by_field_name("argument")?, row.child_by_field_name("index")?);
        if array.kind() != "identifier" || scope.text(index) != self.sweep.variable {
            return None;
        }
        let variable = scope.variable(array, scope.text(array))?;
        let Shape::Array(lengths) = &variable.shape else { return None };
        let [_, Some(length)] = lengths.as_slice() else { return None };
        (scope.text(*length) == count && scope.has_elements(&variable, datatype)).then_some(array)
    }

    /// The collective in place of both calls; or why it is not known that the program stays the same.
    fn edit(&self, meaning: &Meaning<'t>, name: &str) -> Result<Fix, String> {
        let [root, other] = [&self.root, &self.other];
        for end in [root, other] {
            if !end.call.stands_alone() {
                return Err(format!("something is done with what `{}` returns", end.call.mpi.name));
            }
            if !end.scope.ignores_status(&end.call) {
                return Err("the program looks at the status of a receive".to_owned());
            }
            let arguments =
                end.call.arguments().ok_or("a call has another number of arguments than MPI's")?;
            let status = end.call.argument(Role::Status);
            if let Some(odd) =
                arguments.iter().find(|&&node| Some(node) != status && !end.scope.is_pure(node))
            {
                return Err(format!("nothing is known about `{}`", end.scope.text(*odd)));
            }
        }
        // A loop that is the same each time sends every process as many messages each time. All are received, by a call that is made as
        // often as the loop, or else the edited program would not be exact: so it is one message each time.
        if !self.is_once && !self.sweep.is_settled(root.scope) {
            return Err("the loop may differ from one time to the next".to_owned());
        }
        let [at_root, elsewhere] = self.calls(meaning, name)?;
        let new = [at_root, elsewhere];
        let mut edits = self.merged(&new).unwrap_or_else(|| {
            let mut edits = match self.is_part() {
                true => vec![
                    root.scope.file.before(self.sweep.region, &new[0]),
                    root.scope.file.remove_with_remark(self.sweep.first),
                ],
                false => vec![root.scope.file.replace(self.sweep.region.byte_range(), new[0].clone())],
            };
            edits.push(other.scope.file.replace(other.call.statement.byte_range(), new[1].clone()));
            edits
        });
        edits.extend(self.leftovers(new).map_err(|Needless(what)| what)?);
        Ok(Fix { description: format!("call `{name}` on all processes"), edits })
    }

    /// Whether the loop does something else as well, which stays.
    fn is_part(&self) -> bool {
        self.root.call.argument(Role::SendBuffer).is_some() && !self.sweep.rest.is_empty()
    }

    /// One call after the branch for two that are the same and end its arms.
    fn merged(&self, new: &[String; 2]) -> Option<Vec<Edit>> {
        if self.is_part() {
            return None;
        }
        let scope = self.root.scope;
        let [mine, theirs] = [self.sweep.region, self.other.call.statement];
        let (branch, mine) = last_of_arm(mine)?;
        let (other_branch, theirs) = last_of_arm(theirs)?;
        if new[0] != new[1] || scope.file.name() != self.other.scope.file.name() || branch != other_branch {
            return None;
        }
        let condition = branch.child_by_field_name("condition")?;
        let alternative = branch.child_by_field_name("alternative")?;
        let is_last = |arm: &Arm<'_>| arm.block.end_byte() == alternative.end_byte();
        let [first, second] = if is_last(&theirs) { [mine, theirs] } else { [theirs, mine] };
        let file = scope.file;
        if first.is_alone && second.is_alone {
            return scope.is_pure(condition).then(|| vec![file.replace(branch.byte_range(), new[0].clone())]);
        }
        let stands_free = branch.parent().is_some_and(|parent| parent.kind() == "compound_statement");
        if first.is_alone || !stands_free {
            return None;
        }
        let mut edits = vec![file.remove_with_remark(first.last)];
        match second.is_alone {
            true => edits.push(file.replace(first.block.end_byte()..branch.end_byte(), String::new())),
            false => edits.push(file.remove_with_remark(second.last)),
        }
        edits.push(file.after(branch, &new[0]));
        Some(edits)
    }

    fn leftovers(&self, new: [String; 2]) -> Result<Vec<Edit>, Needless> {
        let [root, other] = [&self.root, &self.other];
        let gone = if self.is_part() { self.sweep.first } else { self.sweep.region };
        let regions = [gone, other.call.statement];
        let same = root.scope.file.name() == other.scope.file.name()
            && function_of(regions[0]).map(|f| f.id()) == function_of(regions[1]).map(|f| f.id());
        if same {
            return leftovers(root.scope, &regions, &new);
        }
        let mut edits = leftovers(root.scope, &regions[..1], &new[..1])?;
        edits.extend(leftovers(other.scope, &regions[1..], &new[1..])?);
        Ok(edits)
    }

    /// The calls of the root and of the others.
    fn calls(&self, meaning: &Meaning<'t>, name: &str) -> Result<[String; 2], String> {
        let [root, other] = [&self.root, &self.other];
        let argument = |end: &End<'_, 't>, role| {
            end.call
                .argument(role)
                .map(|node| end.scope.text(node))
                .ok_or_else(|| "a call has no such argument".to_owned())
        };
        let sends = matches!(meaning, Meaning::Broadcast | Meaning::Scatter(_));
        let buffer_at_root = argument(root, buffer_role(sends))?;
        let buffer = argument(other, buffer_role(!sends))?;
        let (count, datatype) = (argument(root, Role::Count)?, argument(root, Role::Datatype)?);
        if argument(other, Role::Datatype)? != datatype || frontend::mpi::constant(datatype).is_none() {
            return Err("the two sides name the datatype differently, or it is a derived one".to_owned());
        }
        let their_count = argument(other, Role::Count)?;
        for role in [buffer_role(sends), Role::Count, Role::Communicator] {
            let given = root.call.argument(role).map(descendants).unwrap_or_default();
            let names = given.into_iter().filter(|node| node.kind() == "identifier");
            // The variable of the loop goes with it.
            let mut kept = names.filter(|name| root.scope.text(*name) != self.sweep.variable);
            if !kept.all(|name| root.scope.means_the_same(name, self.sweep.region)) {
                return Err("a name means something else outside of the loop".to_owned());
            }
        }
        for (end, role) in [(root, Role::Count), (root, Role::Datatype)] {
            let node = end.call.argument(role);
            if node.is_some_and(|node| self.sweep.moves(root.scope, node)) {
                return Err("blocks differ in length".to_owned());
            }
        }
        let [rank_at_root, rank] = self.root_rank()?;
        let ends_at_root = format!("{rank_at_root}, {}", argument(root, Role::Communicator)?);
        let ends = format!("{rank}, {}", argument(other, Role::Communicator)?);
        let (mine, theirs) = match meaning {
            Meaning::Broadcast => {
                self.may_be_written()?;
                (
                    format!("{buffer_at_root}, {count}, {datatype}"),
                    format!("{buffer}, {their_count}, {datatype}"),
                )
            }
            Meaning::Scatter(Block::InOrder(array)) => (
                format!(
                    "{}, {count}, {datatype}, MPI_IN_PLACE, {count}, {datatype}",
                    root.scope.text(*array)
                ),
                format!(
                    "{}, {their_count}, {datatype}, {buffer}, {their_count}, {datatype}",
                    null(other.scope)
                ),
            ),
            Meaning::Gather(Block::InOrder(array)) => (
                format!(
                    "MPI_IN_PLACE, {count}, {datatype}, {}, {count}, {datatype}",
                    root.scope.text(*array)
                ),
                format!(
                    "{buffer}, {their_count}, {datatype}, {}, {their_count}, {datatype}",
                    null(other.scope)
                ),
            ),
            Meaning::Scatter(Block::Elsewhere) | Meaning::Gather(Block::Elsewhere) => {
                return Err(
                    "the blocks do not lie side by side in the order of the ranks, as far as the text tells"
                        .to_owned(),
                );
            }
            Meaning::Reduce(combined) => {
                combined.is_exact(root.scope, self.report, self.count, datatype)?;
                (
                    format!("MPI_IN_PLACE, {}, {count}, {datatype}, {}", combined.place, combined.operation),
                    format!(
                        "{buffer}, {}, {their_count}, {datatype}, {}",
                        null(other.scope),
                        combined.operation
                    ),
                )
            }
        };
        Ok([format!("{name}({mine}, {ends_at_root});"), format!("{name}({theirs}, {ends});")])
    }

    /// `MPI_Bcast` takes a buffer that it may write to, which `MPI_Send` does not.
    fn may_be_written(&self) -> Result<(), String> {
        let scope = self.root.scope;
        let buffer = self.root.call.argument(Role::SendBuffer).ok_or("a call has no buffer")?;
        let constant = names(scope.file, buffer).into_iter().find(|name| {
            scope
                .variable(buffer, name)
                .is_none_or(|variable| scope.text(variable.declaration).contains("const"))
        });
        constant.map_or(Ok(()), |name| {
            Err(format!("`{name}` may be constant, and `MPI_Bcast` takes it as a buffer to write to"))
        })
    }

    /// How the rank of the root is written at the two calls.
    fn root_rank(&self) -> Result<[&str; 2], String> {
        if self.rank.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok([self.rank, self.rank]);
        }
        let [root, other] = [&self.root, &self.other];
        let written = other.call.argument(Role::Source).or_else(|| other.call.argument(Role::Dest));
        let written = written.ok_or("the root is not named")?;
        let together =
            function_of(root.call.node).map(|f| f.id()) == function_of(other.call.node).map(|f| f.id());
        let settled = names(other.scope.file, written).into_iter().all(|name| {
            other.scope.variable(written, name).is_none_or(|variable| other.scope.is_settled(&variable))
        });
        if !together || !settled {
            return Err("the root has no name that both sides know".to_owned());
        }
        Ok([other.scope.text(written); 2])
    }
}

/// One arm of a branch, as a block.
struct Arm<'t> {
    block: Node<'t>,
    last: Node<'t>,
    /// Whether the last statement is the only one.
    is_alone: bool,
}

/// The branch of which a statement ends one arm.
fn last_of_arm(statement: Node<'_>) -> Option<(Node<'_>, Arm<'_>)> {
    let block = statement.parent().filter(|parent| parent.kind() == "compound_statement")?;
    let all = statements(block)?;
    if all.last() != Some(&statement) {
        return None;
    }
    let mut branch = block.parent()?;
    if branch.kind() == "else_clause" {
        branch = branch.parent()?;
    }
    let is_alone = all.len() == 1;
    (branch.kind() == "if_statement").then_some((branch, Arm { block, last: statement, is_alone }))
}

/// An expression without parentheses around it.
fn inside(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression"
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}

/// No buffer.
pub(super) fn null(scope: &Scope<'_>) -> &'static str {
    let headers = ["<stdio.h>", "<stdlib.h>", "<string.h>", "<stddef.h>"];
    if headers.iter().any(|header| scope.file.text().contains(header)) { "NULL" } else { "(void *)0" }
}
