//! Topologies as one page that needs no network: `anyrank topology --format html`.
//!
//! Everything that is shown is in the file. Pictures are those of [`crate::svg`]; where they differ by the number of
//! processes, each is in a `<template>` that the script puts in place when the slider moves. Without the script the
//! page shows one number of processes and everything that holds for all. Crate `maud` escapes what comes from programs
//! and file names; `data.rs` does so for the script's data.

mod at_np;
mod data;
mod finding;
mod program;
mod source;

use maud::{DOCTYPE, PreEscaped, html};

use analyzer::results::{Finding, ProgramReport};

use crate::instances::instances;
use crate::outcome::Outcome;
use crate::sources::Sources;
use crate::text::{clean, plural};
use crate::{json, svg};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page. `wanted` are the numbers of processes whose messages the analysis was asked to list.
///
/// # Errors
/// None in practice, see [`crate::json::lint`].
pub fn topology(outcome: &Outcome, wanted: &[u64], sources: &Sources) -> serde_json::Result<String> {
    let name = match outcome.programs.as_slice() {
        [only] => clean(&only.entry),
        all => plural(all.len(), "program"),
    };
    let mut budget = data::Budget::new();
    let programs: Vec<program::Shown<'_>> = outcome
        .programs
        .iter()
        .enumerate()
        .map(|(index, program)| {
            let (shown, left_out): (Vec<_>, Vec<_>) =
                instances(program).iter().partition(|instance| budget.admits(instance));
            program::Shown {
                places: program::places(program, &shown),
                index,
                program,
                findings: outcome.findings.iter().filter(|finding| is_about(finding, program)).collect(),
                instances: shown,
                too_many: left_out.into_iter().map(|instance| instance.np).collect(),
                wanted,
                sources,
            }
        })
        .collect();
    let data = data::script_data(&programs)?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="anyrank";
                // Nothing is fetched, and nothing but the page's own script runs.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (name) ": who talks to whom" }
                style { (PreEscaped(svg::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the programs" }
                header {
                    // A name that is read from right to left turns nothing else around.
                    h1 { bdi { (name) } ": who talks to whom" }
                    @if 1 < outcome.programs.len() { (contents(&programs)) }
                }
                // Heads of all arrows.
                svg.picture width="0" height="0" aria-hidden="true" style="position:absolute" { (PreEscaped(svg::arrow_head().to_string())) }
                main id="main" tabindex="-1" {
                    @for shown in &programs { (shown.section()) }
                    @if !outcome.errors.is_empty() {
                        section {
                            h2 { "Not taken in" }
                            ul { @for error in &outcome.errors {
                                li { code { (clean(&error.file)) } ": " (clean(&error.message)) }
                            } }
                        }
                    }
                }
                footer {
                    p { "Written by anyrank. Findings here are those about messages; " code { "anyrank lint" } " has all." }
                }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}

/// A list of the programs, as links.
fn contents(programs: &[program::Shown<'_>]) -> maud::Markup {
    html! {
        nav aria-label="Programs" { ul {
            @for shown in programs {
                li {
                    a href={ "#p" (shown.index) } { bdi { (clean(&shown.program.entry)) } }
                    " " span.kind { (json::verdict_kind(shown.program.verdict.kind)) }
                    @if !shown.findings.is_empty() {
                        " " span.badge { (plural(shown.findings.len(), "finding")) }
                    }
                }
            }
        } }
    }
}

/// Whether a finding is in one of the files that a program's communication is in.
fn is_about(finding: &Finding, program: &ProgramReport) -> bool {
    let file = &finding.range.file;
    *file == program.entry || source::sites(program).any(|site| site.range.file == *file)
}
