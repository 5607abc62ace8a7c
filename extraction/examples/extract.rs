//! Says what programs communicate: `extract FILE...`.

use std::path::PathBuf;
use std::time::Instant;

use extraction::{Section, decide};
use frontend::program::{LoadOptions, load};
use presburger::Context;

fn main() {
    let mut decided = 0;
    let files: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let is_long = files.len() == 1;
    for file in &files {
        let loaded = load(&LoadOptions { paths: vec![file.clone()], ..LoadOptions::default() });
        for program in &loaded.programs {
            let start = Instant::now();
            let context = Context::with_budget(
                std::env::var("BUDGET").ok().and_then(|text| text.parse().ok()).unwrap_or(500_000),
            )
            .expect("a context");
            let said = said(program, &context, is_long);
            decided += usize::from(said.starts_with("decided"));
            println!("{}: {} ({} ms)", file.display(), said, start.elapsed().as_millis());
        }
    }
    println!("{decided} of {}", files.len());
}

fn said(program: &frontend::program::Program, context: &Context, is_long: bool) -> String {
    let sections = match decide(program, context, 10_000_000, 10_000_000) {
        Ok(sections) => sections,
        Err(extraction::GivenUp::Program { reason, place }) => {
            let line =
                place.map(|(function, span)| program.units[function.unit].locate(span).line).unwrap_or(0);
            return format!("line {line}: {reason}");
        }
        Err(error) => return format!("{error}"),
    };
    let clocks: Vec<String> = sections.iter().map(|section| format!("{:?}", section.clock)).collect();
    context.set_budget(None);
    for Section { found, matching, together, .. } in sections.iter().filter(|_| is_long) {
        println!("--- known {}", found.program.known());
        for operation in found.program.operations() {
            println!(
                "{:?}\n  {}\n  to {}\n  at {}\n  until {:?}",
                operation.kind,
                operation.process,
                operation.partner,
                operation.position,
                operation.completion.as_ref().map(ToString::to_string)
            );
        }
        println!("{}", matching.meets);
        for exchange in matching.exchanges(&found.program).unwrap_or_default() {
            println!(
                "{} to {}; {} from {}; tag {:?}, times {:?}",
                exchange.senders,
                exchange.partner,
                exchange.receivers,
                exchange.source,
                exchange.tag,
                exchange.repeat
            );
        }
        for gathering in found.program.gatherings(together).unwrap_or_default() {
            println!("{} with root {:?}, times {:?}", gathering.ranks, gathering.root, gathering.repeat);
        }
        println!("{:?} {:?}", found.assumptions, found.names);
    }
    format!("decided by {}", clocks.join(", "))
}
