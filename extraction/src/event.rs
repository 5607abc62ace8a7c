//! What a process does that others notice, in the order of the text.

use std::collections::BTreeSet;

use frontend::ir::Span;
use frontend::mpi::Function;
use frontend::program::FunctionRef;
use model::{Kind, Optional};

use crate::form::Form;
use crate::memory::{Place, Value};
use crate::payload::Carried;
use crate::region::Region;

/// A call, where it stands and when it is made.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) what: What,
    pub(crate) site: CallSite,
    /// The calls of functions on the way to it.
    pub(crate) calls: Vec<Span>,
    /// Where it happens.
    pub(crate) region: Region,
    /// The coordinates of an instance: the rank, and the counters of the loops around it.
    pub(crate) instance: Vec<u32>,
    /// Text and counters interleaved.
    pub(crate) position: Vec<Form>,
    /// The parts of the program that it is in and that all processes execute in the same rounds, whichever these are.
    pub(crate) options: Vec<Optional>,
}

/// A call of the program.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The function it stands in.
    pub function: FunctionRef,
    /// Where.
    pub span: Span,
    /// Which MPI function is called.
    pub mpi: &'static Function,
}

/// Somebody at the other side, or the tag, of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) partner: Form,
    pub(crate) tag: Form,
    pub(crate) communicator: usize,
    /// The receive from any source, by its number, whose sender the other side is.
    pub(crate) answers: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A send or a receive.
    Message { envelope: Envelope, kind: Kind, completion: Completion, carried: Carried },
    /// An operation that is started later, by its request.
    Template {
        envelope: Envelope,
        kind: Kind,
        request: Place,
        carried: Carried,
        /// How many partitions its message has, if it is handed over in such.
        partitions: Option<i64>,
    },
    /// Partitions of the message of this request are ready: from the lowest to the highest.
    Ready { request: Place, low: Form, high: Form },
    /// The operations of so many requests from this one on are started; of one where there is no number.
    Start { first: Place, count: Option<Form> },
    /// So many requests from this one on are waited for; one where there is no number.
    Wait { first: Place, count: Option<Form> },
    Collective {
        communicator: usize,
        root: Option<Form>,
        /// Whether it ends for nobody before all have begun it.
        synchronizes: bool,
        completion: Completion,
    },
}

impl What {
    /// The coordinates that it depends on.
    pub(crate) fn coordinates(&self) -> BTreeSet<u32> {
        let of_place = |place: &Place| Value::Address(place.clone()).coordinates();
        let of = |forms: &[&Form]| forms.iter().flat_map(|form| form.coordinates()).collect::<Vec<_>>();
        let of_envelope = |Envelope { partner, tag, .. }: &Envelope| of(&[partner, tag]);
        let of_count = |count: &Option<Form>| count.iter().flat_map(Form::coordinates).collect::<Vec<_>>();
        let of_completion = |completion: &Completion| match completion {
            Completion::Here => Vec::new(),
            Completion::At(position) => of(&position.iter().collect::<Vec<_>>()),
            Completion::Request(request) => of_place(request),
        };
        let all = match self {
            Self::Message { envelope, completion, carried, .. } => {
                vec![of_envelope(envelope), of_completion(completion), of_count(&carried.count)]
            }
            Self::Template { envelope, request, carried, .. } => {
                vec![of_envelope(envelope), of_place(request), of_count(&carried.count)]
            }
            Self::Ready { request, low, high } => vec![of_place(request), of(&[low, high])],
            Self::Start { first, count } | Self::Wait { first, count } => {
                vec![of_place(first), of_count(count)]
            }
            Self::Collective { root, completion, .. } => vec![of_count(root), of_completion(completion)],
        };
        all.into_iter().flatten().collect()
    }
}

/// When an operation is complete.
#[derive(Clone, Debug)]
pub(crate) enum Completion {
    /// When the call returns.
    Here,
    /// At this position, of the same call.
    At(Vec<Form>),
    /// When this request has been waited for.
    Request(Place),
}
