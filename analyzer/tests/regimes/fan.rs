//! Phases in which ranks talk to many others: a root with all others, all with all, and neighbours on both sides.

use std::rc::Rc;

use proptest::prelude::*;

use super::effects::{At, Effects, Meaning, collective, messages};
use super::progress::{Operation, hangs};
use super::writer::{Label, SECOND_TAG, Scope, Writer};

/// The rank that talks to all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    First,
    Last,
}

impl Root {
    pub(crate) fn code(self, size: &str) -> String {
        match self {
            Self::First => "0".to_owned(),
            Self::Last => format!("{size} - 1"),
        }
    }

    pub(crate) fn at(self, size: i64) -> i64 {
        match self {
            Self::First => 0,
            Self::Last => size - 1,
        }
    }
}

/// Where the requests of a loop are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// Blocking calls: no requests.
    None,
    /// An array of constant length.
    Array,
    /// Allocated for as many as there are processes.
    Heap,
}

/// How the root waits for what it has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// For all at once.
    All,
    /// For one after the other, whichever is complete first.
    Any,
    /// For as many at a time as are complete.
    Some,
}

/// Whom the root asks for when it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Each rank, one after the other.
    Each,
    /// Any source.
    Any,
    /// Any source and any tag, with a barrier behind the phase.
    Anything,
    /// The source that a probe for any source has told.
    Probed,
}

/// How the root finds its partners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partners {
    /// By the counter of its loop.
    Counted,
    /// In an array that another loop fills at the place of each.
    Listed,
    /// In one that is filled from its end.
    ListedBackwards,
    /// In one to which they are added one by one.
    Added,
}

impl Partners {
    /// Fills an array with the ranks from `lo` to `hi`; its name, unless there is none.
    fn list(self, w: &mut Writer, size: &str, lo: &str, hi: &str) -> Option<String> {
        let (list, counter, number) = (w.name("list"), w.name("k"), w.name("n"));
        if self == Self::Counted {
            return None;
        }
        w.need(&format!("int *{list};"));
        w.line(&format!("{list} = malloc({size} * sizeof(int));"));
        if self == Self::Added {
            w.need(&format!("int {number} = 0;"));
            w.line(&format!("{number} = 0;"));
        }
        w.begin_loop(&counter, lo, hi, self == Self::ListedBackwards);
        w.line(&match self {
            Self::Added => format!("{list}[{number}++] = {counter};"),
            _ => format!("{list}[{counter} - {lo}] = {counter};"),
        });
        w.end();
        Some(list)
    }
}

/// The root sends to all others, or receives from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fan {
    pub(crate) root: Root,
    pub(crate) gather: bool,
    pub(crate) down: bool,
    pub(crate) store: Store,
    pub(crate) waits: Waits,
    /// Of the receiving side.
    pub(crate) source: Source,
    /// The root asks each of the others and waits for the answer, or answers each message.
    pub(crate) answer: bool,
    /// The tag is that of the phase plus the rank which is not the root.
    pub(crate) tag_of_rank: bool,
    pub(crate) partners: Partners,
}

impl Fan {
    pub(crate) fn is_wild(self) -> bool {
        self.source != Source::Each
    }

    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let root = self.root.code(&scope.size);
        w.line(&format!("if ({} == {root}) {{", scope.rank));
        let (first, reply) = self.root_side(w, scope);
        w.line("} else {");
        let own = self.tagged(scope, &scope.rank);
        let (other, answer) = if self.gather {
            let sent = w.send("MPI_Send", &own, &root);
            (sent, self.answer.then(|| w.recv(&own.second_tag(), &root)))
        } else {
            let received = self.receive(w, &own, &root);
            (received, self.answer.then(|| w.send("MPI_Send", &own.second_tag(), &root)))
        };
        w.end();
        // A message of the next phase must not come first.
        let any_tag = self.source == Source::Anything || (self.is_wild() && self.gather && self.tag_of_rank);
        let barrier = any_tag.then(|| w.call(&format!("MPI_Barrier({});", scope.comm)));
        let data = scope.data;
        Rc::new(move |at: At| {
            let root = self.root.at(at.size);
            let mut effects = Effects::default();
            for rank in (0..at.size).filter(|&rank| rank != root) {
                let tag = at.tag + if self.tag_of_rank { rank } else { 0 };
                let inward = |calls, tag| messages([(rank, root)], calls, tag, data);
                let outward = |calls, tag| messages([(root, rank)], calls, tag, data);
                effects = effects.and(if self.gather {
                    inward((other, first), tag)
                } else {
                    outward((first, other), tag)
                });
                if let (Some(reply), Some(answer)) = (reply, answer) {
                    effects = effects.and(if self.gather {
                        outward((reply, answer), tag + SECOND_TAG)
                    } else {
                        inward((answer, reply), tag + SECOND_TAG)
                    });
                }
            }
            match barrier {
                Some(site) => effects.and(collective("MPI_Barrier", site, at.size, None)),
                None => effects,
            }
        })
    }

    fn tagged(self, scope: &Scope, rank: &str) -> Scope {
        if self.tag_of_rank {
            Scope { tag: format!("{} + {rank}", scope.tag), ..scope.clone() }
        } else {
            scope.clone()
        }
    }

    /// What the root does: the first call of each round and the second, if there is one.
    fn root_side(self, w: &mut Writer, scope: &Scope) -> (Label, Option<Label>) {
        let size = &scope.size;
        let (lo, hi) = match self.root {
            Root::First => ("1".to_owned(), size.clone()),
            Root::Last => ("0".to_owned(), format!("{size} - 1")),
        };
        let list = self.partners.list(w, size, &lo, &hi);
        let counter = w.name("i");
        let i = &counter;
        let whom = &list.as_ref().map_or_else(|| i.clone(), |list| format!("{list}[{i} - {lo}]"));
        let tagged = self.tagged(scope, whom);
        let wild = self.gather && self.is_wild();
        // Messages can be answered in the order in which they come.
        let served = self.gather && self.waits != Waits::All;
        let store = if wild || (self.answer && !served) { Store::None } else { self.store };
        let requests = store.open(w, size);
        let inbox = (store != Store::None && self.gather).then(|| inbox(w, scope));
        w.begin_loop(i, &lo, &hi, self.down);
        let request = format!("{requests}[{i} - {lo}]");
        let (first, partner) = match (self.gather, store) {
            (true, Store::None) => {
                let received = self.receive(w, &tagged, whom);
                (received, if wild { "st.MPI_SOURCE" } else { whom.as_str() })
            }
            (true, _) => {
                let into = inbox.as_ref().expect("made above");
                let data = element(w, scope, into, i);
                (w.begin_recv_into("MPI_Irecv", &tagged, &data, whom, &request), whom.as_str())
            }
            (false, Store::None) => (w.send("MPI_Send", &tagged, whom), whom.as_str()),
            (false, _) => (w.begin_send("MPI_Isend", &tagged, whom, &request), whom.as_str()),
        };
        let answer =
            |partner: &str| Scope { tag: self.tagged(scope, partner).second_tag().tag, ..scope.clone() };
        let mut second = (self.answer && store == Store::None).then(|| match self.gather {
            true => w.send("MPI_Send", &answer(partner), partner),
            false => w.recv(&answer(partner), partner),
        });
        w.end();
        if store != Store::None && served {
            let whose = |index: &str| match &list {
                Some(list) => format!("{list}[{index}]"),
                None => format!("{index} + {lo}"),
            };
            let number = format!("{size} - 1");
            self.serve(w, &number, &requests, |w, index| {
                let partner = whose(index);
                second = self.answer.then(|| w.send("MPI_Send", &answer(&partner), &partner));
            });
        } else if store != Store::None {
            w.wait_all(&format!("{size} - 1"), &requests);
        }
        store.close(w, &requests);
        if let Some(inbox) = inbox {
            w.line(&format!("free({inbox});"));
        }
        if let Some(list) = list {
            w.line(&format!("free({list});"));
        }
        (first, second)
    }

    /// Waits for so many requests as they are completed, and does something for each, given its index.
    fn serve(self, w: &mut Writer, number: &str, requests: &str, each: impl FnOnce(&mut Writer, &str)) {
        let (counter, which) = (w.name("k"), w.name("w"));
        if self.waits == Waits::Any {
            w.need(&format!("int {which};"));
            w.begin_loop(&counter, "0", number, false);
            w.line(&format!("MPI_Waitany({number}, {requests}, &{which}, MPI_STATUS_IGNORE);"));
            each(w, &which);
            return w.end();
        }
        let (done, some) = (w.name("d"), w.name("n"));
        w.need(&format!("int {which}[64], {done} = 0, {some} = 0;"));
        w.line(&format!("{done} = 0;"));
        w.line(&format!("while ({done} < {number}) {{"));
        w.line(&format!("MPI_Waitsome({number}, {requests}, &{some}, {which}, MPI_STATUSES_IGNORE);"));
        w.begin_loop(&counter, "0", &some, false);
        each(w, &format!("{which}[{counter}]"));
        w.end();
        w.line(&format!("{done} += {some};"));
        w.end();
    }

    /// The receive of a message from one rank, which wildcards may hide.
    fn receive(self, w: &mut Writer, scope: &Scope, from: &str) -> Label {
        if self.is_wild() {
            w.need("MPI_Status st;");
        }
        let tag = w.wanted_tag(scope);
        // A tag that tells the sender would need to know it beforehand.
        let open = if self.tag_of_rank && self.gather { "MPI_ANY_TAG" } else { tag.as_str() };
        match self.source {
            Source::Each => w.recv_with(scope, from, &tag, "MPI_STATUS_IGNORE"),
            Source::Any => w.recv_with(scope, "MPI_ANY_SOURCE", open, "&st"),
            Source::Anything => w.recv_with(scope, "MPI_ANY_SOURCE", "MPI_ANY_TAG", "&st"),
            Source::Probed => {
                w.line(&format!("MPI_Probe(MPI_ANY_SOURCE, {open}, {}, &st);", scope.comm));
                w.recv_with(scope, "st.MPI_SOURCE", if open == tag { &tag } else { "st.MPI_TAG" }, "&st")
            }
        }
    }
}

/// An array of one message for each rank.
fn inbox(w: &mut Writer, scope: &Scope) -> String {
    let ty = if scope.data.double { "double" } else { "int" };
    let name = w.name("in");
    w.need(&format!("{ty} *{name};"));
    w.line(&format!("{name} = malloc({} * {} * sizeof({ty}));", scope.size, scope.data.count));
    name
}

/// Buffer, count and datatype for the message of one rank.
fn element(w: &mut Writer, scope: &Scope, inbox: &str, index: &str) -> String {
    let data = scope.data;
    let count = data.count - u8::from(w.slip == super::writer::Slip::Short);
    let place = if data.count == 1 { index.to_owned() } else { format!("{} * {index}", data.count) };
    format!("&{inbox}[{place}], {count}, {}", data.datatype())
}

impl Store {
    /// Makes room for requests; the name of the array.
    fn open(self, w: &mut Writer, size: &str) -> String {
        match self {
            Self::None => String::new(),
            Self::Array => {
                let name = w.name("q");
                w.need(&format!("MPI_Request {name}[64];"));
                name
            }
            Self::Heap => {
                let name = w.name("q");
                w.need(&format!("MPI_Request *{name};"));
                w.line(&format!("{name} = malloc({size} * sizeof(MPI_Request));"));
                name
            }
        }
    }

    fn close(self, w: &mut Writer, name: &str) {
        if self == Self::Heap {
            w.line(&format!("free({name});"));
        }
    }
}

/// How a loop over all ranks treats the rank itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// A message to itself.
    Included,
    /// `if (i == rank) continue`; its request is null.
    Continue,
    /// `if (i != rank)`; requests are counted.
    Counted,
}

/// A loop of sends to all and a loop of receives from all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllToAll {
    pub(crate) own: Own,
    pub(crate) sends: Store,
    pub(crate) receives: Store,
    /// The receives are posted first, where they do not block.
    pub(crate) receives_first: bool,
    /// In the order of `(rank + i) % np`.
    pub(crate) rotated: bool,
}

impl AllToAll {
    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let early = self.receives_first && self.receives != Store::None;
        let (sends, receives) = (self.sends.open(w, &scope.size), self.receives.open(w, &scope.size));
        let inbox = (self.receives != Store::None).then(|| inbox(w, scope));
        let round = |w: &mut Writer, sending: bool| {
            self.round(w, scope, sending, if sending { &sends } else { &receives }, inbox.as_deref())
        };
        let (sent, received) = if early {
            let received = round(w, false);
            (round(w, true), received)
        } else {
            (round(w, true), round(w, false))
        };
        for (store, name, (_, number)) in [(self.receives, &receives, &received), (self.sends, &sends, &sent)]
        {
            if store != Store::None {
                w.wait_all(number, name);
            }
            store.close(w, name);
        }
        if let Some(inbox) = inbox {
            w.line(&format!("free({inbox});"));
        }
        let (data, calls) = (scope.data, (sent.0, received.0));
        Rc::new(move |at: At| {
            let others = |rank: i64| {
                let all = (0..at.size).map(move |i| if self.rotated { (rank + i) % at.size } else { i });
                all.filter(move |&i| self.own == Own::Included || i != rank)
            };
            let pairs = (0..at.size).flat_map(|rank| others(rank).map(move |to| (rank, to)));
            let effects = messages(pairs, calls, at.tag, data);
            let ranks: Vec<Vec<Operation>> = (0..at.size)
                .map(|rank| {
                    let send = |to| Operation::Send { to, tag: 0, synchronous: false };
                    let recv = |from| Operation::Recv { from, tag: 0 };
                    match (self.sends, self.receives) {
                        (Store::None, Store::None) => {
                            others(rank).map(send).chain(others(rank).map(recv)).collect()
                        }
                        // Sends wait for receives that come behind them.
                        (Store::None, _) if !early => others(rank).map(send).collect(),
                        _ => vec![],
                    }
                })
                .collect();
            Effects { is_unsafe: hangs(&ranks, false), ..effects }
        })
    }

    /// One of the loops: its call, and how many requests it leaves.
    fn round(
        self,
        w: &mut Writer,
        scope: &Scope,
        sending: bool,
        requests: &str,
        inbox: Option<&str>,
    ) -> (Label, String) {
        let Scope { rank, size, .. } = scope;
        let store = if sending { self.sends } else { self.receives };
        let counter = w.name("i");
        let number = (self.own == Own::Counted && store != Store::None).then(|| w.name("n"));
        if let Some(number) = &number {
            w.need(&format!("int {number};"));
            w.line(&format!("{number} = 0;"));
        }
        w.begin_loop(&counter, "0", size, false);
        let partner = if self.rotated {
            w.need("int p;");
            w.line(&format!("p = ({rank} + {counter}) % {size};"));
            "p".to_owned()
        } else {
            counter.clone()
        };
        let request = match &number {
            Some(number) => format!("{requests}[{number}++]"),
            None => format!("{requests}[{counter}]"),
        };
        match self.own {
            Own::Included => {}
            Own::Continue if store == Store::None => w.line(&format!("if ({partner} == {rank}) continue;")),
            Own::Continue => {
                w.line(&format!("if ({partner} == {rank}) {{ {request} = MPI_REQUEST_NULL; continue; }}"));
            }
            Own::Counted => w.line(&format!("if ({partner} != {rank})")),
        }
        let call = match (sending, store, inbox) {
            (true, Store::None, _) => w.send("MPI_Send", scope, &partner),
            (true, ..) => w.begin_send("MPI_Isend", scope, &partner, &request),
            (false, Store::None, _) => w.recv(scope, &partner),
            (false, _, inbox) => {
                let inbox = inbox.expect("made for nonblocking receives");
                let data = element(w, scope, inbox, &partner);
                w.begin_recv_into("MPI_Irecv", scope, &data, &partner, &request)
            }
        };
        w.end();
        (call, number.unwrap_or_else(|| size.clone()))
    }
}

/// Neighbours on both sides at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halo {
    pub(crate) periodic: bool,
    pub(crate) style: HaloStyle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HaloStyle {
    /// Four requests, one `MPI_Waitall`.
    Waitall,
    /// A loop over an array of two neighbours.
    Array,
    /// Four persistent requests, started so often.
    Persistent(u8),
    /// Two `MPI_Sendrecv`.
    Sendrecv,
}

impl Halo {
    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let Scope { rank, size, .. } = scope;
        let (left, right) = if self.periodic {
            (format!("({rank} - 1 + {size}) % {size}"), format!("({rank} + 1) % {size}"))
        } else {
            (
                format!("{rank} > 0 ? {rank} - 1 : MPI_PROC_NULL"),
                format!("{rank} < {size} - 1 ? {rank} + 1 : MPI_PROC_NULL"),
            )
        };
        let up = scope.clone();
        let down = scope.second_tag();
        // Calls for messages upwards and downwards.
        let (upward, downward, times) = match self.style {
            HaloStyle::Array => {
                w.need("int side[2];");
                w.need("MPI_Request hq[4];");
                let inbox = inbox_of_two(w, scope);
                w.line(&format!("side[0] = {left};"));
                w.line(&format!("side[1] = {right};"));
                let d = w.name("d");
                w.begin_loop(&d, "0", "2", false);
                let partner = format!("side[{d}]");
                let data = element(w, scope, &inbox, &d);
                let received = w.begin_recv_into("MPI_Irecv", scope, &data, &partner, &format!("hq[{d}]"));
                let sent = w.begin_send("MPI_Isend", scope, &partner, &format!("hq[2 + {d}]"));
                w.end();
                w.wait_all("4", "hq");
                ((sent, received), (sent, received), 1)
            }
            HaloStyle::Sendrecv => {
                self.name_sides(w, &left, &right);
                let shift = |w: &mut Writer, scope: &Scope, to: &str, from: &str| {
                    let (sent, received, wanted) =
                        (w.outgoing(scope), w.incoming(scope), w.wanted_tag(scope));
                    let Scope { comm, tag, .. } = scope;
                    let call = w.call(&format!(
                        "MPI_Sendrecv({sent}, {to}, {tag}, {received}, {from}, {wanted}, {comm}, \
                         MPI_STATUS_IGNORE);"
                    ));
                    (call, call)
                };
                (shift(w, &up, "right", "left"), shift(w, &down, "left", "right"), 1)
            }
            HaloStyle::Waitall | HaloStyle::Persistent(_) => {
                self.name_sides(w, &left, &right);
                w.need("MPI_Request hq[4];");
                let inbox = inbox_of_two(w, scope);
                let (send, recv, times) = match self.style {
                    HaloStyle::Persistent(times) => ("MPI_Send_init", "MPI_Recv_init", times),
                    _ => ("MPI_Isend", "MPI_Irecv", 1),
                };
                let places = ["0", "1"].map(|index| element(w, scope, &inbox, index));
                let from_left = w.begin_recv_into(recv, &up, &places[0], "left", "hq[0]");
                let from_right = w.begin_recv_into(recv, &down, &places[1], "right", "hq[1]");
                let to_right = w.begin_send(send, &up, "right", "hq[2]");
                let to_left = w.begin_send(send, &down, "left", "hq[3]");
                if let HaloStyle::Persistent(times) = self.style {
                    let counter = w.name("s");
                    w.begin_loop(&counter, "0", &times.to_string(), false);
                    w.line("MPI_Startall(4, hq);");
                    w.wait_all("4", "hq");
                    w.end();
                    let counter = w.name("s");
                    w.begin_loop(&counter, "0", "4", false);
                    w.line(&format!("MPI_Request_free(&hq[{counter}]);"));
                    w.end();
                } else {
                    w.wait_all("4", "hq");
                }
                ((to_right, from_left), (to_left, from_right), times)
            }
        };
        let (data, second) = (scope.data, if self.style == HaloStyle::Array { 0 } else { SECOND_TAG });
        Rc::new(move |at: At| {
            let n = at.size;
            let there = |to: i64| {
                if self.periodic { Some(to.rem_euclid(n)) } else { (0..n).contains(&to).then_some(to) }
            };
            let pairs = |step: i64| (0..n).filter_map(move |rank| Some((rank, there(rank + step)?)));
            let up = messages(pairs(1), upward, at.tag, data);
            let down = messages(pairs(-1), downward, at.tag + second, data);
            up.and(down).times(Some(times.into()))
        })
    }

    fn name_sides(self, w: &mut Writer, left: &str, right: &str) {
        w.need("int left, right;");
        w.line(&format!("left = {left};"));
        w.line(&format!("right = {right};"));
    }
}

fn inbox_of_two(w: &mut Writer, scope: &Scope) -> String {
    let ty = if scope.data.double { "double" } else { "int" };
    let name = w.name("ghost");
    w.need(&format!("{ty} {name}[{}];", 2 * scope.data.count));
    name
}

pub(crate) fn root() -> impl Strategy<Value = Root> {
    prop_oneof![3 => Just(Root::First), 1 => Just(Root::Last)]
}

fn store() -> impl Strategy<Value = Store> {
    prop_oneof![Just(Store::None), Just(Store::Array), Just(Store::Heap)]
}

pub(crate) fn fan() -> impl Strategy<Value = Fan> {
    let source = prop_oneof![
        4 => Just(Source::Each),
        2 => Just(Source::Any),
        1 => Just(Source::Anything),
        1 => Just(Source::Probed),
    ];
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2));
    let partners = prop_oneof![
        3 => Just(Partners::Counted),
        1 => Just(Partners::Listed),
        1 => Just(Partners::ListedBackwards),
        1 => Just(Partners::Added),
    ];
    let waits = prop_oneof![4 => Just(Waits::All), 1 => Just(Waits::Any), 1 => Just(Waits::Some)];
    (root(), (store(), waits), source, switches, partners).prop_map(
        |(root, (store, waits), source, (gather, down, answer, tag_of_rank), partners)| Fan {
            root,
            gather,
            down,
            store,
            waits,
            source,
            answer,
            tag_of_rank,
            partners,
        },
    )
}

pub(crate) fn all_to_all() -> impl Strategy<Value = AllToAll> {
    let own = prop_oneof![Just(Own::Included), Just(Own::Continue), Just(Own::Counted)];
    (own, store(), store(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        |(own, sends, receives, receives_first, rotated)| AllToAll {
            own,
            sends,
            receives,
            receives_first,
            rotated,
        },
    )
}

pub(crate) fn halo() -> impl Strategy<Value = Halo> {
    let style = prop_oneof![
        Just(HaloStyle::Waitall),
        Just(HaloStyle::Array),
        Just(HaloStyle::Sendrecv),
        (1_u8..4).prop_map(HaloStyle::Persistent),
    ];
    (any::<bool>(), style).prop_map(|(periodic, style)| Halo { periodic, style })
}
