"""Writes `frontend/include/mpi.h` from the constants and the functions.

The header keeps every MPI constant a plain identifier after preprocessing: integers are enumeration constants, handles
are `extern` objects of distinct opaque pointer types, and each name is also a macro for itself, so that `#ifdef` works.
"""

TOP = """\
/* MPI-4.1 for the analyser: our own mpi.h.
 * Made by tools/generate_mpi_table.py from frontend/data/mpi-constants.tsv and the MPI Forum's description of the
 * API (see there for the command). Do not edit.
 *
 * No program is ever linked against this header. After preprocessing, MPI constants are still plain identifiers:
 * integers are enumeration constants, handles are extern objects of opaque pointer types, and each name is a macro for
 * itself so that #ifdef finds it. Neither MPICH nor OPEN_MPI is defined.
 *
 * ANYRANK_MPI_NO_PROTOTYPES leaves out the functions, ANYRANK_MPI_NO_PROFILING only their PMPI_ names.
 */
#ifndef ANYRANK_MPI_H
#define ANYRANK_MPI_H
#define MPI_INCLUDED

/* User code tests these two with #if. */
#define MPI_VERSION 4
#define MPI_SUBVERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers; LP64. */
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

/* Handles: opaque, and of a type of their own each, so that mixing them up is a type error. */
typedef struct anyrank_mpi_comm_ *MPI_Comm;
typedef struct anyrank_mpi_group_ *MPI_Group;
typedef struct anyrank_mpi_datatype_ *MPI_Datatype;
typedef struct anyrank_mpi_request_ *MPI_Request;
typedef struct anyrank_mpi_op_ *MPI_Op;
typedef struct anyrank_mpi_errhandler_ *MPI_Errhandler;
typedef struct anyrank_mpi_file_ *MPI_File;
typedef struct anyrank_mpi_info_ *MPI_Info;
typedef struct anyrank_mpi_win_ *MPI_Win;
typedef struct anyrank_mpi_message_ *MPI_Message;
typedef struct anyrank_mpi_session_ *MPI_Session;
typedef struct anyrank_mpi_t_enum_ *MPI_T_enum;
typedef struct anyrank_mpi_t_cvar_handle_ *MPI_T_cvar_handle;
typedef struct anyrank_mpi_t_pvar_handle_ *MPI_T_pvar_handle;
typedef struct anyrank_mpi_t_pvar_session_ *MPI_T_pvar_session;
typedef struct anyrank_mpi_t_event_registration_ *MPI_T_event_registration;
typedef struct anyrank_mpi_t_event_instance_ *MPI_T_event_instance;

typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int anyrank_internal[5];
} MPI_Status;
typedef struct MPI_F08_status {
    MPI_Fint MPI_SOURCE;
    MPI_Fint MPI_TAG;
    MPI_Fint MPI_ERROR;
    MPI_Fint anyrank_internal[5];
} MPI_F08_status;
"""

OLD_CALLBACKS = """\
/* Removed or deprecated names of callback types. */
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
"""

BOTTOM = """
#ifdef __cplusplus
}
#endif

#endif
"""


def declare(ctype, name):
    """A C declarator: ('int[]', 'x') -> 'int x[]'; ('const int[][3]', 'x') -> 'const int x[][3]'."""
    if ctype == "...":
        return "..."
    base, bracket, rest = ctype.partition("[")
    glue = "" if base.endswith("*") else " "
    return f"{base}{glue}{name}{bracket}{rest}"


def prototype(ret, name, params):
    inside = ", ".join(declare(p["ctype"], p["name"]) for p in params) or "void"
    return f"{declare(ret, name)}({inside});"


def constants(rows):
    lines = []
    enums = {}
    for row in rows:
        if row["ctype"] in ("int", "MPI_T_cb_safety", "MPI_T_source_order") and row["kind"] != "version":
            enums.setdefault(row["ctype"], []).append(row)
    for ctype, members in enums.items():
        lines.append("typedef enum {" if ctype != "int" else "enum {")
        lines += [f"    {m['name']} = {m['value']}," for m in members[:-1]]
        lines.append(f"    {members[-1]['name']} = {members[-1]['value']}")
        lines.append(f"}} {ctype};" if ctype != "int" else "};")
    lines.append("")
    externs = [r for r in rows if r["ctype"] not in enums and r["kind"] not in ("version", "function")]
    lines += [f"extern {declare(r['ctype'], r['name'])};" for r in externs]
    lines.append("")
    lines += [f"#define {r['name']} {r['name']}" for r in rows if r["kind"] != "version"]
    return lines


def header(rows, callbacks, functions, predefined):
    lines = [TOP, "/* Constants. */"] + constants(rows) + ["", "/* Callbacks. */"]
    lines += ["typedef " + prototype(c["ret"], c["name"], c["params"]) for c in callbacks]
    lines += [OLD_CALLBACKS]
    lines += [prototype(f["ret"], f["name"], f["params"]) for f in predefined]
    lines += ["", "#ifndef ANYRANK_MPI_NO_PROTOTYPES"]
    lines += [prototype(f["ret"], f["name"], f["params"]) for f in functions]
    lines += ["", "#ifndef ANYRANK_MPI_NO_PROFILING"]
    lines += [prototype(f["ret"], "P" + f["name"], f["params"]) for f in functions]
    lines += ["#endif", "#endif"]
    return "\n".join(lines) + "\n" + BOTTOM
