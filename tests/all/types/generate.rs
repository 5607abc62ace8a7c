//! Random structs, and a program that sends arrays of them and compares every member.

use std::fmt::Write as _;

/// What was generated.
pub(crate) struct Generated {
    pub(crate) header: String,
    pub(crate) program: String,
    /// Type and designator of members that are scalars or arrays of them.
    pub(crate) members: Vec<(String, String)>,
}

/// xorshift64*: the same structs on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// What is in a struct, as designators.
#[derive(Clone, Default)]
struct Leaves {
    /// Compared byte by byte.
    bytes: Vec<String>,
    /// Compared by value.
    bits: Vec<String>,
    /// Those of `bytes` whose offset is asserted in the code for the struct itself.
    asserted: Vec<String>,
}

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long int",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "bool",
    "float complex",
    "double _Complex",
    "long double complex",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "enum color",
    "enum sign",
    "alias",
    "chained",
    "narrow",
    "low",
    "lower",
];

const DIMENSIONS: &[&str] =
    &["1", "2", "3", "5", "N", "N + 1", "M", "(M - N) * 2", "sizeof(short)", "1 << 2"];

/// Generates this many structs.
pub(crate) fn structs(count: usize, seed: u64) -> Generated {
    let mut random = Random(seed);
    let mut header = String::from(
        "#ifndef STRUCTS_H\n#define STRUCTS_H\n#include <complex.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
         #define N 2\nenum { M = N * 2 };\nenum color { RED, GREEN, BLUE = 7 };\nenum sign { MINUS = -1, PLUS = 1 };\n\
         typedef double alias;\ntypedef enum color hue;\ntypedef hue chained;\n\
         typedef int wide __attribute__((aligned(16))), narrow;\ntypedef wide grid;\n\
         typedef __attribute__((aligned(2))) double low;\ntypedef low lower[2];\n\n",
    );
    let mut known: Vec<(String, Leaves)> = Vec::new();
    let mut members = Vec::new();
    let mut body = String::new();
    for number in 0..count {
        let is_typedef = random.one_in(2);
        let (before, after) = match random.below(6) {
            0 => ("__attribute__((packed)) ", ""),
            1 => ("", " __attribute__((packed))"),
            2 => ("", " __attribute__((aligned(32)))"),
            _ => ("", ""),
        };
        let mut leaves = Leaves::default();
        let mut text = String::new();
        for member in 0..1 + random.below(9) {
            add_member(&mut random, member, &known, &mut text, &mut leaves);
        }
        let c_type = if is_typedef {
            let _ = writeln!(header, "typedef struct {before}{{\n{text}}}{after} T{number};\n");
            format!("T{number}")
        } else {
            let _ = writeln!(header, "struct {before}S{number} {{\n{text}}}{after};\n");
            format!("struct S{number}")
        };
        members.extend(leaves.asserted.iter().map(|member| (c_type.clone(), member.clone())));
        let name = c_type.trim_start_matches("struct ").to_owned();
        body.push_str(&check(&name, &c_type, &leaves));
        known.push((c_type, leaves));
    }
    header.push_str("#endif\n");
    let calls: String = known
        .iter()
        .map(|(c_type, _)| format!("    check_{}();\n", c_type.trim_start_matches("struct ")))
        .collect();
    let program = format!("{PROLOGUE}{body}{MAIN}{calls}{EPILOGUE}");
    Generated { header, program, members }
}

fn add_member(
    random: &mut Random,
    number: usize,
    known: &[(String, Leaves)],
    text: &mut String,
    leaves: &mut Leaves,
) {
    let name = format!("m{number}");
    let mut dimensions = String::new();
    for _ in 0..[0, 0, 0, 1, 1, 2, 3][random.below(7)] {
        let _ = write!(dimensions, "[{}]", random.pick(DIMENSIONS));
    }
    let (before, after) = match random.below(48) {
        0 => ("_Alignas(16) ", ""),
        1 => ("__attribute__((aligned(16))) ", ""),
        2 => ("", " __attribute__((aligned(16)))"),
        3 => ("_Alignas(long double) ", ""),
        4 => ("_Alignas(wide) ", ""),
        5 => ("", " __attribute__((aligned(sizeof(short) * M)))"),
        6 => ("", " __attribute__((packed))"),
        _ => ("", ""),
    };
    match random.below(14) {
        0 if !known.is_empty() => {
            let (c_type, inner) = &known[random.below(known.len())];
            // Structs within structs grow quickly.
            if 40 < inner.bytes.len() {
                return;
            }
            if random.one_in(2) {
                let _ = writeln!(text, "    {c_type} {name};");
                nest(leaves, &name, inner, true);
            } else {
                let _ = writeln!(text, "    {c_type} {name}[2];");
                nest(leaves, &format!("{name}[0]"), inner, false);
                nest(leaves, &format!("{name}[1]"), inner, false);
            }
        }
        1 => {
            let _ = writeln!(text, "    struct {{ short a; double b; char c; }} {name}[N];");
            for element in 0..2 {
                leaves.bytes.extend(["a", "b", "c"].map(|inner| format!("{name}[{element}].{inner}")));
            }
            leaves.asserted.push(name.clone());
        }
        2 => {
            let _ = writeln!(text, "    struct {{ char a{number}; long b{number}; }};");
            leaves.bytes.extend([format!("a{number}"), format!("b{number}")]);
            leaves.asserted.push(format!("b{number}"));
        }
        3 => {
            let _ = writeln!(text, "    union {{ char c[3]; float f; }} {name}{dimensions};");
            leaves.bytes.push(name.clone());
            leaves.asserted.push(name);
        }
        4 => {
            let width = 1 + random.below(20);
            let _ = writeln!(text, "    unsigned {name} : {width}{after};");
            if random.one_in(4) {
                let _ = writeln!(text, "    int : {};", random.below(5));
            }
            let _ = writeln!(text, "    int {name}s : {};", 1 + random.below(31));
            leaves.bits.extend([name.clone(), format!("{name}s")]);
        }
        5 => {
            // No compiler takes arrays of elements that are smaller than their alignment.
            let ty = random.pick(&["wide", "const wide", "__typeof__(wide)", "grid"]);
            let _ = writeln!(text, "    {before}{ty} {name}{after};");
            leaves.bytes.push(name.clone());
            leaves.asserted.push(name);
        }
        6 => {
            let ty = random.pick(SCALARS);
            let _ = writeln!(text, "    {before}{ty} {name}{dimensions}{after}, {name}x{after}, {name}y;");
            let names = [name.clone(), format!("{name}x"), format!("{name}y")];
            leaves.bytes.extend(names.clone());
            leaves.asserted.extend(names);
        }
        _ => {
            let ty = random.pick(SCALARS);
            let _ = writeln!(text, "    {before}{ty} {name}{dimensions}{after};");
            leaves.bytes.push(name.clone());
            leaves.asserted.push(name);
        }
    }
}

fn nest(leaves: &mut Leaves, prefix: &str, inner: &Leaves, asserted: bool) {
    let under =
        |names: &[String]| -> Vec<String> { names.iter().map(|name| format!("{prefix}.{name}")).collect() };
    leaves.bytes.extend(under(&inner.bytes));
    leaves.bits.extend(under(&inner.bits));
    if asserted {
        leaves.asserted.extend(under(&inner.asserted));
    }
}

/// A function that sends three of them with random bytes and compares what arrives with what was sent.
fn check(name: &str, c_type: &str, leaves: &Leaves) -> String {
    let mut text = format!(
        "static void check_{name}(void)\n{{\n    static {c_type} sent[3], got[3];\n    MPI_Aint low, extent;\n    int i;\n\n    \
         MPI_Type_get_extent(AutoMap_{name}, &low, &extent);\n    \
         if (low != 0 || extent != (MPI_Aint)sizeof({c_type})) fail(\"{name}\", \"extent\");\n    \
         fill(sent, sizeof sent);\n    transfer(sent, got, AutoMap_{name});\n    for (i = 0; i < 3; i++) {{\n"
    );
    for member in &leaves.bytes {
        let _ = writeln!(
            text,
            "        if (memcmp(&sent[i].{member}, &got[i].{member}, sizeof sent[i].{member})) fail(\"{name}\", \"{member}\");"
        );
    }
    for member in &leaves.bits {
        let _ = writeln!(
            text,
            "        if (sent[i].{member} != got[i].{member}) fail(\"{name}\", \"{member}\");"
        );
    }
    text.push_str("    }\n    checked++;\n}\n\n");
    text
}

const PROLOGUE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpitypes.h"

static int rank, checked;
static unsigned long long state = 88172645463325252ull;

/* Random bytes, the same on both ranks. */
static void fill(void *bytes, size_t size)
{
    size_t i;
    for (i = 0; i < size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((unsigned char *)bytes)[i] = (unsigned char)(state >> 32);
    }
}

static void fail(const char *type, const char *member)
{
    printf("rank %d: %s.%s differs\n", rank, type, member);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each rank gets what the other one sends, which is what it has itself. */
static void transfer(void *sent, void *got, MPI_Datatype type)
{
    MPI_Sendrecv(sent, 3, type, 1 - rank, 0, got, 3, type, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

"#;

const MAIN: &str = "int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (Build_MPI_Types() != MPI_SUCCESS) return 1;
    if (Build_MPI_Types() != MPI_SUCCESS) return 1;
";

const EPILOGUE: &str = "    if (Free_MPI_Types() != MPI_SUCCESS) return 1;
    if (rank == 0) printf(\"%d structs\\n\", checked);
    MPI_Finalize();
    return 0;
}
";
