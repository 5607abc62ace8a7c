//! What a person who has read the code says of each finding: `judgements.txt`.

use std::collections::BTreeMap;
use std::fmt;

use crate::survey::Serious;

/// Whether a finding is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Judgement {
    /// The program does what the finding says, and the standard does not allow it.
    True,
    /// It does, and there may be a reason to leave it so.
    Arguable,
    /// It does not.
    False,
    /// Nobody has looked yet.
    Open,
}

impl Judgement {
    pub(crate) const ALL: [Self; 4] = [Self::True, Self::Arguable, Self::False, Self::Open];
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::True => "true",
            Self::Arguable => "arguable",
            Self::False => "false",
            Self::Open => "not judged",
        })
    }
}

/// By package, place and rule.
#[derive(Debug)]
pub(crate) struct Judgements(BTreeMap<[String; 3], (Judgement, String)>);

impl Judgements {
    /// Those of this repository: each line is a package, a place (`file:line`), a rule, a judgement and its reason.
    pub(crate) fn read() -> Self {
        Self::parse(include_str!("judgements.txt"))
    }

    fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(lines.filter_map(judgement).collect())
    }

    /// What is said of a finding, and why.
    pub(crate) fn of(&self, package: &str, finding: &Serious) -> (Judgement, &str) {
        let key = [package.to_owned(), finding.place.clone(), finding.rule.clone()];
        self.0.get(&key).map_or((Judgement::Open, ""), |(judgement, reason)| (*judgement, reason))
    }
}

fn judgement(line: &str) -> Option<([String; 3], (Judgement, String))> {
    let mut words = line.splitn(5, ' ');
    let [package, place, rule, verdict] = std::array::from_fn(|_| words.next().unwrap_or_default());
    let judgement = Judgement::ALL.into_iter().find(|judgement| judgement.to_string() == verdict)?;
    let reason = words.next().unwrap_or_default().to_owned();
    Some(([package.to_owned(), place.to_owned(), rule.to_owned()], (judgement, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_judgement_with_a_reason() {
        let text = include_str!("judgements.txt");
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(judgement(line).is_some_and(|(_, (_, reason))| !reason.is_empty()), "{line}");
        }
    }
}
