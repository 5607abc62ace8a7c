//! Generated programs are right.

use simulator::generate::{Wish, generate};
use simulator::parse::parse;
use simulator::print::print;
use simulator::{Order, Setting, compile, run};

/// The program is right at every number of processes up to 9 and at 12 and 16, whoever goes on first.
#[test]
fn generated_programs_are_right() {
    let wish = Wish::default();
    for seed in 0..150 {
        let generated = generate(seed, &wish);
        let program = parse(&generated.text).unwrap();
        assert_eq!(print(&program), generated.text);
        let executable = compile(&program).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", generated.text));
        for np in (1..=9).chain([12, 16]) {
            for order in [Order::InTurn, Order::Random(seed + 1)] {
                for buffered in [true, false] {
                    if !buffered && generated.features.contains(&"unsafe") {
                        continue;
                    }
                    let outcome = run(&executable, Setting { np, buffered, order });
                    assert!(
                        outcome.is_right(),
                        "seed {seed}, np = {np}, {order:?}, buffered {buffered}: {:?} {:?} {:?} {:?}\n{}",
                        outcome.ended,
                        outcome.unreceived,
                        outcome.unserved,
                        outcome.unwaited,
                        generated.text
                    );
                }
            }
        }
    }
}
