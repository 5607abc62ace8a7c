//! Random programs: whatever is said of them agrees with runs.

use model::{Error, Program};

use crate::programs::{Call, Text, said};

/// Programs that are made.
const CASES: u64 = 24;

/// Numbers that look random, the same ones each time (a linear congruential generator with the constants of D. Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).expect("it is an index")]
    }
}

/// Up to three exchanges of a few kinds, one after the other, in rounds or not; and sometimes one call is another one.
fn program(random: &mut Random) -> Program {
    let rounds = random.one(&["0 <= t < 1", "0 <= t < 2", "0 <= t < T"]);
    let mut text = Text::new("np, T", "np >= 1 and T >= 1");
    for exchange in 0..1 + random.below(3) {
        let (to, from) = [
            ("r + 1", "r - 1"),
            ("r - 1", "r + 1"),
            ("r + 2", "r - 2"),
            ("0", "k"),
            ("np - 1 - r", "np - 1 - r"),
        ][usize::try_from(random.below(5)).expect("it is an index")];
        let tag = random.one(&["0", "0", "1", "t"]);
        let wrong = random.below(12);
        let (first, second) = if random.below(3) == 0 { (2, 1) } else { (1, 2) };
        let place = |step: u64| format!("t, {exchange}, {step}, k");
        let (send_at, receive_at, wait_at) = (place(first), place(second), place(3));
        let counter = if from == "k" { "r = 0 and 0 <= k < np" } else { "k = 0" };
        let sends = format!(
            "0 <= r < np and {rounds} and k = 0 and 0 <= {to} < np{}",
            if wrong == 0 { " and r > 0" } else { "" }
        );
        let receives = format!(
            "0 <= r < np and {rounds} and {counter} and 0 <= {from} < np{}",
            if wrong == 1 { " and t < 1" } else { "" }
        );
        let (send, receive) = (format!("S{exchange}[r, t, k]"), format!("R{exchange}[r, t, k]"));
        let send =
            Call { instance: &send, domain: &sends, process: "r", partner: to, tag, position: &send_at };
        let tag = if wrong == 2 { "1" } else { tag };
        let receive = Call {
            instance: &receive,
            domain: &receives,
            process: "r",
            partner: from,
            tag,
            position: &receive_at,
        };
        text = if random.below(2) == 0 { text.send(&send) } else { text.isend(&send, &wait_at) };
        text = match random.below(3) {
            0 => text.irecv(&receive, &wait_at),
            1 if from == "k" => text.receive_any(&receive, "0 <= s < np"),
            _ => text.receive(&receive),
        };
    }
    text.done()
}

#[test]
fn whatever_is_said_of_a_program_is_so() {
    let mut random = Random(7);
    let (mut decided, mut whole, mut clocks) = (0, 0, 0);
    for _ in 0..CASES {
        match said(&program(&mut random)) {
            Ok(said) => {
                decided += 1;
                whole += u64::from(said.left.is_none());
                clocks += u64::from(said.buffered.is_some());
            }
            Err(Error::SeveralMessages | Error::Competing | Error::Rounds) => {}
            Err(Error::Sets(error)) => panic!("{error}"),
        }
    }
    // The test says something.
    println!("{decided} of {CASES} are decided, {whole} whole, {clocks} with a clock");
    assert!(CASES / 2 < decided && CASES / 4 < whole && CASES / 4 < clocks, "{decided} {whole} {clocks}");
}
