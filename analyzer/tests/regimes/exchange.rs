//! Phases in which each rank sends to at most one other and receives from at most one.

use std::rc::Rc;

use proptest::prelude::*;

use super::effects::{Effects, Meaning, messages};
use super::progress::{Operation, hangs};
use super::writer::{Label, SECOND_TAG, Scope, Writer};

/// Who sends to whom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    /// To `rank + k`, where that is a rank.
    Up(i64),
    /// To `rank - k`, where that is a rank.
    Down(i64),
    /// To `(rank + k) % np`.
    RingUp(i64),
    /// To `(rank - k + np) % np`.
    RingDown(i64),
    /// To the next rank, the last to the first, told apart by a comparison.
    RingByCase,
    /// To `np - 1 - rank`.
    Mirror,
    /// From the lower half to the upper half.
    Half,
    /// Even ranks and the odd ranks above them, both ways.
    Swap,
    /// The first to the last.
    FirstToLast,
    /// The last to the first.
    LastToFirst,
    /// One constant rank to another, where both are there.
    Constant(i64, i64),
}

/// With which calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    SendRecv,
    RecvSend,
    Sendrecv,
    SendrecvReplace,
    IsendRecvWait,
    IrecvSendWait,
    IrecvIsendWaitall,
    /// A wait of its own for each request, the send first.
    IsendIrecvWaits,
    /// A request array that is filled by what there is to do.
    Counted,
    /// Persistent requests, started this many times.
    Persistent(u8),
    SsendRecv,
    IrecvSsendWait,
    IssendRecvWait,
    /// The receive is of any tag.
    SendRecvAnyTag,
    /// A probe comes before the receive.
    SendProbeRecv,
    /// Two messages with different tags, received in the order of their sends.
    Twice,
    /// Two messages with different tags, received the other way round.
    Crossed,
}

/// How ranks without a partner are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    If,
    ProcNull,
    /// Partners are elements of an array, `MPI_PROC_NULL` for none.
    Array,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    pub(crate) pattern: Pattern,
    pub(crate) style: Style,
    pub(crate) guard: Guard,
}

/// A partner in C: under which condition there is one, and which.
struct Partner {
    condition: Option<String>,
    rank: String,
}

impl Pattern {
    /// Whom a rank sends to.
    fn to(self, rank: i64, np: i64) -> Option<i64> {
        let there = |r: i64| (0..np).contains(&r).then_some(r);
        match self {
            Self::Up(k) => there(rank + k),
            Self::Down(k) => there(rank - k),
            Self::RingUp(k) => Some((rank + k) % np),
            Self::RingDown(k) => Some((rank - k).rem_euclid(np)),
            Self::RingByCase => Some((rank + 1) % np),
            Self::Mirror => Some(np - 1 - rank),
            Self::Half => (rank < np / 2).then_some(rank + np / 2),
            Self::Swap => there(rank ^ 1),
            Self::FirstToLast => (rank == 0).then_some(np - 1),
            Self::LastToFirst => (rank == np - 1).then_some(0),
            Self::Constant(a, b) => (rank == a && a.max(b) < np).then_some(b),
        }
    }

    fn code(self, scope: &Scope) -> (Partner, Partner) {
        let Scope { rank: r, size: n, .. } = scope;
        let always = |rank: String| Partner { condition: None, rank };
        let when = |condition: String, rank: String| Partner { condition: Some(condition), rank };
        match self {
            Self::Up(k) => (
                when(format!("{r} + {k} < {n}"), format!("{r} + {k}")),
                when(format!("{r} - {k} >= 0"), format!("{r} - {k}")),
            ),
            Self::Down(k) => (
                when(format!("{r} >= {k}"), format!("{r} - {k}")),
                when(format!("{r} < {n} - {k}"), format!("{r} + {k}")),
            ),
            Self::RingUp(k) => {
                (always(format!("({r} + {k}) % {n}")), always(format!("({r} - {k} + {n}) % {n}")))
            }
            Self::RingDown(k) => {
                (always(format!("({r} + {n} - {k}) % {n}")), always(format!("({r} + {k}) % {n}")))
            }
            Self::RingByCase => (
                always(format!("({r} == {n} - 1 ? 0 : {r} + 1)")),
                always(format!("({r} == 0 ? {n} - 1 : {r} - 1)")),
            ),
            Self::Mirror => (always(format!("{n} - 1 - {r}")), always(format!("{n} - 1 - {r}"))),
            Self::Half => (
                when(format!("{r} < {n} / 2"), format!("{r} + {n} / 2")),
                when(format!("{r} >= {n} / 2 && {r} < {n} / 2 * 2"), format!("{r} - {n} / 2")),
            ),
            Self::Swap => {
                let partner = format!("({r} % 2 == 0 ? {r} + 1 : {r} - 1)");
                (
                    when(format!("{partner} < {n}"), partner.clone()),
                    when(format!("{partner} < {n}"), partner.clone()),
                )
            }
            Self::FirstToLast => (
                when(format!("{r} == 0"), format!("{n} - 1")),
                when(format!("{r} == {n} - 1"), "0".to_owned()),
            ),
            Self::LastToFirst => (
                when(format!("{r} == {n} - 1"), "0".to_owned()),
                when(format!("{r} == 0"), format!("{n} - 1")),
            ),
            Self::Constant(a, b) => {
                let both = |rank: i64| match rank {
                    own if own == a.max(b) => format!("{r} == {rank}"),
                    _ => format!("{r} == {rank} && {} < {n}", a.max(b)),
                };
                (when(both(a), b.to_string()), when(both(b), a.to_string()))
            }
        }
    }
}

/// Send and receive of a message, and the distance of its tag to that of the phase.
type Calls = Vec<(Label, Label, i64)>;

impl Exchange {
    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let (mut to, mut from) = self.pattern.code(scope);
        if matches!(self.style, Style::Sendrecv | Style::SendrecvReplace) || self.guard != Guard::If {
            self.name_partners(w, &mut to, &mut from);
        }
        let calls = self.calls(w, scope, &to, &from);
        let data = scope.data;
        Rc::new(move |at| {
            let pairs: Vec<(i64, i64)> =
                (0..at.size).filter_map(|rank| Some((rank, self.pattern.to(rank, at.size)?))).collect();
            let one = |&(send, recv, tag): &(Label, Label, i64)| {
                messages(pairs.clone(), (send, recv), at.tag + tag, data)
            };
            let effects = calls.iter().map(one).fold(Effects::default(), Effects::and);
            let times = match self.style {
                Style::Persistent(times) => i64::from(times),
                _ => 1,
            };
            let hangs = |buffered| hangs(&self.blocking(at.size), buffered);
            Effects { is_unsafe: hangs(false), hangs: hangs(true), ..effects }.times(Some(times))
        })
    }

    /// Gives both partners a name, `MPI_PROC_NULL` for none.
    fn name_partners(self, w: &mut Writer, to: &mut Partner, from: &mut Partner) {
        let array = (self.guard == Guard::Array).then(|| w.name("nbr"));
        if let Some(array) = &array {
            w.need(&format!("int {array}[2];"));
        }
        for (index, partner) in [to, from].into_iter().enumerate() {
            let name = match &array {
                Some(array) => format!("{array}[{index}]"),
                None => {
                    let name = w.name(["to", "from"][index]);
                    w.need(&format!("int {name};"));
                    name
                }
            };
            let value = match partner.condition.take() {
                Some(condition) => format!("{condition} ? {} : MPI_PROC_NULL", partner.rank),
                None => partner.rank.clone(),
            };
            w.line(&format!("{name} = {value};"));
            partner.rank = name;
        }
    }

    fn calls(self, w: &mut Writer, scope: &Scope, to: &Partner, from: &Partner) -> Calls {
        let guarded = |w: &mut Writer, partner: &Partner, write: &mut dyn FnMut(&mut Writer) -> Label| {
            if let Some(condition) = &partner.condition {
                w.line(&format!("if ({condition}) {{"));
            }
            let label = write(w);
            if partner.condition.is_some() {
                w.end();
            }
            label
        };
        let send =
            |w: &mut Writer, function: &str| guarded(w, to, &mut |w| w.send(function, scope, &to.rank));
        let recv = |w: &mut Writer| guarded(w, from, &mut |w| w.recv(scope, &from.rank));
        let begin_send = |w: &mut Writer, function: &str, request: &str| {
            guarded(w, to, &mut |w| w.begin_send(function, scope, &to.rank, request))
        };
        let begin_recv = |w: &mut Writer, function: &str, request: &str| {
            guarded(w, from, &mut |w| w.begin_recv(function, scope, &from.rank, request))
        };
        let null = |w: &mut Writer, requests: &[&str]| {
            if to.condition.is_some() || from.condition.is_some() {
                for request in requests {
                    w.line(&format!("{request} = MPI_REQUEST_NULL;"));
                }
            }
        };
        match self.style {
            Style::SendRecv | Style::SsendRecv => {
                let function = if self.style == Style::SendRecv { "MPI_Send" } else { "MPI_Ssend" };
                vec![(send(w, function), recv(w), 0)]
            }
            Style::RecvSend => {
                let received = recv(w);
                vec![(send(w, "MPI_Send"), received, 0)]
            }
            Style::Sendrecv | Style::SendrecvReplace => vec![self.sendrecv(w, scope, &to.rank, &from.rank)],
            Style::SendRecvAnyTag => {
                let sent = send(w, "MPI_Send");
                let received = guarded(w, from, &mut |w| {
                    w.recv_with(scope, &from.rank, "MPI_ANY_TAG", "MPI_STATUS_IGNORE")
                });
                vec![(sent, received, 0)]
            }
            Style::SendProbeRecv => {
                let sent = send(w, "MPI_Send");
                w.need("MPI_Status st;");
                let received = guarded(w, from, &mut |w| {
                    let tag = w.wanted_tag(scope);
                    w.line(&format!("MPI_Probe({}, {tag}, {}, &st);", from.rank, scope.comm));
                    w.recv_with(scope, &from.rank, &tag, "&st")
                });
                vec![(sent, received, 0)]
            }
            Style::Twice | Style::Crossed => {
                let second = scope.second_tag();
                let sent = [scope, &second].map(|s| guarded(w, to, &mut |w| w.send("MPI_Send", s, &to.rank)));
                let order = if self.style == Style::Twice { [scope, &second] } else { [&second, scope] };
                let mut received = order.map(|s| guarded(w, from, &mut |w| w.recv(s, &from.rank)));
                if self.style == Style::Crossed {
                    received.reverse();
                }
                vec![(sent[0], received[0], 0), (sent[1], received[1], SECOND_TAG)]
            }
            Style::IsendRecvWait | Style::IssendRecvWait => {
                w.need("MPI_Request rq;");
                null(w, &["rq"]);
                let function = if self.style == Style::IsendRecvWait { "MPI_Isend" } else { "MPI_Issend" };
                let sent = begin_send(w, function, "rq");
                let received = recv(w);
                w.wait("rq");
                vec![(sent, received, 0)]
            }
            Style::IrecvSendWait | Style::IrecvSsendWait => {
                w.need("MPI_Request rq;");
                null(w, &["rq"]);
                let received = begin_recv(w, "MPI_Irecv", "rq");
                let function = if self.style == Style::IrecvSendWait { "MPI_Send" } else { "MPI_Ssend" };
                let sent = send(w, function);
                w.wait("rq");
                vec![(sent, received, 0)]
            }
            Style::IrecvIsendWaitall => {
                w.need("MPI_Request rqs[2];");
                null(w, &["rqs[0]", "rqs[1]"]);
                let received = begin_recv(w, "MPI_Irecv", "rqs[0]");
                let sent = begin_send(w, "MPI_Isend", "rqs[1]");
                w.wait_all("2", "rqs");
                vec![(sent, received, 0)]
            }
            Style::IsendIrecvWaits => {
                w.need("MPI_Request sq, rq;");
                null(w, &["sq", "rq"]);
                let sent = begin_send(w, "MPI_Isend", "sq");
                let received = begin_recv(w, "MPI_Irecv", "rq");
                w.wait("sq");
                w.wait("rq");
                vec![(sent, received, 0)]
            }
            Style::Counted => {
                w.need("MPI_Request rqs[2];");
                w.need("int n = 0;");
                w.line("n = 0;");
                let received = begin_recv(w, "MPI_Irecv", "rqs[n++]");
                let sent = begin_send(w, "MPI_Isend", "rqs[n++]");
                w.wait_all("n", "rqs");
                vec![(sent, received, 0)]
            }
            Style::Persistent(times) => {
                w.need("MPI_Request rqs[2];");
                null(w, &["rqs[0]", "rqs[1]"]);
                let received = begin_recv(w, "MPI_Recv_init", "rqs[0]");
                let sent = begin_send(w, "MPI_Send_init", "rqs[1]");
                let counter = w.name("s");
                w.begin_loop(&counter, "0", &times.to_string(), false);
                for (partner, request) in [(from, "rqs[0]"), (to, "rqs[1]")] {
                    guarded(w, partner, &mut |w| w.call(&format!("MPI_Start(&{request});")));
                }
                w.wait_all("2", "rqs");
                w.end();
                for (partner, request) in [(from, "rqs[0]"), (to, "rqs[1]")] {
                    guarded(w, partner, &mut |w| w.call(&format!("MPI_Request_free(&{request});")));
                }
                vec![(sent, received, 0)]
            }
        }
    }

    fn sendrecv(self, w: &mut Writer, scope: &Scope, to: &str, from: &str) -> (Label, Label, i64) {
        let wanted = w.wanted_tag(scope);
        let Scope { comm, tag, .. } = scope;
        let received = w.incoming(scope);
        let call = if self.style == Style::SendrecvReplace {
            w.call(&format!(
                "MPI_Sendrecv_replace({received}, {to}, {tag}, {from}, {wanted}, {comm}, MPI_STATUS_IGNORE);"
            ))
        } else {
            let sent = w.outgoing(scope);
            w.call(&format!(
                "MPI_Sendrecv({sent}, {to}, {tag}, {received}, {from}, {wanted}, {comm}, MPI_STATUS_IGNORE);"
            ))
        };
        (call, call, 0)
    }

    /// The blocking operations of each rank that may hang; none where there are no such.
    fn blocking(self, np: i64) -> Vec<Vec<Operation>> {
        let to = |rank| self.pattern.to(rank, np);
        let from = |rank| (0..np).find(|&r| to(r) == Some(rank));
        let synchronous = self.style == Style::SsendRecv;
        let send = |rank, tag| to(rank).map(|to| Operation::Send { to, tag, synchronous });
        let recv = |rank, tag| from(rank).map(|from| Operation::Recv { from, tag });
        let of = |rank: i64| -> Vec<Option<Operation>> {
            match self.style {
                Style::SendRecv | Style::SsendRecv | Style::SendRecvAnyTag | Style::SendProbeRecv => {
                    vec![send(rank, 0), recv(rank, 0)]
                }
                Style::RecvSend => vec![recv(rank, 0), send(rank, 0)],
                Style::Twice => vec![send(rank, 0), send(rank, 1), recv(rank, 0), recv(rank, 1)],
                Style::Crossed => vec![send(rank, 0), send(rank, 1), recv(rank, 1), recv(rank, 0)],
                _ => vec![],
            }
        };
        (0..np).map(|rank| of(rank).into_iter().flatten().collect()).collect()
    }
}

/// Exchanges with the call that comes first depending on the rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InOrder {
    pub(crate) pattern: Pattern,
    /// Even ranks send first, instead of rank 0 alone.
    pub(crate) by_parity: bool,
}

impl InOrder {
    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let (to, from) = self.pattern.code(scope);
        let first =
            if self.by_parity { format!("{} % 2 == 0", scope.rank) } else { format!("{} == 0", scope.rank) };
        let either = |w: &mut Writer, sends: bool| {
            let partner = if sends { &to } else { &from };
            if let Some(condition) = &partner.condition {
                w.line(&format!("if ({condition})"));
            }
            if sends { w.send("MPI_Send", scope, &partner.rank) } else { w.recv(scope, &partner.rank) }
        };
        w.line(&format!("if ({first}) {{"));
        let (early_send, late_recv) = (either(w, true), either(w, false));
        w.line("} else {");
        let (early_recv, late_send) = (either(w, false), either(w, true));
        w.end();
        let data = scope.data;
        Rc::new(move |at| {
            let first = |rank: i64| if self.by_parity { rank % 2 == 0 } else { rank == 0 };
            let pairs = || (0..at.size).filter_map(|rank| Some((rank, self.pattern.to(rank, at.size)?)));
            let effects = pairs()
                .map(|(from, to)| {
                    let send = if first(from) { early_send } else { late_send };
                    let recv = if first(to) { late_recv } else { early_recv };
                    messages([(from, to)], (send, recv), at.tag, data)
                })
                .fold(Effects::default(), Effects::and);
            let ranks: Vec<Vec<Operation>> = (0..at.size)
                .map(|rank| {
                    let mut operations = Vec::new();
                    operations.extend(pairs().filter(|p| p.0 == rank).map(|(_, to)| Operation::Send {
                        to,
                        tag: 0,
                        synchronous: false,
                    }));
                    operations.extend(
                        pairs().filter(|p| p.1 == rank).map(|(from, _)| Operation::Recv { from, tag: 0 }),
                    );
                    if !first(rank) {
                        operations.reverse();
                    }
                    operations
                })
                .collect();
            Effects { is_unsafe: hangs(&ranks, false), hangs: hangs(&ranks, true), ..effects }
        })
    }
}

pub(crate) fn pattern() -> impl Strategy<Value = Pattern> {
    prop_oneof![
        (1_i64..3).prop_map(Pattern::Up),
        (1_i64..3).prop_map(Pattern::Down),
        (1_i64..3).prop_map(Pattern::RingUp),
        (1_i64..3).prop_map(Pattern::RingDown),
        Just(Pattern::RingByCase),
        Just(Pattern::Mirror),
        Just(Pattern::Half),
        Just(Pattern::Swap),
        Just(Pattern::FirstToLast),
        Just(Pattern::LastToFirst),
        prop_oneof![Just((0, 1)), Just((1, 0)), Just((2, 0)), Just((1, 2))]
            .prop_map(|(a, b)| Pattern::Constant(a, b)),
    ]
}

pub(crate) fn exchange() -> impl Strategy<Value = Exchange> {
    let style = prop_oneof![
        Just(Style::SendRecv),
        Just(Style::RecvSend),
        Just(Style::Sendrecv),
        Just(Style::SendrecvReplace),
        Just(Style::IsendRecvWait),
        Just(Style::IrecvSendWait),
        Just(Style::IrecvIsendWaitall),
        Just(Style::IsendIrecvWaits),
        Just(Style::Counted),
        (1_u8..4).prop_map(Style::Persistent),
        Just(Style::SsendRecv),
        Just(Style::IrecvSsendWait),
        Just(Style::IssendRecvWait),
        Just(Style::SendRecvAnyTag),
        Just(Style::SendProbeRecv),
        Just(Style::Twice),
        Just(Style::Crossed),
    ];
    let guard = prop_oneof![Just(Guard::If), Just(Guard::ProcNull), Just(Guard::Array)];
    (pattern(), style, guard).prop_map(|(pattern, style, guard)| Exchange { pattern, style, guard })
}

pub(crate) fn in_order() -> impl Strategy<Value = InOrder> {
    (pattern(), any::<bool>()).prop_map(|(pattern, by_parity)| InOrder { pattern, by_parity })
}
