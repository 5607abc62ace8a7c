//! Random programs that are right for any number of processes, in the C of people who do not know of this tool: helper functions,
//! structs of neighbours, `switch`, `goto`, loops with `break`, parts of parts of a communicator.
//!
//! A program is a sequence of phases. Each is gone through by all members of a communicator, with tags of its own, and is written as
//! text; what surrounds it (a function, a loop, a part of the communicator, ...) is drawn as well.

mod exchange;
mod fan;
mod grid;
mod joint;

use std::collections::BTreeMap;

use crate::random::Random;

/// What programs may have in them, by name; all of it is written unless it is left out.
pub const FEATURES: [&str; 31] = [
    "ring",
    "line",
    "pairs",
    "mirror",
    "table",
    "tree",
    "cube",
    "sweep",
    "roles",
    "shifts",
    "all-to-all",
    "fan-out",
    "fan-in",
    "any-source",
    "answers",
    "probe",
    "lengths",
    "persistent",
    "partitioned",
    "derived",
    "told",
    "sparse",
    "collectives",
    "nonblocking-collectives",
    "v-collectives",
    "split",
    "dup",
    "grid",
    "cart",
    "transpose",
    "unsafe",
];

/// What to write.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Features that are left out.
    pub without: Vec<String>,
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// C text. It includes `mpi.h` and `stdlib.h`.
    pub text: String,
    /// The features that are in it, as often as they are.
    pub features: Vec<&'static str>,
}

/// Where a phase stands: C expressions for its communicator, the rank in it and its size.
#[derive(Clone, Debug)]
struct Scope {
    comm: String,
    rank: String,
    size: String,
    /// Parts of communicators around it.
    depth: usize,
}

struct Generator<'w> {
    random: Random,
    wish: &'w Wish,
    structs: BTreeMap<&'static str, &'static str>,
    functions: Vec<String>,
    names: usize,
    tags: usize,
    features: Vec<&'static str>,
}

/// Writes the program of a seed.
#[must_use]
pub fn generate(seed: u64, wish: &Wish) -> Generated {
    let mut generator = Generator {
        random: Random::new(seed),
        wish,
        structs: BTreeMap::new(),
        functions: Vec::new(),
        names: 0,
        tags: 0,
        features: Vec::new(),
    };
    let scope = Scope {
        comm: "MPI_COMM_WORLD".to_owned(),
        rank: "rank".to_owned(),
        size: "size".to_owned(),
        depth: 0,
    };
    let phases = 1 + generator.random.below(3);
    let body = generator.phases(&scope, phases);
    let structs: String =
        generator.structs.iter().map(|(name, fields)| format!("struct {name} {{ {fields} }};\n")).collect();
    let text = format!(
        "{structs}static int me;\n{}int main(int argc, char **argv)\n{{\nint rank, size;\nMPI_Init(&argc, &argv);\n\
         MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\nme = rank;\n{body}\
         MPI_Finalize();\nreturn 0;\n}}\n",
        generator.functions.concat()
    );
    let program = crate::parse::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Generated { text: crate::print::print(&program), features: generator.features }
}

impl Generator<'_> {
    /// A name that nothing else has.
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A tag that no other phase uses; the two behind it are not used either.
    fn tag(&mut self) -> usize {
        self.tags += 1;
        self.tags * 10
    }

    fn allows(&self, feature: &str) -> bool {
        !self.wish.without.iter().any(|left_out| left_out == feature)
    }

    fn note(&mut self, feature: &'static str) {
        assert!(FEATURES.contains(&feature), "{feature} has no entry");
        self.features.push(feature);
    }

    fn phases(&mut self, scope: &Scope, count: usize) -> String {
        (0..count).map(|_| self.surrounded(scope)).collect()
    }

    /// A phase in some surrounding.
    fn surrounded(&mut self, scope: &Scope) -> String {
        match self.random.below(10) {
            0..=2 => self.phase(scope),
            3 | 4 => self.in_function(scope),
            5 => self.in_rounds(scope),
            6 => self.behind_guard(scope),
            7 | 8 if scope.depth < 2 => self.in_part(scope),
            9 if scope.depth < 2 && self.allows("dup") => self.in_copy(scope),
            _ => self.phase(scope),
        }
    }

    fn in_function(&mut self, scope: &Scope) -> String {
        let function = self.name("phase");
        let inner =
            Scope { comm: "comm".to_owned(), rank: "r".to_owned(), size: "n".to_owned(), depth: scope.depth };
        if self.random.chance(50) {
            let body = self.phase(&inner);
            self.functions.push(format!(
                "static void {function}(MPI_Comm comm)\n{{\nint r, n;\nMPI_Comm_rank(comm, &r);\n\
                 MPI_Comm_size(comm, &n);\n{body}}}\n"
            ));
            format!("{function}({});\n", scope.comm)
        } else {
            self.structs.insert("place", "MPI_Comm comm; int rank; int size;");
            let inner = Scope {
                comm: "at->comm".to_owned(),
                rank: "at->rank".to_owned(),
                size: "at->size".to_owned(),
                depth: scope.depth,
            };
            let body = self.phase(&inner);
            self.functions.push(format!("static void {function}(const struct place *at)\n{{\n{body}}}\n"));
            let place = self.name("place");
            let Scope { comm, rank, size, .. } = scope;
            format!(
                "{{\nstruct place {place};\n{place}.comm = {comm};\n{place}.rank = {rank};\n{place}.size = {size};\n\
                 {function}(&{place});\n}}\n"
            )
        }
    }

    fn in_rounds(&mut self, scope: &Scope) -> String {
        let round = self.name("round");
        let rounds = 2 + self.random.below(2);
        let body = self.phase(scope);
        match self.random.below(4) {
            0 => format!("for (int {round} = 0; {round} < {rounds}; {round}++) {{\n{body}}}\n"),
            1 => format!(
                "int {round} = 0;\nwhile (1) {{\n{body}if (++{round} == {rounds}) {{ break; }}\n}}\n",
                body = body
            )
            .replace(
                &format!("if (++{round} == {rounds})"),
                &format!("{round}++;\nif ({round} == {rounds})"),
            ),
            2 => {
                let label = self.name("again");
                format!(
                    "int {round} = 0;\n{label}:\n{{\n{body}}}\n{round}++;\nif ({round} < {rounds}) {{ goto {label}; }}\n"
                )
            }
            _ => format!("int {round} = {rounds};\ndo {{\n{body}{round}--;\n}} while ({round} > 0);\n"),
        }
    }

    fn behind_guard(&mut self, scope: &Scope) -> String {
        let Scope { size, .. } = scope;
        let least = 1 + self.random.below(3);
        let body = self.phase(scope);
        match self.random.below(3) {
            0 => format!("if ({size} > {least}) {{\n{body}}}\n"),
            1 => format!("switch ({size}) {{\ncase 1:\nbreak;\ndefault:\n{{\n{body}}}\nbreak;\n}}\n"),
            _ => {
                let label = self.name("done");
                format!("if ({size} <= {least}) {{ goto {label}; }}\n{{\n{body}}}\n{label}:\n;\n")
            }
        }
    }

    /// In parts of the communicator.
    fn in_part(&mut self, scope: &Scope) -> String {
        if !self.allows("split") {
            return self.phase(scope);
        }
        self.note("split");
        let Scope { comm, rank, size, depth } = scope;
        let (part, r, n) = (self.name("part"), self.name("pr"), self.name("pn"));
        let inner = Scope { comm: part.clone(), rank: r.clone(), size: n.clone(), depth: depth + 1 };
        let colors = [
            format!("{rank} % 2"),
            format!("{rank} / 2"),
            format!("{rank} % 3"),
            format!("{rank} < {size} / 2"),
            format!("{rank} == 0 ? 7 : 3"),
            format!("{rank} == 0 ? MPI_UNDEFINED : 1"),
            format!("2 * {rank} < {size} ? 1 : MPI_UNDEFINED"),
            "0".to_owned(),
        ];
        let keys = [
            rank.clone(),
            "0".to_owned(),
            format!("-{rank}"),
            format!("{size} - {rank}"),
            format!("{rank} % 2"),
            format!("{rank} % 2 == 0 ? {rank} : {size} + {rank}"),
        ];
        let color = self.random.choose(&colors).clone();
        let key = self.random.choose(&keys).clone();
        let body = if self.random.chance(40) { self.surrounded(&inner) } else { self.phase(&inner) };
        let whole = format!(
            "int {r}, {n};\nMPI_Comm_rank({part}, &{r});\nMPI_Comm_size({part}, &{n});\n{body}MPI_Comm_free(&{part});\n"
        );
        let start = format!("MPI_Comm {part};\nMPI_Comm_split({comm}, {color}, {key}, &{part});\n");
        if color.contains("UNDEFINED") {
            format!("{start}if ({part} != MPI_COMM_NULL) {{\n{whole}}}\n")
        } else {
            format!("{{\n{start}{whole}}}\n")
        }
    }

    fn in_copy(&mut self, scope: &Scope) -> String {
        self.note("dup");
        let copy = self.name("copy");
        let inner = Scope { comm: copy.clone(), depth: scope.depth + 1, ..scope.clone() };
        let body = self.phase(&inner);
        format!("MPI_Comm {copy};\nMPI_Comm_dup({}, &{copy});\n{body}MPI_Comm_free(&{copy});\n", scope.comm)
    }

    fn phase(&mut self, scope: &Scope) -> String {
        let kinds: Vec<&'static str> = FEATURES
            .iter()
            .copied()
            .filter(|f| !matches!(*f, "split" | "dup" | "unsafe") && self.allows(f))
            .collect();
        let Some(kind) = (!kinds.is_empty()).then(|| *self.random.choose(&kinds)) else {
            return format!("MPI_Barrier({});\n", scope.comm);
        };
        self.note(kind);
        match kind {
            "ring" => self.ring(scope),
            "line" => self.line(scope),
            "pairs" => self.pairs(scope),
            "mirror" => self.mirror(scope),
            "table" => self.table(scope),
            "tree" => self.tree(scope),
            "cube" => self.cube(scope),
            "sweep" => self.sweep(scope),
            "roles" => self.roles(scope),
            "shifts" => self.shifts(scope),
            "all-to-all" => self.all_to_all(scope),
            "fan-out" => self.fan_out(scope),
            "fan-in" => self.fan_in(scope),
            "any-source" => self.any_source(scope),
            "answers" => self.answers(scope),
            "probe" => self.probe(scope),
            "lengths" => self.lengths(scope),
            "persistent" => self.persistent(scope),
            "partitioned" => self.partitioned(scope),
            "derived" => self.derived(scope),
            "told" => self.told(scope),
            "sparse" => self.sparse(scope),
            "v-collectives" => self.v_collective(scope),
            "nonblocking-collectives" => self.nonblocking_collective(scope),
            "grid" => self.grid(scope),
            "cart" => self.cart(scope),
            "transpose" => self.transpose(scope),
            _ => self.collective(scope),
        }
    }
}
