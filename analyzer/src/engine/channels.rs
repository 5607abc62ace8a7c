//! What a topology lists: formulas, of which two may be the parts of `(rank + k) % np`, with the numbers of processes for which each
//! holds.

use std::collections::BTreeMap;

use lattice::{Constraints, Linear, Range};

use super::arithmetic;
use super::clients::topology::Exchanged;
use super::formulas::{Condition, Formula, Formulas, gives_none, is_never};
use super::instance::{Pair, messages, pair};
use super::link::{Link, Pairing};
use crate::results::Instance;

/// One channel.
pub(crate) struct Listed<'f> {
    pub(crate) formula: &'f Formula,
    /// `k`, where all ranks send to `(rank + k) % np`: the formula is one part of it.
    pub(crate) ring: Option<i64>,
    pub(crate) condition: Option<Condition>,
    /// How often; `None` where that is not known, as for what happens on some inputs only.
    pub(crate) repeat: Option<Linear>,
}

impl Formulas<'_, '_> {
    /// All channels.
    pub(crate) fn listed(&self) -> Vec<Listed<'_>> {
        let mut all = Vec::new();
        let mut used = vec![false; self.exchanged.len()];
        for (index, formula) in self.exchanged.iter().enumerate() {
            if std::mem::replace(&mut used[index], true) {
                continue;
            }
            let others = (0..self.exchanged.len()).filter(|&other| !used[other]);
            let mut rings = others.filter_map(|other| Some((other, self.ring(formula, other)?)));
            if let Some((other, (distance, holds_in))) = rings.next() {
                used[other] = true;
                all.push(self.under_condition(formula, Some(distance), &holds_in));
            } else {
                all.push(self.under_condition(formula, None, &formula.holds_in));
            }
        }
        all
    }

    fn under_condition<'f>(&self, formula: &'f Formula, ring: Option<i64>, holds_in: &[usize]) -> Listed<'f> {
        // All ranks send in a ring, however few they are.
        let empty = |facts: &Constraints| match ring {
            Some(_) => is_never(&formula.entry.repeat, facts),
            None => gives_none(formula, facts),
        };
        let condition = self.holds(holds_in, empty);
        let condition = condition.or_else(|| (!formula.entry.always).then_some(Condition::Input));
        let happens = self.happens(holds_in, empty, condition.as_ref());
        let repeat = formula.entry.repeat.clone().filter(|_| happens);
        Listed { formula, ring, condition, repeat }
    }

    /// `k` where two formulas are the parts of `(rank + k) % np`, and the paths on which they are.
    fn ring(&self, a: &Formula, other: usize) -> Option<(i64, Vec<usize>)> {
        let b = &self.exchanged[other];
        let (x, y) = (&a.entry, &b.entry);
        let alike = x.send == y.send
            && x.recv == y.recv
            && x.communicator == y.communicator
            && x.datatype == y.datatype
            && x.repeat == y.repeat
            && x.always == y.always
            && x.tag == y.tag
            && x.count == y.count;
        let parallel = |link: &&Link| matches!(link.pairing, Pairing::Parallel | Pairing::Single);
        let of = |entry: &Exchanged| entry.relation.as_link().filter(parallel).cloned();
        let (one, two) = (of(x)?, of(y)?);
        if !alike {
            return None;
        }
        let distance = one.receivers.lo.sub(&one.senders.lo)?;
        let back = two.receivers.lo.sub(&two.senders.lo)?;
        let wrap = |distance: &Linear, back: &Linear| {
            let k = distance.as_constant()?;
            (distance.sub(back)? == Linear::np().scale(k.signum())?).then_some(k)
        };
        let (k, straight, other) = match (wrap(&distance, &back), wrap(&back, &distance)) {
            (Some(k), _) if k != 0 => (k, one, two),
            (_, Some(k)) if k != 0 => (k, two, one),
            _ => return None,
        };
        // Together they must be all ranks.
        let (low, high) = if k > 0 { (straight, other) } else { (other, straight) };
        if low.senders.append(&high.senders, &Constraints::new())? != Range::world() {
            return None;
        }
        // On each path both must hold, one perhaps by having no messages; or none.
        let mut both = Vec::new();
        for path in 0..self.paths() {
            let holds = |formula: &Formula| formula.holds_in.contains(&path);
            let has_both = |formula: &Formula| holds(formula) || self.gives_none_on(formula, path);
            match (holds(a) || holds(b), has_both(a) && has_both(b)) {
                (true, true) => both.push(path),
                (true, false) => return None,
                (false, _) => {}
            }
        }
        Some((k, both))
    }

    /// What the channels say of a number of processes, against what is known of it otherwise: how often each pair communicates. `None`
    /// where a channel depends on more than the number of processes.
    pub(crate) fn contradicts(&self, instance: &Instance) -> Option<bool> {
        let np = i64::try_from(instance.np).ok()?;
        let mut facts = Constraints::new();
        facts.assume_eq(&Linear::np(), &np.into())?;
        arithmetic::fold(&self.engine.symbols, &mut facts)?;
        let mut said: BTreeMap<Pair, Option<i64>> = BTreeMap::new();
        let mut on_some_inputs = Vec::new();
        for Listed { formula, ring, condition, repeat } in self.listed() {
            if matches!(&condition, Some(Condition::Np(counts)) if !counts.contains(np)) {
                continue;
            }
            let mut entries = vec![formula.entry.clone()];
            if let Some(k) = ring {
                // What is shown.
                let wrapped = |from: i64| Link {
                    senders: Range::single(from.into()),
                    receivers: Range::single((from + k).rem_euclid(np).into()),
                    ..formula.entry.relation.links()[0].clone()
                };
                entries = (0..np)
                    .map(|from| Exchanged { relation: wrapped(from).into(), ..formula.entry.clone() })
                    .collect();
            }
            let times = repeat.as_ref().and_then(|repeat| facts.constant(repeat));
            if times == Some(0) {
                continue;
            }
            for (message, _) in messages(self.engine, entries.iter(), &facts)? {
                if condition == Some(Condition::Input) {
                    on_some_inputs.push(pair(&message));
                }
                let sum = said.entry(pair(&message)).or_insert(Some(0));
                *sum = sum.zip(times).and_then(|(a, b)| a.checked_add(b));
            }
        }
        let mut known: BTreeMap<Pair, Option<i64>> = BTreeMap::new();
        for message in &instance.messages {
            let sum = known.entry(pair(message)).or_insert(Some(0));
            *sum = sum.zip(message.repeat).and_then(|(a, b)| a.checked_add(b));
        }
        let differs = |pair: &Pair| match (said.get(pair), known.get(pair)) {
            (Some(Some(a)), Some(Some(b))) => a != b,
            (Some(_), Some(_)) => false,
            (Some(_), None) => !on_some_inputs.contains(pair),
            (None, _) => true,
        };
        Some(said.keys().chain(known.keys()).any(differs))
    }
}
