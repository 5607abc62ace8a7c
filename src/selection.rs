//! Which rules are reported: `--select`, `--ignore`, `--severity`.

use analyzer::results::{Finding, Severity};
use analyzer::rules::Rule;

use crate::exit::Failure;

/// Which findings are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    rules: Vec<Rule>,
    least: Severity,
}

impl Selection {
    /// Those of `select` (all if empty) that are not in `ignore`, at `least` this severe.
    ///
    /// # Errors
    /// An id that no rule has; the message names those that look like it.
    pub fn new(select: &[String], ignore: &[String], least: Severity) -> Result<Self, Failure> {
        let named = |ids: &[String]| ids.iter().map(|id| rule_named(id)).collect::<Result<Vec<_>, _>>();
        let (select, ignore) = (named(select)?, named(ignore)?);
        let rules = Rule::ALL
            .iter()
            .copied()
            .filter(|rule| select.is_empty() || select.contains(rule))
            .filter(|rule| !ignore.contains(rule))
            .collect();
        Ok(Self { rules, least })
    }

    /// Whether a finding is reported.
    #[must_use]
    pub fn admits(&self, finding: &Finding) -> bool {
        self.admits_rule(finding.rule, finding.severity)
    }

    /// Whether findings of a rule that are so severe are reported.
    #[must_use]
    pub fn admits_rule(&self, rule: Rule, severity: Severity) -> bool {
        self.least <= severity && self.rules.contains(&rule)
    }
}

/// The rule of that id.
///
/// # Errors
/// No rule has it; the message names those that look like it.
pub fn rule_named(id: &str) -> Result<Rule, Failure> {
    let id = id.trim();
    Rule::from_id(id).ok_or_else(|| {
        let near = similar(id);
        let way_out = if near.is_empty() {
            "`anyrank explain` lists all rules".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        Failure::new(format!("unknown rule `{id}`; {way_out}"))
    })
}

/// Ids that differ from `id` by a few letters, or that it is a part of; the nearest first, at most three.
fn similar(id: &str) -> Vec<String> {
    // A rule id has at most some 25 letters; comparing with a novel would only take time.
    if id.len() > 64 {
        return Vec::new();
    }
    let id = id.to_lowercase().replace('_', "-");
    let mut near: Vec<_> = Rule::ALL
        .iter()
        .filter_map(|rule| {
            let distance = edit_distance(&id, rule.id());
            let part = id.len() >= 4 && (rule.id().contains(&id) || id.contains(rule.id()));
            (distance <= 2.max(id.len() / 4) || part).then_some((distance, rule.id()))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, id)| format!("`{id}`")).collect()
}

/// Levenshtein's distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshteins() {
        for (a, b, distance) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 2)]
        {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn an_unknown_rule_names_its_neighbours() {
        let message = |id: &str| rule_named(id).expect_err("no such rule").to_string();
        assert_eq!(message("unmatched-snd"), "unknown rule `unmatched-snd`; did you mean `unmatched-send`?");
        assert!(message("unmatched").contains("`unmatched-recv` or `unmatched-send`"));
        assert_eq!(message("zzz"), "unknown rule `zzz`; `anyrank explain` lists all rules");
        assert!(rule_named(" invalid-tag ").is_ok());
    }

    #[test]
    fn ignore_wins_over_select() {
        let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        let selection =
            Selection::new(&ids(&["invalid-tag", "invalid-rank"]), &ids(&["invalid-rank"]), Severity::Note)
                .expect("both are rules");
        assert_eq!(selection.rules, [Rule::InvalidTag]);
        assert_eq!(Selection::new(&[], &[], Severity::Note).expect("no ids").rules, Rule::ALL);
    }
}
