//! Loops that fill arrays: what one that does not communicate does in all its rounds together.
//!
//! Code that is passed over leaves no more than that its results are a function of its inputs. Where each round of a loop does the same
//! to counters that move by a constant, and the condition compares such a counter with a bound, the number of rounds is known; what
//! is stored at equal distances is then a [`Series`]. The argument is by induction over the rounds: at the start of round `k`
//! a counter is its value before the loop and `k` steps, nothing is taken to be known of whatever else the loop writes, and all
//! other memory is as it was before.
//!
//! Where a round has branches that ask for a remainder (`if (i % 2 == 0) list[n++] = i;`), so many rounds in succession do the same
//! as the next so many, and the argument is about these: what the `j`-th of them stores is a series of its own, with an element for
//! each time that there is a `j`-th round.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{BinaryOp, BlockId, Cfg, Expr, ExprKind, Inst, InstKind, Place, Terminator, Type};
use lattice::{Constraints, Linear, Symbol, SymbolKind, Truth};

use super::determinism::Passed;
use super::eval::{Location, Scope};
use super::memory::{Content, Memory, ObjectId};
use super::series::Series;
use super::value::Value;

/// Series of one object.
const SERIES_LIMIT: usize = 8;

/// Rounds after which a loop does the same again.
const PERIOD_LIMIT: i64 = 8;

/// One round of a loop.
struct Round<'c> {
    cfg: &'c Cfg,
    /// From the branch that leaves the loop to where it stands again.
    blocks: Vec<BlockId>,
    /// Where that branch is, and where a round begins.
    head: BlockId,
    first: BlockId,
    condition: &'c Expr,
    /// The outcome of the condition on which the loop goes on.
    goes_on: bool,
    /// Rounds after which its branches go the same ways again; `None` where it has none.
    period: Option<i64>,
}

/// A scalar that a round stores.
struct Store {
    /// In which of the rounds of a period.
    phase: i64,
    object: ObjectId,
    offset: Option<Linear>,
    size: u64,
    value: Value,
    is_integer: bool,
}

/// A number that each period moves by the same step.
struct Counter {
    offset: i64,
    size: u64,
    before: Linear,
    /// How far each round of a period moves it.
    steps: Vec<i64>,
}

impl Counter {
    /// How far a period moves it.
    fn step(&self) -> Option<i64> {
        self.steps.iter().try_fold(0_i64, |sum, step| sum.checked_add(*step))
    }

    /// How far each round moves it, where all do alike.
    fn steady_step(&self) -> Option<i64> {
        let first = *self.steps.first()?;
        self.steps.iter().all(|step| *step == first).then_some(first)
    }
}

/// What is known after a loop besides what is known of code that is passed over.
pub(crate) struct Filled {
    arrays: Vec<(ObjectId, Content, Vec<Series>)>,
    counters: Vec<(ObjectId, i64, u64, Linear)>,
}

impl<'p> Scope<'_, 'p> {
    /// What a loop that begins with a branch leaves in the arrays that it fills, where that has a form; nothing is changed. `end` is
    /// where the loop goes when it ends.
    pub(crate) fn filled(&mut self, code: &Passed<'_>, end: BlockId) -> Option<Filled> {
        let round = self.round(code, end)?;
        let written = self.written_by(&round)?;
        let counters = self.counters(&round, &written)?;
        let period = round.period.unwrap_or(1);
        // Symbols are numbered in the order in which they are made: what depends on the number of the round comes after it.
        let index = self.engine.symbols.fresh(SymbolKind::Joined);
        let at = Linear::from(index);
        let mut facts = self.facts.clone();
        facts.assume_le(&Linear::zero(), &at)?;
        let mut memory = self.before_round(&written);
        for (&object, counter) in &counters {
            if let Some(step) = counter.steady_step() {
                let value = Value::Int(counter.before.add_scaled(&at, step)?);
                memory.write(object, counter.offset, counter.size, value);
            }
        }
        let (room, slope) = self.elsewhere(&mut facts, &mut memory).way_to_go(&round, index)?;
        // Where the loop may not begin, the series may have fewer than no elements.
        let begins = self.facts.le(&Linear::zero(), &room) == Truth::Yes;
        let Value::Int(rounds) = self.integer(BinaryOp::Div, &room, &slope.into()).ok()? else { return None };
        if !begins && (slope, period) != (1, 1) {
            return None;
        }
        let times =
            (0..period).map(|phase| self.times(&rounds, phase, period)).collect::<Option<Vec<_>>>()?;
        let mut facts = self.facts.clone();
        facts.assume_le(&Linear::zero(), &at)?;
        facts.assume_le(&at.scale(period)?, &rounds.offset(-1)?)?;
        let mut memory = self.at_period(&written, &counters, &at)?;
        let stores = self.elsewhere(&mut facts, &mut memory).execute(&round)?;
        let mut by_object: BTreeMap<ObjectId, Vec<&Store>> = BTreeMap::new();
        for store in &stores {
            by_object.entry(store.object).or_default().push(store);
        }
        let mut filled = Filled { arrays: Vec::new(), counters: Vec::new() };
        for (object, stores) in by_object {
            if let Some(counter) = counters.get(&object) {
                let next = at.offset(1)?;
                let expected = Value::Int(counter.before.add_scaled(&next, counter.step()?)?);
                if stores.last().is_some_and(|store| store.value != expected) {
                    return None;
                }
                if begins {
                    let after = match counter.steady_step() {
                        Some(step) => counter.before.add_scaled(&rounds, step)?,
                        None => counter
                            .steps
                            .iter()
                            .zip(&times)
                            .try_fold(counter.before.clone(), |sum, (step, times)| {
                                sum.add_scaled(times, *step)
                            })?,
                    };
                    filled.counters.push((object, counter.offset, counter.size, after));
                }
            } else if self.engine.decides(object)
                && let Some(series) = all_series(&stores, index, &times, self.facts)
            {
                self.engine.ensure(self.memory, object);
                let before = self.memory.get(object)?.clone();
                if !before.summary {
                    filled.arrays.push((object, before, series));
                }
            }
        }
        (!filled.arrays.is_empty()).then_some(filled)
    }

    /// How many of some rounds are the one with this number of a period.
    fn times(&mut self, rounds: &Linear, phase: i64, period: i64) -> Option<Linear> {
        if period == 1 {
            return Some(rounds.clone());
        }
        let reached = rounds.offset(period - 1 - phase)?;
        match self.integer(BinaryOp::Div, &reached, &period.into()) {
            Ok(Value::Int(times)) => Some(times),
            _ => None,
        }
    }

    /// Makes memory, of which no more is known than that the loop has been passed over, hold what it leaves in arrays and counters.
    pub(crate) fn fill_in(&mut self, filled: Filled) {
        for (object, content, series) in filled.arrays {
            *self.memory.content(object) = content;
            for series in series {
                self.add_series(object, series);
            }
        }
        for (object, offset, size, value) in filled.counters {
            self.memory.write(object, offset, size, Value::Int(value));
        }
    }

    /// Writes the elements of a series.
    pub(crate) fn add_series(&mut self, object: ObjectId, mut series: Series) {
        let Some(content) = self.memory.get(object) else { return };
        let mut kept = content.series.clone();
        kept.retain(|old| !series.covers(old, self.facts));
        // One element of many may be replaced.
        let parts = |old: Series| old.around(&series, self.facts).unwrap_or_else(|| vec![old]);
        kept = kept.into_iter().flat_map(parts).collect();
        if kept.len() < SERIES_LIMIT && kept.iter().all(|old| old.is_apart(&series, self.facts)) {
            // The first round may have been followed by itself.
            kept.retain(|old| match series.joined(old, self.facts) {
                Some(longer) => {
                    series = longer;
                    false
                }
                None => true,
            });
            self.memory.content(object).series = kept;
        } else {
            self.engine.dissolve(self.memory, object);
        }
        let content = self.memory.content(object);
        while let (Some(longer), Ok(size)) = (series.preceded(self.facts), u64::try_from(series.size))
            && let Some(offset) = self.facts.constant(&longer.start)
            && content.series.iter().all(|other| other.is_apart(&longer, self.facts))
            && content.read_below(offset, size) == Value::Int(longer.base.clone())
            && content.cells.remove(&offset).is_some()
        {
            series = longer;
        }
        content.series.push(series);
    }

    /// The loop that some code is, if it is one without branches that only computes.
    fn round<'c>(&self, code: &Passed<'c>, end: BlockId) -> Option<Round<'c>> {
        let Terminator::Branch { condition, then, otherwise } = &code.cfg.graph[code.start].terminator else {
            return None;
        };
        let (first, goes_on) = match (*then == end, *otherwise == end) {
            (false, true) => (*then, true),
            (true, false) => (*otherwise, false),
            _ => return None,
        };
        // The blocks of a round.
        let mut blocks = vec![code.start];
        let mut divisors = Vec::new();
        let mut work = vec![first];
        while let Some(next) = work.pop() {
            if blocks.contains(&next) {
                continue;
            }
            blocks.push(next);
            match &code.cfg.graph[next].terminator {
                Terminator::Goto(after) => work.push(*after),
                Terminator::Branch { condition, then, otherwise } => {
                    divisors.push(divisors_in(condition));
                    work.extend([*then, *otherwise]);
                }
                _ => return None,
            }
        }
        let period = divisors.iter().flatten().try_fold(1, |all, &one| least_common_multiple(all, one))?;
        let mut insts = blocks.iter().flat_map(|&block| &code.cfg.graph[block].insts);
        let function = self.engine.program.function(self.function);
        // How several threads share the rounds is not known.
        let is_plain = |inst: &Inst| {
            let plain = match &inst.kind {
                InstKind::Assign(place, _) => !self.is_aggregate(place.ty) && self.bit_field(place).is_none(),
                InstKind::Declare(_) => true,
                InstKind::Opaque { .. } | InstKind::Call { .. } => false,
            };
            plain && !function.executed_by_several_threads(inst.span)
        };
        let same =
            blocks.len() == code.blocks.len() && code.blocks.iter().all(|block| blocks.contains(block));
        (same && insts.all(is_plain)).then_some(Round {
            cfg: code.cfg,
            blocks,
            head: code.start,
            first,
            condition,
            goes_on,
            period: (!divisors.is_empty()).then_some(period),
        })
    }

    /// The same scope in another memory with other facts.
    fn elsewhere<'e>(&'e mut self, facts: &'e mut Constraints, memory: &'e mut Memory) -> Scope<'e, 'p> {
        let Self { function, context, ranks, .. } = *self;
        Scope { engine: self.engine, facts, ranks, memory, function, context }
    }

    /// Memory at the start of some round, of which is known what the loop does not change.
    fn before_round(&mut self, written: &BTreeSet<ObjectId>) -> Memory {
        let mut memory = self.memory.clone();
        for &object in written {
            self.engine.ensure(&mut memory, object);
            memory.content(object).forget();
        }
        memory
    }

    /// Memory at the start of some period.
    fn at_period(
        &mut self,
        written: &BTreeSet<ObjectId>,
        counters: &BTreeMap<ObjectId, Counter>,
        at: &Linear,
    ) -> Option<Memory> {
        let mut memory = self.before_round(written);
        for (&object, counter) in counters {
            let value = Value::Int(counter.before.add_scaled(at, counter.step()?)?);
            memory.write(object, counter.offset, counter.size, value);
        }
        Some(memory)
    }

    /// The objects that the rounds of a loop write to; `None` where that is not known.
    fn written_by(&mut self, round: &Round<'_>) -> Option<BTreeSet<ObjectId>> {
        let mut written = BTreeSet::new();
        loop {
            let (mut facts, mut memory) = (self.facts.clone(), self.before_round(&written));
            let stores = self.elsewhere(&mut facts, &mut memory).stores(round)?;
            let before = written.len();
            written.extend(stores.iter().map(|store| store.object));
            if written.len() == before {
                return Some(written);
            }
        }
    }

    /// The counters of a loop: what is stored in one place only, and moved by a constant there.
    fn counters(
        &mut self,
        round: &Round<'_>,
        written: &BTreeSet<ObjectId>,
    ) -> Option<BTreeMap<ObjectId, Counter>> {
        let (mut facts, mut memory) = (self.facts.clone(), self.before_round(written));
        let stores = self.elsewhere(&mut facts, &mut memory).stores(round)?;
        let (mut facts, mut memory) = (self.facts.clone(), self.before_round(written));
        let mut candidates = BTreeMap::new();
        for store in &stores {
            let only = stores.iter().filter(|other| other.object == store.object).count() == 1;
            let location = Location { object: store.object, offset: store.offset.clone() };
            let offset = store.offset.as_ref().and_then(Linear::as_constant);
            if let (true, Some(offset)) = (only && store.is_integer, offset)
                && let Value::Int(before) = self.read_sized(&location, store.size)
                && before.is_uniform()
            {
                let symbol = self.engine.symbols.fresh(SymbolKind::Joined);
                if self.facts.le(&Linear::zero(), &before) == Truth::Yes {
                    facts.learn(&Linear::zero(), &symbol.into());
                }
                memory.write(store.object, offset, store.size, Value::Int(symbol.into()));
                let counter = Counter { offset, size: store.size, before, steps: Vec::new() };
                candidates.insert(store.object, (symbol, counter));
            }
        }
        let period = usize::try_from(round.period.unwrap_or(1)).ok()?;
        let stores = self.elsewhere(&mut facts, &mut memory).steady_stores(round)?;
        let mut counters = BTreeMap::new();
        for store in stores {
            if let Some((symbol, counter)) = candidates.get(&store.object)
                && let Some((moved, step)) = store.value.as_int().and_then(Linear::as_offset)
                && moved == *symbol
            {
                let Counter { offset, size, before, .. } = counter;
                let (offset, size, before) = (*offset, *size, before.clone());
                counters.insert(store.object, Counter { offset, size, before, steps: vec![step; period] });
            }
        }
        if round.period.is_none() {
            return Some(counters);
        }
        // Which ways the branches go is known by those that all rounds move alike; some may move others.
        let index = self.engine.symbols.fresh(SymbolKind::Joined);
        facts.assume_le(&Linear::zero(), &index.into())?;
        let mut memory = self.at_period(written, &counters, &index.into())?;
        candidates.retain(|object, _| !counters.contains_key(object));
        for (object, (symbol, counter)) in &candidates {
            memory.write(*object, counter.offset, counter.size, Value::Int((*symbol).into()));
        }
        let stores = self.elsewhere(&mut facts, &mut memory).execute(round)?;
        for (object, (symbol, counter)) in candidates {
            let mut steps = vec![0; period];
            let mut moved_so_far = 0_i64;
            let mut moves = stores.iter().filter(|store| store.object == object);
            let known = moves.all(|store| {
                let phase = usize::try_from(store.phase).ok();
                let Some((moved, far)) = store.value.as_int().and_then(Linear::as_offset) else {
                    return false;
                };
                let (Some(step), Some(phase)) = (far.checked_sub(moved_so_far), phase) else { return false };
                moved_so_far = far;
                steps[phase] = step;
                moved == symbol
            });
            if known {
                counters.insert(object, Counter { steps, ..counter });
            }
        }
        Some(counters)
    }

    /// What the rounds of a period store, in order, where nothing is known of what they have stored before; without branches, of what
    /// other rounds have. `None` where that is not known.
    fn stores(&mut self, round: &Round<'_>) -> Option<Vec<Store>> {
        match round.period {
            Some(_) => self.flat_stores(round, |_| true),
            None => self.execute(round),
        }
    }

    /// The same without what is not stored in each round.
    fn steady_stores(&mut self, round: &Round<'_>) -> Option<Vec<Store>> {
        match round.period {
            Some(_) => self.flat_stores(round, |block| !round.may_avoid(block)),
            None => self.execute(round),
        }
    }

    /// What some blocks of a round store, each as if nothing had been stored in the round before.
    fn flat_stores(&mut self, round: &Round<'_>, chosen: impl Fn(BlockId) -> bool) -> Option<Vec<Store>> {
        let mut stores = Vec::new();
        for inst in
            round.blocks.iter().filter(|block| chosen(**block)).flat_map(|&b| &round.cfg.graph[b].insts)
        {
            if let InstKind::Assign(place, value) = &inst.kind {
                let value = self.eval_data(place, value).unwrap_or(Value::Unknown);
                stores.push(self.store(place, value, 0)?);
            }
        }
        Some(stores)
    }

    /// A scalar that is stored; `None` where it is not known in which object.
    fn store(&mut self, place: &Place, value: Value, phase: i64) -> Option<Store> {
        let Location { object, offset } = self.locate(place).ok()??;
        let is_integer = matches!(self.unit().types.get(place.ty), Type::Int(_) | Type::Enum(..));
        Some(Store { phase, object, offset, size: self.size_of(place.ty)?, value, is_integer })
    }

    /// Executes the rounds of a period; what they store, in order. `None` where that is not known.
    fn execute(&mut self, round: &Round<'_>) -> Option<Vec<Store>> {
        let mut stores = Vec::new();
        for phase in 0..round.period.unwrap_or(1) {
            let mut passed = Vec::new();
            let mut block = round.first;
            loop {
                if passed.contains(&block) {
                    return None;
                }
                passed.push(block);
                for inst in &round.cfg.graph[block].insts {
                    self.execute_inst(inst, phase, &mut stores)?;
                }
                if block == round.head {
                    break;
                }
                block = match &round.cfg.graph[block].terminator {
                    Terminator::Goto(next) => *next,
                    Terminator::Branch { condition, then, otherwise } => {
                        let value = self.eval(condition).ok()?;
                        if self.truth(&value).ok()?? { *then } else { *otherwise }
                    }
                    _ => return None,
                };
            }
        }
        Some(stores)
    }

    fn execute_inst(&mut self, inst: &Inst, phase: i64, stores: &mut Vec<Store>) -> Option<()> {
        match &inst.kind {
            InstKind::Declare(local) => {
                let object = self.engine.local_object(self.function, self.context, *local);
                self.memory.remove(object);
            }
            InstKind::Assign(place, value) => {
                let value = self.eval_data(place, value).ok()?;
                let store = self.store(place, value.clone(), phase)?;
                self.assign(place, value).ok()?;
                stores.push(store);
            }
            InstKind::Opaque { .. } | InstKind::Call { .. } => return None,
        }
        Some(())
    }

    /// How far it is to where the condition ends the loop, in a scope where `index` is the number of the round that begins, and how
    /// far a round goes: the number of rounds is the quotient, and zero where that is negative. `None` where it has no form.
    fn way_to_go(&mut self, round: &Round<'_>, index: Symbol) -> Option<(Linear, i64)> {
        use BinaryOp::{Ge, Gt, Le, Lt, Ne};
        let ExprKind::Binary(op, left, right) = &round.condition.strip_casts().kind else { return None };
        let (left, right) = (self.eval(left).ok()?, self.eval(right).ok()?);
        let (x, y) = (left.as_int()?, right.as_int()?);
        let (forward, backward) = (x.sub(y)?, y.sub(x)?);
        let slope = forward.slope(index)?;
        // The loop goes on as long as this is not positive.
        let test = match (op, round.goes_on) {
            (Le, true) | (Gt, false) => forward,
            (Lt, true) | (Ge, false) => forward.offset(1)?,
            (Ge, true) | (Lt, false) => backward,
            (Gt, true) | (Le, false) => backward.offset(1)?,
            (Ne, true) | (BinaryOp::Eq, false) if slope == 1 => forward.offset(1)?,
            (Ne, true) | (BinaryOp::Eq, false) if slope == -1 => backward.offset(1)?,
            _ => return None,
        };
        let slope = test.slope(index)?;
        let first = invariant(&test, index)?;
        let room = Linear::from(slope).sub(&first)?;
        (slope >= 1).then_some((room, slope))
    }
}

impl Round<'_> {
    /// Whether there is a way through a round that does not come to a block.
    fn may_avoid(&self, block: BlockId) -> bool {
        let mut seen = vec![block];
        let mut work = vec![self.first];
        while let Some(next) = work.pop() {
            if seen.contains(&next) {
                continue;
            }
            if next == self.head {
                return true;
            }
            seen.push(next);
            work.extend(self.cfg.graph[next].terminator.targets());
        }
        false
    }
}

/// By which numbers a condition divides.
fn divisors_in(condition: &Expr) -> Vec<i64> {
    let mut found = Vec::new();
    walk_expr(condition, &mut |part| {
        if let Part::Expr(Expr { kind: ExprKind::Binary(BinaryOp::Rem, _, divisor), .. }) = part
            && let ExprKind::Int(divisor) = divisor.strip_casts().kind
        {
            found.extend(i64::try_from(divisor).ok());
        }
    });
    found
}

/// `None` where it is more than a period may be.
fn least_common_multiple(a: i64, b: i64) -> Option<i64> {
    (1..=PERIOD_LIMIT).find(|n| b != 0 && n % a == 0 && n % b == 0)
}

/// An expression without the number of the round, of which nothing else in it depends on that; `None` where it does, or differs
/// between processes.
fn invariant(expression: &Linear, index: Symbol) -> Option<Linear> {
    own_invariant(expression, index).filter(Linear::is_uniform)
}

/// As [`invariant`], for an expression that may differ between processes.
fn own_invariant(expression: &Linear, index: Symbol) -> Option<Linear> {
    let rest = expression.substitute(index, &Linear::zero())?;
    let made_before = rest.symbols().flat_map(Symbol::factors).all(|symbol| symbol < index);
    made_before.then_some(rest)
}

/// What the rounds of a loop store in an object, where all of it is known and no store changes what another one has stored.
fn all_series(
    stores: &[&Store],
    index: Symbol,
    times: &[Linear],
    facts: &Constraints,
) -> Option<Vec<Series>> {
    let mut found: Vec<Series> = Vec::new();
    for store in stores {
        let next = series(store, index, times.get(usize::try_from(store.phase).ok()?)?)?;
        if !found.iter().all(|series| series.is_apart(&next, facts)) {
            return None;
        }
        found.push(next);
    }
    Some(found)
}

/// What one store of a loop stores in so many rounds.
fn series(store: &Store, index: Symbol, rounds: &Linear) -> Option<Series> {
    // A narrow type may not hold what counters count.
    let size = i64::try_from(store.size).ok().filter(|size| [4, 8].contains(size) && store.is_integer)?;
    let (value, offset) = (store.value.as_int()?, store.offset.as_ref()?);
    let (start, base) = (invariant(offset, index)?, own_invariant(value, index)?);
    let (stride, step) = (offset.slope(index)?, value.slope(index)?);
    if stride.checked_abs()? < size {
        return None;
    }
    if 0 < stride {
        return Some(Series { start, stride, size, count: rounds.clone(), base, step });
    }
    let last = rounds.offset(-1)?;
    Some(Series {
        start: start.add_scaled(&last, stride)?,
        stride: stride.checked_neg()?,
        size,
        count: rounds.clone(),
        base: base.add_scaled(&last, step)?,
        step: step.checked_neg()?,
    })
}
