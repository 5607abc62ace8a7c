//! The in-process preprocessor against the compiler's `-E`: the same tokens, from the same lines.
//!
//! Runs on the corpus and on the texts below where there is a `cc`. Programs of the corpus that include the same headers are put into one
//! text, because most of the time goes into the headers; `ANYRANK_DIFFERENTIAL=all` compares each program alone. With
//! `ANYRANK_DIFFERENTIAL_SOURCES` set to a list of directories separated by `:`, runs on every C file in them as well, with every
//! directory that has headers on the include path.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use frontend::discover::discover;
use frontend::preprocess::{EngineChoice, Preprocessed, Request, preprocess};
use frontend::programs::Programs;

fn have_compiler() -> bool {
    std::process::Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The words and punctuation of a text. Paths in `__FILE__` are shortened to the file's name: we take `./` and `x/..`
/// out of them, the compiler does not.
fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let first = bytes[at];
        at += 1;
        if first.is_ascii_whitespace() {
            continue;
        }
        let number = first.is_ascii_digit();
        if first.is_ascii_alphanumeric() || first == b'_' || first >= 0x80 {
            while at < bytes.len()
                && (bytes[at].is_ascii_alphanumeric()
                    || bytes[at] == b'_'
                    || bytes[at] >= 0x80
                    || (number && bytes[at] == b'.'))
            {
                at += 1;
            }
        } else if matches!(first, b'"' | b'\'') {
            while at < bytes.len() && bytes[at] != first {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
        }
        let word = &text[begin..at];
        let is_path = first == b'"' && [".c\"", ".h\""].iter().any(|end| word.ends_with(end));
        out.push(if is_path { word.rsplit('/').next().unwrap_or(word).to_owned() } else { word.to_owned() });
    }
    out
}

/// Why the two engines do not agree on a file, if they do not.
fn difference(request: &Request) -> Option<String> {
    let programs = Programs::outside([], &[]);
    let with = |engine| preprocess(&Request { engine, programs: programs.clone(), ..request.clone() });
    let (ours, theirs) = match (with(EngineChoice::InProcess), with(EngineChoice::Compiler)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        // A file that cannot be read is the same error for both.
        (Err(ours), Err(theirs)) if ours == theirs => return None,
        (ours, theirs) => return Some(format!("{:?} against {:?}", ours.err(), theirs.err())),
    };
    // The compiler knows nothing of assumptions.
    let (a, b) = (tokens(&ours.text[..ours.code_end as usize]), tokens(&theirs.text));
    if a != b {
        let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        let around = |list: &[String]| list[at.saturating_sub(5)..(at + 8).min(list.len())].join(" ");
        return Some(format!("token {at}: ours '{}', the compiler's '{}'", around(&a), around(&b)));
    }
    lines_differ(&ours, &theirs)
}

/// Compares the lines of the names that neither engine took out of a macro.
fn lines_differ(ours: &Preprocessed, theirs: &Preprocessed) -> Option<String> {
    let lines = |unit: &Preprocessed| -> Vec<(usize, u32, bool)> {
        let mut out = Vec::new();
        for (at, _) in unit.text.match_indices("return") {
            let place = unit.map.locate(at as u32..at as u32 + 6);
            out.push((place.file.len(), place.line, place.expansion.is_empty()));
        }
        out
    };
    let (a, b) = (lines(ours), lines(theirs));
    let wrong = a.iter().zip(&b).find(|(x, y)| x.2 && x.0 == y.0 && x.1 != y.1)?;
    Some(format!("a 'return' is on line {} for us and on {} for the compiler", wrong.0.1, wrong.1.1))
}

fn compare(files: &[PathBuf], includes: &[PathBuf]) {
    let mut failures = Vec::new();
    for file in files {
        let request = Request { includes: includes.to_vec(), ..Request::new(file) };
        if let Some(difference) = difference(&request) {
            failures.push(format!("{}: {difference}", file.display()));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} files differ:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

/// What stands behind a directive of this name, in order.
fn directives<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    lines.filter_map(|line| line.trim_start().strip_prefix(name)).map(str::trim).collect()
}

/// All directives up to the last header: what the headers define may depend on them.
fn preamble(text: &str) -> Vec<String> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with('#')).collect();
    let is_header = |line: &&str| line.starts_with("#include");
    lines.truncate(lines.iter().rposition(is_header).map_or(0, |last| last + 1));
    lines.into_iter().map(str::to_owned).collect()
}

/// Programs in groups that become one text each: those that include the same headers. What a program defines is undefined behind it, so
/// that the next one sees what the headers define and no more. A program that has something which could show that others are in front of
/// it is alone.
fn together(files: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    const ONE_TEXT: usize = 60;
    const ALONE: [&str; 8] =
        ["#include \"", "# include", "#line", "#error", "#undef", "__COUNTER__", "__INCLUDE_LEVEL__", "\\\n"];
    let all = std::env::var_os("ANYRANK_DIFFERENTIAL").is_some_and(|value| value == "all");
    let mut groups: BTreeMap<Vec<String>, Vec<PathBuf>> = BTreeMap::new();
    let mut alone = Vec::new();
    for file in files {
        match std::fs::read_to_string(file) {
            Ok(text) if !all && !ALONE.iter().any(|word| text.contains(word)) => {
                groups.entry(preamble(&text)).or_default().push(file.clone());
            }
            _ => alone.push(vec![file.clone()]),
        }
    }
    let several = groups.values().flat_map(|files| files.chunks(ONE_TEXT)).map(<[PathBuf]>::to_vec);
    several.chain(alone).collect()
}

/// The text of several files.
fn joined(files: &[PathBuf]) -> String {
    let mut out = String::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("it was read before");
        out += &text;
        out += "\n";
        for macros in directives(&text, "define") {
            let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            let name = macros.split(end).next().unwrap_or_default();
            out += &format!("#undef {name}\n");
        }
    }
    out
}

#[test]
fn the_corpus_gives_the_same_tokens() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    if !have_compiler() || !corpus.is_dir() {
        eprintln!("skipped: no cc or no corpus");
        return;
    }
    let found = discover(&[corpus], &[], Path::new(".")).unwrap();
    assert!(!found.files.is_empty());
    for files in together(&found.files) {
        if files.len() == 1 {
            compare(&files, &[]);
        } else if let Some(difference) = difference(&Request::new("programs.c").with_text(joined(&files))) {
            // One by one, to say which.
            compare(&files, &[]);
            panic!("together only: {difference}\n{files:?}");
        }
    }
}

#[test]
fn system_headers_and_tricky_macros_give_the_same_tokens() {
    if !have_compiler() {
        eprintln!("skipped: no cc");
        return;
    }
    let headers = [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fcntl.h",
        "fenv.h",
        "float.h",
        "inttypes.h",
        "iso646.h",
        "limits.h",
        "locale.h",
        "math.h",
        "omp.h",
        "pthread.h",
        "setjmp.h",
        "signal.h",
        "stdalign.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "strings.h",
        "sys/resource.h",
        "sys/stat.h",
        "sys/time.h",
        "sys/types.h",
        "tgmath.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "mpi.h",
    ];
    let includes: String = headers
        .iter()
        .map(|header| format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"))
        .collect();
    let names = "NULL EOF BUFSIZ RAND_MAX INT_MAX INT_MIN LONG_MAX UINT64_MAX SIZE_MAX PRId64 SCNu32 DBL_MAX DBL_EPSILON \
        FLT_MIN CHAR_BIT PATH_MAX EXIT_FAILURE INFINITY NAN M_PI HUGE_VAL errno EINTR stdin stdout stderr SEEK_SET \
        CLOCKS_PER_SEC CLOCK_MONOTONIC RUSAGE_SELF SIGINT O_RDONLY S_ISDIR(m) isnan(x) isfinite(x) fpclassify(x) sqrt(x) \
        va_arg(a, int) va_start(a, b) va_copy(a, b) offsetof(struct s, m) complex I bool true false and or not_eq \
        INT64_C(1) UINT64_C(1) assert(x > 0) static_assert setjmp(b) atomic_load(&x) ATOMIC_VAR_INIT(3) alignas(8) \
        PTHREAD_MUTEX_INITIALIZER _OPENMP __GNUC__ __STDC_VERSION__ __x86_64__ __linux__ __SIZEOF_POINTER__ \
        MPI_COMM_WORLD MPI_VERSION MPI_ANY_SOURCE MPI_STATUS_IGNORE WIFEXITED(s) FD_SETSIZE L_tmpnam";
    let conditions: String = [
        "__GNUC__ >= 4",
        "__STDC_VERSION__ >= 201112L",
        "defined(__has_attribute)",
        "__has_attribute(unused)",
        "__has_builtin(__builtin_expect)",
        "__SIZEOF_LONG__ == 8",
        "INT_MAX == 2147483647",
        "defined _POSIX_C_SOURCE",
        "__CHAR_BIT__ != 8",
        "defined(__OPTIMIZE__)",
        "__WORDSIZE == 64",
        "defined(__cplusplus)",
        "_POSIX_VERSION > 200000L",
    ]
    .iter()
    .map(|condition| format!("#if {condition}\nyes\n#else\nno\n#endif\n"))
    .collect();
    let macros = "#define EVAL(...) EVAL1(EVAL1(__VA_ARGS__))\n#define EVAL1(...) __VA_ARGS__\n#define EMPTY()\n\
        #define DEFER(x) x EMPTY()\n#define REPEAT(n) n DEFER(REPEAT_)()(n + 1)\n#define REPEAT_() REPEAT\n\
        EVAL(REPEAT(1))\n#define CAT(a, b) CAT_(a, b)\n#define CAT_(a, b) a ## b\nCAT(x, __LINE__) CAT(CAT(a, b), CAT(c, d))\n\
        #define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)\n#define COUNT_(a, b, c, d, e, n, ...) n\nCOUNT(x, y, z)\n\
        #define LINE() __LINE__\nLINE(\n) __LINE__ CAT(1,\n __LINE__)\n#define STR(x) #x\nSTR(  a   b \"c\\\\\" '\\0' ) STR(\\n)\n\
        #define self self->next\nself self\n#define obj() call(obj)\nobj()() obj\n#undef obj\nobj()\n\
        #define X(a) int a;\n#define LIST X(one) X(two)\nLIST\n#define gl(a, ...) f(a, ## __VA_ARGS__)\ngl(1) gl(1,) gl(,2) gl()\n";
    let text = format!("{includes}{conditions}{macros}int names[] = {{ {names} }};\n");
    for std in ["gnu17", "c99", "gnu89", "c11"] {
        let request =
            Request { std: Some(std.to_owned()), ..Request::new("tricky.c").with_text(text.clone()) };
        assert_eq!(difference(&request), None, "-std={std}");
    }
}

#[test]
fn real_sources_give_the_same_tokens() {
    let Ok(list) = std::env::var("ANYRANK_DIFFERENTIAL_SOURCES") else {
        eprintln!("skipped: ANYRANK_DIFFERENTIAL_SOURCES names no directories");
        return;
    };
    for directory in std::env::split_paths(&list) {
        let found = discover(std::slice::from_ref(&directory), &[], &directory).unwrap();
        let mut includes = BTreeSet::new();
        for entry in ignore::Walk::new(&directory).flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "h") {
                includes.extend(entry.path().parent().map(Path::to_path_buf));
            }
        }
        compare(&found.files, &Vec::from_iter(includes));
    }
}
