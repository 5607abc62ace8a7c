//! Who talks to whom, as formulas to read.

use model::{Operation, Program};
use presburger::{Context, Relation, Set};

/// The exchanges of a program of one send and one receive, in which what a process sends and receives is given by relations.
fn told(sends: &str, receives: &str) -> Vec<String> {
    let context = Context::new().expect("there is memory");
    let relation =
        |text: &str| Relation::parse(&context, &format!("[np] -> {{ {text} }}")).expect("it is one");
    let mut program = Program::new(Set::parse(&context, "[np] -> { : np >= 1 }").expect("it is a set"));
    let (who, whom) = sends.split_once("; ").expect("there are two parts");
    program.add(Operation::send(
        relation(who),
        relation(whom),
        relation("S[r, k] -> [0]"),
        relation("S[r, k] -> [0, k]"),
    ));
    let (who, whom) = receives.split_once("; ").expect("there are two parts");
    program.add(Operation::receive(
        relation(who),
        relation(whom),
        relation("R[r, k] -> [0]"),
        relation("R[r, k] -> [1, k]"),
    ));
    let matching = program.matching().expect("it is decided");
    let exchanges = matching.exchanges(&program).expect("it is told");
    let told = |exchange: &model::Exchange| {
        let model::Exchange { senders, partner, receivers, source, tag, repeat, .. } = exchange;
        format!("{senders} to {partner}, {receivers} from {source}, tag {tag:?}, {repeat:?}")
    };
    exchanges.iter().map(told).collect()
}

#[test]
fn one_formula_where_it_is_one() {
    assert_eq!(
        told(
            "S[r, 0] -> [r] : 0 <= r < np - 1; S[r, k] -> [r + 1]",
            "R[r, 0] -> [r] : 0 < r < np; R[r, k] -> [r - 1]"
        ),
        [r#"[0..np-2] to rank + 1, [1..np-1] from rank - 1, tag Some("0"), Some("1")"#]
    );
    assert_eq!(
        told(
            "S[r, k] -> [r] : r = 0 < k < np; S[r, k] -> [k]",
            "R[r, 0] -> [r] : 0 < r < np; R[r, k] -> [0]"
        ),
        [r#"[0..0] to each of [1..np-1], [1..np-1] from 0, tag Some("0"), Some("1")"#]
    );
}

#[test]
fn rings_go_around() {
    assert_eq!(
        told(
            "S[r, 0] -> [r] : 0 <= r < np; S[r, k] -> [r + 1] : r < np - 1; S[r, k] -> [0] : r = np - 1",
            "R[r, 0] -> [r] : 0 <= r < np; R[r, k] -> [r - 1] : r > 0; R[r, k] -> [np - 1] : r = 0"
        ),
        [r#"[0..np-1] to (rank + 1) % np, [0..np-1] from (rank - 1 + np) % np, tag Some("0"), Some("1")"#]
    );
}

#[test]
fn messages_of_a_pair_are_counted() {
    assert_eq!(
        told(
            "S[r, k] -> [r] : 0 <= r < np - 1 and 0 <= k < 2np; S[r, k] -> [r + 1]",
            "R[r, k] -> [r] : 0 < r < np and 0 <= k < 2np; R[r, k] -> [r - 1]"
        ),
        [r#"[0..np-2] to rank + 1, [1..np-1] from rank - 1, tag Some("0"), Some("2*np")"#]
    );
}

#[test]
fn parts_of_different_kinds_are_apart() {
    // Everybody with all others, and neighbours of even ones.
    assert_eq!(
        told(
            "S[r, k] -> [r] : 0 <= r < np and 0 <= k < np and k != r; S[r, k] -> [k]",
            "R[r, k] -> [r] : 0 <= r < np and 0 <= k < np and k != r; R[r, k] -> [k]"
        ),
        [
            r#"[0..np-1] for np >= 2 to each other of [0..np-1], [0..np-1] for np >= 2 from each other of [0..np-1], tag Some("0"), Some("1")"#
        ]
    );
    assert_eq!(
        told(
            "S[r, 0] -> [r] : 0 <= r < np - 1 and r mod 2 = 0; S[r, k] -> [r + 1]",
            "R[r, 0] -> [r] : 0 <= r < np and r mod 2 = 1; R[r, k] -> [r - 1]"
        ),
        [r#"[0..np-2] step 2 to rank + 1, [1..np-1] step 2 from rank - 1, tag Some("0"), Some("1")"#]
    );
}
