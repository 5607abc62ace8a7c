//! Loops that pack elements for a send, or unpack what was received: a datatype says where they are.
//!
//! The loop copies each element once, in the order in which the message has them, and nothing else reads the list in between. So the
//! message is the same without the list. What is received is a whole message, or else the loop would copy what was in the list before.

mod apart;
mod copy;
mod datatype;
mod joined;
mod receive;

use analyzer::results::{Edit, Fix, Gain, Related, SourceRange, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Completion, Role, SendMode};
use tree_sitter::Node;

use super::aliases::{are_apart, is_object, is_private};
use super::scope::{Scope, Shape, Variable};
use super::sum::Sum;
use super::unused::{Needless, leftovers};
use crate::text::{Call, descendants, is_plain, statements};
use copy::{Copy, Part, Way, array_of, contains, previous};
use datatype::Described;
use joined::Joined;

pub(super) use receive::receives;

/// What packs for sends of a file, whatever program it is part of.
pub(super) fn sends(scope: &Scope<'_>) -> Vec<Suggestion> {
    let statements =
        descendants(scope.file.root()).into_iter().filter(|node| node.kind() == "expression_statement");
    statements
        .filter_map(|statement| {
            let call = Call::in_statement(scope.file, statement)?;
            // A receive that is unpacked is one suggestion with what is packed for the same call.
            if receive::is_unpacked(scope, &call) {
                return None;
            }
            match Packed::before(scope, &call) {
                Some(packed) => packed.suggestion(scope),
                None => Joined::before(scope, &call)?.suggestion(scope),
            }
        })
        .collect()
}

/// A loop that packs, and the call that sends.
struct Packed<'t> {
    copy: Copy<'t>,
    call: Call<'t>,
    datatype: &'t str,
}

impl<'t> Packed<'t> {
    /// What is packed for a call right before it.
    fn before(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        if !sends_at_once(call) || scope.is_macro(call.mpi.name) {
            return None;
        }
        let list = array_of(scope, call.argument(Role::SendBuffer)?)?;
        let mut node = previous(call.statement)?;
        let mut others = Vec::new();
        let copy = loop {
            let copy = Copy::of(scope, node, Way::Pack)?;
            if copy.list.name == list.name {
                break copy;
            }
            // Packs something else, of which the elements here are no part.
            if !is_private(scope, &copy.list) {
                return None;
            }
            others.push(copy.list.name);
            node = previous(copy.reset.filter(|reset| previous(node) == Some(*reset)).unwrap_or(node))?;
        };
        let datatype = scope.text(call.argument(Role::Datatype)?);
        let count = Sum::of(scope, call.argument(Role::Count)?)?;
        let fits = count.equals(scope, &copy.total)
            && are_elements(scope, &copy, datatype)
            && !others.contains(&copy.place.variable.name);
        fits.then_some(Self { copy, call: *call, datatype })
    }

    fn described(&self, scope: &Scope<'t>) -> Option<Described> {
        self.copy.described(scope, self.datatype, scope.text(self.copy.list.name))
    }

    fn suggestion(&self, scope: &Scope<'t>) -> Option<Suggestion> {
        let described = self.described(scope)?;
        let (from, list) = (scope.text(self.copy.place.variable.name), scope.text(self.copy.list.name));
        let message = match described.constructor {
            Some(name) => format!(
                "packs elements of `{from}` into `{list}` for a send: a datatype (`{name}`) sends them from where they are"
            ),
            None => format!(
                "copies elements of `{from}` that lie side by side into `{list}` for a send: they can be sent from where they are"
            ),
        };
        let range = scope.file.range(self.copy.region);
        Some(told(scope, message, range, &self.call, self.edit(scope, &described)))
    }

    fn edit(&self, scope: &Scope<'t>, described: &Described) -> Result<Fix, String> {
        let (copy, call) = (&self.copy, &self.call);
        let rest = Rest::of(scope, &copy.list, &[copy.region, call.statement], true)?;
        self.is_free(scope)?;
        let mut edits = self.packed_edits(scope, described)?;
        let regions = rest.regions(copy, call);
        edits.extend(leftovers(scope, &regions, &new_texts(scope, &edits, call)).map_err(needless)?);
        edits.extend(rest.removed(scope));
        Ok(Fix { description: "send the elements from where they are".to_owned(), edits })
    }

    /// Whether loop and call can be edited, and the call does not write what it sends.
    fn is_free(&self, scope: &Scope<'t>) -> Result<(), String> {
        can_be_edited(scope, &self.call, std::slice::from_ref(&self.copy))
    }

    /// The datatype in place of the loop, and the call that uses it.
    fn packed_edits(&self, scope: &Scope<'t>, described: &Described) -> Result<Vec<Edit>, String> {
        let (copy, call) = (&self.copy, &self.call);
        let first = copy.place.first(&copy.loops).ok_or("the first element has no short name")?;
        let mut edits = vec![match described.built.as_slice() {
            [] => scope.file.remove(copy.region),
            built => scope.file.replace(copy.region.byte_range(), scope.file.joined(copy.region, built)),
        }];
        if let Some(reset) = copy.reset.filter(|reset| reset.kind() != "declaration") {
            edits.push(scope.file.remove(reset));
        }
        let buffer = call.argument(Role::SendBuffer).ok_or(MISSING)?;
        let datatype = call.argument(Role::Datatype).ok_or(MISSING)?;
        edits.push(described.passed(scope, (buffer, datatype), &first.address(scope)));
        edits.extend(described.freed.iter().map(|freed| scope.file.below(call.statement, freed)));
        Ok(edits)
    }
}

/// Why a call is not edited.
const MISSING: &str = "a call has another number of arguments than MPI's";

fn gain() -> Gain {
    Gain { model: Gain::COPIES, before: "m*c + a + m*b".to_owned(), after: "a + m*b".to_owned() }
}

/// What is said of statements that pack elements for a call which sends them.
fn told(
    scope: &Scope<'_>,
    message: String,
    range: SourceRange,
    call: &Call<'_>,
    edit: Result<Fix, String>,
) -> Suggestion {
    Suggestion {
        rule: Rule::UseDatatype,
        message,
        range,
        related: vec![Related { range: scope.file.range(call.node), message: "sent here".to_owned() }],
        np: "any np >= 1".to_owned(),
        gain: gain(),
        edit,
    }
}

fn needless(Needless(what): Needless) -> String {
    what
}

/// What the edited text says where the old one was, so that variables which it names are kept.
fn new_texts(scope: &Scope<'_>, edits: &[Edit], call: &Call<'_>) -> Vec<String> {
    let is_replaced = |argument: &Node<'_>| {
        let place = scope.file.range(*argument);
        edits.iter().any(|edit| {
            let start = (edit.range.line, edit.range.column);
            start <= (place.line, place.column)
                && (place.end_line, place.end_column) <= (edit.range.end_line, edit.range.end_column)
        })
    };
    let arguments = call.arguments().unwrap_or_default().into_iter();
    let kept = arguments.filter(|argument| !is_replaced(argument)).map(|node| scope.text(node).to_owned());
    edits.iter().map(|edit| edit.text.clone()).chain(kept).collect()
}

/// A call that has read the buffer when it returns, and needs no other memory for it.
fn sends_at_once(call: &Call<'_>) -> bool {
    let at_once = match call.mpi.class {
        Class::Send { mode, completion: Completion::Blocking } => mode != SendMode::Buffered,
        Class::SendReceive { completion: Completion::Blocking, replace: false } => true,
        _ => false,
    };
    at_once && !call.mpi.name.ends_with("_c")
}

/// Whether a call and the loops that pack for it can be edited, and the call does not write what it sends.
fn can_be_edited<'t>(scope: &Scope<'t>, call: &Call<'t>, copies: &[Copy<'t>]) -> Result<(), String> {
    if !call.stands_alone() {
        return Err(format!("something is done with what `{}` returns", call.mpi.name));
    }
    if !copies.iter().all(|copy| stands_free(copy.region)) || !stands_free(call.statement) {
        return Err("the loop does not stand in a block".to_owned());
    }
    let Some(received) = call.argument(Role::RecvBuffer) else { return Ok(()) };
    let received = array_of(scope, received);
    let is_apart = |copy: &Copy<'t>| {
        received.as_ref().is_some_and(|variable| {
            variable.name != copy.place.variable.name && is_apart_from(scope, variable, copy)
        })
    };
    let apart = copies.iter().all(is_apart);
    if apart { Ok(()) } else { Err("what is sent and what is received may overlap".to_owned()) }
}

/// Whether a variable is other memory than what a copy takes its elements from, or gives them to.
fn is_apart_from<'t>(scope: &Scope<'t>, variable: &Variable<'t>, copy: &Copy<'t>) -> bool {
    let place = &copy.place.variable;
    // Addresses of members are not followed.
    let is_known = !copy.place.is_member() || is_object(variable) && is_object(place);
    is_known && are_apart(scope, variable, place).is_ok()
}

/// Whether both arrays of a copy hold elements of a predefined datatype.
fn are_elements<'t>(scope: &Scope<'t>, copy: &Copy<'t>, datatype: &str) -> bool {
    scope.has_elements(&copy.list, datatype) && copy.place.has_elements(scope, datatype)
}

/// What else a function does with a list: memory is taken for it and given back, and other loops fill it for other calls.
struct Rest<'t> {
    /// Statements that are needed only for what the list is used for here.
    memory: Vec<Node<'t>>,
    is_shared: bool,
}

impl<'t> Rest<'t> {
    /// `packs`: whether loops that fill the list anew for another send may be there.
    fn of(scope: &Scope<'t>, list: &Variable<'t>, own: &[Node<'t>], packs: bool) -> Result<Self, String> {
        let name = scope.text(list.name);
        let other_use = || format!("`{name}` is used for something else, too");
        let is_local = match &list.shape {
            Shape::Array(lengths) => lengths.len() == 1,
            Shape::Pointer => true,
            Shape::Plain | Shape::Other => false,
        };
        let is_volatile = scope.text(list.declaration).contains("volatile");
        if !is_local || is_volatile || list.declaration.kind() == "parameter_declaration" {
            return Err(other_use());
        }
        let uses = scope.uses(list).filter(|_| !scope.is_in_macro(name)).ok_or_else(other_use)?;
        let mut rest = Self { memory: Vec::new(), is_shared: false };
        let value = list.declarator.child_by_field_name("value");
        let mut has_memory = list.shape != Shape::Pointer;
        if list.shape == Shape::Pointer && value.is_some_and(|value| scope.is_new_memory(value)) {
            has_memory = true;
        }
        let is_own = |node: &Node<'t>| {
            own.iter().any(|region| contains(*region, *node)) || contains(list.declarator, *node)
        };
        for statement in uses.iter().filter(|node| !is_own(node)).filter_map(|node| memory_of(scope, *node)) {
            has_memory |= scope.text(statement).contains('=');
            rest.memory.push(statement);
        }
        for node in uses {
            if is_own(&node) || rest.memory.iter().any(|statement| contains(*statement, node)) {
                continue;
            }
            if packs && is_packed_anew(scope, node) {
                rest.is_shared = true;
            } else {
                return Err(other_use());
            }
        }
        if !has_memory {
            return Err(format!("nothing is known about what `{name}` points to"));
        }
        Ok(rest)
    }

    /// What is gone with the list.
    fn regions(&self, copy: &Copy<'t>, call: &Call<'t>) -> Vec<Node<'t>> {
        let mut regions = vec![copy.region, call.statement];
        regions.extend(copy.reset.filter(|reset| reset.kind() != "declaration"));
        regions.extend(self.of_list(&copy.list));
        regions
    }

    /// What is gone with the list but for what fills and sends it.
    fn of_list(&self, list: &Variable<'t>) -> Vec<Node<'t>> {
        if self.is_shared {
            return Vec::new();
        }
        // `sizeof *list`.
        self.memory.iter().copied().chain(list.declarator.child_by_field_name("value")).collect()
    }

    fn removed(&self, scope: &Scope<'t>) -> Vec<Edit> {
        if self.is_shared {
            return Vec::new();
        }
        self.memory.iter().map(|statement| scope.file.remove(*statement)).collect()
    }
}

/// Whether a statement stands in a block without directives of the preprocessor, such as `#pragma` before a loop.
fn stands_free(statement: Node<'_>) -> bool {
    is_plain(statement) && statement.parent().and_then(statements).is_some()
}

/// The statement `free(list);` or `list = malloc(...);` around a name, in a block.
fn memory_of<'t>(scope: &Scope<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let parent = name.parent()?;
    let (statement, fits) = match parent.kind() {
        "argument_list" => {
            let call = parent.parent()?;
            let function = call.child_by_field_name("function")?;
            (call.parent()?, scope.text(function) == "free" && !scope.is_macro("free"))
        }
        "assignment_expression" => {
            let value = parent.child_by_field_name("right")?;
            let is_target = parent.child_by_field_name("left") == Some(name);
            (parent.parent()?, is_target && scope.is_new_memory(value))
        }
        _ => return None,
    };
    (fits && statement.kind() == "expression_statement" && is_plain(statement)).then_some(statement)
}

/// Whether a use of a list is in a loop that fills it for a send, or is that send.
fn is_packed_anew<'t>(scope: &Scope<'t>, name: Node<'t>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        node = parent;
        if matches!(node.kind(), "for_statement" | "expression_statement")
            && Part::of(scope, node, Way::Pack)
                .is_some_and(|part| scope.text(part.copy.list.name) == scope.text(name))
        {
            return true;
        }
        if node.kind() == "expression_statement"
            && let Some(call) = Call::in_statement(scope.file, node)
            && call.argument(Role::SendBuffer).is_some_and(|buffer| contains(buffer, name))
            && (Packed::before(scope, &call).is_some() || Joined::before(scope, &call).is_some())
        {
            return true;
        }
    }
    false
}
