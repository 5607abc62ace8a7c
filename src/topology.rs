//! `anyrank topology`: who talks to whom.

use analyzer::NpChoice;
use analyzer::results::Instance;
use report::text::{self, Detail};
use report::{Outcome, Sources, dot, html, json, svg};

use crate::cli::{Topology, TopologyFormat};
use crate::exit::{Exit, Failure};
use crate::session::{self, Answer, Request};
use crate::settings::Settings;
use crate::{excerpts, output};

/// Numbers of processes on a page unless `--np` says others: each up to the first number, and then those of nodes, squares, cubes and
/// powers of two.
const EACH_UP_TO: u64 = 64;
const BEYOND: [u64; 22] = [
    72, 80, 81, 96, 100, 121, 125, 128, 144, 192, 196, 216, 225, 256, 320, 343, 400, 512, 625, 729, 800, 1000,
];

/// Those on a page that would be too large otherwise: small ones, squares, cubes and powers of two, and large ones.
const FEW: [u64; 25] =
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 24, 25, 27, 32, 36, 48, 64, 100, 128, 256, 512, 1000];

/// Ranks and messages that a page of all those numbers draws at most. Each takes some 50 bytes.
const MOST_DRAWN: usize = 250_000;

/// More numbers of processes than this make no page that can be read.
const MOST_SHOWN: usize = 64;

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
    // One number of processes is a picture that can be drawn; several are an assumption, and a picture each.
    request.instance = match common.np.as_ref().map(|list| list.0.as_slice()) {
        Some([np]) => Some(*np),
        _ => None,
    };
    request.instances = instances(options.format, &request.np)?;
    let Answer { mut outcome, .. } = session::analyse(&request)?;
    if options.format == TopologyFormat::Html && request.np == NpChoice::Any && drawn(&outcome) > MOST_DRAWN {
        let is_shown = |instance: &Instance| FEW.contains(&instance.np);
        outcome.programs.iter_mut().for_each(|program| program.instances.retain(is_shown));
        request.instances = FEW.to_vec();
    }

    session::complain(&outcome.errors, common.detail());
    let file = common.output.as_deref();
    match options.format {
        TopologyFormat::Json => {
            output::write_bytes(session::json(json::topology(&outcome))?.as_bytes(), file)?
        }
        TopologyFormat::Html => {
            let page = html::topology(&outcome, &request.instances, &sources(&outcome));
            let page = page.map_err(|error| Failure::new(format!("cannot render the page: {error}")))?;
            output::write_bytes(page.as_bytes(), file)?;
        }
        TopologyFormat::Svg => output::write_bytes(svg::topology(&outcome).as_bytes(), file)?,
        TopologyFormat::Dot => output::write_bytes(dot::topology(&outcome).as_bytes(), file)?,
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

/// The numbers of processes whose messages a format shows.
fn instances(format: TopologyFormat, np: &NpChoice) -> Result<Vec<u64>, Failure> {
    match (format, np) {
        (TopologyFormat::Json, _) => Ok(Vec::new()),
        (_, NpChoice::Fixed(list)) if list.len() <= MOST_SHOWN => Ok(list.clone()),
        (TopologyFormat::Text, NpChoice::Fixed(_)) => Ok(Vec::new()),
        (_, NpChoice::Fixed(list)) => Err(Failure::new(format!(
            "--np names {} numbers of processes; pictures are made of at most {MOST_SHOWN}",
            list.len()
        ))),
        (TopologyFormat::Html, NpChoice::Any) => Ok((1..=EACH_UP_TO).chain(BEYOND).collect()),
        (_, NpChoice::Any) => Ok(Vec::new()),
    }
}

/// How much is drawn of all numbers of processes together.
fn drawn(outcome: &Outcome) -> usize {
    let instances = outcome.programs.iter().flat_map(|program| &program.instances);
    instances.map(|instance| instance.messages.len() + instance.np as usize).sum()
}

/// The files that a page shows.
fn sources(outcome: &Outcome) -> Sources {
    let topologies = outcome.programs.iter().map(|program| &program.topology);
    let sites = topologies.flat_map(|topology| {
        let ends = topology.channels.iter().flat_map(|channel| [&channel.send, &channel.recv]);
        ends.chain(topology.collectives.iter().flat_map(|collective| &collective.sites))
    });
    let findings = outcome.findings.iter().map(|finding| &finding.range);
    let mut sources = excerpts::read(sites.map(|site| &site.range).chain(findings));
    for program in &outcome.programs {
        excerpts::read_file(&program.entry, &mut sources);
    }
    sources
}

fn render(outcome: &Outcome) -> String {
    let programs = outcome.programs.iter().map(|program| {
        let mut text = text::topology(program);
        text.extend(report::instances(program).iter().map(text::instance_matrix));
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
