//! Calls that are missing: the end of an object's life, the wait for an operation, the end of MPI.
//!
//! Where a call belongs is not known, so several places are proposed: at the end of the block in which the object was made, of that
//! in which its variable lives, and before MPI ends.

use analyzer::results::{Edit, Finding, Fix};
use frontend::mpi::{self, Class, Object};
use tree_sitter::Node;

use super::fix;
use crate::text::{Call, SourceFile, descendants, function_of, is_plain, statements};

/// Frees what the call at the finding makes.
pub(super) fn free(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let call = Call::around(file, file.node_at(&finding.range)?)?;
    let (index, kind) = call.mpi.created()?;
    let handle = handle(file, *call.arguments()?.get(index)?)?;
    let function = destructor(kind)?;
    let statement = format!("{}(&{});", function.name, handle.text);
    let mut fixes = at_ends(file, &call, &handle, &statement);
    if kind == Object::Communicator {
        // Some processes may have none.
        let guarded = format!("if ({} != MPI_COMM_NULL) {statement}", handle.text);
        fixes.extend(at_ends(file, &call, &handle, &guarded));
    }
    let noun = kind.keyword();
    Some(
        fixes.into_iter().map(|edit| fix(format!("free the {noun} `{}`", handle.text), vec![edit])).collect(),
    )
}

/// Waits for what the call at the finding starts.
pub(super) fn wait(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let (call, request) = started(finding, file)?;
    let statement = format!("MPI_Wait(&{}, MPI_STATUS_IGNORE);", request.text);
    let mut fixes = at_ends(file, &call, &request, &statement);
    fixes.push(file.after(call.statement, &statement));
    Some(fixes.into_iter().map(|edit| fix(format!("wait for `{}`", request.text), vec![edit])).collect())
}

/// Frees the persistent request that the call at the finding makes.
pub(super) fn free_request(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let (call, request) = started(finding, file)?;
    let statement = format!("MPI_Request_free(&{});", request.text);
    let edits = at_ends(file, &call, &request, &statement).into_iter();
    Some(edits.map(|edit| fix(format!("free the request `{}`", request.text), vec![edit])).collect())
}

fn started<'t>(finding: &Finding, file: &'t SourceFile) -> Option<(Call<'t>, Handle<'t>)> {
    let call = Call::around(file, file.node_at(&finding.range)?)?;
    let (index, _) = call.mpi.request_made()?;
    let request = handle(file, *call.arguments()?.get(index)?)?;
    Some((call, request))
}

/// Commits the datatype at the finding after the call that made it.
pub(super) fn commit(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let used = file.node_at(&finding.range)?;
    let name = used.kind().eq("identifier").then(|| file.of(used))?;
    let statement = format!("MPI_Type_commit(&{name});");
    let makes = |call: &Call<'_>| {
        let Some((index, Object::Datatype)) = call.mpi.created() else { return false };
        let arguments = call.arguments();
        let made = arguments.as_ref().and_then(|all| handle(file, *all.get(index)?));
        made.is_some_and(|made| made.text == name)
    };
    let calls =
        descendants(function_of(used)?).into_iter().filter(|node| node.kind() == "expression_statement");
    let edits = calls
        .filter_map(|node| Call::in_statement(file, node))
        .filter(makes)
        .map(|call| file.after(call.statement, &statement));
    Some(edits.map(|edit| fix(format!("commit the datatype `{name}`"), vec![edit])).collect())
}

/// Ends MPI where `main` returns.
pub(super) fn finalize(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let function = function_of(file.node_at(&finding.range)?)?;
    let edit = at_end(file, function.child_by_field_name("body")?, "MPI_Finalize();")?;
    (!function.has_error())
        .then(|| vec![fix("call MPI_Finalize before the program ends".to_owned(), vec![edit])])
}

/// The variable, or member of one, that a call stores a handle in.
struct Handle<'t> {
    text: &'t str,
    /// The variable itself.
    name: &'t str,
}

/// What `&x`, `&s.x` or `&x[0]` stores in.
fn handle<'t>(file: &'t SourceFile, argument: Node<'t>) -> Option<Handle<'t>> {
    let is_address = argument.kind() == "pointer_expression" && file.of(argument).starts_with('&');
    let place = is_address.then(|| argument.child_by_field_name("argument"))??;
    let mut base = place;
    loop {
        // An index that is no number may have another value where the statement goes.
        let is_element = base.kind() == "subscript_expression"
            && base.child_by_field_name("index").is_some_and(|index| index.kind() == "number_literal");
        if !is_element && base.kind() != "field_expression" {
            break;
        }
        base = base.child_by_field_name("argument")?;
    }
    (base.kind() == "identifier").then(|| Handle { text: file.of(place), name: file.of(base) })
}

/// The call that gives up objects of a kind, and nothing else.
fn destructor(kind: Object) -> Option<&'static mpi::Function> {
    // Of several (`MPI_Comm_disconnect`), the shortest name is the plain one.
    let all = mpi::functions().filter(|f| f.params.len() == 1 && f.destroyed() == Some((0, kind)));
    all.min_by_key(|function| function.name.len())
}

/// A statement at the ends of the blocks in which what a call makes may be done with, from the inner to the outer.
fn at_ends(file: &SourceFile, call: &Call<'_>, handle: &Handle<'_>, statement: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut block = call.statement.parent();
    while let Some(node) = block {
        if node.kind() == "compound_statement" {
            edits.extend(at_end(file, node, statement));
            if declares(file, node, handle.name) {
                break;
            }
        }
        if node.kind() == "function_definition" {
            break;
        }
        block = node.parent();
    }
    edits.dedup();
    edits
}

/// A statement at the end of a block: before it is left, and before MPI ends.
fn at_end(file: &SourceFile, block: Node<'_>, statement: &str) -> Option<Edit> {
    let all = statements(block)?;
    let ends_mpi = |node: &&Node<'_>| {
        Call::in_statement(file, **node).is_some_and(|call| call.mpi.class == Class::Finalize)
    };
    let leaves = |node: &&Node<'_>| {
        matches!(
            node.kind(),
            "return_statement" | "break_statement" | "continue_statement" | "goto_statement"
        )
    };
    let next = all.iter().find(ends_mpi).or_else(|| all.last().filter(leaves));
    let last = all.last()?;
    let (anchor, edit) = match next {
        Some(next) => (*next, file.before(*next, statement)),
        None => (*last, file.after(*last, statement)),
    };
    is_plain(anchor).then_some(edit)
}

/// Whether a block declares a variable.
fn declares(file: &SourceFile, block: Node<'_>, name: &str) -> bool {
    let mut cursor = block.walk();
    let all: Vec<_> = block.named_children(&mut cursor).filter(|node| node.kind() == "declaration").collect();
    all.into_iter().any(|declaration| {
        let mut cursor = declaration.walk();
        let declarators: Vec<_> = declaration.children_by_field_name("declarator", &mut cursor).collect();
        declarators.into_iter().flat_map(descendants).any(|n| n.kind() == "identifier" && file.of(n) == name)
    })
}
