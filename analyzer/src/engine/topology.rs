//! Formulas in words, as users read them: channels, collectives, patterns.

use lattice::{Constraints, Linear, Range, Ranks, Symbol};

use super::clients::topology::{Exchanged, Gathered};
use super::formulas::{Condition, Formulas, is_never};
use super::group::{Group, Progression};
use super::link::Pairing;
use super::relation::Relation;
use super::rounds::Shown;
use super::state::Communicator;
use super::terms::Terms;
use crate::results::{self, Channel, Collective, Pattern, Topology};

impl Formulas<'_, '_> {
    /// All formulas.
    pub(crate) fn topology(&self) -> Topology {
        let shown = self.shown();
        let channels = shown.iter().map(|shown| self.channel(shown)).collect();
        let shapes = shown.iter().map(|shown| match shown.ring.as_ref().map(Linear::as_constant) {
            Some(Some(-1 | 1)) => "ring",
            Some(_) => "cyclic shift",
            None => shape(&shown.entry),
        });
        let patterns = shapes
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
            .map(|(index, name)| Pattern { name: name.to_owned(), channels: vec![index] })
            .collect();
        Topology { channels, collectives: self.collectives(), patterns, instance: None }
    }

    fn channel(&self, shown: &Shown) -> Channel {
        let entry = &shown.entry;
        let relation = &entry.relation;
        let (mut senders, mut receivers) = (relation.senders(), relation.receivers());
        let (partner, source) = match &shown.ring {
            Some(k) => {
                senders = Range::world().into();
                receivers = senders.clone();
                (self.around(k, 1), self.around(k, -1))
            }
            None => (
                self.counterpart(relation, true, &senders, &receivers),
                self.counterpart(relation, false, &receivers, &senders),
            ),
        };
        let condition = self.condition_text(shown);
        Channel {
            send: self.engine.site_result(entry.send),
            recv: self.engine.site_result(entry.recv),
            senders: format!("{}{condition}", self.ranks_text(&senders)),
            partner,
            receivers: format!("{}{condition}", self.ranks_text(&receivers)),
            source,
            communicator: entry.communicator.name.to_string(),
            tag: self.attribute(&entry.tag, relation),
            count: self.attribute(&entry.count, relation),
            datatype: entry.datatype.name_text(),
            repeat: shown.repeat.as_ref().map_or_else(|| "unknown".to_owned(), |v| self.text(v)),
            // A process that is alone has nobody to send to anyway.
            pairing: match condition.as_str() {
                "" | " for np >= 2" => self.pairing(entry),
                _ => results::Pairing::Other,
            },
        }
    }

    /// Whether a channel concerns all processes in one of the ways of collective operations.
    fn pairing(&self, entry: &Exchanged) -> results::Pairing {
        use results::Pairing::{EachToOthers, Other, OthersToRoot, RootToOthers};
        let Some(link) = entry.relation.as_link() else { return Other };
        if entry.communicator.group != Communicator::world().group || !entry.always {
            return Other;
        }
        let all = Range::world();
        let others = |root: &Range| {
            let first = root.lo == all.lo && root.hi == all.lo;
            let last = root.lo == all.hi && root.hi == all.hi;
            match (first, last) {
                (true, _) => Some(Range { lo: 1.into(), hi: all.hi.clone() }),
                (_, true) => Some(Range { lo: all.lo.clone(), hi: all.hi.offset(-1)? }),
                _ => None,
            }
        };
        match link.pairing {
            Pairing::FanOut if others(&link.senders).as_ref() == Some(&link.receivers) => {
                RootToOthers(self.text(&link.senders.lo))
            }
            Pairing::FanIn if others(&link.receivers).as_ref() == Some(&link.senders) => {
                OthersToRoot(self.text(&link.receivers.lo))
            }
            Pairing::Others if link.senders == all && link.receivers == all => EachToOthers,
            _ => Other,
        }
    }

    /// The rank so far away upwards or downwards, counted around.
    fn around(&self, distance: &Linear, direction: i64) -> String {
        let up = direction * distance.as_constant().map_or(1, i64::signum) > 0;
        let length =
            distance.as_constant().map_or_else(|| self.text(distance), |k| k.unsigned_abs().to_string());
        if up { format!("(rank + {length}) % np") } else { format!("(rank - {length} + np) % np") }
    }

    pub(crate) fn text(&self, value: &Linear) -> String {
        self.engine.symbols.display(value).unwrap_or_else(|| "unknown".to_owned())
    }

    fn ranks_text(&self, ranks: &Ranks) -> String {
        ranks.display(&self.engine.symbols).unwrap_or_else(|| "unknown".to_owned())
    }

    /// The processes at the other end of messages, as one of `own` at this end sees them: an expression over its rank where it is one.
    fn counterpart(&self, relation: &Relation, to_receiver: bool, own: &Ranks, other: &Ranks) -> String {
        let unknown = || "unknown".to_owned();
        if let Some(permutation) = relation.permutation() {
            let partner = if to_receiver { &permutation.there } else { &permutation.back };
            let term = Terms::new(&self.engine.symbols).mixed(partner, own.radices());
            return term.map_or_else(|_| unknown(), |term| term.to_string());
        }
        if relation.as_link().is_some_and(|link| link.pairing == Pairing::Others) {
            return format!("each other of {}", self.ranks_text(other));
        }
        let facts = Constraints::new();
        // Each digit of the other: one that this end tells, or any of several.
        let mut digits = other.digits().to_vec();
        let mut bounded = false;
        for (sender, receiver, link) in relation.linked_places() {
            // A digit that one side does not have is the same for all of the other.
            let (Some(sender), Some(receiver)) = (sender, receiver) else { continue };
            let (here, there) = if to_receiver { (sender, receiver) } else { (receiver, sender) };
            let seen = match to_receiver {
                true => link.receiver_of_sender(own.symbol(here)),
                false => link.sender_of_receiver(own.symbol(here)),
            };
            if let Some(digit) = seen {
                digits[there] = Range::single(digit);
            } else if let Some(seen) = link.seen_in_band(to_receiver) {
                let own = Linear::from(own.symbol(here));
                let at = |end: &Linear| end.substitute(Symbol::RANK, &own);
                let Some((lo, hi)) = at(&seen.near.lo).zip(at(&seen.near.hi)) else { return unknown() };
                digits[there] = Range { lo, hi };
                bounded |= seen.bounds.is_some();
            }
        }
        let within = || if bounded { format!(" within {}", self.ranks_text(other)) } else { String::new() };
        let seen = Ranks::new(other.radices().to_vec(), digits);
        let over_rank = |seen: &Ranks| {
            let shown = |digit: &Range| {
                Some(Range { lo: own.over_rank(&digit.lo, &facts)?, hi: own.over_rank(&digit.hi, &facts)? })
            };
            let digits = seen.digits().iter().map(shown).collect::<Option<_>>()?;
            Some(Ranks::new(seen.radices().to_vec(), digits))
        };
        if let Some(only) = seen.as_single(&facts) {
            // Otherwise in the digits of this end, as its ranks are shown.
            let digits: Vec<Linear> = seen.digits().iter().map(|digit| digit.lo.clone()).collect();
            let by_digits = || own.display_rank(&self.engine.symbols, &digits);
            let rank = own.over_rank(&only, &facts).and_then(|rank| self.engine.symbols.display(&rank));
            let part = |symbol| self.part_of_rank(own, symbol, "rank");
            // Where the digits of this end are not shown.
            let by_parts = || {
                let undivided = seen.radices().is_empty() && own.hull().is_some();
                self.engine.symbols.display_named(&only, &part).filter(|_| undivided)
            };
            return rank.or_else(by_parts).or_else(by_digits).unwrap_or_else(unknown);
        }
        // In one direction from the own rank, or else digit by digit.
        let in_steps = || {
            let Range { lo, hi } = seen.hull()?;
            let hull = Range { lo: own.over_rank(&lo, &facts)?, hi: own.over_rank(&hi, &facts)? };
            let hull = hull.display(&self.engine.symbols)?;
            Some(match seen.step()? {
                step if step == Linear::from(1) => hull,
                step => format!("{hull} step {}", self.engine.symbols.display(&step)?),
            })
        };
        match in_steps().or_else(|| over_rank(&seen).map(|seen| self.ranks_text(&seen))) {
            Some(seen) => format!("each of {seen}{}", within()),
            None => unknown(),
        }
    }

    /// What a part of the rank of one end of a message is called: `sender`, `sender / 3`, `sender % 3`.
    fn part_of_rank(&self, ranks: &Ranks, symbol: Symbol, name: &str) -> Option<String> {
        if symbol == Symbol::RANK {
            return Some(name.to_owned());
        }
        match (symbol.as_tail(), ranks.radices()) {
            (Some(1), [radix, ..]) => Some(format!("({name} / {})", self.text(radix))),
            (None, [radix, ..]) if symbol == Symbol::digit(0) => {
                Some(format!("({name} % {})", self.text(radix)))
            }
            _ => None,
        }
    }

    /// The members of a communicator; where there are many, of that of each member.
    fn members_text(&self, entry: &Gathered) -> String {
        let group = &entry.communicator.group;
        let (Some(ranks), Group::Progression(all)) = (&entry.slices, group) else {
            return self.group_text(group);
        };
        let show = |rank: &Linear| {
            let named = |symbol| self.part_of_rank(ranks, symbol, "rank");
            ranks
                .over_rank(rank, &Constraints::new())
                .and_then(|r| self.engine.symbols.display_named(&r, &named))
        };
        if entry.communicator.is_own() {
            return format!("each of {} alone", self.ranks_text(ranks));
        }
        let ends = show(&all.first).zip(all.last().as_ref().and_then(show));
        let step = self.step_text(all);
        match ends {
            Some((first, last)) => format!("[{first}..{last}]{step} for each of {}", self.ranks_text(ranks)),
            None => "unknown".to_owned(),
        }
    }

    /// ` step 2`, or nothing for neighbours.
    fn step_text(&self, all: &Progression) -> String {
        let step = if all.ascends() { Some(all.step.clone()) } else { all.step.scale(-1) };
        match step.filter(|step| *step != 1.into()) {
            Some(step) => format!(" step {}", self.text(&step)),
            None => String::new(),
        }
    }

    fn group_text(&self, group: &Group) -> String {
        match group {
            Group::Progression(all) => {
                let ends = all.first.clone();
                let last = all.last().unwrap_or_else(|| ends.clone());
                let (lo, hi) = if all.ascends() { (ends, last) } else { (last, ends) };
                let range = Range { lo, hi }.display(&self.engine.symbols);
                range.map_or_else(|| "unknown".to_owned(), |range| range + &self.step_text(all))
            }
            Group::List(ranks) => {
                let ranks: Vec<String> = ranks.iter().map(ToString::to_string).collect();
                format!("{{{}}}", ranks.join(", "))
            }
            Group::Joined(parts) => {
                format!("{}, then {}", self.group_text(&parts[0]), self.group_text(&parts[1]))
            }
            Group::Sides(parts) => {
                format!("{} and {}", self.group_text(&parts[0]), self.group_text(&parts[1]))
            }
        }
    }

    fn attribute(&self, value: &Option<Linear>, relation: &Relation) -> String {
        match value {
            None => "unknown".to_owned(),
            Some(value) => {
                if value.is_uniform() {
                    return self.text(value);
                }
                if value.has(Symbol::DISTANCE) {
                    return self.by_distance(value).unwrap_or_else(|| "unknown".to_owned());
                }
                let (name, side) = match relation.is_fan_in() {
                    true => ("sender", relation.senders()),
                    false => ("receiver", relation.receivers()),
                };
                let shown = side.over_rank(value, &Constraints::new()).and_then(|v| {
                    let part = |symbol| self.part_of_rank(&side, symbol, name);
                    self.engine.symbols.display_named(&v, &part)
                });
                shown.unwrap_or_else(|| "unknown".to_owned())
            }
        }
    }

    /// An expression over the distance of the receiver from the sender.
    fn by_distance(&self, value: &Linear) -> Option<String> {
        let slope = value.slope(Symbol::DISTANCE)?;
        let back = Linear::from(Symbol::DISTANCE).scale(slope.signum())?;
        let ends = if slope < 0 { "sender - receiver" } else { "receiver - sender" };
        let name = if slope.abs() == 1 { ends.to_owned() } else { format!("({ends})") };
        let named = |symbol| (symbol == Symbol::DISTANCE).then(|| name.clone());
        self.engine.symbols.display_named(&value.substitute(Symbol::DISTANCE, &back)?, &named)
    }

    fn collectives(&self) -> Vec<Collective> {
        self.gathered
            .iter()
            .map(|formula| {
                let entry = &formula.entry;
                let condition = self.holds(&formula.holds_in, |facts| is_never(&entry.repeat, facts));
                let condition = condition.or_else(|| (!entry.always).then_some(Condition::Input));
                let rooted = entry.root.is_some()
                    || frontend::mpi::lookup(&entry.operation)
                        .is_some_and(|f| f.param_with_role(frontend::mpi::Role::Root).is_some());
                Collective {
                    operation: entry.operation.to_string(),
                    sites: entry.sites.iter().map(|&site| self.engine.site_result(site)).collect(),
                    ranks: format!(
                        "{}{}",
                        self.members_text(entry),
                        condition.as_ref().map_or(String::new(), ToString::to_string)
                    ),
                    root: rooted.then(|| entry.root.as_ref().map_or("unknown".to_owned(), |r| self.text(r))),
                    communicator: entry.communicator.name.to_string(),
                    repeat: match (&entry.repeat, condition) {
                        (Some(repeat), None | Some(Condition::Np(_))) => self.text(repeat),
                        _ => "unknown".to_owned(),
                    },
                }
            })
            .collect()
    }
}

fn shape(entry: &Exchanged) -> &'static str {
    let any =
        |pairings: &[Pairing]| entry.relation.links().iter().any(|link| pairings.contains(&link.pairing));
    match () {
        () if any(&[Pairing::Every, Pairing::Others]) => "all-to-all",
        () if any(&[Pairing::FanOut]) => "fan-out",
        () if any(&[Pairing::FanIn]) => "gather",
        () if any(&[Pairing::Band]) => "band",
        () if any(&[Pairing::Mirrored]) => "mirror",
        () if any(&[Pairing::Mixed]) => "permutation",
        () if any(&[Pairing::Parallel]) => "shift",
        () => "",
    }
}
