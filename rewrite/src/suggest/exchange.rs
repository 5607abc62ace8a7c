//! A send and a receive in two orders, which one call does without an order.

use std::collections::BTreeMap;

use analyzer::results::{Fix, Gain, ProgramReport, Related, SourceRange, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Completion, Role, SendMode};
use tree_sitter::Node;

use super::scope::{Scope, Shape, names};
use super::unused::{Needless, leftovers};
use super::{call_at, has_finding};
use crate::text::{Call, statements};

/// The branch with a send and a receive in one arm, and the same in the opposite order in the other.
struct Branch<'t> {
    statement: Node<'t>,
    condition: Node<'t>,
    /// The send and the receive of the arm that sends first.
    first: [Call<'t>; 2],
    /// Those of the other.
    second: [Call<'t>; 2],
}

/// The exchange that a channel is part of.
pub(super) fn both_ways(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let (scope, call) = call_at(scopes, &report.topology.channels[index].send)?;
    let branch = Branch::around(scope, &call)?;
    if branch.first[0].node != call.node {
        return None;
    }
    let place = |call: &Call<'_>| scope.file.range(call.node);
    let [first, second] = [&branch.first, &branch.second].map(|arm| [place(&arm[0]), place(&arm[1])]);
    let sends = [&first[0], &second[0]];
    let receives = [&first[1], &second[1]];
    // Their messages are for one another.
    let channels = || report.topology.channels.iter();
    let is = |places: &[&SourceRange; 2], range: &SourceRange| places.contains(&range);
    let closed =
        channels().all(|channel| is(&sends, &channel.send.range) == is(&receives, &channel.recv.range));
    let met = |send: &SourceRange, recv: &SourceRange| {
        channels().any(|channel| channel.send.range == *send && channel.recv.range == *recv)
    };
    let crossed = met(&first[0], &second[1]) && met(&second[0], &first[1]);
    if !closed || !crossed || has_finding(report, &[sends[0], sends[1], receives[0], receives[1]]) {
        return None;
    }
    let related = [
        (&first[1], "received after it"),
        (&second[1], "here received first"),
        (&second[0], "and sent after that"),
    ];
    Some(Suggestion {
        rule: Rule::UseSendrecv,
        message: "the same send and receive in two orders, so that nobody waits for itself: `MPI_Sendrecv` does both at once"
            .to_owned(),
        range: first[0].clone(),
        related: related
            .map(|(range, what)| Related { range: range.clone(), message: what.to_owned() })
            .to_vec(),
        np: report.verdict.np.clone(),
        gain: Gain { model: Gain::MESSAGES, before: "2 (a + m*b)".to_owned(), after: "a + m*b".to_owned() },
        edit: branch.edit(scope),
    })
}

impl<'t> Branch<'t> {
    fn around(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        let mut node = call.statement.parent()?;
        while node.kind() != "if_statement" {
            if node.kind() != "compound_statement" {
                return None;
            }
            node = node.parent()?;
        }
        let alternative = node.child_by_field_name("alternative")?.named_child(0)?;
        let arms = [pair(scope, node.child_by_field_name("consequence")?)?, pair(scope, alternative)?];
        let kinds = arms.each_ref().map(|arm| arm.each_ref().map(is_send));
        let [one, other] = arms;
        let (first, second) = match kinds {
            [[true, false], [false, true]] => (one, other),
            [[false, true], [true, false]] => (other, one),
            _ => return None,
        };
        let [a, b] = second;
        let (second, condition) = ([b, a], node.child_by_field_name("condition")?);
        let same = (0..2).all(|i| same_call(scope, &first[i], &second[i]));
        same.then_some(Self { statement: node, condition, first, second })
    }

    fn edit(&self, scope: &Scope<'t>) -> Result<Fix, String> {
        let [send, receive] = &self.first;
        let missing = || "a call has another number of arguments than MPI's".to_owned();
        let (sent, received) =
            (send.arguments().ok_or_else(missing)?, receive.arguments().ok_or_else(missing)?);
        let role = |call: &Call<'t>, role| call.argument(role).ok_or_else(missing);
        let [ours, theirs] = [role(send, Role::Communicator)?, role(receive, Role::Communicator)?];
        if scope.text(ours) != scope.text(theirs) {
            return Err("the two calls name different communicators".to_owned());
        }
        let status = receive.argument(Role::Status);
        let odd = |node: &&Node<'t>| Some(**node) != status && !scope.is_pure(**node);
        if let Some(odd) = sent.iter().chain(&received).chain([&self.condition]).find(odd) {
            return Err(format!("nothing is known about `{}`", scope.text(*odd)));
        }
        let buffers = [role(send, Role::SendBuffer)?, role(receive, Role::RecvBuffer)?];
        if !are_apart(scope, buffers) {
            return Err("the two buffers may overlap; `MPI_Sendrecv_replace` has one for both".to_owned());
        }
        // What is received must not say what is sent.
        let written = names(scope.file, buffers[1]);
        let told = sent.iter().flat_map(|&node| names(scope.file, node)).any(|name| written.contains(&name));
        if told {
            return Err("what is sent may depend on what is received".to_owned());
        }
        let text =
            |nodes: &[Node<'t>]| nodes.iter().map(|&node| scope.text(node)).collect::<Vec<_>>().join(", ");
        let count = sent.len().saturating_sub(1);
        let exchange = format!("MPI_Sendrecv({}, {});", text(&sent[..count]), text(&received));
        let unused = leftovers(scope, &[self.condition], std::slice::from_ref(&exchange));
        let mut edits = unused.map_err(|Needless(what)| what)?;
        edits.insert(0, scope.file.replace(self.statement.byte_range(), exchange));
        Ok(Fix { description: "send and receive in one call".to_owned(), edits })
    }
}

/// The two calls that a block consists of.
fn pair<'t>(scope: &Scope<'t>, block: Node<'t>) -> Option<[Call<'t>; 2]> {
    if block.kind() != "compound_statement" {
        return None;
    }
    let calls: Vec<_> =
        statements(block)?.into_iter().map(|s| Call::in_statement(scope.file, s)).collect::<Option<_>>()?;
    let calls: [Call<'t>; 2] = calls.try_into().ok()?;
    let plain = |call: &Call<'t>| call.stands_alone() && (is_send(call) || is_receive(call));
    (plain(&calls[0]) && plain(&calls[1])).then_some(calls)
}

fn is_send(call: &Call<'_>) -> bool {
    let standard = [SendMode::Standard, SendMode::Synchronous];
    !call.mpi.name.ends_with("_c")
        && matches!(call.mpi.class, Class::Send { mode, completion: Completion::Blocking } if standard.contains(&mode))
}

fn is_receive(call: &Call<'_>) -> bool {
    !call.mpi.name.ends_with("_c")
        && matches!(call.mpi.class, Class::Receive { completion: Completion::Blocking, matched: false })
}

/// Whether two calls do the same with the same arguments.
fn same_call(scope: &Scope<'_>, a: &Call<'_>, b: &Call<'_>) -> bool {
    let words = |call: &Call<'_>| -> Option<Vec<Vec<String>>> {
        let split = |node: &Node<'_>| scope.text(*node).split_whitespace().map(str::to_owned).collect();
        Some(call.arguments()?.iter().map(split).collect())
    };
    a.mpi.name == b.mpi.name && words(a).is_some() && words(a) == words(b)
}

/// Whether two buffers are different variables, no pointers.
fn are_apart<'t>(scope: &Scope<'t>, buffers: [Node<'t>; 2]) -> bool {
    let variables = buffers.map(|buffer| {
        let first = names(scope.file, buffer).into_iter().next()?;
        let variable = scope.variable(buffer, first)?;
        let whole = match &variable.shape {
            Shape::Array(_) => variable.declaration.kind() != "parameter_declaration",
            Shape::Plain => scope.text(buffer).starts_with('&'),
            Shape::Pointer | Shape::Other => false,
        };
        whole.then_some(variable.name)
    });
    matches!(variables, [Some(a), Some(b)] if a != b)
}
