//! Phases in which one process talks to all others, and all with all.

use super::{Generator, Scope};

impl Generator<'_> {
    /// A process that all others talk to, as an expression; all of a communicator have it.
    fn root(&mut self, size: &str) -> String {
        match self.random.below(4) {
            0 => format!("{size} - 1"),
            1 => format!("{size} / 2"),
            _ => "0".to_owned(),
        }
    }

    /// A loop over all ranks but the root, with this body.
    fn others(&mut self, i: &str, root: &str, size: &str, body: &str) -> String {
        match self.random.below(4) {
            0 => format!(
                "for (int {i} = 0; {i} < {size}; {i}++) {{\nif ({i} == {root}) {{ continue; }}\n{body}}}\n"
            ),
            1 => format!("for (int {i} = 0; {i} < {size}; {i}++) {{\nif ({i} != {root}) {{\n{body}}}\n}}\n"),
            2 => format!(
                "int {i} = 0;\nwhile (1) {{\nif ({i} >= {size}) {{ break; }}\nif ({i} != {root}) {{\n{body}}}\n{i}++;\n}}\n"
            ),
            _ if root == "0" => format!("for (int {i} = 1; {i} < {size}; {i}++) {{\n{body}}}\n"),
            _ => format!(
                "for (int {i} = {size} - 1; {i} >= 0; {i}--) {{\nif ({i} != {root}) {{\n{body}}}\n}}\n"
            ),
        }
    }

    pub(super) fn fan_out(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, x) = (self.name("i"), self.name("x"));
        let root = self.root(size);
        let (ty, datatype) = self.data();
        let tag = self.tag();
        let (given, wanted) = match self.random.below(3) {
            0 => (format!("{tag} + {i}"), format!("{tag} + {rank}")),
            _ => (tag.to_string(), tag.to_string()),
        };
        // The first tag of each phase is far enough from that of the next only for few processes.
        self.tags += 100;
        let function = *self.random.choose(&["MPI_Send", "MPI_Ssend"]);
        let call = format!("{function}({x}, 2, {datatype}, {i}, {given}, {comm});\n");
        let all = self.others(&i, &root, size, &call);
        format!(
            "{ty} {x}[2] = {{0}};\nif ({rank} == {root}) {{\n{all}}} else {{\n\
             MPI_Recv({x}, 2, {datatype}, {root}, {wanted}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
        )
    }

    pub(super) fn fan_in(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, x) = (self.name("i"), self.name("x"));
        let root = self.root(size);
        let (ty, datatype) = self.data();
        let tag = self.tag();
        let sent = 1 + self.random.below(3);
        let call = format!("MPI_Recv({x}, 3, {datatype}, {i}, {tag}, {comm}, MPI_STATUS_IGNORE);\n");
        let all = self.others(&i, &root, size, &call);
        format!(
            "{ty} {x}[3] = {{0}};\nif ({rank} != {root}) {{\nMPI_Send({x}, {sent}, {datatype}, {root}, {tag}, {comm});\n}} else {{\n{all}}}\n"
        )
    }

    /// As many messages from anybody as there are others.
    pub(super) fn any_source(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (left, x) = (self.name("left"), self.name("x"));
        let root = self.root(size);
        let tag = self.tag();
        let wanted = if self.random.chance(70) { tag.to_string() } else { "MPI_ANY_TAG".to_owned() };
        // Any tag may be one of the next phase.
        let end = if wanted == "MPI_ANY_TAG" { format!("MPI_Barrier({comm});\n") } else { String::new() };
        let start = end.clone();
        format!(
            "{start}int {x} = 0;\nif ({rank} == {root}) {{\nint {left} = {size} - 1;\nwhile ({left} > 0) {{\n\
             MPI_Recv(&{x}, 1, MPI_INT, MPI_ANY_SOURCE, {wanted}, {comm}, MPI_STATUS_IGNORE);\n{left}--;\n}}\n}} else {{\n\
             MPI_Send(&{x}, 1, MPI_INT, {root}, {tag}, {comm});\n}}\n{end}"
        )
    }

    /// Questions from anybody, each answered.
    pub(super) fn answers(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, x, status) = (self.name("i"), self.name("x"), self.name("status"));
        let (tag, answer) = (self.tag(), self.tag());
        format!(
            "int {x}[2] = {{0}};\nif ({rank} == 0) {{\nfor (int {i} = 1; {i} < {size}; {i}++) {{\nMPI_Status {status};\n\
             MPI_Recv({x}, 1, MPI_INT, MPI_ANY_SOURCE, {tag}, {comm}, &{status});\n\
             MPI_Send({x}, 2, MPI_INT, {status}.MPI_SOURCE, {answer}, {comm});\n}}\n}} else {{\n\
             MPI_Send({x}, 1, MPI_INT, 0, {tag}, {comm});\nMPI_Recv({x}, 2, MPI_INT, 0, {answer}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
        )
    }

    /// Messages whose lengths the receiver asks for.
    pub(super) fn probe(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, x, y, status, n) =
            (self.name("i"), self.name("x"), self.name("y"), self.name("status"), self.name("n"));
        let tag = self.tag();
        let source = if self.random.chance(50) { i.clone() } else { "MPI_ANY_SOURCE".to_owned() };
        let from = if source == i { source.clone() } else { format!("{status}.MPI_SOURCE") };
        let (find, take) = match self.random.below(3) {
            0 => (
                format!("MPI_Probe({source}, {tag}, {comm}, &{status});\n"),
                format!("MPI_Recv({y}, {n}, MPI_INT, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n"),
            ),
            1 => {
                let message = self.name("message");
                (
                    format!(
                        "MPI_Message {message};\nMPI_Mprobe({source}, {tag}, {comm}, &{message}, &{status});\n"
                    ),
                    format!("MPI_Mrecv({y}, {n}, MPI_INT, &{message}, MPI_STATUS_IGNORE);\n"),
                )
            }
            _ => {
                let flag = self.name("flag");
                (
                    format!(
                        "int {flag} = 0;\ndo {{\nMPI_Iprobe({source}, {tag}, {comm}, &{flag}, &{status});\n}} while (!{flag});\n"
                    ),
                    format!("MPI_Recv({y}, {n}, MPI_INT, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n"),
                )
            }
        };
        format!(
            "if ({rank} == 0) {{\nfor (int {i} = 1; {i} < {size}; {i}++) {{\nMPI_Status {status};\nint {n} = 0, *{y};\n{find}\
             MPI_Get_count(&{status}, MPI_INT, &{n});\n{y} = calloc({n} + 1, sizeof(int));\n{take}free({y});\n}}\n}} else {{\n\
             int {x}[4] = {{0}};\nMPI_Send({x}, {rank} % 4 + 1, MPI_INT, 0, {tag}, {comm});\n}}\n"
        )
    }

    /// Messages whose lengths depend on the rank, in room for each.
    pub(super) fn lengths(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, x) = (self.name("i"), self.name("x"));
        let function = self.name("length_of");
        let rule = *self.random.choose(&[
            "return rank % 3 + 1;\n",
            "if (rank > 2) { return 2; }\nreturn rank + 1;\n",
            "return rank == 0 ? 4 : 1;\n",
        ]);
        self.functions.push(format!("static int {function}(int rank)\n{{\n{rule}}}\n"));
        let tag = self.tag();
        let (mine, theirs) = (self.name("mine"), self.name("theirs"));
        if self.random.chance(50) {
            format!(
                "int {x}[4] = {{0}};\nint {mine} = {function}({rank});\nif ({rank} > 0) {{\n\
                 MPI_Send({x}, {mine}, MPI_INT, {rank} - 1, {tag}, {comm});\n}}\nif ({rank} + 1 < {size}) {{\n\
                 int {theirs} = {function}({rank} + 1);\nMPI_Recv({x}, {theirs}, MPI_INT, {rank} + 1, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
            )
        } else {
            format!(
                "int {x}[4] = {{0}}, {mine} = 0;\nif ({rank} == 0) {{\nfor (int {i} = 1; {i} < {size}; {i}++) {{\n\
                 int {theirs} = {function}({i});\nMPI_Send({x}, {theirs}, MPI_INT, {i}, {tag}, {comm});\n}}\n}} else {{\n\
                 {mine} = {function}({rank});\nMPI_Recv({x}, {mine}, MPI_INT, 0, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
            )
        }
    }

    /// Each with each at once, in an array of requests.
    pub(super) fn all_to_all(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (i, req, n, x, y) =
            (self.name("i"), self.name("req"), self.name("n"), self.name("x"), self.name("y"));
        let tag = self.tag();
        let (given, wanted) = if self.random.chance(30) {
            (format!("{tag} + {rank}"), format!("{tag} + {i}"))
        } else {
            (tag.to_string(), tag.to_string())
        };
        self.tags += 100;
        let waits = if self.random.chance(60) {
            format!("MPI_Waitall({n}, {req}, MPI_STATUSES_IGNORE);\n")
        } else {
            let (k, index) = (self.name("k"), self.name("index"));
            format!(
                "for (int {k} = 0; {k} < {n}; {k}++) {{\nint {index};\nMPI_Waitany({n}, {req}, &{index}, MPI_STATUS_IGNORE);\n}}\n"
            )
        };
        let two_loops = self.random.chance(50);
        let receive =
            format!("MPI_Irecv({y} + {i}, 1, MPI_INT, {i}, {wanted}, {comm}, &{req}[{n}]);\n{n}++;\n");
        let send = format!("MPI_Isend({x} + {i}, 1, MPI_INT, {i}, {given}, {comm}, &{req}[{n}]);\n{n}++;\n");
        let all = |body: &str| {
            format!(
                "for (int {i} = 0; {i} < {size}; {i}++) {{\nif ({i} == {rank}) {{ continue; }}\n{body}}}\n"
            )
        };
        let loops = if two_loops { all(&receive) + &all(&send) } else { all(&format!("{receive}{send}")) };
        format!(
            "{{\nMPI_Request *{req};\nint {n} = 0, *{x}, *{y};\n{req} = calloc(2 * {size}, sizeof(MPI_Request));\n\
             {x} = calloc({size}, sizeof(int));\n{y} = calloc({size}, sizeof(int));\n{loops}{waits}free({req});\nfree({x});\nfree({y});\n}}\n"
        )
    }

    /// Numbers that the root tells: a partner, or how many rounds there are.
    pub(super) fn told(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (x, k, y) = (self.name("x"), self.name("k"), self.name("y"));
        let tag = self.tag();
        let value = *self.random.choose(&["1", "2", "SIZE / 2", "SIZE - 1"]);
        let value = value.replace("SIZE", size);
        let start = format!(
            "int {x} = 0, {y} = 0;\nif ({rank} == 0) {{ {x} = {value}; }}\nMPI_Bcast(&{x}, 1, MPI_INT, 0, {comm});\n"
        );
        if self.random.chance(50) {
            format!(
                "{start}MPI_Sendrecv(&{rank_copy}, 1, MPI_INT, ({rank} + {x}) % {size}, {tag}, &{y}, 1, MPI_INT, ({rank} + {size} - {x} % {size}) % {size}, {tag}, {comm}, MPI_STATUS_IGNORE);\n",
                rank_copy = k
            )
            .replace("int x", "int x")
            .replacen(&start, &format!("{start}int {k} = {rank};\n"), 1)
        } else {
            format!(
                "{start}for (int {k} = 0; {k} < {x}; {k}++) {{\nif ({rank} == 0 && {size} > 1) {{\nMPI_Send(&{k}, 1, MPI_INT, {size} - 1, {tag}, {comm});\n\
                 }} else if ({rank} == {size} - 1 && {size} > 1) {{\nMPI_Recv(&{y}, 1, MPI_INT, 0, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n}}\n"
            )
        }
    }

    /// Who has something for whom is exchanged first.
    pub(super) fn sparse(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (give, take, i, req, n, x, y) = (
            self.name("give"),
            self.name("take"),
            self.name("i"),
            self.name("req"),
            self.name("n"),
            self.name("x"),
            self.name("y"),
        );
        let tag = self.tag();
        let rule =
            *self.random.choose(&["(R + I) % 2", "I > R", "I == R + 1 || R == I + 1", "(R * I) % 3 == 1"]);
        let rule = rule.replace('R', rank).replace('I', &i);
        format!(
            "{{\nint *{give}, *{take}, {n} = 0, {x} = 0, *{y};\nMPI_Request *{req};\n{give} = calloc({size}, sizeof(int));\n\
             {take} = calloc({size}, sizeof(int));\n{y} = calloc({size}, sizeof(int));\n{req} = calloc({size}, sizeof(MPI_Request));\n\
             for (int {i} = 0; {i} < {size}; {i}++) {{ {give}[{i}] = {rule}; }}\n\
             MPI_Alltoall({give}, 1, MPI_INT, {take}, 1, MPI_INT, {comm});\n\
             for (int {i} = 0; {i} < {size}; {i}++) {{\nif ({take}[{i}]) {{\nMPI_Irecv(&{y}[{i}], 1, MPI_INT, {i}, {tag}, {comm}, &{req}[{n}]);\n{n}++;\n}}\n}}\n\
             for (int {i} = 0; {i} < {size}; {i}++) {{\nif ({give}[{i}]) {{\nMPI_Send(&{x}, 1, MPI_INT, {i}, {tag}, {comm});\n}}\n}}\n\
             MPI_Waitall({n}, {req}, MPI_STATUSES_IGNORE);\nfree({give});\nfree({take});\nfree({y});\nfree({req});\n}}\n"
        )
    }
}
