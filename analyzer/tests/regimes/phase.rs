//! Generated programs: phases that all processes go through in order, each with what it does by construction.

use std::rc::Rc;

use proptest::prelude::*;

use super::collective::{Collective, collective_call};
use super::effects::{At, Effects, Meaning, collective};
use super::exchange::{Exchange, InOrder, exchange, in_order};
use super::fan::{AllToAll, Fan, Halo, all_to_all, fan, halo};
use super::rounds::{Rounds, rounds};
use super::writer::{Data, Scope, Slip, Writer};

/// What is communicated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core {
    Exchange(Exchange),
    InOrder(InOrder),
    Fan(Fan),
    Halo(Halo),
    AllToAll(AllToAll),
    Collective(Collective),
    Rounds(Rounds),
}

/// Who belongs together after a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// `rank < np / 2`.
    Halves,
    /// `rank < k`.
    First(i64),
    /// `rank < k`, the others get no communicator.
    FirstOnly(i64),
    /// All but rank 0, which gets no communicator.
    NotZero,
    /// The last rank is alone.
    LastAlone,
    /// A constant.
    Constant,
    /// `rank % 2`.
    Parity,
}

/// The order of ranks in the new communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Rank,
    Zero,
    Reversed,
}

/// Ranks that a program lists one by one to make a group of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// The first half.
    Half,
    /// All, from the last to the first.
    Reversed,
    EveryOther,
    /// All but the first half.
    Others,
}

impl Listed {
    /// How many are listed, and which one is at a place of the list.
    fn code(self, size: &str, place: &str) -> (String, String) {
        match self {
            Self::Half => (format!("({size} + 1) / 2"), place.to_owned()),
            Self::Reversed => (size.to_owned(), format!("{size} - 1 - {place}")),
            Self::EveryOther => (format!("({size} + 1) / 2"), format!("2 * {place}")),
            Self::Others => (format!("{size} / 2"), place.to_owned()),
        }
    }

    fn members(self, size: i64) -> Vec<i64> {
        match self {
            Self::Half => (0..(size + 1) / 2).collect(),
            Self::Reversed => (0..size).rev().collect(),
            Self::EveryOther => (0..size).step_by(2).collect(),
            Self::Others => (size / 2..size).collect(),
        }
    }
}

/// What stands around the communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// Repeated a constant number of times.
    Repeat(u32),
    /// Repeated in a `while` loop that counts down.
    While(u32),
    /// Repeated as often as the first argument of the program says.
    Input,
    /// Repeated as often as rank 0 tells the others.
    Told(u32),
    /// The same, where rank 0 takes the number from the command line.
    ToldInput,
    /// Until a value that all ranks have in common falls below another.
    Converge,
    /// Only if there are at least so many processes.
    AtLeast(u32),
    /// Only if the number of processes is even.
    Even,
    /// Only if the program has arguments.
    IfInput,
    /// In a function of its own.
    Function,
    /// In a function that is called twice with different tags.
    FunctionTwice,
    /// On a duplicate of the communicator.
    Dup,
    /// On parts of the communicator.
    Split(Colour, Key),
    /// On a communicator of a group.
    Group(Listed),
}

/// One phase of a generated program.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) core: Core,
    /// The innermost comes first.
    pub(crate) wrappers: Vec<Wrapper>,
    pub(crate) tag: i64,
    pub(crate) data: Data,
    pub(crate) slip: Slip,
}

/// A generated program.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) phases: Vec<Phase>,
    pub(crate) early_counters: bool,
}

/// Distance of the tags of the two calls of one function.
const SECOND_CALL: i64 = 5;

impl Colour {
    fn code(self, scope: &Scope) -> String {
        let Scope { rank, size, .. } = scope;
        match self {
            Self::Halves => format!("{rank} < {size} / 2"),
            Self::First(k) => format!("{rank} < {k}"),
            Self::FirstOnly(k) => format!("{rank} < {k} ? 0 : MPI_UNDEFINED"),
            Self::NotZero => format!("{rank} == 0 ? MPI_UNDEFINED : 1"),
            Self::LastAlone => format!("{rank} == {size} - 1"),
            Self::Constant => "7".to_owned(),
            Self::Parity => format!("{rank} % 2"),
        }
    }

    fn of(self, rank: i64, size: i64) -> Option<i64> {
        match self {
            Self::Halves => Some(i64::from(rank < size / 2)),
            Self::First(k) => Some(i64::from(rank < k)),
            Self::FirstOnly(k) => (rank < k).then_some(0),
            Self::NotZero => (rank != 0).then_some(1),
            Self::LastAlone => Some(i64::from(rank == size - 1)),
            Self::Constant => Some(7),
            Self::Parity => Some(rank % 2),
        }
    }

    fn leaves_out_some(self) -> bool {
        matches!(self, Self::FirstOnly(_) | Self::NotZero)
    }
}

/// The groups of a split, each in the order of its keys.
fn groups(colour: Colour, key: Key, size: i64) -> Vec<Vec<i64>> {
    let mut colours: Vec<i64> = (0..size).filter_map(|rank| colour.of(rank, size)).collect();
    colours.sort_unstable();
    colours.dedup();
    let group = |c: i64| {
        let members = (0..size).filter(move |&rank| colour.of(rank, size) == Some(c));
        if key == Key::Reversed { members.rev().collect() } else { members.collect() }
    };
    colours.into_iter().map(group).collect()
}

impl Phase {
    pub(crate) fn is_wild(&self) -> bool {
        matches!(self.core, Core::Fan(fan) if fan.is_wild())
    }

    fn write(&self, w: &mut Writer, scope: &Scope) -> Meaning {
        w.slip = self.slip;
        let meaning = self.wrapped(w, scope, &self.wrappers);
        w.slip = Slip::None;
        meaning
    }

    fn wrapped(&self, w: &mut Writer, scope: &Scope, wrappers: &[Wrapper]) -> Meaning {
        let Some((&outer, inner)) = wrappers.split_last() else {
            return match self.core {
                Core::Exchange(core) => core.write(w, scope),
                Core::InOrder(core) => core.write(w, scope),
                Core::Fan(core) => core.write(w, scope),
                Core::Halo(core) => core.write(w, scope),
                Core::AllToAll(core) => core.write(w, scope),
                Core::Collective(core) => core.write(w, scope),
                Core::Rounds(core) => core.write(w, scope),
            };
        };
        let times =
            |meaning: Meaning, times: Option<i64>| -> Meaning { Rc::new(move |at| meaning(at).times(times)) };
        match outer {
            Wrapper::Repeat(n) => {
                let counter = w.name("t");
                w.begin_loop(&counter, "0", &n.to_string(), false);
                let meaning = self.wrapped(w, scope, inner);
                w.end();
                times(meaning, Some(n.into()))
            }
            Wrapper::While(n) => {
                let left = w.name("left");
                w.need(&format!("int {left};"));
                w.line(&format!("{left} = {n};"));
                w.line(&format!("while ({left}-- > 0) {{"));
                let meaning = self.wrapped(w, scope, inner);
                w.end();
                times(meaning, Some(n.into()))
            }
            Wrapper::Input => {
                w.global("static int steps;");
                let counter = w.name("t");
                w.begin_loop(&counter, "0", "steps", false);
                let meaning = self.wrapped(w, scope, inner);
                w.end();
                times(meaning, None)
            }
            Wrapper::Told(_) | Wrapper::ToldInput => self.told(w, scope, outer, inner),
            Wrapper::Converge => self.converging(w, scope, inner),
            Wrapper::AtLeast(_) | Wrapper::Even => {
                let condition = match outer {
                    Wrapper::AtLeast(least) => format!("{} >= {least}", scope.size),
                    _ => format!("{} % 2 == 0", scope.size),
                };
                w.line(&format!("if ({condition}) {{"));
                let meaning = self.wrapped(w, scope, inner);
                w.end();
                Rc::new(move |at: At| {
                    let holds = match outer {
                        Wrapper::AtLeast(least) => at.size >= least.into(),
                        _ => at.size % 2 == 0,
                    };
                    if holds { meaning(at) } else { Effects::default() }
                })
            }
            Wrapper::IfInput => {
                w.global("static int steps;");
                w.line("if (steps > 0) {");
                let meaning = self.wrapped(w, scope, inner);
                w.end();
                times(meaning, None)
            }
            Wrapper::Function | Wrapper::FunctionTwice => {
                let name = w.name("phase");
                w.begin_function(&format!("static void {name}(MPI_Comm comm, int rank, int np, int tag)"));
                let own = Scope {
                    comm: "comm".to_owned(),
                    rank: "rank".to_owned(),
                    size: "np".to_owned(),
                    tag: "tag".to_owned(),
                    data: scope.data,
                };
                let meaning = self.wrapped(w, &own, inner);
                w.end_function();
                let Scope { comm, rank, size, tag, .. } = scope;
                w.line(&format!("{name}({comm}, {rank}, {size}, {tag});"));
                if outer == Wrapper::Function {
                    return meaning;
                }
                w.line(&format!("{name}({comm}, {rank}, {size}, {tag} + {SECOND_CALL});"));
                Rc::new(move |at| meaning(at).and(meaning(At { tag: at.tag + SECOND_CALL, ..at })))
            }
            Wrapper::Dup => {
                let comm = w.name("dup");
                w.need(&format!("MPI_Comm {comm};"));
                let site = w.call(&format!("MPI_Comm_dup({}, &{comm});", scope.comm));
                let meaning = self.wrapped(w, &Scope { comm: comm.clone(), ..scope.clone() }, inner);
                w.line(&format!("MPI_Comm_free(&{comm});"));
                Rc::new(move |at| collective("MPI_Comm_dup", site, at.size, None).and(meaning(at)))
            }
            Wrapper::Split(colour, key) => self.split(w, scope, inner, colour, key),
            Wrapper::Group(listed) => self.group(w, scope, inner, listed),
        }
    }

    fn told(&self, w: &mut Writer, scope: &Scope, outer: Wrapper, inner: &[Wrapper]) -> Meaning {
        let count = w.name("count");
        w.need(&format!("int {count} = 0;"));
        let (value, times) = match outer {
            Wrapper::Told(n) => (n.to_string(), Some(i64::from(n))),
            _ => {
                w.global("static int steps;");
                ("steps".to_owned(), None)
            }
        };
        w.line(&format!("if ({} == 0) {count} = {value};", scope.rank));
        let site = w.call(&format!("MPI_Bcast(&{count}, 1, MPI_INT, 0, {});", scope.comm));
        let counter = w.name("t");
        w.begin_loop(&counter, "0", &count, false);
        let meaning = self.wrapped(w, scope, inner);
        w.end();
        Rc::new(move |at| collective("MPI_Bcast", site, at.size, Some(0)).and(meaning(at).times(times)))
    }

    fn converging(&self, w: &mut Writer, scope: &Scope, inner: &[Wrapper]) -> Meaning {
        let (mine, all) = (w.name("mine"), w.name("all"));
        w.need(&format!("double {mine} = 1;"));
        w.need(&format!("double {all} = 1;"));
        w.global("static int steps;");
        w.line(&format!("{mine} = steps;"));
        w.line("do {");
        let meaning = self.wrapped(w, scope, inner);
        w.line(&format!("{mine} = {mine} / 2;"));
        let site =
            w.call(&format!("MPI_Allreduce(&{mine}, &{all}, 1, MPI_DOUBLE, MPI_MAX, {});", scope.comm));
        w.line(&format!("}} while ({all} > 0.5);"));
        Rc::new(move |at| collective("MPI_Allreduce", site, at.size, None).and(meaning(at)).times(None))
    }

    fn split(&self, w: &mut Writer, scope: &Scope, inner: &[Wrapper], colour: Colour, key: Key) -> Meaning {
        let (comm, rank, size) = (w.name("part"), w.name("r"), w.name("n"));
        w.need(&format!("MPI_Comm {comm};"));
        w.need(&format!("int {rank}, {size};"));
        let order = match key {
            Key::Rank => scope.rank.clone(),
            Key::Zero => "0".to_owned(),
            Key::Reversed => format!("{} - {}", scope.size, scope.rank),
        };
        let site =
            w.call(&format!("MPI_Comm_split({}, {}, {order}, &{comm});", scope.comm, colour.code(scope)));
        if colour.leaves_out_some() {
            w.line(&format!("if ({comm} != MPI_COMM_NULL) {{"));
        }
        w.line(&format!("MPI_Comm_rank({comm}, &{rank});"));
        w.line(&format!("MPI_Comm_size({comm}, &{size});"));
        let part = Scope { comm: comm.clone(), rank, size, ..scope.clone() };
        let meaning = self.wrapped(w, &part, inner);
        w.line(&format!("MPI_Comm_free(&{comm});"));
        if colour.leaves_out_some() {
            w.end();
        }
        Rc::new(move |at: At| {
            let whole = collective("MPI_Comm_split", site, at.size, None);
            groups(colour, key, at.size).into_iter().fold(whole, |effects, members| {
                let size = i64::try_from(members.len()).expect("few ranks");
                effects.and(meaning(At { size, ..at }).within(&members))
            })
        })
    }
}

impl Phase {
    fn group(&self, w: &mut Writer, scope: &Scope, inner: &[Wrapper], listed: Listed) -> Meaning {
        let (comm, rank, size) = (w.name("part"), w.name("r"), w.name("n"));
        let (all, group, list, place) = (w.name("all"), w.name("group"), w.name("list"), w.name("k"));
        w.need(&format!("MPI_Comm {comm};"));
        w.need(&format!("MPI_Group {all}, {group};"));
        w.need(&format!("int {rank}, {size}, *{list};"));
        let (number, member) = listed.code(&scope.size, &place);
        w.line(&format!("{list} = malloc({} * sizeof(int));", scope.size));
        w.begin_loop(&place, "0", &number, false);
        w.line(&format!("{list}[{place}] = {member};"));
        w.end();
        w.line(&format!("MPI_Comm_group({}, &{all});", scope.comm));
        let how = if listed == Listed::Others { "MPI_Group_excl" } else { "MPI_Group_incl" };
        w.line(&format!("{how}({all}, {number}, {list}, &{group});"));
        let site = w.call(&format!("MPI_Comm_create({}, {group}, &{comm});", scope.comm));
        w.line(&format!("MPI_Group_free(&{group});"));
        w.line(&format!("MPI_Group_free(&{all});"));
        w.line(&format!("free({list});"));
        w.line(&format!("if ({comm} != MPI_COMM_NULL) {{"));
        w.line(&format!("MPI_Comm_rank({comm}, &{rank});"));
        w.line(&format!("MPI_Comm_size({comm}, &{size});"));
        let part = Scope { comm: comm.clone(), rank, size, ..scope.clone() };
        let meaning = self.wrapped(w, &part, inner);
        w.line(&format!("MPI_Comm_free(&{comm});"));
        w.end();
        Rc::new(move |at: At| {
            let members = listed.members(at.size);
            let size = i64::try_from(members.len()).expect("few ranks");
            let within = meaning(At { size, ..at }).within(&members);
            collective("MPI_Comm_create", site, at.size, None).and(within)
        })
    }
}

/// A program as text, with what it does.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) lines: Vec<u32>,
    /// What each phase does where nothing is wrong.
    meanings: Vec<(Meaning, i64)>,
    /// Whether nothing is wrong.
    pub(crate) is_right: bool,
}

impl Generated {
    pub(crate) fn write(&self) -> Written {
        let mut w = Writer::new(self.early_counters);
        let mut meanings = Vec::new();
        for (index, phase) in (1..).zip(&self.phases) {
            // A receive of any source must not find the messages of another phase.
            let tag = if phase.is_wild() { 50 * index + phase.tag } else { phase.tag };
            let scope = Scope {
                comm: "MPI_COMM_WORLD".to_owned(),
                rank: "rank".to_owned(),
                size: "np".to_owned(),
                tag: tag.to_string(),
                data: phase.data,
            };
            meanings.push((phase.write(&mut w, &scope), tag));
        }
        let is_right = self.phases.iter().all(|phase| phase.slip == Slip::None);
        let (text, lines) = w.finish();
        Written { text, lines, meanings, is_right }
    }
}

impl Written {
    /// A program of which only the text is known.
    pub(crate) fn of_text(text: String) -> Self {
        Self { text, lines: Vec::new(), meanings: Vec::new(), is_right: false }
    }

    /// What the program does by construction.
    pub(crate) fn effects(&self, np: i64) -> Effects {
        let one = |(meaning, tag): &(Meaning, i64)| meaning(At { size: np, tag: *tag });
        self.meanings.iter().map(one).fold(Effects::default(), Effects::and)
    }
}

/// Which programs are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// All but loops of rounds, which take long.
    Fast,
    All,
    /// One loop of rounds, alone or within something.
    Rounds,
}

fn core(kinds: Kinds) -> BoxedStrategy<Core> {
    let fast = prop_oneof![
        6 => exchange().prop_map(Core::Exchange),
        1 => in_order().prop_map(Core::InOrder),
        4 => fan().prop_map(Core::Fan),
        2 => halo().prop_map(Core::Halo),
        2 => all_to_all().prop_map(Core::AllToAll),
        2 => collective_call().prop_map(Core::Collective),
    ];
    let rounds = rounds().prop_map(Core::Rounds);
    match kinds {
        Kinds::Fast => fast.boxed(),
        Kinds::All => prop_oneof![17 => fast, 2 => rounds].boxed(),
        Kinds::Rounds => rounds.boxed(),
    }
}

fn wrapper() -> impl Strategy<Value = Wrapper> {
    let colour = prop_oneof![
        3 => Just(Colour::Halves),
        3 => (1_i64..4).prop_map(Colour::First),
        2 => (1_i64..4).prop_map(Colour::FirstOnly),
        1 => Just(Colour::NotZero),
        1 => Just(Colour::LastAlone),
        1 => Just(Colour::Constant),
        1 => Just(Colour::Parity),
    ];
    let listed = prop_oneof![
        Just(Listed::Half),
        Just(Listed::Reversed),
        Just(Listed::EveryOther),
        Just(Listed::Others),
    ];
    let key = prop_oneof![4 => Just(Key::Rank), 2 => Just(Key::Zero), 1 => Just(Key::Reversed)];
    prop_oneof![
        1 => Just(Wrapper::Function),
        1 => Just(Wrapper::FunctionTwice),
        // Both a count that is unrolled and one that is generalised.
        2 => prop_oneof![2_u32..4, 45_u32..50].prop_map(Wrapper::Repeat),
        1 => (2_u32..5).prop_map(Wrapper::While),
        2 => Just(Wrapper::Input),
        1 => (1_u32..4).prop_map(Wrapper::Told),
        1 => Just(Wrapper::ToldInput),
        1 => Just(Wrapper::Converge),
        2 => (2_u32..4).prop_map(Wrapper::AtLeast),
        1 => Just(Wrapper::Even),
        1 => Just(Wrapper::IfInput),
        1 => Just(Wrapper::Dup),
        3 => (colour, key).prop_map(|(colour, key)| Wrapper::Split(colour, key)),
        2 => listed.prop_map(Wrapper::Group),
    ]
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        40 => Just(Slip::None),
        1 => Just(Slip::Tag),
        1 => Just(Slip::NoReceive),
        1 => Just(Slip::NoSend),
        1 => Just(Slip::NoWait),
        1 => Just(Slip::Short),
        1 => Just(Slip::NotAtZero),
    ]
}

fn phase(kinds: Kinds) -> impl Strategy<Value = Phase> {
    let wrappers = prop_oneof![
        6 => Just(vec![]),
        4 => prop::collection::vec(wrapper(), 1),
        1 => prop::collection::vec(wrapper(), 2),
    ];
    let data = prop_oneof![
        3 => Just(Data { count: 1, double: false }),
        1 => (1_u8..5, any::<bool>()).prop_map(|(count, double)| Data { count, double }),
    ];
    (core(kinds), wrappers, 0_i64..3, data, slip()).prop_map(|(core, wrappers, tag, data, slip)| Phase {
        core,
        wrappers,
        tag,
        data,
        slip,
    })
}

pub(crate) fn generated(kinds: Kinds) -> impl Strategy<Value = Generated> {
    let more = if kinds == Kinds::Rounds { 1..2 } else { 2..5 };
    let phases = prop_oneof![
        2 => prop::collection::vec(phase(kinds), 1),
        3 => prop::collection::vec(phase(kinds), more),
    ];
    (phases, prop::bool::weighted(0.3))
        .prop_map(|(phases, early_counters)| Generated { phases, early_counters })
}
