//! A program as one part after the other, each decided by itself.
//!
//! A *section* is some consecutive calls and loops of the text of `main`. It is closed if its sends and receives meet each other, its
//! requests are waited for in it, and all that share a communicator call its collective operations in one order. Then it can be decided
//! without the others: all processes come to the sections in the same order, so that messages of two sections on one channel are received
//! in the order in which they are sent (MPI-4.1 section 3.5), and a time for each event is the number of the section, then the time in it.
//! Only a receive from any source or of any tag might take a message of a later section: that must not be possible.
//!
//! So each section may be followed in another way: with ranks that are written with the digits that it needs.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frontend::ir::Span;
use frontend::mpi::Class;
use frontend::program::Program;
use model::{Clock, How, Kind, Matching};
use presburger::{Context, Relation, Set};

use crate::assemble::special;
use crate::error::{GivenUp, Result};
use crate::event::{CallSite, Envelope, Event, What};
use crate::extract::{Extractor, Text};
use crate::extracted::Extracted;
use crate::form::{Atom, Bound, Form};
use crate::parts::PartOf;
use crate::{WRITINGS, in_some_way};

/// A section is made larger by so many calls at each end, at most, until it is closed.
const MORE: usize = 3;

/// A part of a program that is decided.
#[derive(Debug)]
pub struct Section {
    /// What is communicated in it.
    pub found: Extracted,
    /// Who meets whom.
    pub matching: Matching,
    /// Why nobody waits for ever.
    pub clock: Clock,
    /// Collective calls that are made together.
    pub together: Relation,
    /// Whether it is shown that no send has to be buffered.
    pub is_unbuffered: bool,
    /// Whose processes these are, in place of all: ranks are those in that communicator, and the number of processes is its size.
    pub part_of: Option<Members>,
}

/// The processes of the communicators that one call makes.
#[derive(Clone, Debug)]
pub struct Members {
    /// The call.
    pub site: CallSite,
    /// From each rank in `MPI_COMM_WORLD` to numbers that tell its communicator and, after these, its rank in that; where that is known.
    pub places: Option<Relation>,
}

/// A way to follow the program.
struct Run<'p> {
    extractor: Extractor<'p>,
    /// The texts at which something is communicated or left out, in the order of the program.
    order: Vec<Text>,
    left_out: BTreeSet<Text>,
}

/// The sections of a program, in their order, if all of it is decided: every send meets one receive, all agree on collective operations, and
/// nobody waits for ever.
///
/// The work is limited by operations of integer sets. The first time the program is followed it may take as many as the budget of the
/// context allows. To follow it in other ways, with digits, may take `following` of them, and to decide its sections may take `questions`.
///
/// # Errors
///
/// [`GivenUp::Program`] where something is not followed or not decided, the others where integer sets cost more than is allowed.
pub fn decide(program: &Program, context: &Context, following: u64, questions: u64) -> Result<Vec<Section>> {
    let mut first = Extractor::new(program, context.clone())?;
    first.may_leave_out = true;
    let has_parts = Cell::new(false);
    let follow = |extractor: &mut Extractor<'_>| {
        let followed = extractor.follow_all();
        has_parts.set(has_parts.get() || !extractor.creations.is_empty());
        followed
    };
    let all = |(extractor, ()): (Extractor<'_>, ()), following: u64, left: u64| {
        Sections { context, following, left, runs: vec![Run::new(extractor)], failed: Vec::new() }.all()
    };
    let error = match in_some_way(first, follow).and_then(|run| all(run, following, questions)) {
        Err(error @ (GivenUp::Program { .. } | GivenUp::Sets(presburger::Error::Budget)))
            if has_parts.get() =>
        {
            error
        }
        decided => return decided,
    };
    // Once more, with everything on a part of the processes left to these.
    context.set_budget(Some(following / 2));
    let mut first = Extractor::new(program, context.clone())?;
    first.may_leave_out = true;
    first.parts_are_open = true;
    in_some_way(first, follow).and_then(|run| all(run, following / 2, questions / 2)).map_err(|_| error)
}

/// What stands for a program that is not decided.
fn not_decided(reason: &str) -> GivenUp {
    GivenUp::Program { reason: reason.to_owned(), place: None }
}

impl<'p> Run<'p> {
    fn new(extractor: Extractor<'p>) -> Self {
        let mut numbers: BTreeSet<i64> = extractor.left_out.keys().copied().collect();
        numbers.extend(extractor.events.iter().filter_map(|event| event.position.first()?.as_number()));
        let text = |number: &i64| extractor.texts.get(number).cloned();
        // One call may have several numbers.
        let mut order: Vec<Text> = numbers.iter().filter_map(text).collect();
        order.dedup();
        let left_out = extractor.left_out.keys().filter_map(text).collect();
        Self { extractor, order, left_out }
    }

    /// Whether nothing is left out at these texts.
    fn has_all(&self, texts: &[Text]) -> bool {
        texts.iter().all(|text| !self.left_out.contains(text))
    }
}

/// Sections while they are looked for.
struct Sections<'a, 'p> {
    context: &'a Context,
    following: u64,
    /// Operations that are left for questions.
    left: u64,
    /// Ways to follow the program: without digits first.
    runs: Vec<Run<'p>>,
    /// Ways that were too much, or not followed: by which part of the processes, and with which widths of digits.
    failed: Vec<(Option<PartOf>, Vec<Atom>)>,
}

impl Sections<'_, '_> {
    fn all(&mut self) -> Result<Vec<Section>> {
        let order = self.runs[0].order.clone();
        if self.runs[0].left_out.is_empty() {
            let whole = self.section(0, &order)?;
            if let Some(section) = whole {
                return Ok(vec![section]);
            }
            return self.one_by_one(0, 0..order.len(), &order);
        }
        let mut found: BTreeMap<usize, (usize, Section, Vec<Text>, usize)> = BTreeMap::new();
        let mut at = 0;
        while at < order.len() {
            if !self.runs[0].left_out.contains(&order[at]) {
                at += 1;
                continue;
            }
            let mut end = at + 1;
            while end < order.len() && self.runs[0].left_out.contains(&order[end]) {
                end += 1;
            }
            let before = found.last_key_value().map_or(0, |(_, (end, ..))| *end);
            let (begin, end, run, section) = self.followed_otherwise(&order, before, at..end)?;
            found.insert(begin, (end, section, order[begin..end].to_vec(), run));
            at = end.max(at + 1);
        }
        // What is between them.
        let mut sections = Vec::new();
        let mut at = 0;
        let count = order.len();
        for (begin, (end, section, texts, run)) in found {
            sections.extend(self.between(at..begin, &order)?);
            sections.push((section, texts, run));
            at = end;
        }
        sections.extend(self.between(at..count, &order)?);
        self.context.set_budget(Some(self.following));
        self.check_apart(&sections)?;
        self.check_parts(&sections)?;
        self.check_wildcards(&sections)?;
        Ok(sections.into_iter().map(|(section, ..)| section).collect())
    }

    /// The sections of what is followed without digits.
    fn between(
        &mut self,
        range: std::ops::Range<usize>,
        order: &[Text],
    ) -> Result<Vec<(Section, Vec<Text>, usize)>> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        match self.section(0, &order[range.clone()])? {
            Some(section) => Ok(vec![(section, order[range].to_vec(), 0)]),
            None => self.small_sections(0, range, order),
        }
    }

    fn one_by_one(
        &mut self,
        run: usize,
        range: std::ops::Range<usize>,
        order: &[Text],
    ) -> Result<Vec<Section>> {
        let sections = self.small_sections(run, range, order)?;
        self.context.set_budget(Some(self.following));
        self.check_apart(&sections)?;
        self.check_parts(&sections)?;
        self.check_wildcards(&sections)?;
        Ok(sections.into_iter().map(|(section, ..)| section).collect())
    }

    /// The smallest sections, one after the other.
    fn small_sections(
        &mut self,
        run: usize,
        range: std::ops::Range<usize>,
        order: &[Text],
    ) -> Result<Vec<(Section, Vec<Text>, usize)>> {
        let mut sections = Vec::new();
        let mut begin = range.start;
        while begin < range.end {
            let mut found = None;
            for end in begin + 1..=range.end.min(begin + 2 * MORE + 1) {
                if end - begin == order.len() {
                    break;
                }
                if let Some(section) = self.section(run, &order[begin..end])? {
                    found = Some((end, section));
                    break;
                }
            }
            let (end, run, section) = match found {
                Some((end, section)) => (end, run, section),
                None => match self.by_part(order, begin, begin..begin + 1)? {
                    Some((_, end, run, section)) if end <= range.end => (end, run, section),
                    _ => return Err(not_decided("a part of the program is not decided by itself")),
                },
            };
            sections.push((section, order[begin..end].to_vec(), run));
            begin = end;
        }
        Ok(sections)
    }

    /// A section around what is left out without digits, in another way to follow the program: where it begins and ends, and which way that
    /// is.
    fn followed_otherwise(
        &mut self,
        order: &[Text],
        before: usize,
        range: std::ops::Range<usize>,
    ) -> Result<(usize, usize, usize, Section)> {
        // What parts of the processes do is no answer for all.
        let is_of_all = |run: &usize| self.runs[*run].extractor.part.is_none();
        let of_all: Vec<usize> = (1..self.runs.len()).filter(is_of_all).collect();
        for run in of_all {
            if let Some((begin, end, section)) = self.around(run, order, before, range.clone())? {
                return Ok((begin, end, run, section));
            }
        }
        let mut reason = None;
        if let Some(found) = self.with_digits(0, order, (before, range.clone()), &mut reason)? {
            return Ok(found);
        }
        if let Some(found) = self.by_part(order, before, range.clone())? {
            return Ok(found);
        }
        let left_out = &self.runs[0].extractor.left_out;
        Err(left_out
            .range(self.numbers_of(0, order, &range))
            .map(|(_, reason)| reason.clone())
            .next()
            .or(reason)
            .unwrap_or_else(|| not_decided("something is not followed")))
    }

    /// The numbers that these texts have when the program is followed in some way.
    fn numbers_of(
        &self,
        run: usize,
        order: &[Text],
        range: &std::ops::Range<usize>,
    ) -> std::ops::RangeInclusive<i64> {
        let texts = &self.runs[run].extractor.texts;
        let text = |at: usize| texts.iter().find(|(_, text)| **text == order[at]).map(|(number, _)| *number);
        text(range.start).unwrap_or(0)..=text(range.end - 1).unwrap_or(i64::MAX)
    }

    /// The texts at which other digits are missed than those that ranks are written with; and those outside of a range that are followed
    /// without them, if `is_tight`.
    fn to_be_skipped(
        &self,
        (next, base): (&Extractor<'_>, usize),
        order: &[Text],
        range: &std::ops::Range<usize>,
        is_tight: bool,
    ) -> BTreeSet<Text> {
        let of = &self.runs[base];
        // Communicators are made wherever they are used.
        let makes = |event: &&Event| matches!(event.site.mpi.class, Class::CommConstructor(_));
        let making: BTreeSet<&Text> = (of.extractor.events.iter())
            .filter(makes)
            .filter_map(|event| of.extractor.text_of(event))
            .collect();
        let outside = order[..range.start].iter().chain(&order[range.end..]);
        let may_be = |text: &&Text| is_tight && !of.left_out.contains(*text) && !making.contains(*text);
        let mut skipped: BTreeSet<Text> = outside.filter(may_be).cloned().collect();
        let mut wanted: BTreeMap<&Text, BTreeSet<usize>> = BTreeMap::new();
        for run in self.runs.iter().filter(|run| run.extractor.is_of_same_part(next)) {
            for (text, parameter) in run.extractor.wanted_at() {
                wanted.entry(text).or_default().insert(parameter);
            }
        }
        // A product stands for its factors.
        let is_width = |at: &usize| {
            next.parameters.widths.iter().any(|width| match width {
                Atom::Parameter(width) => {
                    width == at
                        || next.factors_of(*width).contains(at)
                        || next.factors_of(*at).contains(width)
                }
                Atom::Coordinate(_) => false,
            })
        };
        let others = wanted.into_iter().filter(|(_, wanted)| !wanted.iter().any(is_width));
        skipped.extend(others.map(|(text, _)| text.clone()));
        skipped
    }

    /// The same as a way that there is, with ranks that are written with more digits.
    fn with_digits(
        &mut self,
        base: usize,
        order: &[Text],
        (before, range): (usize, std::ops::Range<usize>),
        reason: &mut Option<GivenUp>,
    ) -> Result<Option<(usize, usize, usize, Section)>> {
        let numbers = self.numbers_of(base, order, &range);
        // Few digits before many.
        let first = self.runs[base].extractor.with_digits_for(numbers)?;
        // Nothing else than the texts that are asked for first.
        let mut pending: VecDeque<(Extractor<'_>, bool)> =
            first.into_iter().map(|next| (next, true)).collect();
        let mut ways = 0;
        while let Some((mut next, is_tight)) = pending.pop_front() {
            ways += usize::from(is_tight);
            if WRITINGS < ways {
                break;
            }
            next.skipped = self.to_be_skipped((&next, base), order, &range, is_tight);
            let is_it = |run: &Run<'_>| {
                run.extractor.parameters.widths == next.parameters.widths
                    && run.extractor.is_of_same_part(&next)
                    && run.extractor.skipped.is_subset(&next.skipped)
            };
            let has_failed = |(part, widths): &(Option<PartOf>, Vec<Atom>)| {
                *widths == next.parameters.widths && next.is_of_part(part.as_ref())
            };
            if self.runs.iter().any(is_it) || self.failed.iter().any(has_failed) {
                continue;
            }
            // There may be other ways.
            let own = if pending.is_empty() { self.following } else { self.following / 2 };
            self.context.set_budget(Some(own));
            let before_it = self.context.operations();
            let followed = next.follow_all();
            let spent = self.context.operations().saturating_sub(before_it);
            self.following = self.following.saturating_sub(spent);
            let run = match followed {
                Ok(()) => Run::new(next),
                Err(error @ (GivenUp::Program { .. } | GivenUp::Sets(presburger::Error::Budget))) => {
                    self.failed.push((next.part.clone(), next.parameters.widths.clone()));
                    *reason = Some(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let further = run.extractor.with_more_digits()?;
            self.runs.push(run);
            let run = self.runs.len() - 1;
            if let Some((begin, end, section)) = self.around(run, order, before, range.clone())? {
                return Ok(Some((begin, end, run, section)));
            }
            let of = &self.runs[run];
            let has_skipped = is_tight && order.iter().any(|text| of.extractor.skipped.contains(text));
            // Not all that belongs together may have been there.
            if has_skipped && range.clone().any(|at| !of.left_out.contains(&order[at])) {
                pending.push_front((of.extractor.once_more()?, false));
            }
            pending.extend(further.into_iter().map(|next| (next, true)));
        }
        Ok(None)
    }

    /// A section around some texts, followed by the processes of one communicator.
    fn by_part(
        &mut self,
        order: &[Text],
        before: usize,
        range: std::ops::Range<usize>,
    ) -> Result<Option<(usize, usize, usize, Section)>> {
        for creation in self.runs[0].extractor.creations.clone().into_iter().rev() {
            let part = PartOf { creation, are_members: true };
            let Some(run) = self.run_of(&part)? else { continue };
            let is_own = |run: &usize| self.runs[*run].extractor.is_of_part(Some(&part));
            let own: Vec<usize> = (0..self.runs.len()).filter(is_own).collect();
            let mut found = None;
            for run in own {
                if found.is_none()
                    && let Some((begin, end, section)) = self.around(run, order, before, range.clone())?
                {
                    found = Some((begin, end, run, section));
                }
            }
            if found.is_none() {
                found = self.with_digits(run, order, (before, range.clone()), &mut None)?;
            }
            let Some((begin, end, run, mut section)) = found else { continue };
            let others = PartOf { are_members: false, ..part };
            // With any number of processes, and nobody else does anything.
            let is_silent = !others.creation.may_be_null
                || match self.run_of(&others)? {
                    Some(run) => {
                        let of_others: BTreeSet<&Text> = self.runs[run].order.iter().collect();
                        !order[begin..end].iter().any(|text| of_others.contains(text))
                    }
                    None => false,
                };
            if is_silent && section.found.least == 1 {
                let places = self.runs[0].extractor.places_of(&others.creation);
                section.part_of = Some(Members { site: others.creation.site, places });
                return Ok(Some((begin, end, run, section)));
            }
        }
        Ok(None)
    }

    /// The program as this part of the processes follows it, without digits. `None` where it is not followed.
    fn run_of(&mut self, part: &PartOf) -> Result<Option<usize>> {
        let mut next = Extractor::of_part(self.runs[0].extractor.program, self.context, part.clone())?;
        let is_it = |run: &Run<'_>| run.extractor.is_of_same_part(&next) && !run.extractor.has_digits();
        if let Some(known) = self.runs.iter().position(is_it) {
            return Ok(Some(known));
        }
        self.context.set_budget(Some(self.following / 2));
        let before = self.context.operations();
        let followed = next.follow_all();
        let spent = self.context.operations().saturating_sub(before);
        self.following = self.following.saturating_sub(spent);
        match followed {
            Ok(()) => {}
            Err(GivenUp::Program { .. } | GivenUp::Sets(presburger::Error::Budget)) => return Ok(None),
            Err(error) => return Err(error),
        }
        self.runs.push(Run::new(next));
        Ok(Some(self.runs.len() - 1))
    }

    /// Where a section is followed by the processes of one communicator, all of these must have made it by one call: one that all processes
    /// make together.
    fn check_parts(&self, sections: &[(Section, Vec<Text>, usize)]) -> Result<()> {
        for Members { site, .. } in sections.iter().filter_map(|(section, ..)| section.part_of.as_ref()) {
            let mut is_made = false;
            for (section, _, run) in sections {
                let Section { found, together, .. } = section;
                let extractor = &self.runs[*run].extractor;
                for (at, own) in found.sites.iter().enumerate() {
                    if (own.function, own.span) != (site.function, site.span) {
                        continue;
                    }
                    let operation = &found.program.operations()[at];
                    let name = format!("C{at}");
                    let is_of_it = |tuple: &presburger::Tuple| tuple.name == name;
                    let is_alone =
                        together.parts()?.iter().all(|(from, to, _)| is_of_it(from) == is_of_it(to));
                    if extractor.part.is_some()
                        || !extractor.of_number(operation.communicator).has_all
                        || !operation.options.is_empty()
                        || !is_alone
                    {
                        return Err(not_decided("a communicator may be made by several calls"));
                    }
                    is_made = true;
                }
            }
            if !is_made {
                return Err(not_decided("it is not known who makes a communicator"));
            }
        }
        Ok(())
    }

    /// The smallest closed section around some texts.
    fn around(
        &mut self,
        run: usize,
        order: &[Text],
        before: usize,
        range: std::ops::Range<usize>,
    ) -> Result<Option<(usize, usize, Section)>> {
        // As much as is followed in this way.
        let known =
            order[range.clone()].iter().take_while(|text| !self.runs[run].left_out.contains(*text)).count();
        if known == 0 {
            return Ok(None);
        }
        let range = range.start..range.start + known;
        let mut seen = BTreeSet::new();
        for more in 0..=MORE {
            for (less, further) in [(0, more), (more, 0), (more, more)] {
                let begin = range.start.saturating_sub(less).max(before);
                let end = (range.end + further).min(order.len());
                if !seen.insert((begin, end)) || !self.runs[run].has_all(&order[begin..end]) {
                    continue;
                }
                if let Some(section) = self.section(run, &order[begin..end])? {
                    return Ok(Some((begin, end, section)));
                }
            }
        }
        Ok(None)
    }

    /// The section of some texts, if it is closed and decided.
    fn section(&mut self, run: usize, texts: &[Text]) -> Result<Option<Section>> {
        let of = &self.runs[run];
        // Both ways have the same texts in the same order.
        let chosen: BTreeSet<Text> = texts.iter().cloned().collect();
        let mut own = of.order.iter().filter(|text| chosen.contains(*text));
        let is_same_order =
            texts.iter().filter(|text| of.order.contains(text)).all(|text| own.next() == Some(text));
        // All that is communicated in this way is at the same texts.
        let first: BTreeSet<&Text> = self.runs[0].order.iter().collect();
        let is_known = |text: &Text| first.contains(text) || of.left_out.contains(text);
        if !is_same_order || !of.order.iter().all(is_known) {
            return Ok(None);
        }
        let of = &mut self.runs[run];
        let spent = self.context.operations();
        // What is too much for all may do for parts.
        self.context.set_budget(Some(self.left / 2));
        let answer = of.extractor.assemble(Some(&chosen)).and_then(decided);
        self.left = self.left.saturating_sub(self.context.operations().saturating_sub(spent));
        match answer {
            Ok(section) => Ok(section),
            Err(
                GivenUp::Program { .. }
                | GivenUp::Sets(presburger::Error::Budget)
                | GivenUp::Model(model::Error::Sets(presburger::Error::Budget)),
            ) => Ok(None),
            Err(GivenUp::Model(
                model::Error::Competing | model::Error::SeveralMessages | model::Error::Rounds,
            )) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// No call may be in two sections, which are followed in different ways.
    fn check_apart(&self, sections: &[(Section, Vec<Text>, usize)]) -> Result<()> {
        let mut known: BTreeMap<(&[Span], Span), usize> = BTreeMap::new();
        for (number, (_, texts, run)) in sections.iter().enumerate() {
            let extractor = &self.runs[*run].extractor;
            for event in &extractor.events {
                let is_in = extractor.text_of(event).is_some_and(|text| texts.contains(text));
                if is_in && *known.entry((&event.calls, event.site.span)).or_insert(number) != number {
                    return Err(not_decided("a call belongs to several parts of the program"));
                }
            }
        }
        Ok(())
    }

    /// A receive from any source or of any tag must not be able to take a message of a later section.
    fn check_wildcards(&self, sections: &[(Section, Vec<Text>, usize)]) -> Result<()> {
        for at in 0..sections.len() {
            for receive in self.messages(&sections[at]).filter(|event| is_receive(event)) {
                let (Some(any_source), Some(any_tag)) = (
                    self.may_be(&sections[at], receive, |envelope| &envelope.partner, "MPI_ANY_SOURCE")?,
                    self.may_be(&sections[at], receive, |envelope| &envelope.tag, "MPI_ANY_TAG")?,
                ) else {
                    continue;
                };
                if !any_source && !any_tag {
                    continue;
                }
                let tag = envelope(receive).map(|envelope| &envelope.tag);
                for section in &sections[at + 1..] {
                    for send in self.messages(section).filter(|event| !is_receive(event)) {
                        let tags = [tag, envelope(send).map(|envelope| &envelope.tag)];
                        let numbers = tags.map(|tag| tag.and_then(Form::as_number));
                        let is_apart = matches!(numbers, [Some(a), Some(b)] if a != b) && !any_tag;
                        if !is_apart {
                            let reason =
                                "a receive from any source may take a message of a later part of the program";
                            return Err(not_decided(reason));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The sends and receives of a section.
    fn messages<'b>(
        &'b self,
        (_, texts, run): &'b (Section, Vec<Text>, usize),
    ) -> impl Iterator<Item = &'b Event> {
        let extractor = &self.runs[*run].extractor;
        let is_in = |event: &&Event| extractor.text_of(event).is_some_and(|text| texts.contains(text));
        extractor.events.iter().filter(is_in).filter(|event| envelope(event).is_some())
    }

    /// Whether a part of an envelope may be a wildcard. `None` where there is no envelope.
    fn may_be(
        &self,
        (_, _, run): &(Section, Vec<Text>, usize),
        event: &Event,
        part: impl Fn(&Envelope) -> &Form,
        wildcard: &str,
    ) -> Result<Option<bool>> {
        let Some(envelope) = envelope(event) else { return Ok(None) };
        let parameters = &self.runs[*run].extractor.parameters;
        let Some(bound) = Bound::equal(part(envelope), &Form::number(special(wildcard))) else {
            return Ok(Some(true));
        };
        Ok(match event.region.linear(&bound, parameters)? {
            Some(condition) => Some(!event.region.meet(&condition, parameters)?.is_empty()?),
            None => Some(true),
        })
    }
}

fn envelope(event: &Event) -> Option<&Envelope> {
    match &event.what {
        What::Message { envelope, .. } | What::Template { envelope, .. } => Some(envelope),
        _ => None,
    }
}

fn is_receive(event: &Event) -> bool {
    matches!(
        event.what,
        What::Message { kind: Kind::Receive, .. } | What::Template { kind: Kind::Receive, .. }
    )
}

/// A section, if all of it is decided.
fn decided(found: Extracted) -> Result<Option<Section>> {
    let program = &found.program;
    let matching = program.matching()?;
    let Some(together) = program.collectives()? else { return Ok(None) };
    if !matching.is_whole()? || !is_told_by_calls(&matching)? {
        return Ok(None);
    }
    let Some(clock) = program.clock(&matching, &together, false)? else { return Ok(None) };
    // That it is not shown in time says nothing.
    let is_unbuffered = matches!(program.clock(&matching, &together, true), Ok(Some(_)));
    Ok(Some(Section { found, matching, clock, together, is_unbuffered, part_of: None }))
}

/// Whether it is certain which calls exchange messages: where any order of receives is possible, the sends can meet one call only.
fn is_told_by_calls(matching: &Matching) -> Result<bool> {
    if matching.how != How::AnyOrder {
        return Ok(true);
    }
    let mut taken: Vec<(Set, String)> = Vec::new();
    for (_, to, meets) in matching.candidates.parts()? {
        let sends = meets.domain()?;
        for (others, receive) in &taken {
            if *receive != to.name && !others.is_disjoint(&sends)? {
                return Ok(false);
            }
        }
        taken.push((sends, to.name));
    }
    Ok(true)
}
