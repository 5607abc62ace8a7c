//! What a program of the corpus is put into, or how it is written otherwise.
//!
//! The text of a program stays as it is: it is included, with another name for its `main` and for `MPI_COMM_WORLD`, by a program around it.
//! So each line of it is analysed as it stands in `corpus/`.

/// A way to put a program into other surroundings, or to write it otherwise.
pub(crate) struct Surrounding {
    /// What the page calls it.
    pub(crate) name: &'static str,
    /// The kind that it is counted with.
    pub(crate) kind: Kind,
    /// Macros and functions that the text of the program is read with.
    pub(crate) before: &'static str,
    /// What makes `inner`, the communicator that the program has in place of `MPI_COMM_WORLD`.
    pub(crate) communicator: &'static str,
    /// What `main` does, where `RUN` is the program.
    pub(crate) body: &'static str,
    /// Only programs that call one of these are written otherwise; all, where there is none.
    pub(crate) calls: &'static [&'static str],
    /// Programs with one of these words are left out, with what they would be.
    pub(crate) without: &'static [&'static str],
}

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What is around the program.
    Surroundings,
    /// What its calls of MPI are.
    Modes,
    /// How it is written.
    Spelling,
}

const ALL: &str = "MPI_Comm_dup(MPI_COMM_WORLD, &inner);";
const PART: &str = "if (inner != MPI_COMM_NULL) RUN;";
const WILDCARDS: &[&str] = &["MPI_ANY_SOURCE", "MPI_ANY_TAG", "MPI_TAG", "robe"];

/// A surrounding in which the program is once, or in a loop.
const fn around(name: &'static str, communicator: &'static str, body: &'static str) -> Surrounding {
    Surrounding { name, kind: Kind::Surroundings, before: "", communicator, body, calls: &[], without: &[] }
}

/// A program whose calls are others.
const fn with(
    kind: Kind,
    name: &'static str,
    before: &'static str,
    calls: &'static [&'static str],
    without: &'static [&'static str],
) -> Surrounding {
    Surrounding { name, kind, before, communicator: ALL, body: "RUN;", calls, without }
}

/// All of them. A pair of two programs is another one.
pub(crate) const SURROUNDINGS: &[Surrounding] = &[
    around("in a loop of 3 rounds", ALL, "for (int again = 0; again < 3; again++) RUN;"),
    around("in a loop of `argc` rounds", ALL, "for (int again = 0; again < argc; again++) RUN;"),
    around(
        "in a loop until all agree",
        ALL,
        "int more = 1;\n    while (more) {\n        int here = rand() > 1000;\n        RUN;\n        \
         MPI_Allreduce(&here, &more, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);\n    }",
    ),
    around(
        "on even and on odd ranks",
        "MPI_Comm_split(MPI_COMM_WORLD, outer_rank % 2, outer_rank, &inner);",
        "RUN;",
    ),
    around(
        "on the lower half",
        "MPI_Comm_split(MPI_COMM_WORLD, outer_rank < (outer_size + 1) / 2 ? 0 : MPI_UNDEFINED, outer_rank, &inner);",
        PART,
    ),
    around(
        "on the upper half",
        "MPI_Comm_split(MPI_COMM_WORLD, outer_rank >= outer_size / 2 ? 0 : MPI_UNDEFINED, outer_rank, &inner);",
        PART,
    ),
    around(
        "on each row of a grid",
        "MPI_Comm_split(MPI_COMM_WORLD, outer_rank / 3, outer_rank, &inner);",
        "RUN;",
    ),
    around(
        "on ranks below 7, and on the others",
        "MPI_Comm_split(MPI_COMM_WORLD, outer_rank < 7, outer_rank, &inner);",
        "RUN;",
    ),
    around(
        "on a group of all but one",
        "MPI_Group everybody, most; int last = outer_size - 1;\n    MPI_Comm_group(MPI_COMM_WORLD, &everybody);\n    \
         MPI_Group_excl(everybody, outer_size > 1, &last, &most);\n    MPI_Comm_create(MPI_COMM_WORLD, most, &inner);",
        PART,
    ),
    around("with ranks reversed", "MPI_Comm_split(MPI_COMM_WORLD, 0, -outer_rank, &inner);", "RUN;"),
    around(
        "with ranks rotated",
        "MPI_Comm_split(MPI_COMM_WORLD, 0, (outer_rank + 1) % outer_size, &inner);",
        "RUN;",
    ),
    around("after a ring", ALL, "ring(outer_rank, outer_size);\n    RUN;"),
    around("before a ring", ALL, "RUN;\n    ring(outer_rank, outer_size);"),
    with(
        Kind::Modes,
        "with nonblocking sends",
        "#define MPI_Send(b, n, t, d, g, c) do { MPI_Request own_; MPI_Isend(b, n, t, d, g, c, &own_); \
         MPI_Wait(&own_, MPI_STATUS_IGNORE); } while (0)\n",
        &["MPI_Send("],
        &["PMPI_", "= MPI_Send(", "(MPI_Send("],
    ),
    with(Kind::Modes, "with synchronous sends", "#define MPI_Send MPI_Ssend\n", &["MPI_Send("], &[]),
    with(
        Kind::Modes,
        "with nonblocking receives",
        "#define MPI_Recv(b, n, t, s, g, c, st) do { MPI_Request own_; MPI_Irecv(b, n, t, s, g, c, &own_); \
         MPI_Wait(&own_, st); } while (0)\n",
        &["MPI_Recv("],
        &["= MPI_Recv(", "(MPI_Recv(", "robe"],
    ),
    with(
        Kind::Modes,
        "with `MPI_Sendrecv` as three calls",
        "#define MPI_Sendrecv(b, n, t, d, g, b2, n2, t2, s, g2, c, st) do { MPI_Request own_; \
         MPI_Irecv(b2, n2, t2, s, g2, c, &own_); MPI_Send(b, n, t, d, g, c); MPI_Wait(&own_, st); } while (0)\n",
        &["MPI_Sendrecv("],
        &["= MPI_Sendrecv(", "(MPI_Sendrecv("],
    ),
    with(
        Kind::Modes,
        "with other tags",
        "#define MPI_Send(b, n, t, d, g, c) MPI_Send(b, n, t, d, 2 * (g) + 1, c)\n\
         #define MPI_Ssend(b, n, t, d, g, c) MPI_Ssend(b, n, t, d, 2 * (g) + 1, c)\n\
         #define MPI_Isend(b, n, t, d, g, c, r) MPI_Isend(b, n, t, d, 2 * (g) + 1, c, r)\n\
         #define MPI_Recv(b, n, t, s, g, c, st) MPI_Recv(b, n, t, s, 2 * (g) + 1, c, st)\n\
         #define MPI_Irecv(b, n, t, s, g, c, r) MPI_Irecv(b, n, t, s, 2 * (g) + 1, c, r)\n",
        &["MPI_Recv(", "MPI_Irecv("],
        &[
            "MPI_ANY_TAG",
            "MPI_TAG",
            "robe",
            "MPI_Sendrecv",
            "_init(",
            "MPI_Issend",
            "MPI_Bsend",
            "MPI_Rsend",
            "MPI_Ibsend",
            "MPI_Irsend",
            "UB",
        ],
    ),
    with(
        Kind::Spelling,
        "with sends and receives in functions",
        "static int give(const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c) { return MPI_Send(b, n, t, d, g, c); }\n\
         static int take(void *b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status *st) { return MPI_Recv(b, n, t, s, g, c, st); }\n\
         #define MPI_Send give\n#define MPI_Recv take\n",
        &["MPI_Send(", "MPI_Recv("],
        &["give", "take"],
    ),
    with(
        Kind::Spelling,
        "with ranks and sizes out of a structure",
        "struct place_ { int rank_, size_; };\n\
         static struct place_ place_of(MPI_Comm c) { struct place_ p; MPI_Comm_rank(c, &p.rank_); MPI_Comm_size(c, &p.size_); return p; }\n\
         static void rank_of(MPI_Comm c, int *r) { struct place_ p = place_of(c); *r = p.rank_; }\n\
         static void size_of(MPI_Comm c, int *n) { struct place_ p = place_of(c); *n = p.size_; }\n\
         #define MPI_Comm_rank rank_of\n#define MPI_Comm_size size_of\n",
        &["MPI_Comm_rank("],
        &["= MPI_Comm_", "(MPI_Comm_rank", "rank_of", "size_of"],
    ),
    with(
        Kind::Spelling,
        "with conditions that are negated twice",
        "#define if(c) if (!(!(c)))\n",
        &["if ("],
        &[],
    ),
    with(Kind::Spelling, "with `switch` for `if`", "#define if(c) if (((c) ? 1 : 0) == 1)\n", &["if ("], &[]),
    with(
        Kind::Spelling,
        "with `for` for `while`",
        "#define while(c) for (; c;)\n",
        &["while ("],
        &["do {", "do\n"],
    ),
];

/// Words of programs that are in no surroundings at all: what they do is done once in a process.
pub(crate) const ONCE: &[&str] =
    &["MPI_Init_thread", "MPI_Session", "exit(", "atexit", "MPI_Abort(MPI_COMM_SELF", "MPI_File", "fork("];

impl Surrounding {
    /// A program with this text, in the file of this name, and the program around it: their files. `None` where there is none.
    pub(crate) fn put_around(&self, text: &str, file: &str) -> Option<[String; 2]> {
        let has = |word: &&str| text.contains(*word);
        if (!self.calls.is_empty() && !self.calls.iter().any(has)) || self.without.iter().any(has) {
            return None;
        }
        let body = self.body.replace("RUN", "program(argc, argv)");
        Some([unit(file, "program", self.before), main(self.communicator, &body)])
    }
}

/// The text of a file with another name for its `main`, on another communicator.
fn unit(file: &str, name: &str, before: &str) -> String {
    format!(
        "#include <mpi.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n#include <math.h>\n\n\
         extern MPI_Comm inner;\n{before}\
         #undef MPI_COMM_WORLD\n#define MPI_COMM_WORLD inner\n#define MPI_Init(a, b) MPI_SUCCESS\n\
         #define MPI_Finalize() MPI_SUCCESS\n#define main {name}\n#include \"{file}\"\n"
    )
}

fn main(communicator: &str, body: &str) -> String {
    format!(
        "#include <mpi.h>\n#include <stdlib.h>\n\nMPI_Comm inner;\nint program(int, char **);\n\n\
         static void ring(int rank, int size)\n{{\n    int x = 0, y;\n    \
         MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 99, &y, 1, MPI_INT, (rank + size - 1) % size, 99, \
         MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}}\n\n\
         int main(int argc, char **argv)\n{{\n    int outer_rank, outer_size;\n    MPI_Init(&argc, &argv);\n    \
         MPI_Comm_rank(MPI_COMM_WORLD, &outer_rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &outer_size);\n    \
         (void)ring;\n    {communicator}\n    {body}\n    if (inner != MPI_COMM_NULL) MPI_Comm_free(&inner);\n    \
         MPI_Finalize();\n    return 0;\n}}\n"
    )
}

/// One program after another one: their files, and that of `main`.
pub(crate) fn pair(first: &str, second: &str) -> [String; 3] {
    let driver = "#include <mpi.h>\n\nMPI_Comm inner;\nint first(int, char **);\nint second(int, char **);\n\n\
        int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    MPI_Comm_dup(MPI_COMM_WORLD, &inner);\n    \
        first(argc, argv);\n    second(argc, argv);\n    MPI_Comm_free(&inner);\n    MPI_Finalize();\n    return 0;\n}\n";
    [unit(first, "first", ""), unit(second, "second", ""), driver.to_owned()]
}

/// Programs that receive from any source are not put beside others that might send them something: the words.
pub(crate) fn may_take_others(text: &str) -> bool {
    WILDCARDS.iter().any(|word| text.contains(word))
}
