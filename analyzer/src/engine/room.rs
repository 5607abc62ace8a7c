//! Buffers that are too small for a call or overlap, where only the engine knows it: because of a datatype that the program has built, of
//! the rank, or of the number of processes. What the rules about single calls find by themselves is left to them.

use frontend::ir::Span;
use frontend::mpi::{Buffer, Class, Direction, Role, Scale, SendMode};
use lattice::{Constraints, Linear, Range, Ranks, Symbol, SymbolKind, Truth};
use rustc_hash::FxHashMap;

use super::Engine;
use super::communicators::PACKED;
use super::eval::OVERHEAD;
use super::group::Group;
use super::memory::ObjectId;
use super::mpi::Call;
use super::need::Need;
use super::state::{HANDLE, ProcessSet, State, address};
use super::value::Value;
use crate::results::{Related, Severity};
use crate::rules::Rule;

/// How many bytes allocated objects have, as far as all paths agree.
pub(crate) type Sizes = FxHashMap<ObjectId, Option<Size>>;

/// A number of bytes, or a multiple of the number of processes.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    bytes: Linear,
    /// The number of processes for which it is known to hold; `None`: for any.
    np: Option<i64>,
}

impl Size {
    /// What holds of two paths, each with its own number of processes.
    fn of_both(self, other: Self) -> Option<Self> {
        let holds_at = |general: &Self, special: &Self| {
            let at = |np: i64| {
                general.bytes.coefficient(Symbol::NP).checked_mul(np)?.checked_add(general.bytes.constant())
            };
            special.np.and_then(at).is_some_and(|bytes| special.bytes.as_constant() == Some(bytes))
        };
        if self.bytes == other.bytes {
            let np = self.np.filter(|_| self.np == other.np);
            Some(Self { np, ..self })
        } else if holds_at(&self, &other) {
            Some(self)
        } else {
            holds_at(&other, &self).then_some(other)
        }
    }
}

/// Bytes that a call accesses, from the beginning of an object on.
struct Reach {
    from: Linear,
    to: Linear,
}

/// How many neighbours each member of a set has.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours {
    /// From whom something comes.
    pub(crate) before: i64,
    /// To whom something goes.
    pub(crate) after: i64,
}

impl Engine<'_> {
    /// Keeps in mind how many bytes are allocated.
    pub(crate) fn know_size(&mut self, object: ObjectId, bytes: Option<Linear>, facts: &Constraints) {
        let bytes = bytes.and_then(|bytes| self.in_memory(&bytes));
        // What has one meaning in all states.
        let is_global = |symbol: Symbol| {
            symbol == Symbol::NP || matches!(self.symbols.kind(symbol), SymbolKind::Input(_))
        };
        let bytes = bytes.filter(|bytes| bytes.terms().all(|(symbol, _)| is_global(symbol)));
        let size = bytes.map(|bytes| Size { bytes, np: facts.constant(&Symbol::NP.into()) });
        self.sizes
            .entry(object)
            .and_modify(|known| *known = known.take().zip(size.clone()).and_then(|(a, b)| a.of_both(b)))
            .or_insert(size);
    }

    /// A number of bytes as it is in the engine's memory.
    fn in_memory(&self, bytes: &Linear) -> Option<Linear> {
        bytes.terms().try_fold(Linear::from(bytes.constant()), |sum, (symbol, coefficient)| {
            let factors = symbol.factors().try_fold(Linear::from(coefficient), |product, factor| match self
                .model_sizes
                .get(&factor)
            {
                Some(&size) => product.scale(size),
                None => product.times(&factor.into()),
            });
            sum.add(&factors?)
        })
    }

    /// Bytes of an object, if all paths agree on them.
    pub(crate) fn size(&self, object: ObjectId) -> Option<Linear> {
        let declared = self.extent(object).and_then(|size| i64::try_from(size).ok()).map(Linear::from);
        declared.or_else(|| self.sizes.get(&object).cloned().flatten().map(|size| size.bytes))
    }

    /// Reports buffers of a call that end before what it certainly reads or writes on some member of the set.
    pub(crate) fn check_room(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        self.check_requests(state, set, call)?;
        if !(call.mpi.class.communicates() || matches!(call.mpi.class, Class::FileData { .. })) {
            return Ok(());
        }
        let neighbours = self.neighbours_of_all(state, set, call);
        for buffer in call.mpi.buffers() {
            // What is left of a file may be shorter than there is room for.
            let may_be_less = matches!(call.mpi.class, Class::FileData { .. }) && buffer.direction.writes();
            if !may_be_less && let Some(members) = self.users(state, set, call, buffer) {
                self.check_buffer(state, set, (call, buffer, neighbours), &members)?;
                self.check_listed(state, set, (call, buffer), &members);
            }
        }
        self.check_alias(state, set, call);
        self.check_lent(state, set, call);
        Ok(())
    }

    /// Reports a list of requests that ends before the call has seen all that it is given.
    fn check_requests(&mut self, state: &State, set: &ProcessSet, call: &Call<'_>) -> Result<(), Need> {
        let index = call.mpi.param_with_role(Role::Request);
        let Some(index) = index.filter(|&index| call.mpi.params[index].is_array()) else { return Ok(()) };
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength)).and_then(Value::as_int);
        let (Some(number), Some((object, start))) = (number, call.at(Some(index)).and_then(address)) else {
            return Ok(());
        };
        let Some(size) = self.size(object) else { return Ok(()) };
        let Some(to) = number.scale(HANDLE).and_then(|bytes| start.add(&bytes)) else { return Ok(()) };
        let place = (set, self.span(call, index));
        let what = format!("the array of requests of {}", call.mpi.name);
        if self.fixed.is_none() && to.has(Symbol::NP) && !size.has(Symbol::NP) {
            self.compare_room(state, &set.ranks, place, (&to, &size), &what);
            return Ok(());
        }
        let is_short = self.is_below(state, &set.ranks, &size, &to)?;
        self.compare_room(state, &set.ranks, place, (&to, &size), &what);
        if is_short {
            let message = format!("{} is given more requests than their array has room for", call.mpi.name);
            self.judge(Rule::BufferOverflow, state, &set.ranks, (set, self.span(call, index)), message);
        }
        Ok(())
    }

    /// Whether a number is below another one on some member. Where the number of processes decides, the path is forked.
    fn is_below(&self, state: &State, members: &Ranks, a: &Linear, b: &Linear) -> Result<bool, Need> {
        let facts = &state.facts;
        let gap = b.sub(a).map(|gap| members.settle(&gap, facts));
        let Some(most) = gap.and_then(|gap| members.maximise(&gap, facts)) else { return Ok(false) };
        match facts.le(&1.into(), &most) {
            Truth::Yes => Ok(true),
            Truth::No => Ok(false),
            Truth::Open => {
                let decided = most.terms().all(|(symbol, _)| symbol == Symbol::NP);
                if decided && facts.can_express(&most) { Err(Need::Decide(most)) } else { Ok(false) }
            }
        }
    }

    /// Reports a buffered send for which the memory that is lent to MPI is too small on some member of the set, if nothing that was sent
    /// since the last news of other processes has left (MPI-4.1 section 3.6).
    fn check_lent(&mut self, state: &State, set: &mut ProcessSet, call: &Call<'_>) {
        if !matches!(call.mpi.class, Class::Send { mode: SendMode::Buffered, .. }) {
            return;
        }
        let Ok(communicator) = self.communicator(call) else { return };
        // What is waited for already need not be copied.
        if state.posted.iter().any(|posted| posted.incoming.filter.communicator.name == communicator.name) {
            set.known.lives.forget_lent();
        }
        let Some((lent, site)) = set.known.lives.lent() else { return };
        if self.fixed.is_none() && lent.taken.has(Symbol::NP) && !lent.bytes.has(Symbol::NP) {
            return;
        }
        // However small it is, each message needs something besides its data.
        let overhead = self.symbols.named(OVERHEAD);
        let mut facts = state.facts.clone();
        facts.learn(&1.into(), &overhead.into());
        // A library may pack elements into as many bytes as they have.
        for symbol in lent.bytes.symbols() {
            if let SymbolKind::Apply(function, arguments) = self.symbols.kind(symbol)
                && &**function == PACKED
                && let [bytes] = &arguments[..]
            {
                facts.learn(&symbol.into(), bytes);
            }
        }
        let members = &set.ranks;
        let gap = lent.taken.sub(&lent.bytes).map(|gap| members.settle(&gap, &facts));
        let most = gap.and_then(|gap| members.maximise(&gap, &facts));
        if most.is_none_or(|most| facts.le(&1.into(), &most) != Truth::Yes) {
            return;
        }
        let shown = |number: &Linear| self.symbols.display(&members.settle(number, &facts));
        let (Some(taken), Some(bytes)) = (shown(&lent.taken), shown(&lent.bytes)) else { return };
        let messages = if lent.several { "the messages that may be there need" } else { "the message needs" };
        let message = format!(
            "{} needs more memory than is lent to MPI: {messages} {taken} bytes of {bytes}",
            call.mpi.name
        );
        let related = vec![Related { range: self.site_range(site), message: "it is lent here".to_owned() }];
        let (members, function, span) = (members.clone(), set.frame().function, call.span);
        set.known.lives.forget_lent();
        if self.fixed.is_some() {
            self.suspected.insert((Rule::BufferOverflow, function, span));
        } else {
            self.report(Rule::BufferOverflow, state, &members, (function, span), message, related);
        }
    }

    /// The members of a set that look at a buffer, where they are known.
    fn users(&self, state: &State, set: &ProcessSet, call: &Call<'_>, buffer: &Buffer) -> Option<Ranks> {
        let is_null = |index: Option<usize>| call.at(index).and_then(Value::as_name) == Some("MPI_PROC_NULL");
        if is_null(buffer.dest) || is_null(buffer.source) {
            return None;
        }
        if !buffer.root_only {
            return Some(set.ranks.clone());
        }
        let root = self.root_of_all(call)?;
        let root = Ranks::from(Range::single(set.ranks.settle(root, &state.facts)));
        root.within(&set.ranks, &state.facts).then_some(root)
    }

    fn check_buffer(
        &mut self,
        state: &State,
        set: &ProcessSet,
        (call, buffer, neighbours): (&Call<'_>, &Buffer, Option<Neighbours>),
        members: &Ranks,
    ) -> Result<(), Need> {
        let Some(given) = call.at(Some(buffer.param)) else { return Ok(()) };
        if given.as_constant() == Some(0) {
            self.check_null(state, set, (call, buffer), members);
        }
        let Some((object, start)) = address(given) else { return Ok(()) };
        let Some(size) = self.size(object) else { return Ok(()) };
        let span = self.span(call, buffer.param);
        let what = format!("the buffer of {}", call.mpi.name);
        // The end of a split operation has been told before how much that is.
        if !self.is_list(call, buffer) && (buffer.count.is_some() || buffer.scale == Scale::One) {
            match self.furthest(state, (call, buffer, neighbours), start, members) {
                Some(to) => self.compare_room(state, members, (set, span), (&to, &size), &what),
                None => {
                    let why = format!("how many bytes {} accesses of its buffer is not known", call.mpi.name);
                    self.leave_length_open(state, (set.frame().function, span), why);
                }
            }
        }
        let Some(Reach { from, to }) = self.reach(state, (call, buffer, neighbours), start, members) else {
            return Ok(());
        };
        // Arrays of a fixed length are written for so many processes at most.
        if self.fixed.is_none() && to.has(Symbol::NP) && !size.has(Symbol::NP) {
            return Ok(());
        }
        let facts = &state.facts;
        let verb = verb(buffer.direction);
        let shown = |number: Option<Linear>| self.symbols.display(&members.settle(&number?, facts));
        let message = if self.is_below(state, members, &size, &to)? {
            let (Some(needed), Some(left)) = (shown(to.sub(start)), shown(size.sub(start))) else {
                return Ok(());
            };
            format!("{} {verb} {needed} bytes of a buffer that has {left}", call.mpi.name)
        } else if self.is_below(state, members, &from, &Linear::zero())? {
            format!("{} {verb} bytes in front of the buffer's object", call.mpi.name)
        } else {
            return Ok(());
        };
        self.judge(Rule::BufferOverflow, state, members, (set, span), message);
        if buffer.source.is_some() {
            // The message may be shorter than there is room for.
            let key = (Rule::BufferOverflow, set.frame().function, span);
            let found = self.found.iter_mut().filter(|found| found.key == key);
            found.for_each(|found| found.finding.severity = Severity::Warning);
        }
        Ok(())
    }

    /// The same for a buffer of which lists tell the blocks, where these are numbers.
    fn check_listed(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        (call, buffer): (&Call<'_>, &Buffer),
        members: &Ranks,
    ) {
        let Some(elements) = self.end_of_blocks(state, set, call, buffer) else { return };
        let Some((object, start)) = call.at(Some(buffer.param)).and_then(address) else { return };
        let Some((size, bounds)) =
            self.size(object).zip(call.at(buffer.datatype).and_then(|datatype| self.bounds(datatype)))
        else {
            return;
        };
        let to = || {
            let last =
                elements.checked_sub(1)?.checked_mul(bounds.extent())?.checked_add(bounds.true_upper)?;
            start.offset(last)
        };
        if 0 < elements
            && 0 < bounds.size
            && let Some(to) = to()
        {
            let what = format!("the buffer of {}", call.mpi.name);
            let place = (&*set, self.span(call, buffer.param));
            self.compare_room(state, members, place, (&to, &size), &what);
        }
    }

    /// Notes that there is not room for as many bytes as a call accesses on all members of a set, or that it is not known whether there is.
    pub(crate) fn compare_room(
        &mut self,
        state: &State,
        members: &Ranks,
        (set, span): (&ProcessSet, Span),
        (to, size): (&Linear, &Linear),
        what: &str,
    ) {
        let facts = &state.facts;
        let gap = to.sub(size).map(|gap| members.settle(&gap, facts));
        let most = gap.and_then(|gap| members.maximise(&gap, facts));
        if most.as_ref().is_some_and(|most| facts.le(most, &Linear::zero()) == Truth::Yes) {
            return;
        }
        let limit = most.as_ref().and_then(|most| {
            // slope * np + rest <= 0
            let (slope, rest) = most.by_symbol(Symbol::NP)?;
            let slope = slope.as_constant().filter(|&slope| 0 < slope)?;
            rest.as_constant()?.checked_neg().map(|rest| rest.div_euclid(slope))
        });
        let why = match (limit, self.symbols.display(size)) {
            (Some(1..), _) if self.fixed.is_none() => {
                format!("{what} is too short for more than {} processes", limit.unwrap_or_default())
            }
            (_, Some(size)) => format!("whether {what} is long enough is not known: it has {size} bytes"),
            (_, None) => format!("whether {what} is long enough is not known"),
        };
        self.leave_length_open(state, (set.frame().function, span), why);
    }

    /// Whether a buffer has as many elements as an array of counts says.
    fn is_list(&self, call: &Call<'_>, buffer: &Buffer) -> bool {
        buffer.count.is_some_and(|index| call.mpi.params[index].is_array())
    }

    /// Where a buffer ends at the latest that begins at `start`; `None` where that is not known.
    fn furthest(
        &self,
        state: &State,
        (call, buffer, neighbours): (&Call<'_>, &Buffer, Option<Neighbours>),
        start: &Linear,
        members: &Ranks,
    ) -> Option<Linear> {
        let facts = &state.facts;
        let bounds = self.bounds(call.at(buffer.datatype)?)?;
        let count = match buffer.scale {
            Scale::PerPartition => {
                let each = call.at(buffer.count)?.as_int()?;
                each.times(call.value(Role::PartitionCount)?.as_int()?)?
            }
            _ => self.number_of_elements((call, buffer, neighbours))?,
        };
        let count = members.settle(&count, facts);
        let none =
            members.maximise(&count, facts).is_some_and(|most| facts.le(&most, &0.into()) == Truth::Yes);
        if bounds.size == 0 || none {
            return Some(start.clone());
        }
        let others =
            if bounds.extent() < 0 { Linear::zero() } else { count.offset(-1)?.scale(bounds.extent())? };
        start.add(&others)?.offset(bounds.true_upper)
    }

    /// Reports a collective call whose buffers share a byte on all members of the set, one of which it writes (MPI-4.1 section 6.2).
    fn check_alias(&mut self, state: &State, set: &ProcessSet, call: &Call<'_>) {
        let [first, second] = match call.mpi.buffers().collect::<Vec<_>>()[..] {
            [first, second] if call.mpi.is_collective() => [first, second],
            _ => return,
        };
        let place = |buffer: &Buffer| call.at(Some(buffer.param)).and_then(address);
        let (Some((object, start)), Some((other, begin))) = (place(first), place(second)) else { return };
        // One that stands for several may be two.
        if object != other || set.memory.get(object).is_some_and(|content| content.summary) {
            return;
        }
        let members = [first, second].map(|buffer| self.users(state, set, call, buffer));
        let [Some(one), Some(two)] = members else { return };
        let members = if first.root_only { one } else { two };
        let is_dense = |buffer: &Buffer| {
            let bounds = call.at(buffer.datatype).and_then(|datatype| self.bounds(datatype));
            bounds.is_some_and(|bounds| bounds.size == bounds.extent() && bounds.true_lower == 0)
        };
        if !is_dense(first) || !is_dense(second) {
            return;
        }
        let (Some(a), Some(b)) = (
            self.reach(state, (call, first, None), start, &members),
            self.reach(state, (call, second, None), begin, &members),
        ) else {
            return;
        };
        let facts = &state.facts;
        let is_above = |a: &Linear, b: &Linear| {
            let gap = a.sub(b).map(|gap| members.settle(&gap, facts));
            let least = gap.and_then(|gap| members.minimise(&gap, facts));
            least.is_some_and(|least| facts.le(&1.into(), &least) == Truth::Yes)
        };
        if !is_above(&a.to, &b.from) || !is_above(&b.to, &a.from) {
            return;
        }
        let hint = if first.in_place.is_some() { "; MPI_IN_PLACE is for that" } else { "" };
        let message = format!("the two buffers of {} overlap{hint}", call.mpi.name);
        self.judge(Rule::BufferAlias, state, &members, (set, self.span(call, second.param)), message);
    }

    /// Reports a root that gives no buffer where it needs one.
    fn check_null(
        &mut self,
        state: &State,
        set: &ProcessSet,
        (call, buffer): (&Call<'_>, &Buffer),
        members: &Ranks,
    ) {
        if !buffer.root_only || self.reach(state, (call, buffer, None), &Linear::zero(), members).is_none() {
            return;
        }
        let message = format!("the buffer of {} is NULL at the root", call.mpi.name);
        self.judge(Rule::InvalidBuffer, state, members, (set, self.span(call, buffer.param)), message);
    }

    /// Reports a defect. With a number of processes that is fixed it does not show whether a length depends on that number, so then it is
    /// kept in mind only, and confirms what is found for any number of processes.
    fn judge(
        &mut self,
        rule: Rule,
        state: &State,
        members: &Ranks,
        (set, span): (&ProcessSet, Span),
        message: String,
    ) {
        let function = set.frame().function;
        if self.fixed.is_some() {
            self.suspected.insert((rule, function, span));
        } else {
            self.report(rule, state, members, (function, span), message, Vec::new());
        }
    }

    /// Which bytes of its object a buffer covers that begins at `start`; `None` where that is not known, or there may be none.
    fn reach(
        &self,
        state: &State,
        (call, buffer, neighbours): (&Call<'_>, &Buffer, Option<Neighbours>),
        start: &Linear,
        members: &Ranks,
    ) -> Option<Reach> {
        let facts = &state.facts;
        let datatype = call.at(buffer.datatype)?;
        let bounds = self.bounds(datatype)?;
        let count = members.settle(&self.number_of_elements((call, buffer, neighbours))?, facts);
        let least = members.minimise(&count, facts)?;
        if bounds.size == 0 || facts.le(&1.into(), &least) != Truth::Yes {
            return None;
        }
        // From the first copy to the last one.
        let others = count.offset(-1)?.scale(bounds.extent())?;
        let (low, high) =
            if bounds.extent() < 0 { (others, Linear::zero()) } else { (Linear::zero(), others) };
        let from = start.add(&low)?.offset(bounds.true_lower)?;
        let to = start.add(&high)?.offset(bounds.true_upper)?;
        Some(Reach { from, to })
    }

    /// How many elements of its datatype a buffer has.
    fn number_of_elements(
        &self,
        (call, buffer, neighbours): (&Call<'_>, &Buffer, Option<Neighbours>),
    ) -> Option<Linear> {
        match (buffer.scale, buffer.count) {
            (Scale::One, _) => Some(Linear::from(1)),
            (_, Some(index)) if call.mpi.params[index].is_array() => None,
            (Scale::Count, Some(index)) => call.at(Some(index))?.as_int().cloned(),
            (Scale::PerProcess, Some(index)) => {
                let group = &self.communicator(call).ok()?.group;
                if matches!(group, Group::Sides(..)) {
                    return None;
                }
                call.at(Some(index))?.as_int()?.times(&group.size()?)
            }
            (Scale::PerInNeighbor, Some(index)) => call.at(Some(index))?.as_int()?.scale(neighbours?.before),
            (Scale::PerOutNeighbor, Some(index)) => call.at(Some(index))?.as_int()?.scale(neighbours?.after),
            _ => None,
        }
    }

    fn span(&self, call: &Call<'_>, index: usize) -> Span {
        call.args.get(index).map_or(call.span, |arg| arg.span)
    }
}

fn verb(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "reads",
        Direction::Out => "writes",
        Direction::InOut => "accesses",
    }
}
