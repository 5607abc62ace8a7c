//! What `anyrank.toml` and the command line say together. The command line wins.

use std::collections::BTreeSet;
use std::path::PathBuf;

use analyzer::results::{Finding, Severity};
use analyzer::rules::{Group, Rule};
use analyzer::{FlowQuery, NpChoice};
use effort::Limits;
use frontend::config::{self, Config, Level as ConfigLevel, UserConfig};
use frontend::source::Overlay;

use crate::cli::{Common, Level};
use crate::exit::Failure;
use crate::selection::{Selection, rule_named};
use crate::session::Request;

/// The settings of one run.
#[derive(Debug)]
pub(crate) struct Settings {
    config: Config,
    /// The user's own, which no project can change.
    user: UserConfig,
}

impl Settings {
    /// Reads the `anyrank.toml` nearest to the first path, and the user's own.
    pub(crate) fn find(paths: &[PathBuf]) -> Result<Self, Failure> {
        let here = PathBuf::from(".");
        let config =
            config::find(paths.first().unwrap_or(&here)).map_err(|error| Failure::new(error.to_string()))?;
        for id in config.severity.keys() {
            rule_named(id).map_err(|failure| {
                Failure::new(format!("{}: {failure}", config.root.join(config::FILE_NAME).display()))
            })?;
        }
        let user = config::user().map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self { config, user })
    }

    /// The rules that are reported. A rule selected on the command line is reported whatever the file ignores.
    pub(crate) fn selection(
        &self,
        select: &[String],
        ignore: &[String],
        least: Option<Level>,
    ) -> Result<Selection, Failure> {
        let least = least.map_or(Severity::Note, Severity::from);
        let selected = if select.is_empty() { &self.config.select } else { select };
        let ignored = self.config.ignore.iter().filter(|id| !select.contains(id)).chain(ignore);
        Selection::new(selected, &ignored.cloned().collect::<Vec<_>>(), least)
    }

    /// Gives a finding the severity that the file gives its rule; `false` if it is switched off.
    pub(crate) fn regrade(&self, finding: &mut Finding) -> bool {
        let severity = self.severity(finding.rule, finding.severity);
        finding.severity = severity.unwrap_or(finding.severity);
        severity.is_some()
    }

    /// How severe a finding of a rule is that has a severity by itself; `None` where nobody wants it.
    fn severity(&self, rule: Rule, own: Severity) -> Option<Severity> {
        match self.config.severity.get(rule.id()) {
            None => Some(own),
            Some(ConfigLevel::Off) => None,
            Some(ConfigLevel::Note) => Some(Severity::Note),
            Some(ConfigLevel::Warning) => Some(Severity::Warning),
            Some(ConfigLevel::Error) => Some(Severity::Error),
        }
    }

    /// The rules whose suggestions a selection admits.
    pub(crate) fn opportunities(&self, selection: &Selection) -> BTreeSet<Rule> {
        let rules = Rule::ALL.iter().copied().filter(|rule| rule.group() == Group::Opportunity);
        rules
            .filter(|&rule| {
                let severity = self.severity(rule, Severity::Note);
                severity.is_some_and(|severity| selection.admits_rule(rule, severity))
            })
            .collect()
    }

    /// What is to be analysed, and how.
    pub(crate) fn request(&self, paths: &[PathBuf], common: &Common) -> Request {
        let inputs = &common.inputs;
        let together = |first: &[String], then: &[String]| first.iter().chain(then).cloned().collect();
        Request {
            paths: paths.to_vec(),
            compile_commands: inputs.compile_commands.clone(),
            // The last definition of a macro counts, the first directory that has a header.
            define: together(&self.config.define, &inputs.define),
            include: inputs.include.iter().chain(&self.config.include).cloned().collect(),
            exclude: self.config.exclude.clone(),
            root: self.config.root.clone(),
            wrappers: self.config.mpi.wrappers.clone(),
            np: common.np.as_ref().map_or(NpChoice::Any, |list| NpChoice::Fixed(list.0.clone())),
            instance: None,
            instances: Vec::new(),
            flow: FlowQuery::default(),
            uniformity: false,
            proofs: false,
            is_checked: false,
            without: None,
            limits: inputs.time_limit.map_or_else(Limits::default, Limits::within),
            jobs: common.jobs,
            unit_rules: true,
            suggest: Rule::ALL.iter().copied().collect(),
            quiet: common.quiet,
            trusted_programs: self.user.trusted_programs.clone(),
            overlay: Overlay::default(),
            only: None,
        }
    }
}
