//! Loops that unpack what a call has received.

use std::collections::BTreeMap;

use analyzer::results::{Edit, Fix, ProgramReport, Related, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Completion, Role, TypeConstructor};
use tree_sitter::Node;

use super::super::aliases::{are_apart, is_object};
use super::super::places::Place;
use super::super::scope::{Scope, names};
use super::super::sum::Sum;
use super::super::unused::leftovers;
use super::super::{call_at, has_finding};
use super::copy::{Copy, Way, array_of, next};
use super::datatype::Described;
use super::{
    MISSING, Packed, Rest, apart, are_elements, gain, is_apart_from, needless, new_texts, stands_free,
};
use crate::text::{Call, statements};

/// A loop that unpacks, and the call that receives.
struct Unpacked<'t> {
    copy: Copy<'t>,
    call: Call<'t>,
    /// The loop, or the branch that consists of it.
    region: Node<'t>,
    count: Sum,
    datatype: &'t str,
    source: Node<'t>,
}

/// What a call has room for, and from whom.
pub(super) struct Received<'t> {
    pub(super) count: Sum,
    pub(super) datatype: &'t str,
    pub(super) source: Node<'t>,
}

/// Whether what a call sends and receives is unpacked after it.
pub(super) fn is_unpacked<'t>(scope: &Scope<'t>, call: &Call<'t>) -> bool {
    Unpacked::after(scope, call).is_some()
}

/// What is unpacked after the receive of a channel.
pub(in super::super) fn receives(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let site = &report.topology.channels[index].recv;
    let (scope, call) = call_at(scopes, site)?;
    let Some(unpacked) = Unpacked::after(scope, &call) else {
        return apart::received(report, index, scopes);
    };
    if has_finding(report, &[&site.range]) {
        return None;
    }
    let packed = Packed::before(scope, &call);
    let described = unpacked.described(scope)?;
    let (list, target) = (scope.text(unpacked.copy.list.name), scope.text(unpacked.copy.place.variable.name));
    let message = match described.constructor {
        Some(name) => format!(
            "unpacks what is received from `{list}` into `{target}`: a datatype (`{name}`) receives the elements where they belong"
        ),
        None => format!(
            "copies what is received from `{list}` to elements of `{target}` that lie side by side: they can be received where they belong"
        ),
    };
    let is_guarded = unpacked.region.kind() == "if_statement";
    let edit = unpacked
        .received()
        .comes_whole(report, index, scopes, is_guarded)
        .and_then(|()| unpacked.edit(scope, &described, packed.as_ref()));
    Some(Suggestion {
        rule: Rule::UseDatatype,
        message,
        range: scope.file.range(unpacked.copy.region),
        related: vec![Related { range: site.range.clone(), message: "received here".to_owned() }],
        np: report.verdict.np.clone(),
        gain: gain(),
        edit,
    })
}

impl<'t> Unpacked<'t> {
    fn after(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        let at_once = matches!(
            call.mpi.class,
            Class::Receive { completion: Completion::Blocking, matched: false }
                | Class::SendReceive { completion: Completion::Blocking, replace: false }
        );
        if !at_once || call.mpi.name.ends_with("_c") || scope.is_macro(call.mpi.name) {
            return None;
        }
        let region = next(call.statement)?;
        let (source, datatype) = (call.last_argument(Role::Source)?, call.last_argument(Role::Datatype)?);
        let copy = match region.kind() {
            "if_statement" => Copy::of(scope, guarded(scope, region, source)?, Way::Unpack)?,
            _ => Copy::of(scope, region, Way::Unpack)?,
        };
        let count = Sum::of(scope, call.last_argument(Role::Count)?)?;
        let list = array_of(scope, call.argument(Role::RecvBuffer)?)?;
        let datatype = scope.text(datatype);
        let fits = list.name == copy.list.name
            && count.equals(scope, &copy.total)
            && are_elements(scope, &copy, datatype);
        fits.then_some(Self { copy, call: *call, region, count, datatype, source })
    }

    fn described(&self, scope: &Scope<'t>) -> Option<Described> {
        self.copy.described(scope, self.datatype, scope.text(self.copy.list.name))
    }

    fn received(&self) -> Received<'t> {
        Received { count: self.count.clone(), datatype: self.datatype, source: self.source }
    }

    fn edit(
        &self,
        scope: &Scope<'t>,
        described: &Described,
        packed: Option<&Packed<'t>>,
    ) -> Result<Fix, String> {
        let (copy, call) = (&self.copy, &self.call);
        let rest = Rest::of(scope, &copy.list, &[self.region, call.statement], false)?;
        self.is_free(scope, packed)?;
        let mut edits = Vec::new();
        let mut regions = rest.regions(copy, call);
        regions.push(self.region);
        let mut sent = None;
        if let Some(packed) = packed {
            let rest = Rest::of(scope, &packed.copy.list, &[packed.copy.region, call.statement], true)?;
            let described = packed.described(scope).ok_or("what is packed has no simple datatype")?;
            edits.extend(packed.packed_edits(scope, &described)?);
            regions.extend(rest.regions(&packed.copy, call));
            edits.extend(rest.removed(scope));
            sent = Some(described);
        }
        edits.extend(self.unpacked_edits(scope, described, sent.as_ref())?);
        edits.extend(rest.removed(scope));
        edits.extend(leftovers(scope, &regions, &new_texts(scope, &edits, call)).map_err(needless)?);
        Ok(Fix { description: "receive the elements where they belong".to_owned(), edits })
    }

    fn is_free(&self, scope: &Scope<'t>, packed: Option<&Packed<'t>>) -> Result<(), String> {
        let (copy, call) = (&self.copy, &self.call);
        if !call.stands_alone() {
            return Err(format!("something is done with what `{}` returns", call.mpi.name));
        }
        if !stands_free(call.statement) || packed.is_some_and(|packed| !stands_free(packed.copy.region)) {
            return Err("the loop does not stand in a block".to_owned());
        }
        if !scope.ignores_status(call) {
            return Err("the program looks at the status of the receive".to_owned());
        }
        if !copy.place.is_injective(scope, &copy.loops) {
            return Err("the loop may write an element twice".to_owned());
        }
        if let Some(list) = copy.place.list() {
            are_apart(scope, list, &copy.place.variable)?;
        }
        let Some(sent) = call.argument(Role::SendBuffer) else { return Ok(()) };
        let apart = match packed {
            Some(packed) => are_disjoint(scope, copy, &packed.copy),
            None => array_of(scope, sent).is_some_and(|sent| {
                sent.name != copy.place.variable.name && is_apart_from(scope, &sent, copy)
            }),
        };
        if apart { Ok(()) } else { Err("what is sent and what is received may overlap".to_owned()) }
    }

    /// The call with a datatype, and no loop after it. `sent` is the datatype of what it sends, where that is a new one.
    fn unpacked_edits(
        &self,
        scope: &Scope<'t>,
        described: &Described,
        sent: Option<&Described>,
    ) -> Result<Vec<Edit>, String> {
        let (copy, call) = (&self.copy, &self.call);
        let first = copy.place.first(&copy.loops).ok_or("the first element has no short name")?;
        let shared = sent.filter(|sent| sent.is_same(described));
        let mut edits = vec![scope.file.remove(self.region)];
        if let (None, [_, ..]) = (shared, described.built.as_slice()) {
            edits.push(
                scope.file.before(call.statement, &scope.file.joined(call.statement, &described.built)),
            );
            edits.extend(described.freed.iter().map(|freed| scope.file.below(call.statement, freed)));
        }
        let buffer = call.argument(Role::RecvBuffer).ok_or(MISSING)?;
        let datatype = call.last_argument(Role::Datatype).ok_or(MISSING)?;
        let passed = shared.unwrap_or(described);
        edits.push(passed.passed(scope, (buffer, datatype), &first.address(scope)));
        Ok(edits)
    }
}

impl<'t> Received<'t> {
    /// Whether each time the elements are unpacked, a message with all of them has been received: by itself, or where they are only if
    /// there is somebody to receive from.
    pub(super) fn comes_whole(
        &self,
        report: &ProgramReport,
        index: usize,
        scopes: &BTreeMap<&str, Scope<'t>>,
        is_guarded: bool,
    ) -> Result<(), String> {
        let channels = &report.topology.channels;
        let site = &channels[index].recv;
        let scope = scopes.get(site.range.file.as_str()).ok_or("the file cannot be read")?;
        if !is_guarded && !is_rank(scope, self.source) {
            return Err(format!(
                "where `{}` is MPI_PROC_NULL, the loop unpacks what was in the list before",
                scope.text(self.source)
            ));
        }
        let whole = self.count.value(scope);
        let all = channels.iter().filter(|channel| channel.recv.range == site.range).all(|channel| {
            let sent = call_at(scopes, &channel.send).and_then(|(scope, send)| elements(scope, &send));
            whole.is_some()
                && sent.is_some_and(|(count, datatype)| Some(count) == whole && datatype == self.datatype)
        });
        if all { Ok(()) } else { Err("a message may have fewer elements than the loop unpacks".to_owned()) }
    }
}

/// The loop that is all that `if (source != MPI_PROC_NULL)` guards.
fn guarded<'t>(scope: &Scope<'t>, branch: Node<'t>, source: Node<'t>) -> Option<Node<'t>> {
    if branch.child_by_field_name("alternative").is_some() {
        return None;
    }
    let condition = branch.child_by_field_name("condition")?.named_child(0)?;
    let sides = ["left", "right"].map(|side| condition.child_by_field_name(side));
    let [Some(left), Some(right)] = sides else { return None };
    let asks = condition.child_by_field_name("operator")?.kind() == "!="
        && [left, right].iter().any(|side| scope.text(*side) == "MPI_PROC_NULL")
        && [left, right].iter().any(|side| scope.text(*side) == scope.text(source))
        && scope.is_pure(source);
    let then = branch.child_by_field_name("consequence")?;
    let inner = match then.kind() {
        "compound_statement" => statements(then)?,
        _ => vec![then],
    };
    inner.first().copied().filter(|_| asks && inner.len() == 1)
}

/// Whether an expression names a process, or the program is wrong: a rank that is computed, and not a choice.
fn is_rank<'t>(scope: &Scope<'t>, source: Node<'t>) -> bool {
    let is_settled = |name: &str| {
        if scope.number(name).is_some() {
            return true;
        }
        let Some(variable) = scope.variable(source, name) else { return false };
        let value = variable.declarator.child_by_field_name("value");
        // A parameter may be MPI_PROC_NULL.
        variable.declaration.kind() != "parameter_declaration"
            && scope.is_settled(&variable)
            && value.is_none_or(|value| value.kind() != "identifier" && is_rank(scope, value))
    };
    match source.kind() {
        // One that is negative may be MPI_PROC_NULL.
        "number_literal" => true,
        "identifier" => scope.number(scope.text(source)).is_none() && is_settled(scope.text(source)),
        "parenthesized_expression" => source.named_child(0).is_some_and(|inner| is_rank(scope, inner)),
        "binary_expression" => {
            scope.is_pure(source)
                && !scope.text(source).contains('?')
                && names(scope.file, source).into_iter().all(is_settled)
        }
        _ => false,
    }
}

/// How many elements of which predefined datatype a call sends.
fn elements<'t>(scope: &Scope<'t>, call: &Call<'t>) -> Option<(i64, &'t str)> {
    let count = Sum::of(scope, call.argument(Role::Count)?)?.value(scope)?;
    let datatype = call.argument(Role::Datatype)?;
    if frontend::mpi::constant(scope.text(datatype)).is_some() {
        return Some((count, scope.text(datatype)));
    }
    let variable =
        (datatype.kind() == "identifier").then(|| scope.variable(datatype, scope.text(datatype)))??;
    let built = |node: Node<'t>| {
        let call = Call::around_loosely(scope.file, node)?;
        matches!(call.mpi.class, Class::TypeConstructor(_)).then_some(call)
    };
    let calls: Vec<Call<'t>> = scope.uses(&variable)?.into_iter().filter_map(built).collect();
    let [only] = calls.as_slice() else { return None };
    // Each has a number of blocks and their length first, and what they consist of in the fourth place.
    let blocks = matches!(
        only.mpi.class,
        Class::TypeConstructor(
            TypeConstructor::Vector
                | TypeConstructor::Hvector
                | TypeConstructor::IndexedBlock
                | TypeConstructor::HindexedBlock
        )
    );
    let arguments = only.arguments().filter(|_| blocks && !only.mpi.name.ends_with("_c"))?;
    let number = |at: usize| Sum::of(scope, *arguments.get(at)?)?.value(scope);
    let basic = scope.text(*arguments.get(3)?);
    frontend::mpi::constant(basic)?.datatype()?;
    Some((count.checked_mul(number(0)?)?.checked_mul(number(1)?)?, basic))
}

/// Whether two loops have no element of other arrays than their lists in common.
pub(super) fn are_disjoint<'t>(scope: &Scope<'t>, a: &Copy<'t>, b: &Copy<'t>) -> bool {
    let [x, y] = [&a.place, &b.place].map(|place: &Place<'t>| &place.variable);
    if x.name != y.name {
        return is_object(x) && is_object(y);
    }
    Place::are_beside(scope, &a.place.ranges(&a.loops), &b.place.ranges(&b.loops))
}
