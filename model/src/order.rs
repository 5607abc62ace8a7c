//! Order: whether anybody waits for ever.
//!
//! An operation has a start and an end. A process does one thing after the other; a receive does not end before its send has started; a send
//! that is not buffered does not end before its receive has started; a nonblocking operation ends where it is waited for. Nobody waits for
//! ever if and only if these dependences have no circle. A *clock* gives each start and each end a time, such that time grows along every
//! dependence: then there is no circle.
//!
//! A time is the position in the text, then 0 for a start or 1 for an end; program order holds by itself then, and only messages are
//! compared. Where they do not agree with the text, such as in a chain that receives first, the numbers of the text between a send and its
//! receive are one *group*, in which a number comes first that is the same for all that a process does there. What stands before or behind
//! the group keeps its order.

use presburger::{Constraint, Names, Relation, Set};

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::{Kind, Operation, Program};

/// Pairs of numbers in the text that do not agree with a message, at most.
const PAIRS: usize = 200;
/// Numbers that processes may be counted from, at most.
const NUMBERS: usize = 3;
/// Operations of a program that is tried with turns, at most.
const TURNING: usize = 8;
/// Coordinates of processes of which sums are tried, at most.
const COORDINATES: usize = 3;

/// A clock: what stands in front of the position in the text, or instead of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Nothing.
    Text,
    /// A sum of the coordinates of the process, with these factors, in groups of the number of the position with this index: what is upstream
    /// comes first.
    Process(Vec<i64>, usize),
    /// The same with the ranks of the processes in a communicator, or a sum of their digits.
    Rank(usize, Vec<i64>, usize),
    /// A coordinate of the process, up or down, beginning with what a number of the position says: a ring that is entered at another place in
    /// each round.
    Turn(Turn),
    /// A number for the start of each operation and one for its end, in the order of the operations.
    Phases(Vec<(i64, i64)>),
    /// Positions in time that have nothing to do with the text.
    Schedule,
}

/// What processes are counted from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TurnsAt {
    /// The number of the position with this index, such as the counter of a loop.
    Position(usize),
    /// What this says, which is the same in all rounds: `np - 1`, or a parameter.
    Number(String),
}

/// Where processes are counted from in a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The coordinate of the process.
    pub coordinate: usize,
    /// 1 for up, -1 for down.
    pub sign: i64,
    /// What processes are counted from: those from it on come first.
    pub from: TurnsAt,
    /// Those after it come first, and it comes last.
    pub is_last: bool,
    /// The index of the number of the position in groups of which it holds.
    pub depth: usize,
}

impl Clock {
    /// The same in groups of the number of the position with this index.
    fn at(self, depth: usize) -> Self {
        match self {
            Self::Process(factors, _) => Self::Process(factors, depth),
            Self::Rank(communicator, factors, _) => Self::Rank(communicator, factors, depth),
            Self::Turn(turn) => Self::Turn(Turn { depth, ..turn }),
            other => other,
        }
    }
}

/// Times of the starts of sends, and of the starts and ends of receives and of collective operations.
struct Times {
    sends: Relation,
    receives: (Relation, Relation),
    collectives: (Relation, Relation),
    /// Ends of those sends alone that have to wait for their receive.
    waiting: Relation,
}

impl Program {
    /// A clock, if one is found: then nobody waits for ever but for what no other side meets (`sends_left`, `receives_left`).
    ///
    /// `together` is what [`Program::collectives`] says: no collective operation is taken to be complete before all have begun it, though
    /// the standard only allows that.
    ///
    /// Where `is_unbuffered`, no send ends before its receive has started, as is allowed by the standard (MPI-4.1 section 3.4); else only
    /// those that are synchronous wait for that.
    ///
    /// `None` where none of those that are tried is a clock, which is no proof that somebody waits.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn clock(
        &self,
        matching: &Matching,
        together: &Relation,
        is_unbuffered: bool,
    ) -> Result<Option<Clock>> {
        if !self.ends_come_after_starts()? {
            return Ok(None);
        }
        let text = self.times(is_unbuffered, &|_, relation| Ok(relation.clone()))?;
        if text.grow_along(matching, together)? {
            return Ok(Some(Clock::Text));
        }
        // What one digit of a process is may differ by round: then a sum of digits is no time that holds for all rounds.
        let has_rounds = self.has_any_rounds_among_others();
        if has_rounds && self.digits.is_some() {
            return Ok(None);
        }
        let mut sums: Vec<(Relation, Clock)> = Vec::new();
        for factors in leads(self.coordinates()?) {
            sums.push((self.sum(&factors)?, Clock::Process(factors, 0)));
        }
        for (&communicator, ranks) in &self.ranks {
            for factors in leads(ranks.parts()?.first().map_or(0, |(_, rank, _)| rank.length)) {
                sums.push((self.rank(ranks, &factors)?, Clock::Rank(communicator, factors, 0)));
            }
        }
        for depth in (0..self.length()?).rev() {
            let Some(groups) = self.groups(matching, is_unbuffered, depth)? else { continue };
            for (sum, clock) in &sums {
                let lead = |operation: &Operation, position: &Relation| {
                    groups.time(&operation.process.apply_range(sum)?, position)
                };
                if self.times(is_unbuffered, &lead)?.grow_along(matching, together)? {
                    return Ok(Some(clock.clone().at(depth)));
                }
            }
        }
        if let Some(clock) = self.turn(matching, together, is_unbuffered)? {
            return Ok(Some(clock));
        }
        // These hold within a round.
        if has_rounds {
            return Ok(None);
        }
        if let Some(clock) = self.phases(matching, together, is_unbuffered)? {
            return Ok(Some(clock));
        }
        Ok(self.is_scheduled(matching, together, is_unbuffered)?.then_some(Clock::Schedule))
    }

    /// A clock of a ring that is entered at another place in each round.
    fn turn(&self, matching: &Matching, together: &Relation, is_unbuffered: bool) -> Result<Option<Clock>> {
        let (length, coordinates) = (self.length()?, self.coordinates()?);
        if self.operations.len() > TURNING {
            return Ok(None);
        }
        let mut numbers: Vec<TurnsAt> = Vec::new();
        if self.digits.is_none() {
            let known = self.known.parameters()?.into_iter();
            let known = known.map(|name| if name == "np" { "np - 1".to_owned() } else { name });
            numbers.extend(known.take(NUMBERS).map(TurnsAt::Number));
        }
        // A position is text, counter, text and so on.
        for depth in (0..length).step_by(2).rev() {
            let Some(groups) = self.groups(matching, is_unbuffered, depth)? else { continue };
            let counters = (1..depth).step_by(2).rev().map(TurnsAt::Position);
            for from in counters.chain(numbers.iter().cloned()) {
                for coordinate in (0..coordinates).rev() {
                    for (sign, is_last) in [(1, false), (-1, false), (1, true), (-1, true)] {
                        let turn = Turn { coordinate, sign, from: from.clone(), is_last, depth };
                        let lead = turn.lead(self)?;
                        let time = |operation: &Operation, position: &Relation| {
                            let place = operation.process.flat_range_product(position)?;
                            groups.time(&place.apply_range(&lead)?, position)
                        };
                        if self.times(is_unbuffered, &time)?.grow_along(matching, together)? {
                            return Ok(Some(Clock::Turn(turn)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn ends_come_after_starts(&self) -> Result<bool> {
        for operation in self.operations.iter().filter(|operation| operation.completion.is_some()) {
            let of_it = [operation];
            let start = self.all(of_it, |operation| Ok(operation.position.clone()))?;
            let end = self.all(of_it, |operation| Ok(operation.end().clone()))?;
            let itself = start.domain()?.identity()?;
            if !start.domain()?.is_subset(&end.domain()?)? || !itself.is_subset(&start.lex_le(&end)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many numbers a position has.
    fn length(&self) -> Result<usize> {
        let Some(first) = self.operations.first() else { return Ok(0) };
        Ok(first.position.parts()?.first().map_or(0, |(_, to, _)| to.length))
    }

    /// The groups of the numbers at one place of the position that hold together what does not agree with the text. `None` where that differs
    /// before this place, or has no bounds.
    fn groups(&self, matching: &Matching, is_unbuffered: bool, depth: usize) -> Result<Option<Groups>> {
        let Times { sends, receives, waiting, .. } =
            self.times(is_unbuffered, &|_, relation| Ok(relation.clone()))?;
        let mut ends: Vec<(i64, i64)> = Vec::new();
        let waits = matching.candidates.inverse()?.intersect_range(&waiting.domain()?)?;
        for (messages, from, to) in
            [(&matching.awaited, &sends, &receives.1), (&waits, &receives.0, &waiting)]
        {
            // Pairs of positions that do not grow, then of their numbers at this place: those of two calls are enough with their equations.
            let length = self.length()?;
            let wrong = messages.subtract(&from.lex_le(to)?)?;
            for (_, _, part) in wrong.parts()? {
                let numbers = from.inverse()?.intersect_range(&part.domain()?)?;
                let mut numbers = numbers.apply_range(&part)?.apply_range(to)?.affine_hull()?;
                for name in numbers.parameters()? {
                    numbers = numbers.project_out_parameter(&name)?;
                }
                if numbers.is_empty()? {
                    continue;
                }
                let first = |relation: &Relation| -> Result<Relation> {
                    Ok(relation.project_out_domain(depth..length)?.project_out_range(depth..length)?)
                };
                let is_same =
                    0 == depth || first(&numbers)?.is_subset(&first(&numbers)?.domain()?.identity()?)?;
                let here =
                    numbers.project_out_domain(depth + 1..length)?.project_out_range(depth + 1..length)?;
                let here = here.project_out_domain(0..depth)?.project_out_range(0..depth)?;
                let Ok(pairs) = here.pairs(PAIRS) else { return Ok(None) };
                if !is_same {
                    return Ok(None);
                }
                for pair in pairs {
                    if let ([from], [to]) = (&pair.from.coordinates[..], &pair.to.coordinates[..]) {
                        ends.push(((*from).min(*to), (*from).max(*to)));
                    }
                }
            }
        }
        // Those that overlap are one.
        ends.sort_unstable();
        let mut groups: Vec<(i64, i64)> = Vec::new();
        for (low, high) in ends {
            match groups.last_mut() {
                Some(last) if low <= last.1 => last.1 = last.1.max(high),
                _ => groups.push((low, high)),
            }
        }
        Groups::new(self, depth, &groups).map(Some)
    }

    /// How many coordinates a process has.
    fn coordinates(&self) -> Result<usize> {
        let Some(first) = self.operations.first() else { return Ok(0) };
        Ok(first.process.parts()?.first().map_or(0, |(_, to, _)| to.length))
    }

    /// From numbers to their sum with factors.
    fn sum(&self, factors: &[i64]) -> Result<Relation> {
        let names: Vec<String> = (0..factors.len()).map(|at| format!("p{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let process = Names { tuple: "", coordinates: &names };
        let sum = Names { tuple: "", coordinates: &["sum"] };
        let factors = factors.iter().copied().chain([-1]).collect();
        let equation = Constraint { is_equation: true, factors, constant: 0 };
        Ok(Relation::of(self.known.context(), &[], &process, &sum, 0, &[equation])?)
    }

    /// From a process to a sum of the digits of its rank in a communicator; to 0 where it has none.
    fn rank(&self, ranks: &Relation, factors: &[i64]) -> Result<Relation> {
        let context = self.known.context();
        let all = self.all(&self.operations, |operation| Ok(operation.process.clone()))?.range()?;
        let others = all.subtract(&ranks.domain()?)?;
        let sum = ranks.apply_range(&self.sum(factors)?)?;
        Ok(sum.union(&others.cross(&Set::parse(context, "{ [0] }")?)?)?)
    }

    fn times(
        &self,
        is_unbuffered: bool,
        time: &dyn Fn(&Operation, &Relation) -> Result<Relation>,
    ) -> Result<Times> {
        let of = |chosen: &dyn Fn(&Operation) -> bool, is_end: bool| {
            let chosen = self.operations.iter().filter(|operation| chosen(operation));
            self.all(chosen, |operation| {
                time(operation, if is_end { operation.end() } else { &operation.position })
            })
        };
        let (is_receive, is_collective) = (Operation::is_receive, Operation::is_collective);
        let waits = |operation: &Operation| waits(operation, is_unbuffered);
        Ok(Times {
            sends: of(&Operation::is_send, false)?,
            receives: (of(&is_receive, false)?, of(&is_receive, true)?),
            collectives: (of(&is_collective, false)?, of(&is_collective, true)?),
            waiting: of(&waits, true)?,
        })
    }

    /// Numbers for starts and ends, such that time grows: the least ones, if there are any.
    fn phases(&self, matching: &Matching, together: &Relation, is_unbuffered: bool) -> Result<Option<Clock>> {
        let count = self.operations.len();
        // Starts, then ends: from each instance to its process, and to its place.
        let mut moments: Vec<(Relation, Relation)> = Vec::new();
        for place in [Operation::start, Operation::end] {
            for operation in &self.operations {
                let process = self.all([operation], |operation| Ok(operation.process.clone()))?;
                moments.push((process, self.all([operation], |operation| Ok(place(operation).clone()))?));
            }
        }
        let mut least: Vec<(usize, usize, i64)> = (0..count).map(|start| (start, start + count, 0)).collect();
        for (x, (process, place)) in moments.iter().enumerate() {
            for (y, (other_process, other_place)) in moments.iter().enumerate() {
                let same = process.apply_range(&other_process.inverse()?)?;
                if !place.lex_lt(other_place)?.is_disjoint(&same)? {
                    least.push((x, y, 0));
                }
            }
        }
        let is_by_text = |pairs: &Relation, start: usize, end: usize| -> Result<bool> {
            Ok(pairs.is_subset(&moments[start].1.lex_le(&moments[end].1)?)?)
        };
        let operations = || self.operations.iter().enumerate();
        for (s, send) in operations().filter(|(_, operation)| operation.is_send()) {
            let of_send = [&matching.awaited, &matching.candidates];
            for (r, receive) in operations().filter(|(_, operation)| operation.is_receive()) {
                let met = |of: &Relation| -> Result<Relation> {
                    Ok(of.intersect_domain(&send.domain()?)?.intersect_range(&receive.domain()?)?)
                };
                let [awaited, met] = of_send.map(met);
                let (awaited, met) = (awaited?, met?);
                if !awaited.is_empty()? {
                    least.push((s, r + count, i64::from(!is_by_text(&awaited, s, r + count)?)));
                }
                if !met.is_empty()? && waits(send, is_unbuffered) {
                    least.push((r, s + count, i64::from(!is_by_text(&met.inverse()?, r, s + count)?)));
                }
            }
        }
        for (s, first) in operations().filter(|(_, operation)| operation.is_collective()) {
            let of_first = together.intersect_domain(&first.domain()?)?;
            for (r, second) in operations().filter(|(_, operation)| operation.is_collective()) {
                let pairs = of_first.intersect_range(&second.domain()?)?;
                if !pairs.is_empty()? {
                    least.push((s, r + count, i64::from(!is_by_text(&pairs, s, r + count)?)));
                }
            }
        }
        let mut phases = vec![0_i64; 2 * count];
        for _ in 0..=2 * count {
            let mut is_done = true;
            for &(x, y, more) in &least {
                if phases[y] < phases[x] + more {
                    phases[y] = phases[x] + more;
                    is_done = false;
                }
            }
            if is_done {
                let (starts, ends) = phases.split_at(count);
                return Ok(Some(Clock::Phases(starts.iter().copied().zip(ends.iter().copied()).collect())));
            }
        }
        Ok(None)
    }
}

/// Groups of the numbers at one place of the position.
struct Groups {
    depth: usize,
    length: usize,
    /// From a position in a group to the first number of the group, and from one in none to its own number.
    inside: Relation,
    outside: Relation,
    /// From any position to 0.
    zero: Relation,
}

impl Turn {
    /// From process and position to whether the process comes first, and to its coordinate.
    fn lead(&self, program: &Program) -> Result<Relation> {
        let process: Vec<String> = (0..program.coordinates()?).map(|at| format!("p{at}")).collect();
        let position: Vec<String> = (0..program.length()?).map(|at| format!("q{at}")).collect();
        let here = &process[self.coordinate];
        let from = match &self.from {
            TurnsAt::Position(at) => &position[*at],
            TurnsAt::Number(number) => number,
        };
        let first = match (self.sign > 0, self.is_last) {
            (true, false) => format!("{here} >= {from}"),
            (true, true) => format!("{here} > {from}"),
            (false, false) => format!("{here} <= {from}"),
            (false, true) => format!("{here} < {from}"),
        };
        let place = [&process[..], &position].concat().join(", ");
        let sign = self.sign;
        let parameters = program.known.parameters()?.join(", ");
        let text = format!(
            "[{parameters}] -> {{ [{place}] -> [0, {sign} * {here}] : {first}; [{place}] -> [1, {sign} * {here}] : not ({first}) }}"
        );
        Ok(Relation::parse(program.known.context(), &text)?)
    }
}

impl Groups {
    fn new(program: &Program, depth: usize, groups: &[(i64, i64)]) -> Result<Self> {
        let context = program.known.context();
        let length = program.length()?;
        let names: Vec<String> = (0..length).map(|at| format!("p{at}")).collect();
        let (position, here) = (names.join(", "), &names[depth]);
        let grouped = groups
            .iter()
            .map(|(low, high)| format!("[{position}] -> [{low}] : {low} <= {here} <= {high}"))
            .collect::<Vec<_>>();
        let inside = Relation::parse(context, &format!("{{ {} }}", grouped.join("; ")))?;
        let itself = Relation::parse(context, &format!("{{ [{position}] -> [{here}] }}"))?;
        let zero = Relation::parse(context, &format!("{{ [{position}] -> [0] }}"))?;
        Ok(Self { depth, length, outside: itself.subtract_domain(&inside.domain()?)?, inside, zero })
    }

    /// A time: the position with the group, and in a group with the leading number, before its number at the place.
    fn time(&self, lead: &Relation, position: &Relation) -> Result<Relation> {
        let first = position.project_out_range(self.depth..self.length)?;
        let last = position.project_out_range(0..self.depth)?;
        let around = |group: &Relation, lead: &Relation| -> Result<Relation> {
            let group = position.apply_range(group)?;
            Ok(first.flat_range_product(&group)?.flat_range_product(lead)?.flat_range_product(&last)?)
        };
        let zero = position.apply_range(&self.zero)?;
        let numbers = lead.parts()?.first().map_or(1, |(_, to, _)| to.length);
        let mut zeros = zero.clone();
        for _ in 1..numbers {
            zeros = zeros.flat_range_product(&zero)?;
        }
        let outside = around(&self.outside, &zeros)?;
        Ok(around(&self.inside, lead)?.union(&outside)?)
    }
}

pub(crate) fn waits(operation: &Operation, is_unbuffered: bool) -> bool {
    match operation.kind {
        Kind::Send { is_synchronous } => is_synchronous || is_unbuffered,
        Kind::Receive | Kind::Collective(_) => false,
    }
}

impl Times {
    fn grow_along(&self, matching: &Matching, together: &Relation) -> Result<bool> {
        let candidates = &matching.candidates;
        if !together.is_subset(&self.collectives.0.lex_le(&self.collectives.1)?)? {
            return Ok(false);
        }
        if !matching.awaited.is_subset(&self.sends.lex_le(&self.receives.1)?)? {
            return Ok(false);
        }
        let waiting = candidates.intersect_domain(&self.waiting.domain()?)?.inverse()?;
        Ok(waiting.is_subset(&self.receives.0.lex_le(&self.waiting)?)?)
    }
}

/// Factors that are tried: single coordinates first, then sums of several.
fn leads(length: usize) -> Vec<Vec<i64>> {
    let mut leads = vec![Vec::new()];
    for _ in 0..length {
        leads = leads.into_iter().flat_map(|lead| [0, 1, -1].map(|k| [&lead[..], &[k]].concat())).collect();
        if COORDINATES < length {
            leads.retain(|lead| lead.iter().filter(|k| **k != 0).count() <= 1);
        }
    }
    leads.retain(|lead| lead.iter().any(|k| *k != 0));
    leads.sort_by_key(|lead| lead.iter().filter(|k| **k != 0).count());
    leads
}
