//! What an MPI function does: its semantics class.
//!
//! A class says all that an analysis needs to know about the meaning of a call besides its parameters' roles, so that no
//! rule ever compares function names. Section numbers are those of MPI-4.1.

use super::operation::{
    Access, AddressOp, CollectiveOp, CommConstructor, Completion, ErrorRegistry, FileOp, FilePhase,
    FilePosition, GeneralizedRequest, GroupConstructor, InfoConstructor, Naming, PartitionSet, Query, RmaOp,
    RmaSync, SendBufferOp, SendMode, StatusField, Tool, TypeConstructor, Which, WinConstructor,
};
use super::role::Object;

/// The meaning of an MPI function. Parameters are found by [`Role`](super::Role), not by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// `MPI_Init`, `MPI_Init_thread` (section 11.2).
    Init {
        /// The call asks for a level of thread support.
        threaded: bool,
    },
    /// `MPI_Finalize`.
    Finalize,
    /// `MPI_Abort`; it does not return.
    Abort,

    /// Point-to-point send (chapters 3 and 4).
    Send {
        /// When the send may complete.
        mode: SendMode,
        /// How its completion is told.
        completion: Completion,
    },
    /// Point-to-point receive.
    Receive {
        /// How its completion is told.
        completion: Completion,
        /// Receives the message of a matched probe, instead of matching by source and tag.
        matched: bool,
    },
    /// Send and receive in one call.
    SendReceive {
        /// How its completion is told.
        completion: Completion,
        /// One buffer for both.
        replace: bool,
    },
    /// Looks for an incoming message (section 3.8).
    Probe {
        /// Waits until there is one.
        blocking: bool,
        /// Takes the message out of matching and yields a message handle.
        matched: bool,
    },
    /// Hands partitions of a partitioned send over (section 4.2).
    PartitionReady(PartitionSet),
    /// Asks whether a partition of a partitioned receive has arrived.
    PartitionArrived,

    /// Blocks until requests are complete (section 3.7.3, 3.7.5).
    Wait(Which),
    /// Asks whether requests are complete and completes those that are.
    Test(Which),
    /// Asks whether requests are complete and leaves them as they are (section 3.7.6).
    RequestStatus(Which),
    /// Starts persistent or partitioned operations (section 3.9); [`Which::One`] or [`Which::All`].
    Start(Which),
    /// `MPI_Request_free`.
    RequestFree,
    /// `MPI_Cancel`.
    Cancel,
    /// Start or completion of a generalized request (section 13.2).
    GeneralizedRequest(GeneralizedRequest),
    /// Memory for buffered sends (section 3.6).
    SendBuffer(SendBufferOp),

    /// Collective communication (chapter 6) and neighbourhood collectives (section 8.6).
    Collective {
        /// What is computed.
        operation: CollectiveOp,
        /// How completion is told.
        completion: Completion,
        /// Between neighbours of the virtual topology only.
        neighbor: bool,
    },
    /// `MPI_Reduce_local`: applies an operation to two local buffers.
    ReduceLocal,

    /// Makes a communicator (sections 7.4, 7.6, 8.5, 11.7 to 11.10).
    CommConstructor(CommConstructor),
    /// Gives a communicator up.
    CommDestructor {
        /// `MPI_Comm_disconnect`: waits for pending communication first.
        disconnect: bool,
    },
    /// Makes a group (section 7.3.2).
    GroupConstructor(GroupConstructor),
    /// `MPI_Group_free`.
    GroupDestructor,

    /// Makes a datatype (sections 5.1 and 19.1.9).
    TypeConstructor(TypeConstructor),
    /// `MPI_Type_commit`.
    TypeCommit,
    /// `MPI_Type_free`.
    TypeDestructor,
    /// Packs or unpacks (sections 5.2, 5.3).
    Pack {
        /// From packed data to typed data.
        unpack: bool,
        /// In the portable `external32` representation.
        external: bool,
    },
    /// Addresses as integers (section 5.1.5).
    Address(AddressOp),

    /// `MPI_Op_create`.
    OpConstructor,
    /// `MPI_Op_free`.
    OpDestructor,

    /// Makes a window (section 12.2).
    WinConstructor(WinConstructor),
    /// `MPI_Win_free`.
    WinDestructor,
    /// Adds memory to a dynamic window (`true`) or takes it away.
    WinMemory {
        /// `MPI_Win_attach` rather than `MPI_Win_detach`.
        attach: bool,
    },
    /// One-sided communication (section 12.3).
    Rma {
        /// What happens at the target.
        operation: RmaOp,
        /// Yields a request.
        request: bool,
    },
    /// One-sided synchronization (section 12.5).
    RmaSync(RmaSync),

    /// `MPI_File_open`.
    FileOpen,
    /// `MPI_File_close`.
    FileClose,
    /// Reads or writes data of a file (section 14.4); whether it is collective says
    /// [`Function::scope`](super::Function::scope).
    FileData {
        /// Writes; otherwise reads.
        write: bool,
        /// Which position it uses.
        position: FilePosition,
        /// How completion is told.
        phase: FilePhase,
    },
    /// Changes a file in another way.
    FileManage(FileOp),

    /// Makes an info object.
    InfoConstructor(InfoConstructor),
    /// `MPI_Info_free`.
    InfoDestructor,
    /// Changes an info object.
    InfoEdit {
        /// `MPI_Info_delete` rather than `MPI_Info_set`.
        delete: bool,
    },
    /// Sets hints of an object.
    SetInfo(Object),

    /// Makes an error handler for the given kind of object, or gets a handle of the present one; both must be freed.
    ErrhandlerConstructor {
        /// What it handles errors of.
        object: Object,
        /// A handle of the present error handler rather than a new one.
        get: bool,
    },
    /// `MPI_Errhandler_free`.
    ErrhandlerDestructor,
    /// Attaches an error handler to an object.
    ErrhandlerSet(Object),
    /// Calls the error handler of an object.
    ErrhandlerCall(Object),
    /// Adds or removes error classes, codes and strings (section 9.5).
    ErrorRegistry(ErrorRegistry),

    /// Makes an attribute key for the given kind of object.
    KeyvalConstructor(Object),
    /// Frees an attribute key.
    KeyvalDestructor(Object),
    /// Attributes of an object (section 7.7).
    Attribute {
        /// What is done.
        access: Access,
        /// To what.
        object: Object,
    },
    /// Name of an object (section 7.8).
    Name {
        /// What is done; never `Delete`.
        access: Access,
        /// To what.
        object: Object,
    },

    /// `MPI_Session_init`.
    SessionInit,
    /// `MPI_Session_finalize`.
    SessionFinalize,
    /// Ports and published names (section 11.9).
    Naming(Naming),

    /// `MPI_Alloc_mem` (`true`) and `MPI_Free_mem`.
    Memory {
        /// Allocates.
        alloc: bool,
    },
    /// Changes a status (section 13.3).
    StatusEdit(StatusField),
    /// Turns a handle or status into another language's form or back (section 19.3).
    HandleConversion(Object),
    /// Local inquiry without effect on any object.
    Query(Query),
    /// `MPI_Pcontrol`.
    ProfilingControl,
    /// The tool interface, `MPI_T_...` (section 15.3).
    Tool(Tool),
    /// Tells the library how Fortran represents values (MPI-5.0).
    AbiSet,
}

impl Class {
    /// Parses the words of the class column. `None` for a line that is not well formed.
    pub(super) fn parse(line: &str) -> Option<Class> {
        let mut words = line.split(' ');
        let head = words.next()?;
        let arguments: [&str; 3] = std::array::from_fn(|_| words.next().unwrap_or(""));
        if words.next().is_some() {
            return None;
        }
        let [first, second, third] = arguments;
        // A word that is either there or not.
        let flag = |given: &str, word: &str| match given {
            "" => Some(false),
            given => (given == word).then_some(true),
        };
        // One of two words: true for the first.
        let choice = |given: &str, yes: &str, no: &str| (given == yes || given == no).then_some(given == yes);
        Some(match head {
            "init" => Class::Init { threaded: flag(first, "threaded")? },
            "finalize" => Class::Finalize,
            "abort" => Class::Abort,
            "send" => Class::Send { mode: SendMode::parse(first)?, completion: Completion::parse(second)? },
            "receive" => {
                Class::Receive { completion: Completion::parse(first)?, matched: flag(second, "matched")? }
            }
            "send-receive" => Class::SendReceive {
                completion: Completion::parse(first)?,
                replace: flag(second, "replace")?,
            },
            "probe" => Class::Probe {
                blocking: choice(first, "blocking", "nonblocking")?,
                matched: flag(second, "matched")?,
            },
            "partition-ready" => Class::PartitionReady(PartitionSet::parse(first)?),
            "partition-arrived" => Class::PartitionArrived,
            "wait" => Class::Wait(Which::parse(first)?),
            "test" => Class::Test(Which::parse(first)?),
            "request-status" => Class::RequestStatus(Which::parse(first)?),
            "start" => Class::Start(Which::parse(first)?),
            "request-free" => Class::RequestFree,
            "cancel" => Class::Cancel,
            "generalized-request" => Class::GeneralizedRequest(GeneralizedRequest::parse(first)?),
            "send-buffer" => Class::SendBuffer(SendBufferOp::parse(first)?),
            "collective" => Class::Collective {
                operation: CollectiveOp::parse(first)?,
                completion: Completion::parse(second)?,
                neighbor: flag(third, "neighbor")?,
            },
            "reduce-local" => Class::ReduceLocal,
            "comm-constructor" => Class::CommConstructor(CommConstructor::parse(first)?),
            "comm-destructor" => Class::CommDestructor { disconnect: choice(first, "disconnect", "free")? },
            "group-constructor" => Class::GroupConstructor(GroupConstructor::parse(first)?),
            "group-destructor" => Class::GroupDestructor,
            "type-constructor" => Class::TypeConstructor(TypeConstructor::parse(first)?),
            "type-commit" => Class::TypeCommit,
            "type-destructor" => Class::TypeDestructor,
            "pack" => Class::Pack {
                unpack: choice(first, "unpack", "pack")?,
                external: choice(second, "external", "native")?,
            },
            "address" => Class::Address(AddressOp::parse(first)?),
            "op-constructor" => Class::OpConstructor,
            "op-destructor" => Class::OpDestructor,
            "win-constructor" => Class::WinConstructor(WinConstructor::parse(first)?),
            "win-destructor" => Class::WinDestructor,
            "win-memory" => Class::WinMemory { attach: choice(first, "attach", "detach")? },
            "rma" => Class::Rma { operation: RmaOp::parse(first)?, request: flag(second, "request")? },
            "rma-sync" => Class::RmaSync(RmaSync::parse(first)?),
            "file-open" => Class::FileOpen,
            "file-close" => Class::FileClose,
            "file-data" => Class::FileData {
                write: choice(first, "write", "read")?,
                position: FilePosition::parse(second)?,
                phase: FilePhase::parse(third)?,
            },
            "file-manage" => Class::FileManage(FileOp::parse(first)?),
            "info-constructor" => Class::InfoConstructor(InfoConstructor::parse(first)?),
            "info-destructor" => Class::InfoDestructor,
            "info-edit" => Class::InfoEdit { delete: choice(first, "delete", "set")? },
            "set-info" => Class::SetInfo(Object::parse(first)?),
            "errhandler-constructor" => Class::ErrhandlerConstructor {
                get: choice(first, "get", "create")?,
                object: Object::parse(second)?,
            },
            "errhandler-destructor" => Class::ErrhandlerDestructor,
            "errhandler-set" => Class::ErrhandlerSet(Object::parse(first)?),
            "errhandler-call" => Class::ErrhandlerCall(Object::parse(first)?),
            "error-registry" => Class::ErrorRegistry(ErrorRegistry::parse(first)?),
            "keyval-constructor" => Class::KeyvalConstructor(Object::parse(first)?),
            "keyval-destructor" => Class::KeyvalDestructor(Object::parse(first)?),
            "attribute" => Class::Attribute { access: Access::parse(first)?, object: Object::parse(second)? },
            "name" => Class::Name { access: Access::parse(first)?, object: Object::parse(second)? },
            "session-init" => Class::SessionInit,
            "session-finalize" => Class::SessionFinalize,
            "naming" => Class::Naming(Naming::parse(first)?),
            "memory" => Class::Memory { alloc: choice(first, "alloc", "free")? },
            "status-edit" => Class::StatusEdit(StatusField::parse(first)?),
            "handle-conversion" => Class::HandleConversion(Object::parse(first)?),
            "query" => Class::Query(Query::parse(first)?),
            "profiling-control" => Class::ProfilingControl,
            "tool" => Class::Tool(Tool::parse(first)?),
            "abi-set" => Class::AbiSet,
            _ => return None,
        })
    }

    /// How the operation's end is told, for the classes that communicate or access files.
    ///
    /// One-sided operations without a request complete at the next synchronization: `None`. A split collective file
    /// access is `None` too.
    pub fn completion(self) -> Option<Completion> {
        match self {
            Class::Send { completion, .. }
            | Class::Receive { completion, .. }
            | Class::SendReceive { completion, .. }
            | Class::Collective { completion, .. } => Some(completion),
            Class::Probe { blocking: true, .. } => Some(Completion::Blocking),
            Class::CommConstructor(CommConstructor::Idup | CommConstructor::IdupWithInfo)
            | Class::Rma { request: true, .. }
            | Class::SendBuffer(SendBufferOp::Iflush)
            | Class::FileData { phase: FilePhase::Nonblocking, .. } => Some(Completion::Nonblocking),
            Class::CommConstructor(_) | Class::FileData { phase: FilePhase::Blocking, .. } => {
                Some(Completion::Blocking)
            }
            _ => None,
        }
    }

    /// Takes part in point-to-point communication: its sending half.
    pub fn sends(self) -> bool {
        matches!(self, Class::Send { .. } | Class::SendReceive { .. })
    }

    /// Takes part in point-to-point communication: its receiving half.
    pub fn receives(self) -> bool {
        matches!(self, Class::Receive { .. } | Class::SendReceive { .. })
    }

    /// Moves typed data between processes, or combines it: point to point, collective (barriers too), one-sided.
    pub fn communicates(self) -> bool {
        self.sends() || self.receives() || matches!(self, Class::Collective { .. } | Class::Rma { .. })
    }

    /// The kind of object the call makes, to be found in an output parameter. The caller has to give it up again,
    /// except for the predefined types of [`TypeConstructor::yields_predefined`], which are not counted here.
    ///
    /// Requests are not counted: see [`Function::request_made`](super::Function::request_made).
    pub fn creates(self) -> Option<Object> {
        Some(match self {
            Class::CommConstructor(_) => Object::Communicator,
            Class::GroupConstructor(_) => Object::Group,
            Class::TypeConstructor(how) if !how.yields_predefined() => Object::Datatype,
            Class::OpConstructor => Object::Op,
            Class::WinConstructor(_) => Object::Window,
            Class::FileOpen => Object::File,
            Class::InfoConstructor(_) | Class::Query(Query::HwResourceInfo) => Object::Info,
            Class::ErrhandlerConstructor { .. } => Object::Errhandler,
            Class::KeyvalConstructor(_) => Object::Keyval,
            Class::SessionInit => Object::Session,
            Class::Probe { matched: true, .. } => Object::Message,
            _ => return None,
        })
    }

    /// The kind of object the call gives up, to be found in an in-out parameter.
    pub fn destroys(self) -> Option<Object> {
        Some(match self {
            Class::CommDestructor { .. } => Object::Communicator,
            Class::GroupDestructor => Object::Group,
            Class::TypeDestructor => Object::Datatype,
            Class::OpDestructor => Object::Op,
            Class::WinDestructor => Object::Window,
            Class::FileClose => Object::File,
            Class::InfoDestructor => Object::Info,
            Class::ErrhandlerDestructor => Object::Errhandler,
            Class::KeyvalDestructor(_) => Object::Keyval,
            Class::SessionFinalize => Object::Session,
            Class::RequestFree => Object::Request,
            Class::Receive { matched: true, .. } => Object::Message,
            _ => return None,
        })
    }
}
