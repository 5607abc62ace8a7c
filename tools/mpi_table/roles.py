"""The role of every parameter, and which count, datatype and displacements describe which buffer.

`apis.json` gives each parameter a kind (BUFFER, POLYXFER_NUM_ELEM_NNI, RANK, ...). A kind alone does not say enough:
a RANK may be a destination, a source or a root. The function's class and the parameter's name decide the rest.
`frontend/src/mpi/role.rs` documents the roles.
"""

import re

# Kinds that mean one role wherever they appear.
ROLE_OF_KIND = {
    "ACCESS_MODE": "access-mode",
    "ALLOC_MEM_NUM_BYTES": "byte-size",
    "ARGUMENT_COUNT": "argc",
    "ARGUMENT_LIST": "argv",
    "ARRAY_LENGTH": "array-length",
    "ARRAY_LENGTH_NNI": "array-length",
    "ARRAY_LENGTH_PI": "array-length",
    "ASSERT": "assertion",
    "ATTRIBUTE_VAL": "attribute-value",
    "ATTRIBUTE_VAL_10": "attribute-value",
    "BIND_TYPE": "tool-value",
    "CALLBACK_SAFETY": "tool-value",
    "CAT_INDEX": "tool-index",
    "COLOR": "color",
    "COMBINER": "combiner",
    "COMMUNICATOR": "communicator",
    "COMM_COMPARISON": "comparison",
    "COMM_SIZE": "process-count",
    "COMM_SIZE_PI": "process-count",
    "COORDINATE": "coordinates",
    "CVAR": "tool-handle",
    "CVAR_INDEX": "tool-index",
    "CVAR_INDEX_SPECIAL": "tool-index",
    "C_BUFFER2": "detached-buffer",
    "DATATYPE": "datatype",
    "DEGREE": "degree",
    "DISPLACEMENT_NNI": "tool-value",
    "DISTRIB_ENUM": "distribution",
    "DROPPED_COUNT": "tool-value",
    "DTYPE_DISTRIBUTION": "distribution-argument",
    "ERRHANDLER": "errhandler",
    "ERROR_CLASS": "error-class",
    "ERROR_CODE": "error-code",
    "EVENT_CB_FUNCTION": "function",
    "EVENT_DROP_CB_FUNCTION": "function",
    "EVENT_FREE_CB_FUNCTION": "function",
    "EVENT_INDEX": "tool-index",
    "EVENT_INSTANCE": "tool-handle",
    "EVENT_REGISTRATION": "tool-handle",
    "EXTRA_STATE": "extra-state",
    "EXTRA_STATE2": "extra-state",
    "F08_STATUS": "fortran-handle",
    "F90_COMM": "fortran-handle",
    "F90_DATATYPE": "fortran-handle",
    "F90_ERRHANDLER": "fortran-handle",
    "F90_FILE": "fortran-handle",
    "F90_GROUP": "fortran-handle",
    "F90_INFO": "fortran-handle",
    "F90_MESSAGE": "fortran-handle",
    "F90_OP": "fortran-handle",
    "F90_REQUEST": "fortran-handle",
    "F90_SESSION": "fortran-handle",
    "F90_STATUS": "fortran-handle",
    "F90_WIN": "fortran-handle",
    "FILE": "file",
    "FILE_DESCRIPTOR": "file-descriptor",
    "FUNCTION": "function",
    "GENERIC_DTYPE_COUNT": "type-contents",
    "GENERIC_DTYPE_INT": "type-contents",
    "GROUP": "group",
    "GROUP_COMPARISON": "comparison",
    "INFO": "info",
    "INFO_VALUE_LENGTH": "string-length",
    "KEY": "sort-key",
    "KEYVAL": "keyval",
    "LOCK_TYPE": "lock-type",
    "LOGICAL_OPTIONAL": "flag",
    "LOGICAL_VOID": "tool-value",
    "MATH": "precision",
    "MESSAGE": "message",
    "NUM_DIMS": "dimension-count",
    "OPERATION": "op",
    "ORDER": "storage-order",
    "POLYDISPLACEMENT": "displacements",
    "POLYDISPLACEMENT_AINT_COUNT": None,
    "POLYDTYPE_PACK_SIZE": "byte-size",
    "POLYFUNCTION": "function",
    "POLYLOCATION": "position",
    "POLYNUM_BYTES": "byte-size",
    "POLYNUM_BYTES_NNI": "byte-size",
    "POLYNUM_PARAM_VALUES": "array-length",
    "POLYRMA_DISPLACEMENT": "displacement-unit",
    "PROCESS_GRID_SIZE": "dimensions",
    "PROFILE_LEVEL": "profiling-level",
    "PVAR": "tool-handle",
    "PVAR_CLASS": "tool-value",
    "PVAR_INDEX": "tool-index",
    "PVAR_SESSION": "tool-handle",
    "REQUEST": "request",
    "RMA_DISPLACEMENT_NNI": "target-displacement",
    "SESSION": "session",
    "SOURCE_INDEX": "tool-index",
    "SOURCE_ORDERING": "tool-value",
    "SPLIT_TYPE": "split-type",
    "STATUS": "status",
    "STRING": "string",
    "STRING_2DARRAY": "string",
    "STRING_ARRAY": "string",
    "STRING_LENGTH": "string-length",
    "THREAD_LEVEL": "thread-level",
    "TOOLENUM_INDEX": "tool-index",
    "TOOLENUM_SIZE": "tool-value",
    "TOOLS_ENUM": "tool-handle",
    "TOOLS_NUM_ELEM_SMALL": "tool-value",
    "TOOLS_TICK_COUNT": "tool-value",
    "TOOL_MPI_OBJ": "tool-object",
    "TOOL_VAR_VALUE": "tool-value",
    "TOOL_VAR_VERBOSITY": "tool-value",
    "TOPOLOGY_TYPE": "topology-kind",
    "TYPECLASS": "type-class",
    "TYPECLASS_SIZE": "byte-size",
    "UPDATE_MODE": "whence",
    "UPDATE_NUMBER": "tool-value",
    "VARARGS": "varargs",
    "VARIABLE_SCOPE": "tool-value",
    "VERSION": "version",
    "WEIGHT": "weights",
    "WINDOW": "window",
    "WINDOW_SIZE": "byte-size",
    "WIN_ATTACH_SIZE": "byte-size",
}

# (class pattern, parameter name pattern, role): for kinds whose role depends on the call. The first match decides.
ROLE_RULES = [
    # Buffers.
    (r"send .*", r"buf", "send-buffer"),
    (r"receive .*", r"buf", "recv-buffer"),
    (r"send-receive .*", r"buf", "inout-buffer"),
    (r"send-receive .*|collective .*", r"sendbuf", "send-buffer"),
    (r"send-receive .*|collective .*", r"recvbuf", "recv-buffer"),
    (r"collective bcast .*", r"buffer", "inout-buffer"),
    (r"reduce-local", r"inbuf", "send-buffer"),
    (r"reduce-local", r"inoutbuf", "inout-buffer"),
    (r"rma get( request)?", r"origin_addr", "recv-buffer"),
    (r"rma .*", r"origin_addr|compare_addr", "send-buffer"),
    (r"rma .*", r"result_addr", "recv-buffer"),
    (r"file-data write .*", r"buf", "send-buffer"),
    (r"file-data read .*", r"buf", "recv-buffer"),
    (r"pack pack .*", r"inbuf", "send-buffer"),
    (r"pack pack .*", r"outbuf", "packed-buffer"),
    (r"pack unpack .*", r"inbuf", "packed-buffer"),
    (r"pack unpack .*", r"outbuf", "recv-buffer"),
    (r"pack .*", r"position", "position"),
    (r"win-constructor create|win-memory .*", r"base", "window-memory"),
    (r"(memory alloc|win-constructor .*|query win-shared)", r"baseptr", "allocated-memory"),
    (r"memory free", r"base", "allocated-memory"),
    (r"send-buffer attach", r"buffer", "attached-buffer"),
    (r"address get", r"location", "location"),
    (r"address .*", r"address|base|disp|addr1|addr2", "address"),
    (r"tool .*", r"buf|buffer", "tool-value"),
    # Counts.
    (r"(send|receive) partitioned|send standard partitioned", r"partitions", "partition-count"),
    (r"partition-.*", r"array_of_partitions|partition\w*", "partition"),
    (r"query status-(count|elements)", r"count", "element-count"),
    (r"status-edit elements", r"count", "element-count"),
    (r"query type-size", r"size", "byte-size"),
    (r"type-constructor (contiguous|h?vector)", r"count", "repetitions"),
    (r"type-constructor .*", r"count", "array-length"),
    (r"type-constructor .*", r"(array_of_)?blocklengths?", "block-length"),
    (r"type-constructor .*", r"stride", "stride"),
    (r"type-constructor .*", r"array_of_displacements", "displacements"),
    (r"type-constructor .*", r"array_of_(g|sub)?sizes", "dimensions"),
    (r"type-constructor .*", r"array_of_starts", "starts"),
    (r"type-constructor darray", r"rank", "rank"),
    (r"type-constructor resized|query type-.*", r"(true_)?(lb|extent|ub|displacement)", "extent"),
    (r"query type-contents", r"array_of_addresses", "type-contents"),
    (r"query file-type-extent", r"extent", "extent"),
    (r"(send|receive|send-receive|collective|reduce-local|rma|file-data|pack|query pack-size)\b.*",
     r"(send|recv|origin|target|result|in|out)?_?counts?", "count"),
    (r"collective .*", r"[sr]displs", "displacements"),
    # Ranks and tags.
    (r".*", r"root", "root"),
    (r"(send|send-receive) .*", r"dest", "dest"),
    (r"(receive|send-receive|probe) .*", r"source", "source"),
    (r"(rma|rma-sync) .*", r"target_rank|rank", "target"),
    (r"query status-source|status-edit source", r"source", "rank"),
    (r"query status-tag|status-edit tag", r"tag", "recv-tag"),
    (r"query win-shared", r"rank", "target"),
    (r"query cart-shift", r"rank_source", "source"),
    (r"query cart-shift", r"rank_dest", "dest"),
    (r"query cart-shift", r"direction", "dimension-index"),
    (r"query cart-shift", r"disp", "shift"),
    (r".*", r"(local|remote)_leader", "leader"),
    (r"comm-constructor (dist-)?graph-create.*|query (dist-)?graph.*", r"edges|neighbors|sources|destinations",
     "neighbors"),
    (r".*", r"rank|newrank|ranks[12]?", "rank"),
    (r"group-constructor range-.*", r"ranges", "rank-ranges"),
    (r"send .*", r"tag", "send-tag"),
    (r"(receive|probe) .*", r"tag", "recv-tag"),
    (r".*", r"sendtag", "send-tag"),
    (r".*", r"recvtag", "recv-tag"),
    (r"comm-constructor .*", r"tag", "context-tag"),
    # Topologies.
    (r".*", r"dims", "dimensions"),
    (r".*", r"periods", "periods"),
    (r".*", r"remain_dims", "remain-dimensions"),
    (r".*", r"reorder", "reorder"),
    (r"(comm-constructor|query) graph.*", r"index", "graph-index"),
    # Files.
    (r"query file-(position|position-shared|byte-offset)|file-data .*|file-manage seek.*", r"offset|disp",
     "file-offset"),
    (r"file-manage set-view|query file-view", r"disp", "file-offset"),
    (r"file-manage .*|query file-size", r"size", "file-size"),
    # Indices.
    (r"wait .*|test .*|request-status .*", r"index|array_of_indices", "completed-index"),
    (r"query (session-nth-pset|info-nthkey)", r"n", "item-index"),
    (r"query info-nkeys", r"nkeys", "array-length"),
    (r"tool .*", r"\w+", "tool-index"),
    (r"handle-conversion .*", r"\w+", "fortran-handle"),
    # Logical values.
    (r"comm-constructor intercomm-merge", r"high", "flag"),
    (r".*", r"flag|weighted|commute|is_set|complete", "flag"),
]


def role(class_line, kind, name):
    """The role keyword of a parameter."""
    # These kinds have a role that the call narrows further.
    by_rule = next((r for c, n, r in ROLE_RULES if re.fullmatch(c, class_line) and re.fullmatch(n, name)), None)
    fixed = ROLE_OF_KIND.get(kind)
    if fixed and not (fixed == "array-length" and by_rule == "count"):
        return fixed
    if by_rule:
        return by_rule
    raise SystemExit(f"no role for {name} of kind {kind} in class '{class_line}': add a rule to roles.py")


BUFFER_ROLES = ("send-buffer", "recv-buffer", "inout-buffer", "packed-buffer", "window-memory", "allocated-memory",
                "attached-buffer")
# Calls whose collective data goes to or comes from each process of the communicator: operation -> buffer -> scale.
# `per-process`: count elements for each process; `sum`: the counts array has one entry per process.
PER_PROCESS = {
    "gather": {"recvbuf": "per-process"},
    "scatter": {"sendbuf": "per-process"},
    "allgather": {"recvbuf": "per-process"},
    "alltoall": {"sendbuf": "per-process", "recvbuf": "per-process"},
    "reduce-scatter-block": {"sendbuf": "per-process"},
    "gatherv": {"recvbuf": "sum"},
    "scatterv": {"sendbuf": "sum"},
    "allgatherv": {"recvbuf": "sum"},
    "alltoallv": {"sendbuf": "sum", "recvbuf": "sum"},
    "alltoallw": {"sendbuf": "sum", "recvbuf": "sum"},
    "reduce-scatter": {"sendbuf": "sum", "recvbuf": "own-entry"},
}
# Where MPI_IN_PLACE may stand (MPI-4.1 section 6.2): at every process, or at the root only.
IN_PLACE = {
    "gather": ("sendbuf", "root"), "gatherv": ("sendbuf", "root"),
    "scatter": ("recvbuf", "root"), "scatterv": ("recvbuf", "root"),
    "reduce": ("sendbuf", "root"),
    "allgather": ("sendbuf", "all"), "allgatherv": ("sendbuf", "all"),
    "alltoall": ("sendbuf", "all"), "alltoallv": ("sendbuf", "all"), "alltoallw": ("sendbuf", "all"),
    "allreduce": ("sendbuf", "all"), "reduce-scatter": ("sendbuf", "all"),
    "reduce-scatter-block": ("sendbuf", "all"), "scan": ("sendbuf", "all"), "exscan": ("sendbuf", "all"),
}
# Arguments that matter at the root only (MPI-4.1 chapter 6; `apis.json` marks them too, with one slip:
# recvbuf of MPI_Scatterv_init, which matters everywhere).
ROOT_ONLY = {
    "gather": {"recvbuf", "recvcount", "recvtype"},
    "gatherv": {"recvbuf", "recvcounts", "displs", "recvtype"},
    "scatter": {"sendbuf", "sendcount", "sendtype"},
    "scatterv": {"sendbuf", "sendcounts", "displs", "sendtype"},
    "reduce": {"recvbuf"},
    "spawn": {"command", "argv", "maxprocs", "info"},
    "spawn-multiple": {"count", "array_of_commands", "array_of_argv", "array_of_maxprocs", "array_of_info"},
    "accept": {"port_name", "info"},
    "connect": {"port_name", "info"},
}


def operation_of(class_line):
    words = class_line.split()
    return words[1] if words[0] in ("collective", "comm-constructor") else None


def pair(class_line, params):
    """Adds to each buffer parameter which others describe it. `params`: list of dicts with name, role, attributes."""
    names = {p["name"] for p in params}

    def first(*candidates):
        return next((c for c in candidates if c in names), None)

    words = class_line.split()
    neighbor = "neighbor" in words
    operation = operation_of(class_line)
    for p in params:
        name, attributes = p["name"], p["attributes"]
        side = re.match(r"(send|recv|origin|result|compare)", name)
        side = side[1] if side else ""
        if p["role"] in ("send-buffer", "recv-buffer", "inout-buffer"):
            packing = words[0] == "pack"
            count = first(f"{side}counts", f"{side}count", "recvcounts", "recvcount", "count") if not packing else \
                first("incount", "outcount")
            datatype = first(f"{side}types", f"{side}type", f"{side}_datatype", "datatype")
            if words[0] == "rma":
                count = first(f"{side}_count")
            if count:
                attributes["count"] = count
            if datatype:
                attributes["datatype"] = datatype
            if words[0] == "collective":
                displs = first(f"{side[:1]}displs", "displs") if side else None
                scale = PER_PROCESS.get(operation, {}).get(name)
                if displs and scale == "sum":
                    attributes["displacements"] = displs
                if neighbor:
                    way = "out" if name == "sendbuf" else "in"
                    if operation == "allgather" and way == "out" or operation == "allgatherv" and way == "out":
                        scale = None
                    elif scale:
                        scale = {"per-process": "per-neighbor-", "sum": "neighbor-sum-"}[scale] + way
                if scale:
                    attributes["scale"] = scale
                place = IN_PLACE.get(operation)
                if place and place[0] == name and not neighbor:
                    attributes["in-place"] = place[1]
            elif "partitioned" in words:
                attributes["scale"] = "per-partition"
                attributes["partitions"] = "partitions"
            elif words[0] == "rma" and not count:
                attributes["scale"] = "one"
            for key, choice in (("dest", "dest"), ("source", "source")):
                mine = name == "buf" or name == ("sendbuf" if key == "dest" else "recvbuf")
                if words[0] in ("send", "receive", "send-receive") and mine and choice in names:
                    attributes[key] = choice
            for key, choice in (("send-tag", first("sendtag", "tag")), ("recv-tag", first("recvtag", "tag"))):
                sends = words[0] in ("send", "send-receive") and p["role"] != "recv-buffer"
                receives = words[0] in ("receive", "send-receive") and p["role"] != "send-buffer"
                if choice and (sends if key == "send-tag" else receives):
                    attributes[key] = choice
        elif p["role"] in BUFFER_ROLES and class_line != "memory free":
            size = first("outsize", "insize", "size")
            if size and p["role"] != "allocated-memory":
                attributes["bytes"] = size
            elif size:
                attributes["bytes"] = size
        if p["role"] == "window" and words[0] == "rma":
            # What the call touches at the target: a second buffer, in the target's window memory.
            attributes["target-displacement"] = "target_disp"
            attributes["target-datatype"] = first("target_datatype", "datatype")
            if "target_count" in names:
                attributes["target-count"] = "target_count"
        if name in ROOT_ONLY.get(operation, ()) and not neighbor:
            attributes["root-only"] = None


def length(function, class_line, param, given, params):
    """How many elements an array parameter has: a parameter name, `n*3`, a constant, or a keyword; None if no array.

    Keywords: `comm-size` (remote group's size on an intercommunicator), `in-neighbors`, `out-neighbors`,
    `comm-dimensions` (of the Cartesian communicator), `sum(degrees)`, `last(index)` (the last entry of that array).
    """
    names = {p["name"] for p in params}
    if given is None or given == "" and "[" not in param["ctype"]:
        return None
    if isinstance(given, list):
        return "*".join(given)
    if given not in ("*", ""):
        return given
    if param["role"] == "string":
        return None  # a NUL-terminated string
    name = param["name"]
    if " neighbor" in class_line:
        return "out-neighbors" if name in ("sendcounts", "sdispls", "sendtypes") else "in-neighbors"
    if class_line.startswith("collective"):
        return "comm-size"
    table = {
        "coords": "comm-dimensions", "remain_dims": "comm-dimensions", "edges": "last(index)",
        "sourceweights": "maxindegree" if "maxindegree" in names else "indegree",
        "destweights": "maxoutdegree" if "maxoutdegree" in names else "outdegree",
        "destinations": "sum(degrees)", "weights": "sum(degrees)",
        "array_of_errcodes": "maxprocs" if "maxprocs" in names else "sum(array_of_maxprocs)",
        "array_of_indices": "incount" if "incount" in names else "count",
        "array_of_statuses": "incount" if "incount" in names else "count",
    }
    if name in table:
        return table[name]
    raise SystemExit(f"length of {name} in {function} is unknown: add it to roles.py")
