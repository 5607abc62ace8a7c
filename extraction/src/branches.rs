//! Branches: what decides which way they go, and doubts where that is not known.

use frontend::ir::{BlockId, Span};
use frontend::program::FunctionRef;

use crate::error::Result;
use crate::extract::{Extractor, Named, Part};
use crate::form::{Atom, Bound, Form};
use crate::parameters::Kind;
use crate::region::{Condition, Region, Said};
use crate::state::{Doubt, State};

/// A branch that may go either way.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) frame: u32,
    /// Where both ways come together.
    pub(crate) together: Option<BlockId>,
    pub(crate) place: (FunctionRef, Span),
    /// Where all processes that come here go the same way in the same round: the counters that say which round that is.
    pub(crate) rounds: Option<Vec<u32>>,
}

/// A condition that is asked: its place, and which of several at this place (the cases of a `switch`).
pub(crate) type Question = (Span, usize);

impl Extractor<'_> {
    /// Both ways of a branch.
    pub(crate) fn branch(
        &mut self,
        part: Part<'_>,
        block: BlockId,
        state: State,
        (question, mut holds): (Question, Condition),
        [then, otherwise]: [BlockId; 2],
    ) -> Result<[(BlockId, State); 2]> {
        // What is known of the number that stands for what nobody knows.
        let mut said: Option<Bound> = None;
        let mut is_of_rounds = false;
        let leaves = match (part.has(then), part.has(otherwise)) {
            (false, true) => Some(true),
            (true, false) => Some(false),
            _ => None,
        };
        if let Condition::Same(Said { bound: Some(bound), .. }) = &holds {
            said = Some(bound.clone());
        }
        if holds.unknown() == Some(false)
            && let Some(by) = self.unknown_of_all(question, leaves, holds.is_repeated(), &state.region)?
        {
            holds = holds.with_same(&by);
            is_of_rounds = !self.counters.is_empty();
        }
        let asked = state.region.clone();
        let mut ways = [state.clone(), state];
        for (at, (way, condition)) in ways.iter_mut().zip([holds.clone(), holds.negated()]).enumerate() {
            way.region = way.region.meet(&condition, &self.parameters)?;
            let bound = if at == 0 { said.clone() } else { said.as_ref().and_then(Bound::negated) };
            if is_of_rounds && leaves.is_some_and(|then| then == (at == 0)) {
                way.region = self.with_facts(&asked, &way.region, bound.as_ref(), question)?;
            }
        }
        if holds.unknown().is_some() {
            self.watch_open(holds.is_repeated());
            let together = part.flow.together.get(&block).copied().flatten();
            let frame = part.frame;
            // In a loop, what all do or not do in a round has a number for each way.
            let is_of_all = !self.counters.is_empty() && holds.depends_on(&self.counters);
            let rounds = is_of_all.then(|| self.counters.clone());
            let place = (frame.function, question.0);
            for (at, way) in ways.iter_mut().enumerate() {
                if at == 0 || rounds.is_some() {
                    let rounds = rounds.clone();
                    self.branches.push(Branch { frame: frame.number, together, place, rounds });
                }
                way.doubts.insert(Doubt::try_from(self.branches.len() - 1).unwrap_or(Doubt::MAX));
            }
        }
        let [yes, no] = ways;
        Ok([(then, yes), (otherwise, no)])
    }

    /// The parameter that stands for what is asked, and is the same for all.
    pub(crate) fn answer_of_all(&mut self, (span, number): Question, name: &str) -> Form {
        self.parameter_of(span, Kind::Answer(number), Named::Expression(name.to_owned()))
    }

    /// What stands for a condition that nobody knows and that is the same for all. Outside of loops it holds or does not. Where it is asked
    /// whether a loop is left, and only then, what it says before does not matter: it is left after some number of rounds, or not at all.
    /// `leaves`: whether the loop is left where it holds, or where it does not.
    fn unknown_of_all(
        &mut self,
        question: Question,
        leaves: Option<bool>,
        is_repeated: bool,
        asked: &Region,
    ) -> Result<Option<Condition>> {
        let counter = match (self.counters.as_slice(), leaves) {
            ([], _) => None,
            ([.., counter], Some(_)) if self.innermost.last() == Some(&1) => {
                // The number of rounds is the same whenever the loop is entered.
                if self.counters.len() > 1 && !is_repeated {
                    return Ok(None);
                }
                // All ask in the same rounds: so they find the same.
                let asked = asked.projected(&self.kept())?;
                if !asked.is_free_of_last()? {
                    return Ok(None);
                }
                Some(Form::atom(Atom::Coordinate(*counter)))
            }
            _ => return Ok(None),
        };
        let parameter = self.answer_of_all(question, if counter.is_some() { "rounds" } else { "choice" });
        Ok(Some(match (counter, leaves) {
            (Some(counter), Some(true)) => Condition::is(Bound::at_most(&parameter, &counter)),
            (counter, _) => Condition::is(Bound::below(&counter.unwrap_or_default(), &parameter)),
        }))
    }

    /// Where a loop is left after a number of rounds that a parameter stands for, with what the condition says that is no linear one: it holds
    /// after that number of rounds, and did not hold after one less.
    fn with_facts(
        &mut self,
        asked: &Region,
        region: &Region,
        bound: Option<&Bound>,
        question: Question,
    ) -> Result<Region> {
        let Some(&counter) = self.counters.last() else { return Ok(region.clone()) };
        let rounds = self.answer_of_all(question, "rounds");
        self.rounds_left.push(rounds.clone());
        self.not_negative.extend(rounds.parameters());
        let left = region.set.parameter_domain()?;
        let mut region = region.bounded(&[Bound::not_negative(rounds.clone())], &self.parameters)?;
        if self.is_recording {
            self.facts.push((left.clone(), region.set.parameter_domain()?));
        }
        let count = Form::atom(Atom::Coordinate(counter));
        // It is asked in each round: so it is left in the first one in which the condition holds.
        let kept = self.kept();
        let rounds_before = asked.projected(&kept)?;
        let all = region
            .projected(&kept)?
            .moved_back()?
            .bounded(&[Bound::not_negative(count.clone())], &self.parameters)?;
        let is_asked = all.set.is_subset(&rounds_before.set)?;
        let (Some(bound), true, true) =
            (bound, is_asked, region.implies(Bound::equal(&count, &rounds), &self.parameters)?)
        else {
            return Ok(region);
        };
        let one = Form::number(1);
        let last = bound.form.replaced(Atom::Coordinate(counter), &rounds);
        let earlier = rounds.plus(&one, -1);
        let before = earlier.and_then(|earlier| bound.form.replaced(Atom::Coordinate(counter), &earlier));
        let holds = |form: Option<Form>| form.map(|form| Bound { form, ..bound.clone() });
        let mut is_known = 0;
        if let Some(fact) = holds(last)
            && let Some(fact) = region.linear(&fact, &self.parameters)?
        {
            region = region.meet(&fact, &self.parameters)?;
            is_known += 1;
        }
        if let Some(not_yet) = holds(before).and_then(|bound| bound.negated()) {
            let first = Condition::is(Bound::below(&rounds, &one));
            let later = region.meet(&first.negated(), &self.parameters)?;
            if let Some(fact) = later.linear(&not_yet, &self.parameters)? {
                region =
                    region.meet(&first, &self.parameters)?.union(&later.meet(&fact, &self.parameters)?)?;
                is_known += 1;
            }
        }
        // It is the first round that these numbers decide about.
        let of_np = self.of_np();
        let own = rounds.parameters();
        let is_determined = |at: &usize| {
            own.contains(at) || self.determined.contains(at) || of_np.contains(&self.parameters.names[*at])
        };
        if is_known == 2 && bound.form.parameters().iter().all(is_determined) {
            self.determined.extend(own);
        }
        if self.is_recording {
            self.facts.push((left, region.set.parameter_domain()?));
        }
        Ok(region)
    }

    /// The doubt which way a loop is left.
    pub(crate) fn ways_apart(&mut self, part: Part<'_>) -> Doubt {
        let place = (part.frame.function, part.place());
        self.branches.push(Branch { frame: part.frame.number, together: part.end(), place, rounds: None });
        Doubt::try_from(self.branches.len() - 1).unwrap_or(Doubt::MAX)
    }

    /// The number of a part of the program that all execute in the same rounds.
    pub(crate) fn new_part(&mut self, part: Part<'_>) -> usize {
        let place = (part.frame.function, part.place());
        let frame = part.frame.number;
        self.branches.push(Branch { frame, together: None, place, rounds: None });
        self.branches.len() - 1
    }

    /// The first doubt whether a path is taken.
    pub(crate) fn doubt(&self, state: &State) -> Option<(FunctionRef, Span)> {
        state.doubts.first().map(|doubt| self.branches[*doubt as usize].place)
    }

    /// The doubts of a path that did not begin before a loop, and do not end at its head.
    pub(crate) fn doubts_besides(&self, state: &State, before: &State, header: BlockId) -> Vec<Doubt> {
        let all = state.doubts.difference(&before.doubts).copied();
        all.filter(|doubt| self.branches[*doubt as usize].together != Some(header)).collect()
    }
}
