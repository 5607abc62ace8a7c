//! `struct-layout`: datatypes that a program builds by hand, against the C structs whose objects they are to describe.
//!
//! MPI-4.1 section 5.1. Each call that makes a datatype is read where all that it is given is known on every path: a
//! displacement may be an `offsetof`, a sum of sizes, a literal or a difference of addresses of members ([`recipe`]). What it
//! makes is a [`typemap`], which is compared ([`compare`]) with the struct ([`members`])
//! - of the buffers that are communicated with it, wherever in the unit that is ([`handles`]),
//! - that its own displacements name.
//!
//! Architecture invariant: what is not known is not compared; a type for a part of a struct is right.

mod compare;
mod describe;
mod fix;
mod handles;
mod members;
mod recipe;
mod typemap;

use frontend::ir::{
    Expr, ExprKind, FunctionId, Place, PlaceBase, Projection, RecordId, RecordKind, Span, Type, TypeId, Unit,
};
use frontend::mpi::{Class, Role, Scale, TypeConstructor};
use rustc_hash::FxHashMap;

use super::Rule;
use super::buffer_type::{at_offset, innermost_element};
use super::call::{BufferArgument, Call, finding, range};
use super::values::{Interval, Layout};
use crate::results::{Finding, Rebuild, Related, Severity, SourceRange};
use compare::{Amount, Fit, Share};
use fix::Written;
use handles::{Handle, Handles};
use members::Struct;
use recipe::Recipe;
use typemap::Typemap;

/// Datatypes nested deeper than this are not looked at.
const MAX_DEPTH: u32 = 32;

/// A call that makes a datatype.
struct Made {
    span: Span,
    /// Name of the function of MPI, and of the function of the program in which it is called.
    name: &'static str,
    function: String,
    how: TypeConstructor,
    recipe: Option<Recipe>,
    /// Where what it is given is written.
    written: Written,
    /// The struct that the displacements are said to be of, and whether by the very displacements.
    named: Option<(RecordId, bool)>,
}

/// A buffer of structs that is communicated with a datatype that is not predefined.
struct Use {
    handle: Handle,
    record: RecordId,
    /// Name of the function of MPI.
    name: &'static str,
    /// Where the datatype stands in the call.
    at: SourceRange,
    several: Several,
}

/// Whether more than one element is communicated, so that the extent counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Several {
    Yes,
    /// With more than one process.
    PerProcess,
    /// The number is not known, but there is one.
    Perhaps,
    No,
}

/// An expression that tells which struct displacements are of.
#[derive(Clone, Debug)]
struct Hint {
    span: Span,
    /// The struct itself, if it is the whole object whose address is taken or that `offsetof` names.
    whole: Option<RecordId>,
    /// All structs around the member.
    around: Vec<RecordId>,
}

/// What is found in the functions of a unit, one after the other.
pub(super) struct Collector<'a> {
    unit: &'a Unit,
    made: Vec<Made>,
    uses: Vec<Use>,
    hints: Vec<(FunctionId, Hint)>,
}

/// A datatype that a program builds by hand, with what it is compared to.
#[derive(Clone, Debug)]
pub struct StructType {
    /// The call that makes it.
    pub range: SourceRange,
    /// The function of the program in which it stands.
    pub function: String,
    /// The function of MPI.
    pub constructor: &'static str,
    /// Which basic types it has where, and its extent; `None` where something of it is not known.
    pub typemap: Option<String>,
    /// The structs that it is for, with their members: name and layout.
    pub structs: Vec<(String, String)>,
    /// What of it is wrong or left out, in words; empty where nothing is.
    pub problems: Vec<String>,
    /// Whether its displacements are addresses.
    pub is_absolute: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(unit: &'a Unit) -> Self {
        Self { unit, made: Vec::new(), uses: Vec::new(), hints: Vec::new() }
    }

    /// Takes in a call, which the instruction at `span` is.
    pub(super) fn call(&mut self, call: &Call<'_>, id: FunctionId, span: Span) {
        if let Some(location) =
            call.mpi.param_with_role(Role::Location).and_then(|index| call.argument(index))
        {
            self.hints.extend(hint(&call.eval.layout, location.expr, span).map(|hint| (id, hint)));
        }
        if let Class::TypeConstructor(how) = call.mpi.class {
            let named = self.named(call, id, span);
            let recipe = recipe::recipe(call, id);
            self.made.push(Made {
                span,
                name: call.mpi.name,
                function: call.function.name.to_string(),
                how,
                written: Written::new(call, how, recipe.as_ref()),
                recipe,
                named,
            });
        }
        for buffer in call.buffers() {
            let used = self.used(call, id, &buffer);
            self.uses.extend(used);
        }
    }

    fn used(&self, call: &Call<'_>, id: FunctionId, buffer: &BufferArgument<'_>) -> Option<Use> {
        let datatype =
            call.argument(buffer.buffer.datatype?).filter(|datatype| !datatype.param.is_array())?;
        let handle = recipe::handle(call, id, datatype.expr, datatype.value);
        if matches!(handle, Handle::Predefined(_) | Handle::Unknown) || buffer.count.single() == Some(0) {
            return None;
        }
        let several = match buffer.buffer.scale {
            _ if buffer.count.lo.is_some_and(|least| 1 < least) => Several::Yes,
            Scale::PerProcess => Several::PerProcess,
            Scale::Count if buffer.count == Interval::exactly(1) => Several::No,
            Scale::Count if buffer.count.hi.is_none_or(|most| 1 < most) => Several::Perhaps,
            _ => Several::No,
        };
        let record = record_of(call, buffer)?;
        let at = range(self.unit, datatype.expr.span);
        Some(Use { handle, record, name: call.mpi.name, at, several })
    }

    /// The struct that the displacements of a call name: those that are stored where `offsetof` stands, or else the only one
    /// whose members are named since the last struct was made.
    fn named(&self, call: &Call<'_>, id: FunctionId, span: Span) -> Option<(RecordId, bool)> {
        let index = call.mpi.param_with_role(Role::Displacements)?;
        let argument = call.argument(index)?;
        let (object, offset) = argument.value.as_address()?;
        let layout = &call.eval.layout;
        let element = layout.types().pointee(argument.expr.strip_casts().ty)?;
        let size = i128::from(layout.cell_size(element)?);
        let origins: Vec<Span> =
            (0..64).filter_map(|index| call.state.origin(object, offset.single()? + index * size)).collect();
        let within = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
        let offsets =
            || self.unit.offsets.iter().filter_map(move |&(at, ty)| Some((at, record_in(layout, ty)?)));
        let mut exact: Vec<RecordId> = offsets()
            .filter(|(at, _)| origins.iter().any(|&origin| within(origin, *at)))
            .map(|(_, record)| record)
            .collect();
        exact.sort_unstable();
        exact.dedup();
        if let [record] = exact[..] {
            return Some((record, true));
        }
        if !exact.is_empty() {
            return None;
        }
        let body = call.function.span;
        let since = self
            .made
            .iter()
            .filter(|made| within(body, made.span) && made.span.start < span.start)
            .filter(|made| matches!(made.how, TypeConstructor::Struct | TypeConstructor::Hindexed))
            .map(|made| made.span.end)
            .max()
            .unwrap_or(body.start);
        let in_window = |at: Span| since <= at.start && at.end <= span.start;
        let mut hints: Vec<Hint> = offsets()
            .filter(|(at, _)| in_window(*at))
            .map(|(span, record)| Hint { span, whole: Some(record), around: vec![record] })
            .collect();
        hints.extend(
            self.hints
                .iter()
                .filter(|(of, hint)| *of == id && in_window(hint.span))
                .map(|(_, hint)| hint.clone()),
        );
        the_struct(&hints).map(|record| (record, false))
    }

    /// The datatypes that are made of several blocks or resized, with the findings on each.
    fn judge(&self) -> Vec<(StructType, Vec<Finding>)> {
        let handles = Handles::new(self.unit);
        let layout = Layout::new(&self.unit.types);
        let by_span: FxHashMap<Span, &Made> = self.made.iter().map(|made| (made.span, made)).collect();
        let uses: Vec<(Span, &Use)> = self
            .uses
            .iter()
            .filter_map(|used| match handles.resolve(&used.handle) {
                Handle::Made(span) => Some((span, used)),
                _ => None,
            })
            .collect();
        let mut results = Vec::new();
        for made in &self.made {
            let builder = Builder { handles: &handles, by_span: &by_span };
            if !builder.is_struct(made, 0) {
                continue;
            }
            let typemap = builder.typemap(&Handle::Made(made.span), 0);
            let own_span = made.span;
            // What is wrong with a datatype is wrong with its copies, too, and is told once.
            let is_copy = builder.original(made).is_some();
            let all_uses = || {
                let is_of_it = |span: Span| builder.is_or_copies(span, own_span);
                uses.iter().filter(move |(span, _)| is_of_it(*span)).map(|(_, used)| *used)
            };
            let mut result = StructType {
                range: range(self.unit, made.span),
                function: made.function.clone(),
                constructor: made.name,
                typemap: typemap.as_ref().map(Typemap::text),
                structs: Vec::new(),
                problems: Vec::new(),
                is_absolute: matches!(made.recipe, Some(Recipe::Absolute(_))),
            };
            let mut findings = Vec::new();
            let mut records: Vec<RecordId> =
                all_uses().map(|used| used.record).chain(made.named.map(|(record, _)| record)).collect();
            records.sort_unstable();
            records.dedup();
            let is_for_one = records.len() == 1;
            for record in records {
                let Some(record) = Struct::new(&layout, record) else { continue };
                let first = findings.len();
                result.structs.push((record.name.clone(), record.text()));
                let users: Vec<&Use> = all_uses().filter(|used| used.record == record.id).collect();
                let is_direct = |used: &&Use| handles.resolve(&used.handle) == Handle::Made(made.span);
                let direct: Vec<&Use> = users.iter().copied().filter(is_direct).collect();
                if result.is_absolute {
                    findings.extend(users.first().map(|used| self.added_twice(made, &record, used)));
                }
                if let Some(typemap) = &typemap {
                    if !is_copy {
                        findings.extend(self.compare(made, typemap, &record, &users));
                    }
                    findings.extend(self.compare_step(made, typemap, &record, &direct));
                }
                if is_for_one && first < findings.len() && builder.is_for_all(made, typemap.as_ref(), &record)
                {
                    let last =
                        builder.resized_to(made, &record).filter(|_| direct.is_empty()).unwrap_or(made);
                    let rebuild = describe::describe(&layout, record.id)
                        .map(|structs| Box::new(Rebuild { call: range(self.unit, last.span), structs }));
                    for finding in &mut findings[first..] {
                        finding.rebuild.clone_from(&rebuild);
                    }
                }
            }
            result.problems = findings.iter().map(|finding| finding.message.clone()).collect();
            results.push((result, findings));
        }
        results
    }

    /// Displacements that are addresses, to which a call adds the address of its buffer.
    fn added_twice(&self, made: &Made, record: &Struct, used: &Use) -> Finding {
        let message = format!(
            "the displacements are addresses of members of `{}`, not their distances from its start, and {} adds \
             the address of its buffer to them",
            record.name, used.name,
        );
        let here = range(self.unit, made.span);
        let mut found = finding(Rule::StructLayout, Severity::Error, message, here.clone());
        found.related = vec![
            Related { range: here, message: format!("`{}` has {}", record.name, record.text()) },
            Related {
                range: used.at.clone(),
                message: format!("{} uses it for `{}`", used.name, record.name),
            },
        ];
        found
    }

    /// What of a datatype, or of a copy of it, is not what the struct has there, or is left out.
    fn compare(&self, made: &Made, typemap: &Typemap, record: &Struct, users: &[&Use]) -> Option<Finding> {
        let here = range(self.unit, made.span);
        let is_exact = made.named.is_some_and(|(named, is_exact)| named == record.id && is_exact);
        match compare::fit(typemap, record) {
            Fit::Wrong(problem) => {
                // A type over more than one object may be for something around the struct that the buffer is said to be of.
                if made.named.is_none_or(|(named, _)| named != record.id) && !fits_in(typemap, record) {
                    return None;
                }
                let severity =
                    if is_exact || !users.is_empty() { Severity::Error } else { Severity::Warning };
                let mut found = finding(Rule::StructLayout, severity, problem, here);
                found.related = self.tables(made, typemap, record);
                found.fix = made.written.fix(made.recipe.as_ref(), record);
                found.related.extend(users.first().map(|used| Related {
                    range: used.at.clone(),
                    message: format!("{} uses it for `{}`", used.name, record.name),
                }));
                Some(found)
            }
            Fit::Right { described } => {
                let (member, share) = compare::forgotten(record, &described)?;
                let message = if share == Share::Some {
                    format!("the datatype describes all of `{}` but only a part of `{member}`", record.name)
                } else {
                    format!("the datatype describes all of `{}` except `{member}`", record.name)
                };
                let mut note = finding(Rule::StructLayout, Severity::Note, message, here);
                note.related = self.tables(made, typemap, record);
                Some(note)
            }
            Fit::Several | Fit::Elsewhere => None,
        }
    }

    /// A use of a datatype for several objects that are not where its extent says.
    fn compare_step(
        &self,
        made: &Made,
        typemap: &Typemap,
        record: &Struct,
        users: &[&Use],
    ) -> Option<Finding> {
        if !matches!(compare::fit(typemap, record), Fit::Right { .. })
            || compare::steps_right(typemap, record)
        {
            return None;
        }
        let several = users.iter().filter(|used| used.several != Several::No);
        let used = several.min_by(|a, b| a.at.cmp(&b.at))?;
        let severity = if used.several == Several::Perhaps { Severity::Warning } else { Severity::Error };
        let message = format!(
            "the datatype has extent {} and `{}` takes {} bytes: from the second element on {} is beside the \
             objects of an array",
            typemap.extent(),
            record.name,
            record.size,
            used.name,
        );
        let mut found = finding(Rule::StructLayout, severity, message, used.at.clone());
        if used.several == Several::PerProcess {
            "any np >= 2".clone_into(&mut found.np);
        }
        found.related = self.tables(made, typemap, record);
        found.related[1].message.push_str(", to be resized to the size of the struct");
        Some(found)
    }

    /// The struct with its offsets and, beside it, the datatype.
    fn tables(&self, made: &Made, typemap: &Typemap, record: &Struct) -> Vec<Related> {
        let here = range(self.unit, made.span);
        vec![
            Related { range: here.clone(), message: format!("`{}` has {}", record.name, record.text()) },
            Related { range: here, message: format!("the datatype has {}", typemap.text()) },
        ]
    }
}

/// Findings on the datatypes of a unit.
pub(super) fn findings(collected: &Collector<'_>) -> Vec<Finding> {
    collected.judge().into_iter().flat_map(|(_, findings)| findings).collect()
}

/// The datatypes of a unit that are built by hand.
pub(super) fn struct_types(collected: &Collector<'_>) -> Vec<StructType> {
    collected.judge().into_iter().map(|(found, _)| found).collect()
}

/// Follows datatypes through the calls that make them.
struct Builder<'c> {
    handles: &'c Handles,
    by_span: &'c FxHashMap<Span, &'c Made>,
}

impl Builder<'_> {
    fn typemap(&self, handle: &Handle, depth: u32) -> Option<Typemap> {
        if MAX_DEPTH < depth {
            return None;
        }
        match self.handles.resolve(handle) {
            Handle::Predefined(name) => Typemap::predefined(&name),
            Handle::Made(span) => {
                let made = self.by_span.get(&span)?;
                made.recipe.as_ref()?.typemap(|old| self.typemap(old, depth + 1))
            }
            Handle::In(_) | Handle::Unknown => None,
        }
    }

    /// The datatype that another one is a copy of, with other bounds or the same.
    fn original(&self, made: &Made) -> Option<&Made> {
        if !matches!(made.how, TypeConstructor::Resized | TypeConstructor::Dup) {
            return None;
        }
        match self.handles.resolve(made.recipe.as_ref()?.parts().next()?) {
            Handle::Made(span) => self.by_span.get(&span).copied(),
            _ => None,
        }
    }

    /// Whether a call makes a datatype that is the one of another call, or a copy of it.
    fn is_or_copies(&self, span: Span, original: Span) -> bool {
        let first = self.by_span.get(&span).copied();
        let chain = std::iter::successors(first, |made| self.original(made));
        (0..MAX_DEPTH).zip(chain).any(|(_, made)| made.span == original)
    }

    /// Whether a datatype seems to be meant for all of a struct.
    fn is_for_all(&self, made: &Made, typemap: Option<&Typemap>, record: &Struct) -> bool {
        let amount = match (typemap, &made.recipe) {
            (Some(map), _) => match compare::fit(map, record) {
                Fit::Right { described } => return compare::is_nearly_all(record, &described),
                Fit::Wrong(_) => Amount::of(map),
                Fit::Several | Fit::Elsewhere => return false,
            },
            (None, Some(Recipe::Absolute(parts))) => {
                parts.iter().fold(Amount::default(), |sum, (length, old)| {
                    let each = self.typemap(old, 0).as_ref().map(Amount::of).unwrap_or_default();
                    sum.plus(each.times(*length))
                })
            }
            (None, _) => return false,
        };
        let blocks = match &made.recipe {
            Some(Recipe::Blocks(blocks)) => Some(blocks.len()),
            Some(Recipe::Absolute(blocks)) => Some(blocks.len()),
            _ => None,
        };
        compare::is_meant_for_all(blocks, amount, record)
    }

    /// The only call that is given a datatype, where it resizes it to the size of the struct.
    fn resized_to(&self, made: &Made, record: &Struct) -> Option<&Made> {
        let is_given = |other: &&&Made| {
            let mut parts = other.recipe.iter().flat_map(Recipe::parts);
            parts.any(|part| self.handles.resolve(part) == Handle::Made(made.span))
        };
        let mut given = self.by_span.values().filter(is_given);
        let (Some(last), None) = (given.next(), given.next()) else { return None };
        let resizes = matches!(last.recipe, Some(Recipe::Resized { lower: 0, extent, .. }) if u64::try_from(extent) == Ok(record.size));
        resizes.then_some(*last)
    }

    /// Whether a datatype has blocks at displacements in bytes, in the end.
    fn is_struct(&self, made: &Made, depth: u32) -> bool {
        use TypeConstructor::{Dup, Hindexed, HindexedBlock, Resized, Struct};
        match made.how {
            Struct | Hindexed | HindexedBlock => true,
            Resized | Dup => made.recipe.as_ref().is_some_and(|recipe| {
                recipe.parts().any(|part| match self.handles.resolve(part) {
                    Handle::Made(span) => self
                        .by_span
                        .get(&span)
                        .is_some_and(|old| depth < MAX_DEPTH && self.is_struct(old, depth + 1)),
                    _ => false,
                })
            }),
            _ => false,
        }
    }
}

fn fits_in(typemap: &Typemap, record: &Struct) -> bool {
    typemap.runs.iter().all(|run| {
        let bytes = run.number.saturating_mul(run.kind.size());
        u64::try_from(run.at).is_ok_and(|at| at.saturating_add(bytes) <= record.size)
    })
}

/// The struct that all hints agree on: one that is named as a whole, or the only one around all members.
fn the_struct(hints: &[Hint]) -> Option<RecordId> {
    let first = hints.first()?;
    let is_around_all = |record: &RecordId| hints.iter().all(|hint| hint.around.contains(record));
    let mut whole: Vec<RecordId> = hints.iter().filter_map(|hint| hint.whole).filter(is_around_all).collect();
    whole.sort_unstable();
    whole.dedup();
    match whole[..] {
        [record] => return Some(record),
        [] => {}
        _ => return None,
    }
    let mut around = first.around.iter().copied().filter(is_around_all);
    match (around.next(), around.next()) {
        (Some(record), None) => Some(record),
        _ => None,
    }
}

/// The structs around a place whose address is taken.
fn hint(layout: &Layout<'_>, location: &Expr, span: Span) -> Option<Hint> {
    let location = location.strip_casts();
    let (place, whole) = match &location.kind {
        ExprKind::AddressOf(place) => {
            (place, record_in(layout, place.ty).filter(|_| ends_whole(layout, place)))
        }
        _ => {
            let record = record_in(layout, layout.types().pointee(location.ty)?)?;
            return Some(Hint { span, whole: Some(record), around: vec![record] });
        }
    };
    let mut around: Vec<RecordId> = place
        .projections
        .iter()
        .filter_map(|projection| match projection {
            Projection::Field(record, _) => Some(*record),
            Projection::Index(_) => None,
        })
        .filter(|&record| layout.types().record(record).kind == RecordKind::Struct)
        .collect();
    around.extend(whole);
    if around.is_empty() {
        return None;
    }
    around.dedup();
    Some(Hint { span, whole, around })
}

/// Whether a place is an object, not a member: a variable, an element of an array, or what a pointer points to.
fn ends_whole(layout: &Layout<'_>, place: &Place) -> bool {
    match place.projections.last() {
        Some(Projection::Field(..)) => false,
        Some(Projection::Index(_)) => true,
        None => match &place.base {
            PlaceBase::Local(_) | PlaceBase::Global(_) => true,
            PlaceBase::Deref(pointer) => layout.types().pointee(pointer.ty).is_some(),
        },
    }
}

/// The struct that a type is, or that arrays of it are made of.
fn record_in(layout: &Layout<'_>, ty: TypeId) -> Option<RecordId> {
    match layout.types().get(innermost_element(layout, ty)) {
        Type::Record(record) if layout.types().record(*record).kind == RecordKind::Struct => Some(*record),
        _ => None,
    }
}

/// The struct that a buffer holds: of the object that it points into, where that is known, and of the pointer as written. They
/// must not contradict each other.
fn record_of(call: &Call<'_>, buffer: &BufferArgument<'_>) -> Option<RecordId> {
    let layout = &call.eval.layout;
    let written = layout.types().pointee(buffer.argument.expr.strip_casts().ty);
    let written = written.filter(|&ty| !matches!(layout.types().get(ty), Type::Void));
    let written_record = written.and_then(|ty| record_in(layout, ty));
    if written.is_some() && written_record.is_none() {
        return None;
    }
    let declared = buffer.argument.value.as_address().and_then(|(object, offset)| {
        let ty = call.eval.declared_type(object)?;
        match offset.single() {
            Some(offset) => at_offset(layout, ty, u64::try_from(offset).ok()?, 0),
            None => Some(innermost_element(layout, ty)),
        }
    });
    let declared_record = declared.map(|ty| record_in(layout, ty));
    match (written_record, declared_record) {
        (Some(written), Some(Some(declared))) if written == declared => Some(written),
        (None, Some(Some(declared))) => Some(declared),
        (Some(written), None) => Some(written),
        _ => None,
    }
}
