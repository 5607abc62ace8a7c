//! Who talks to whom, as formulas to read: the messages of one send and one receive.

use presburger::{Relation, Set};

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::{Operation, Program};
use crate::teller::{Image, Teller, joined};

/// Parts that the messages of one send and one receive are told in, at most.
const PARTS: usize = 12;
/// Distances between sender and receiver that are told apart, at most.
const DISTANCES: usize = 6;

/// Messages of one send and one receive, on a set of processes on which formulas say who takes part: expressions in C over `rank` and
/// parameters.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The send, by its index in [`Program::operations`].
    pub send: usize,
    /// The receive.
    pub receive: usize,
    /// Who sends: `[0..np-2]`, with a condition on the number of processes where there is one.
    pub senders: String,
    /// To whom: `rank + 1`, `each of [1..np-1]`.
    pub partner: String,
    /// Who receives.
    pub receivers: String,
    /// From whom.
    pub source: String,
    /// The tag, over `sender` and `receiver` where it differs. `None` where it is no formula.
    pub tag: Option<String>,
    /// How often each pair communicates. `None` where that is no formula, or differs.
    pub repeat: Option<String>,
    /// The pairs of processes.
    pub pairs: Relation,
    /// From each pair to the instances of its send.
    by_pair: Relation,
}

impl Exchange {
    /// What instances of the send have, as one formula over `sender` and `receiver`, if it is one.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn formula(&self, program: &Program, of_send: &Relation) -> Result<Option<String>> {
        let ends = program.ends();
        let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
        program.teller().formula(&self.by_pair.apply_range(of_send)?, &ends)
    }
}

impl Matching {
    /// The messages by the operations that exchange them, in the order of the program.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn exchanges(&self, program: &Program) -> Result<Vec<Exchange>> {
        let named = program.by_name()?;
        let names = program.ends();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut all = Vec::new();
        for (from, to, meets) in self.meets.parts()? {
            let (Some(&send), Some(&receive)) = (named.get(&from.name), named.get(&to.name)) else {
                continue;
            };
            let [sending, receiving] = [send, receive].map(|at| &program.operations[at]);
            let (meets, known) = program.without_others(&meets)?;
            let teller = Teller { known: &known, ..program.teller() };
            let receivers = meets.apply_range(&receiving.process)?.simplified()?;
            let ends = sending.process.intersect_domain(&meets.domain()?)?.flat_range_product(&receivers)?;
            let length = ends.parts()?.first().map_or(0, |(_, to, _)| to.length);
            let pairs = sending.process.inverse()?.apply_range(&receivers)?.simplified()?;
            let mut parts = Vec::new();
            if program.digits.is_some() {
                parts.push(pairs);
            } else {
                for pairs in by_distance(&pairs)? {
                    teller.divide(&pairs, 0, &mut parts)?;
                }
            }
            for pairs in parts {
                let first = ends.project_out_range(length / 2..length)?;
                // The messages of these pairs.
                let of_pairs = first.apply_range(&pairs)?;
                let ends = ends
                    .intersect_domain(&first.intersect_range(&pairs.domain()?)?.domain()?)?
                    .intersect(&first.flat_range_product(&of_pairs)?)?;
                let by_pair = ends.inverse()?.simplified()?;
                let (mut senders, mut receivers) =
                    (teller.sides(&pairs.domain()?)?, teller.sides(&pairs.range()?)?);
                // Where nobody is at one side, nobody is at the other.
                let is_plain = |side: &[Image]| side.iter().all(|image| image.condition.is_empty());
                if is_plain(&senders) || is_plain(&receivers) {
                    senders.iter_mut().chain(&mut receivers).for_each(|image| image.condition.clear());
                }
                all.push(Exchange {
                    send,
                    receive,
                    senders: joined(senders),
                    partner: teller.others(&pairs)?,
                    receivers: joined(receivers),
                    source: teller.others(&pairs.inverse()?)?,
                    tag: teller.formula(&by_pair.apply_range(&sending.tag)?, &names)?,
                    repeat: if sending.options.is_empty() { teller.number(&by_pair, &names)? } else { None },
                    by_pair,
                    pairs,
                });
            }
        }
        all.sort_by_key(|exchange| (exchange.send, exchange.receive));
        Ok(all)
    }
}

/// Pairs by how far the receiver is from the sender, where a process has few such distances, and the same for any number of processes.
fn by_distance(pairs: &Relation) -> Result<Vec<Relation>> {
    if pairs.is_single_valued()? {
        return Ok(vec![pairs.clone()]);
    }
    let mut distances = pairs.deltas()?;
    for name in distances.parameters()? {
        distances = distances.project_out_parameter(&name)?;
    }
    // That there are more is no failure.
    let Ok(distances) = distances.points(DISTANCES) else { return Ok(vec![pairs.clone()]) };
    let mut parts = Vec::new();
    for distance in distances {
        let Some(by) = distance.instance.coordinates.first() else { continue };
        let step = Relation::parse(pairs.context(), &format!("{{ [r] -> [r + {by}] }}"))?;
        parts.push(pairs.intersect(&step)?);
    }
    Ok(parts)
}

impl Program {
    /// What tells about it.
    pub(crate) fn teller(&self) -> Teller<'_> {
        Teller { known: &self.known, digits: self.digits.as_ref() }
    }

    /// A relation without the parameters that it does not depend on, for the values that are possible, and what is known of the parameters
    /// that are left. So nothing is said of the round of a loop that is described for any round where it has no part; all is left as it is
    /// where there is no such loop.
    pub(crate) fn without_others(&self, relation: &Relation) -> Result<(Relation, Set)> {
        let (mut relation, mut known) = (relation.clone(), self.known.clone());
        if !self.operations.iter().any(Operation::is_of_any_round) {
            return Ok((relation, known));
        }
        for name in known.parameters()? {
            let without = relation.project_out_parameter(&name)?;
            if without.intersect_parameters(&known)?.is_equal(&relation.intersect_parameters(&known)?)? {
                relation = without;
                known = known.project_out_parameter(&name)?;
            }
        }
        Ok((relation, known))
    }

    /// The names of the coordinates of a pair's processes.
    fn ends(&self) -> Vec<String> {
        let names = |of: &str| match &self.digits {
            Some(digits) => digits.names(of),
            None => vec![of.to_owned()],
        };
        [names("sender"), names("receiver")].concat()
    }
}

impl Teller<'_> {
    /// Divides pairs until each part is told by one formula in both directions, if there are not too many.
    fn divide(&self, pairs: &Relation, depth: usize, parts: &mut Vec<Relation>) -> Result<()> {
        if pairs.is_empty()? {
            return Ok(());
        }
        let undivided = |parts: &mut Vec<Relation>| parts.push(pairs.clone());
        if depth > 3 || parts.len() >= PARTS {
            undivided(parts);
            return Ok(());
        }
        for is_inverse in [false, true] {
            let here = if is_inverse { pairs.inverse()? } else { pairs.clone() };
            let mut domains: Vec<Set> =
                self.sides(&here.domain()?)?.into_iter().map(|image| image.domain).collect();
            if domains.len() < 2 && self.around(&here)?.is_none() {
                domains = self.images(&here, &["rank"])?.into_iter().map(|image| image.domain).collect();
            }
            if domains.len() > PARTS {
                undivided(parts);
                return Ok(());
            }
            if domains.len() > 1 {
                for domain in domains {
                    let part = here.intersect_domain(&domain)?;
                    let part = if is_inverse { part.inverse()? } else { part };
                    self.divide(&part, depth + 1, parts)?;
                }
                return Ok(());
            }
        }
        undivided(parts);
        Ok(())
    }
}
