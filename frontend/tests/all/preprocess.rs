//! The preprocessor from the outside: text, places, diagnostics, bounds.

use std::path::{Path, PathBuf};

use frontend::preprocess::{
    Diagnostic, DiagnosticKind, Engine, EngineChoice, Location, MacroOption, PackPragma, PreprocessError,
    Preprocessed, Request, Severity, preprocess,
};
use frontend::programs::Programs;
use frontend::source::{Overlay, SourceError};

fn run(text: &str) -> Preprocessed {
    run_request(Request::new("a.c").with_text(text))
}

fn run_request(mut request: Request) -> Preprocessed {
    request.engine = EngineChoice::InProcess;
    preprocess(&request).unwrap()
}

/// The text with all white space as single blanks.
fn words(unit: &Preprocessed) -> String {
    unit.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without white space.
fn squeezed(text: &str) -> String {
    run(text).text.split_whitespace().collect()
}

/// Where the `n`th occurrence of `needle` in the text comes from.
fn locate_nth(unit: &Preprocessed, needle: &str, n: usize) -> Location {
    let (at, _) =
        unit.text.match_indices(needle).nth(n).unwrap_or_else(|| panic!("{needle} in {}", unit.text));
    unit.map.locate(at as u32..(at + needle.len()) as u32)
}

fn locate(unit: &Preprocessed, needle: &str) -> Location {
    locate_nth(unit, needle, 0)
}

fn place(location: &Location) -> (u32, u32, u32, u32) {
    (location.line, location.column, location.end_line, location.end_column)
}

fn names(location: &Location) -> Vec<&str> {
    location.expansion.iter().map(|m| m.name.as_str()).collect()
}

fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn problems(unit: &Preprocessed) -> Vec<String> {
    unit.diagnostics.iter().map(|d| format!("{}:{}: {}", d.line, d.column, d.message)).collect()
}

#[test]
fn what_the_user_wrote_keeps_its_place() {
    let unit = run("int main(void)\n{\n\tint count = 1; /* c */ count += 2;\n}\n");
    assert_eq!(words(&unit), "int main(void) { int count = 1; count += 2; }");
    assert_eq!(place(&locate(&unit, "count")), (3, 6, 3, 11));
    assert_eq!(place(&locate_nth(&unit, "count", 1)), (3, 25, 3, 30));
    let whole = unit.map.locate(0..unit.text.trim_end().len() as u32);
    assert_eq!((whole.line, whole.end_line, whole.end_column), (1, 4, 2));
    assert!(whole.expansion.is_empty());
}

#[test]
fn what_a_macro_produced_maps_to_its_use() {
    let unit = run("#define N 10\n#define SIZE (N * 2)\nint a[SIZE];\n");
    assert_eq!(words(&unit), "int a[ ( 10 * 2) ];");
    let ten = locate(&unit, "10");
    assert_eq!(place(&ten), (3, 7, 3, 11));
    assert_eq!(names(&ten), ["SIZE", "N"]);
    let (outer, inner) = (&ten.expansion[0], &ten.expansion[1]);
    assert_eq!((outer.usage.line, outer.usage.column), (3, 7));
    assert_eq!(outer.definition.as_ref().map(|d| (d.line, d.column)), Some((2, 9)));
    assert_eq!((inner.usage.line, inner.usage.column), (2, 15));
    assert_eq!(inner.definition.as_ref().map(|d| (d.line, d.column)), Some((1, 9)));
}

#[test]
fn an_argument_keeps_the_place_where_it_is_written() {
    let unit = run(
        "#define INNER(call) do { int e = call; (void) e; } while (0)\n#define CHECK(call) INNER(call)\n\
         void f(void) {\n  CHECK(MPI_Send(buf, n,\n                 type));\n}\n",
    );
    let call = locate(&unit, "MPI_Send");
    assert_eq!(place(&call), (4, 9, 4, 17));
    assert_eq!(names(&call), ["CHECK", "INNER"]);
    let at = unit.text.find("MPI_Send").unwrap() as u32;
    let end = (unit.text.find("type)").unwrap() + 5) as u32;
    assert_eq!(place(&unit.map.locate(at..end)), (4, 9, 5, 23), "the whole call, over two lines");
    let body = locate(&unit, "int e");
    assert_eq!(place(&body), (4, 3, 5, 24), "the body belongs to the use, arguments included");
}

#[test]
fn pasted_and_stringified_tokens_map_to_the_use() {
    let unit = run("#define CALL(name) MPI_ ## name(#name)\nvoid f(void) { CALL(Init); }\n");
    assert_eq!(words(&unit), "void f(void) { MPI_Init ( \"Init\" ) ; }");
    assert_eq!(place(&locate(&unit, "MPI_Init")), (2, 16, 2, 26));
    assert_eq!(place(&locate(&unit, "\"Init\"")), (2, 16, 2, 26));
}

#[test]
fn tokens_after_an_include_are_in_the_header() {
    let dir = directory(&[("a.c", "#include \"h.h\"\nint here;\n"), ("h.h", "\n  int there;\n")]);
    let path = dir.path().join("a.c");
    let unit = run_request(Request::new(&path));
    let there = locate(&unit, "there");
    assert_eq!(there.file, dir.path().join("h.h").display().to_string());
    assert_eq!(place(&there), (2, 7, 2, 12));
    assert_eq!(locate(&unit, "here;").file, there.file, "found inside of 'there'");
    assert_eq!(locate_nth(&unit, "here", 1).file, path.display().to_string());
    assert_eq!(unit.map.main_file(), path.display().to_string());
    let header = unit.map.files().find(|file| file.name == there.file).unwrap();
    assert_eq!(header.included_at, Some((path.display().to_string(), 1)));
    assert!(!header.system);
    assert!(unit.map.is_in_main_file(unit.text.rfind("here").unwrap() as u32));
    assert!(!unit.map.is_in_main_file(unit.text.find("there").unwrap() as u32));
}

#[test]
fn crlf_and_splices_do_not_shift_columns() {
    let unit = run("int a;\r\nint \\\r\n  b; lo\\\nng c;\r\n");
    assert_eq!(words(&unit), "int a; int b; long c;");
    assert_eq!(place(&locate(&unit, "b;")), (3, 3, 3, 5));
    assert_eq!(place(&locate(&unit, "long")), (3, 6, 4, 3));
}

#[test]
fn a_byte_order_mark_and_latin1_do_not_shift_columns() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.c");
    std::fs::write(&path, b"\xef\xbb\xbfint a; char *s = \"\xe9\"; int b;").unwrap();
    let unit = run_request(Request::new(&path));
    assert_eq!(place(&locate(&unit, "int a")), (1, 1, 1, 6));
    assert_eq!(place(&locate(&unit, "int b")), (1, 23, 1, 28));
}

#[test]
fn line_directives_are_presumed_not_followed() {
    let unit = run("int a;\n#line 100 \"gen.y\"\nint b;\nint c;\n# 7\nint d = __LINE__;\n");
    let c = locate(&unit, "int c");
    assert_eq!((c.file.as_str(), c.line), ("a.c", 4));
    let presumed = c.presumed.unwrap();
    assert_eq!((presumed.file.as_str(), presumed.line), ("gen.y", 101));
    assert_eq!(locate(&unit, "int d").presumed.unwrap().line, 7);
    assert!(unit.text.contains("= 7"));
    assert!(locate(&unit, "int a").presumed.is_none());
}

#[test]
fn system_headers_give_macros_and_no_text() {
    let unit = run(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <limits.h>\nint a = EOF + EXIT_FAILURE + INT_MAX;\n",
    );
    assert!(unit.diagnostics.is_empty(), "{:?}", unit.diagnostics);
    assert_eq!(unit.text.matches("int").count(), 1, "{}", unit.text);
    assert!(unit.text.contains("(-1)") && !unit.text.contains("INT_MAX"), "{}", unit.text);
    assert!(unit.map.files().any(|file| file.system && file.name.ends_with("stdio.h")));
}

#[test]
fn mpi_needs_no_installation_and_its_names_stay() {
    let unit = run(
        "#include \"mpi.h\"\n#ifndef MPI_COMM_WORLD\n#error no\n#endif\n#if MPI_VERSION < 3\n#error old\n#endif\n\
         MPI_Comm c = MPI_COMM_WORLD; int t = MPI_ANY_TAG;\n",
    );
    assert!(unit.diagnostics.is_empty(), "{:?}", unit.diagnostics);
    assert_eq!(squeezed("#include <mpi.h>\nMPI_Comm c = MPI_COMM_WORLD;"), "MPI_Commc=MPI_COMM_WORLD;");
    assert!(unit.text.contains("MPI_ANY_TAG"));
}

#[test]
fn assert_is_an_expression_and_honours_ndebug() {
    let text = "#include <assert.h>\nvoid f(int n) { assert(n > 0); }\n";
    assert!(
        squeezed(text).contains("((n>0)?(void)0:__assert_fail(\"n>0\",\"a.c\",2,__func__));"),
        "{}",
        squeezed(text)
    );
    assert!(squeezed(&format!("#define NDEBUG\n{text}")).contains("{((void)0);}"));
}

#[test]
fn a_missing_header_is_told_once_and_the_rest_goes_on() {
    let unit = run("#include \"gone.h\"\n#include <also/gone.h>\n#include \"gone.h\"\nint x;\n");
    assert_eq!(words(&unit), "int x;");
    let missing: Vec<_> = unit
        .diagnostics
        .iter()
        .map(|d| match &d.kind {
            DiagnosticKind::MissingInclude { header } => (header.as_str(), d.line, d.severity),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(missing, [("gone.h", 1, Severity::Warning), ("also/gone.h", 2, Severity::Warning)]);
}

#[test]
fn error_directives_are_told_and_the_rest_goes_on() {
    let unit =
        run("#if 0\n#error hidden\n#else\n#error \"no MPI\" at all\n#warning careful\n#endif\nint x;\n");
    assert_eq!(problems(&unit), ["4:1: #error: \"no MPI\" at all", "5:1: #warning: careful"]);
    assert_eq!(words(&unit), "int x;");
}

#[test]
fn include_order_is_that_of_the_compiler() {
    let dir = directory(&[
        ("src/a.c", "#include \"h.h\"\n#include <h.h>\n#include \"q.h\"\n"),
        ("src/h.h", "int beside;\n"),
        ("first/h.h", "int first;\n#include_next <h.h>\n"),
        ("second/h.h", "int second;\n"),
        ("quote/q.h", "int quoted;\n"),
        ("second/q.h", "int wrong;\n"),
    ]);
    let mut request = Request::new(dir.path().join("src/a.c"));
    request.directory = dir.path().to_path_buf();
    request.includes = vec!["first".into(), "second".into()];
    request.quote_includes = vec!["quote".into()];
    assert_eq!(words(&run_request(request)), "int beside; int first; int second; int quoted;");
}

#[test]
fn headers_are_read_as_often_as_they_ask_for() {
    let dir = directory(&[
        (
            "a.c",
            "#include \"guard.h\"\n#include \"./guard.h\"\n#include \"once.h\"\n#include \"sub/../once.h\"\n#include \"x.h\"\n#include \"x.h\"\n",
        ),
        ("guard.h", "#ifndef G\n#define G\nint guarded;\n#endif\n"),
        ("once.h", "#pragma once\nint once;\n"),
        ("x.h", "X()\n"),
        ("sub/y.h", ""),
    ]);
    assert_eq!(words(&run_request(Request::new(dir.path().join("a.c")))), "int guarded; int once; X() X()");
}

#[test]
fn defines_of_the_command_line_come_in_order() {
    let mut request = Request::new("a.c").with_text("A B C F(3)\n#ifdef D\n#error D\n#endif\n");
    request.macros =
        ["A", "B=2", "C=", "F(x)=[x]", "D=1"].map(|text| MacroOption::Define(text.to_owned())).to_vec();
    request.macros.push(MacroOption::Undef("D".to_owned()));
    let unit = run_request(request);
    assert_eq!(words(&unit), "1 2 [ 3 ]");
    assert!(unit.diagnostics.is_empty(), "{:?}", unit.diagnostics);
    let b = locate(&unit, "2");
    assert_eq!((names(&b), b.expansion[0].definition.clone()), (vec!["B"], None));
}

#[test]
fn forced_includes_come_first() {
    let dir = directory(&[("pre.h", "#define LATER 5\nint pre;\n"), ("a.c", "int a = LATER;\n")]);
    let mut request = Request::new(dir.path().join("a.c"));
    request.directory = dir.path().to_path_buf();
    request.forced_includes = vec!["pre.h".into(), "gone.h".into()];
    let unit = run_request(request);
    assert_eq!(words(&unit), "int pre; int a = 5 ;");
    assert_eq!(unit.diagnostics.len(), 1);
}

#[test]
fn dialects_differ_as_in_gcc() {
    let version = |std: &str| {
        let mut request = Request::new("a.c").with_text(
            "#ifdef __STDC_VERSION__\n__STDC_VERSION__\n#endif\n#ifdef __STRICT_ANSI__\nstrict\n#endif\n#ifdef _OPENMP\nomp\n#endif\n",
        );
        request.std = Some(std.to_owned());
        request.openmp = std == "gnu99";
        words(&run_request(request))
    };
    assert_eq!(version("c89"), "strict");
    assert_eq!(version("c99"), "199901L strict");
    assert_eq!(version("gnu99"), "199901L omp");
    assert_eq!(version("gnu11"), "201112L");
    assert_eq!(version("c2x"), "202000L strict");
}

#[test]
fn unsaved_text_counts_for_the_file_and_for_headers() {
    let dir = directory(&[("a.c", "int saved;\n"), ("h.h", "int old;\n")]);
    let path = dir.path().join("a.c");
    let mut overlay = Overlay::new();
    overlay.insert(&path, "#include \"h.h\"\nint unsaved;\n");
    overlay.insert(&dir.path().join("h.h"), "int new;\n");
    let unit = run_request(Request { overlay, ..Request::new(&path) });
    assert_eq!(words(&unit), "int new; int unsaved;");
    assert_eq!(words(&run_request(Request::new(&path))), "int saved;");
}

#[test]
fn an_edited_header_is_read_again() {
    let dir = directory(&[("a.c", "#include \"h.h\"\n"), ("h.h", "int one;\n")]);
    let request = Request::new(dir.path().join("a.c"));
    assert_eq!(words(&run_request(request.clone())), "int one;");
    std::fs::write(dir.path().join("h.h"), "int another;\n").unwrap();
    assert_eq!(words(&run_request(request)), "int another;");
}

#[test]
fn comments_for_anyrank_are_collected_from_user_files() {
    let dir = directory(&[
        (
            "a.c",
            "#include \"h.h\"\nint a; // anyrank: ignore[deadlock] on purpose\n#if 0\n// anyrank: dead\n#endif\n",
        ),
        ("h.h", "  /* anyrank: assume np == 4 */\nint h;\n"),
    ]);
    let unit = run_request(Request::new(dir.path().join("a.c")));
    let mut found: Vec<_> =
        unit.comments.iter().map(|c| (c.line, c.column, c.text.as_str(), c.alone)).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [(1, 6, "assume np == 4", true), (2, 11, "ignore[deadlock] on purpose", false), (4, 4, "dead", true)]
    );
}

#[test]
fn pragmas_leave_the_text_but_pack_is_kept() {
    let unit = run(
        "#pragma omp parallel\nint a; _Pragma(\"GCC ivdep\") int b;\n#pragma pack(push, 2)\nstruct s { int i; };\n#pragma pack(pop)\nint c;\n",
    );
    assert_eq!(words(&unit), "int a; int b; struct s { int i; }; int c;");
    let [push, pop] = unit.pack_pragmas[..] else { panic!("{:?}", unit.pack_pragmas) };
    let (s, c) = (unit.text.find("struct").unwrap() as u32, unit.text.find("int c").unwrap() as u32);
    assert!(push.limit == Some(2) && push.offset <= s && s < pop.offset && pop.offset <= c);
    assert_eq!(pop, PackPragma { offset: pop.offset, limit: None });
}

#[test]
fn openmp_pragmas_are_kept_beside_the_text() {
    let text = "#define N(x) ((x) + 1)\n#define TASK _Pragma(\"omp task depend(in : \\\"a\\\")\")\nint a;\n\
                # pragma omp parallel \\\n for num_threads(N(2))\nint b; TASK int c; _Pragma(\"GCC omp\")\n#pragma omp\n";
    let unit = run(text);
    assert_eq!(words(&unit), "int a; int b; int c;");
    let found: Vec<(&str, &str, bool)> = unit
        .openmp_pragmas
        .iter()
        .map(|p| (&*p.directive, unit.text[p.offset as usize..].trim(), p.in_arguments))
        .map(|(directive, rest, inside)| (directive, rest.lines().next().unwrap_or(""), inside))
        .collect();
    assert_eq!(
        found,
        [
            ("parallel for num_threads ( ( ( 2 ) + 1 ) )", "int b; int c;", false),
            ("task depend ( in : \"a\" )", "int c;", false),
            ("", "", false)
        ]
    );
    let mut request = Request::new("a.c").with_text(text);
    request.options_known = true;
    assert!(run_request(request).openmp_pragmas.is_empty());
}

#[test]
fn push_and_pop_restore_a_macro() {
    assert_eq!(
        squeezed(
            "#define X 1\n#pragma push_macro(\"X\")\n#undef X\n#define X 2\nX\n#pragma pop_macro(\"X\")\nX\n"
        ),
        "21"
    );
}

#[test]
fn builtin_macros_know_their_place() {
    let dir = directory(&[
        ("a.c", "#include \"h.h\"\n__FILE__ __LINE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__"),
        ("h.h", "__INCLUDE_LEVEL__ __BASE_FILE__\n"),
    ]);
    let path = dir.path().join("a.c");
    let unit = run_request(Request::new(&path));
    let own = path.display();
    assert_eq!(words(&unit), format!("1 \"{own}\" \"{own}\" 2 0 1 0"));
    assert_eq!(squeezed("#define L __LINE__\n\n L\n"), "3");
    assert_eq!(squeezed("#ifdef __FILE__\nyes\n#endif\n"), "yes");
}

#[test]
fn conditions_follow_the_standard() {
    for (condition, holds) in [
        ("1", true),
        ("0", false),
        ("UNKNOWN", false),
        ("!UNKNOWN", true),
        ("-1 < 0u", false),
        ("-1 < 0", true),
        ("(2 || 1/0)", true),
        ("0 && 1/0", false),
        ("1 ? 2 : 1/0", true),
        ("3 == 1 + 2 * 1", true),
        ("'a' == 97 && '\\n' == 10 && '\\x41' == 65 && '\\101' == 65", true),
        ("0x10 == 16 && 010 == 8 && 0b11 == 3", true),
        ("1 << 4 == 16", true),
        ("~0 == -1", true),
        ("(-7) / 2 == -3 && -7 % 2 == -1", true),
        ("18446744073709551615u == -1", true),
        ("defined X || defined(X)", false),
        ("DEFINED_X", false),
        ("defined __x86_64__ || defined __aarch64__", true),
        ("__has_include(<stddef.h>)", true),
        ("__has_include(\"gone.h\")", false),
        ("defined __has_include", true),
        ("__has_attribute(packed)", true),
        ("9223372036854775807 + 1 < 0", true),
        ("!!3 == 1", true),
        ("(1, 2) == 2", true),
        ("VERSION(1, 2) == 258", true),
    ] {
        let text = format!(
            "#define VERSION(a, b) (a * 256 + b)\n#define DEFINED_X defined(X)\n#if {condition}\nyes\n#else\nno\n#endif\n"
        );
        let unit = run(&text);
        assert_eq!(words(&unit) == "yes", holds, "{condition}: {:?}", unit.diagnostics);
        assert!(unit.diagnostics.is_empty(), "{condition}: {:?}", unit.diagnostics);
    }
    for condition in
        ["", "1 +", "(1", "1 2", "1.5", "1/0", "defined", "defined(", "? :", "f(3)", "\"s\"", "1 ? 2"]
    {
        let unit = run(&format!("#if {condition}\nyes\n#endif\nrest\n"));
        assert_eq!(words(&unit), "rest", "{condition}");
        assert_eq!(unit.diagnostics.len(), 1, "{condition}");
    }
}

#[test]
fn branches_are_taken_in_order() {
    let text = "#if A\na\n#elif B\nb\n#if C\nc\n#endif\n#elif C\nd\n#else\ne\n#endif\nend\n";
    let with = |defined: &[&str]| {
        let mut request = Request::new("a.c").with_text(text);
        request.macros = defined.iter().map(|name| MacroOption::Define((*name).to_owned())).collect();
        words(&run_request(request))
    };
    assert_eq!(with(&["A", "B"]), "a end");
    assert_eq!(with(&["B"]), "b end");
    assert_eq!(with(&["B", "C"]), "b c end");
    assert_eq!(with(&["C"]), "d end");
    assert_eq!(with(&[]), "e end");
    assert_eq!(squeezed("#ifdef A\na\n#elifndef B\nb\n#endif"), "b");
}

#[test]
fn unbalanced_conditionals_are_told_and_survived() {
    assert_eq!(problems(&run("int a;\n#endif\nint b;\n")), ["2:1: #endif without #if"]);
    assert_eq!(problems(&run("#else\nint b;\n")), ["1:1: #else or #elif without #if"]);
    assert_eq!(problems(&run("\n#if 1\nint b;\n")), ["2:1: conditional without #endif"]);
    assert_eq!(words(&run("#if 0\nint b;\n")), "");
    assert_eq!(
        problems(&run("#if 1\n#else\n#else\n#endif\n#frob\n")),
        ["5:1: unknown preprocessing directive"]
    );
}

#[test]
fn expansion_follows_the_standard() {
    let cases = [
        // C11 6.10.3.5, examples 3 and 5.
        (
            "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
             #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
             #define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
             p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
            "f(2*(y+1))+f(2*(f(2*(z[0]))))%f(2*(0))+t(1);f(2*(2+(3,4)-0,1))|f(2*(~5))&f(2*(0,1))^m(0,1);\
             inti[]={1,23,4,5,};charc[2][6]={\"hello\",\"\"};",
        ),
        (
            "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
            "intj[]={123,45,67,89,10,11,12,};",
        ),
        (
            "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define show(...) puts(#__VA_ARGS__)\ndebug(\"X = %d\\n\", x); show(The first, second, and third items.);",
            "fprintf(stderr,\"X=%d\\n\",x);puts(\"Thefirst,second,andthirditems.\");",
        ),
        (
            "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
            "charp[]=\"x##y\";",
        ),
        // Where the standard leaves room, as GCC.
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"),
        ("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"),
        ("#define A B\n#define B A\nA B", "AB"),
        ("#define LOG(fmt, ...) p(fmt, ## __VA_ARGS__)\nLOG(1) LOG(1,) LOG(1,2,3)", "p(1)p(1,)p(1,2,3)"),
        ("#define LOG(fmt, args...) p(fmt, ## args)\nLOG(1) LOG(1,2)", "p(1)p(1,2)"),
        ("#define L(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nL(1) L(1, 2)", "p(1)p(1,2)"),
        ("#define E\n#define C(a,b) a##b\nC(E,x) C(x,E) -E-", "ExxE--"),
        ("#define f(x) x\nf\n(1) f", "1f"),
        ("#define S(x) #x\nS(\"a\\n\" 'b\"' \\ )", "\"\\\"a\\\\n\\\"'b\\\"'\""),
        ("#define f(x, y) x y\nf((1, 2), [3)", "(1,2)[3"),
        ("#define EMPTY\n#define LP (\n#define f(x) <x>\nf EMPTY (1) f LP 1)", "f(1)f(1)"),
    ];
    for (text, expected) in cases {
        assert_eq!(squeezed(text), expected, "{text}");
    }
}

#[test]
fn directives_inside_arguments_are_run() {
    assert_eq!(squeezed("#define f(a, b) a + b\nf(1,\n#ifdef NOPE\n2\n#else\n3\n#endif\n)"), "1+3");
}

#[test]
fn tokens_never_run_into_one() {
    assert_eq!(
        words(&run("#define M -\n#define P(x) x\n-M-P(-)P(a)P(b)P(1)P(.)P(2)\n")),
        "- - - - a b 1 . 2"
    );
}

#[test]
fn broken_macro_uses_are_told_and_the_text_is_kept() {
    let unit = run("#define two(a, b) a b\nint x = two(1);\nint y;\n");
    assert_eq!(problems(&unit), ["2:9: macro 'two' takes 2 arguments, 1 given"]);
    assert!(words(&unit).ends_with("int y;"));
    let unit = run("#define f(a) a\nint x = f(1;\nint y;\n");
    assert_eq!(problems(&unit), ["2:9: unterminated argument list of macro 'f'"]);
    assert!(words(&unit).contains("int y;"), "{}", unit.text);
    assert_eq!(
        problems(&run("#define cat(a, b) a ## b\ncat(+, x)\n")),
        ["2:10: pasting '+x' does not give one token"]
    );
    assert_eq!(problems(&run("#define 1\n")), ["1:1: #define without a macro name"]);
    assert_eq!(problems(&run("#define A 1\n#define A 1\n#define A 2\n")).len(), 1);
}

#[test]
fn unusable_files_are_typed_errors() {
    let dir = directory(&[("empty.c", ""), ("bin.c", "int x;\0\0")]);
    let fail = |path: PathBuf| match preprocess(&Request::new(path)) {
        Err(PreprocessError::Source(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(fail(dir.path().join("bin.c")), SourceError::Binary { offset: 6, .. }));
    assert!(matches!(fail(dir.path().join("gone.c")), SourceError::NotFound { .. }));
    assert!(matches!(fail(dir.path().to_path_buf()), SourceError::NotAFile { .. }));
    let huge = dir.path().join("huge.c");
    std::fs::File::create(&huge).unwrap().set_len(50_000_000).unwrap();
    assert!(matches!(fail(huge), SourceError::TooLarge { bytes: 50_000_000, .. }));
    let empty = run_request(Request::new(dir.path().join("empty.c")));
    assert_eq!((empty.text.as_str(), empty.map.locate(0..0).line), ("", 1));
}

#[test]
fn an_unusable_header_is_told_and_the_rest_goes_on() {
    let dir = directory(&[("a.c", "#include \"bin.h\"\nint x;\n"), ("bin.h", "\0")]);
    let unit = run_request(Request::new(dir.path().join("a.c")));
    assert_eq!(words(&unit), "int x;");
    assert_eq!(unit.diagnostics[0].kind, DiagnosticKind::UnusableInclude);
    assert_eq!(unit.diagnostics[0].line, 1);
}

fn limits(unit: &Preprocessed) -> Vec<&Diagnostic> {
    unit.diagnostics.iter().filter(|d| d.kind == DiagnosticKind::Limit).collect()
}

#[test]
fn bombs_are_bounded() {
    let mut doubling = String::from("#define A0 x x\n");
    for n in 1..40 {
        doubling.push_str(&format!("#define A{n} A{m} A{m}\n", m = n - 1));
    }
    let unit = run(&format!("{doubling}A39\nA39\nint rest;\n"));
    assert_eq!(limits(&unit).len(), 1);
    assert!(unit.text.ends_with("int rest;\n"));

    let nested = format!("#define f(x) x\n{}1{}\nint rest;\n", "f(".repeat(20_000), ")".repeat(20_000));
    assert!(run(&nested).text.ends_with("int rest;\n"));

    let open = format!("#define f(x) x\n{}\n", "f(".repeat(20_000));
    assert!(!run(&open).diagnostics.is_empty());

    let parentheses = format!("#if {}1{}\n#endif\nrest\n", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(words(&run(&parentheses)), "rest");
    let unary = format!("#if {}1\nyes\n#endif\n", "!".repeat(100_000));
    assert_eq!(words(&run(&unary)), "yes");
    let ternary = format!("#if {}1\n#endif\nrest\n", "1 ? 1 : ".repeat(100_000));
    assert_eq!(words(&run(&ternary)), "rest");

    let strings = format!(
        "#define S(x) #x\n#define T(x) S(x) S(x)\n#define U(x) T(x) T(x)\nU({})\n",
        "a ".repeat(50_000)
    );
    assert!(!run(&strings).text.is_empty());
    let chain: String = (0..5_000).map(|n| format!("#define C{n} C{}\n", n + 1)).collect();
    assert_eq!(words(&run(&format!("{chain}C0\n"))), "C5000");
}

#[test]
fn include_cycles_are_bounded() {
    let dir = directory(&[
        ("a.c", "#include \"a.h\"\nint rest;\n"),
        ("a.h", "#include \"a.h\"\n#include \"a.h\"\n"),
    ]);
    let unit = run_request(Request::new(dir.path().join("a.c")));
    assert!(!limits(&unit).is_empty());
    assert!(unit.text.ends_with("int rest;\n"));
}

#[test]
fn the_compiler_gives_the_same_tokens_and_lines() {
    // Without a compiler there is nothing to compare with.
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc");
        return;
    }
    let dir = directory(&[
        (
            "a.c",
            "#include <stdio.h>\n#include \"h.h\"\n#include \"gone.h\"\n#define TWICE(x) ((x) + (x))\nint main(void) {\n  return TWICE(value) + MPI_SUCCESS;\n}\n",
        ),
        ("h.h", "#include <mpi.h>\n#pragma pack(4)\nextern int value;\n"),
    ]);
    let path = dir.path().join("a.c");
    let programs = Programs::outside([], &[]);
    let request = Request { engine: EngineChoice::Compiler, programs, ..Request::new(&path) };
    let theirs = preprocess(&request).unwrap();
    let ours = run_request(Request::new(&path));
    assert_eq!(theirs.engine, Engine::Compiler);
    let squeeze = |unit: &Preprocessed| unit.text.split_whitespace().collect::<String>();
    assert_eq!(squeeze(&ours), squeeze(&theirs));
    assert_eq!(place(&locate(&theirs, "return")), (6, 3, 6, 9));
    assert_eq!(locate(&theirs, "MPI_SUCCESS").column, 25);
    assert_eq!(locate(&theirs, "extern").file, dir.path().join("h.h").display().to_string());
    let missing =
        |unit: &Preprocessed| unit.diagnostics.iter().map(|d| (d.kind.clone(), d.line)).collect::<Vec<_>>();
    assert_eq!(missing(&ours), missing(&theirs));
    assert_eq!(theirs.pack_pragmas.len(), 1);
}

#[test]
fn a_compiler_that_may_not_be_started_is_a_clear_error() {
    let request = Request {
        engine: EngineChoice::Compiler,
        compiler: Some("./gcc".to_owned()),
        ..Request::new("a.c").with_text("int x;\n")
    };
    let error = preprocess(&request).unwrap_err().to_string();
    assert_eq!(error, "a.c: no compiler: there is no such program");
}

#[test]
fn names_of_files_are_as_the_user_wrote_them() {
    let dir = directory(&[("src/a.c", "#include \"../inc/h.h\"\n"), ("inc/h.h", "int h;\n")]);
    let unit = run_request(Request::new(dir.path().join("src/a.c")));
    assert_eq!(Path::new(&locate(&unit, "int h").file), dir.path().join("inc/h.h"));
}
