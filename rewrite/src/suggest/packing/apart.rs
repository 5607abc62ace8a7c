//! Statements that unpack one list into several things, one after the other, after the call that receives it.
//!
//! A datatype says where they belong by their addresses, as it does for what is sent from several places (`joined.rs`).

use std::collections::BTreeMap;

use analyzer::results::{Edit, Fix, ProgramReport, Related, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Completion, Role};
use tree_sitter::Node;

use super::super::aliases::are_apart;
use super::super::scope::Scope;
use super::super::sum::Sum;
use super::super::unused::leftovers;
use super::super::{call_at, has_finding};
use super::copy::{Copy, Part, Way, array_of, next};
use super::datatype::Described;
use super::joined::{are_worth_it, described, in_turn, places, range};
use super::receive::{Received, are_disjoint};
use super::{MISSING, Rest, gain, needless, new_texts, stands_free};
use crate::text::{Call, descendants};

/// Copies out of one list, and the call that receives it.
struct Apart<'t> {
    copies: Vec<Copy<'t>>,
    call: Call<'t>,
    received: Received<'t>,
}

/// What is unpacked into several places after the receive of a channel.
pub(super) fn received(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let site = &report.topology.channels[index].recv;
    let (scope, call) = call_at(scopes, site)?;
    let apart = Apart::after(scope, &call)?;
    if has_finding(report, &[&site.range]) {
        return None;
    }
    let described = described(scope, &apart.copies, apart.received.datatype)?;
    let message = format!(
        "unpacks what is received from `{}` into {}: a datatype (`{}`) receives the elements where they belong",
        scope.text(apart.copies.first()?.list.name),
        places(scope, &apart.copies),
        described.constructor?
    );
    let edit = apart
        .received
        .comes_whole(report, index, scopes, false)
        .and_then(|()| apart.is_free(scope))
        .and_then(|()| apart.edit(scope, &described));
    Some(Suggestion {
        rule: Rule::UseDatatype,
        message,
        range: range(scope, &apart.copies)?,
        related: vec![Related { range: site.range.clone(), message: "received here".to_owned() }],
        np: report.verdict.np.clone(),
        gain: gain(),
        edit,
    })
}

impl<'t> Apart<'t> {
    fn after(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        let at_once =
            matches!(call.mpi.class, Class::Receive { completion: Completion::Blocking, matched: false });
        if !at_once || call.mpi.name.ends_with("_c") || scope.is_macro(call.mpi.name) {
            return None;
        }
        let list = array_of(scope, call.argument(Role::RecvBuffer)?)?;
        let datatype = scope.text(call.argument(Role::Datatype)?);
        let (mut copies, mut starts) = (Vec::new(), Vec::new());
        let mut after = next(call.statement);
        while let Some(statement) = after
            && let Some(Part { copy, start }) = Part::of(scope, statement, Way::Unpack)
            && copy.list.name == list.name
        {
            after = next(statement);
            copies.push(copy);
            starts.push(start);
        }
        let count = call.argument(Role::Count)?;
        // With a counter it would have to be set to 0 between the call and the first of them.
        let fits = 1 < copies.len()
            && are_worth_it(scope, &copies, datatype)
            && in_turn(scope, &copies, &starts, count)?.is_none();
        let received =
            Received { count: Sum::of(scope, count)?, datatype, source: call.argument(Role::Source)? };
        let apart = Self { copies, call: *call, received };
        (fits && apart.says_nothing_of_itself(scope)).then_some(apart)
    }

    /// Whether nothing that is unpacked says where something else belongs, or how much there is of it.
    fn says_nothing_of_itself(&self, scope: &Scope<'t>) -> bool {
        let target = |copy: &Copy<'t>| scope.text(copy.place.variable.name);
        self.copies.iter().all(|copy| {
            let names: Vec<&str> = descendants(copy.region)
                .into_iter()
                .filter(|node| node.kind() == "identifier")
                .map(|node| scope.text(node))
                .collect();
            self.copies.iter().all(|other| {
                let own = usize::from(target(other) == target(copy));
                names.iter().filter(|name| **name == target(other)).count() == own
            })
        })
    }

    fn is_free(&self, scope: &Scope<'t>) -> Result<(), String> {
        let call = &self.call;
        if !call.stands_alone() {
            return Err(format!("something is done with what `{}` returns", call.mpi.name));
        }
        if !stands_free(call.statement) || !self.copies.iter().all(|copy| stands_free(copy.region)) {
            return Err("the loop does not stand in a block".to_owned());
        }
        if !scope.ignores_status(call) {
            return Err("the program looks at the status of the receive".to_owned());
        }
        for (at, copy) in self.copies.iter().enumerate() {
            if !copy.place.is_injective(scope, &copy.loops) {
                return Err("the loop may write an element twice".to_owned());
            }
            if !self.copies[..at].iter().all(|other| are_disjoint(scope, copy, other)) {
                return Err("the loops may write the same element".to_owned());
            }
            for other in &self.copies {
                if let Some(list) = copy.place.list() {
                    are_apart(scope, list, &other.place.variable)?;
                }
            }
        }
        Ok(())
    }

    fn edit(&self, scope: &Scope<'t>, described: &Described) -> Result<Fix, String> {
        let [first, ..] = self.copies.as_slice() else { return Err(MISSING.to_owned()) };
        let call = &self.call;
        let mut regions: Vec<Node<'t>> = self.copies.iter().map(|copy| copy.region).collect();
        regions.push(call.statement);
        let rest = Rest::of(scope, &first.list, &regions, false)?;
        let mut edits: Vec<Edit> = self.copies.iter().map(|copy| scope.file.remove(copy.region)).collect();
        edits.push(scope.file.before(call.statement, &scope.file.joined(call.statement, &described.built)));
        let buffer = call.argument(Role::RecvBuffer).ok_or(MISSING)?;
        let datatype = call.argument(Role::Datatype).ok_or(MISSING)?;
        edits.push(described.passed(scope, (buffer, datatype), "MPI_BOTTOM"));
        edits.extend(described.freed.iter().map(|freed| scope.file.below(call.statement, freed)));
        regions.extend(rest.of_list(&first.list));
        edits.extend(leftovers(scope, &regions, &new_texts(scope, &edits, call)).map_err(needless)?);
        edits.extend(rest.removed(scope));
        Ok(Fix { description: "receive the elements where they belong".to_owned(), edits })
    }
}
