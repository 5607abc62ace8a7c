//! Phases of collectives.

use super::{Generator, Scope};

impl Generator<'_> {
    fn root_of_all(&mut self, size: &str) -> String {
        match self.random.below(3) {
            0 => format!("{size} - 1"),
            _ => "0".to_owned(),
        }
    }

    pub(super) fn collective(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (x, y, all) = (self.name("x"), self.name("y"), self.name("all"));
        let root = self.root_of_all(size);
        let call = match self.random.below(11) {
            0 => format!("MPI_Bcast({x}, 2, MPI_INT, {root}, {comm});\n"),
            1 => format!("MPI_Reduce({x}, {y}, 2, MPI_INT, MPI_SUM, {root}, {comm});\n"),
            2 => format!("MPI_Allreduce({x}, {y}, 1, MPI_INT, MPI_MAX, {comm});\n"),
            3 => format!("MPI_Gather({x}, 1, MPI_INT, {all}, 1, MPI_INT, {root}, {comm});\n"),
            4 => format!("MPI_Scatter({all}, 1, MPI_INT, {x}, 1, MPI_INT, {root}, {comm});\n"),
            5 => format!("MPI_Allgather({x}, 1, MPI_INT, {all}, 1, MPI_INT, {comm});\n"),
            6 => format!("MPI_Alltoall({all}, 1, MPI_INT, {all} + {size}, 1, MPI_INT, {comm});\n"),
            7 => format!("MPI_Scan({x}, {y}, 1, MPI_INT, MPI_SUM, {comm});\n"),
            8 => format!(
                "if ({rank} == {root}) {{\nMPI_Bcast({y}, 2, MPI_INT, {root}, {comm});\n}} else {{\nMPI_Bcast({x}, 2, MPI_INT, {root}, {comm});\n}}\n"
            ),
            9 => {
                let rounds = self.name("rounds");
                format!(
                    "int {rounds} = {size};\nwhile ({rounds} > 1) {{\nMPI_Barrier({comm});\n{rounds} /= 2;\n}}\n"
                )
            }
            _ => {
                let sum = self.name("sum");
                format!(
                    "int {sum} = 0;\nMPI_Allreduce({x}, {sum_at}, 1, MPI_INT, MPI_SUM, {comm});\nif ({sum} > 2) {{\nMPI_Barrier({comm});\n}}\n",
                    sum_at = format_args!("&{sum}")
                )
            }
        };
        let mut start = String::new();
        for (array, first) in [(&x, 1), (&y, 0)] {
            if call.contains(array) {
                start += &format!("int {array}[2] = {{{first}}};\n");
            }
        }
        if call.contains(&all) {
            return format!(
                "{{\n{start}int *{all};\n{all} = calloc(2 * {size}, sizeof(int));\n{call}free({all});\n}}\n"
            );
        }
        format!("{{\n{start}{call}}}\n")
    }

    pub(super) fn nonblocking_collective(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (x, y, req) = (self.name("x"), self.name("y"), self.name("req"));
        let root = self.root_of_all(size);
        let one = |this: &mut Self, index: usize| match this.random.below(4) {
            0 => format!("MPI_Ibarrier({comm}, &{req}[{index}]);\n"),
            1 => format!("MPI_Ibcast(&{x}[{index}], 1, MPI_INT, {root}, {comm}, &{req}[{index}]);\n"),
            2 => format!(
                "MPI_Iallreduce(&{x}[{index}], &{y}[{index}], 1, MPI_INT, MPI_SUM, {comm}, &{req}[{index}]);\n"
            ),
            _ => format!(
                "MPI_Ireduce(&{x}[{index}], &{y}[{index}], 1, MPI_INT, MPI_SUM, {root}, {comm}, &{req}[{index}]);\n"
            ),
        };
        let both = one(self, 0) + &one(self, 1);
        let between = if self.random.chance(40) {
            let z = self.name("z");
            let tag = self.tag();
            format!(
                "int {z} = 0;\nif ({rank} == 0 && {size} > 1) {{\nMPI_Send(&{z}, 1, MPI_INT, 1, {tag}, {comm});\n}} else if ({rank} == 1) {{\n\
                 MPI_Recv(&{z}, 1, MPI_INT, 0, {tag}, {comm}, MPI_STATUS_IGNORE);\n}}\n"
            )
        } else {
            String::new()
        };
        let mut start = String::new();
        for array in [&x, &y] {
            if both.contains(array) {
                start += &format!("int {array}[2] = {{0}};\n");
            }
        }
        format!(
            "{{\n{start}MPI_Request {req}[2];\n{both}{between}MPI_Waitall(2, {req}, MPI_STATUSES_IGNORE);\n}}\n"
        )
    }

    /// Collectives with a length for each rank.
    pub(super) fn v_collective(&mut self, scope: &Scope) -> String {
        let Scope { comm, rank, size, .. } = scope;
        let (counts, displs, total, i, x, all) = (
            self.name("counts"),
            self.name("displs"),
            self.name("total"),
            self.name("i"),
            self.name("x"),
            self.name("all"),
        );
        let root = self.root_of_all(size);
        let rule = *self.random.choose(&["I % 3 + 1", "2", "I == 0 ? 3 : 1", "I % 2"]);
        let of = |index: &str| rule.replace('I', index);
        let start = format!(
            "int *{counts}, *{displs}, {total} = 0, {x}[4] = {{0}}, *{all};\n{counts} = malloc({size} * sizeof(int));\n\
             {displs} = malloc({size} * sizeof(int));\nfor (int {i} = 0; {i} < {size}; {i}++) {{\n{counts}[{i}] = {};\n\
             {displs}[{i}] = {total};\n{total} += {counts}[{i}];\n}}\n{all} = calloc({total} + 1, sizeof(int));\n",
            of(&i)
        );
        let end = format!("free({counts});\nfree({displs});\nfree({all});\n");
        let mine = if self.random.chance(50) { format!("{counts}[{rank}]") } else { of(rank) };
        let call = match self.random.below(4) {
            0 => format!(
                "MPI_Gatherv({x}, {mine}, MPI_INT, {all}, {counts}, {displs}, MPI_INT, {root}, {comm});\n"
            ),
            1 => format!(
                "MPI_Scatterv({all}, {counts}, {displs}, MPI_INT, {x}, {mine}, MPI_INT, {root}, {comm});\n"
            ),
            2 => {
                format!("MPI_Allgatherv({x}, {mine}, MPI_INT, {all}, {counts}, {displs}, MPI_INT, {comm});\n")
            }
            _ => {
                // Each gives to another what that one takes from it: the shorter of both.
                let (out, offsets, most, to) =
                    (self.name("out"), self.name("offsets"), self.name("most"), self.name("to"));
                let give = "(R + I) % 3".replace('R', rank).replace('I', &i);
                return format!(
                    "{{\nint *{out}, *{offsets}, *{to}, *{all}, {most} = 0;\n{out} = malloc({size} * sizeof(int));\n{offsets} = malloc({size} * sizeof(int));\n\
                     for (int {i} = 0; {i} < {size}; {i}++) {{\n{out}[{i}] = {give};\n{offsets}[{i}] = {most};\n{most} += {out}[{i}];\n}}\n\
                     {all} = calloc({most} + 1, sizeof(int));\n{to} = calloc({most} + 1, sizeof(int));\n\
                     MPI_Alltoallv({all}, {out}, {offsets}, MPI_INT, {to}, {out}, {offsets}, MPI_INT, {comm});\n\
                     free({out});\nfree({offsets});\nfree({to});\nfree({all});\n}}\n"
                );
            }
        };
        format!("{{\n{start}{call}{end}}}\n")
    }
}
