//! Matching: which receive each send meets.
//!
//! The *envelope* of a message is its sender, its receiver and its tag. A send and a receive on one communicator can meet where they have an
//! envelope in common. If that relation is a bijection, it is the matching, and no order is needed. Else several messages go the same way:
//! a guess says which meet, and it is checked that the guess is a bijection and keeps the order of both sides (MPI-4.1 section 3.5,
//! messages are non-overtaking). The guess may be wrong; the check may not.

use presburger::{Point, Relation, Set};

use crate::error::{Error, Result};
use crate::guess;
use crate::operation::{Kind, Operation, Program};

/// How it was found out who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// Every send can meet one receive at most, and every receive one send.
    OneCandidate,
    /// Messages that go the same way keep their order.
    Order,
    /// Receives of a kind take the messages of a kind, in whatever order: there are as many of both.
    AnyOrder,
}

/// Who meets whom, on all communicators.
#[derive(Clone, Debug)]
pub struct Matching {
    /// From each send to the receive that it meets; where the order is open ([`How::AnyOrder`]), in one of the orders.
    pub meets: Relation,
    /// From each send to all receives that it can meet in some order of events: the same but for [`How::AnyOrder`].
    pub candidates: Relation,
    /// From each send to the receives that do not end before it: `candidates`, or `meets` where the receives of a process that take the same
    /// messages end in the order in which they are posted. Then one that waits for ever would have as many messages as there are receives
    /// up to it, and would get one of them.
    pub awaited: Relation,
    /// Sends that no receive meets.
    pub sends_left: Set,
    /// Receives that no send meets.
    pub receives_left: Set,
    /// The weakest argument that was needed.
    pub how: How,
}

impl Matching {
    /// Whether nothing is left over on either side.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn is_whole(&self) -> Result<bool> {
        Ok(self.sends_left.is_empty()? && self.receives_left.is_empty()?)
    }

    /// The smallest witness of what is left over: a send first. `first` are the parameters that are to be small, the number of processes
    /// above all.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn witness(&self, first: &[&str]) -> Result<Option<Point>> {
        match self.sends_left.smallest(first)? {
            None => Ok(self.receives_left.smallest(first)?),
            send => Ok(send),
        }
    }
}

/// What matching is about on one communicator.
struct Side {
    /// From each instance to its envelopes.
    envelopes: Relation,
    positions: Relation,
    ends: Relation,
    instances: Set,
}

impl Side {
    fn of(program: &Program, chosen: &[&Operation]) -> Result<Self> {
        let envelope = |operation: &Operation| {
            let (here, there) = (&operation.process, &operation.partner);
            let (from, to) = if operation.is_send() { (here, there) } else { (there, here) };
            Ok(from.flat_range_product(to)?.flat_range_product(&operation.tag)?)
        };
        let all =
            |relation: &dyn Fn(&Operation) -> Result<Relation>| program.all(chosen.iter().copied(), relation);
        Ok(Self {
            envelopes: all(&envelope)?,
            positions: all(&|operation| Ok(operation.position.clone()))?,
            ends: all(&|operation| Ok(operation.end().clone()))?,
            instances: all(&|operation| Ok(operation.process.clone()))?.domain()?,
        })
    }

    /// These of its instances alone.
    fn within(&self, instances: &Set) -> Result<Self> {
        Ok(Self {
            envelopes: self.envelopes.intersect_domain(instances)?,
            positions: self.positions.intersect_domain(instances)?,
            ends: self.ends.intersect_domain(instances)?,
            instances: self.instances.intersect(instances)?,
        })
    }

    /// From each instance to those that come later and have an envelope in common.
    fn later(&self) -> Result<Relation> {
        let same = self.envelopes.apply_range(&self.envelopes.inverse()?)?;
        Ok(self.positions.lex_lt(&self.positions)?.intersect(&same)?)
    }

    /// Whether those that have an envelope in common end in the order in which they begin.
    fn ends_in_order(&self) -> Result<bool> {
        Ok(self.later()?.is_subset(&self.ends.lex_le(&self.ends)?)?)
    }
}

impl Program {
    /// Who meets whom.
    ///
    /// # Errors
    ///
    /// [`Error::SeveralMessages`], [`Error::Competing`] and [`Error::Rounds`] where it is not decided; those of integer sets.
    pub fn matching(&self) -> Result<Matching> {
        let context = self.known.context();
        let mut all = Matching {
            meets: Relation::empty(context)?,
            awaited: Relation::empty(context)?,
            candidates: Relation::empty(context)?,
            sends_left: Set::empty(context)?,
            receives_left: Set::empty(context)?,
            how: How::OneCandidate,
        };
        for communicator in self.communicators() {
            let of_it = self.operations.iter().filter(|operation| operation.communicator == communicator);
            let (sends, receives): (Vec<&Operation>, Vec<&Operation>) = of_it
                .filter(|operation| !operation.is_collective())
                .partition(|operation| operation.is_send());
            let (answers, sends): (Vec<&Operation>, Vec<&Operation>) =
                sends.into_iter().partition(|send| send.answers.is_some());
            let part = if answers.is_empty() {
                self.matching_of(&sends, &receives)?
            } else {
                self.with_answers(&answers, &sends, &receives)?
            };
            if !self.is_together(&part.meets)? {
                return Err(Error::Rounds);
            }
            // What a receive from any source takes in one round may be sent in another one, which is not looked at.
            let is_open = part.how == How::AnyOrder;
            let has_rounds = sends.iter().chain(&receives).any(|operation| operation.is_of_any_round());
            if has_rounds && is_open && !self.is_together(&part.candidates)? {
                return Err(Error::Rounds);
            }
            for receive in receives.iter().filter(|receive| receive.is_of_any_round()) {
                if !Side::of(self, &[receive])?.envelopes.is_single_valued()? {
                    return Err(Error::Competing);
                }
            }
            all.meets = all.meets.union(&part.meets)?;
            all.candidates = all.candidates.union(&part.candidates)?;
            all.awaited = all.awaited.union(&part.awaited)?;
            all.sends_left = all.sends_left.union(&part.sends_left)?;
            all.receives_left = all.receives_left.union(&part.receives_left)?;
            all.how = all.how.max(part.how);
        }
        Ok(all)
    }

    /// Who meets whom where messages go to whoever has sent what a receive from any source got.
    ///
    /// Which of several messages a receive gets is open, but all of them are got by one receive or another. If each of these is answered in the
    /// same way, and nobody else takes these messages, then whoever has sent one gets one answer for it, in whatever order: who meets whom in
    /// one of the orders says it for all.
    fn with_answers(
        &self,
        answers: &[&Operation],
        sends: &[&Operation],
        receives: &[&Operation],
    ) -> Result<Matching> {
        let (answering, receiving) = (Side::of(self, answers)?, Side::of(self, receives)?);
        let reached = answering.envelopes.apply_range(&receiving.envelopes.inverse()?)?;
        // Receives of answers receive nothing else, and from one call.
        let (mut answered, mut others): (Vec<&Operation>, Vec<&Operation>) = (Vec::new(), Vec::new());
        for &receive in receives {
            let own = reached.intersect_range(&receive.domain()?)?;
            let calls = own.parts()?.iter().filter(|(.., part)| !part.is_empty().unwrap_or(false)).count();
            match calls {
                0 => others.push(receive),
                1 if receive.domain()?.is_subset(&own.range()?)? => answered.push(receive),
                _ => return Err(Error::Competing),
            }
        }
        let sending = Side::of(self, sends)?;
        let (of_answers, of_others) = (Side::of(self, &answered)?, Side::of(self, &others)?);
        if !sending.envelopes.apply_range(&of_answers.envelopes.inverse()?)?.is_empty()? {
            return Err(Error::Competing);
        }
        let mut all = self.matching_of(sends, &others)?;
        let senders = self.all(sends.iter().copied(), |send| Ok(send.process.clone()))?;
        let mut told: Vec<Operation> = Vec::new();
        let mut all_got = Relation::empty(self.known.context())?;
        for &answer in answers {
            let Some(answers) = &answer.answers else { continue };
            let got = answers.intersect_domain(&answer.domain()?)?.intersect_parameters(&self.known)?;
            let receives = got.range()?;
            let messages = all.candidates.intersect_range(&receives)?;
            let elsewhere = all.candidates.intersect_domain(&messages.domain()?)?.subtract(&messages)?;
            let is_each = got.is_bijective()?
                && answering.instances.intersect(&answer.domain()?)?.is_subset(&got.domain()?)?
                && receives.is_subset(&of_others.instances)?
                && receives.is_subset(&all.meets.range()?)?;
            if !is_each || !elsewhere.is_empty()? {
                return Err(Error::Competing);
            }
            for (tuple, part) in of_others.instances.parts()? {
                let own = receives.parts()?.into_iter().find(|(other, _)| *other == tuple);
                if let Some((_, own)) = own
                    && !own.is_empty()?
                    && !part.is_subset(&own)?
                {
                    return Err(Error::Competing);
                }
            }
            all_got = all_got.union(&got)?;
            let partner = got.apply_range(&all.meets.inverse()?)?.apply_range(&senders)?;
            told.push(Operation { partner, answers: None, ..answer.clone() });
        }
        let told: Vec<&Operation> = told.iter().collect();
        let part = self.matching_of(&told, &answered)?;
        if !part.is_whole()? {
            return Err(Error::Competing);
        }
        // From a message to the receives of its answers, if these come in the order of the messages: so it is in any other order, too.
        let of_message = all.meets.apply_range(&all_got.inverse()?)?.apply_range(&part.meets)?;
        let same = senders.apply_range(&senders.inverse()?)?;
        let later = sending.positions.lex_lt(&sending.positions)?.intersect(&same)?;
        let after = of_message.inverse()?.apply_range(&later)?.apply_range(&of_message)?;
        let is_in_order = of_message.is_single_valued()?
            && after.is_subset(&of_answers.positions.lex_lt(&of_answers.positions)?)?;
        let possible = if is_in_order {
            all_got.apply_range(&all.candidates.inverse()?)?.apply_range(&of_message)?.intersect(&reached)?
        } else {
            reached
        };
        all.meets = all.meets.union(&part.meets)?;
        let is_at_once = self.is_answered_at_once(&all_got, (&of_others, &others), &answering)?;
        all.candidates = all.candidates.union(&possible)?;
        // What is answered in another order may be awaited in another order, too.
        all.awaited = match is_at_once {
            true => all.awaited.union(&part.meets)?,
            false => all.candidates.clone(),
        };
        all.how = How::AnyOrder;
        Ok(all)
    }

    /// Whether each message is answered before the next one is received, and whoever receives does nothing else in between that may have to
    /// wait. `got`: from answers to the receives of what they answer.
    ///
    /// Then nobody waits for ever for an answer if nobody does in one of the orders: as long as there are messages that are not answered, one
    /// of them is received, and answered at once.
    fn is_answered_at_once(
        &self,
        got: &Relation,
        (received, receives): (&Side, &[&Operation]),
        answering: &Side,
    ) -> Result<bool> {
        let own = got.range()?;
        for receive in receives {
            if receive.completion.is_some() && !receive.domain()?.is_disjoint(&own)? {
                return Ok(false);
            }
        }
        let later = received.later()?.intersect_domain(&own)?.intersect_range(&own)?;
        let of_answer = got.inverse()?;
        if !of_answer
            .inverse()?
            .apply_range(&later)?
            .is_subset(&answering.positions.lex_lt(&received.positions)?)?
        {
            return Ok(false);
        }
        let may_wait = |operation: &&Operation| {
            let is_synchronous = operation.kind == Kind::Send { is_synchronous: true };
            operation.is_receive() || operation.is_collective() || is_synchronous
        };
        let others: Vec<&Operation> = self.operations.iter().filter(may_wait).collect();
        let ends =
            self.all(others.iter().copied(), |other| Ok(other.end().clone()))?.subtract_domain(&own)?;
        let processes = self.all(&self.operations, |operation| Ok(operation.process.clone()))?;
        let same = processes.apply_range(&processes.inverse()?)?;
        let after = received.positions.intersect_domain(&own)?.lex_lt(&ends)?.intersect(&same)?;
        let before = |positions: &Relation| -> Result<Relation> {
            Ok(after.apply_range(&ends.lex_lt(positions)?.intersect(&same)?)?)
        };
        Ok(before(&received.positions)?.is_disjoint(&later)?
            && before(&answering.positions)?.is_disjoint(&of_answer)?)
    }

    fn matching_of(&self, sends: &[&Operation], receives: &[&Operation]) -> Result<Matching> {
        let sides = [Side::of(self, sends)?, Side::of(self, receives)?];
        let candidates = sides[0].envelopes.apply_range(&sides[1].envelopes.inverse()?)?;
        match self.solved([sends, receives], &sides, &candidates, false) {
            Err(Error::Competing) => {}
            decided => return decided,
        }
        match self.in_groups([sends, receives], &sides, &candidates) {
            Err(Error::Competing) => self.solved([sends, receives], &sides, &candidates, true),
            decided => decided,
        }
    }

    /// Who meets whom, out of these candidates. `is_by_round`: a guess is made round by round, too.
    fn solved(
        &self,
        [sends, receives]: [&[&Operation]; 2],
        [sent, received]: &[Side; 2],
        candidates: &Relation,
        is_by_round: bool,
    ) -> Result<Matching> {
        let matching = |meets: Relation, how: How| -> Result<Matching> {
            let is_open = how == How::AnyOrder;
            let awaited = if is_open && !received.ends_in_order()? { candidates } else { &meets };
            Ok(Matching {
                awaited: awaited.clone(),
                sends_left: sent.instances.subtract(&meets.domain()?)?.coalesce()?,
                receives_left: received.instances.subtract(&meets.range()?)?.coalesce()?,
                candidates: if how == How::AnyOrder { candidates.clone() } else { meets.clone() },
                meets,
                how,
            })
        };
        if candidates.is_bijective()? {
            return matching(candidates.clone(), How::OneCandidate);
        }
        // Each receive has one envelope, unless it is from any source or of any tag.
        let is_certain = received.envelopes.is_single_valued()?;
        if !is_certain {
            // Whoever can meet one of two receives can meet the other one, if they have any send in common.
            let around = candidates.apply_range(&candidates.inverse()?)?.apply_range(candidates)?;
            if !around.is_subset(candidates)? {
                return Err(Error::Competing);
            }
        }
        let found = |meets: Relation| -> Result<Option<Matching>> {
            if !meets.is_bijective()? {
                return Ok(None);
            }
            let found = matching(meets, if is_certain { How::Order } else { How::AnyOrder })?;
            let holds = if is_certain {
                // Where both sides of a message were left over, they would meet.
                let left =
                    candidates.intersect_domain(&found.sends_left)?.intersect_range(&found.receives_left)?;
                left.is_empty()? && keeps_order(&found, sent, received)?
            } else {
                found.is_whole()?
            };
            Ok(holds.then_some(found))
        };
        let same_rounds = guess::same_rounds(&sent.positions, &received.positions)?;
        if let Some(found) = found(candidates.intersect(&same_rounds)?)? {
            return Ok(found);
        }
        let sending = guess::Calls { chosen: sends, envelopes: &sent.envelopes };
        let receiving = guess::Calls { chosen: receives, envelopes: &received.envelopes };
        let guess = |of: &Relation, parts: &[(Set, Set)]| -> Result<Option<Matching>> {
            let guessed = guess::guess(self, &sending, &receiving, of, is_certain, parts)?;
            found(of.intersect(&guessed)?)
        };
        let whole = (sent.instances.clone(), received.instances.clone());
        if let Some(found) = guess(candidates, std::slice::from_ref(&whole))? {
            return Ok(found);
        }
        let parts = guess::parts(&whole.0, &whole.1, candidates)?;
        if let Some(parts) = &parts
            && let Some(found) = guess(candidates, parts)?
        {
            return Ok(found);
        }
        if is_certain {
            return Err(Error::SeveralMessages);
        }
        if !is_by_round {
            return Err(Error::Competing);
        }
        let in_rounds = candidates.intersect(&same_rounds)?;
        if let Some(found) = guess(&in_rounds, std::slice::from_ref(&whole))? {
            return Ok(found);
        }
        match &parts {
            Some(parts) => guess(&in_rounds, parts)?.ok_or(Error::Competing),
            None => Err(Error::Competing),
        }
    }

    /// Who meets whom where receives from any source or of any tag compete with others: one group of receives after the other.
    ///
    /// What a group of receives takes is decided if there are as many messages that each of them can take, and if whatever else could take one
    /// of these is posted later than all of the group (MPI-4.1 section 3.5): then it finds none of them, since some receive of the group
    /// would be left over. So it is with each round of a loop.
    fn in_groups(
        &self,
        [sends, receives]: [&[&Operation]; 2],
        [sent, received]: &[Side; 2],
        candidates: &Relation,
    ) -> Result<Matching> {
        let (certain, open): (Vec<&Operation>, Vec<&Operation>) = {
            let mut parts = (Vec::new(), Vec::new());
            for &receive in receives {
                let is_certain = Side::of(self, &[receive])?.envelopes.is_single_valued()?;
                if is_certain { &mut parts.0 } else { &mut parts.1 }.push(receive);
            }
            parts
        };
        let mut groups: Vec<Vec<&Operation>> = open.into_iter().map(|receive| vec![receive]).collect();
        groups.extend((!certain.is_empty()).then_some(certain));
        let mut left = candidates.subtract(&self.too_late(candidates)?)?;
        let nothing = Relation::empty(self.known.context())?;
        let (mut meets, mut possible, mut awaited) = (nothing.clone(), nothing.clone(), nothing);
        let mut how = How::Order;
        while !groups.is_empty() {
            let mut next = None;
            for (at, group) in groups.iter().enumerate() {
                if let Some(found) = self.group(sends, group, (sent, received), &left)? {
                    next = Some((at, found));
                    break;
                }
            }
            let Some((at, found)) = next else { return Err(Error::Competing) };
            groups.remove(at);
            let (messages, taken) = (found.meets.domain()?, found.meets.range()?);
            how = how.max(found.how);
            meets = meets.union(&found.meets)?;
            possible = possible.union(&found.candidates)?;
            awaited = awaited.union(&found.awaited)?;
            left = left.subtract(&left.intersect_domain(&messages)?)?;
            left = left.subtract(&left.intersect_range(&taken)?)?;
        }
        Ok(Matching {
            sends_left: sent.instances.subtract(&meets.domain()?)?.coalesce()?,
            receives_left: received.instances.subtract(&meets.range()?)?.coalesce()?,
            candidates: possible,
            awaited,
            meets,
            how,
        })
    }

    /// What a group of receives takes of what is left, if that is decided.
    fn group(
        &self,
        sends: &[&Operation],
        group: &[&Operation],
        (sent, received): (&Side, &Side),
        left: &Relation,
    ) -> Result<Option<Matching>> {
        let own = Side::of(self, group)?;
        let theirs = left.intersect_range(&own.instances)?;
        let mut ways = vec![theirs.clone()];
        if !own.envelopes.is_single_valued()? {
            // Round by round.
            let rounds = theirs.intersect(&guess::same_rounds(&sent.positions, &own.positions)?)?;
            if theirs.domain()?.is_subset(&rounds.domain()?)? {
                ways.push(rounds);
            }
        }
        for way in ways {
            let messages = way.domain()?;
            let others = left.intersect_domain(&messages)?.subtract(&way)?;
            let rivals = way.inverse()?.apply_range(&others)?;
            if !rivals.is_subset(&own.positions.lex_lt(&received.positions)?)? {
                continue;
            }
            let sides = [sent.within(&messages)?, Side::of(self, group)?];
            match self.solved([sends, group], &sides, &way, false) {
                Ok(found) if found.receives_left.is_empty()? => return Ok(Some(found)),
                Ok(_) | Err(Error::Competing | Error::SeveralMessages) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Of pairs of sends and receives those that never meet, since the receive is complete before an operation that the send comes after, and
    /// that ends for nobody before all have begun it.
    fn too_late(&self, pairs: &Relation) -> Result<Relation> {
        let chosen: Vec<&Operation> =
            self.operations.iter().filter(|operation| operation.synchronizes).collect();
        let nothing = Relation::empty(self.known.context())?;
        if chosen.is_empty() {
            return Ok(nothing);
        }
        let Some(together) = self.collectives()? else { return Ok(nothing) };
        let of = |place: &dyn Fn(&Operation) -> Relation| {
            self.all(&self.operations, |operation| Ok(place(operation)))
        };
        let processes = of(&|operation| operation.process.clone())?;
        let starts = of(&|operation| operation.start().clone())?;
        let ends = of(&|operation| operation.end().clone())?;
        let all = self.all(chosen, |operation| Ok(operation.process.clone()))?.domain()?;
        let before = |calls: &Set, later: &Set| -> Result<Relation> {
            let same = processes
                .intersect_domain(calls)?
                .apply_range(&processes.intersect_domain(later)?.inverse()?)?;
            Ok(ends.lex_lt(&starts)?.intersect(&same)?)
        };
        let received = before(&pairs.range()?, &all)?;
        let sent = before(&all, &pairs.domain()?)?;
        Ok(received.apply_range(&together)?.apply_range(&sent)?.inverse()?.intersect(pairs)?)
    }
}

/// Whether messages that go the same way are received in the order in which they are sent, and those left over come last.
fn keeps_order(found: &Matching, sent: &Side, received: &Side) -> Result<bool> {
    let (later_sends, later_receives) = (sent.later()?, received.later()?);
    // receive -> its send -> a later send -> the receive of that, which is to come later, too.
    let after = found.meets.inverse()?.apply_range(&later_sends)?.apply_range(&found.meets)?;
    if !after.is_subset(&received.positions.lex_lt(&received.positions)?)? {
        return Ok(false);
    }
    let (sends_met, receives_met) = (found.meets.domain()?, found.meets.range()?);
    let overtaken = later_sends.intersect_domain(&found.sends_left)?.intersect_range(&sends_met)?;
    let passed = later_receives.intersect_domain(&found.receives_left)?.intersect_range(&receives_met)?;
    Ok(overtaken.is_empty()? && passed.is_empty()?)
}
