//! What a program does at one number of processes: its messages and collectives, whether it hangs, and whether it is safe.

use std::collections::BTreeMap;
use std::rc::Rc;

use analyzer::results::Instance;

use super::writer::{Data, Label};

/// A message between ranks of a communicator, or several. Numbers that depend on input are `None`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sent {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) send: Label,
    pub(crate) recv: Label,
    pub(crate) tag: i64,
    pub(crate) count: i64,
    pub(crate) bytes: i64,
    pub(crate) datatype: &'static str,
    pub(crate) times: Option<i64>,
}

/// A collective, or several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Joint {
    pub(crate) operation: &'static str,
    pub(crate) site: Label,
    pub(crate) ranks: Vec<i64>,
    /// A rank of the communicator.
    pub(crate) root: Option<i64>,
    pub(crate) times: Option<i64>,
}

/// What happens when all ranks of a communicator go through a phase in which nothing is wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub(crate) sent: Vec<Sent>,
    pub(crate) joint: Vec<Joint>,
    /// Some ranks wait forever if no send is buffered.
    pub(crate) is_unsafe: bool,
    /// Some ranks wait forever.
    pub(crate) hangs: bool,
}

impl Effects {
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.sent.extend(other.sent);
        self.joint.extend(other.joint);
        Self { is_unsafe: self.is_unsafe || other.is_unsafe, hangs: self.hangs || other.hangs, ..self }
    }

    /// The same so many times; `None` where that depends on the input.
    pub(crate) fn times(mut self, times: Option<i64>) -> Self {
        if times == Some(0) {
            return Self::default();
        }
        let scale = |t: &mut Option<i64>| *t = t.zip(times).map(|(a, b)| a * b);
        self.sent.iter_mut().for_each(|sent| scale(&mut sent.times));
        self.joint.iter_mut().for_each(|joint| scale(&mut joint.times));
        self
    }

    /// The same with ranks of another communicator: those of a group become its members.
    pub(crate) fn within(mut self, members: &[i64]) -> Self {
        let there = |rank: i64| members[usize::try_from(rank).expect("ranks are not negative")];
        for sent in &mut self.sent {
            (sent.from, sent.to) = (there(sent.from), there(sent.to));
        }
        for joint in &mut self.joint {
            joint.ranks.iter_mut().for_each(|rank| *rank = there(*rank));
            joint.ranks.sort_unstable();
            joint.root = joint.root.map(there);
        }
        self
    }
}

/// Where effects are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    /// Processes of the communicator.
    pub(crate) size: i64,
    /// The tag.
    pub(crate) tag: i64,
}

/// What a phase does by construction.
pub(crate) type Meaning = Rc<dyn Fn(At) -> Effects>;

/// One message from each of these ranks to its partner.
pub(crate) fn messages(
    pairs: impl IntoIterator<Item = (i64, i64)>,
    (send, recv): (Label, Label),
    tag: i64,
    data: Data,
) -> Effects {
    let sent = pairs.into_iter().map(|(from, to)| Sent {
        from,
        to,
        send,
        recv,
        tag,
        count: i64::from(data.count),
        bytes: data.bytes(),
        datatype: data.datatype(),
        times: Some(1),
    });
    Effects { sent: sent.collect(), ..Effects::default() }
}

/// One collective of all ranks.
pub(crate) fn collective(operation: &'static str, site: Label, size: i64, root: Option<i64>) -> Effects {
    let joint = Joint { operation, site, ranks: (0..size).collect(), root, times: Some(1) };
    Effects { joint: vec![joint], ..Effects::default() }
}

/// Messages between two ranks through two calls, and how often in all.
type Exchanges = BTreeMap<(u64, u64, u32, u32), Vec<Attributes>>;
/// Tag, count, bytes, datatype, times.
type Attributes = (Option<i64>, Option<i64>, Option<i64>, String, Option<i64>);
/// Collectives by operation, line, ranks and root, and how often each.
type Collectives = BTreeMap<(String, u32, Vec<u64>, Option<u64>), Option<i64>>;

/// An instance in a form that can be compared: equal entries are one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Picture {
    exchanges: Exchanges,
    collectives: Collectives,
}

impl Picture {
    pub(crate) fn of_instance(instance: &Instance) -> Self {
        let mut picture = Self::default();
        for m in &instance.messages {
            let attributes = (m.tag, m.count, m.bytes, m.datatype.clone(), m.repeat);
            picture.add((m.from, m.to, m.send_line, m.recv_line), attributes);
        }
        for c in &instance.collectives {
            let mut ranks = c.ranks.clone();
            ranks.sort_unstable();
            picture.add_collective((c.operation.clone(), c.line, ranks, c.root), c.repeat);
        }
        picture
    }

    pub(crate) fn of_effects(effects: &Effects, lines: &[u32]) -> Self {
        let mut picture = Self::default();
        let rank = |rank: i64| u64::try_from(rank).expect("ranks are not negative");
        for s in &effects.sent {
            let attributes = (Some(s.tag), Some(s.count), Some(s.bytes), s.datatype.to_owned(), s.times);
            picture.add((rank(s.from), rank(s.to), lines[s.send], lines[s.recv]), attributes);
        }
        for j in &effects.joint {
            let ranks: Vec<u64> = j.ranks.iter().map(|&r| rank(r)).collect();
            // An instance names the root by its rank in `MPI_COMM_WORLD`.
            let key = (j.operation.to_owned(), lines[j.site], ranks, j.root.map(rank));
            picture.add_collective(key, j.times);
        }
        picture
    }

    fn add(&mut self, key: (u64, u64, u32, u32), attributes: Attributes) {
        let known = self.exchanges.entry(key).or_default();
        let (tag, count, bytes, datatype, times) = attributes;
        match known.iter_mut().find(|k| (k.0, k.1, k.2, &k.3) == (tag, count, bytes, &datatype)) {
            Some(same) => same.4 = same.4.zip(times).map(|(a, b)| a + b),
            None => known.push((tag, count, bytes, datatype, times)),
        }
        known.sort();
    }

    fn add_collective(&mut self, key: (String, u32, Vec<u64>, Option<u64>), times: Option<i64>) {
        match self.collectives.get_mut(&key) {
            Some(known) => *known = known.zip(times).map(|(a, b)| a + b),
            None => drop(self.collectives.insert(key, times)),
        }
    }

    /// Whether an answer says what is so. A number that the answer leaves open agrees with any, a number that depends on input
    /// only with an open one.
    pub(crate) fn is_answered_by(&self, answer: &Self) -> bool {
        let exchanges = self.exchanges.len() == answer.exchanges.len()
            && self
                .exchanges
                .iter()
                .all(|(key, is)| answer.exchanges.get(key).is_some_and(|said| answers(said, is)));
        let collectives = self.collectives.len() == answer.collectives.len()
            && self.collectives.iter().all(|(key, &times)| {
                answer.collectives.get(key).is_some_and(|&said| said.is_none() || said == times)
            });
        exchanges && collectives
    }

    /// How many numbers an answer leaves open that are known.
    pub(crate) fn left_open_by(&self, answer: &Self) -> usize {
        let open = |picture: &Self| {
            let numbers = picture.exchanges.values().flatten().flat_map(|a| [a.0, a.1, a.2, a.4]);
            numbers.chain(picture.collectives.values().copied()).filter(Option::is_none).count()
        };
        open(answer).saturating_sub(open(self))
    }
}

fn answers(said: &[Attributes], is: &[Attributes]) -> bool {
    if said == is {
        return true;
    }
    // Entries that differ in what the answer leaves open are one entry of the answer.
    let agrees = |a: Option<i64>, b: Option<i64>| a.is_none() || a == b;
    let fits = |s: &Attributes, i: &Attributes| {
        agrees(s.0, i.0) && agrees(s.1, i.1) && agrees(s.2, i.2) && s.3 == i.3
    };
    let total = |entries: &[Attributes]| entries.iter().map(|e| e.4).sum::<Option<i64>>();
    is.iter().all(|i| said.iter().any(|s| fits(s, i)))
        && said.iter().all(|s| is.iter().any(|i| fits(s, i)))
        && agrees(total(said), total(is))
}
