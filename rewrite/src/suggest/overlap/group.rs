//! Blocking calls that stand together, and the same calls without waiting.

use analyzer::results::{Edit, Fix};
use frontend::mpi::{Class, Completion, Role, SendMode};
use tree_sitter::Node;

use super::super::scope::Scope;
use super::super::unused::{Needless, leftovers};
use super::call_of;
use super::memory::{Conflict, Part, is_fixed};
use crate::text::{Call, is_plain, statements};

/// Sends and receives of one exchange: statements that follow one another in a block, each a call or a branch around some.
pub(super) struct Group<'t> {
    members: Vec<Node<'t>>,
    pub(super) calls: Vec<Call<'t>>,
    /// Conditions of the branches.
    conditions: Vec<Node<'t>>,
    pub(super) sent: Vec<Part<'t>>,
    pub(super) received: Vec<Part<'t>>,
    /// Why buffers may overlap, where only pointers are in the way.
    pub(super) aliased: Option<String>,
}

/// What one statement of an exchange has.
struct Member<'t> {
    calls: Vec<Call<'t>>,
    condition: Option<Node<'t>>,
}

impl<'t> Group<'t> {
    /// The whole exchange that a call is part of; `None` where an order between its messages may matter.
    pub(super) fn around(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        let mut at = call.statement;
        let parent = at.parent()?;
        let branch = if parent.kind() == "compound_statement" { parent.parent()? } else { parent };
        if branch.kind() == "if_statement" && member(scope, branch).is_some() {
            at = branch;
        }
        let all = statements(at.parent()?)?;
        let here = all.iter().position(|node| *node == at)?;
        let is_member = |node: &&Node<'t>| member(scope, **node).is_some();
        let first = here - all[..here].iter().rev().take_while(is_member).count();
        let count = all[first..].iter().take_while(is_member).count();
        let members = all[first..first + count].to_vec();
        if !members.contains(&at) || !is_plain(*members.first()?) {
            return None;
        }
        let found: Vec<Member<'t>> = members.iter().filter_map(|node| member(scope, *node)).collect();
        let calls: Vec<Call<'t>> = found.iter().flat_map(|member| member.calls.clone()).collect();
        let conditions = found.iter().filter_map(|member| member.condition).collect();
        let mut group =
            Self { members, calls, conditions, sent: Vec::new(), received: Vec::new(), aliased: None };
        group.find_buffers(scope)?;
        group.is_unordered(scope)?;
        Some(group)
    }

    pub(super) fn last(&self) -> Node<'t> {
        *self.members.last().expect("a group has a call")
    }

    /// How many messages are received one after the other.
    pub(super) fn receives(&self) -> usize {
        self.received.len()
    }

    fn find_buffers(&mut self, scope: &Scope<'t>) -> Option<()> {
        for call in &self.calls {
            if let Some(buffer) = call.argument(Role::SendBuffer) {
                let (count, datatype) = (call.argument(Role::Count)?, call.argument(Role::Datatype)?);
                self.sent.push(Part::of_buffer(scope, buffer, count, datatype)?);
            }
            if let Some(buffer) = call.argument(Role::RecvBuffer) {
                let (count, datatype) =
                    (call.last_argument(Role::Count)?, call.last_argument(Role::Datatype)?);
                self.received.push(Part::of_buffer(scope, buffer, count, datatype)?);
            }
        }
        (!self.sent.is_empty() && !self.received.is_empty()).then_some(())
    }

    /// Whether no buffer is received into that another call of the exchange uses, and nothing that is received says what to do next.
    fn is_unordered(&mut self, scope: &Scope<'t>) -> Option<()> {
        for (number, part) in self.received.iter().enumerate() {
            for other in self.sent.iter().chain(&self.received[number + 1..]) {
                match part.meets(scope, other) {
                    Ok(()) => {}
                    Err(Conflict::Touched) => return None,
                    Err(Conflict::Alias(why)) => self.aliased = self.aliased.take().or(Some(why)),
                }
            }
        }
        let fixed = |node: &Node<'t>| is_fixed(scope, *node, &self.received);
        for call in &self.calls {
            let buffers = [Role::SendBuffer, Role::RecvBuffer, Role::Status];
            let kept: Vec<_> = buffers.iter().filter_map(|role| call.argument(*role)).collect();
            let wild = ["MPI_ANY_SOURCE", "MPI_ANY_TAG"];
            let arguments = call.arguments()?;
            let mut others = arguments.iter().filter(|node| !kept.contains(node));
            if !others.all(|node| fixed(node) && !wild.contains(&scope.text(*node))) {
                return None;
            }
        }
        self.conditions.iter().all(fixed).then_some(())
    }

    /// Nonblocking calls, and a wait for all of them behind a statement.
    pub(super) fn edit(&self, scope: &Scope<'t>, behind: Node<'t>) -> Result<Fix, String> {
        for call in &self.calls {
            if !scope.ignores_status(call) {
                return Err("the program looks at the status of a receive".to_owned());
            }
        }
        let first_receive =
            self.calls.iter().position(|call| matches!(call.mpi.class, Class::Receive { .. }));
        let last_send = self.calls.iter().rposition(|call| matches!(call.mpi.class, Class::Send { .. }));
        if first_receive.zip(last_send).is_some_and(|(receive, send)| receive < send) {
            return Err("a process sends after it has received: the order may say something that is not in the messages".to_owned());
        }
        let requests = scope.fresh("requests");
        let pending = (!self.conditions.is_empty()).then(|| scope.fresh("pending"));
        let mut number = 0;
        let mut request = || {
            let index = pending.as_ref().map_or_else(|| number.to_string(), |name| format!("{name}++"));
            number += 1;
            format!("&{requests}[{index}]")
        };
        let mut edits: Vec<Edit> = Vec::new();
        let mut new = Vec::new();
        for call in &self.calls {
            let texts = started(scope, call, &mut request)
                .ok_or("a call has another number of arguments than MPI's")?;
            let in_block =
                call.statement.parent().is_some_and(|parent| parent.kind() == "compound_statement");
            let text = match texts.as_slice() {
                [only] => only.clone(),
                _ if in_block => scope.file.joined(call.statement, &texts),
                _ => format!("{{ {} }}", texts.join(" ")),
            };
            new.push(text.clone());
            edits.push(scope.file.replace(call.statement.byte_range(), text));
        }
        let mut declared = vec![format!("MPI_Request {requests}[{number}];")];
        declared.extend(pending.iter().map(|pending| format!("int {pending} = 0;")));
        let first = *self.members.first().ok_or("there is no call")?;
        edits.push(scope.file.before(first, &scope.file.joined(first, &declared)));
        let count = pending.clone().unwrap_or_else(|| number.to_string());
        let wait = format!("MPI_Waitall({count}, {requests}, MPI_STATUSES_IGNORE);");
        edits.push(scope.file.below(behind, &wait));
        let regions: Vec<_> = self.calls.iter().map(|call| call.statement).collect();
        edits.extend(leftovers(scope, &regions, &new).map_err(|Needless(what)| what)?);
        Ok(Fix { description: "wait for the exchange after the computation".to_owned(), edits })
    }
}

/// What a statement of an exchange consists of.
fn member<'t>(scope: &Scope<'t>, statement: Node<'t>) -> Option<Member<'t>> {
    if statement.kind() == "expression_statement" {
        let call = call_of(scope, statement).filter(is_exchange)?;
        return Some(Member { calls: vec![call], condition: None });
    }
    if statement.kind() != "if_statement" || statement.child_by_field_name("alternative").is_some() {
        return None;
    }
    let condition = statement.child_by_field_name("condition")?;
    let then = statement.child_by_field_name("consequence")?;
    let inner = if then.kind() == "compound_statement" { statements(then)? } else { vec![then] };
    let calls: Vec<Call<'t>> =
        inner.into_iter().map(|node| call_of(scope, node).filter(is_exchange)).collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(Member { calls, condition: Some(condition) })
}

fn is_exchange(call: &Call<'_>) -> bool {
    let blocking = match call.mpi.class {
        Class::Send { mode, completion: Completion::Blocking } => {
            matches!(mode, SendMode::Standard | SendMode::Synchronous)
        }
        Class::Receive { completion: Completion::Blocking, matched: false }
        | Class::SendReceive { completion: Completion::Blocking, replace: false } => true,
        _ => false,
    };
    blocking && !call.mpi.name.ends_with("_c")
}

/// The nonblocking calls in place of one.
fn started(scope: &Scope<'_>, call: &Call<'_>, request: &mut impl FnMut() -> String) -> Option<Vec<String>> {
    let arguments: Vec<&str> = call.arguments()?.into_iter().map(|node| scope.text(node)).collect();
    let text = |name: &str, arguments: &[&str], request: String| {
        format!("{name}({}, {request});", arguments.join(", "))
    };
    Some(match call.mpi.class {
        Class::SendReceive { .. } => {
            let communicator = *arguments.get(10)?;
            let [sent, received] = [arguments.get(..5)?, arguments.get(5..10)?];
            let receive = text("MPI_Irecv", &[received, &[communicator]].concat(), request());
            vec![receive, text("MPI_Isend", &[sent, &[communicator]].concat(), request())]
        }
        Class::Receive { .. } => vec![text("MPI_Irecv", arguments.get(..6)?, request())],
        Class::Send { mode: SendMode::Synchronous, .. } => {
            vec![text("MPI_Issend", arguments.get(..6)?, request())]
        }
        _ => vec![text("MPI_Isend", arguments.get(..6)?, request())],
    })
}
