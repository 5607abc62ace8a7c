//! Defects that the engine meets on its way: messages nobody takes, receives nobody serves, sides that disagree.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Span;
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear, Range, Ranks, Symbol, SymbolKind, Symbols, Truth};
use rustc_hash::FxHashMap;

use super::boxes::intersect;
use super::clients::lifecycles::Note;
use super::communicators::PACKED;
use super::contributions;
use super::datatypes::{Signature, least};
use super::determinism::CODE;
use super::environment::{is_outside, is_pure};
use super::eval::SIZE_OF;
use super::explore::{Ending, Walk};
use super::extent::{Extent, Told};
use super::lengths::{Fit, ends_over_senders};
use super::link::Pairing;
use super::possible_np::{has_products, is_possible_at, possible_np};
use super::process_counts::Counts;
use super::relation::{Counterpart, Relation};
use super::state::{
    Entered, Envelope, Hold, InFlight, Incoming, Partition, Posted, ProcessSet, SiteId, State, Status, Wanted,
};
use super::value::Value;
use super::waiting::waits_for;
use super::{Engine, NpChoice, witness};
use crate::results::{Finding, Related, Severity};
use crate::rules::Rule;

/// A defect with the numbers of processes for which it was seen.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) finding: Finding,
    /// Where it is, for telling defects apart.
    pub(crate) key: (Rule, FunctionRef, Span),
    pub(crate) np: Counts,
    /// For which of them, and on which ranks, on each path.
    pub(crate) extent: Extent,
    /// Whether a path shows it on which nothing was made imprecise.
    pub(crate) certain: bool,
    /// Whether all paths that show it rest on functions that are not evaluated: there may be no such path.
    pub(crate) doubtful: bool,
}

/// A number of processes from which on a case that holds for all greater ones is worth to be told instead of one for few.
const TELLING: i64 = 64;
/// What is said of a defect that needs no other process.
const ONE_PROCESS: &str = "np = 1";
/// What is said of a defect that only shows where something was made imprecise.
const UNCERTAIN: &str = "is not certain";
/// What is said of a defect that only shows on some of the paths that rest on such functions.
const UNEVALUATED: &str = "depends on functions that are not evaluated";

impl Found {
    /// The same defect, seen for other numbers of processes.
    pub(crate) fn add(&mut self, other: Self) {
        // The case that holds for more process counts has the more telling words, unless these are great.
        let wider =
            other.np.most().is_none() && self.np.most().is_some() && other.np.least() <= Some(TELLING);
        self.certain |= other.certain;
        self.np = self.np.clone().union(other.np);
        self.extent.add(other.extent);
        if wider {
            let severity = self.finding.severity;
            self.finding = Finding { severity, ..other.finding };
        }
    }

    /// Whether it is claimed for a number of processes.
    pub(crate) fn shows_at(&self, engine: &Engine<'_>, np: i64) -> bool {
        self.np.contains(np) && self.extent.shows_at(engine, np)
    }

    /// What is said of it for the numbers of processes that were asked for: mostly one finding, or several where no form tells the ranks
    /// for all of these.
    pub(crate) fn told(&self, engine: &Engine<'_>, choice: &NpChoice) -> Vec<Finding> {
        let told = self.extent.told(engine, &self.np, choice).into_iter();
        told.map(|Told { np, ranks }| {
            let severity = match self.finding.severity {
                // Who asks about one process wants to know.
                _ if np == ONE_PROCESS && *choice == NpChoice::Any => Severity::Note,
                severity => severity,
            };
            Finding { np, ranks, severity, ..self.finding.clone() }
        })
        .collect()
    }
}

impl Engine<'_> {
    /// Takes back what only shows on paths that may not exist.
    pub(crate) fn take_back_uncertain(&mut self) {
        let (certain, uncertain) = std::mem::take(&mut self.found).into_iter().partition(|f| f.certain);
        self.found = certain;
        let uncertain: Vec<Found> = uncertain;
        for Found { key, .. } in uncertain {
            self.leave_open(key, UNCERTAIN);
        }
    }

    /// Takes back what may only show on paths that do not exist: one of those that rest on functions that are not evaluated exists.
    pub(crate) fn settle_doubts(&mut self, walk: &Walk) {
        let found = std::mem::take(&mut self.found);
        let open = !self.reasons.is_empty() || walk.outcomes.iter().any(|o| o.ending == Ending::Open);
        let finished = walk.outcomes.iter().filter(|o| o.ending == Ending::Finished);
        let ends: Vec<Counts> = finished.filter_map(|o| possible_np(self, &o.state)).collect();
        let (doubtful, sure): (Vec<Found>, _) = found.into_iter().partition(|found| found.doubtful);
        self.found = sure;
        for found in doubtful {
            let known = self.found.iter().position(|sure| sure.key == found.key);
            if known.is_some_and(|known| self.found[known].np.includes(&found.np)) {
                continue;
            }
            if open || ends.iter().any(|np| np.meets(&found.np)) {
                self.leave_open(found.key, UNEVALUATED);
            } else if let Some(known) = known {
                self.found[known].add(found);
            } else {
                self.found.push(found);
            }
        }
    }

    /// Adds a defect that was found for some number of processes.
    pub(crate) fn add_found(&mut self, found: Found) {
        match self.found.iter_mut().find(|known| known.key == found.key) {
            Some(known) => known.add(found),
            None => self.found.push(found),
        }
    }

    /// Notes that it is not known whether there is a defect.
    fn leave_open(&mut self, (rule, function, span): (Rule, FunctionRef, Span), why: &str) {
        let place = self.line_of(function.unit, span);
        self.unexplored(format!("{place}: whether there is a case of {} {why}", rule.id()));
    }

    pub(crate) fn report(
        &mut self,
        rule: Rule,
        state: &State,
        ranks: &Ranks,
        place: (FunctionRef, Span),
        message: String,
        related: Vec<Related>,
    ) {
        // On no path that is possible.
        let Some(np) = possible_np(self, state).filter(|_| !self.has_no_factors(state)) else { return };
        let key = (rule, place.0, place.1);
        let doubt = if (self.fixed.is_some() && state.blurred) || self.has_no_witness(state) {
            Some(UNCERTAIN)
        } else if self.may_contradict(&state.facts) {
            Some("depends on computations of several ranks that are not followed")
        } else {
            None
        };
        if let Some(doubt) = doubt {
            // Paths that leave no doubt have shown it already, or it is not certain.
            if !self.found.iter().any(|found| found.key == key && found.np.includes(&np)) {
                self.leave_open(key, doubt);
            }
            return;
        }
        let doubtful = rests_on_unevaluated(&self.symbols, &state.facts);
        let extent = Extent::of(self, ranks, &state.facts);
        let finding = Finding {
            rule,
            severity: if depends_on_input(&self.symbols, &state.facts) {
                Severity::Warning
            } else {
                Severity::Error
            },
            message,
            range: self.range_of(place.0.unit, place.1),
            np: String::new(),
            ranks: String::new(),
            related,
            fix: None,
            rebuild: None,
        };
        let found = Found { finding, key, np, extent, certain: !state.blurred, doubtful };
        match self.found.iter_mut().find(|known| known.key == key && known.doubtful == doubtful) {
            Some(known) => known.add(found),
            None => self.found.push(found),
        }
    }

    /// Whether one number of processes is no product of factors as a path needs them.
    fn has_no_factors(&self, state: &State) -> bool {
        let np = self.fixed.filter(|_| has_products(state)).and_then(|np| i64::try_from(np).ok());
        np.is_some_and(|np| !is_possible_at(self, state, np))
    }

    /// Whether a path has one number of processes, and no values of inputs are found for which it is taken.
    fn has_no_witness(&self, state: &State) -> bool {
        state.facts.constant(&Linear::np()).is_some()
            && witness::is_taken(&self.symbols, &state.facts) == Some(false)
    }

    /// A defect of a handle on a path; `None` where it is open whether there is such a path.
    pub(crate) fn found_on(&self, state: &State, note: &Note) -> Option<Found> {
        let mut large;
        let state = match note.from_np {
            Some(least) => {
                large = state.clone();
                let _ = large.facts.assume_le(&least.into(), &Symbol::NP.into())?;
                &large
            }
            None => state,
        };
        let np = possible_np(self, state)?;
        let is_open = (self.fixed.is_some() && state.blurred)
            || self.has_no_witness(state)
            || self.has_no_factors(state)
            || self.may_contradict(&state.facts)
            || rests_on_unevaluated(&self.symbols, &state.facts);
        if is_open {
            return None;
        }
        let severity = match note.severity.unwrap_or_else(|| note.rule.default_severity()) {
            Severity::Error if depends_on_input(&self.symbols, &state.facts) => Severity::Warning,
            severity => severity,
        };
        let related = note.related.iter();
        let related = related
            .map(|(site, message)| Related { range: self.site_range(*site), message: message.clone() });
        let finding = Finding {
            rule: note.rule,
            severity,
            message: note.message.clone(),
            range: self.range_of(note.place.0.unit, note.place.1),
            np: String::new(),
            ranks: String::new(),
            related: related.collect(),
            fix: None,
            rebuild: None,
        };
        let key = (note.rule, note.place.0, note.place.1);
        let extent = Extent::of(self, &note.ranks, &state.facts);
        Some(Found { finding, key, np, extent, certain: !state.blurred, doubtful: false })
    }

    /// Whether a path was taken on outcomes of one computation with different inputs, on different ranks say: which outcomes can come
    /// together is not known.
    fn may_contradict(&self, facts: &Constraints) -> bool {
        let mut outcomes: BTreeMap<&str, Symbol> = BTreeMap::new();
        let mut seen: BTreeSet<Symbol> = BTreeSet::new();
        let mut work: Vec<Symbol> = facts.symbols().collect();
        let mut fixed = FxHashMap::default();
        while let Some(symbol) = work.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            if symbol.is_product() {
                work.extend(symbol.factors());
            }
            let SymbolKind::Apply(function, arguments) = self.symbols.kind(symbol) else { continue };
            let computed =
                function.starts_with(CODE) || (is_pure(function) && self.is_fixed(symbol, &mut fixed));
            if computed && *outcomes.entry(function).or_insert(symbol) != symbol {
                return true;
            }
            work.extend(arguments.iter().flat_map(Linear::symbols));
        }
        false
    }

    /// Whether a symbol is computed from constants of the program alone.
    fn is_fixed(&self, symbol: Symbol, known: &mut FxHashMap<Symbol, bool>) -> bool {
        if let Some(&known) = known.get(&symbol) {
            return known;
        }
        let fixed = match self.symbols.kind(symbol) {
            SymbolKind::Apply(function, arguments) => {
                !is_outside(function)
                    && arguments.iter().flat_map(Linear::symbols).all(|symbol| self.is_fixed(symbol, known))
            }
            SymbolKind::Product => symbol.factors().all(|factor| self.is_fixed(factor, known)),
            SymbolKind::Np
            | SymbolKind::Rank
            | SymbolKind::Part
            | SymbolKind::Input(_)
            | SymbolKind::Joined => false,
        };
        known.insert(symbol, fixed);
        fixed
    }

    /// Compares what the two sides of a match say about the message.
    pub(crate) fn check_match(
        &mut self,
        state: &State,
        envelope: &Envelope,
        incoming: &Incoming,
        relation: &Relation,
        sender: Option<&Counterpart>,
    ) {
        let recv = self.site_place(incoming.filter.site);
        let sent_here = |engine: &Self, what: String| {
            let (function, span) = engine.site_place(envelope.site);
            vec![Related { range: engine.range_of(function.unit, span), message: what }]
        };
        let count = envelope.count.seen_from(sender);
        let types = (self.signature(&envelope.datatype), self.signature(&incoming.datatype));
        let (Some(sent), Some(wanted)) = types else {
            // Equal numbers of equal elements are equally long, whatever these are.
            if !is_known(&envelope.datatype) || envelope.datatype != incoming.datatype {
                let why = "the datatypes of the message are not known".to_owned();
                return self.leave_length_open(state, recv, why);
            }
            let element = Signature::of_bytes(1);
            let fit = self.fit_of_match(state, (envelope, &count, &element), (incoming, &element), relation);
            if fit != Fit::Fits {
                let why = "whether the receive has room for the message is not known".to_owned();
                self.leave_length_open(state, recv, why);
            }
            return;
        };
        if sent.differs(least(&count), &wanted, least(&incoming.count)) {
            let (a, b) = (envelope.datatype.name_text(), incoming.datatype.name_text());
            let message = format!("receives {b}, but the message that arrives is {a}");
            let related = sent_here(self, format!("the message is sent as {a}"));
            self.report(Rule::DatatypeMismatch, state, &relation.receivers(), recv, message, related);
            return;
        }
        let text = |engine: &Self, count: &Value, signature: &Signature| {
            let bytes = bytes_of(count, signature)?;
            match bytes.as_constant() {
                Some(bytes) => Some(format!("{bytes} bytes")),
                None => engine.symbols.display(&bytes).map(|text| format!("{text} bytes")),
            }
        };
        let room = text(self, &incoming.count, &wanted);
        match self.fit_of_match(state, (envelope, &count, &sent), (incoming, &wanted), relation) {
            Fit::Fits => {}
            Fit::TooLong(members, facts) => {
                let other = || "more bytes".to_owned();
                let sent = text(self, &count, &sent).unwrap_or_else(other);
                let message =
                    format!("has room for {}, but the message has {sent}", room.unwrap_or_else(other));
                let related = sent_here(self, format!("{sent} are sent here"));
                let shown = State { facts: *facts, ..state.clone() };
                self.report(Rule::MessageTruncation, &shown, &members, recv, message, related);
            }
            Fit::Open => {
                let why = match (count.as_int(), &room) {
                    (_, None) => "how much the receive has room for is not known".to_owned(),
                    (None, Some(room)) => {
                        format!("how much the message has is not known, and there is room for {room}")
                    }
                    (Some(_), Some(room)) => {
                        let sent = text(self, &count, &sent).unwrap_or_else(|| "some bytes".to_owned());
                        format!("whether the message ({sent}) fits is not known: there is room for {room}")
                    }
                };
                self.leave_length_open(state, recv, why);
            }
        }
    }

    /// Whether what is sent fits into what a receive has room for.
    fn fit_of_match(
        &self,
        state: &State,
        (envelope, seen, sent): (&Envelope, &Value, &Signature),
        (incoming, wanted): (&Incoming, &Signature),
        relation: &Relation,
    ) -> Fit {
        let facts = &state.facts;
        let receivers = relation.receivers();
        let Some(room) = bytes_of(&incoming.count, wanted) else { return Fit::Open };
        // A count below zero is a mistake by itself, whatever arrives.
        if room.as_constant().is_some_and(|room| room < 0) {
            return Fit::Fits;
        }
        if let Some(sent) = bytes_of(seen, sent) {
            return self.fit(&receivers, facts, &sent, &room);
        }
        // A receiver with several senders.
        let Some(sent) = bytes_of(&envelope.count, sent) else { return Fit::Open };
        let (least, most) = ends_over_senders(relation, &sent, facts);
        let (Some(narrow), Some(wide)) = (receivers.minimise(&room, facts), receivers.maximise(&room, facts))
        else {
            return Fit::Open;
        };
        if most.is_some_and(|most| facts.le(&most, &narrow) == Truth::Yes) {
            return Fit::Fits;
        }
        let too_long = |least: Linear| Some(facts.le(&wide.offset(1)?, &least) == Truth::Yes);
        match least.and_then(too_long) {
            Some(true) => Fit::TooLong(receivers, Box::new(facts.clone())),
            _ => Fit::Open,
        }
    }

    /// Reports messages that are still in flight when all processes are done, but for those that were told of.
    pub(crate) fn report_unreceived(&mut self, state: &State, is_told: impl Fn(&InFlight) -> bool) {
        // A message whose sender waits until it is received is part of the hang, not its cause.
        for message in state.in_flight.iter().filter(|m| m.hold != Hold::Firm && !is_told(m)) {
            let place = self.site_place(message.envelope.site);
            let to = self.rank_list(&message.relation.receivers(), &state.facts);
            let tag = self.tag_text(&message.envelope.tag);
            let text = format!("the message to {to}{tag} is never received");
            self.report(Rule::UnmatchedSend, state, &message.relation.senders(), place, text, Vec::new());
        }
    }

    /// Reports why no process can go on; `false` when that is beyond what the engine can tell.
    pub(crate) fn report_stuck(&mut self, state: &State) -> bool {
        let lenient = state.sets.iter().find_map(|set| match &set.status {
            Status::Waiting(wait) if wait.is_lenient() => Some(wait.site),
            _ => None,
        });
        if let Some(site) = lenient {
            self.here = Some(self.site_place(site));
            self.give_up(super::partial::FIRST_UNKNOWN);
            return false;
        }
        let entered = contributions::together(state, &state.entered);
        let state = &State { entered, ..state.clone() };
        let blocked: Vec<Blocked> = (0..state.sets.len()).flat_map(|index| blocked(state, index)).collect();
        if blocked.is_empty() {
            self.give_up("no process can go on");
            return false;
        }
        let mut reported = false;
        // Messages of which a receive tells that waits for them in vain.
        let mut told: Vec<SiteId> = Vec::new();
        // Calls of which it was said who waits in them.
        let mut extended: Vec<(Rule, SiteId)> = Vec::new();
        for one in &blocked {
            let Cause::Receive(posted) = &one.cause else { continue };
            let set = &state.sets[one.set];
            if waits_for_done(state, set, &posted.wanted) {
                let from = self.source_text(&posted.wanted, set, state);
                let tag = posted.incoming.filter.tag.as_ref().map_or(String::new(), |tag| self.tag_text(tag));
                let place = self.site_place(posted.incoming.filter.site);
                let (rule, others) = mistaken(state, posted, set);
                let related = others.iter().map(|message| self.sent_otherwise(message, rule)).collect();
                let text = match rule {
                    Rule::TagMismatch => {
                        format!("waits for a message from {from}{tag}, but it has another tag")
                    }
                    Rule::CommunicatorMismatch => format!(
                        "waits for a message from {from}{tag} on {}, but it is sent on another communicator",
                        posted.incoming.filter.communicator.name
                    ),
                    _ => format!("waits for a message from {from}{tag} that never comes"),
                };
                if rule != Rule::UnmatchedRecv {
                    told.extend(others.iter().map(|message| message.envelope.site));
                }
                self.report(rule, state, &set.ranks, place, text.clone(), related);
                // Who waits in the same call waits in vain, too, if only for one of these.
                if !extended.contains(&(rule, one.site())) {
                    extended.push((rule, one.site()));
                    for same in blocked.iter().filter(|same| same.set != one.set && same.site() == one.site())
                    {
                        self.report(
                            rule,
                            state,
                            &state.sets[same.set].ranks,
                            place,
                            text.clone(),
                            Vec::new(),
                        );
                    }
                }
                reported = true;
            }
        }
        if !reported {
            // What a receive waits for says more than a collective that the others have reached.
            let first = blocked.iter().position(|b| matches!(b.cause, Cause::Receive(_))).unwrap_or(0);
            let mut chain: Vec<&Blocked> = blocked.iter().collect();
            let first = chain.remove(first);
            // What it could have meant comes before who else waits.
            let (rule, others) = match &first.cause {
                Cause::Receive(posted) => mistaken(state, posted, &state.sets[first.set]),
                _ => (Rule::Deadlock, Vec::new()),
            };
            let mut related: Vec<Related> =
                others.iter().map(|message| self.sent_otherwise(message, rule)).collect();
            related.extend(chain.into_iter().map(|other| {
                let (function, span) = self.site_place(other.site());
                let ranks = self.rank_list(&other.ranks, &state.facts);
                let text = self.blocked_text(other, state);
                Related { range: self.range_of(function.unit, span), message: format!("{ranks}: {text}") }
            }));
            let rule = if self.buffering { hang_rule(state, &blocked, first) } else { Rule::UnsafeSend };
            let text = match &first.cause {
                Cause::Receive(posted) => {
                    let set = &state.sets[first.set];
                    let from = self.source_text(&posted.wanted, set, state);
                    let tag =
                        posted.incoming.filter.tag.as_ref().map_or(String::new(), |tag| self.tag_text(tag));
                    format!("waits for a message from {from}{tag}, which waits as well")
                }
                _ => self.blocked_text(first, state),
            };
            // A receive or a send of a set is one call, whatever each of its members waits for.
            let ranks = match &first.cause {
                Cause::Collective(_) => &first.ranks,
                _ => &state.sets[first.set].ranks,
            };
            let place = self.site_place(first.site());
            self.report(rule, state, ranks, place, text.clone(), related);
            let others = |same: &&Blocked| same.set != first.set || same.ranks != first.ranks;
            for same in blocked.iter().filter(|same| same.site() == first.site()).filter(others) {
                let ranks = match &same.cause {
                    Cause::Collective(_) => &same.ranks,
                    _ => &state.sets[same.set].ranks,
                };
                self.report(rule, state, ranks, place, text.clone(), Vec::new());
            }
        }
        let is_blocked = |index: usize| blocked.iter().any(|one| one.set == index);
        let through: Vec<&Ranks> =
            (0..state.sets.len()).filter(|&i| !is_blocked(i)).map(|i| &state.sets[i].ranks).collect();
        self.report_unreceived(state, |message| {
            // Who waits might have received it later.
            let receivers = message.relation.receivers();
            told.contains(&message.envelope.site)
                || through.iter().all(|ranks| ranks.disjoint(&receivers, &state.facts))
        });
        true
    }

    /// What a set waits for, as the end of a sentence.
    fn blocked_text(&self, blocked: &Blocked, state: &State) -> String {
        match &blocked.cause {
            Cause::Receive(posted) => {
                let from = self.source_text(&posted.wanted, &state.sets[blocked.set], state);
                format!("waits here for a message from {from}")
            }
            Cause::Send(message) => {
                let to = self.rank_list(&message.relation.receivers(), &state.facts);
                format!("waits here for a receive by {to}")
            }
            Cause::Collective(entered) => {
                let why = match entered.call.creates.as_ref().map(|creation| &creation.how) {
                    Some(Partition::Bridge { .. }) => {
                        "and the leader of no other group answers with the same tag"
                    }
                    _ => "which not all ranks reach",
                };
                format!("waits in `{}`, {why}", entered.call.operation)
            }
            Cause::Probe(_) => "waits here for a message to look at".to_owned(),
        }
    }

    /// Where a message is sent that a waiting receive does not accept.
    fn sent_otherwise(&self, message: &InFlight, rule: Rule) -> Related {
        let text = if rule == Rule::CommunicatorMismatch {
            format!("a message is sent on {} here", message.envelope.communicator.name)
        } else {
            format!("a message{} is sent here", self.tag_text(&message.envelope.tag))
        };
        Related { range: self.site_range(message.envelope.site), message: text }
    }

    /// Whom a receive waits for.
    fn source_text(&self, wanted: &Wanted, set: &ProcessSet, state: &State) -> String {
        match wanted {
            Wanted::Anybody(_) => "any rank".to_owned(),
            Wanted::From(relation) => match relation.sender_of_receiver() {
                Some(source) => self.partner_text(&source, set, state),
                None => self.rank_list(&relation.senders(), &state.facts),
            },
        }
    }

    fn partner_text(&self, partner: &Counterpart, set: &ProcessSet, state: &State) -> String {
        let rank = partner.rank().and_then(|rank| set.ranks.over_rank(&rank, &state.facts));
        let shown = rank.map(|rank| self.presentable(&rank, &state.facts));
        if let Some(text) = shown.as_ref().and_then(|rank| self.symbols.display(rank)) {
            // As in a topology: "from rank 0", but "from rank - 1".
            return if shown.is_some_and(|rank| rank.is_uniform()) { format!("rank {text}") } else { text };
        }
        // Otherwise in the digits of the set, as its ranks are shown.
        let by_digits = partner.display(&set.ranks, &self.symbols, |e| self.presentable(e, &state.facts));
        by_digits.map_or_else(|| "some rank".to_owned(), |text| format!("rank {text}"))
    }

    fn rank_text(&self, rank: &Linear, facts: &Constraints) -> String {
        let rank = self.presentable(rank, facts);
        self.symbols.display(&rank).unwrap_or_else(|| "?".to_owned())
    }

    pub(crate) fn rank_list(&self, ranks: &Ranks, facts: &Constraints) -> String {
        match ranks.as_single(facts) {
            Some(only) => format!("rank {}", self.rank_text(&only, facts)),
            None => format!("ranks {}", ranks_text(self, ranks, facts)),
        }
    }

    fn tag_text(&self, tag: &Value) -> String {
        match tag.as_int().and_then(|tag| self.symbols.display(tag)) {
            Some(tag) => format!(" with tag {tag}"),
            None => String::new(),
        }
    }

    /// An expression over symbols that mean something to the user, where it is equal to one.
    pub(crate) fn presentable(&self, value: &Linear, facts: &Constraints) -> Linear {
        if let Some(constant) = value.as_constant().or_else(|| facts.constant(value)) {
            return constant.into();
        }
        let shown = value.map_symbols(|symbol| {
            if symbol.is_product() {
                return facts.equal_offset(symbol, |other| other == Symbol::NP);
            }
            if self.symbols.is_stable(symbol) {
                return None;
            }
            facts.equal_offset(symbol, |other| {
                self.symbols.is_stable(other) && self.symbols.is_quantity(other)
            })
        });
        shown.unwrap_or_else(|| value.clone())
    }
}

/// A set that waits, and one of the things it waits for.
#[derive(Clone, Debug)]
struct Blocked {
    set: usize,
    /// Those of its members that wait for this.
    ranks: Ranks,
    cause: Cause,
}

#[derive(Clone, Debug)]
enum Cause {
    Receive(Posted),
    Send(InFlight),
    Collective(Entered),
    Probe(SiteId),
}

impl Blocked {
    fn site(&self) -> SiteId {
        match &self.cause {
            Cause::Receive(posted) => posted.incoming.filter.site,
            Cause::Send(message) => message.envelope.site,
            Cause::Collective(entered) => entered.call.site,
            Cause::Probe(site) => *site,
        }
    }
}

/// Which rule a hang breaks that shows at this place.
fn hang_rule(state: &State, blocked: &[Blocked], first: &Blocked) -> Rule {
    let Cause::Collective(entered) = &first.cause else { return Rule::Deadlock };
    let others = |one: &&Blocked| one.set != first.set || one.ranks.disjoint(&first.ranks, &state.facts);
    let same = |name: &Entered| name.call.communicator.name == entered.call.communicator.name;
    if blocked.iter().filter(others).any(|b| {
        matches!(&b.cause, Cause::Collective(other) if same(other) && other.call.operation != entered.call.operation)
    }) {
        return Rule::CollectiveMismatch;
    }
    let elsewhere = |one: &Blocked| matches!(&one.cause, Cause::Collective(other) if !same(other) && other.call.operation == entered.call.operation);
    if blocked.iter().filter(others).any(elsewhere) {
        return Rule::CommunicatorMismatch;
    }
    // All others that do not wait in it too have returned.
    let together =
        blocked.iter().filter(others).all(|b| matches!(&b.cause, Cause::Collective(other) if same(other)));
    let returned = state.sets.iter().any(ProcessSet::is_done);
    if together && returned { Rule::MissingCollective } else { Rule::Deadlock }
}

/// What a set waits for.
fn blocked(state: &State, index: usize) -> Vec<Blocked> {
    let (set, facts) = (&state.sets[index], &state.facts);
    let meets =
        |ranks: &Ranks| !matches!(intersect(ranks, &set.ranks, facts), Ok(common) if common.is_empty());
    let of = |cause: Cause| {
        let ranks = match &cause {
            Cause::Collective(entered) => part_of(&set.ranks, &entered.members, facts),
            Cause::Receive(posted) => part_of(&set.ranks, &posted.wanted.receivers(), facts),
            Cause::Send(message) => part_of(&set.ranks, &message.relation.senders(), facts),
            Cause::Probe(_) => set.ranks.clone(),
        };
        Blocked { set: index, ranks, cause }
    };
    match &set.status {
        Status::Waiting(wait) => {
            let receives = state
                .posted
                .iter()
                .filter(|p| waits_for(wait, &p.ticket, facts) && meets(&p.wanted.receivers()));
            let sends = state.in_flight.iter().filter(|m| {
                m.hold != Hold::Free && waits_for(wait, &m.ticket, facts) && meets(&m.relation.senders())
            });
            let collectives =
                state.entered.iter().filter(|e| waits_for(wait, &e.ticket, facts) && meets(&e.members));
            receives
                .map(|p| of(Cause::Receive(p.clone())))
                .chain(sends.map(|m| of(Cause::Send(m.clone()))))
                .chain(collectives.map(|e| of(Cause::Collective(e.clone()))))
                .collect()
        }
        Status::Probing(probe) => vec![of(Cause::Probe(probe.filter.site))],
        Status::Ready | Status::Done => Vec::new(),
    }
}

/// What some ranks have in common with others, where that has a simple form; or all of them.
fn part_of(ranks: &Ranks, others: &Ranks, facts: &Constraints) -> Ranks {
    match intersect(ranks, others, facts).as_deref() {
        Ok([common]) => common.clone(),
        _ => ranks.clone(),
    }
}

/// Whether some member of a waiting set waits for a process that has returned from `main`. When none of the waiting processes
/// does, each waits for one that waits as well, so some of them wait in a circle.
fn waits_for_done(state: &State, set: &ProcessSet, wanted: &Wanted) -> bool {
    let facts = &state.facts;
    match wanted {
        Wanted::From(relation) => {
            // A receive that was posted by more processes than wait here.
            let senders = match (relation.as_link().map(|link| link.pairing), relation.sender_of_receiver()) {
                (Some(Pairing::Parallel | Pairing::Mirrored), Some(source)) => {
                    let rank = source.rank();
                    let end = |of: fn(&Ranks, &Linear, &Constraints) -> Option<Linear>| {
                        of(&set.ranks, rank.as_ref()?, facts)
                    };
                    match (end(Ranks::minimise), end(Ranks::maximise)) {
                        (Some(lo), Some(hi)) => Range { lo, hi }.into(),
                        _ => return false,
                    }
                }
                (Some(Pairing::Band), _) => return false,
                _ => relation.senders(),
            };
            state.sets.iter().any(|other| other.is_done() && !other.ranks.disjoint(&senders, facts))
        }
        Wanted::Anybody(_) => state.sets.iter().all(|other| other.is_done() || other.ranks == set.ranks),
    }
}

/// The rule that a receive breaks which waits in vain, and the messages from whom it waits for that it does not accept.
fn mistaken<'s>(state: &'s State, posted: &Posted, set: &ProcessSet) -> (Rule, Vec<&'s InFlight>) {
    let (facts, filter) = (&state.facts, &posted.incoming.filter);
    let is_meant = |sent: &Relation| match &posted.wanted {
        Wanted::From(wanted) => !wanted.disjoint(sent, facts),
        Wanted::Anybody(_) => true,
    };
    let arriving: Vec<&InFlight> = (state.in_flight.iter())
        .filter(|m| !m.relation.receivers().disjoint(&set.ranks, facts) && is_meant(&m.relation))
        .collect();
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        arriving.into_iter().partition(|m| m.envelope.communicator == filter.communicator);
    let same_tag = |message: &&InFlight| filter.tag.as_ref().is_none_or(|tag| *tag == message.envelope.tag);
    // A message with the tag that is waited for may be another receiver's: who sends to whom is not told apart for all relations.
    let other: Vec<&InFlight> = here.into_iter().filter(|message| !same_tag(message)).collect();
    if !other.is_empty() {
        return (Rule::TagMismatch, other);
    }
    let same: Vec<&InFlight> = elsewhere.into_iter().filter(same_tag).collect();
    if same.is_empty() { (Rule::UnmatchedRecv, same) } else { (Rule::CommunicatorMismatch, same) }
}

/// The bytes of so many elements.
fn bytes_of(count: &Value, signature: &Signature) -> Option<Linear> {
    count.as_int()?.scale(i64::try_from(signature.size()).ok()?)
}

/// Whether two of a datatype are the same one.
fn is_known(datatype: &Value) -> bool {
    matches!(datatype, Value::Name(_) | Value::Same(_))
}

/// Whether a path was taken on an input that the code does not fix.
pub(crate) fn depends_on_input(symbols: &Symbols, facts: &Constraints) -> bool {
    let is_given = |symbol: Symbol| symbols.is_input(symbol) && !is_of_library(symbols, symbol);
    facts.symbols().flat_map(Symbol::factors).any(is_given)
}

/// Whether a symbol is a number that the MPI library decides about, and not who runs the program.
fn is_of_library(symbols: &Symbols, symbol: Symbol) -> bool {
    matches!(symbols.kind(symbol), SymbolKind::Apply(name, _) if name.starts_with(SIZE_OF) || &**name == PACKED)
}

/// Whether a path was taken on what a function, or code that is passed over, gives for numbers that are known with the number of processes,
/// and that is not evaluated: there may be no such path.
pub(crate) fn rests_on_unevaluated(symbols: &Symbols, facts: &Constraints) -> bool {
    facts.symbols().any(|symbol| is_unevaluated(symbols, &symbol.into()))
}

/// Whether a number is made from such outcomes.
pub(crate) fn is_unevaluated(symbols: &Symbols, number: &Linear) -> bool {
    let unknown = |symbol: Symbol| match symbols.kind(symbol) {
        SymbolKind::Apply(function, _) => is_outside(function) || function.starts_with(CODE),
        SymbolKind::Input(_) | SymbolKind::Joined => true,
        SymbolKind::Np | SymbolKind::Rank | SymbolKind::Part | SymbolKind::Product => false,
    };
    let unevaluated = |symbol: Symbol| match symbols.kind(symbol) {
        SymbolKind::Apply(function, arguments) => {
            (is_pure(function) || function.starts_with(CODE))
                && !arguments.iter().any(|argument| symbols.is_made_from(argument, unknown))
        }
        _ => false,
    };
    symbols.is_made_from(number, unevaluated)
}

/// Whether an expression depends on an input of the program.
pub(crate) fn mentions_input(symbols: &Symbols, expression: &Linear) -> bool {
    expression.symbols().any(|symbol| symbols.is_input(symbol))
}

/// `[lo..hi]` in symbols that mean something to the user.
pub(crate) fn ranks_text(engine: &Engine<'_>, ranks: &Ranks, facts: &Constraints) -> String {
    shown_ranks(engine, ranks, facts).display(&engine.symbols).unwrap_or_else(|| "some ranks".to_owned())
}

/// Ranks in symbols that mean something to the user, where there are such.
pub(crate) fn shown_ranks(engine: &Engine<'_>, ranks: &Ranks, facts: &Constraints) -> Ranks {
    let show = |bound: &Linear| engine.presentable(bound, facts);
    let digits = ranks.digits().iter().map(|d| Range { lo: show(&d.lo), hi: show(&d.hi) });
    Ranks::new(ranks.radices().iter().map(show).collect(), digits.collect())
}
