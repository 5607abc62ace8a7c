//! Prints the program of a seed: `cargo run -p simulator --example generate -- SEED [FAULT-SEED]`.

use simulator::fault;
use simulator::generate::{Wish, generate};
use simulator::parse::parse;
use simulator::print::print;
use simulator::random::Random;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|n| n.parse().ok()).collect();
    let text = generate(numbers.first().copied().unwrap_or(0), &Wish::default()).text;
    let text = match numbers.get(1) {
        Some(&seed) => parse(&text)
            .ok()
            .and_then(|program| fault::put(&program, &mut Random::new(seed)))
            .map_or(text, |(faulty, kind)| format!("/* {} */\n{}", kind.text(), print(&faulty))),
        None => text,
    };
    print!("{text}");
}
