//! The kinds of operations that semantics classes tell apart. Section numbers are those of MPI-4.1.

use super::keyword::keywords;

keywords! {
    /// Send modes (section 3.4).
    pub enum SendMode {
        /// May buffer, or wait for the receiver.
        Standard = "standard",
        /// Completes locally, out of the attached buffer.
        Buffered = "buffered",
        /// Completes only after the receive has started.
        Synchronous = "synchronous",
        /// Right only if the receive is already posted.
        Ready = "ready",
    }
}

keywords! {
    /// How the end of an operation is told.
    pub enum Completion {
        /// The call returns when the operation is complete.
        Blocking = "blocking",
        /// The call starts the operation and yields an active request.
        Nonblocking = "nonblocking",
        /// The call yields an inactive request that `MPI_Start` starts, again and again.
        Persistent = "persistent",
        /// As persistent, and the data goes in partitions.
        Partitioned = "partitioned",
    }
}

keywords! {
    /// How many of the given requests a call completes or starts.
    pub enum Which {
        /// The one request it is given.
        One = "one",
        /// All of an array.
        All = "all",
        /// Exactly one of an array.
        Any = "any",
        /// At least one of an array.
        Some = "some",
    }
}

keywords! {
    /// Which partitions become ready.
    pub enum PartitionSet {
        /// One.
        One = "one",
        /// A range, both ends included.
        Range = "range",
        /// Those of an array.
        List = "list",
    }
}

keywords! {
    /// Calls for generalized requests.
    pub enum GeneralizedRequest {
        /// `MPI_Grequest_start`.
        Start = "start",
        /// `MPI_Grequest_complete`.
        Complete = "complete",
    }
}

keywords! {
    /// What is done with the memory for buffered sends.
    pub enum SendBufferOp {
        /// Lends it.
        Attach = "attach",
        /// Takes it back; waits until all messages in it are delivered.
        Detach = "detach",
        /// Waits until all messages in it are delivered.
        Flush = "flush",
        /// The same, with a request.
        Iflush = "iflush",
    }
}

keywords! {
    /// What a collective communicates.
    pub enum CollectiveOp {
        /// Nothing; all wait for all.
        Barrier = "barrier",
        /// One to all, the same data.
        Bcast = "bcast",
        /// All to one.
        Gather = "gather",
        /// All to one, with counts per process.
        Gatherv = "gatherv",
        /// One to all, parts.
        Scatter = "scatter",
        /// One to all, parts with counts per process.
        Scatterv = "scatterv",
        /// All to all, the same data.
        Allgather = "allgather",
        /// All to all, the same data, with counts per process.
        Allgatherv = "allgatherv",
        /// All to all, parts.
        Alltoall = "alltoall",
        /// All to all, parts with counts per process.
        Alltoallv = "alltoallv",
        /// All to all, parts with counts and datatypes per process.
        Alltoallw = "alltoallw",
        /// Combined at one.
        Reduce = "reduce",
        /// Combined at all.
        Allreduce = "allreduce",
        /// Combined, then scattered with counts per process.
        ReduceScatter = "reduce-scatter",
        /// Combined, then scattered in equal blocks.
        ReduceScatterBlock = "reduce-scatter-block",
        /// Prefix reduction, own contribution included.
        Scan = "scan",
        /// Prefix reduction, own contribution excluded.
        Exscan = "exscan",
    }
}

impl CollectiveOp {
    /// One process is the root.
    pub fn is_rooted(self) -> bool {
        use CollectiveOp::{Bcast, Gather, Gatherv, Reduce, Scatter, Scatterv};
        matches!(self, Bcast | Gather | Gatherv | Scatter | Scatterv | Reduce)
    }

    /// Combines values with an `MPI_Op`.
    pub fn is_reduction(self) -> bool {
        use CollectiveOp::{Allreduce, Exscan, Reduce, ReduceScatter, ReduceScatterBlock, Scan};
        matches!(self, Reduce | Allreduce | ReduceScatter | ReduceScatterBlock | Scan | Exscan)
    }

    /// Every process needs something from every other one, so that none can leave the (blocking) operation before all
    /// have entered it, provided that counts are not zero. On an intercommunicator this holds for the two groups
    /// towards each other, between neighbours for those only. The other operations may, or may not, wait.
    pub fn synchronizes(self) -> bool {
        use CollectiveOp::{Allgather, Allreduce, Alltoall, Barrier, ReduceScatterBlock};
        matches!(self, Barrier | Allgather | Allreduce | Alltoall | ReduceScatterBlock)
    }
}

keywords! {
    /// How a communicator is made.
    pub enum CommConstructor {
        /// `MPI_Comm_dup`.
        Dup = "dup",
        /// `MPI_Comm_dup_with_info`.
        DupWithInfo = "dup-with-info",
        /// `MPI_Comm_idup`; usable once its request is complete.
        Idup = "idup",
        /// `MPI_Comm_idup_with_info`; usable once its request is complete.
        IdupWithInfo = "idup-with-info",
        /// `MPI_Comm_create`: all of the communicator call it.
        Create = "create",
        /// `MPI_Comm_create_group`: only the group's members call it.
        CreateGroup = "create-group",
        /// `MPI_Comm_create_from_group`: without a parent communicator.
        CreateFromGroup = "create-from-group",
        /// `MPI_Comm_split`.
        Split = "split",
        /// `MPI_Comm_split_type`.
        SplitType = "split-type",
        /// `MPI_Cart_create`.
        CartCreate = "cart-create",
        /// `MPI_Cart_sub`.
        CartSub = "cart-sub",
        /// `MPI_Graph_create`.
        GraphCreate = "graph-create",
        /// `MPI_Dist_graph_create`.
        DistGraphCreate = "dist-graph-create",
        /// `MPI_Dist_graph_create_adjacent`.
        DistGraphCreateAdjacent = "dist-graph-create-adjacent",
        /// `MPI_Intercomm_create`.
        IntercommCreate = "intercomm-create",
        /// `MPI_Intercomm_create_from_groups`.
        IntercommCreateFromGroups = "intercomm-create-from-groups",
        /// `MPI_Intercomm_merge`.
        IntercommMerge = "intercomm-merge",
        /// `MPI_Comm_spawn`.
        Spawn = "spawn",
        /// `MPI_Comm_spawn_multiple`.
        SpawnMultiple = "spawn-multiple",
        /// `MPI_Comm_accept`.
        Accept = "accept",
        /// `MPI_Comm_connect`.
        Connect = "connect",
        /// `MPI_Comm_join`: with the process at the other end of a socket.
        Join = "join",
    }
}

impl CommConstructor {
    /// The result is (or may be, for a duplicate of one) an intercommunicator.
    pub fn makes_intercommunicator(self) -> bool {
        use CommConstructor::{
            Accept, Connect, IntercommCreate, IntercommCreateFromGroups, Join, Spawn, SpawnMultiple,
        };
        matches!(
            self,
            IntercommCreate | IntercommCreateFromGroups | Spawn | SpawnMultiple | Accept | Connect | Join
        )
    }
}

keywords! {
    /// How a group is made.
    pub enum GroupConstructor {
        /// The communicator's own group.
        FromCommunicator = "from-communicator",
        /// The other group of an intercommunicator.
        Remote = "remote",
        /// The group of a window.
        FromWindow = "from-window",
        /// The group of a file.
        FromFile = "from-file",
        /// The group of a process set.
        FromSessionPset = "from-session-pset",
        /// Union.
        Union = "union",
        /// Intersection.
        Intersection = "intersection",
        /// Difference.
        Difference = "difference",
        /// The listed ranks.
        Incl = "incl",
        /// All but the listed ranks.
        Excl = "excl",
        /// The ranks of ranges.
        RangeIncl = "range-incl",
        /// All but the ranks of ranges.
        RangeExcl = "range-excl",
    }
}

keywords! {
    /// How a datatype is made.
    pub enum TypeConstructor {
        /// Copies, one after the other.
        Contiguous = "contiguous",
        /// Equally spaced blocks, stride in elements.
        Vector = "vector",
        /// Equally spaced blocks, stride in bytes.
        Hvector = "hvector",
        /// Blocks of given lengths, displacements in elements.
        Indexed = "indexed",
        /// Blocks of given lengths, displacements in bytes.
        Hindexed = "hindexed",
        /// Blocks of one length, displacements in elements.
        IndexedBlock = "indexed-block",
        /// Blocks of one length, displacements in bytes.
        HindexedBlock = "hindexed-block",
        /// Blocks of different types, displacements in bytes.
        Struct = "struct",
        /// Part of an array.
        Subarray = "subarray",
        /// A process's part of a distributed array.
        Darray = "darray",
        /// Another lower bound and extent.
        Resized = "resized",
        /// A copy.
        Dup = "dup",
        /// The predefined Fortran integer of a range.
        F90Integer = "f90-integer",
        /// The predefined Fortran real of a precision and range.
        F90Real = "f90-real",
        /// The predefined Fortran complex of a precision and range.
        F90Complex = "f90-complex",
    }
}

impl TypeConstructor {
    /// Displacements or stride are in bytes; in the other constructors that have any, in extents of the old type.
    pub fn displaces_in_bytes(self) -> bool {
        use TypeConstructor::{Hindexed, HindexedBlock, Hvector, Struct};
        matches!(self, Hvector | Hindexed | HindexedBlock | Struct)
    }

    /// The result is a predefined type: committed already, and never to be freed (section 19.1.5).
    pub fn yields_predefined(self) -> bool {
        matches!(self, TypeConstructor::F90Integer | TypeConstructor::F90Real | TypeConstructor::F90Complex)
    }
}

keywords! {
    /// Addresses as integers.
    pub enum AddressOp {
        /// The address of an object.
        Get = "get",
        /// Base plus displacement.
        Add = "add",
        /// Difference of two addresses.
        Difference = "diff",
    }
}

keywords! {
    /// How a window is made.
    pub enum WinConstructor {
        /// Over memory of the caller.
        Create = "create",
        /// Over memory that MPI allocates.
        Allocate = "allocate",
        /// Over memory that MPI allocates and the processes share.
        AllocateShared = "allocate-shared",
        /// Without memory at first.
        CreateDynamic = "create-dynamic",
    }
}

keywords! {
    /// What a one-sided operation does at the target.
    pub enum RmaOp {
        /// Writes.
        Put = "put",
        /// Reads.
        Get = "get",
        /// Combines, element by element atomic.
        Accumulate = "accumulate",
        /// Reads, then combines.
        GetAccumulate = "get-accumulate",
        /// The same for one element.
        FetchAndOp = "fetch-and-op",
        /// Compares and replaces one element.
        CompareAndSwap = "compare-and-swap",
    }
}

impl RmaOp {
    /// Changes memory at the target.
    pub fn writes_target(self) -> bool {
        self != RmaOp::Get
    }

    /// Atomic per element with respect to others of its kind (section 12.3.4).
    pub fn is_atomic(self) -> bool {
        !matches!(self, RmaOp::Put | RmaOp::Get)
    }
}

keywords! {
    /// One-sided synchronization.
    pub enum RmaSync {
        /// Collective; ends and begins epochs.
        Fence = "fence",
        /// Opens an exposure epoch.
        Post = "post",
        /// Opens an access epoch.
        Start = "start",
        /// Ends an access epoch.
        Complete = "complete",
        /// Ends an exposure epoch.
        Wait = "wait",
        /// Tries to end an exposure epoch.
        Test = "test",
        /// Opens a passive access epoch to one target.
        Lock = "lock",
        /// Opens a passive access epoch to all.
        LockAll = "lock-all",
        /// Ends the access epoch of `Lock`.
        Unlock = "unlock",
        /// Ends the access epoch of `LockAll`.
        UnlockAll = "unlock-all",
        /// Completes operations to one target, there and here.
        Flush = "flush",
        /// Completes all operations, there and here.
        FlushAll = "flush-all",
        /// Completes operations to one target, here.
        FlushLocal = "flush-local",
        /// Completes all operations, here.
        FlushLocalAll = "flush-local-all",
        /// Makes private and public copy agree.
        Sync = "sync",
    }
}

keywords! {
    /// Which position a file access uses.
    pub enum FilePosition {
        /// The offset given in the call.
        Explicit = "explicit",
        /// The process's own file pointer.
        Individual = "individual",
        /// The shared file pointer.
        Shared = "shared",
        /// The shared file pointer, in rank order; collective.
        Ordered = "ordered",
    }
}

keywords! {
    /// How the end of a file access is told.
    pub enum FilePhase {
        /// On return.
        Blocking = "blocking",
        /// By a request.
        Nonblocking = "nonblocking",
        /// By the `..._end` call that belongs to it.
        SplitBegin = "split-begin",
        /// This is that call.
        SplitEnd = "split-end",
    }
}

keywords! {
    /// Other changes to files.
    pub enum FileOp {
        /// Deletes a file by name.
        Delete = "delete",
        /// Sets the size.
        SetSize = "set-size",
        /// Reserves space.
        Preallocate = "preallocate",
        /// Sets the view.
        SetView = "set-view",
        /// Moves the process's own file pointer.
        Seek = "seek",
        /// Moves the shared file pointer.
        SeekShared = "seek-shared",
        /// Sets atomic mode.
        SetAtomicity = "set-atomicity",
        /// Flushes to storage.
        Sync = "sync",
        /// Registers a data representation.
        RegisterDatarep = "register-datarep",
    }
}

keywords! {
    /// How an info object is made.
    pub enum InfoConstructor {
        /// Empty.
        Create = "create",
        /// From the environment of the program.
        CreateEnv = "create-env",
        /// A copy.
        Dup = "dup",
        /// The hints of a communicator.
        FromCommunicator = "from-communicator",
        /// The hints of a window.
        FromWindow = "from-window",
        /// The hints of a file.
        FromFile = "from-file",
        /// The hints of a session.
        FromSession = "from-session",
        /// The properties of a process set.
        FromPset = "from-pset",
    }
}

keywords! {
    /// What is done with an attribute or a name.
    pub enum Access {
        /// Reads it.
        Get = "get",
        /// Writes it.
        Set = "set",
        /// Removes it.
        Delete = "delete",
    }
}

keywords! {
    /// Changes to the table of errors.
    pub enum ErrorRegistry {
        /// Adds a class.
        AddClass = "add-class",
        /// Adds a code.
        AddCode = "add-code",
        /// Adds a string.
        AddString = "add-string",
        /// Removes a class.
        RemoveClass = "remove-class",
        /// Removes a code.
        RemoveCode = "remove-code",
        /// Removes a string.
        RemoveString = "remove-string",
    }
}

keywords! {
    /// Ports and published names.
    pub enum Naming {
        /// Opens a port.
        OpenPort = "open-port",
        /// Closes a port.
        ClosePort = "close-port",
        /// Publishes a name.
        PublishName = "publish-name",
        /// Withdraws a name.
        UnpublishName = "unpublish-name",
        /// Looks a name up.
        LookupName = "lookup-name",
    }
}

keywords! {
    /// Parts of a status that a call sets.
    pub enum StatusField {
        /// The source.
        Source = "source",
        /// The tag.
        Tag = "tag",
        /// The error.
        Error = "error",
        /// Whether it was cancelled.
        Cancelled = "cancelled",
        /// The number of elements.
        Elements = "elements",
    }
}

keywords! {
    /// Parts of the tool interface.
    pub enum Tool {
        /// `MPI_T_init_thread`.
        Init = "init",
        /// `MPI_T_finalize`.
        Finalize = "finalize",
        /// Control variables.
        ControlVariable = "control-variable",
        /// Performance variables.
        PerformanceVariable = "performance-variable",
        /// Categories.
        Category = "category",
        /// Enumerations.
        Enumeration = "enumeration",
        /// Events.
        Event = "event",
        /// Sources of events.
        Source = "source",
    }
}

keywords! {
    /// Local inquiries. Each is named after what it asks for.
    pub enum Query {
        /// Has MPI been initialized?
        Initialized = "initialized",
        /// Has MPI been finalized?
        Finalized = "finalized",
        /// Level of thread support.
        ThreadLevel = "thread-level",
        /// Is this the main thread?
        IsThreadMain = "is-thread-main",
        /// Version of the standard.
        Version = "version",
        /// Version of the library.
        LibraryVersion = "library-version",
        /// Name of the processor.
        ProcessorName = "processor-name",
        /// Hardware resources as an info object; the caller frees it.
        HwResourceInfo = "hw-resource-info",
        /// Seconds since some moment.
        Wtime = "wtime",
        /// Resolution of `MPI_Wtime`.
        Wtick = "wtick",
        /// Description of the ABI (MPI-5.0).
        Abi = "abi",

        /// Rank in a communicator.
        CommRank = "comm-rank",
        /// Size of a communicator (of the local group, on an intercommunicator).
        CommSize = "comm-size",
        /// Size of the remote group.
        CommRemoteSize = "comm-remote-size",
        /// Comparison of communicators.
        CommCompare = "comm-compare",
        /// Is it an intercommunicator?
        CommTestInter = "comm-test-inter",
        /// The communicator to the processes that spawned this one.
        CommGetParent = "comm-get-parent",

        /// Kind of topology.
        TopoTest = "topo-test",
        /// Balanced factors of a number of processes.
        DimsCreate = "dims-create",
        /// Coordinates of a rank.
        CartCoords = "cart-coords",
        /// Rank of coordinates.
        CartRank = "cart-rank",
        /// Neighbours in one dimension.
        CartShift = "cart-shift",
        /// Shape and own coordinates.
        CartGet = "cart-get",
        /// Recommended rank in a grid.
        CartMap = "cart-map",
        /// Number of dimensions.
        CartdimGet = "cartdim-get",
        /// Numbers of nodes and edges.
        GraphdimsGet = "graphdims-get",
        /// The graph.
        GraphGet = "graph-get",
        /// Recommended rank in a graph.
        GraphMap = "graph-map",
        /// Number of neighbours.
        GraphNeighborsCount = "graph-neighbors-count",
        /// Neighbours.
        GraphNeighbors = "graph-neighbors",
        /// Number of neighbours in a distributed graph.
        DistGraphNeighborsCount = "dist-graph-neighbors-count",
        /// Neighbours in a distributed graph.
        DistGraphNeighbors = "dist-graph-neighbors",

        /// Rank in a group; `MPI_UNDEFINED` outside.
        GroupRank = "group-rank",
        /// Size of a group.
        GroupSize = "group-size",
        /// Comparison of groups.
        GroupCompare = "group-compare",
        /// Ranks of one group in another.
        GroupTranslateRanks = "group-translate-ranks",

        /// Size of a type in bytes.
        TypeSize = "type-size",
        /// Lower bound and extent.
        TypeExtent = "type-extent",
        /// True lower bound and extent.
        TypeTrueExtent = "type-true-extent",
        /// Lower bound (removed call).
        TypeLowerBound = "type-lower-bound",
        /// Upper bound (removed call).
        TypeUpperBound = "type-upper-bound",
        /// How a type was made.
        TypeEnvelope = "type-envelope",
        /// What a type was made from; it yields handles of derived types that the caller frees.
        TypeContents = "type-contents",
        /// The predefined type of a class and size.
        TypeMatchSize = "type-match-size",
        /// The predefined pair type of two types.
        TypeValueIndex = "type-value-index",
        /// Upper bound of the size of packed data.
        PackSize = "pack-size",
        /// Is an operation commutative?
        OpCommutative = "op-commutative",

        /// Number of received elements of a datatype.
        StatusCount = "status-count",
        /// Number of received basic elements.
        StatusElements = "status-elements",
        /// Source of a received message.
        StatusSource = "status-source",
        /// Tag of a received message.
        StatusTag = "status-tag",
        /// Error of an operation.
        StatusError = "status-error",
        /// Was the operation cancelled?
        StatusCancelled = "status-cancelled",

        /// Memory of another process in a shared window.
        WinShared = "win-shared",

        /// Size of a file.
        FileSize = "file-size",
        /// Access mode.
        FileAmode = "file-amode",
        /// View.
        FileView = "file-view",
        /// Own file pointer.
        FilePosition = "file-position",
        /// Shared file pointer.
        FilePositionShared = "file-position-shared",
        /// Offset in bytes.
        FileByteOffset = "file-byte-offset",
        /// Extent of a type in the file.
        FileTypeExtent = "file-type-extent",
        /// Atomic mode.
        FileAtomicity = "file-atomicity",

        /// Value of a key.
        InfoValue = "info-value",
        /// Length of a value.
        InfoValuelen = "info-valuelen",
        /// Number of keys.
        InfoNkeys = "info-nkeys",
        /// The n-th key.
        InfoNthkey = "info-nthkey",

        /// Class of an error code.
        ErrorClass = "error-class",
        /// Text of an error code.
        ErrorString = "error-string",

        /// Number of process sets.
        SessionNumPsets = "session-num-psets",
        /// The n-th process set.
        SessionNthPset = "session-nth-pset",
    }
}
