//! How the symbolic analysis goes about a program. Every way is right where it comes to an end, and each comes to an end where others do
//! not; so where the usual one does not, those that what was met on it suggests are tried.

use std::rc::Rc;

use effort::Budget;
use hsm::{Assumptions, Reasoner, Standard};

use super::cross_check::cross_check;
use super::exploration::{Exploration, asked, explore_with, go_on};
use super::explore::Pause;
use super::groundwork::Groundwork;
use super::{Engine, Options, Without};

/// A way to go about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// Whether the rank is taken apart by what the program divides it by.
    pub(crate) divides: bool,
    /// Whether all processes are kept in the same round of a loop, as far as they can go on: a send is buffered before anything is
    /// received, and who comes to the head of a loop stays there as long as others move. Usually a sender moves together with its
    /// receivers, and whoever can goes ahead, so that a loop of sends finds its widening.
    pub(crate) together: bool,
    /// Whether processes that wait in a receive from lower or from higher ranks go on as if it were complete, see `waves`.
    pub(crate) waves: bool,
    /// Rounds of a loop after which it is in the same phase again: those of other phases are kept apart, and what goes up by a multiple
    /// of it stays a multiple.
    pub(crate) period: Option<i64>,
    /// Whether a walk ends as soon as it asks for the phase of a loop of which it does not know the period: it seldom comes to another
    /// end.
    pub(crate) brief: bool,
    /// Whether variables are followed that say no more than how many elements a message has. Where each process has a number of its own
    /// that has no form (a share of the whole, rounded), what the processes do is the same for all, and the number is left open.
    pub(crate) lengths: bool,
    /// Whether known numbers of many rounds are taken for numbers of which only the least is known, as long as a path is followed: so a
    /// loop of a hundred rounds is no harder than one of `n`.
    pub(crate) rounds: bool,
}

/// Weight of the states of the usual way, from which on other ways are tried before it goes on: there are programs on which it would go
/// on as long as it may, where others soon come to an end.
const FIRST: usize = 20_000;

/// The same of each of the other ways, before the next one is tried: where one of them comes to an end, it mostly does so soon.
const LITTLE: usize = 2_000;

/// Parts of the budget of an analysis: those at which the usual way is put aside, each of the others gets more, and the symbolic attempts
/// have to be at an end. Some of it is for comparing them; there is something to fall back on.
const SHARES: u32 = 48;
const PAUSE: u32 = 8;
const MORE: u32 = 2;
const END: u32 = 26;

impl Strategy {
    /// The one that is tried first.
    pub(crate) const USUAL: Self = Self {
        divides: true,
        together: false,
        waves: false,
        period: None,
        brief: true,
        lengths: true,
        rounds: false,
    };
}

impl Engine<'_> {
    /// Whether the rank is taken apart by what the program divides it by.
    pub(crate) fn divides(&self) -> bool {
        self.strategy.divides && self.without != Some(Without::DigitBoxes)
    }

    /// Who answers questions of crate `hsm`, with so much work for one claim and for all of a question.
    pub(crate) fn reasoner(&self, assumptions: Assumptions, limits: (u64, u64)) -> Reasoner<'static> {
        let reasoner = Reasoner::new(assumptions);
        match self.without {
            Some(Without::Z3) => reasoner,
            Some(Without::CanonicalForms) => {
                reasoner.with_prover(&Standard, limits.0, limits.1).without_canonical_forms()
            }
            _ => reasoner.with_prover(&Standard, limits.0, limits.1),
        }
    }
}

/// The symbolic exploration of a program, on the way that tells most about it.
pub(crate) fn explore_symbolically<'p>(
    ground: &Rc<Groundwork<'p>>,
    budget: Budget,
    options: &Options,
) -> Exploration<'p> {
    let at = |share: u32| budget.share(share, SHARES);
    let checked = |mut symbolic: Exploration<'p>| {
        if symbolic.complete_from().is_some() {
            cross_check(ground, &mut symbolic, at(SHARES * 3 / 4));
        }
        symbolic
    };
    let attempt = |strategy: Strategy, pause: Option<Pause>, share: u32| {
        let engine = Engine { strategy, pause, ..asked(ground, None, options) };
        checked(explore_with(engine, at(share)))
    };
    let mut best = attempt(Strategy::USUAL, Some(Pause { budget: at(PAUSE), weight: FIRST }), END);
    if best.engine.vanished.is_some() {
        // On any other way too.
        return best;
    }
    if best.engine.divided && best.left_open() != Some(0) {
        // Digits that decide nothing but a tag keep apart what would be one.
        let undivided = attempt(Strategy { divides: false, ..Strategy::USUAL }, None, PAUSE + MORE);
        let open = |e: &Exploration<'_>| e.left_open().unwrap_or(usize::MAX);
        if open(&undivided) < open(&best) {
            best = undivided;
        }
    }
    let period = best.engine.phases;
    let usual = Strategy::USUAL;
    let waves = !ground.wildcards && !best.engine.clients.follow_memory();
    // What comes with a message is not known on the way, nor who came first.
    let waves = Strategy { together: waves, waves, period, ..usual };
    let mut others = [
        waves,
        Strategy { together: true, period, ..usual },
        Strategy { period, ..usual },
        Strategy { brief: !best.engine.was_brief, ..usual },
        Strategy {
            lengths: !ground.deciding.has_more_than(&ground.deciding_besides_lengths),
            period,
            ..usual
        },
    ];
    if period.is_some() {
        // Phases tell more.
        others.swap(0, 1);
    }
    // Known numbers of rounds as if they were not known: on the ways that may need it.
    let rounds = best.engine.many_rounds;
    let counted = [others[0], others[1], Strategy { period, ..usual }];
    let mut untried: Vec<Strategy> = Vec::new();
    for strategy in others.into_iter().chain(counted.map(|strategy| Strategy { rounds, ..strategy })) {
        if strategy != usual && !untried.contains(&strategy) {
            untried.push(strategy);
        }
    }
    // With fewer process counts left out.
    let first = |e: &Exploration<'_>| e.complete_from().unwrap_or(i64::MAX);
    let mut aside = Vec::new();
    for strategy in untried {
        if best.is_complete() {
            break;
        }
        let other = attempt(strategy, Some(Pause { budget: at(PAUSE + MORE), weight: LITTLE }), END);
        if other.engine.pause.is_some() {
            aside.push(other);
        } else if first(&other) < first(&best) {
            best = other;
        }
    }
    for (other, share) in aside.into_iter().zip((PAUSE + 2 * MORE..).step_by(MORE as usize)) {
        if best.is_complete() {
            break;
        }
        let other = checked(go_on(other, at(share.min(END))));
        if first(&other) < first(&best) {
            best = other;
        }
    }
    if best.engine.pause.is_some() { checked(go_on(best, at(END))) } else { best }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use effort::Limits;
    use frontend::lower::{self, lower};
    use frontend::preprocess::{Request, preprocess};
    use frontend::program::{Program, link};

    use super::*;

    /// A program that does this between initialising MPI and finalising it.
    pub(in super::super) fn program(body: &str) -> Program {
        let text = format!(
            "#include <mpi.h>\nint main(int argc, char **argv)\n{{\nint rank, np, x = 0, flag = 0; MPI_Request q;\n\
             MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &np);\n\
             int left = rank > 0, right = rank < np - 1, first = rank == 0 && np > 1, last = rank == np - 1 && np > 1;\n\
             {body}\nMPI_Finalize();\nreturn 0;\n}}\n"
        );
        let request = Request::new("waves.c").with_text(text);
        let preprocessed = preprocess(&request).expect("there is nothing to stumble over");
        let unit = lower(Path::new("waves.c"), preprocessed, &lower::Options::default());
        assert!(unit.problems.is_empty(), "{:?}", unit.problems);
        link(&[Arc::new(unit)]).remove(0)
    }

    /// Whether one way comes to an end for any number of processes, put aside as soon as can be if it is to be.
    fn ends(body: &str, strategy: Strategy, aside: bool) -> bool {
        let program = program(body);
        let ground = Rc::new(Groundwork::new(&program));
        let end = Budget::begin(Limits::of_seconds(60));
        let pause = aside.then_some(Pause { budget: end.at_most(0), weight: 0 });
        let engine = Engine { strategy, pause, ..Engine::new(&ground, None) };
        let exploration = explore_with(engine, end);
        assert!(exploration.engine.pause.is_none() || exploration.complete_from().is_none());
        assert!(!aside || exploration.engine.pause.is_some(), "it was put aside");
        go_on(exploration, end).complete_from() == Some(1)
    }

    fn receive(source: &str, tag: u8) -> String {
        format!("MPI_Recv(&x, 1, MPI_INT, {source}, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
    }

    fn send(dest: &str, tag: u8) -> String {
        format!("MPI_Send(&x, 1, MPI_INT, {dest}, {tag}, MPI_COMM_WORLD);")
    }

    const WAVES: Strategy = Strategy { together: true, waves: true, ..Strategy::USUAL };

    /// Where processes go on as if their receives were complete, what hangs does not come to an end: nobody else would tell that it
    /// does, since the usual way does not come to an end on programs for which this is the way.
    #[test]
    fn waves_end_only_where_the_program_does() {
        let (from_left, to_right) = (receive("rank - 1", 0), send("rank + 1", 0));
        let (from_right, to_left) = (receive("rank + 1", 1), send("rank - 1", 1));
        let up = format!("if (left) {{ {from_left} }} if (right) {{ {to_right} }}\n");
        let down = format!("if (right) {{ {from_right} }} if (left) {{ {to_left} }}\n");
        let barrier = "MPI_Barrier(MPI_COMM_WORLD);\n";
        let from_last = format!("if (first) {{ {} }}\n", receive("np - 1", 2));
        let to_first = format!("if (last) {{ {} }}\n", send("0", 2));
        let far = format!(
            "if (rank > 1) {{ {} }} if (rank < np - 2) {{ {} }}\n",
            receive("rank - 2", 3),
            send("rank + 2", 3)
        );
        let asked = format!(
            "if (left) {{ MPI_Irecv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &q); MPI_Wait(&q, MPI_STATUS_IGNORE); }}\n\
             if (right) {{ {to_right} }}\n"
        );
        for body in [
            up.clone(),
            asked,
            format!("{far}{up}"),
            format!("{up}{down}"),
            format!("{up}{barrier}{down}"),
            format!("{up}{to_first}{from_last}"),
        ] {
            assert!(ends(&body, WAVES, false), "{body}");
        }
        let half = format!("if (left) {{ {from_left} }}\n");
        let polling =
            "if (first) while (!flag) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);\n";
        for body in [
            // Each waits for both sides before it sends.
            format!("{half}if (right) {{ {from_right} {to_right} }} if (left) {{ {to_left} }}"),
            // The first waits for the last, which waits for all others.
            format!("{half}{from_last}if (right) {{ {to_right} }}\n{to_first}"),
            // The first meets all others before it sends what they wait for.
            format!("{half}{barrier}if (right) {{ {to_right} }}"),
            // The first looks for a message that comes after its own.
            format!(
                "{half}{polling}if (right) {{ {to_right} }} if (rank == 1) {{ {to_left} }} if (first) {{ {from_right} }}"
            ),
            // What is not buffered has to be received first.
            format!(
                "if (right) {{ {} }}\n{half}if (right) {{ {to_right} }} if (left) {{ {} }}",
                send("rank + 1", 1).replace("Send", "Ssend"),
                receive("rank - 1", 1)
            ),
            // The last but one sends nothing.
            format!("{half}if (rank < np - 2) {{ {to_right} }}"),
            // One ends the program while others wait.
            format!("{half}if (rank == 2) MPI_Abort(MPI_COMM_WORLD, 1); if (right) {{ {to_right} }}"),
        ] {
            assert!(!ends(&body, WAVES, false), "{body}");
        }
    }

    /// What is put aside goes on where it was.
    #[test]
    fn what_is_put_aside_goes_on() {
        let ring =
            format!("if (right) {{ {} }} if (left) {{ {} }}", send("rank + 1", 0), receive("rank - 1", 0));
        let rounds = format!("for (int k = 0; k < 5; k++) {{ {ring} }}");
        assert!(ends(&rounds, Strategy::USUAL, true));
        let data = format!("if (x < argv[rank][0]) {{ {} }}", receive("rank", 0));
        assert!(!ends(&data, Strategy::USUAL, true));
    }
}
