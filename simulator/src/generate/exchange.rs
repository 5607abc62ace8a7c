//! Phases in which processes exchange with neighbours.

use super::{Generator, Scope};

impl Generator<'_> {
    /// Type and datatype of data.
    pub(super) fn data(&mut self) -> (&'static str, &'static str) {
        if self.random.chance(60) { ("int", "MPI_INT") } else { ("double", "MPI_DOUBLE") }
    }

    /// Data to the one and data from the other, either of which may be `MPI_PROC_NULL`.
    fn give_and_take(&mut self, comm: &str, to: &str, from: &str) -> String {
        let (ty, datatype) = self.data();
        let count = 1 + self.random.below(4);
        let tag = self.tag();
        let (out, into, wait) = (self.name("out"), self.name("in"), self.name("req"));
        let start = format!("{ty} {out}[4] = {{1}}, {into}[4] = {{0}};\n");
        let send = |function: &str, rest: &str| {
            format!("{function}({out}, {count}, {datatype}, {to}, {tag}, {comm}{rest});\n")
        };
        let receive = |function: &str, rest: &str| {
            format!("{function}({into}, {count}, {datatype}, {from}, {tag}, {comm}{rest});\n")
        };
        let ignore = ", MPI_STATUS_IGNORE";
        let waited = format!("MPI_Wait(&{wait}, MPI_STATUS_IGNORE);\n");
        let request = format!("MPI_Request {wait};\n");
        let requests = format!("MPI_Request {wait}[2];\n");
        let (first, second) = (format!(", &{wait}[0]"), format!(", &{wait}[1]"));
        let all = format!("MPI_Waitall(2, {wait}, MPI_STATUSES_IGNORE);\n");
        let body = match self.random.below(if self.allows("unsafe") { 10 } else { 9 }) {
            0 => format!(
                "MPI_Sendrecv({out}, {count}, {datatype}, {to}, {tag}, {into}, {count}, {datatype}, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n"
            ),
            1 => request + &receive("MPI_Irecv", &format!(", &{wait}")) + &send("MPI_Send", "") + &waited,
            2 => requests + &receive("MPI_Irecv", &first) + &send("MPI_Isend", &second) + &all,
            3 => request + &send("MPI_Isend", &format!(", &{wait}")) + &receive("MPI_Recv", ignore) + &waited,
            4 => {
                return format!(
                    "{{\n{ty} {out}[4] = {{1}};\nMPI_Sendrecv_replace({out}, {count}, {datatype}, {to}, {tag}, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
                );
            }
            5 => request + &receive("MPI_Irecv", &format!(", &{wait}")) + &send("MPI_Ssend", "") + &waited,
            6 => {
                let flag = self.name("flag");
                request
                    + &receive("MPI_Irecv", &format!(", &{wait}"))
                    + &send("MPI_Send", "")
                    + &format!(
                        "int {flag} = 0;\nwhile (!{flag}) {{ MPI_Test(&{wait}, &{flag}, MPI_STATUS_IGNORE); }}\n"
                    )
            }
            7 => {
                let (index, k) = (self.name("index"), self.name("k"));
                requests
                    + &send("MPI_Isend", &first)
                    + &receive("MPI_Irecv", &second)
                    + &format!(
                        "for (int {k} = 0; {k} < 2; {k}++) {{\nint {index};\nMPI_Waitany(2, {wait}, &{index}, MPI_STATUS_IGNORE);\n}}\n"
                    )
            }
            8 => {
                let more = format!(", &{wait}[0]");
                requests
                    + &receive("MPI_Irecv", &more)
                    + &send("MPI_Issend", &second)
                    + &format!(
                        "MPI_Wait(&{wait}[1], MPI_STATUS_IGNORE);\nMPI_Wait(&{wait}[0], MPI_STATUS_IGNORE);\n"
                    )
            }
            _ => {
                self.note("unsafe");
                send("MPI_Send", "") + &receive("MPI_Recv", ignore)
            }
        };
        format!("{{\n{start}{body}}}\n")
    }

    /// A struct of two neighbours, filled by a function, and the exchange with them, there and back again or not.
    fn neighbours(&mut self, scope: &Scope, periodic: bool) -> String {
        let Scope { comm, rank, size, .. } = scope;
        self.structs.insert("peers", "int left; int right;");
        let function = self.name("peers_of");
        let step = 1 + self.random.below(2);
        let rules = if periodic {
            format!("p->right = (rank + {step}) % size;\np->left = (rank - {step} % size + size) % size;\n")
        } else {
            format!(
                "p->right = rank + {step} < size ? rank + {step} : MPI_PROC_NULL;\np->left = rank < {step} ? MPI_PROC_NULL : rank - {step};\n"
            )
        };
        self.functions
            .push(format!("static void {function}(struct peers *p, int rank, int size)\n{{\n{rules}}}\n"));
        let peers = self.name("peers");
        let start = format!("struct peers {peers};\n{function}(&{peers}, {rank}, {size});\n");
        let (left, right) = (format!("{peers}.left"), format!("{peers}.right"));
        let mut body = self.give_and_take(comm, &right, &left);
        if self.random.chance(50) {
            body += &self.give_and_take(comm, &left, &right);
        }
        format!("{start}{body}")
    }

    pub(super) fn ring(&mut self, scope: &Scope) -> String {
        self.neighbours(scope, true)
    }

    pub(super) fn line(&mut self, scope: &Scope) -> String {
        self.neighbours(scope, false)
    }

    pub(super) fn pairs(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let other = self.name("other");
        let partner = if self.random.chance(50) {
            format!("{rank} ^ 1")
        } else {
            format!("{rank} % 2 == 0 ? {rank} + 1 : {rank} - 1")
        };
        if self.random.chance(50) {
            let body = self.give_and_take(comm, &other, &other);
            return format!("int {other} = {partner};\nif ({other} < {size}) {{\n{body}}}\n");
        }
        let tag = self.tag();
        let x = self.name("x");
        format!(
            "int {other} = {partner}, {x}[2] = {{0}};\nif ({other} < {size} && {rank} % 2 == 0) {{\n\
             MPI_Send({x}, 2, MPI_INT, {other}, {tag}, {comm});\nMPI_Recv({x}, 1, MPI_INT, {other}, {tag}, {comm}, MPI_STATUS_IGNORE);\n\
             }} else if ({other} < {size}) {{\nMPI_Recv({x}, 2, MPI_INT, {other}, {tag}, {comm}, MPI_STATUS_IGNORE);\n\
             MPI_Send({x}, 1, MPI_INT, {other}, {tag}, {comm});\n}}\n"
        )
    }

    pub(super) fn mirror(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let other = self.name("other");
        let body = self.give_and_take(comm, &other, &other);
        format!("int {other} = {size} - 1 - {rank};\nif ({other} != {rank}) {{\n{body}}}\n")
    }

    /// Partners within blocks, out of a table.
    pub(super) fn table(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (table, base, other) = (self.name("table"), self.name("base"), self.name("other"));
        let entries = *self.random.choose(&["1, 0, 3, 2", "3, 2, 1, 0", "2, 3, 0, 1", "0, 3, 2, 1"]);
        let body = self.give_and_take(comm, &other, &other);
        format!(
            "static const int {table}[4] = {{{entries}}};\nint {base} = {rank} - {rank} % 4;\nif ({base} + 4 <= {size}) {{\n\
             int {other} = {base} + {table}[{rank} % 4];\n{body}}}\n"
        )
    }

    /// A broadcast along a binomial tree.
    pub(super) fn tree(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (mask, x) = (self.name("mask"), self.name("x"));
        let (ty, datatype) = self.data();
        let tag = self.tag();
        format!(
            "{ty} {x} = 0;\nfor (int {mask} = 1; {mask} < {size}; {mask} *= 2) {{\nif ({rank} < {mask}) {{\n\
             if ({rank} + {mask} < {size}) {{\nMPI_Send(&{x}, 1, {datatype}, {rank} + {mask}, {tag}, {comm});\n}}\n\
             }} else if ({rank} < 2 * {mask}) {{\nMPI_Recv(&{x}, 1, {datatype}, {rank} - {mask}, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n}}\n"
        )
    }

    /// Exchanges along the edges of the largest cube.
    pub(super) fn cube(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (corners, bit, other) = (self.name("corners"), self.name("bit"), self.name("other"));
        let body = self.give_and_take(comm, &other, &other);
        format!(
            "int {corners} = 1;\nwhile ({corners} * 2 <= {size}) {{ {corners} *= 2; }}\nif ({rank} < {corners}) {{\n\
             for (int {bit} = 1; {bit} < {corners}; {bit} <<= 1) {{\nint {other} = {rank} ^ {bit};\n{body}}}\n}}\n"
        )
    }

    /// From each to the next, one after the other.
    pub(super) fn sweep(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let x = self.name("x");
        let (ty, datatype) = self.data();
        let tag = self.tag();
        let (first, to, last, from) = if self.random.chance(60) {
            (
                format!("{rank} > 0"),
                format!("{rank} + 1"),
                format!("{rank} < {size} - 1"),
                format!("{rank} - 1"),
            )
        } else {
            (
                format!("{rank} < {size} - 1"),
                format!("{rank} - 1"),
                format!("{rank} != 0"),
                format!("{rank} + 1"),
            )
        };
        format!(
            "{ty} {x}[3] = {{0}};\nif ({first}) {{\nMPI_Recv({x}, 3, {datatype}, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n\
             {x}[0] += 1;\nif ({last}) {{\nMPI_Send({x}, 3, {datatype}, {to}, {tag}, {comm});\n}}\n"
        )
    }

    /// A chain of a few processes, each with its role.
    pub(super) fn roles(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let x = self.name("x");
        let tag = self.tag();
        format!(
            "if ({size} > 2) {{\nint {x}[2] = {{0}};\nswitch ({rank}) {{\ncase 0:\nMPI_Send({x}, 1, MPI_INT, 1, {tag}, {comm});\nbreak;\n\
             case 1:\nMPI_Recv({x}, 1, MPI_INT, 0, {tag}, {comm}, MPI_STATUS_IGNORE);\nMPI_Send({x}, 2, MPI_INT, {size} - 1, {tag}, {comm});\nbreak;\n\
             default:\nif ({rank} == {size} - 1) {{\nMPI_Recv({x}, 2, MPI_INT, 1, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\nbreak;\n}}\n}}\n"
        )
    }

    /// Each with each, at growing distances.
    pub(super) fn shifts(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (distance, to, from) = (self.name("d"), self.name("to"), self.name("from"));
        let body = self.give_and_take(comm, &to, &from);
        let limit = if self.random.chance(50) { size.clone() } else { format!("{size} / 2 + 1") };
        format!(
            "for (int {distance} = 1; {distance} < {limit}; {distance}++) {{\nint {to} = ({rank} + {distance}) % {size};\n\
             int {from} = ({rank} - {distance} + {size}) % {size};\n{body}}}\n"
        )
    }

    /// Persistent requests around a ring or along a line.
    pub(super) fn persistent(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (req, k, x, y) = (self.name("req"), self.name("k"), self.name("x"), self.name("y"));
        let (to, from) = (self.name("to"), self.name("from"));
        let tag = self.tag();
        let count = 1 + self.random.below(3);
        let partners = if self.random.chance(50) {
            format!("int {to} = ({rank} + 1) % {size}, {from} = ({rank} + {size} - 1) % {size};\n")
        } else {
            format!(
                "int {to} = {rank} + 1 < {size} ? {rank} + 1 : MPI_PROC_NULL, {from} = {rank} > 0 ? {rank} - 1 : MPI_PROC_NULL;\n"
            )
        };
        let inits = format!(
            "MPI_Recv_init({y}, {count}, MPI_INT, {from}, {tag}, {comm}, &{req}[0]);\nMPI_Send_init({x}, {count}, MPI_INT, {to}, {tag}, {comm}, &{req}[1]);\n"
        );
        let (start, end) = if self.random.chance(50) {
            (format!("MPI_Startall(2, {req});\n"), format!("MPI_Waitall(2, {req}, MPI_STATUSES_IGNORE);\n"))
        } else {
            (
                format!("MPI_Start(&{req}[0]);\nMPI_Start(&{req}[1]);\n"),
                format!("MPI_Wait(&{req}[0], MPI_STATUS_IGNORE);\nMPI_Wait(&{req}[1], MPI_STATUS_IGNORE);\n"),
            )
        };
        let rounds = 1 + self.random.below(3);
        format!(
            "{{\nMPI_Request {req}[2];\nint {x}[3] = {{0}}, {y}[3] = {{0}};\n{partners}{inits}\
             for (int {k} = 0; {k} < {rounds}; {k}++) {{\n{start}{end}}}\n\
             MPI_Request_free(&{req}[0]);\nMPI_Request_free(&{req}[1]);\n}}\n"
        )
    }

    /// Partitioned sends and receives to the next.
    pub(super) fn partitioned(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (out, into, x, y, k) =
            (self.name("out"), self.name("in"), self.name("x"), self.name("y"), self.name("k"));
        let tag = self.tag();
        let partitions = 2 + self.random.below(2);
        let ready = if self.random.chance(50) {
            format!("MPI_Pready_range(0, {partitions} - 1, {out});\n")
        } else {
            format!("for (int {k} = 0; {k} < {partitions}; {k}++) {{\nMPI_Pready({k}, {out});\n}}\n")
        };
        format!(
            "{{\nMPI_Request {out} = MPI_REQUEST_NULL, {into} = MPI_REQUEST_NULL;\nint {x}[6] = {{0}}, {y}[6] = {{0}};\n\
             if ({rank} > 0) {{\nMPI_Precv_init({y}, {partitions}, 2, MPI_INT, {rank} - 1, {tag}, {comm}, MPI_INFO_NULL, &{into});\nMPI_Start(&{into});\n}}\n\
             if ({rank} < {size} - 1) {{\nMPI_Psend_init({x}, {partitions}, 2, MPI_INT, {rank} + 1, {tag}, {comm}, MPI_INFO_NULL, &{out});\nMPI_Start(&{out});\n{ready}\
             MPI_Wait(&{out}, MPI_STATUS_IGNORE);\nMPI_Request_free(&{out});\n}}\n\
             if ({rank} > 0) {{\nMPI_Wait(&{into}, MPI_STATUS_IGNORE);\nMPI_Request_free(&{into});\n}}\n}}\n"
        )
    }

    /// Columns of a matrix to the next.
    pub(super) fn derived(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (column, x, y) = (self.name("column"), self.name("x"), self.name("y"));
        let tag = self.tag();
        let made = if self.random.chance(60) {
            format!("MPI_Type_vector(3, 1, 4, MPI_INT, &{column});\n")
        } else {
            format!("MPI_Type_contiguous(3, MPI_INT, &{column});\n")
        };
        let (to, from) = (format!("({rank} + 1) % {size}"), format!("({rank} + {size} - 1) % {size}"));
        let takes = if self.random.chance(50) { format!("1, {column}") } else { "3, MPI_INT".to_owned() };
        format!(
            "{{\nMPI_Datatype {column};\nint {x}[12] = {{0}}, {y}[12] = {{0}};\n{made}MPI_Type_commit(&{column});\n\
             MPI_Sendrecv({x}, 1, {column}, {to}, {tag}, {y}, {takes}, {from}, {tag}, {comm}, MPI_STATUS_IGNORE);\n\
             MPI_Type_free(&{column});\n}}\n"
        )
    }
}
