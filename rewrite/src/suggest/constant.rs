//! Constants that are sent to processes which know them.
//!
//! Where the root gives variables constant values right before it broadcasts them, every process can give them the same values. A
//! broadcast also makes all wait for the root, which matters where the root has done something before that others see by another way
//! than messages, as in a file: there is an edit only where nothing of the kind is in the program.

use std::collections::BTreeMap;

use analyzer::results::{Fix, Gain, ProgramReport, Related, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{self, Class, CollectiveOp, Completion, Role, SendMode};
use tree_sitter::Node;

use super::aliases::is_object;
use super::scope::{Scope, Shape};
use super::values::number;
use super::{call_at, has_finding, in_words};
use crate::text::{Call, descendants, is_plain, statements};

/// Elements of an array that somebody sets one by one.
const LONGEST: i64 = 64;
/// Constants that are made of one another.
const DEEPEST: usize = 8;

/// A variable, or an element of an array.
type Target<'t> = (&'t str, i64);

/// What the root does before the broadcasts.
struct Known<'t> {
    statement: Node<'t>,
    /// The assignments, and what each of them sets.
    assignments: Vec<(Node<'t>, Target<'t>)>,
}

/// Broadcasts of constants that begin with the call of a collective.
pub(super) fn broadcasts(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let collective = &report.topology.collectives[index];
    let [site] = collective.sites.as_slice() else { return None };
    let (scope, call) = call_at(scopes, site)?;
    if collective.ranks != "[0..np-1]" || !is_broadcast(&call) || !is_plain(call.statement) {
        return None;
    }
    let all = statements(call.statement.parent()?)?;
    let here = all.iter().position(|node| *node == call.statement)?;
    let known = known(scope, *all.get(here.checked_sub(1)?)?, &call)?;
    let mut set: Vec<Target<'_>> = known.assignments.iter().map(|(_, target)| *target).collect();
    let broadcasts = all[here..].iter().map_while(|node| {
        let call = Call::in_statement(scope.file, *node).filter(is_broadcast)?;
        Some((call, targets_of(scope, &call)?))
    });
    let (mut calls, mut sent): (Vec<Call<'_>>, Vec<Target<'_>>) = (Vec::new(), Vec::new());
    for (call, targets) in broadcasts {
        if set.len() <= sent.len() {
            break;
        }
        calls.push(call);
        sent.extend(targets);
    }
    // Each of the variables is broadcast once, from the same root.
    sent.sort_unstable();
    set.sort_unstable();
    let same = |other: &Call<'_>| {
        [Role::Root, Role::Communicator].into_iter().all(|role| {
            let text = |call: &Call<'_>| call.argument(role).map(|node| scope.text(node));
            text(other).is_some() && text(other) == text(&call)
        })
    };
    let stand_alone = calls.iter().all(|other| other.stands_alone() && same(other));
    let ranges: Vec<_> = calls.iter().map(|other| scope.file.range(other.node)).collect();
    if sent != set || !stand_alone || has_finding(report, &ranges.iter().collect::<Vec<_>>()) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for (_, (name, _)) in &known.assignments {
        let name = format!("`{name}`");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let values: Vec<String> =
        known.assignments.iter().map(|(node, _)| format!("{};", scope.text(*node))).collect();
    let mut edits =
        vec![scope.file.replace(known.statement.byte_range(), scope.file.joined(known.statement, &values))];
    edits.extend(calls.iter().map(|other| scope.file.remove_with_remark(other.statement)));
    let number = calls.len();
    let many = if number == 1 { String::new() } else { format!("{number} ") };
    Some(Suggestion {
        rule: Rule::ShareConstant,
        message: format!("broadcasts constants: every process can set {} by itself", in_words(&names)),
        range: ranges.first()?.clone(),
        related: vec![Related {
            range: scope.file.range(known.statement),
            message: "the value does not depend on the process".to_owned(),
        }],
        np: report.verdict.np.clone(),
        gain: Gain {
            model: Gain::MESSAGES,
            before: format!("{many}ceil(log2(np)) (a + m*b)"),
            after: "0".to_owned(),
        },
        edit: match scopes.values().find_map(outside) {
            None => Ok(Fix { description: "set the constants on all processes".to_owned(), edits }),
            Some(name) => {
                Err(format!("the broadcast makes all wait for the root, and `{name}` may rely on that"))
            }
        },
    })
}

/// Functions of the C library that do nothing which another process may see; lines of several processes have no order anyway.
const ALONE: [&str; 14] = [
    "abs", "atof", "atoi", "calloc", "exit", "fabs", "free", "malloc", "memcpy", "memset", "printf", "puts",
    "sqrt", "strlen",
];

/// What a file calls that may have to do with other processes by another way than messages, or by ready sends: a function, a macro that
/// stands for a call, or a header that may define such macros.
fn outside<'t>(scope: &Scope<'t>) -> Option<&'t str> {
    let all = descendants(scope.file.root());
    let of = |kind: &'static str| all.iter().filter(move |node| node.kind() == kind);
    let field = |node: Node<'t>, name| node.child_by_field_name(name).map(|inner| scope.text(inner));
    let defined: Vec<&str> = of("function_definition")
        .filter_map(|node| field(node.child_by_field_name("declarator")?, "declarator"))
        .collect();
    let is_alone = |name: &str| {
        !scope.is_macro(name)
            && (ALONE.contains(&name)
                || defined.contains(&name)
                || mpi::lookup(name).is_some_and(|function| passes_messages(function.class)))
    };
    let calls = of("call_expression").filter_map(|node| field(*node, "function"));
    let headers = of("preproc_include").filter_map(|node| field(*node, "path"));
    let macros = of("preproc_def").chain(of("preproc_function_def"));
    calls
        .filter(|name| !is_alone(name))
        .chain(headers.filter(|path| path.starts_with('"')))
        .chain(macros.filter_map(|node| field(*node, "value")).filter(|value| has_call(value)))
        .next()
}

/// Whether a text has a parenthesis behind a name.
fn has_call(text: &str) -> bool {
    let names = |part: &str| part.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    text.rsplit_once('(').is_some_and(|(before, _)| before.split('(').any(names))
}

/// Whether a call of MPI has to do with other processes by messages that are matched only, or not at all.
fn passes_messages(class: Class) -> bool {
    match class {
        Class::Send { mode, .. } => mode != SendMode::Ready,
        Class::Init { .. }
        | Class::Finalize
        | Class::Abort
        | Class::Receive { .. }
        | Class::SendReceive { .. }
        | Class::Collective { .. }
        | Class::Wait(_)
        | Class::Query(_) => true,
        _ => false,
    }
}

fn is_broadcast(call: &Call<'_>) -> bool {
    let broadcasts = matches!(
        call.mpi.class,
        Class::Collective {
            operation: CollectiveOp::Bcast,
            completion: Completion::Blocking,
            neighbor: false
        }
    );
    broadcasts && call.mpi.name == "MPI_Bcast"
}

/// The variable that a call broadcasts, or the elements of an array from the first one on.
fn targets_of<'t>(scope: &Scope<'t>, call: &Call<'t>) -> Option<Vec<Target<'t>>> {
    let buffer = call.arguments()?.first().copied()?;
    let is_address = buffer.kind() == "pointer_expression" && scope.text(buffer).starts_with('&');
    let name = if is_address { buffer.child_by_field_name("argument")? } else { buffer };
    let variable = (name.kind() == "identifier").then(|| scope.variable(name, scope.text(name)))??;
    let datatype = scope.text(call.argument(Role::Datatype)?);
    let count = number(scope, call.argument(Role::Count)?)?;
    let fits = match &variable.shape {
        Shape::Plain => is_address && count == 1,
        // The first element, and no more than are set.
        Shape::Array(lengths) => {
            !is_address && lengths.len() == 1 && is_object(&variable) && (1..=LONGEST).contains(&count)
        }
        Shape::Pointer | Shape::Other => false,
    };
    let whole = fits
        && scope.has_elements(&variable, datatype)
        && !scope.text(variable.declaration).contains("volatile");
    whole.then(|| (0..count).map(|index| (scope.text(name), index)).collect())
}

/// What a statement is: `if (rank == root) x = 5;`, in a block or not, or several such assignments.
fn known<'t>(scope: &Scope<'t>, statement: Node<'t>, call: &Call<'t>) -> Option<Known<'t>> {
    if statement.kind() != "if_statement" || statement.child_by_field_name("alternative").is_some() {
        return None;
    }
    let condition = statement.child_by_field_name("condition")?.named_child(0)?;
    let sides = [condition.child_by_field_name("left")?, condition.child_by_field_name("right")?];
    let root = scope.text(call.argument(Role::Root)?);
    let communicator = scope.text(call.argument(Role::Communicator)?);
    let is_root = |node: Node<'t>| {
        scope.text(node) == root && (node.kind() == "number_literal" || scope.number(root).is_some())
    };
    let asks = condition.child_by_field_name("operator")?.kind() == "=="
        && ((is_rank(scope, sides[0], communicator) && is_root(sides[1]))
            || (is_rank(scope, sides[1], communicator) && is_root(sides[0])));
    let then = statement.child_by_field_name("consequence")?;
    let inner = if then.kind() == "compound_statement" { statements(then)? } else { vec![then] };
    let assignments: Vec<(Node<'t>, Target<'t>)> =
        inner.into_iter().map(|node| constant(scope, node)).collect::<Option<_>>()?;
    let mut targets: Vec<Target<'t>> = assignments.iter().map(|(_, target)| *target).collect();
    targets.sort_unstable();
    targets.dedup();
    (asks && !targets.is_empty() && targets.len() == assignments.len())
        .then_some(Known { statement, assignments })
}

/// Whether a variable is the rank in a communicator, and nothing else ever.
fn is_rank<'t>(scope: &Scope<'t>, node: Node<'t>, communicator: &str) -> bool {
    let Some(variable) =
        (node.kind() == "identifier").then(|| scope.variable(node, scope.text(node))).flatten()
    else {
        return false;
    };
    let asked: Vec<Call<'t>> = scope
        .uses(&variable)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|name| Call::around_loosely(scope.file, name))
        .filter(|call| call.mpi.name == "MPI_Comm_rank")
        .collect();
    let [only] = asked.as_slice() else { return false };
    scope.is_settled(&variable)
        && only.argument(Role::Communicator).is_some_and(|node| scope.text(node) == communicator)
        && mpi::constant(communicator).is_some()
}

/// An assignment of a constant to a variable, or to an element of an array.
fn constant<'t>(scope: &Scope<'t>, statement: Node<'t>) -> Option<(Node<'t>, Target<'t>)> {
    let inner = (statement.kind() == "expression_statement").then(|| statement.named_child(0))??;
    let is_assignment =
        inner.kind() == "assignment_expression" && inner.child_by_field_name("operator")?.kind() == "=";
    let (target, value) = (inner.child_by_field_name("left")?, inner.child_by_field_name("right")?);
    let (name, index) = match target.kind() {
        "subscript_expression" => {
            (target.child_by_field_name("argument")?, number(scope, target.child_by_field_name("index")?)?)
        }
        _ => (target, 0),
    };
    let fits = is_assignment && name.kind() == "identifier" && is_constant(scope, value, DEEPEST);
    fits.then(|| (inner, (scope.text(name), index)))
}

/// Whether an expression is the same number wherever it stands: it is made of numbers, and of macros, `const` variables and members of
/// enumerations that stand for such.
fn is_constant<'t>(scope: &Scope<'t>, node: Node<'t>, depth: usize) -> bool {
    let Some(deeper) = depth.checked_sub(1) else { return false };
    let part = |field| node.child_by_field_name(field).is_some_and(|node| is_constant(scope, node, deeper));
    match node.kind() {
        "number_literal" | "char_literal" => true,
        "parenthesized_expression" => {
            node.named_child(0).is_some_and(|inner| is_constant(scope, inner, deeper))
        }
        "unary_expression" => part("argument"),
        "binary_expression" => part("left") && part("right"),
        "identifier" => {
            let name = scope.text(node);
            if scope.is_macro(name) {
                return scope.is_number(name);
            }
            match scope.variable(node, name) {
                Some(variable) => {
                    let value = variable.declarator.child_by_field_name("value");
                    variable.shape == Shape::Plain
                        && is_const(scope, variable.declaration)
                        && value.is_some_and(|value| is_constant(scope, value, deeper))
                }
                None => is_enumerator(scope, name),
            }
        }
        _ => false,
    }
}

/// Whether what a declaration makes never changes.
fn is_const(scope: &Scope<'_>, declaration: Node<'_>) -> bool {
    let mut cursor = declaration.walk();
    let mut parts = declaration.children(&mut cursor).filter(|part| part.kind() == "type_qualifier");
    let is_volatile = scope.text(declaration).contains("volatile");
    !is_volatile && parts.any(|part| scope.text(part) == "const")
}

fn is_enumerator(scope: &Scope<'_>, name: &str) -> bool {
    descendants(scope.file.root())
        .into_iter()
        .filter(|node| node.kind() == "enumerator")
        .any(|node| node.child_by_field_name("name").is_some_and(|named| scope.text(named) == name))
}
