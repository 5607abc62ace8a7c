//! The rules on small C programs, through the whole frontend.
//!
//! A snippet marks the lines of its findings with `// ! RULE` comments (several ids may follow each other); everything
//! else must be silent.

use std::collections::BTreeSet;
use std::path::Path;

use analyzer::results::{Finding, Severity};
use analyzer::rules::{Rule, check_unit};
use frontend::ir::Unit;
use frontend::lower::{Options, lower};
use frontend::preprocess::{Request, preprocess};

fn unit(text: &str) -> Unit {
    let source = preprocess(&Request::new("test.c").with_text(text)).expect("text needs no file");
    let unit = lower(Path::new("test.c"), source, &Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    unit
}

fn findings(text: &str) -> Vec<Finding> {
    check_unit(&unit(text))
}

/// Checks the statements of a function's body against their marks.
fn check(body: &str) {
    check_file(&format!(
        "#include <mpi.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <stdint.h>\n#include <complex.h>\n\
         void f(int n, int rank, double *in, double *out, MPI_Comm comm, int argc, char **argv) {{\n{body}\n}}\n"
    ));
}

/// Checks a whole file against its marks.
fn check_file(text: &str) {
    let mut expected = BTreeSet::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        if let Some((_, ids)) = line.split_once("// ! ") {
            for id in ids.split_whitespace() {
                assert!(Rule::from_id(id).is_some(), "no rule {id}");
                expected.insert((number, id.to_owned()));
            }
        }
    }
    let found: BTreeSet<_> = findings(text).iter().map(|f| (f.range.line, f.rule.id().to_owned())).collect();
    assert_eq!(found, expected, "\n{}\n{:#?}", text, findings(text));
}

fn only(body: &str) -> Finding {
    let text = format!("#include <mpi.h>\n#include <stdlib.h>\nvoid f(int n, double *in) {{\n{body}\n}}\n");
    let mut found = findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

#[test]
fn ranks() {
    check(
        "MPI_Send(in, 1, MPI_DOUBLE, -1, 0, comm); // ! invalid-rank
         MPI_Send(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, comm); // ! invalid-rank
         MPI_Send(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, comm);
         MPI_Send(in, 1, MPI_DOUBLE, n, 0, comm);
         MPI_Recv(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
         MPI_Recv(in, 1, MPI_DOUBLE, MPI_ANY_TAG, 0, comm, MPI_STATUS_IGNORE); // ! invalid-rank
         MPI_Recv(in, 1, MPI_DOUBLE, MPI_ROOT, 0, comm, MPI_STATUS_IGNORE); // ! invalid-rank
         PMPI_Ssend(in, 1, MPI_DOUBLE, -3, 0, comm); // ! invalid-rank
         int left = rank - 1;
         if (rank == 0) left = MPI_PROC_NULL;
         MPI_Send(in, 1, MPI_DOUBLE, left, 0, comm);
         int wrong = n > 0 ? -1 : -2;
         MPI_Send(in, 1, MPI_DOUBLE, wrong, 0, comm); // ! invalid-rank
         if (n < 0) MPI_Send(in, 1, MPI_DOUBLE, n, 0, comm);
         for (int i = -3; i < 0; i++)
             MPI_Send(in, 1, MPI_DOUBLE, i, 0, comm); // ! invalid-rank
         for (int i = 3; i >= 0; i--)
             MPI_Send(in, 1, MPI_DOUBLE, i, 0, comm);",
    );
}

#[test]
fn roots() {
    check(
        "MPI_Bcast(in, 1, MPI_DOUBLE, -1, comm); // ! invalid-root
         MPI_Bcast(in, 1, MPI_DOUBLE, MPI_ROOT, comm);
         MPI_Bcast(in, 1, MPI_DOUBLE, MPI_ROOT, MPI_COMM_WORLD); // ! invalid-root
         MPI_Bcast(in, 1, MPI_DOUBLE, MPI_PROC_NULL, MPI_COMM_SELF); // ! invalid-root
         MPI_Bcast(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, comm); // ! invalid-root
         MPI_Bcast(in, 1, MPI_DOUBLE, n, comm);",
    );
}

#[test]
fn tags() {
    check(
        "enum { WORK = 7, BAD = -7 };
         MPI_Send(in, 1, MPI_DOUBLE, n, WORK, comm);
         MPI_Send(in, 1, MPI_DOUBLE, n, BAD, comm); // ! invalid-tag
         MPI_Send(in, 1, MPI_DOUBLE, n, MPI_ANY_TAG, comm); // ! invalid-tag
         MPI_Recv(in, 1, MPI_DOUBLE, n, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
         MPI_Recv(in, 1, MPI_DOUBLE, n, MPI_ANY_SOURCE, comm, MPI_STATUS_IGNORE); // ! invalid-tag
         MPI_Send(in, 1, MPI_DOUBLE, n, 100000, comm); // ! invalid-tag
         MPI_Send(in, 1, MPI_DOUBLE, n, n, comm);",
    );
    let note = only("MPI_Send(in, 1, MPI_DOUBLE, n, 40000, MPI_COMM_WORLD);");
    assert_eq!(note.severity, Severity::Note);
}

#[test]
fn counts() {
    check(
        "int size = 3;
         MPI_Bcast(in, size - 4, MPI_DOUBLE, 0, comm); // ! invalid-count
         MPI_Bcast(in, size - 3, MPI_DOUBLE, 0, comm);
         MPI_Bcast(in, n, MPI_DOUBLE, 0, comm);
         if (n < 0) MPI_Bcast(in, n, MPI_DOUBLE, 0, comm); // ! invalid-count
         MPI_Bcast(in, MPI_UNDEFINED, MPI_DOUBLE, 0, comm); // ! invalid-count
         MPI_Waitall(-1, MPI_STATUSES_IGNORE, MPI_STATUSES_IGNORE); // ! invalid-count",
    );
}

#[test]
fn buffers() {
    check(
        "MPI_Bcast(NULL, 1, MPI_DOUBLE, 0, comm); // ! invalid-buffer
         MPI_Bcast((void *)0, 1, MPI_DOUBLE, 0, comm); // ! invalid-buffer
         MPI_Bcast(NULL, 0, MPI_DOUBLE, 0, comm);
         MPI_Bcast(NULL, n, MPI_DOUBLE, 0, comm);
         MPI_Send(NULL, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, comm);
         MPI_Gather(in, 1, MPI_DOUBLE, NULL, 1, MPI_DOUBLE, 0, comm);
         MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_DOUBLE, 0, comm);
         MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, out, 1, MPI_DOUBLE, comm);
         MPI_Send(MPI_IN_PLACE, 1, MPI_DOUBLE, n, 0, comm); // ! invalid-buffer
         MPI_Recv(\"text\", 4, MPI_CHAR, n, 0, comm, MPI_STATUS_IGNORE); // ! invalid-buffer
         MPI_Send(\"text\", 4, MPI_CHAR, n, 0, comm);
         MPI_Send(MPI_BOTTOM, 1, MPI_INT, n, 0, comm); // ! invalid-buffer
         double *p = NULL, *q;
         if (n) p = in;
         MPI_Bcast(p, 1, MPI_DOUBLE, 0, comm);
         if (p == NULL) MPI_Bcast(p, 1, MPI_DOUBLE, 0, comm); // ! invalid-buffer
         MPI_Bcast(q, 1, MPI_DOUBLE, 0, comm); // ! invalid-buffer",
    );
}

#[test]
fn absolute_addresses_and_idle_origin_buffers_are_right() {
    check(
        "MPI_Aint at; MPI_Datatype absolute; MPI_Win win; int one = 1; double result;
         MPI_Get_address(in, &at);
         MPI_Type_create_hindexed(1, &one, &at, MPI_DOUBLE, &absolute);
         MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, comm);
         MPI_Win_allocate(8, 8, MPI_INFO_NULL, comm, &in, &win);
         MPI_Fetch_and_op(NULL, &result, MPI_DOUBLE, 0, 0, MPI_NO_OP, win);
         MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, &result, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_NO_OP, win);
         MPI_Fetch_and_op(NULL, &result, MPI_DOUBLE, 0, 0, MPI_SUM, win); // ! invalid-buffer",
    );
}

#[test]
fn handles() {
    check(
        "MPI_Comm c, null = MPI_COMM_NULL; MPI_Request r, some[3]; MPI_Datatype t; MPI_Win w; MPI_File file; int flag;
         MPI_Barrier(c); // ! invalid-communicator
         MPI_Barrier(null); // ! invalid-communicator
         MPI_Barrier(comm);
         MPI_Comm_split(comm, 0, 0, &c);
         MPI_Barrier(c);
         if (c == MPI_COMM_NULL) MPI_Barrier(c); // ! invalid-communicator
         else MPI_Comm_free(&c);
         MPI_Bcast(in, 1, t, 0, comm); // ! invalid-datatype
         MPI_Bcast(in, 1, sizeof(double), 0, comm); // ! invalid-datatype
         MPI_Wait(&r, MPI_STATUS_IGNORE); // ! invalid-request
         r = MPI_REQUEST_NULL;
         MPI_Wait(&r, MPI_STATUS_IGNORE);
         MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
         MPI_Cancel(&r); // ! invalid-request
         MPI_Waitall(3, some, MPI_STATUSES_IGNORE); // ! invalid-request
         for (int i = 0; i < 3; i++) MPI_Ibarrier(comm, &some[i]);
         MPI_Waitall(3, some, MPI_STATUSES_IGNORE);
         MPI_Win_fence(0, w); // ! invalid-window
         MPI_File_sync(file); // ! invalid-file
         MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
         MPI_Comm_set_name(comm, \"x\");
         MPI_Comm_c2f(MPI_COMM_NULL);",
    );
}

#[test]
fn handles_in_structs_arrays_and_behind_pointers() {
    check_file(
        "#include <mpi.h>
struct halo { double *buffer; MPI_Comm comm; MPI_Request request[2]; };
void fill(struct halo *halo);
void known(void) {
    struct halo halo;
    MPI_Barrier(halo.comm); // ! invalid-communicator
    fill(&halo);
    MPI_Barrier(halo.comm);
    MPI_Wait(&halo.request[0], MPI_STATUS_IGNORE);
}
void unknown(struct halo *halo) {
    MPI_Barrier(halo->comm);
    MPI_Wait(&halo->request[1], MPI_STATUS_IGNORE);
    halo->comm = MPI_COMM_NULL;
}
static MPI_Comm never = MPI_COMM_NULL;
static MPI_Comm later = MPI_COMM_NULL;
void set(MPI_Comm comm) { later = comm; }
void use(void) {
    MPI_Barrier(never); // ! invalid-communicator
    MPI_Barrier(later);
}
",
    );
}

#[test]
fn operations() {
    check(
        "MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_BAND, comm); // ! invalid-op
         MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, comm);
         MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_MINLOC, comm); // ! invalid-op
         MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_NO_OP, comm); // ! invalid-op
         MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_OP_NULL, comm); // ! invalid-op
         MPI_Datatype row; MPI_Op mine;
         MPI_Type_contiguous(2, MPI_DOUBLE, &row);
         MPI_Allreduce(in, out, 1, row, MPI_SUM, comm); // ! invalid-op
         MPI_Op_create((MPI_User_function *)f, 1, &mine);
         MPI_Allreduce(in, out, 1, row, mine, comm);
         MPI_Allreduce(in, out, 1, MPI_DOUBLE, mine, comm);",
    );
}

#[test]
fn buffer_types() {
    check(
        "int i, *ip = &i, **ipp = &ip; float f; long l; char c[8]; unsigned u; int64_t w; double complex z;
         struct { double v; int at; } pair; struct { int a, b; } ints; union { int i; float f; } either; void *any = in;
         MPI_Bcast(in, 1, MPI_FLOAT, 0, comm); // ! buffer-type
         MPI_Bcast((int *)in, 2, MPI_INT, 0, comm);
         MPI_Bcast((void *)in, 2, MPI_INT, 0, comm); // ! buffer-type
         MPI_Bcast(&i, 1, MPI_FLOAT, 0, comm); // ! buffer-type
         MPI_Bcast(ip, 1, MPI_INT, 0, comm);
         MPI_Bcast(ipp, 1, MPI_INT, 0, comm); // ! buffer-type
         MPI_Bcast(&u, 1, MPI_INT, 0, comm);
         MPI_Bcast(&l, 1, MPI_LONG_LONG, 0, comm);
         MPI_Bcast(&w, 1, MPI_LONG, 0, comm);
         MPI_Bcast(&l, 1, MPI_INT, 0, comm); // ! buffer-type
         MPI_Bcast(c, 2, MPI_INT, 0, comm);
         MPI_Bcast(&f, 4, MPI_BYTE, 0, comm);
         MPI_Bcast(&z, 2, MPI_DOUBLE, 0, comm);
         MPI_Bcast(&pair, 1, MPI_DOUBLE_INT, 0, comm);
         MPI_Bcast(&pair, 1, MPI_FLOAT_INT, 0, comm); // ! buffer-type
         MPI_Bcast(&ints, 1, MPI_2INT, 0, comm);
         MPI_Bcast(&ints, 2, MPI_INT, 0, comm);
         MPI_Bcast(&either, 1, MPI_FLOAT, 0, comm);
         MPI_Bcast(any, 1, MPI_INT, 0, comm);
         MPI_Bcast(in, n, MPI_CHAR, 0, comm); // ! buffer-type",
    );
    let note = only("MPI_Bcast(in, 80, MPI_CHAR, 0, MPI_COMM_WORLD);");
    assert_eq!(note.severity, Severity::Note);
}

#[test]
fn a_datatype_that_a_macro_chose_is_a_warning() {
    let plain = only("long x; MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);");
    assert_eq!((plain.rule, plain.severity), (Rule::BufferType, Severity::Error));
    let chosen =
        only("\n#define INDEX_TYPE MPI_INT\nlong x; MPI_Bcast(&x, 1, INDEX_TYPE, 0, MPI_COMM_WORLD);");
    assert_eq!((chosen.rule, chosen.severity), (Rule::BufferType, Severity::Warning));
}

#[test]
fn wrappers_have_their_own_numbers() {
    let text = "typedef int my_Comm; typedef int my_Datatype; typedef int my_Request;
int my_Send(void *, int, my_Datatype, int, int, my_Comm);
void f(double *x) {
    my_Send(x, 1, 17, -2, -1, 18);
    my_Send(x, -1, 17, -2, -1, 18);
}";
    let source = preprocess(&Request::new("test.c").with_text(text)).expect("text needs no file");
    let wrappers = [("my_Send".to_owned(), "MPI_Send".to_owned())].into_iter().collect();
    let found = check_unit(&lower(Path::new("test.c"), source, &Options { wrappers }));
    let places: Vec<_> = found.iter().map(|f| (f.rule, f.range.line)).collect();
    assert_eq!(places, [(Rule::InvalidCount, 5)]);
}

#[test]
fn overflows() {
    check(
        "double x[10], m[3][4]; int one; char name[16]; double *h = malloc(80), *k = calloc(10, sizeof *k); int len = 10;
         MPI_Bcast(x, 10, MPI_DOUBLE, 0, comm);
         MPI_Bcast(x, 11, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         MPI_Bcast(&x[9], 1, MPI_DOUBLE, 0, comm);
         MPI_Bcast(&x[9], 2, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         MPI_Bcast(m[1], 8, MPI_DOUBLE, 0, comm);
         MPI_Bcast(m[1], 9, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         MPI_Bcast(&one, 2, MPI_INT, 0, comm); // ! buffer-overflow
         MPI_Bcast(name, 17, MPI_CHAR, 0, comm); // ! buffer-overflow
         MPI_Bcast(h, len, MPI_DOUBLE, 0, comm);
         MPI_Bcast(h, len + 1, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         MPI_Bcast(k, 11, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         MPI_Bcast(x, n, MPI_DOUBLE, 0, comm);
         MPI_Allgather(&one, 1, MPI_INT, x, 30, MPI_INT, comm); // ! buffer-overflow buffer-type
         for (int i = 0; i < 10; i++) MPI_Bcast(&x[i], 1, MPI_DOUBLE, 0, comm);
         for (int i = 10; i < 20; i++) MPI_Bcast(&x[i], 1, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         double vla[len]; MPI_Bcast(vla, 12, MPI_DOUBLE, 0, comm); // ! buffer-overflow
         double any[n]; MPI_Bcast(any, 12, MPI_DOUBLE, 0, comm);",
    );
    let warning = only("int x[2]; MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
    assert_eq!((warning.rule, warning.severity), (Rule::BufferOverflow, Severity::Warning));
    assert!(
        warning.message.contains("12 bytes") && warning.message.contains("`x` has 8"),
        "{}",
        warning.message
    );
    assert_eq!(warning.related.len(), 1);
}

#[test]
fn aliases() {
    check(
        "double x[8];
         MPI_Allreduce(x, x, 4, MPI_DOUBLE, MPI_SUM, comm); // ! buffer-alias
         MPI_Allreduce(in, in, 4, MPI_DOUBLE, MPI_SUM, comm); // ! buffer-alias
         MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, comm);
         MPI_Allreduce(x, &x[4], 4, MPI_DOUBLE, MPI_SUM, comm);
         MPI_Allreduce(x, &x[3], 4, MPI_DOUBLE, MPI_SUM, comm); // ! buffer-alias
         MPI_Allreduce(in, in + 4, 4, MPI_DOUBLE, MPI_SUM, comm);
         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 1, MPI_DOUBLE, comm);
         MPI_Sendrecv(x, 1, MPI_DOUBLE, 0, 0, x, 1, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE); // ! buffer-alias
         MPI_Sendrecv(x, 1, MPI_DOUBLE, 0, 0, &x[1], 1, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
         if (rank == 0) MPI_Reduce(MPI_IN_PLACE, x, 4, MPI_DOUBLE, MPI_SUM, 0, comm);
         else MPI_Reduce(x, x, 4, MPI_DOUBLE, MPI_SUM, 0, comm);
         for (int i = 0; i < n; i++)
             MPI_Reduce(x, x, 4, MPI_DOUBLE, MPI_SUM, 0, comm); // ! buffer-alias
         MPI_Gather(&x[1], 1, MPI_DOUBLE, x, 1, MPI_DOUBLE, 0, comm);",
    );
}

#[test]
fn values_follow_pointers_and_forget_what_others_may_change() {
    check_file(
        "#include <mpi.h>
void change(int *);
void other(void);
int global = -1;
void f(int n, double *x, MPI_Comm comm) {
    int dest = -1, *p = &dest;
    MPI_Send(x, 1, MPI_DOUBLE, *p, 0, comm); // ! invalid-rank
    *p = 1;
    MPI_Send(x, 1, MPI_DOUBLE, dest, 0, comm);
    dest = -1;
    change(&dest);
    MPI_Send(x, 1, MPI_DOUBLE, dest, 0, comm);
    dest = -1;
    other();
    MPI_Send(x, 1, MPI_DOUBLE, dest, 0, comm);
    int mine = -1;
    other();
    MPI_Send(x, 1, MPI_DOUBLE, mine, 0, comm); // ! invalid-rank
    MPI_Send(x, 1, MPI_DOUBLE, global, 0, comm);
    global = -1;
    MPI_Send(x, 1, MPI_DOUBLE, global, 0, comm); // ! invalid-rank
    other();
    MPI_Send(x, 1, MPI_DOUBLE, global, 0, comm);
    int got = -1;
    MPI_Request r;
    MPI_Irecv(&got, 1, MPI_INT, 0, 0, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send(x, 1, MPI_DOUBLE, got, 0, comm);
    switch (n) {
    case 1: mine = 1; break;
    case 2: mine = 2; break;
    default: return;
    }
    MPI_Send(x, 1, MPI_DOUBLE, mine, 0, comm);
    goto end;
    MPI_Send(x, 1, MPI_DOUBLE, -1, 0, comm);
end:
    ;
}
",
    );
}

#[test]
fn a_finding_in_a_macro_points_at_its_use() {
    let text = "#include <mpi.h>\n#define SEND(to) MPI_Send(x, 1, MPI_DOUBLE, to, 0, comm)\n\
                void f(double *x, MPI_Comm comm) {\n    SEND(-1);\n}\n";
    let found = findings(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].rule, found[0].range.line), (Rule::InvalidRank, 4));
}
