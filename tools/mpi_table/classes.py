"""The semantics class of every MPI function, and the group of processes a call is collective over.

A class is a line of keywords. `frontend/src/mpi/class.rs` documents and parses them; a keyword unknown there fails its
tests. The rules below are tried in order on the name without `MPI_`, in lower case, without the large-count suffix.
Every function must match, and every rule must be used: the generator checks both.
"""

import re

COLLECTIVE = (
    "barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|"
    "reduce_scatter_block|reduce_scatter|scan|exscan"
)
OBJECT = {
    "comm": "communicator", "win": "window", "type": "datatype", "file": "file", "session": "session",
    "group": "group", "op": "op", "errhandler": "errhandler", "info": "info", "message": "message",
    "request": "request", "status": "status",
}
TOOL = {"cvar": "control-variable", "pvar": "performance-variable", "enum": "enumeration"}
SEND_MODE = {"": "standard", "b": "buffered", "s": "synchronous", "r": "ready"}


def dashed(text):
    return text.replace("_", "-")


def completion(nonblocking, persistent):
    return "nonblocking" if nonblocking else "persistent" if persistent else "blocking"


def send(m):
    return f"send {SEND_MODE[m['mode']]} {completion(m['i'], m['init'])}"


def collective(m):
    neighbor = " neighbor" if m["neighbor"] else ""
    return f"collective {dashed(m['op'])} {completion(m['i'], m['init'])}{neighbor}"


def probe(m):
    return f"probe {'nonblocking' if m['i'] else 'blocking'}{' matched' if m['m'] else ''}"


def file_data(m):
    place = {"_at": "explicit", "_shared": "shared", "_ordered": "ordered", None: "individual"}[m["where"]]
    phase = {"_begin": "split-begin", "_end": "split-end", None: completion(m["i"], None)}[m["phase"]]
    return f"file-data {m['rw']} {place} {phase}"


def rma(m):
    return f"rma {dashed(m['op'])}{' request' if m['r'] else ''}"


def which(m):
    return {None: "one"}.get(m["which"], m["which"])


# (pattern, class or function of the match). The first match decides.
RULES = [
    # Starting and stopping.
    (r"init", "init"),
    (r"init_thread", "init threaded"),
    (r"finalize", "finalize"),
    (r"abort", "abort"),
    (r"(initialized|finalized|is_thread_main|get_version|get_library_version|get_processor_name|"
     r"get_hw_resource_info|query_thread|wtime|wtick)", lambda m: "query " + dashed(m[1].removeprefix("get_")).replace("query-thread", "thread-level")),
    # Point to point.
    (r"(?P<i>i?)(?P<mode>[bsr]?)send(?P<init>_init)?", send),
    (r"(?P<i>i?)recv(?P<init>_init)?", lambda m: f"receive {completion(m['i'], m['init'])}"),
    (r"(?P<i>i?)mrecv", lambda m: f"receive {completion(m['i'], None)} matched"),
    (r"psend_init", "send standard partitioned"),
    (r"precv_init", "receive partitioned"),
    (r"(?P<i>i?)sendrecv(?P<replace>_replace)?",
     lambda m: f"send-receive {completion(m['i'], None)}{' replace' if m['replace'] else ''}"),
    (r"(?P<i>i?)(?P<m>m?)probe", probe),
    (r"pready(?P<which>_range|_list)?", lambda m: "partition-ready " + (m["which"] or "_one")[1:]),
    (r"parrived", "partition-arrived"),
    # Requests.
    (r"(?P<op>wait|test)(?P<which>all|any|some)?", lambda m: f"{m['op']} {which(m)}"),
    (r"request_get_status(_(?P<which>all|any|some))?", lambda m: f"request-status {which(m)}"),
    (r"start(?P<which>all)?", lambda m: f"start {which(m)}"),
    (r"request_free", "request-free"),
    (r"cancel", "cancel"),
    (r"test_cancelled", "query status-cancelled"),
    (r"grequest_(start|complete)", lambda m: f"generalized-request {m[1]}"),
    (r"(buffer|comm|session)_(attach|detach|flush|iflush)(_buffer)?", lambda m: f"send-buffer {m[2]}"),
    # Collectives.
    (rf"(?P<i>i?)(?P<neighbor>neighbor_)?(?P<op>{COLLECTIVE})(?P<init>_init)?", collective),
    (r"reduce_local", "reduce-local"),
    # Communicators.
    (r"(comm_(dup|dup_with_info|idup|idup_with_info|create|create_group|create_from_group|split|split_type|"
     r"spawn|spawn_multiple|accept|connect|join)|cart_create|cart_sub|graph_create|dist_graph_create|"
     r"dist_graph_create_adjacent|intercomm_create|intercomm_create_from_groups|intercomm_merge)",
     lambda m: "comm-constructor " + dashed(m[1].removeprefix("comm_"))),
    (r"comm_free", "comm-destructor free"),
    (r"comm_disconnect", "comm-destructor disconnect"),
    (r"(comm_(rank|size|remote_size|compare|test_inter|get_parent)|cart_(coords|rank|shift|get|map)|cartdim_get|"
     r"graph_(get|map|neighbors|neighbors_count)|graphdims_get|dist_graph_neighbors|dist_graph_neighbors_count|"
     r"topo_test|dims_create)", lambda m: "query " + dashed(m[1])),
    # Groups.
    (r"(comm|win|file)_(get_)?group", lambda m: f"group-constructor from-{OBJECT[m[1]]}"),
    (r"comm_remote_group", "group-constructor remote"),
    (r"group_(union|intersection|difference|incl|excl|range_incl|range_excl|from_session_pset)",
     lambda m: "group-constructor " + dashed(m[1])),
    (r"group_free", "group-destructor"),
    (r"(group_(rank|size|compare|translate_ranks))", lambda m: "query " + dashed(m[1])),
    # Datatypes.
    (r"type_(create_)?(contiguous|h?vector|h?indexed|h?indexed_block|struct|subarray|darray|resized|dup|"
     r"f90_integer|f90_real|f90_complex)", lambda m: "type-constructor " + dashed(m[2])),
    (r"type_(match_size|get_value_index)", lambda m: "query type-" + dashed(m[1].removeprefix("get_"))),
    (r"type_commit", "type-commit"),
    (r"type_free", "type-destructor"),
    (r"(type_size|type_size_x)", "query type-size"),
    (r"type_(get_)?extent(_x)?", "query type-extent"),
    (r"type_get_true_extent(_x)?", "query type-true-extent"),
    (r"type_(lb|ub)", lambda m: f"query type-{'lower' if m[1] == 'lb' else 'upper'}-bound"),
    (r"type_get_(envelope|contents)", lambda m: f"query type-{m[1]}"),
    (r"get_count", "query status-count"),
    (r"get_elements(_x)?", "query status-elements"),
    (r"status_get_(source|tag|error)", lambda m: f"query status-{m[1]}"),
    (r"status_set_(source|tag|error|cancelled|elements)(_x)?", lambda m: f"status-edit {m[1]}"),
    (r"(pack|unpack)", lambda m: f"pack {m[1]} native"),
    (r"(pack|unpack)_external", lambda m: f"pack {m[1]} external"),
    (r"pack_(external_)?size", "query pack-size"),
    (r"(get_)?address", "address get"),
    (r"aint_(add|diff)", lambda m: f"address {m[1]}"),
    # Operations.
    (r"op_create", "op-constructor"),
    (r"op_free", "op-destructor"),
    (r"op_commutative", "query op-commutative"),
    # Windows and one-sided communication.
    (r"win_(create|allocate|allocate_shared|create_dynamic)", lambda m: "win-constructor " + dashed(m[1])),
    (r"win_free", "win-destructor"),
    (r"win_(attach|detach)", lambda m: f"win-memory {m[1]}"),
    (r"win_shared_query", "query win-shared"),
    (r"(?P<r>r?)(?P<op>put|get|accumulate|get_accumulate|fetch_and_op|compare_and_swap)", rma),
    (r"win_(fence|post|start|complete|wait|test|lock|lock_all|unlock|unlock_all|flush|flush_all|flush_local|"
     r"flush_local_all|sync)", lambda m: "rma-sync " + dashed(m[1])),
    # Files.
    (r"file_open", "file-open"),
    (r"file_close", "file-close"),
    (r"file_(?P<i>i?)(?P<rw>read|write)(?P<where>_at|_shared|_ordered)?(?P<all>_all)?(?P<phase>_begin|_end)?",
     file_data),
    (r"file_(delete|set_size|preallocate|set_view|seek|seek_shared|set_atomicity|sync)",
     lambda m: "file-manage " + dashed(m[1])),
    (r"file_get_(size|amode|view|position|position_shared|byte_offset|type_extent|atomicity)",
     lambda m: "query file-" + dashed(m[1])),
    (r"register_datarep", "file-manage register-datarep"),
    # Info objects.
    (r"info_(create|create_env|dup)", lambda m: "info-constructor " + dashed(m[1])),
    (r"(comm|win|file|session)_get_info", lambda m: f"info-constructor from-{OBJECT[m[1]]}"),
    (r"session_get_pset_info", "info-constructor from-pset"),
    (r"info_free", "info-destructor"),
    (r"info_(set|delete)", lambda m: f"info-edit {m[1]}"),
    (r"info_(get|get_string)", "query info-value"),
    (r"info_get_(valuelen|nkeys|nthkey)", lambda m: f"query info-{m[1]}"),
    (r"(comm|win|file)_set_info", lambda m: f"set-info {OBJECT[m[1]]}"),
    # Error handling.
    (r"(comm|win|file|session)_create_errhandler", lambda m: f"errhandler-constructor create {OBJECT[m[1]]}"),
    (r"errhandler_create", "errhandler-constructor create communicator"),
    (r"(comm|win|file|session)_get_errhandler", lambda m: f"errhandler-constructor get {OBJECT[m[1]]}"),
    (r"errhandler_get", "errhandler-constructor get communicator"),
    (r"errhandler_free", "errhandler-destructor"),
    (r"(comm|win|file|session)_(set|call)_errhandler", lambda m: f"errhandler-{m[2]} {OBJECT[m[1]]}"),
    (r"errhandler_set", "errhandler-set communicator"),
    (r"error_(class|string)", lambda m: f"query error-{m[1]}"),
    (r"(add|remove)_error_(class|code|string)", lambda m: f"error-registry {m[1]}-{m[2]}"),
    # Attributes and names.
    (r"(comm|win|type)_create_keyval", lambda m: f"keyval-constructor {OBJECT[m[1]]}"),
    (r"keyval_create", "keyval-constructor communicator"),
    (r"(comm|win|type)_free_keyval", lambda m: f"keyval-destructor {OBJECT[m[1]]}"),
    (r"keyval_free", "keyval-destructor communicator"),
    (r"(comm|win|type)_(get|set|delete)_attr", lambda m: f"attribute {m[2]} {OBJECT[m[1]]}"),
    (r"attr_(get|put|delete)", lambda m: f"attribute {m[1].replace('put', 'set')} communicator"),
    (r"(comm|win|type)_(get|set)_name", lambda m: f"name {m[2]} {OBJECT[m[1]]}"),
    # Sessions and dynamic processes.
    (r"session_init", "session-init"),
    (r"session_finalize", "session-finalize"),
    (r"session_get_(num_psets|nth_pset)", lambda m: "query session-" + dashed(m[1])),
    (r"(open_port|close_port|publish_name|unpublish_name|lookup_name)", lambda m: "naming " + dashed(m[1])),
    # Memory, profiling, other languages, tools.
    (r"(alloc|free)_mem", lambda m: f"memory {m[1]}"),
    (r"pcontrol", "profiling-control"),
    (rf"({'|'.join(OBJECT)})_(c2f|f2c|c2f08|f082c|f082f|f2f08|toint|fromint)",
     lambda m: f"handle-conversion {OBJECT[m[1]]}"),
    (r"abi_get_(version|info|fortran_info|fortran_booleans)", "query abi"),
    (r"abi_set_(fortran_info|fortran_booleans)", "abi-set"),
    (r"t_init_thread", "tool init"),
    (r"t_finalize", "tool finalize"),
    (r"t_(category|cvar|pvar|enum|event|source)_\w+", lambda m: "tool " + TOOL.get(m[1], m[1])),
]

# Calls that every process of a group makes together, and which parameter names that group. MPI-4.1, the section
# that defines the call. What is absent here is local, or involves only the peers that its arguments name.
SCOPE_RULES = [
    (r"init|init_thread|finalize", "world"),
    (rf"i?(neighbor_)?({COLLECTIVE})(_init)?", "comm"),
    (r"comm_(dup|dup_with_info|idup|idup_with_info|create|split|split_type|spawn|spawn_multiple|accept|connect|"
     r"free|disconnect|set_info)", "comm"),
    # Collective over the members of the group only.
    (r"comm_create_group|comm_create_from_group", "group"),
    (r"intercomm_create", "local_comm"),
    (r"intercomm_create_from_groups", "local_group"),
    (r"intercomm_merge", "intercomm"),
    (r"cart_create|graph_create|dist_graph_create|dist_graph_create_adjacent", "comm_old"),
    (r"cart_sub", "comm"),
    (r"win_(create|allocate|allocate_shared|create_dynamic)", "comm"),
    (r"win_(free|fence|set_info)", "win"),
    (r"file_open", "comm"),
    (r"file_i?(read|write)((_at)?_all|_ordered)(_begin|_end)?", "fh"),
    (r"file_(close|set_size|preallocate|set_info|set_view|seek_shared|set_atomicity|sync)", "fh"),
]

_used = set()


def base_name(name):
    """The name that the rules see: MPI_Send_c -> send."""
    return name.removeprefix("MPI_").lower()


def classify(name):
    """The class line of `name` (without large-count suffix)."""
    base = base_name(name)
    for number, (pattern, result) in enumerate(RULES):
        match = re.fullmatch(pattern, base)
        if match:
            _used.add(number)
            return result if isinstance(result, str) else result(match)
    raise SystemExit(f"no class for {name}: add a rule to tools/mpi_table/classes.py")


def scope(name):
    """The parameter that names the processes which make this call together, `world`, or `-`."""
    base = base_name(name)
    for pattern, parameter in SCOPE_RULES:
        if re.fullmatch(pattern, base):
            return parameter
    return "-"


def check_rules_used():
    unused = [RULES[n][0] for n in range(len(RULES)) if n not in _used]
    if unused:
        raise SystemExit(f"rules that match nothing: {unused}")
