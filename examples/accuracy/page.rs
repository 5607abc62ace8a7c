//! The page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analyzer::rules::Rule;

use crate::confirm::{SAMPLE, Shown};
use crate::{Original, Outcome, Score};

const HEAD: &str = "\
# Accuracy

`make accuracy` writes this page.
Every program of `corpus/` that is right, relies on no buffering and has one file is changed in one place such that it has one known defect, in every way that applies (a wait is left out, a tag differs, ...), and analysed.
Only calls are changed that a real run of the right program executes.
A defect counts as found where the rule that describes it, or another one that does, is reported at the right line; as *elsewhere* where that is at another line; as *other* where something else is reported; else nothing is reported.
Some of the mutants are no defects after all (the type is that of no message, say): they count as not found.
";

/// How many of which.
#[derive(Default)]
struct Tally {
    found: usize,
    elsewhere: usize,
    other: usize,
    silent: usize,
    run: usize,
    shown: usize,
    /// Of those that were shown.
    found_of_shown: usize,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        if let Some(shown) = outcome.shown {
            let is_shown = usize::from(shown != Shown::NotAtAll);
            self.run += 1;
            self.shown += is_shown;
            self.found_of_shown += is_shown * usize::from(outcome.score == Score::Found);
        }
        match outcome.score {
            Score::Found => self.found += 1,
            Score::Elsewhere => self.elsewhere += 1,
            Score::Other => self.other += 1,
            Score::Silent => self.silent += 1,
        }
    }

    fn all(&self) -> usize {
        self.found + self.elsewhere + self.other + self.silent
    }

    fn row(&self) -> String {
        let all = self.all();
        format!(
            "{all} | {} | {} | {} | {} | {} of {} | {}",
            percent(self.found + self.elsewhere + self.other, all),
            percent(self.found + self.elsewhere, all),
            percent(self.found, all),
            self.silent,
            self.shown,
            self.run,
            self.found_of_shown
        )
    }
}

fn percent(part: usize, all: usize) -> String {
    // To a tenth, cut off: 100 means all of them.
    let tenths = part * 1000 / all.max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// The page, with the section on generated programs.
pub(crate) fn page(
    outcomes: &[Outcome],
    originals: &[Original],
    most: Option<usize>,
    generated: &str,
) -> String {
    let mut text = HEAD.to_owned();
    if let Some(most) = most {
        let _ = writeln!(
            text,
            "Of each change at most {most} mutants are taken here, spread evenly over the programs."
        );
    }
    let _ = writeln!(
        text,
        "Up to {SAMPLE} of each change are compiled and run under MPICH with 4 processes, or as many as the program is made for: *shown* are \
         those that the compiler refuses, that end with an error, that do not end in 15 seconds, or that print something else than the right program.\n\
         What a run has shown is kept, since a wrong program need not do the same each time.\n\
         A leak, a race or a message that fits into a buffer is not shown that way; anyrank does not know of these runs."
    );
    let mut all = Tally::default();
    let mut rules: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut operators: BTreeMap<&str, Tally> = BTreeMap::new();
    for outcome in outcomes {
        all.add(outcome);
        rules.entry(outcome.rule.id()).or_default().add(outcome);
        operators.entry(outcome.operator).or_default().add(outcome);
    }
    let clean = originals.iter().filter(|original| original.rules.is_empty()).count();
    let _ = write!(
        text,
        "\n{} mutants of {} programs: {} found by the right rule at the right line, {} by the right rule, {} by any. \
         {clean} of the {} originals are without a finding. Of {} that were run, {} were shown to be wrong; {} of these were found.\n",
        all.all(),
        originals.len(),
        percent(all.found, all.all()),
        percent(all.found + all.elsewhere, all.all()),
        percent(all.found + all.elsewhere + all.other, all.all()),
        originals.len(),
        all.run,
        all.shown,
        all.found_of_shown
    );
    text.push_str("\n## By rule\n\nSpecificity: right programs in which the rule reports nothing.\n\n");
    text.push_str("| rule | mutants | found | right rule | right line | silent | shown by a run | found of these | specificity |\n|---|---|---|---|---|---|---|---|---|\n");
    for (id, tally) in &rules {
        let silent = originals.iter().filter(|o| !o.rules.iter().any(|rule| rule.id() == *id)).count();
        let _ = writeln!(text, "| `{id}` | {} | {} |", tally.row(), percent(silent, originals.len()));
    }
    let others: Vec<String> = Rule::ALL
        .iter()
        .filter(|rule| !rules.contains_key(rule.id()))
        .map(|rule| format!("`{rule}`"))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "\nNo mutant has a defect of {}.", others.join(", "));
    }
    text.push_str("\n## By change\n\n| change | mutants | found | right rule | right line | silent | shown by a run | found of these |\n|---|---|---|---|---|---|---|---|\n");
    for (operator, tally) in &operators {
        let _ = writeln!(text, "| {operator} | {} |", tally.row());
    }
    text.push('\n');
    text.push_str(generated);
    text.push_str("## Not found, or not as expected\n\n");
    text.push_str(&misses(outcomes));
    text
}

/// The mutants that were not found at the right line.
pub(crate) fn misses(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.score != Score::Found) {
        let instead = if outcome.instead.is_empty() { "nothing" } else { &outcome.instead };
        let _ = writeln!(
            text,
            "* {} in line {} of `{}`: {} expected, {instead} reported",
            outcome.operator, outcome.line, outcome.program, outcome.rule
        );
    }
    text
}
