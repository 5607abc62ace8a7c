//! A send and the receive beside it as one exchange, which cannot wait for itself (MPI-4.1 section 3.10).

use analyzer::results::{Finding, Fix};
use frontend::mpi::{Class, Completion, Role, SendMode};
use tree_sitter::Node;

use super::fix;
use crate::text::{Call, SourceFile, descendants, statements};

/// Makes `MPI_Sendrecv` of a blocking send and a blocking receive that follow one another.
pub(super) fn sendrecv(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let call = Call::around(file, file.node_at(&finding.range)?)?;
    let block = statements(call.statement.parent()?)?;
    let at = block.iter().position(|&statement| statement == call.statement)?;
    let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let fixes = neighbours.filter_map(|other| {
        let other = Call::in_statement(file, *block.get(other)?)?;
        let (first, second) =
            if other.node.start_byte() < call.node.start_byte() { (other, call) } else { (call, other) };
        join(file, first, second)
    });
    Some(fixes.collect())
}

fn is_send(call: &Call<'_>) -> bool {
    let standard = [SendMode::Standard, SendMode::Synchronous];
    matches!(call.mpi.class, Class::Send { mode, completion: Completion::Blocking } if standard.contains(&mode))
}

fn is_receive(call: &Call<'_>) -> bool {
    matches!(call.mpi.class, Class::Receive { completion: Completion::Blocking, matched: false })
}

fn join<'t>(file: &SourceFile, first: Call<'t>, second: Call<'t>) -> Option<Fix> {
    let (send, receive) = if is_send(&first) { (first, second) } else { (second, first) };
    if !is_send(&send) || !is_receive(&receive) || !send.stands_alone() || !receive.stands_alone() {
        return None;
    }
    // The name of the exchange as the program spells MPI's functions; a large count stays one.
    if send.mpi.name.ends_with("_c") != receive.mpi.name.ends_with("_c") {
        return None;
    }
    let large = if send.mpi.name.ends_with("_c") { "_c" } else { "" };
    let (sent, received) = (send.arguments()?, receive.arguments()?);
    let argument = |call: &Call<'t>, nodes: &[Node<'t>], role: Role| {
        let index = call.mpi.params.iter().position(|param| param.role == role)?;
        nodes.get(index).copied()
    };
    let ours = argument(&send, &sent, Role::Communicator)?;
    let theirs = argument(&receive, &received, Role::Communicator)?;
    if file.of(ours) != file.of(theirs) {
        return None;
    }
    // What is received must not be what is sent, or say where to: then the order matters.
    let written = [received.first().copied()?, received.last().copied()?];
    let names = |nodes: &[Node<'t>]| -> Vec<String> {
        let all = nodes.iter().flat_map(|&node| descendants(node));
        all.filter(|node| node.kind() == "identifier").map(|node| file.of(node).to_owned()).collect()
    };
    let read = names(&sent);
    if names(&written).iter().any(|name| !name.starts_with("MPI_") && read.contains(name)) {
        return None;
    }
    let text = |nodes: &[Node<'t>]| nodes.iter().map(|&node| file.of(node)).collect::<Vec<_>>().join(", ");
    let count = sent.len().checked_sub(1)?;
    let exchange =
        format!("MPI_Sendrecv{large}({}, {});", text(&sent[..count]), arrange(file, &receive, &received)?);
    let edit = file.replace(first.statement.start_byte()..second.statement.end_byte(), exchange);
    Some(fix("send and receive in one call, which cannot wait for itself".to_owned(), vec![edit]))
}

/// The arguments of the receive; they come in the order of those of an exchange.
fn arrange<'t>(file: &SourceFile, receive: &Call<'t>, nodes: &[Node<'t>]) -> Option<String> {
    let last = receive.mpi.params.last().is_some_and(|param| param.role == Role::Status);
    last.then(|| nodes.iter().map(|&node| file.of(node)).collect::<Vec<_>>().join(", "))
}
