//! `anyrank lint`: findings.

use std::fmt::Write as _;

use analyzer::results::{Finding, SourceRange};
use report::text::{self, Detail};
use report::{Outcome, Sources, github, json, sarif};

use crate::baseline::Baseline;
use crate::cli::{Lint, LintFormat};
use crate::exit::{Exit, Failure};
use crate::session::{self, Answer, Request};
use crate::settings::Settings;
use crate::{excerpts, fix, interrupt, output};

/// Analyses and prints.
pub(crate) fn run(options: &Lint) -> Result<Exit, Failure> {
    let common = &options.common;
    let settings = Settings::find(&options.paths)?;
    let selection = settings.selection(&options.select, &options.ignore, options.severity)?;
    let baseline = options.baseline.as_deref().map(Baseline::read).transpose()?;
    let request = Request {
        unit_rules: true,
        suggest: settings.opportunities(&selection),
        flow: options.flow.query(),
        ..settings.request(&options.paths, common)
    };
    let shown = |outcome: &Outcome| {
        let mut baseline = baseline.clone();
        let mut findings = outcome.findings.clone();
        findings.retain_mut(|finding| settings.regrade(finding) && selection.admits(finding));
        findings.retain(|finding| baseline.as_mut().is_none_or(|baseline| baseline.is_new(finding)));
        findings
    };
    let mut answer = session::analyse(&request)?;
    let mut unwritten = Vec::new();
    let mut fixed = None;
    if options.diff {
        session::unless_interrupted()?;
    }
    if (options.fix || options.diff) && !interrupt::is_due() {
        let mut edits = fix::fix(&request, &answer, shown)?;
        if options.diff {
            answer.outcome.findings = shown(&answer.outcome);
            session::complain(&answer.outcome.errors, common.detail());
            output::write(&edits.patch(), common.output.as_deref(), common.color)?;
            return Ok(session::exit(&answer.outcome));
        }
        unwritten = edits.write();
        fixed = Some(edits.numbers());
        if fixed != Some((0, 0)) {
            answer = session::analyse(&request)?;
        }
    }
    let mut findings = shown(&answer.outcome);
    let has_edits = matches!(options.format, LintFormat::Json | LintFormat::Sarif) && !interrupt::is_due();
    if !(has_edits && attach(&request, &answer, &mut findings)?) {
        findings.iter_mut().for_each(|finding| finding.fix = None);
    }
    let mut outcome = Outcome { findings, ..answer.outcome };
    outcome.errors.extend(unwritten);

    session::complain(&outcome.errors, common.detail());
    let file = common.output.as_deref();
    match options.format {
        LintFormat::Json => output::write_bytes(session::json(json::lint(&outcome))?.as_bytes(), file)?,
        LintFormat::Sarif => {
            let text = sarif::lint(&outcome, &sources_of(&outcome), env!("CARGO_PKG_VERSION"));
            output::write_bytes(session::json(text)?.as_bytes(), file)?;
        }
        LintFormat::Github => {
            output::write_bytes(github::lint(&outcome, &sources_of(&outcome)).as_bytes(), file)?;
        }
        LintFormat::Text if options.statistics => {
            output::write(&text::statistics(&outcome), file, common.color)?;
        }
        LintFormat::Text => {
            let mut text = render(&outcome, common.detail(), output::width(file));
            if let Some((findings, files)) = fixed.filter(|_| common.detail() != Detail::Quiet) {
                text.push_str(&text::fixed(findings, files));
            }
            output::write(&text, file, common.color)?;
        }
    }
    Ok(session::exit(&outcome))
}

/// Adds edits to findings. False if somebody asked for an end meanwhile: then the findings are printed without.
fn attach(request: &Request, answer: &Answer, findings: &mut [Finding]) -> Result<bool, Failure> {
    match fix::attach(request, answer, findings) {
        Err(_) if interrupt::is_due() => Ok(false),
        other => other.map(|()| true),
    }
}

fn render(outcome: &Outcome, detail: Detail, width: usize) -> String {
    let sources = sources_of(outcome);
    let mut text = String::new();
    for finding in &outcome.findings {
        let _ = writeln!(text, "{}", text::finding(finding, &sources, width));
    }
    text.push_str(&text::flow_notes(outcome));
    text.push_str(&text::lint_summary(outcome, detail));
    text
}

/// The files that findings show.
fn sources_of(outcome: &Outcome) -> Sources {
    excerpts::read(outcome.findings.iter().flat_map(places))
}

/// All places that a finding shows.
fn places(finding: &Finding) -> impl Iterator<Item = &SourceRange> {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.range);
    let related = finding.related.iter().map(|related| &related.range);
    std::iter::once(&finding.range).chain(related).chain(edits)
}
