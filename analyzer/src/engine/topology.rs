//! From the ends of all paths to one answer: channels, collectives, patterns, an instance, a verdict.

use std::collections::BTreeMap;
use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};

use super::clients::topology::{Exchanged, Gathered};
use super::explore::{Ending, Outcome};
use super::group::{Group, Progression};
use super::link::{Link, Pairing};
use super::mpi::type_size;
use super::process_counts::Counts;
use super::relation::Relation;
use super::state::{Communicator, SiteId, State};
use super::value::Value;
use super::{EXPLORED, Engine, Exploration, NpChoice, Options, arithmetic};
use crate::results::{
    Channel, Collective, CollectiveInstance, Finding, Instance, Message, Pattern, ProgramReport, Severity,
    Site, Topology, Verdict, VerdictKind,
};
use crate::rules::Rule;

/// The answer of a complete symbolic exploration.
pub(crate) fn symbolic_report(exploration: &Exploration<'_>, options: &Options) -> ProgramReport {
    let Exploration { engine, walk } = exploration;
    let ends: Vec<&State> = ends(&walk.outcomes);
    let range = ends.iter().map(|state| Counts::of(&state.facts)).reduce(Counts::union);
    let mut verdict = match (&options.np, range) {
        (NpChoice::Fixed(counts), _) => engine.verdict(VerdictKind::Exact, np_list(counts)),
        (NpChoice::Any, Some(range)) => engine.verdict(VerdictKind::Exact, range.to_string()),
        (NpChoice::Any, None) => {
            let mut verdict = engine.verdict(VerdictKind::Unknown, "any np >= 1".to_owned());
            verdict.reasons.push("every path ends the program early".to_owned());
            verdict
        }
    };
    let formulas = Formulas::new(engine, &ends);
    let mut topology = formulas.topology();
    if let Some(np) = options.instance {
        topology.instance = instance(engine, &ends, np);
        if topology.instance.is_none() {
            verdict.reasons.push(format!("who communicates at np = {np} depends on the input"));
        }
    }
    let mut findings = findings(engine, &options.np);
    name_receivers(&mut findings, &topology);
    report(engine, verdict, topology, findings)
}

/// A match that is found round by round of a loop concerns all receivers of its channel.
fn name_receivers(findings: &mut [Finding], topology: &Topology) {
    for finding in findings {
        let mut ranks: Vec<&str> = topology
            .channels
            .iter()
            .filter(|channel| channel.recv.range == finding.range)
            .map(|channel| channel.receivers.as_str())
            .collect();
        ranks.dedup();
        if matches!(finding.rule, Rule::DatatypeMismatch | Rule::MessageTruncation) && !ranks.is_empty() {
            finding.ranks = ranks.join(", ");
        }
    }
}

/// The answer of explorations at fixed process counts, after the symbolic one gave up.
pub(crate) fn bounded_report(
    symbolic: &Exploration<'_>,
    explored: &[(u64, Exploration<'_>)],
    options: &Options,
) -> ProgramReport {
    // A process count at which every path ends the program early answers nothing.
    let answers = |e: &Exploration<'_>| e.is_complete() && !ends(&e.walk.outcomes).is_empty();
    let complete: Vec<&(u64, Exploration<'_>)> = explored.iter().filter(|(_, e)| answers(e)).collect();
    let wanted = |np: u64| options.np != NpChoice::Any || EXPLORED.contains(&np);
    let counts: Vec<u64> = complete.iter().map(|(np, _)| *np).filter(|&np| wanted(np)).collect();
    let mut verdict = match complete.last() {
        Some((_, last)) if !counts.is_empty() => last.engine.verdict(VerdictKind::Bounded, np_list(&counts)),
        _ => symbolic.engine.verdict(VerdictKind::Unknown, "any np >= 1".to_owned()),
    };
    verdict.reasons.extend(symbolic.engine.reasons.iter().cloned());
    for (np, exploration) in explored {
        if exploration.is_complete() && !answers(exploration) {
            verdict.reasons.push(format!("every path ends the program early (np = {np})"));
        }
        for reason in &exploration.engine.reasons {
            let reason = format!("{reason} (np = {np})");
            let known =
                verdict.reasons.iter().any(|r| reason.starts_with(r.split(" (np = ").next().unwrap_or(r)));
            if !known {
                verdict.reasons.push(reason);
            }
        }
    }
    let shown = complete.iter().rev().find(|(np, _)| wanted(*np)).or(complete.last());
    let (engine, mut topology) = match shown {
        Some((np, exploration)) => {
            if 1 < counts.len() {
                verdict.reasons.push(format!("the channels shown are those of np = {np}"));
            }
            let ends = ends(&exploration.walk.outcomes);
            (&exploration.engine, Formulas::new(&exploration.engine, &ends).topology())
        }
        None => {
            let partial: Vec<&State> = symbolic.walk.outcomes.iter().map(|o| &o.state).collect();
            (&symbolic.engine, Formulas::new(&symbolic.engine, &partial).topology())
        }
    };
    if let Some(np) = options.instance {
        let at = complete.iter().find(|(n, _)| *n == np);
        topology.instance = at.and_then(|(_, e)| instance(&e.engine, &ends(&e.walk.outcomes), np));
    }
    let mut all: Vec<Finding> = Vec::new();
    for (_, exploration) in explored {
        for mut finding in findings(&exploration.engine, &NpChoice::Any) {
            if options.np != NpChoice::Any && finding.severity == Severity::Note {
                finding.severity = Severity::Error;
            }
            if let Some(known) = all.iter_mut().find(|f| f.rule == finding.rule && f.range == finding.range) {
                known.np = join_np(&known.np, &finding.np);
                if known.severity == Severity::Note {
                    known.severity = finding.severity;
                }
            } else {
                all.push(finding);
            }
        }
    }
    if complete.is_empty() {
        all.extend(findings(&symbolic.engine, &options.np));
    }
    name_receivers(&mut all, &topology);
    all.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    report(engine, verdict, topology, all)
}

fn join_np(a: &str, b: &str) -> String {
    let numbers = |text: &str| -> Vec<u64> {
        text.trim_start_matches("np = ").split([',', '.']).filter_map(|n| n.trim().parse().ok()).collect()
    };
    let mut all = numbers(a);
    if a.contains("..")
        && let (Some(&first), Some(&last)) = (all.first(), all.last())
    {
        all = (first..=last).collect();
    }
    all.extend(numbers(b));
    all.sort_unstable();
    all.dedup();
    format!("np = {}", np_list(&all))
}

fn report(
    engine: &Engine<'_>,
    verdict: Verdict,
    topology: Topology,
    findings: Vec<Finding>,
) -> ProgramReport {
    let entry = engine.program.units[engine.program.entry.unit].path.to_string_lossy().into_owned();
    ProgramReport {
        entry,
        verdict,
        topology,
        findings,
        facts: engine.clients.constants.facts(engine),
        uniformity: engine.clients.uniformity.report(engine),
        flows: engine.clients.flow.report(engine),
        seconds: 0.0,
    }
}

/// `2..5`, or `2, 4, 8`.
fn np_list(counts: &[u64]) -> String {
    let contiguous = counts.windows(2).all(|w| w[0] + 1 == w[1]);
    match counts {
        [] => String::new(),
        [one] => one.to_string(),
        [first, .., last] if contiguous => format!("{first}..{last}"),
        _ => counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn ends(outcomes: &[Outcome]) -> Vec<&State> {
    outcomes
        .iter()
        .filter(|o| matches!(o.ending, Ending::Finished | Ending::Stuck))
        .map(|o| &o.state)
        .collect()
}

pub(crate) fn findings(engine: &Engine<'_>, np: &NpChoice) -> Vec<Finding> {
    let mut findings: Vec<Finding> = engine
        .found
        .iter()
        .filter(|found| match np {
            NpChoice::Any => true,
            NpChoice::Fixed(counts) => {
                counts.iter().any(|&n| i64::try_from(n).is_ok_and(|n| found.np.contains(n)))
            }
        })
        .map(|found| {
            let mut finding = found.finding.clone();
            finding.np = match np {
                NpChoice::Any => found.np.to_string(),
                NpChoice::Fixed(counts) => {
                    let hit = |n: &&u64| i64::try_from(**n).is_ok_and(|n| found.np.contains(n));
                    format!("np = {}", np_list(&counts.iter().filter(hit).copied().collect::<Vec<_>>()))
                }
            };
            // Who asks about one process wants to know.
            if found.np.most() == Some(1) && *np == NpChoice::Any {
                finding.severity = Severity::Note;
            }
            finding
        })
        .collect();
    findings.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    findings
}

/// An entry of the topology with the paths on which it holds.
struct Formula {
    entry: Exchanged,
    holds_in: Vec<usize>,
}

struct GatheredFormula {
    entry: Gathered,
    holds_in: Vec<usize>,
}

/// When an entry of the topology holds, if not always.
#[derive(Clone, PartialEq, Eq)]
enum Condition {
    /// On some inputs only.
    Input,
    /// For these numbers of processes only.
    Np(Counts),
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input => Ok(()),
            Self::Np(range) => write!(f, " for {}", range.to_string().replace("any ", "")),
        }
    }
}

/// What all paths have exchanged, with equal entries of different paths as one.
struct Formulas<'a, 'p> {
    engine: &'a Engine<'p>,
    ends: Vec<&'a State>,
    /// For which numbers of processes each path is possible.
    np: Vec<Counts>,
    exchanged: Vec<Formula>,
    gathered: Vec<GatheredFormula>,
}

impl<'a, 'p> Formulas<'a, 'p> {
    fn new(engine: &'a Engine<'p>, ends: &[&'a State]) -> Self {
        // Paths that hold for more process counts come first: their formulas are the general ones.
        let mut ends: Vec<(&State, Counts)> =
            ends.iter().filter_map(|state| Some((*state, possible_np(engine, state)?))).collect();
        ends.sort_by_key(|(_, np)| {
            let width = np.most().zip(np.least()).map_or(0, |(most, least)| most.saturating_sub(least));
            (np.most().is_some(), std::cmp::Reverse(width), std::cmp::Reverse(np.least()))
        });
        let (ends, np) = ends.into_iter().unzip();
        let mut formulas = Self { engine, ends, np, exchanged: Vec::new(), gathered: Vec::new() };
        for index in 0..formulas.ends.len() {
            formulas.add(index);
        }
        formulas.exchanged.sort_by(|a, b| {
            let key = |f: &Formula| {
                (formulas.engine.site_range(f.entry.send), formulas.engine.site_range(f.entry.recv))
            };
            key(a).cmp(&key(b))
        });
        formulas
    }

    fn add(&mut self, index: usize) {
        let state = self.ends[index];
        let said = self.said_before(index);
        for entry in &state.clients.topology.exchanged {
            if said.contains(&(entry.send, entry.recv)) {
                continue;
            }
            let entry = self.presentable(entry, &state.facts);
            let known = self
                .exchanged
                .iter_mut()
                .find(|f| !f.holds_in.contains(&index) && same_channel(&f.entry, &entry, &state.facts));
            match known {
                Some(formula) => {
                    formula.holds_in.push(index);
                    let repeat = (formula.entry.repeat.take(), &entry.repeat);
                    formula.entry.repeat = match repeat {
                        (Some(a), Some(b)) if state.facts.eq(&a, b) == Truth::Yes => Some(a),
                        _ => None,
                    };
                    for (a, b) in
                        [(&mut formula.entry.tag, &entry.tag), (&mut formula.entry.count, &entry.count)]
                    {
                        let agree = match (&*a, b) {
                            (Some(a), Some(b)) => agree_on(a, b, &entry.relation.receivers(), &state.facts),
                            _ => false,
                        };
                        if !agree {
                            *a = None;
                        }
                    }
                }
                None => self.exchanged.push(Formula { entry, holds_in: vec![index] }),
            }
        }
        for entry in &state.clients.topology.gathered {
            let mut entry = entry.clone();
            let show =
                |value: &Option<Linear>| value.as_ref().map(|v| self.engine.presentable(v, &state.facts));
            (entry.root, entry.repeat) = (show(&entry.root), show(&entry.repeat));
            if let Group::Progression(all) = &entry.communicator.group
                && entry.communicator.group != Communicator::world().group
            {
                let show = |bound: &Linear| self.engine.presentable(bound, &state.facts);
                let (first, count) = (show(&all.first), show(&all.count));
                let group = Group::Progression(Progression { first, step: all.step, count });
                entry.communicator = Arc::new(Communicator { name: entry.communicator.name.clone(), group });
            }
            let known = self.gathered.iter_mut().find(|f| {
                f.entry.sites == entry.sites
                    && f.entry.operation == entry.operation
                    && f.entry.communicator.name == entry.communicator.name
                    && f.entry.communicator.group.same(&entry.communicator.group, &state.facts)
            });
            match known {
                Some(formula) => {
                    formula.holds_in.push(index);
                    for (a, b) in
                        [(&mut formula.entry.root, &entry.root), (&mut formula.entry.repeat, &entry.repeat)]
                    {
                        let agree = match (&*a, b) {
                            (Some(a), Some(b)) => state.facts.eq(a, b) == Truth::Yes,
                            (None, None) => true,
                            _ => false,
                        };
                        if !agree {
                            *a = None;
                        }
                    }
                }
                None => self.gathered.push(GatheredFormula { entry, holds_in: vec![index] }),
            }
        }
    }

    /// The pairs of calls of a path with one number of processes whose messages are those of the formulas of another path. These
    /// are noted to hold.
    fn said_before(&mut self, index: usize) -> Vec<(SiteId, SiteId)> {
        let state = self.ends[index];
        let Some(np) = state.facts.constant(&Linear::np()) else { return Vec::new() };
        let mut at_np = Constraints::new();
        let known = at_np.assume_eq(&Linear::np(), &np.into());
        if known.and_then(|_| arithmetic::fold(&self.engine.symbols, &mut at_np)).is_none() {
            return Vec::new();
        }
        let mut calls: Vec<(SiteId, SiteId)> =
            state.clients.topology.exchanged.iter().map(|e| (e.send, e.recv)).collect();
        calls.sort_unstable();
        calls.dedup();
        calls.retain(|&(send, recv)| {
            let of = |e: &&Exchanged| (e.send, e.recv) == (send, recv);
            let Some(here) =
                messages(self.engine, state.clients.topology.exchanged.iter().filter(of), &state.facts)
            else {
                return false;
            };
            let there = (0..index).find_map(|path| {
                let formulas: Vec<usize> = (0..self.exchanged.len())
                    .filter(|&f| self.exchanged[f].holds_in.contains(&path) && of(&&self.exchanged[f].entry))
                    .collect();
                let entries = formulas.iter().map(|&f| &self.exchanged[f].entry);
                let said = messages(self.engine, entries, &at_np)?;
                (said == here).then_some(formulas)
            });
            for &formula in there.iter().flatten() {
                self.exchanged[formula].holds_in.push(index);
            }
            there.is_some()
        });
        calls
    }

    fn presentable(&self, entry: &Exchanged, facts: &Constraints) -> Exchanged {
        let show = |value: &Linear| self.engine.presentable(value, facts);
        let mut shown = entry.clone();
        shown.relation = entry.relation.map_bounds(show);
        shown.tag = entry.tag.as_ref().map(show);
        shown.count = entry.count.as_ref().map(show);
        let stable = |value: &Linear| value.symbols().all(|s| self.engine.symbols.is_stable(s));
        shown.repeat = entry.repeat.as_ref().map(show).filter(stable);
        shown
    }

    /// For which process counts a formula holds, when it does not hold on every path.
    fn condition(&self, formula: &Formula) -> Option<Condition> {
        self.holds(&formula.holds_in, |facts| gives_none(formula, facts))
    }

    /// Whether a formula holds on all paths of the process counts for which it is said to hold.
    fn happens(&self, formula: &Formula, condition: Option<&Condition>) -> bool {
        let Some(Condition::Np(np)) = condition else { return condition.is_none() };
        (0..self.ends.len()).all(|path| {
            formula.holds_in.contains(&path)
                || !np.meets(&self.np[path])
                || gives_none(formula, &self.ends[path].facts)
        })
    }

    /// When something holds that holds on some paths, and on others is `empty` anyway.
    fn holds(&self, holds_in: &[usize], empty: impl Fn(&Constraints) -> bool) -> Option<Condition> {
        let possible: Vec<usize> =
            (0..self.ends.len()).filter(|i| holds_in.contains(i) || !empty(&self.ends[*i].facts)).collect();
        if possible.len() == holds_in.len() { None } else { self.np_of(holds_in, &possible) }
    }

    /// For which process counts something holds that holds on these of the possible paths.
    fn np_of(&self, holds_in: &[usize], possible: &[usize]) -> Option<Condition> {
        let union = |paths: &[usize]| paths.iter().map(|&i| self.np[i].clone()).reduce(Counts::union);
        let (np, all) = (union(holds_in)?, union(possible)?);
        Some(if np == all { Condition::Input } else { Condition::Np(np) })
    }

    fn topology(&self) -> Topology {
        let mut channels: Vec<Channel> = Vec::new();
        let mut shapes: Vec<&'static str> = Vec::new();
        let mut used = vec![false; self.exchanged.len()];
        for index in 0..self.exchanged.len() {
            if used[index] {
                continue;
            }
            let wrapped = (0..self.exchanged.len())
                .filter(|&other| other != index && !used[other])
                .find_map(|other| Some((other, self.ring(&self.exchanged[index], &self.exchanged[other])?)));
            match wrapped {
                Some((other, (channel, distance))) => {
                    used[other] = true;
                    shapes.push(if distance.abs() == 1 { "ring" } else { "cyclic shift" });
                    channels.push(channel);
                }
                None => {
                    shapes.push(shape(&self.exchanged[index].entry));
                    channels.push(self.channel(&self.exchanged[index]));
                }
            }
            used[index] = true;
        }
        let patterns = shapes
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
            .map(|(index, name)| Pattern { name: (*name).to_owned(), channels: vec![index] })
            .collect();
        Topology { channels, collectives: self.collectives(), patterns, instance: None }
    }

    fn channel(&self, formula: &Formula) -> Channel {
        let entry = &formula.entry;
        let value = |value: Option<Linear>| value.map_or_else(|| "unknown".to_owned(), |v| self.text(&v));
        let relation = &entry.relation;
        let (senders, receivers) = (relation.senders(), relation.receivers());
        let partner = self.counterpart(relation, Link::receiver_of_sender, &senders, &receivers);
        let source = self.counterpart(relation, Link::sender_of_receiver, &receivers, &senders);
        let condition = self.condition(formula);
        // What happens on some inputs only happens an unknown number of times.
        let repeat = if self.happens(formula, condition.as_ref()) { entry.repeat.clone() } else { None };
        let condition = condition.map_or(String::new(), |c| c.to_string());
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
            datatype: datatype_text(&entry.datatype),
            repeat: value(repeat),
        }
    }

    fn text(&self, value: &Linear) -> String {
        self.engine.symbols.display(value).unwrap_or_else(|| "unknown".to_owned())
    }

    fn ranks_text(&self, ranks: &Ranks) -> String {
        ranks.display(&self.engine.symbols).unwrap_or_else(|| "unknown".to_owned())
    }

    /// The processes at the other end of messages, as one of `own` at this end sees them: an expression over its rank where it is one.
    fn counterpart(
        &self,
        relation: &Relation,
        of: fn(&Link, Symbol) -> Option<Linear>,
        own: &Ranks,
        other: &Ranks,
    ) -> String {
        let unknown = || "unknown".to_owned();
        if relation.as_link().is_some_and(|link| link.pairing == Pairing::Others) {
            return format!("each other of {}", self.ranks_text(other));
        }
        let facts = Constraints::new();
        // Each digit of the other: one that this end tells, or any of several.
        let digits = relation.links().iter().enumerate().map(|(position, link)| {
            of(link, own.symbol(position)).map_or_else(|| other.digits()[position].clone(), Range::single)
        });
        let seen = Ranks::new(relation.radices().to_vec(), digits.collect());
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
            return rank.or_else(by_digits).unwrap_or_else(unknown);
        }
        match over_rank(&seen) {
            Some(seen) => format!("each of {}", self.ranks_text(&seen)),
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
        let ends = show(&all.first).zip(all.last().as_ref().and_then(show));
        let step = if all.step == 1 { String::new() } else { format!(" step {}", all.step) };
        match ends {
            Some((first, last)) => format!("[{first}..{last}]{step} for each of {}", self.ranks_text(ranks)),
            None => "unknown".to_owned(),
        }
    }

    fn group_text(&self, group: &Group) -> String {
        match group {
            Group::Progression(all) => {
                let ends = all.first.clone();
                let last = all.last().unwrap_or_else(|| ends.clone());
                let (lo, hi) = if all.step < 0 { (last, ends) } else { (ends, last) };
                let range = Range { lo, hi }.display(&self.engine.symbols);
                match (range, all.step.unsigned_abs()) {
                    (None, _) => "unknown".to_owned(),
                    (Some(range), 1) => range,
                    (Some(range), step) => format!("{range} step {step}"),
                }
            }
            Group::List(ranks) => {
                let ranks: Vec<String> = ranks.iter().map(ToString::to_string).collect();
                format!("{{{}}}", ranks.join(", "))
            }
            Group::Sides(a, b) => {
                let side = |ranks: &[i64]| self.group_text(&Group::of(ranks.to_vec()));
                format!("{} and {}", side(a), side(b))
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

    /// The two parts of `(rank + k) % np` as one channel, with `k`.
    fn ring(&self, a: &Formula, b: &Formula) -> Option<(Channel, i64)> {
        let (x, y) = (&a.entry, &b.entry);
        let alike = x.send == y.send
            && x.recv == y.recv
            && x.communicator == y.communicator
            && x.datatype == y.datatype
            && x.repeat == y.repeat
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
        let world = Range::world();
        let facts = Constraints::new();
        let (low, high) = if k > 0 { (straight, other) } else { (other, straight) };
        let all = low.senders.append(&high.senders, &facts)?;
        if all != world {
            return None;
        }
        let formula = |k: i64| match k {
            k if k > 0 => format!("(rank + {k}) % np"),
            k => format!("(rank - {} + np) % np", k.unsigned_abs()),
        };
        let mut channel = self.channel(a);
        channel.senders = self.ranks_text(&world.into());
        channel.receivers = channel.senders.clone();
        channel.partner = formula(k);
        channel.source = formula(-k);
        Some((channel, k))
    }

    fn collectives(&self) -> Vec<Collective> {
        self.gathered
            .iter()
            .map(|formula| {
                let entry = &formula.entry;
                let condition = self.holds(&formula.holds_in, |facts| is_never(&entry.repeat, facts));
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

/// Whether a formula is proved to give no messages: a path says the same by having none.
fn gives_none(formula: &Formula, facts: &Constraints) -> bool {
    let empty = |range: &Range| range.nonempty(facts) == Truth::No;
    formula.entry.relation.links().iter().any(|link| empty(&link.senders) || empty(&link.receivers))
        || is_never(&formula.entry.repeat, facts)
}

/// Whether a number of times is proved not to be positive.
fn is_never(repeat: &Option<Linear>, facts: &Constraints) -> bool {
    repeat.as_ref().is_some_and(|repeat| facts.le(repeat, &Linear::zero()) == Truth::Yes)
}

fn same_channel(a: &Exchanged, b: &Exchanged, facts: &Constraints) -> bool {
    a.send == b.send
        && a.recv == b.recv
        && a.communicator == b.communicator
        && a.datatype == b.datatype
        && a.relation.radices() == b.relation.radices()
        && a.relation.links().iter().zip(b.relation.links()).all(|(a, b)| {
            a.senders.same(&b.senders, facts)
                && a.receivers.same(&b.receivers, facts)
                // On a single pair all pairings are the same.
                && (a.pairing == b.pairing || b.pairing == Pairing::Single)
        })
}

fn agree_on(a: &Linear, b: &Linear, side: &Ranks, facts: &Constraints) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (side.settle(a, facts), side.settle(b, facts));
    a.sub(&b).is_some_and(|d| d.is_uniform()) && facts.eq(&a, &b) == Truth::Yes
}

fn shape(entry: &Exchanged) -> &'static str {
    let any =
        |pairings: &[Pairing]| entry.relation.links().iter().any(|link| pairings.contains(&link.pairing));
    match () {
        () if any(&[Pairing::Every, Pairing::Others]) => "all-to-all",
        () if any(&[Pairing::FanOut]) => "fan-out",
        () if any(&[Pairing::FanIn]) => "gather",
        () if any(&[Pairing::Mirrored]) => "mirror",
        () if any(&[Pairing::Parallel]) => "shift",
        () => "",
    }
}

fn datatype_text(datatype: &Value) -> String {
    datatype.as_name().unwrap_or("unknown").to_owned()
}

/// Numbers of processes at which it is tried whether a path is possible.
const TRIED: i64 = 64;

/// The numbers of processes for which a path is possible; `None` when there are none. What a quotient is, only its operands tell.
fn possible_np(engine: &Engine<'_>, state: &State) -> Option<Counts> {
    let np = Counts::of(&state.facts);
    let functions = arithmetic::known_functions(&engine.symbols, &state.facts);
    if functions.is_empty() {
        return Some(np);
    }
    let possible = |n: i64| {
        let mut facts = state.facts.clone();
        let at_np = facts.assume_eq(&Linear::np(), &n.into());
        at_np.and_then(|_| arithmetic::fold_some(functions.iter().copied(), &mut facts)).is_some()
    };
    let np = np.restricted(TRIED, possible);
    np.least().map(|_| np)
}

/// Whether a symbolic exploration says of one process count what an exact one of that count found. Numbers that the symbolic one
/// leaves open agree with any.
pub(crate) fn agree(symbolic: &Exploration<'_>, exact: &Exploration<'_>, np: u64) -> bool {
    let of = |e: &Exploration<'_>| instance(&e.engine, &ends(&e.walk.outcomes), np);
    let (claimed, found) = match (of(symbolic), of(exact)) {
        (Some(claimed), Some(found)) => (claimed, found),
        (None, None) => return true,
        // The symbolic answer leaves out the counts at which a partner is no rank.
        (None, Some(_)) => return exact.engine.found.iter().any(|f| f.key.0 == Rule::InvalidRank),
        (Some(_), None) => return false,
    };
    let open = |a: Option<i64>, b: Option<i64>| a.is_none() || a == b;
    let mut left = found.messages;
    let messages = claimed.messages.iter().all(|m| {
        let known = left.iter().position(|e| {
            (m.from, m.to, m.send_line, m.recv_line) == (e.from, e.to, e.send_line, e.recv_line)
                && (open(m.tag, e.tag) && open(m.count, e.count) && open(m.repeat, e.repeat))
        });
        known.map(|index| left.remove(index)).is_some()
    });
    let mut gathered = found.collectives;
    let collectives = claimed.collectives.iter().all(|c| {
        let known = gathered.iter().position(|e| {
            c.operation == e.operation
                && c.line == e.line
                && c.ranks == e.ranks
                && c.root == e.root
                && open(c.repeat, e.repeat)
        });
        known.map(|index| gathered.remove(index)).is_some()
    });
    messages && left.is_empty() && collectives && gathered.is_empty()
}

/// How often each message is sent; `None` where that depends on the input.
type Repeats = BTreeMap<Message, Option<i64>>;

/// The topology at one number of processes; `None` when who communicates depends on the input.
fn instance(engine: &Engine<'_>, ends: &[&State], np: u64) -> Option<Instance> {
    let n = i64::try_from(np).ok()?;
    let mut collected: Option<(Repeats, Vec<CollectiveInstance>)> = None;
    for state in ends {
        let mut facts = state.facts.clone();
        let at_np = facts.assume_eq(&Linear::np(), &n.into());
        if at_np.and_then(|_| arithmetic::fold(&engine.symbols, &mut facts)).is_none() {
            continue;
        }
        let messages = messages(engine, state.clients.topology.exchanged.iter(), &facts)?;
        let collectives: Vec<CollectiveInstance> = state
            .clients
            .topology
            .gathered
            .iter()
            .flat_map(|entry| {
                let group = &entry.communicator.group;
                let groups = match &entry.slices {
                    Some(ranks) => group.listed_slices(ranks, &facts).unwrap_or_default(),
                    None => vec![group.listed(&facts).unwrap_or_default()],
                };
                let root = entry.root.as_ref().and_then(|root| facts.constant(root));
                let root = root.and_then(|root| usize::try_from(root).ok());
                let rank = |rank: i64| u64::try_from(rank).ok();
                let instance = |ranks: Vec<i64>| CollectiveInstance {
                    operation: entry.operation.to_string(),
                    line: entry.sites.iter().map(|&s| engine.site_range(s).line).min().unwrap_or(0),
                    root: root.and_then(|root| rank(*ranks.get(root)?)),
                    ranks: ranks.into_iter().filter_map(rank).collect(),
                    repeat: entry.repeat.as_ref().and_then(|r| facts.constant(r)),
                };
                groups.into_iter().map(instance).collect::<Vec<_>>()
            })
            .collect();
        collected = Some(match collected {
            None => (messages, collectives),
            Some((mut known, mut gathered)) => {
                // Paths that differ in the input: what they disagree on depends on it.
                for (message, repeat) in &messages {
                    let entry = known.entry(message.clone()).or_insert(None);
                    if entry != repeat {
                        *entry = None;
                    }
                }
                for (message, repeat) in &mut known {
                    if !messages.contains_key(message) {
                        *repeat = None;
                    }
                }
                let key = |c: &CollectiveInstance| (c.operation.clone(), c.line, c.ranks.clone());
                for collective in &mut gathered {
                    let other = collectives.iter().find(|c| key(c) == key(collective));
                    if other.is_none_or(|o| o.repeat != collective.repeat) {
                        collective.repeat = None;
                    }
                }
                for collective in collectives {
                    if !gathered.iter().any(|c| key(c) == key(&collective)) {
                        gathered.push(CollectiveInstance { repeat: None, ..collective });
                    }
                }
                (known, gathered)
            }
        });
    }
    let (messages, collectives) = collected?;
    let messages = messages.into_iter().map(|(message, repeat)| Message { repeat, ..message }).collect();
    Some(Instance { np, messages, collectives })
}

/// The pairs of a relation between two ranges of numbers.
fn pairs(pairing: Pairing, senders: (i64, i64), receivers: (i64, i64)) -> Vec<(i64, i64)> {
    let (from, to) = (senders.0..=senders.1, receivers.0..=receivers.1);
    match pairing {
        Pairing::Single | Pairing::Parallel => from.zip(to).collect(),
        Pairing::Mirrored => from.zip(to.rev()).collect(),
        Pairing::FanOut | Pairing::FanIn | Pairing::Every | Pairing::Others => from
            .flat_map(|s| to.clone().map(move |r| (s, r)))
            .filter(|(s, r)| pairing != Pairing::Others || s != r)
            .collect(),
    }
}

/// All messages of some entries of a path at a fixed number of processes, with how often each is sent.
fn messages<'e>(
    engine: &Engine<'_>,
    entries: impl Iterator<Item = &'e Exchanged>,
    facts: &Constraints,
) -> Option<Repeats> {
    let mut messages = Repeats::new();
    for entry in entries {
        let radices =
            entry.relation.radices().iter().map(|r| facts.constant(r)).collect::<Option<Vec<_>>>()?;
        let bounds = |range: &Range| Some((facts.constant(&range.lo)?, facts.constant(&range.hi)?));
        // Pairs by their digits, least significant first.
        let mut found: Vec<(Vec<i64>, Vec<i64>)> = vec![Default::default()];
        for link in entry.relation.links() {
            let digits = pairs(link.pairing, bounds(&link.senders)?, bounds(&link.receivers)?);
            let longer = |(from, to): (Vec<i64>, Vec<i64>)| {
                digits
                    .iter()
                    .map(move |&(s, r)| ([&from[..], &[s]].concat(), [&to[..], &[r]].concat()))
                    .collect::<Vec<_>>()
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        let frame = Ranks::new(
            radices.iter().map(|&r| r.into()).collect(),
            entry.relation.senders().digits().to_vec(),
        );
        for (senders, receivers) in found {
            let rank = |digits: &[i64]| {
                digits
                    .iter()
                    .rev()
                    .zip(std::iter::once(&1).chain(radices.iter().rev()))
                    .try_fold(0_i64, |rank, (digit, radix)| rank.checked_mul(*radix)?.checked_add(*digit))
            };
            let (from, to) = (rank(&senders)?, rank(&receivers)?);
            let varying = if entry.relation.is_fan_in() { &senders } else { &receivers };
            let number = |value: &Option<Linear>| {
                let value = frame.in_digits(value.as_ref()?)?;
                let own = |symbol| (0..varying.len()).find(|&i| frame.symbol(i) == symbol);
                facts.constant(&value.map_symbols(|symbol| own(symbol).map(|i| varying[i].into()))?)
            };
            let elements = number(&entry.count);
            let size = type_size(&entry.datatype).and_then(|s| i64::try_from(s).ok());
            let message = Message {
                from: u64::try_from(from).ok()?,
                to: u64::try_from(to).ok()?,
                send_line: engine.site_range(entry.send).line,
                recv_line: engine.site_range(entry.recv).line,
                communicator: entry.communicator.name.to_string(),
                tag: number(&entry.tag),
                count: elements,
                datatype: datatype_text(&entry.datatype),
                bytes: elements.zip(size).and_then(|(n, s)| n.checked_mul(s)),
                repeat: None,
            };
            let repeat = entry.repeat.as_ref().and_then(|r| facts.constant(r));
            messages
                .entry(message)
                .and_modify(|known| *known = known.zip(repeat).and_then(|(a, b)| a.checked_add(b)))
                .or_insert(repeat);
        }
    }
    Some(messages)
}

impl Engine<'_> {
    fn site_range(&self, site: SiteId) -> crate::results::SourceRange {
        let (function, span) = self.site_place(site);
        self.range_of(function.unit, span)
    }

    pub(crate) fn site_result(&self, site: SiteId) -> Site {
        let info = &self.sites[site.0 as usize];
        Site {
            range: self.site_range(site),
            function: self.program.function(info.function).name.to_string(),
            operation: info.operation.clone(),
        }
    }
}
