//! `anyrank topology`: who talks to whom.

use report::text::{self, Detail};
use report::{Outcome, json};

use crate::cli::{Topology, TopologyFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::session::{self, Answer, Request};
use crate::settings::Settings;

/// Analyses and prints.
pub(crate) fn run(options: &Topology) -> Result<Exit, Failure> {
    let common = &options.common;
    let settings = Settings::find(&options.paths)?;
    let mut request = Request {
        unit_rules: false,
        flow: options.flow.query(),
        uniformity: options.facts,
        proofs: common.detail() == Detail::Verbose && options.format == TopologyFormat::Text,
        ..settings.request(&options.paths, common)
    };
    // One number of processes is a picture that can be drawn; several are an assumption only.
    request.instance = match common.np.as_ref().map(|list| list.0.as_slice()) {
        Some([np]) => Some(*np),
        _ => None,
    };
    let Answer { outcome, .. } = session::analyse(&request)?;

    session::complain(&outcome.errors, common.detail());
    let file = common.output.as_deref();
    match options.format {
        TopologyFormat::Json => {
            output::write_bytes(session::json(json::topology(&outcome))?.as_bytes(), file)?
        }
        TopologyFormat::Text => output::write(&render(&outcome), file, common.color)?,
    }
    if common.detail() != Detail::Quiet {
        mention_findings(&outcome);
    }
    if outcome.programs.is_empty() && outcome.errors.iter().all(|error| !error.fatal) {
        return Err(Failure::new("no program here: none of the files defines `main`"));
    }
    Ok(session::exit(&outcome))
}

fn render(outcome: &Outcome) -> String {
    let programs = outcome.programs.iter().map(|program| {
        let mut text = text::topology(program);
        text.push_str(&text::instance_matrix(program).unwrap_or_default());
        text
    });
    programs.collect::<Vec<_>>().join("\n")
}

/// A topology with something wrong in it should not look as if all were well.
fn mention_findings(outcome: &Outcome) {
    let summary = outcome.summary();
    let found = summary.errors + summary.warnings;
    if found > 0 {
        let (noun, them) = if found == 1 { ("finding", "it") } else { ("findings", "them") };
        output::complain(&format!(
            "note: {found} {noun} about these messages; `anyrank lint` shows {them}\n"
        ));
    }
}
