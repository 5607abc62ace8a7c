//! Loops of rounds in which a distance is multiplied: trees, dissemination, recursive doubling.

use std::rc::Rc;

use proptest::prelude::*;

use super::effects::{At, Effects, Meaning, messages};
use super::progress::{Operation, hangs};
use super::writer::{Scope, Writer};

/// Who meets whom at distance `d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The first `d` ranks send that far, if there is somebody.
    Tree,
    /// The same from the greatest distance on, and backwards: a tree of receives.
    Reduction,
    /// All send that far, counted around.
    Dissemination,
    /// `rank ^ d`, where the number of processes is a power of two.
    Doubling,
}

/// How the distance is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Twice,
    Shifted,
    Added,
    Thrice,
}

/// Rounds of growing or falling distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) shape: Shape,
    pub(crate) step: Step,
    /// `MPI_Sendrecv` where both ends do both, or else a send before a receive.
    pub(crate) both: bool,
}

impl Rounds {
    fn factor(self) -> i64 {
        // A tree must double, and so must bits.
        if self.step == Step::Thrice && self.shape == Shape::Dissemination { 3 } else { 2 }
    }

    /// The distances of all rounds, in order.
    fn distances(self, size: i64) -> Vec<i64> {
        if self.shape == Shape::Doubling && size & (size - 1) != 0 {
            return Vec::new();
        }
        let all = std::iter::successors(Some(1), |d| Some(d * self.factor()));
        let mut all: Vec<i64> = all.take_while(|&d| d < size).collect();
        if self.shape == Shape::Reduction {
            all.reverse();
        }
        all
    }

    /// Who sends to whom at a distance.
    fn pairs(self, size: i64, distance: i64) -> Vec<(i64, i64)> {
        let tree = (0..distance).map(|rank| (rank, rank + distance)).filter(|&(_, to)| to < size);
        match self.shape {
            Shape::Tree => tree.collect(),
            Shape::Reduction => tree.map(|(rank, from)| (from, rank)).collect(),
            Shape::Dissemination => (0..size).map(|rank| (rank, (rank + distance) % size)).collect(),
            Shape::Doubling => (0..size).map(|rank| (rank, rank ^ distance)).collect(),
        }
    }

    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let Scope { rank, size, .. } = scope;
        let d = w.name("d");
        w.need(&format!("int {d};"));
        if self.shape == Shape::Doubling {
            w.line(&format!("if (({size} & ({size} - 1)) == 0) {{"));
        }
        let next = match self.step {
            Step::Shifted => format!("{d} <<= 1"),
            Step::Added => format!("{d} += {d}"),
            Step::Twice | Step::Thrice => format!("{d} *= {}", self.factor()),
        };
        if self.shape == Shape::Reduction {
            w.line(&format!("{d} = 1;"));
            w.line(&format!("while (2 * {d} < {size}) {{"));
            w.line(&format!("{next};"));
            w.end();
            w.line(&format!("for (; {d} >= 1 && {d} < {size}; {d} /= 2) {{"));
        } else {
            w.line(&format!("for ({d} = 1; {d} < {size}; {next}) {{"));
        }
        let near = format!("{rank} < {d} && {rank} + {d} < {size}");
        let far = format!("{rank} >= {d} && {rank} < 2 * {d}");
        let calls = match self.shape {
            Shape::Tree | Shape::Reduction => {
                let (sends, to, receives, from) = match self.shape {
                    Shape::Tree => (near, "+", far, "-"),
                    _ => (far, "-", near, "+"),
                };
                w.line(&format!("if ({sends}) {{"));
                let sent = w.send("MPI_Send", scope, &format!("{rank} {to} {d}"));
                w.end();
                w.line(&format!("if ({receives}) {{"));
                let received = w.recv(scope, &format!("{rank} {from} {d}"));
                w.end();
                (sent, received)
            }
            Shape::Dissemination | Shape::Doubling => {
                let (to, from) = match self.shape {
                    Shape::Doubling => (format!("{rank} ^ {d}"), format!("{rank} ^ {d}")),
                    _ => (format!("({rank} + {d}) % {size}"), format!("({rank} - {d} + {size}) % {size}")),
                };
                if self.both {
                    let (out, wanted) = (w.outgoing(scope), w.wanted_tag(scope));
                    let (into, Scope { comm, tag, .. }) = (w.incoming(scope), scope);
                    let call = w.call(&format!(
                        "MPI_Sendrecv({out}, {to}, {tag}, {into}, {from}, {wanted}, {comm}, MPI_STATUS_IGNORE);"
                    ));
                    (call, call)
                } else {
                    (w.send("MPI_Send", scope, &to), w.recv(scope, &from))
                }
            }
        };
        w.end();
        if self.shape == Shape::Doubling {
            w.end();
        }
        let data = scope.data;
        Rc::new(move |at: At| {
            let rounds: Vec<Vec<(i64, i64)>> =
                self.distances(at.size).into_iter().map(|d| self.pairs(at.size, d)).collect();
            let effects = messages(rounds.iter().flatten().copied(), calls, at.tag, data);
            if self.both && matches!(self.shape, Shape::Dissemination | Shape::Doubling) {
                return effects;
            }
            let of_rank = |rank: i64| {
                let in_round = |pairs: &Vec<(i64, i64)>| {
                    let sends = pairs.iter().filter(move |p| p.0 == rank);
                    let receives = pairs.iter().filter(move |p| p.1 == rank);
                    let sends = sends.map(|&(_, to)| Operation::Send { to, tag: 0, synchronous: false });
                    let receives = receives.map(|&(from, _)| Operation::Recv { from, tag: 0 });
                    sends.chain(receives).collect::<Vec<_>>()
                };
                rounds.iter().flat_map(in_round).collect()
            };
            let ranks: Vec<Vec<Operation>> = (0..at.size).map(of_rank).collect();
            Effects { is_unsafe: hangs(&ranks, false), ..effects }
        })
    }
}

pub(crate) fn rounds() -> impl Strategy<Value = Rounds> {
    let shape = prop_oneof![
        Just(Shape::Tree),
        Just(Shape::Reduction),
        Just(Shape::Dissemination),
        Just(Shape::Doubling)
    ];
    let step = prop_oneof![Just(Step::Twice), Just(Step::Shifted), Just(Step::Added), Just(Step::Thrice)];
    (shape, step, any::<bool>()).prop_map(|(shape, step, both)| Rounds { shape, step, both })
}
