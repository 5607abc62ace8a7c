//! What the callers of one collective must say alike: the root, the operation, and amounts of data that fit together by their type
//! signatures (MPI-4.1 sections 6.1 and 6.9.1).

use frontend::mpi::{Class, CollectiveOp, Direction, InPlace, Role, lookup};
use lattice::{Constraints, Linear, Ranks, Symbol, Truth};

use super::Engine;
use super::blocks::Blocks;
use super::boxes::subtract;
use super::datatypes::Signature;
use super::group::Group;
use super::lengths::{Fit, compares};
use super::mpi::Call;
use super::state::{Entered, ProcessSet, SiteId, State};
use super::value::Value;
use crate::results::Related;
use crate::rules::Rule;

/// What a collective call says besides its root.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Terms {
    /// The operation of a reduction.
    pub(crate) op: Option<Value>,
    pub(crate) gives: Option<Amount>,
    pub(crate) takes: Option<Amount>,
    /// The same where it is said for each process by itself.
    pub(crate) gives_each: Option<Blocks>,
    pub(crate) takes_each: Option<Blocks>,
    /// Whether `MPI_IN_PLACE` is given where only the root may give it.
    pub(crate) in_place_as_root: bool,
    /// Whether it is given for what the caller contributes.
    pub(crate) in_place: bool,
    /// Of a fence: whether nothing precedes it, and whether nothing follows, where that is known.
    pub(crate) asserts: Option<[bool; 2]>,
    /// Of a persistent operation: the how-manieth on its communicator it is that the caller has initialised, where that is known.
    pub(crate) turn: Option<u32>,
}

/// So many elements of a datatype, to or from each process.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Amount {
    /// Over the caller's rank.
    pub(crate) count: Linear,
    pub(crate) datatype: Value,
}

/// How two amounts differ.
enum Difference {
    Types,
    Counts,
    /// Whether they do is not known.
    Open,
}

impl Terms {
    pub(crate) fn of(call: &Call<'_>, operation: CollectiveOp) -> Self {
        let mut terms = Self { op: call.value(Role::Op).cloned(), ..Self::default() };
        for buffer in call.mpi.buffers() {
            let in_place = call.at(Some(buffer.param)).and_then(Value::as_name) == Some("MPI_IN_PLACE");
            terms.in_place_as_root |= in_place && buffer.in_place == Some(InPlace::Root);
            terms.in_place |= in_place;
            let is_list = |index: Option<usize>| {
                index.and_then(|i| call.mpi.params.get(i)).is_some_and(|p| p.is_array())
            };
            if (in_place && !operation.is_reduction()) || is_list(buffer.count) || is_list(buffer.datatype) {
                continue;
            }
            let (Some(Value::Int(count)), Some(datatype)) = (call.at(buffer.count), call.at(buffer.datatype))
            else {
                continue;
            };
            let amount = Amount { count: count.clone(), datatype: datatype.clone() };
            if buffer.direction != Direction::Out {
                terms.gives = Some(amount.clone());
            }
            if buffer.direction != Direction::In {
                terms.takes = Some(amount);
            }
        }
        terms
    }
}

/// An amount that a caller names, and where.
struct Said<'a> {
    amount: &'a Amount,
    members: &'a Ranks,
    site: SiteId,
}

impl Engine<'_> {
    /// Reports callers of one collective that do not agree on the operation or on the amount of data. `root` is its rank in
    /// `MPI_COMM_WORLD`, where that is known.
    pub(crate) fn check_terms(&mut self, state: &State, entries: &[Entered], root: Option<&Linear>) {
        self.check_turns(state, entries);
        let name = &entries[0].call.operation;
        // What neighbours exchange is compared message by message.
        let Some(class @ Class::Collective { operation, neighbor: false, .. }) =
            lookup(name).map(|call| call.class)
        else {
            return;
        };
        self.check_operation(state, entries);
        if !compares(class) {
            return;
        }
        // Between two groups, what one gives is what the other takes: the two sides may differ (MPI-4.1 section 6.2.3).
        if matches!(entries[0].call.communicator.group, Group::Sides(..)) {
            let why = format!("what `{name}` moves between two groups is not compared");
            self.leave_length_open(state, self.site_place(entries[0].call.site), why);
            return;
        }
        if let Some(root) = root {
            self.check_in_place(state, entries, root);
        }
        self.check_block_lengths(state, entries, operation, root);
        let (said, all) = said(entries, operation, root, &state.facts);
        if !all {
            self.leave_amounts_open(state, entries);
        }
        for one in &said {
            self.check_among(state, one, &entries[0].call.operation);
        }
        let Some((first, others)) = said.split_first() else { return };
        for other in others {
            let Some(difference) =
                difference(first, other, |datatype| self.signature(datatype), &state.facts)
            else {
                continue;
            };
            if matches!(difference, Difference::Open) {
                self.leave_amounts_open(state, entries);
                continue;
            }
            let (early, late) = self.in_order(first, other);
            let text = |engine: &Self, said: &Said<'_>| {
                let count = engine.symbols.display(&said.members.settle(&said.amount.count, &state.facts));
                let count = count.unwrap_or_else(|| "some".to_owned());
                format!("{count} {}", said.amount.datatype.name_text())
            };
            let rule = match difference {
                Difference::Types => Rule::DatatypeMismatch,
                Difference::Counts | Difference::Open => Rule::CountMismatch,
            };
            let (mine, theirs) = (text(self, late), text(self, early));
            let operation = &entries[0].call.operation;
            let (message, related) = self.words(operation, (early.site, &theirs), (late.site, &mine));
            self.report(rule, state, late.members, self.site_place(late.site), message, related);
            return;
        }
    }

    /// Notes that the amounts of a collective operation are not compared.
    fn leave_amounts_open(&mut self, state: &State, entries: &[Entered]) {
        let why =
            format!("whether all ranks name the same amount in `{}` is not known", entries[0].call.operation);
        let first = entries.iter().map(|entered| self.site_place(entered.call.site)).min();
        if let Some(place) = first {
            self.leave_length_open(state, place, why);
        }
    }

    /// Reports a persistent operation that processes have initialised in another order than others (MPI-4.1 section 6.13).
    fn check_turns(&mut self, state: &State, entries: &[Entered]) {
        let Some(first) = entries[0].call.terms.turn else { return };
        for entered in &entries[1..] {
            let Some(other) = entered.call.terms.turn.filter(|&other| other != first) else { continue };
            let swapped = self.site_place(entered.call.site) < self.site_place(entries[0].call.site);
            let ((early, x), (late, y)) = if swapped {
                ((entered, other), (&entries[0], first))
            } else {
                ((&entries[0], first), (entered, other))
            };
            let place = self.site_place(late.call.site);
            let message = format!(
                "`{}` is initialised as number {y} of the persistent operations on {} here, as number {x} elsewhere",
                late.call.operation, late.call.communicator.name
            );
            let range = self.site_range(early.call.site);
            let related = vec![Related { range, message: format!("as number {x} here") }];
            self.report(Rule::CollectiveMismatch, state, &late.members, place, message, related);
            return;
        }
    }

    /// Reports a reduction for which processes name different operations.
    fn check_operation(&mut self, state: &State, entries: &[Entered]) {
        let name =
            |entered: &Entered| entered.call.terms.op.as_ref().and_then(Value::as_name).map(str::to_owned);
        let Some(first) = name(&entries[0]) else { return };
        for entered in &entries[1..] {
            let Some(other) = name(entered).filter(|other| *other != first) else { continue };
            let swapped = self.site_place(entered.call.site) < self.site_place(entries[0].call.site);
            let ((early, x), (late, y)) = if swapped {
                ((entered, other), (&entries[0], first))
            } else {
                ((&entries[0], first), (entered, other))
            };
            let (early, place) = ((early.call.site, x.as_str()), self.site_place(late.call.site));
            let (message, related) = self.words(&late.call.operation, early, (late.call.site, &y));
            self.report(Rule::OpMismatch, state, &late.members, place, message, related);
            return;
        }
    }

    /// Reports processes other than the root that give `MPI_IN_PLACE` where only the root may (MPI-4.1 section 6.2.3).
    fn check_in_place(&mut self, state: &State, entries: &[Entered], root: &Linear) {
        // One process alone is the root.
        let mut shown = state.clone();
        if shown.facts.assume_le(&2.into(), &Symbol::NP.into()).is_none() {
            return;
        }
        for entered in entries.iter().filter(|entered| entered.call.terms.in_place_as_root) {
            let root = Ranks::from(lattice::Range::single(root.clone()));
            let others = subtract(&entered.members, &root, &shown.facts).unwrap_or_default();
            let Some(others) = others.first() else { continue };
            let message = format!(
                "ranks other than the root call `{}` with MPI_IN_PLACE, which only the root may give there",
                entered.call.operation
            );
            let place = self.site_place(entered.call.site);
            self.report(Rule::InvalidBuffer, &shown, others, place, message, Vec::new());
        }
    }

    /// Reports callers at one place that name different amounts.
    fn check_among(&mut self, state: &State, said: &Said<'_>, operation: &str) {
        let count = said.members.settle(&said.amount.count, &state.facts);
        if count.is_uniform() {
            return;
        }
        let facts = &state.facts;
        let (least, most) = (said.members.minimise(&count, facts), said.members.maximise(&count, facts));
        let one = Ranks::single(Linear::zero());
        let fit = match (&least, &most) {
            (Some(least), Some(most)) => self.fit(&one, facts, most, least),
            _ => Fit::Open,
        };
        match fit {
            Fit::Fits => {}
            Fit::TooLong(_, facts) => {
                let text = self.symbols.display(&count).unwrap_or_else(|| "different numbers of".to_owned());
                let message = format!("the ranks call `{operation}` with different amounts: {text} elements");
                let place = self.site_place(said.site);
                let shown = State { facts: *facts, ..state.clone() };
                self.report(Rule::CountMismatch, &shown, said.members, place, message, Vec::new());
            }
            Fit::Open => {
                let why = format!("whether all ranks name the same amount in `{operation}` is not known");
                self.leave_length_open(state, self.site_place(said.site), why);
            }
        }
    }

    /// Reports a one-sided operation that gives more than it names a place for, or other basic types (MPI-4.1 section 12.3.1).
    pub(crate) fn check_target(&mut self, state: &State, set: &ProcessSet, call: &Call<'_>, site: SiteId) {
        let Class::Rma { operation, .. } = call.mpi.class else { return };
        let Some(target) = call.mpi.target() else { return };
        let is = |index: Option<usize>, name: &str| call.at(index).and_then(Value::as_name) == Some(name);
        let no_op = call.mpi.params.iter().position(|param| param.role == Role::Op);
        let Some(origin) = call.mpi.buffers().next().filter(|_| !is(no_op, "MPI_NO_OP")) else { return };
        if is(Some(target.rank), "MPI_PROC_NULL") || origin.count.is_none() {
            return;
        }
        let amount = |count: Option<usize>, datatype: Option<usize>| {
            let count = call.at(count)?.as_int()?.clone();
            Some(Amount { count, datatype: call.at(datatype)?.clone() })
        };
        let here = amount(origin.count, origin.datatype);
        let there = amount(target.count, Some(target.datatype));
        let (Some(here), Some(there)) = (here, there) else { return };
        // Each process says both.
        if here == there && here.datatype != Value::Unknown {
            return;
        }
        let said = |amount| Said { amount, members: &set.ranks, site };
        let (given, taken) = if operation.writes_target() { (&here, &there) } else { (&there, &here) };
        let (given, taken) = (said(given), said(taken));
        let facts = &state.facts;
        let place = (set.frame().function, call.span);
        let rule = match difference(&given, &taken, |datatype| self.signature(datatype), facts) {
            Some(Difference::Types) => Rule::DatatypeMismatch,
            // What is taken may have room for more.
            Some(Difference::Counts) if self.exceeds(&given, &taken, facts) => Rule::MessageTruncation,
            Some(Difference::Open) => {
                let why = format!("whether the target of {} has room is not known", call.mpi.name);
                return self.leave_length_open(state, place, why);
            }
            _ => return,
        };
        let text = |said: &Said<'_>| {
            let count = self.symbols.display(&said.members.settle(&said.amount.count, facts));
            format!("{} {}", count.unwrap_or_else(|| "some".to_owned()), said.amount.datatype.name_text())
        };
        let (here, there) = (text(&said(&here)), text(&said(&there)));
        let message = format!("{} has {here} at the origin, {there} at the target", call.mpi.name);
        self.report(rule, state, &set.ranks, (set.frame().function, call.span), message, Vec::new());
    }

    /// Whether one amount is certainly greater than the other, of the same basic type.
    fn exceeds(&self, one: &Said<'_>, other: &Said<'_>, facts: &Constraints) -> bool {
        let total = |said: &Said<'_>| {
            let (_, number) = self.signature(&said.amount.datatype)?.single()?;
            said.members.settle(&said.amount.count, facts).scale(i64::try_from(number).ok()?)
        };
        let (Some(one), Some(other)) = (total(one), total(other)) else { return false };
        facts.le(&one, &other) == Truth::No
    }

    /// Reports processes that name different roots, where it is certain that they do.
    pub(crate) fn name_different_roots(&mut self, state: &State, one: &Entered, other: &Entered) -> bool {
        let facts = &state.facts;
        let root = |entered: &Entered| Some(entered.members.settle(entered.call.root.as_ref()?, facts));
        let (Some(a), Some(b)) = (root(one), root(other)) else { return false };
        let among = |entered: &Entered, root: &Linear| {
            let ends = (entered.members.minimise(root, facts), entered.members.maximise(root, facts));
            matches!(ends, (Some(least), Some(most)) if facts.le(&most, &least) == Truth::No)
        };
        let differ = a.is_uniform() && b.is_uniform() && facts.eq(&a, &b) == Truth::No;
        let certain = differ || among(one, &a) || among(other, &b);
        if certain {
            self.report_roots(state, one, other);
        }
        certain
    }

    fn report_roots(&mut self, state: &State, one: &Entered, other: &Entered) {
        let swapped = self.site_place(other.call.site) < self.site_place(one.call.site);
        let (early, late) = if swapped { (other, one) } else { (one, other) };
        let text = |engine: &Self, entered: &Entered| {
            let root = entered.call.root.as_ref().map(|root| entered.members.settle(root, &state.facts));
            root.and_then(|root| engine.symbols.display(&root)).unwrap_or_else(|| "another rank".to_owned())
        };
        let (x, y) = (text(self, early), text(self, late));
        let (x, y) = (format!("root {x}"), format!("root {y}"));
        let (message, related) =
            self.words(&late.call.operation, (early.call.site, &x), (late.call.site, &y));
        let place = self.site_place(late.call.site);
        self.report(Rule::RootMismatch, state, &late.members, place, message, related);
    }

    /// What is said of two calls that differ.
    fn words(
        &self,
        operation: &str,
        (early, x): (SiteId, &str),
        (late, y): (SiteId, &str),
    ) -> (String, Vec<Related>) {
        if early == late {
            return (format!("the ranks call `{operation}` with {x} and with {y}"), Vec::new());
        }
        let related = Related { range: self.site_range(early), message: format!("with {x} here") };
        (format!("`{operation}` with {y} here, with {x} elsewhere"), vec![related])
    }

    /// Two by where they are in the program.
    fn in_order<'a, 'b>(&self, one: &'a Said<'b>, other: &'a Said<'b>) -> (&'a Said<'b>, &'a Said<'b>) {
        if self.site_place(other.site) < self.site_place(one.site) { (other, one) } else { (one, other) }
    }
}

/// The amounts that have to be equal, the root's first, and whether these are all of them.
fn said<'a>(
    entries: &'a [Entered],
    operation: CollectiveOp,
    root: Option<&Linear>,
    facts: &Constraints,
) -> (Vec<Said<'a>>, bool) {
    use CollectiveOp::{
        Allgather, Allreduce, Alltoall, Bcast, Exscan, Gather, Reduce, ReduceScatterBlock, Scan, Scatter,
    };
    let is_root = |entered: &Entered| {
        let Some(root) = root else { return false };
        let root = Ranks::from(lattice::Range::single(root.clone()));
        root.within(&entered.members, facts)
    };
    let mut said = Vec::new();
    let mut all = true;
    for entered in entries {
        let terms = &entered.call.terms;
        let at_root = is_root(entered);
        // Where it is not known who the root is, somebody may name an amount that is not looked at.
        let may_be_root = operation.is_rooted() && root.is_none();
        let (gives, takes) = match operation {
            Bcast | Allgather | Alltoall | Reduce | Allreduce | Scan | Exscan | ReduceScatterBlock => {
                (true, true)
            }
            Gather => (true, at_root),
            Scatter => (at_root, true),
            _ => (false, false),
        };
        let is_told = |needed: bool, amount: &Option<Amount>| !needed || amount.is_some() || terms.in_place;
        all &= is_told(gives, &terms.gives) && is_told(takes, &terms.takes) && !may_be_root;
        let gives = terms.gives.as_ref().filter(|_| gives);
        let takes = terms.takes.as_ref().filter(|_| takes && terms.takes != terms.gives);
        for amount in [gives, takes].into_iter().flatten() {
            let at = if at_root { 0 } else { said.len() };
            said.insert(at, Said { amount, members: &entered.members, site: entered.call.site });
        }
    }
    (said, all)
}

/// How two amounts differ, or that it is not known whether they do. `None`: they are the same. Where callers name amounts that differ
/// among themselves, that is told elsewhere.
fn difference(
    a: &Said<'_>,
    b: &Said<'_>,
    signature: impl Fn(&Value) -> Option<Signature>,
    facts: &Constraints,
) -> Option<Difference> {
    let count = |said: &Said<'_>| {
        let count = said.members.settle(&said.amount.count, facts);
        let (least, most) = (said.members.minimise(&count, facts), said.members.maximise(&count, facts));
        if count.is_uniform() {
            Some(count)
        } else {
            least.filter(|least| most.is_some_and(|most| facts.eq(least, &most) == Truth::Yes))
        }
    };
    let (Some(x), Some(y)) = (count(a), count(b)) else { return Some(Difference::Open) };
    let differ = |x: &Linear, y: &Linear| match facts.eq(x, y) {
        Truth::Yes => None,
        Truth::No => Some(Difference::Counts),
        Truth::Open => Some(Difference::Open),
    };
    let (first, second) = (&a.amount.datatype, &b.amount.datatype);
    if first == second && *first != Value::Unknown {
        return differ(&x, &y);
    }
    let (Some(s), Some(t)) = (signature(first), signature(second)) else { return Some(Difference::Open) };
    let least =
        |count: &Linear| count.as_constant().map_or_else(|| facts.lower_bound(count), Some).unwrap_or(0);
    let least = |count: &Linear| u64::try_from(least(count)).unwrap_or(0);
    if s.differs(least(&x), &t, least(&y)) {
        return Some(Difference::Types);
    }
    let bytes = |count: &Linear, signature: &Signature| count.scale(i64::try_from(signature.size()).ok()?);
    let (Some(x), Some(y)) = (bytes(&x, &s), bytes(&y, &t)) else { return Some(Difference::Open) };
    differ(&x, &y)
}
