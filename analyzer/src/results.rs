//! What an analysis says: findings, verdicts and topologies, free of the engine's internals.
//!
//! Everything a report prints is here, and nothing here refers to a CFG or a state. The JSON contract (design section 3)
//! is a rendering of these types in crate `report`.

use std::sync::Arc;

use frontend::preprocess::Location;
use layout::c_struct::Description;

use crate::rules::Rule;

/// A range of source text as the user wrote it. Lines and columns are 1-based, columns count UTF-8 bytes, the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceRange {
    /// The file, as the user named it.
    pub file: String,
    /// First line.
    pub line: u32,
    /// Column of the first byte.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last byte.
    pub end_column: u32,
}

impl From<Location> for SourceRange {
    fn from(Location { file, line, column, end_line, end_column, .. }: Location) -> Self {
        Self { file, line, column, end_line, end_column }
    }
}

/// How bad a finding is (design section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// An opportunity, or a defect only in a degenerate run.
    Note,
    /// May happen on an input the code does not exclude.
    Warning,
    /// Proved, or shown by a witness.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// How bad.
    pub severity: Severity,
    /// One sentence for the user, without a full stop: what is wrong, with the numbers.
    pub message: String,
    /// Where to look first.
    pub range: SourceRange,
    /// For which numbers of processes: `any np >= 2`, `np = 3`.
    pub np: String,
    /// Which ranks: `[0..np-2]`; empty where the finding does not depend on the rank.
    pub ranks: String,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// An edit that may remove it; whether that is safe has to be tried.
    pub fix: Option<Fix>,
    /// A datatype that may be built another way to remove it; whether that is safe has to be tried, too.
    pub rebuild: Option<Box<Rebuild>>,
}

/// A datatype that a program builds by hand for all of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuild {
    /// The call that makes it, the last of several.
    pub call: SourceRange,
    /// The struct, which is the one selected, with those that are in it.
    pub structs: Description,
}

/// A place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub range: SourceRange,
    /// What is there.
    pub message: String,
}

/// An edit that removes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative.
    pub description: String,
    /// Replacements; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub range: SourceRange,
    /// By what.
    pub text: String,
}

/// A way to say the same in fewer words, or to have it done faster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Which rule, one of the group of opportunities.
    pub rule: Rule,
    /// One sentence for the user, without a full stop: what is there, and what to write instead.
    pub message: String,
    /// Where to look first.
    pub range: SourceRange,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// For which numbers of processes it is proved that the communication is what the message says.
    pub np: String,
    /// What is to be expected of it.
    pub gain: Gain,
    /// The edit, or why there is none.
    pub edit: Result<Fix, String>,
}

/// What a suggestion is good for, in a model of the cost of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// What is counted: one of the texts below.
    pub model: &'static str,
    /// Cost as it is written.
    pub before: String,
    /// Cost as it would be.
    pub after: String,
}

impl Gain {
    /// Time of messages (Hockney's model): a process sends or receives one at a time.
    pub const MESSAGES: &'static str = "a message of m bytes takes a + m*b; what is told is the longest chain of messages that wait for one another";
    /// Time of messages and of what the program copies for them.
    pub const COPIES: &'static str = "a message of m bytes takes a + m*b, and a copy of m bytes that the program makes m*c; what MPI does inside of a call is not told";
    /// Time of messages under which something is computed.
    pub const OVERLAP: &'static str = "a message of m bytes takes a + m*b, and what is computed without it w; what is told is the time of both together, where MPI makes progress meanwhile";
    /// Calls of one exchange, and waits for its messages.
    pub const CALLS: &'static str = "a call takes c, and a wait for others w; messages and bytes are the same, and an MPI library may have better ways for all of them together";
    /// Time of the steps of a redistribution (crate `redistribution`).
    pub const STEPS: &'static str = "a step takes a, and b for each byte of its longest message; what is told is the time for one period of both distributions, with elements of n bytes";
    /// Time of the steps of a redistribution whose array is known.
    pub const ARRAY: &'static str = "a step takes a, and b for each byte of its longest message; what is told is the time for the whole array, with elements of n bytes";
    /// Time of the steps of a redistribution that goes through a file.
    pub const FILE: &'static str = "a step takes a, and b for each byte of its longest message, and each byte that is written to a file or read from it f; what is told is the time for the whole array, with elements of n bytes";
    /// Words of a description (Träff 2014).
    pub const LAYOUT: &'static str =
        "a datatype costs 6 words for each of its nodes and 1 for each element of a list";
}

impl Suggestion {
    /// The note that `anyrank lint` shows.
    #[must_use]
    pub fn note(&self) -> Finding {
        Finding {
            rule: self.rule,
            severity: Severity::Note,
            message: self.message.clone(),
            range: self.range.clone(),
            np: self.np.clone(),
            ranks: String::new(),
            related: self.related.clone(),
            fix: None,
            rebuild: None,
        }
    }
}

/// How far the answer for a program can be trusted (design section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// For every np and every input allowed by the assumptions, the messages are exactly those of the topology.
    Exact,
    /// Exactly explored for the listed np only.
    Bounded,
    /// Not decided.
    Unknown,
}

/// The verdict on one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How far it goes.
    pub kind: VerdictKind,
    /// For which numbers of processes: `any np >= 1`, `2..5`.
    pub np: String,
    /// What was assumed, as C-like conditions or sentences.
    pub assumptions: Vec<String>,
    /// Why it is not better, each starting with `line N: ` or `file:N: ` where there is a place.
    pub reasons: Vec<String>,
    /// Whether the lengths of messages and the room for them are proved to fit.
    pub lengths: Lengths,
}

/// Whether all lengths were compared, for what the verdict speaks of: that each receive has room for its message, that those who
/// call a collective operation name equal amounts, and that the buffers of which the size is known are as long as the calls say.
/// The kind of a verdict is about who talks to whom; this is said beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// They were, and they fit.
    Proved,
    /// Some were not, or do not fit: why, each starting with `line N: ` or `file:N: ` where there is a place.
    NotProved(Vec<String>),
}

impl Lengths {
    /// Why they are not proved; nothing where they are.
    #[must_use]
    pub fn reasons(&self) -> &[String] {
        match self {
            Self::Proved => &[],
            Self::NotProved(reasons) => reasons,
        }
    }

    /// The contract's word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::NotProved(_) => "not proved",
        }
    }
}

/// A call that takes part in a communication.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The call.
    pub range: SourceRange,
    /// The function it stands in.
    pub function: String,
    /// The MPI operation, e.g. `MPI_Send`.
    pub operation: String,
}

/// All messages that one send call and one receive call exchange in one pattern. The strings are formulas over `rank`,
/// `np` and uniform inputs of the program, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The sending call.
    pub send: Site,
    /// The receiving call.
    pub recv: Site,
    /// Ranks that send.
    pub senders: String,
    /// Where `rank` sends to: a formula, or `each of [1..np-1]` when one rank sends to many, those near it as
    /// `each of [rank+1..rank+3] within [0..np-1]`.
    pub partner: String,
    /// Ranks that receive.
    pub receivers: String,
    /// Where `rank` receives from.
    pub source: String,
    /// Communicator.
    pub communicator: String,
    /// Tag, over `sender` and `receiver` where it differs between messages; `unknown` when it depends on what is not known.
    pub tag: String,
    /// Number of elements sent.
    pub count: String,
    /// Datatype of the send.
    pub datatype: String,
    /// How often each pair communicates: a number, a formula, or `unknown`.
    pub repeat: String,
    /// Who of a whole communicator takes part, where all do in one of some ways.
    pub pairing: Pairing,
}

/// How a channel pairs the members of its communicator. All but [`Pairing::Other`] say that it does so for every number of processes
/// that the verdict names, on every path of the program, that the communicator has all processes in the order of their ranks, and
/// that each pair communicates as often as every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// One process, a formula, with each of the others: it sends.
    RootToOthers(String),
    /// Each process but one, a formula, with that one: it receives.
    OthersToRoot(String),
    /// Each process with each of the others.
    EachToOthers,
    /// Some other way, or one that does not concern all.
    Other,
}

/// Collective calls that match each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The operation, e.g. `MPI_Bcast`.
    pub operation: String,
    /// The calls, more than one where roles stand at different lines.
    pub sites: Vec<Site>,
    /// Ranks that take part.
    pub ranks: String,
    /// Root, for rooted operations.
    pub root: Option<String>,
    /// Communicator.
    pub communicator: String,
    /// How often.
    pub repeat: String,
}

/// A named shape that some channels form together: `ring`, `shift`, `fan-out`, `gather`, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// Indices into [`Topology::channels`].
    pub channels: Vec<usize>,
}

/// Who talks to whom.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Topology {
    /// Point-to-point channels in source order of the sends, then the receives.
    pub channels: Vec<Channel>,
    /// Collectives in order of first occurrence.
    pub collectives: Vec<Collective>,
    /// Recognised shapes.
    pub patterns: Vec<Pattern>,
    /// The topology at one number of processes, where asked for and decided.
    pub instance: Option<Instance>,
}

/// A topology at a fixed number of processes. Ranks are ranks in `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Instance {
    /// Number of processes.
    pub np: u64,
    /// Messages, sorted.
    pub messages: Vec<Message>,
    /// Collectives, in the topology's order.
    pub collectives: Vec<CollectiveInstance>,
}

impl Instance {
    /// How many numbers are not known.
    #[must_use]
    pub fn open(&self) -> usize {
        let of = |m: &Message| [m.tag, m.count, m.bytes, m.repeat].iter().filter(|n| n.is_none()).count();
        self.messages.iter().map(of).sum::<usize>()
            + self.collectives.iter().filter(|collective| collective.repeat.is_none()).count()
    }

    /// What is not known of which calls, one sentence for each, sorted.
    #[must_use]
    pub fn open_reasons(&self) -> Vec<String> {
        let mut reasons = std::collections::BTreeSet::new();
        for message in &self.messages {
            let mut add = |what: &str| {
                let (line, other) = (message.send_line, message.recv_line);
                reasons
                    .insert((line, format!("line {line}: {what} that line {other} receives is not known")));
            };
            if message.tag.is_none() {
                add("the tag of a message");
            }
            if message.count.is_none() {
                add("the number of elements of a message");
            } else if message.bytes.is_none() {
                add("the size of the elements of a message");
            }
            if message.repeat.is_none() {
                add("the number of the messages");
            }
        }
        for collective in self.collectives.iter().filter(|collective| collective.repeat.is_none()) {
            let (line, operation) = (collective.line, &collective.operation);
            reasons.insert((line, format!("line {line}: how often `{operation}` is called is not known")));
        }
        reasons.into_iter().map(|(_, reason)| reason).collect()
    }
}

/// Messages between two ranks through one pair of calls. `None` is a number that depends on input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// Sender.
    pub from: u64,
    /// Receiver.
    pub to: u64,
    /// Line of the send.
    pub send_line: u32,
    /// Line of the receive.
    pub recv_line: u32,
    /// File of the send, as the user named it.
    pub send_file: Arc<str>,
    /// File of the receive.
    pub recv_file: Arc<str>,
    /// Communicator.
    pub communicator: String,
    /// Tag.
    pub tag: Option<i64>,
    /// Elements sent.
    pub count: Option<i64>,
    /// Datatype.
    pub datatype: String,
    /// Bytes sent.
    pub bytes: Option<i64>,
    /// How often.
    pub repeat: Option<i64>,
}

/// A collective at a fixed number of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveInstance {
    /// Operation.
    pub operation: String,
    /// Line of its first site.
    pub line: u32,
    /// File of that site, as the user named it.
    pub file: Arc<str>,
    /// Who takes part.
    pub ranks: Vec<u64>,
    /// Root.
    pub root: Option<u64>,
    /// How often.
    pub repeat: Option<i64>,
}

/// What was found out about one entry point.
#[derive(Clone, Debug)]
pub struct ProgramReport {
    /// The entry point's file, as the user named it.
    pub entry: String,
    /// How far the answer goes.
    pub verdict: Verdict,
    /// Whether verdict and topology are those of the communication model (module [`communication`](crate::communication)).
    pub is_by_model: bool,
    /// Who talks to whom.
    pub topology: Topology,
    /// The messages at other numbers of processes that were asked for, as far as the answer holds for them; ascending.
    pub instances: Vec<Instance>,
    /// Findings of the engine, sorted by place.
    pub findings: Vec<Finding>,
    /// Values that the engine proved equal for all ranks at an output, e.g. `line 12: every rank prints 5`.
    pub facts: Vec<Fact>,
    /// What is equal on all ranks, by place; `None` where that was not asked for.
    pub uniformity: Option<Vec<Uniform>>,
    /// Flows from sources to sinks, by place; `None` where none were named.
    pub flows: Option<Vec<Flow>>,
    /// Why sends match receives; `None` where that was not asked for.
    pub proofs: Option<Vec<MatchProof>>,
    /// The datatypes that the program builds out of constants, by place.
    pub datatypes: Vec<BuiltDatatype>,
    /// Wall time.
    pub seconds: f64,
    /// Units of work of crate `effort`: the same on any machine.
    pub work: u64,
    /// How often crate `hsm` was asked whether sends and receives match while this was found. Where it was not, Z3 had no part in it
    /// ([`Self::proofs`] are made afterwards).
    pub questions: u64,
}

/// A datatype that a program builds, all of whose arguments are constants of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltDatatype {
    /// Its name, as channels and arguments of calls have it.
    pub name: String,
    /// The call that makes it.
    pub site: Site,
    /// The constructors that make it, such as `vector(4,1,8,MPI_DOUBLE)`; a long text is cut.
    pub constructors: String,
    /// Its elements as a type tree, such as `vec(4,64,con(1,MPI_DOUBLE))`, in bytes; a long text is cut.
    pub tree: String,
    /// What the tree costs, in words, by the model that [`Gain::LAYOUT`] names. `None` for a tree that is too large to be added up.
    pub cost: Option<u64>,
    /// How many elements of basic datatypes it has.
    pub elements: usize,
    /// Bytes of its elements.
    pub size: i64,
    /// Bytes from one of several that follow each other to the next.
    pub extent: i64,
}

/// Why a send matches a receive: who of the senders is received by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchProof {
    /// The call that sends.
    pub send: Site,
    /// The call that receives.
    pub recv: Site,
    /// Whether it is proved, and by what.
    pub proved: Proved,
    /// What is asked and what follows, line by line.
    pub steps: Vec<String>,
    /// Wall time of the proof.
    pub seconds: f64,
}

/// By what a match is proved a second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// By rules of the algebra and normal forms alone.
    ByAlgebra,
    /// Some claims were left to Z3.
    ByProver,
    /// Not, and what stands in the way. The match rests on the algebra of digits that found it.
    Open(String),
    /// The two disagree: an error in one of them.
    Refuted,
}

/// A constant that reaches a call's argument on some ranks (constant propagation across processes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The call.
    pub range: SourceRange,
    /// The function called.
    pub function: String,
    /// Ranks it holds for.
    pub ranks: String,
    /// Argument text and its value.
    pub values: Vec<(String, i64)>,
}

/// An argument of an MPI call, or the condition of a branch, and whether all ranks that come there bring the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// The call or condition.
    pub range: SourceRange,
    /// The MPI operation, or `branch`.
    pub operation: String,
    /// Name of the argument as the standard calls it (`count`, `root`), or `condition`.
    pub argument: String,
    /// Ranks that come there.
    pub ranks: String,
    /// Whether they agree.
    pub agreement: Agreement,
}

/// Whether ranks agree on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They do; on this value, where it has a form.
    Same(Option<String>),
    /// Some do not.
    Differs,
    /// That is not known.
    Unknown,
}

/// Data of a source that may reach a sink (information flow).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// Where it comes from.
    pub source: FlowEnd,
    /// Where it goes.
    pub sink: FlowEnd,
    /// A chain of messages over which it may come there; empty where it stays on one rank.
    pub path: Vec<FlowHop>,
    /// Whether the sink only learns of a decision that the data made.
    pub implicit: bool,
}

/// A source or sink of data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlowEnd {
    /// The call, or the write of the variable.
    pub range: SourceRange,
    /// The function or variable.
    pub name: String,
    /// The function that it stands in.
    pub function: String,
    /// Ranks that execute it.
    pub ranks: String,
}

/// A step of data from rank to rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowHop {
    /// A message.
    Channel {
        /// The sending call.
        send: Site,
        /// The receiving call.
        recv: Site,
    },
    /// A collective.
    Collective {
        /// The operation, e.g. `MPI_Bcast`.
        operation: String,
        /// The calls.
        sites: Vec<Site>,
    },
}
