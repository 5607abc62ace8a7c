//! Mutated programs: whatever the text, the preprocessor ends, does not fail, and its map tells the truth.

use frontend::preprocess::{Engine, EngineChoice, PreprocessError, Preprocessed, Request, preprocess};
use frontend::programs::Programs;

/// Texts that between them use every directive and every form of macro.
const SEEDS: &[&str] = &[
    "#include <mpi.h>\n#define N 10\n#define CHECK(call) do { int e = (call); if (e) abort(); } while (0)\n\
     int main(int argc, char **argv) {\n  CHECK(MPI_Init(&argc, &argv)); /* c */\n  for (int i = 0; i < N; i++)\n\
     \x20   CHECK(MPI_Send(&i, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD)); // tail\n  return 0;\n}\n",
    "#ifdef A\n#if B > 2 && defined(C)\nint a;\n#elif D == 'x'\nint b;\n#else\nint c;\n#endif\n#else\n#undef A\n\
     #define A(x, y...) x ## y #x , ## y\nA(1, 2, 3) A() A(\"s\\n\")\n#endif\n#line 12 \"q.c\"\n__LINE__ __FILE__\n",
    "#pragma pack(push, 1)\n#define EMPTY\n#define f(x) x + g\n#define g(x) f(x) EMPTY h\n#define h (1)\nf(2)(3) g g (f(h))\n\
     #define V(...) p(__VA_ARGS__) __VA_OPT__(v)\nV() V(1) V(1, f(2))\n#pragma pack(pop)\n_Pragma(\"once\") 'a' \"b\" .5e+3 0x1p-2\n",
    "int \\\nx\\\r\ny; /* \\\n */ ch\\\nar c = '\\''; %: define D <: :> <% %>\n%:define D <:\nD ??= caf\u{e9} \u{20ac} $a @ ` \\\n",
];

/// What mutations insert.
const PIECES: &[&str] = &[
    "#",
    "##",
    "(",
    ")",
    ",",
    "\n",
    "\"",
    "'",
    "\\",
    "\\\n",
    "/*",
    "*/",
    "//",
    "#if 1\n",
    "#else\n",
    "#endif\n",
    "#define f(",
    "f(",
    "A",
    "__VA_ARGS__",
    "__VA_OPT__(",
    "_Pragma(",
    "_Pragma(\"omp f(2) \\\" 'a' 1\")",
    "_Pragma(\"omp \\\")",
    "#pragma omp f(x) \"\\\n",
    "defined",
    "...",
    "\u{e9}",
    "#include \"a.c\"\n",
    "#include <stdio.h>\n",
    "__COUNTER__",
    "#line 4294967295\n",
    "#pragma push_macro(\"f\")\n",
    "\t",
    "\r\n",
    "0x",
    "1e+",
    "%:",
    "<:",
];

/// A small generator of numbers (Marsaglia's xorshift), so that every run is the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn mutate(text: &str, numbers: &mut Numbers) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(chars.len() + 1);
        match numbers.below(4) {
            0 => {
                let end = (at + numbers.below(12)).min(chars.len());
                chars.drain(at..end);
            }
            1 => {
                let end = (at + numbers.below(30)).min(chars.len());
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = numbers.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}

/// Checks that every name the user wrote in place is found where the map says.
fn check(unit: &Preprocessed, input: &str) {
    let text = &unit.text;
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let word = c.is_ascii_alphanumeric() || c == '_';
        match (start, word) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                start = None;
                let name = &text[begin..at];
                let place = unit.map.locate(begin as u32..at as u32);
                let source = unit
                    .map
                    .source(&place.file)
                    .unwrap_or_else(|| panic!("{input:?}: no file {}", place.file));
                let lines: Vec<&str> = source.split('\n').collect();
                assert!(place.line as usize <= lines.len(), "{input:?}: {name} at {place:?}");
                assert!(
                    (place.line, place.column) <= (place.end_line, place.end_column),
                    "{input:?}: {name} at {place:?}"
                );
                // Splices and non-ASCII neighbours are part of the token, not of the word. The compiler's output does
                // not tell every column.
                let plain = unit.engine == Engine::InProcess
                    && place.expansion.is_empty()
                    && place.line == place.end_line
                    && text.is_ascii();
                if plain && place.end_column - place.column == name.len() as u32 {
                    let found = lines[place.line as usize - 1]
                        .get(place.column as usize - 1..place.end_column as usize - 1);
                    assert_eq!(found, Some(name), "{input:?}: {place:?}");
                }
            }
            _ => {}
        }
    }
    // Places outside of the text are answered too.
    let _ = unit.map.locate(text.len() as u32..u32::MAX);
    let _ = unit.map.locate(u32::MAX..u32::MAX);
}

#[test]
fn mutated_programs_are_preprocessed_and_mapped() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..2_000 {
        let seed = SEEDS[round % SEEDS.len()];
        let mut text = mutate(seed, &mut numbers);
        if round % 3 == 0 {
            text = mutate(&text, &mut numbers);
        }
        let mut request = Request::new("mutant.c").with_text(&text);
        request.engine = EngineChoice::InProcess;
        match preprocess(&request) {
            Ok(unit) => check(&unit, &text),
            Err(error) => panic!("{text:?}: {error}"),
        }
    }
}

#[test]
fn every_prefix_of_a_program_is_preprocessed() {
    for seed in SEEDS {
        for (end, _) in seed.char_indices() {
            let mut request = Request::new("prefix.c").with_text(&seed[..end]);
            request.engine = EngineChoice::InProcess;
            match preprocess(&request) {
                Ok(unit) => check(&unit, &seed[..end]),
                Err(error) => panic!("{:?}: {error}", &seed[..end]),
            }
        }
    }
}

#[test]
fn mutated_programs_go_through_the_compiler_as_well() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc");
        return;
    }
    let programs = Programs::outside([], &[]);
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    for round in 0..60 {
        let text = mutate(SEEDS[round % SEEDS.len()], &mut numbers);
        let mut request = Request::new("mutant.c").with_text(&text);
        request.engine = EngineChoice::Compiler;
        request.programs = programs.clone();
        // The compiler may refuse a text; it must not be us who fail.
        match preprocess(&request) {
            Ok(unit) => check(&unit, &text),
            Err(PreprocessError::Compiler { .. }) => {}
            Err(error) => panic!("{text:?}: {error}"),
        }
    }
}
