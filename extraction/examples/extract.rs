//! Says what programs communicate: `extract FILE...`.

use std::path::PathBuf;
use std::time::Instant;

use extraction::extract;
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
    let found = match extract(program, context) {
        Ok(found) => found,
        Err(extraction::GivenUp::Program { reason, place }) => {
            let line =
                place.map(|(function, span)| program.units[function.unit].locate(span).line).unwrap_or(0);
            return format!("line {line}: {reason}");
        }
        Err(error) => return format!("{error}"),
    };
    context.set_budget(Some(1_500_000));
    if is_long {
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
    }
    let together = match found.program.collectives() {
        Ok(Some(together)) => together,
        Ok(None) => return "collectives differ".to_owned(),
        Err(error) => return format!("collectives: {error}"),
    };
    let matching = match found.program.matching() {
        Ok(matching) => matching,
        Err(error) => return format!("matching: {error}"),
    };
    if is_long {
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
        for gathering in found.program.gatherings(&together).unwrap_or_default() {
            println!("{} with root {:?}, times {:?}", gathering.ranks, gathering.root, gathering.repeat);
        }
        println!("{:?}", found.assumptions);
    }
    match matching.is_whole() {
        Ok(true) => {}
        Ok(false) => {
            return format!(
                "left over: {:?}",
                matching.witness(&["np"]).map(|w| w.map(|w| w.instance.to_string()))
            );
        }
        Err(error) => return format!("{error}"),
    }
    match found.program.clock(&matching, &together, false) {
        Ok(Some(clock)) => format!("decided by {clock:?}"),
        Ok(None) => "no clock".to_owned(),
        Err(error) => format!("clock: {error}"),
    }
}
