//! What a parameter of an MPI function is for.

use super::keyword::keywords;

keywords! {
    /// Whether the call reads what a parameter holds or points to, writes it, or both.
    ///
    /// For a buffer this is what happens to the memory behind the pointer, whenever that is: the buffer of `MPI_Irecv`
    /// is `Out` although it is written only later.
    pub enum Direction {
        /// Read.
        In = "in",
        /// Written.
        Out = "out",
        /// Read and written.
        InOut = "inout",
    }
}

impl Direction {
    /// True for `In` and `InOut`.
    pub fn reads(self) -> bool {
        self != Direction::Out
    }

    /// True for `Out` and `InOut`.
    pub fn writes(self) -> bool {
        self != Direction::In
    }
}

keywords! {
    /// The part a parameter plays in its call.
    ///
    /// Handles have the role of their object in either direction: the communicator that `MPI_Comm_dup` reads and the
    /// one it creates are both [`Role::Communicator`]; [`Direction`] tells them apart.
    pub enum Role {
        // Memory that holds typed data: these are the buffers of `Function::buffers`.
        /// Data that the call sends, contributes or writes to a file (RMA: the origin of a put).
        SendBuffer = "send-buffer",
        /// Where the call puts data it receives or reads from a file (RMA: the origin of a get, fetched results).
        RecvBuffer = "recv-buffer",
        /// Sent and then overwritten, or sent at one process and received at the others (`MPI_Bcast`).
        InOutBuffer = "inout-buffer",

        // Memory that is counted in bytes: `Function::memory`.
        /// Packed data of `MPI_Pack` and `MPI_Unpack`.
        PackedBuffer = "packed-buffer",
        /// Memory exposed in a window.
        WindowMemory = "window-memory",
        /// Memory that MPI allocates or frees; as `Out` a `void *` that is in truth a pointer to a pointer.
        AllocatedMemory = "allocated-memory",
        /// Memory lent to buffered sends.
        AttachedBuffer = "attached-buffer",
        /// Pointer to the pointer that receives the address of the buffer given back by a detach call.
        DetachedBuffer = "detached-buffer",
        /// An object whose address is taken (`MPI_Get_address`); its contents are not touched.
        Location = "location",

        // Amounts and places.
        /// Number of elements of the datatype in a buffer; an array in the `v` and `w` collectives.
        Count = "count",
        /// Number of elements a status stands for.
        ElementCount = "element-count",
        /// Number of partitions of a partitioned operation.
        PartitionCount = "partition-count",
        /// Number of a partition, or an array of them, or an end of a range of them.
        Partition = "partition",
        /// Number of bytes.
        ByteSize = "byte-size",
        /// Position in a packed buffer, in bytes; the call advances it.
        Position = "position",
        /// Displacements of blocks: in elements of the datatype, or in bytes for the `w` collectives and the `h` types.
        Displacements = "displacements",
        /// Displacement in the target's window, in units of that window.
        TargetDisplacement = "target-displacement",
        /// Unit of displacements in a window, in bytes.
        DisplacementUnit = "displacement-unit",
        /// An address as `MPI_Aint`.
        Address = "address",
        /// Length of arrays among the other parameters.
        ArrayLength = "array-length",

        // Parts of datatypes.
        /// How often a type constructor repeats its block (`MPI_Type_contiguous`, `MPI_Type_vector`).
        Repetitions = "repetitions",
        /// Elements per block.
        BlockLength = "block-length",
        /// Distance between blocks: in elements, or in bytes for `MPI_Type_create_hvector`.
        Stride = "stride",
        /// Lower bound or extent of a type, in bytes.
        Extent = "extent",
        /// First element of a subarray in each dimension.
        Starts = "starts",
        /// `MPI_ORDER_C` or `MPI_ORDER_FORTRAN`.
        StorageOrder = "storage-order",
        /// `MPI_DISTRIBUTE_...` per dimension.
        Distribution = "distribution",
        /// Argument of the distribution per dimension.
        DistributionArgument = "distribution-argument",
        /// Decimal digits or exponent range of a Fortran kind.
        Precision = "precision",
        /// `MPI_TYPECLASS_...`.
        TypeClass = "type-class",
        /// `MPI_COMBINER_...`.
        Combiner = "combiner",
        /// Integers and addresses a type was made from.
        TypeContents = "type-contents",

        // Processes.
        /// Rank that receives; `MPI_PROC_NULL` allowed.
        Dest = "dest",
        /// Rank that sends; `MPI_PROC_NULL` and (as input) `MPI_ANY_SOURCE` allowed.
        Source = "source",
        /// Rank of an RMA target in the window's group; `MPI_PROC_NULL` allowed.
        Target = "target",
        /// Root of a collective; `MPI_ROOT` and `MPI_PROC_NULL` allowed on intercommunicators.
        Root = "root",
        /// Leader of a group in the construction of an intercommunicator.
        Leader = "leader",
        /// Any other rank, or an array of ranks.
        Rank = "rank",
        /// Triplets of first rank, last rank, stride.
        RankRanges = "rank-ranges",
        /// Ranks that are the neighbours in a graph.
        Neighbors = "neighbors",
        /// Number of processes.
        ProcessCount = "process-count",

        // Tags.
        /// Tag of a message that is sent.
        SendTag = "send-tag",
        /// Tag of a message that is received; `MPI_ANY_TAG` allowed.
        RecvTag = "recv-tag",
        /// Tag that tells concurrent constructions of communicators apart.
        ContextTag = "context-tag",

        // Handles.
        /// A communicator.
        Communicator = "communicator",
        /// A group.
        Group = "group",
        /// A datatype.
        Datatype = "datatype",
        /// A request or an array of requests.
        Request = "request",
        /// A status or an array of statuses.
        Status = "status",
        /// A reduction operation.
        Op = "op",
        /// An error handler.
        Errhandler = "errhandler",
        /// A file.
        File = "file",
        /// An info object.
        Info = "info",
        /// A window.
        Window = "window",
        /// A message found by a matched probe.
        Message = "message",
        /// A session.
        Session = "session",
        /// An attribute key.
        Keyval = "keyval",
        /// A handle or status in Fortran's or integer form.
        FortranHandle = "fortran-handle",

        // Construction of communicators and topologies.
        /// Colour of `MPI_Comm_split`; `MPI_UNDEFINED` allowed.
        Color = "color",
        /// Key that orders ranks in a split.
        SortKey = "sort-key",
        /// `MPI_COMM_TYPE_...`.
        SplitType = "split-type",
        /// Number of dimensions.
        DimensionCount = "dimension-count",
        /// Extents per dimension: of a Cartesian grid, or of an array in a type constructor.
        Dimensions = "dimensions",
        /// Whether each dimension is periodic.
        Periods = "periods",
        /// Which dimensions a Cartesian sub-grid keeps.
        RemainDimensions = "remain-dimensions",
        /// Coordinates in a Cartesian grid.
        Coordinates = "coordinates",
        /// Number of one dimension.
        DimensionIndex = "dimension-index",
        /// Distance of a Cartesian shift.
        Shift = "shift",
        /// Whether ranks may be reordered.
        Reorder = "reorder",
        /// Cumulated degrees of the nodes of a graph.
        GraphIndex = "graph-index",
        /// Number of neighbours.
        Degree = "degree",
        /// Weights of edges.
        Weights = "weights",
        /// `MPI_CART`, `MPI_GRAPH`, `MPI_DIST_GRAPH` or `MPI_UNDEFINED`.
        TopologyKind = "topology-kind",

        // Results and modes.
        /// A truth value.
        Flag = "flag",
        /// Result of a comparison: `MPI_IDENT`, `MPI_CONGRUENT`, `MPI_SIMILAR`, `MPI_UNEQUAL`.
        Comparison = "comparison",
        /// Which requests have completed.
        CompletedIndex = "completed-index",
        /// Number of an item in a list.
        ItemIndex = "item-index",
        /// Level of thread support.
        ThreadLevel = "thread-level",
        /// Error code.
        ErrorCode = "error-code",
        /// Error class.
        ErrorClass = "error-class",
        /// Version number.
        Version = "version",
        /// `MPI_MODE_...` assertions of RMA synchronization.
        Assertion = "assertion",
        /// `MPI_LOCK_EXCLUSIVE` or `MPI_LOCK_SHARED`.
        LockType = "lock-type",
        /// `MPI_MODE_...` of an opened file.
        AccessMode = "access-mode",
        /// `MPI_SEEK_...`.
        Whence = "whence",
        /// Position in a file: in etypes, or in bytes for the displacement of a view.
        FileOffset = "file-offset",
        /// Size of a file in bytes.
        FileSize = "file-size",

        // The rest.
        /// A NUL-terminated string, or an array of them.
        String = "string",
        /// Length of a string.
        StringLength = "string-length",
        /// A callback.
        Function = "function",
        /// What a callback gets as its own.
        ExtraState = "extra-state",
        /// Value of an attribute; as `Out` a pointer to a pointer.
        AttributeValue = "attribute-value",
        /// The program's `argc`.
        Argc = "argc",
        /// The program's `argv`.
        Argv = "argv",
        /// A connected socket.
        FileDescriptor = "file-descriptor",
        /// Level of `MPI_Pcontrol`.
        ProfilingLevel = "profiling-level",
        /// The arguments behind `...`.
        Varargs = "varargs",
        /// A handle of the tool interface.
        ToolHandle = "tool-handle",
        /// The MPI object that a variable of the tool interface is bound to.
        ToolObject = "tool-object",
        /// An index or number of items of the tool interface.
        ToolIndex = "tool-index",
        /// Any other value of the tool interface.
        ToolValue = "tool-value",
    }
}

impl Role {
    /// True for memory that holds data described by a count and a datatype.
    pub fn is_typed_buffer(self) -> bool {
        matches!(self, Role::SendBuffer | Role::RecvBuffer | Role::InOutBuffer)
    }

    /// True for a rank that names the partner of an operation, or a rank of any other kind.
    pub fn is_rank(self) -> bool {
        matches!(self, Role::Dest | Role::Source | Role::Target | Role::Root | Role::Leader | Role::Rank)
    }

    /// True for the tag of a message.
    pub fn is_message_tag(self) -> bool {
        matches!(self, Role::SendTag | Role::RecvTag)
    }

    /// True for an amount: as input it must not be negative.
    pub fn is_amount(self) -> bool {
        matches!(
            self,
            Role::Count
                | Role::PartitionCount
                | Role::ArrayLength
                | Role::Repetitions
                | Role::BlockLength
                | Role::ByteSize
                | Role::DimensionCount
                | Role::Degree
                | Role::FileSize
        )
    }

    /// The kind of object that a handle of this role stands for.
    pub fn object(self) -> Option<Object> {
        Some(match self {
            Role::Communicator => Object::Communicator,
            Role::Group => Object::Group,
            Role::Datatype => Object::Datatype,
            Role::Request => Object::Request,
            Role::Op => Object::Op,
            Role::Errhandler => Object::Errhandler,
            Role::File => Object::File,
            Role::Info => Object::Info,
            Role::Window => Object::Window,
            Role::Message => Object::Message,
            Role::Session => Object::Session,
            Role::Status => Object::Status,
            Role::Keyval => Object::Keyval,
            _ => return None,
        })
    }
}

keywords! {
    /// The kinds of MPI objects.
    pub enum Object {
        /// `MPI_Comm`.
        Communicator = "communicator",
        /// `MPI_Group`.
        Group = "group",
        /// `MPI_Datatype`.
        Datatype = "datatype",
        /// `MPI_Request`.
        Request = "request",
        /// `MPI_Op`.
        Op = "op",
        /// `MPI_Errhandler`.
        Errhandler = "errhandler",
        /// `MPI_File`.
        File = "file",
        /// `MPI_Info`.
        Info = "info",
        /// `MPI_Win`.
        Window = "window",
        /// `MPI_Message`.
        Message = "message",
        /// `MPI_Session`.
        Session = "session",
        /// `MPI_Status`; a plain structure, not a handle.
        Status = "status",
        /// An attribute key, an `int`.
        Keyval = "keyval",
    }
}

impl Object {
    /// The parameter role of a handle for such an object.
    pub fn role(self) -> Role {
        match self {
            Object::Communicator => Role::Communicator,
            Object::Group => Role::Group,
            Object::Datatype => Role::Datatype,
            Object::Request => Role::Request,
            Object::Op => Role::Op,
            Object::Errhandler => Role::Errhandler,
            Object::File => Role::File,
            Object::Info => Role::Info,
            Object::Window => Role::Window,
            Object::Message => Role::Message,
            Object::Session => Role::Session,
            Object::Status => Role::Status,
            Object::Keyval => Role::Keyval,
        }
    }

    /// The C type of a handle for such an object.
    pub fn ctype(self) -> &'static str {
        match self {
            Object::Communicator => "MPI_Comm",
            Object::Group => "MPI_Group",
            Object::Datatype => "MPI_Datatype",
            Object::Request => "MPI_Request",
            Object::Op => "MPI_Op",
            Object::Errhandler => "MPI_Errhandler",
            Object::File => "MPI_File",
            Object::Info => "MPI_Info",
            Object::Window => "MPI_Win",
            Object::Message => "MPI_Message",
            Object::Session => "MPI_Session",
            Object::Status => "MPI_Status",
            Object::Keyval => "int",
        }
    }
}
