//! Phases on grids of processes.

use super::{Generator, Scope};

impl Generator<'_> {
    /// Rows and columns: C that declares both, and how many processes are in the grid.
    fn lengths_of_grid(&mut self, size: &str) -> (String, String, String) {
        let (rows, cols) = (self.name("rows"), self.name("cols"));
        let text = match self.random.below(3) {
            // The largest square.
            0 => format!(
                "int {cols} = 1;\nwhile (({cols} + 1) * ({cols} + 1) <= {size}) {{ {cols}++; }}\nint {rows} = {cols};\n"
            ),
            // All of them, as square as can be.
            1 => format!(
                "int {cols} = 1;\nfor (int d = 1; d * d <= {size}; d++) {{\nif ({size} % d == 0) {{ {cols} = d; }}\n}}\nint {rows} = {size} / {cols};\n"
            ),
            // Two columns.
            _ => format!("int {cols} = 2, {rows} = {size} / 2;\n"),
        };
        (text, rows, cols)
    }

    /// Exchanges between the four neighbours of a grid made by hand.
    pub(super) fn grid(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (text, rows, cols) = self.lengths_of_grid(size);
        let (row, col, x, y) = (self.name("row"), self.name("col"), self.name("x"), self.name("y"));
        let tag = self.tag();
        let (ty, datatype) = self.data();
        let mut body = String::new();
        let periodic = self.random.chance(30);
        let all: [(String, String); 2] = if periodic {
            [
                (
                    format!("{row} * {cols} + ({col} + 1) % {cols}"),
                    format!("{row} * {cols} + ({col} + {cols} - 1) % {cols}"),
                ),
                (
                    format!("({row} + 1) % {rows} * {cols} + {col}"),
                    format!("({row} + {rows} - 1) % {rows} * {cols} + {col}"),
                ),
            ]
        } else {
            [
                (
                    format!("{col} + 1 < {cols} ? {rank} + 1 : MPI_PROC_NULL"),
                    format!("{col} > 0 ? {rank} - 1 : MPI_PROC_NULL"),
                ),
                (
                    format!("{row} + 1 < {rows} ? {rank} + {cols} : MPI_PROC_NULL"),
                    format!("{row} > 0 ? {rank} - {cols} : MPI_PROC_NULL"),
                ),
            ]
        };
        for (index, (to, from)) in all.into_iter().enumerate() {
            let (a, b) = (self.name("to"), self.name("from"));
            body += &format!("int {a} = {to};\nint {b} = {from};\n");
            let tag = tag + index;
            body += &match self.random.below(3) {
                0 => format!(
                    "MPI_Sendrecv(&{x}, 1, {datatype}, {a}, {tag}, &{y}, 1, {datatype}, {b}, {tag}, {comm}, MPI_STATUS_IGNORE);\n"
                ),
                1 => {
                    let req = self.name("req");
                    format!(
                        "MPI_Request {req}[2];\nMPI_Irecv(&{y}, 1, {datatype}, {b}, {tag}, {comm}, &{req}[0]);\nMPI_Isend(&{x}, 1, {datatype}, {a}, {tag}, {comm}, &{req}[1]);\nMPI_Waitall(2, {req}, MPI_STATUSES_IGNORE);\n"
                    )
                }
                _ => format!(
                    "if ({row} >= 0) {{\nMPI_Sendrecv(&{x}, 1, {datatype}, {a}, {tag}, &{y}, 1, {datatype}, {b}, {tag}, {comm}, MPI_STATUS_IGNORE);\n\
                     MPI_Sendrecv(&{x}, 1, {datatype}, {b}, {tag}, &{y}, 1, {datatype}, {a}, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
                ),
            };
        }
        format!(
            "{{\n{text}if ({rank} < {rows} * {cols}) {{\nint {row} = {rank} / {cols}, {col} = {rank} % {cols};\n{ty} {x} = 0, {y} = 0;\n{body}}}\n}}\n"
        )
    }

    /// Rows become columns on a square.
    pub(super) fn transpose(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (q, row, col, other, x) =
            (self.name("q"), self.name("row"), self.name("col"), self.name("other"), self.name("x"));
        let tag = self.tag();
        format!(
            "int {q} = 1;\nwhile (({q} + 1) * ({q} + 1) <= {size}) {{ {q}++; }}\nif ({rank} < {q} * {q}) {{\nint {row} = {rank} / {q}, {col} = {rank} % {q};\n\
             int {other} = {col} * {q} + {row}, {x} = {rank};\nMPI_Sendrecv_replace(&{x}, 1, MPI_INT, {other}, {tag}, {other}, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
        )
    }

    /// A grid that MPI makes, and perhaps its rows.
    pub(super) fn cart(&mut self, scope: &Scope) -> String {
        let Scope { comm, size, .. } = scope;
        let (dims, periods, cart, left, right, x, y) = (
            self.name("dims"),
            self.name("periods"),
            self.name("cart"),
            self.name("left"),
            self.name("right"),
            self.name("x"),
            self.name("y"),
        );
        let tag = self.tag();
        let (text, rows, cols) = self.lengths_of_grid(size);
        let dimension = self.random.below(2);
        let (p, q) = (self.random.below(2), self.random.below(2));
        let exchange = format!(
            "int {left}, {right}, {x} = 0, {y} = 0;\nMPI_Cart_shift({cart}, {dimension}, 1, &{left}, &{right});\n\
             MPI_Sendrecv(&{x}, 1, MPI_INT, {right}, {tag}, &{y}, 1, MPI_INT, {left}, {tag}, {cart}, MPI_STATUS_IGNORE);\n"
        );
        let body = if self.random.chance(40) {
            let (remain, part, sum) = (self.name("remain"), self.name("row"), self.name("sum"));
            format!(
                "{exchange}int {remain}[2] = {{{}, {}}}, {sum} = 0;\nMPI_Comm {part};\nMPI_Cart_sub({cart}, {remain}, &{part});\n\
                 MPI_Allreduce(&{x}, &{sum}, 1, MPI_INT, MPI_SUM, {part});\nMPI_Comm_free(&{part});\n",
                dimension,
                1 - dimension
            )
        } else {
            exchange
        };
        let guard = format!("if ({cart} != MPI_COMM_NULL) {{\n{body}MPI_Comm_free(&{cart});\n}}\n");
        format!(
            "if ({size} > 1) {{\n{text}int {dims}[2], {periods}[2] = {{{p}, {q}}};\n{dims}[0] = {rows};\n{dims}[1] = {cols};\nMPI_Comm {cart};\n\
             MPI_Cart_create({comm}, 2, {dims}, {periods}, 0, &{cart});\n{guard}}}\n"
        )
    }
}
