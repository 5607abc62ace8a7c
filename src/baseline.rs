//! `--baseline FILE`: findings that were there before are not reported again.
//!
//! A finding is known by its rule, its file and what it says, not by its line: code that moves does not bring it back. Where there are
//! more of them than in the baseline, the last ones are reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analyzer::results::Finding;
use serde::Deserialize;

use crate::exit::Failure;

/// How often each finding is known.
#[derive(Clone, Debug)]
pub(crate) struct Baseline(BTreeMap<Known, usize>);

/// What is read of a report of `anyrank lint --format json`.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Known>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    rule: String,
    file: String,
    message: String,
}

impl Baseline {
    /// Reads a report.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::new(format!("{shown}: {error}; `anyrank lint --format json -o {shown}` makes it"))
        })?;
        let report: Report = serde_json::from_str(&text).map_err(|error| {
            Failure::new(format!(
                "{shown}: line {}: not a report of `anyrank lint --format json`: {error}",
                error.line()
            ))
        })?;
        let mut known = BTreeMap::new();
        for finding in report.findings {
            *known.entry(finding).or_default() += 1;
        }
        Ok(Self(known))
    }

    /// Whether a finding is not known. Findings are asked for in the order in which they are reported.
    pub(crate) fn is_new(&mut self, finding: &Finding) -> bool {
        let known = Known {
            rule: finding.rule.id().to_owned(),
            file: finding.range.file.to_string(),
            message: finding.message.clone(),
        };
        match self.0.get_mut(&known) {
            Some(number) if *number > 0 => {
                *number -= 1;
                false
            }
            _ => true,
        }
    }
}
