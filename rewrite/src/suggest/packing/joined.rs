//! Statements that pack several things into one list, one after the other, before a call that sends it.
//!
//! A datatype says where they are by their addresses, and the call begins at `MPI_BOTTOM`.

use analyzer::results::{Edit, Fix, SourceRange, Suggestion};
use frontend::mpi::Role;
use tree_sitter::Node;

use super::super::in_words;
use super::super::scope::Scope;
use super::super::sum::Sum;
use super::super::unused::leftovers;
use super::copy::{Copy, Part, Start, Way, array_of, counts_from_zero, previous};
use super::datatype::{Described, commit};
use super::{MISSING, Rest, are_elements, can_be_edited, needless, new_texts, sends_at_once, told};
use crate::text::Call;

/// More parts would be better off in a struct of their own.
const MOST_PARTS: usize = 16;

/// Copies into one list, and the call that sends it.
pub(super) struct Joined<'t> {
    copies: Vec<Copy<'t>>,
    /// The statement that sets the counter of the list to 0, if there is one.
    reset: Option<Node<'t>>,
    call: Call<'t>,
    datatype: &'t str,
}

impl<'t> Joined<'t> {
    /// What is packed for a call right before it.
    pub(super) fn before(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        if !sends_at_once(call) || scope.is_macro(call.mpi.name) {
            return None;
        }
        let list = array_of(scope, call.argument(Role::SendBuffer)?)?;
        let (mut copies, mut starts) = (Vec::new(), Vec::new());
        let mut before = previous(call.statement);
        while let Some(statement) = before
            && let Some(Part { copy, start }) = Part::of(scope, statement, Way::Pack)
            && copy.list.name == list.name
        {
            before = previous(statement);
            copies.insert(0, copy);
            starts.insert(0, start);
        }
        let datatype = scope.text(call.argument(Role::Datatype)?);
        let reset = in_turn(scope, &copies, &starts, call.argument(Role::Count)?)
            .filter(|_| are_worth_it(scope, &copies, datatype))?;
        Some(Self { copies, reset, call: *call, datatype })
    }

    pub(super) fn suggestion(&self, scope: &Scope<'t>) -> Option<Suggestion> {
        let described = described(scope, &self.copies, self.datatype)?;
        let from = places(scope, &self.copies);
        let list = scope.text(self.copies.first()?.list.name);
        let how = match described.constructor {
            Some(name) => format!("a datatype (`{name}`) sends them from where they are"),
            None => "they can be sent from where they are".to_owned(),
        };
        let range = range(scope, &self.copies)?;
        let message = format!("packs elements of {from} into `{list}` for a send: {how}");
        Some(told(scope, message, range, &self.call, self.edit(scope, &described)))
    }

    fn edit(&self, scope: &Scope<'t>, described: &Described) -> Result<Fix, String> {
        let [first, others @ ..] = self.copies.as_slice() else { return Err(MISSING.to_owned()) };
        let call = &self.call;
        let reset = self.reset.filter(|reset| reset.kind() != "declaration");
        let mut regions: Vec<Node<'t>> = self.copies.iter().map(|copy| copy.region).collect();
        regions.push(call.statement);
        regions.extend(reset);
        let rest = Rest::of(scope, &first.list, &regions, true)?;
        can_be_edited(scope, call, &self.copies)?;
        // With a counter, a loop of fewer than no rounds adds nothing to the message.
        let is_short = |copy: &Copy<'t>| copy.total.value(scope).is_none_or(|total| total < 0);
        if let Some(copy) = self.copies.iter().find(|copy| self.reset.is_some() && is_short(copy)) {
            return Err(format!("`{}` may be negative", copy.total));
        }
        let mut edits: Vec<Edit> = vec![match described.built.as_slice() {
            [] => scope.file.remove(first.region),
            built => scope.file.replace(first.region.byte_range(), scope.file.joined(first.region, built)),
        }];
        edits.extend(others.iter().map(|copy| scope.file.remove(copy.region)));
        edits.extend(reset.map(|reset| scope.file.remove(reset)));
        let buffer = call.argument(Role::SendBuffer).ok_or(MISSING)?;
        let datatype = call.argument(Role::Datatype).ok_or(MISSING)?;
        let address = if others.is_empty() { first.address(scope)? } else { "MPI_BOTTOM".to_owned() };
        edits.push(described.passed(scope, (buffer, datatype), &address));
        edits.extend(described.freed.iter().map(|freed| scope.file.below(call.statement, freed)));
        regions.extend(rest.of_list(&first.list));
        edits.extend(leftovers(scope, &regions, &new_texts(scope, &edits, call)).map_err(needless)?);
        edits.extend(rest.removed(scope));
        Ok(Fix { description: "send the elements from where they are".to_owned(), edits })
    }
}

/// Whether a datatype may be made of some copies: a few variables are copied sooner than it is built.
pub(super) fn are_worth_it<'t>(scope: &Scope<'t>, copies: &[Copy<'t>], datatype: &str) -> bool {
    (1..=MOST_PARTS).contains(&copies.len())
        && copies.iter().any(|copy| copy.region.kind() != "expression_statement")
        && copies.iter().all(|copy| are_elements(scope, copy, datatype))
}

/// What is copied from or to besides the list, in words.
pub(super) fn places<'t>(scope: &Scope<'t>, copies: &[Copy<'t>]) -> String {
    let mut names: Vec<String> =
        copies.iter().map(|copy| format!("`{}`", scope.text(copy.place.variable.name))).collect();
    names.dedup();
    in_words(&names)
}

/// From the first copy to the last one.
pub(super) fn range<'t>(scope: &Scope<'t>, copies: &[Copy<'t>]) -> Option<SourceRange> {
    let mut range = scope.file.range(copies.first()?.region);
    let end = scope.file.range(copies.last()?.region);
    (range.end_line, range.end_column) = (end.end_line, end.end_column);
    Some(range)
}

/// The datatype of all parts, by their addresses; that of the part itself where there is one only.
pub(super) fn described<'t>(scope: &Scope<'t>, copies: &[Copy<'t>], datatype: &str) -> Option<Described> {
    let basic = datatype;
    let list = scope.text(copies.first()?.list.name);
    if let [only] = copies {
        return only.described(scope, basic, list);
    }
    let part = |(at, copy): (usize, &Copy<'t>)| copy.described(scope, basic, &format!("{list}_{}", at + 1));
    let mut parts: Vec<Described> = copies.iter().enumerate().map(part).collect::<Option<_>>()?;
    let number = parts.len();
    let are_same = parts.iter().all(|part| part.is_alike(&parts[0]));
    if are_same {
        parts.truncate(1);
    }
    let [datatype, lengths, places, types] =
        ["type", "lengths", "places", "types"].map(|word| scope.fresh(&format!("{list}_{word}")));
    let all = |of: fn(&Described) -> &str| parts.iter().map(of).collect::<Vec<_>>().join(", ");
    let (counts, children) = (all(|part| &part.count), all(|part| &part.datatype));
    let mut built: Vec<String> = parts.iter().flat_map(Described::uncommitted).collect();
    let (constructor, arguments) = if are_same {
        ("MPI_Type_create_hindexed_block", format!("{number}, {counts}, {places}, {children}"))
    } else {
        built.push(format!("int {lengths}[{number}] = {{{counts}}};"));
        if parts.iter().all(|part| part.constructor.is_none()) {
            let of = basic;
            ("MPI_Type_create_hindexed", format!("{number}, {lengths}, {places}, {of}"))
        } else {
            built.push(format!("MPI_Datatype {types}[{number}] = {{{children}}};"));
            ("MPI_Type_create_struct", format!("{number}, {lengths}, {places}, {types}"))
        }
    };
    built.push(format!("MPI_Aint {places}[{number}];"));
    built.push(format!("MPI_Datatype {datatype};"));
    for (at, copy) in copies.iter().enumerate() {
        built.push(format!("MPI_Get_address({}, &{places}[{at}]);", copy.address(scope).ok()?));
    }
    built.push(format!("{constructor}({arguments}, &{datatype});"));
    built.push(commit(&datatype));
    built.extend(parts.into_iter().filter_map(|part| part.freed));
    Some(Described {
        built,
        freed: Some(format!("MPI_Type_free(&{datatype});")),
        count: "1".to_owned(),
        datatype,
        constructor: Some(constructor),
    })
}

/// Whether copies go through a list from its beginning, one after the other, and it has as many elements as a count says. The answer has the
/// statement that sets their counter to 0, if they have one.
pub(super) fn in_turn<'t>(
    scope: &Scope<'t>,
    copies: &[Copy<'t>],
    starts: &[Start<'t>],
    count: Node<'t>,
) -> Option<Option<Node<'t>>> {
    let total = copies.iter().try_fold(Sum::default(), |sum, copy| sum.plus(&copy.total))?;
    let is_total = || Sum::of(scope, count).is_some_and(|count| count.equals(scope, &total));
    if let Start::Counter(name) = starts.first()? {
        let text = scope.text(*name);
        let by_counter =
            |start: &Start<'t>| matches!(start, Start::Counter(name) if scope.text(*name) == text);
        let is_counter = count.kind() == "identifier" && scope.text(count) == text;
        let fits = starts.iter().all(by_counter) && (is_counter || is_total());
        return fits.then(|| counts_from_zero(scope, *name, copies, Some(count)))?.map(Some);
    }
    let mut so_far = Sum::default();
    for (copy, start) in copies.iter().zip(starts) {
        let Start::At(start) = start else { return None };
        if !start.equals(scope, &so_far) {
            return None;
        }
        so_far = so_far.plus(&copy.total)?;
    }
    // One loop that begins at 0 and has no counter is looked at by itself.
    (1 < copies.len() && is_total()).then_some(None)
}
