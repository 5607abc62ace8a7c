//! What a process does that others notice, in the order of the text.

use std::collections::BTreeSet;

use frontend::ir::Span;
use frontend::mpi::Function;
use frontend::program::FunctionRef;
use model::{Kind, Optional};

use crate::form::Form;
use crate::memory::{Place, Step};
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
        /// What all that make the call have to name alike; `None` where that is not known.
        amounts: Option<Vec<Amount>>,
        /// Whether it is shown that its buffers are as long as it says.
        is_in_buffers: bool,
    },
}

/// How much data a collective operation moves between two processes, as one of its processes says it.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    /// The number of bytes.
    pub(crate) bytes: Form,
    /// Whether what others than the root say has no meaning.
    pub(crate) is_of_root: bool,
}

impl Event {
    /// The parameters that it depends on, but for where it happens.
    pub(crate) fn parameters(&self) -> BTreeSet<usize> {
        self.what.forms().into_iter().chain(&self.position).flat_map(Form::parameters).collect()
    }
}

impl What {
    /// What all processes of a communicator do together, and moves nothing between them.
    pub(crate) fn together(communicator: usize) -> Self {
        Self::Collective {
            communicator,
            root: None,
            synchronizes: false,
            completion: Completion::Here,
            amounts: Some(Vec::new()),
            is_in_buffers: true,
        }
    }

    /// What it depends on.
    fn forms(&self) -> Vec<&Form> {
        fn of_place(place: &Place) -> impl Iterator<Item = &Form> {
            place.steps.iter().filter_map(|step| match step {
                Step::At(form) => Some(form),
                Step::Field(_) => None,
            })
        }
        let mut all: Vec<&Form> = Vec::new();
        let completion = match self {
            Self::Message { envelope, completion, carried, .. } => {
                all.extend([&envelope.partner, &envelope.tag]);
                all.extend(carried.count.iter().chain(&carried.length));
                Some(completion)
            }
            Self::Template { envelope, request, carried, .. } => {
                all.extend([&envelope.partner, &envelope.tag]);
                all.extend(carried.count.iter().chain(&carried.length));
                all.extend(of_place(request));
                None
            }
            Self::Ready { request, low, high } => {
                all.extend([low, high]);
                all.extend(of_place(request));
                None
            }
            Self::Start { first, count } | Self::Wait { first, count } => {
                all.extend(count);
                all.extend(of_place(first));
                None
            }
            Self::Collective { root, completion, amounts, .. } => {
                all.extend(root);
                all.extend(amounts.iter().flatten().map(|amount| &amount.bytes));
                Some(completion)
            }
        };
        match completion {
            Some(Completion::At(position)) => all.extend(position),
            Some(Completion::Request(request)) => all.extend(of_place(request)),
            Some(Completion::Here) | None => {}
        }
        all
    }

    /// The coordinates that it depends on.
    pub(crate) fn coordinates(&self) -> BTreeSet<u32> {
        self.forms().into_iter().flat_map(|form| form.coordinates().collect::<Vec<_>>()).collect()
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
