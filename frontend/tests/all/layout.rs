//! Layouts of records: the true one where every LP64 compiler agrees, and one to tell members apart everywhere else.

use frontend::ir::{RecordKind, Type, TypeId, TypeTable, Unit};
use proptest::prelude::*;

use crate::support;

fn variable(unit: &Unit, name: &str) -> TypeId {
    unit.globals.iter().find(|g| &*g.name == name).expect("the variable is declared").ty
}

/// `name@offset` of each member of a record, and `= size`; `!` instead where there is no layout.
fn shown(unit: &Unit, name: &str) -> String {
    let ty = variable(unit, name);
    let Type::Record(id) = *unit.types.get(ty) else { panic!("{name} is not a record") };
    let record = unit.types.record(id);
    let mut out = String::new();
    for (index, field) in record.fields.iter().flatten().enumerate() {
        let offset = unit.types.model_offset(id, u32::try_from(index).expect("few members"));
        out += field.name.as_deref().unwrap_or("_");
        out += &offset.map_or("! ".to_owned(), |offset| format!("@{offset} "));
    }
    let truth = if record.layout_known { "=" } else { "~" };
    out + truth + &unit.types.model_size(ty).map_or("!".to_owned(), |size| size.to_string())
}

#[test]
fn a_status_has_places_for_its_members_but_no_size() {
    let unit =
        support::unit("#include <mpi.h>\nMPI_Status s, t[3]; struct { int a; MPI_Status s[2]; char c; } o;");
    assert_eq!(shown(&unit, "s"), "MPI_SOURCE@0 MPI_TAG@4 MPI_ERROR@8 ~32");
    let array = variable(&unit, "t");
    assert_eq!((unit.types.size(array), unit.types.model_size(array)), (None, Some(96)));
    assert_eq!(shown(&unit, "o"), "a@0 s@8 c@72 ~80");
}

#[test]
fn handles_and_types_of_missing_headers_take_room_in_the_model() {
    let unit = support::unit(
        "#include <mpi.h>\n#include \"missing.h\"\nstruct { int n; MPI_Request r[4]; MPI_Comm c; char last; } s;\n\
         struct { char c; lib_t lib; struct { short k; MPI_Win w; } in[2]; } t;\n\
         union { int i; MPI_Request r[3]; char c[9]; } u;\n\
         struct __attribute__((packed)) { char c; MPI_Op op; int i; } p;\n\
         struct { MPI_Comm c; unsigned a: 3, b: 4; int i; double tail[]; } b;\nMPI_Comm *q; struct node *n;",
    );
    assert_eq!(shown(&unit, "s"), "n@0 r@8 c@40 last@48 ~56");
    assert_eq!(shown(&unit, "t"), "c@0 lib@8 in@16 ~48");
    assert_eq!(shown(&unit, "u"), "i@0 r@0 c@0 ~24");
    assert_eq!(shown(&unit, "p"), "c@0 op@1 i@9 ~13");
    assert_eq!(shown(&unit, "b"), "c@0 a@8 b@8 i@12 tail@16 ~16");
    let target = |name| unit.types.pointee(variable(&unit, name)).expect("a pointer");
    assert_eq!((unit.types.size(target("q")), unit.types.model_size(target("q"))), (None, Some(8)));
    assert_eq!(unit.types.model_size(target("n")), None, "an incomplete structure has no size in any layout");
}

/// Sizes and offsets are those of gcc; where an alignment is not known, the layout is not.
#[test]
fn alignments_and_packed_enumerations() {
    let unit = support::unit(
        "struct { char c; _Alignas(32) char d; } a; struct { char c; _Alignas(double) char d[3]; } b;\n\
         typedef int wide __attribute__((aligned(16))); struct { char c; wide w; char d; } c;\n\
         typedef int __attribute__((aligned(16))) early; struct { char c; early e; } d;\n\
         typedef struct { char c; } __attribute__((aligned(8))) inner; struct { char c; inner i; char d; } e;\n\
         typedef struct { char c; } outer __attribute__((aligned(8))); struct { char c; outer o; } f;\n\
         enum __attribute__((packed)) small { ONE, TWO }; struct { enum small s[3]; int i; } g;\n\
         enum { LOW = -1, HIGH = 128 } __attribute__((packed)) h; enum { PLAIN } i;",
    );
    assert_eq!(shown(&unit, "a"), "c@0 d@32 =64");
    assert_eq!(shown(&unit, "b"), "c@0 d@8 =16");
    assert_eq!(shown(&unit, "c"), "c@0 w@16 d@20 =32");
    assert_eq!(shown(&unit, "d"), "c@0 e@16 =32");
    assert_eq!(shown(&unit, "e"), "c@0 i@8 d@16 =24");
    assert_eq!(shown(&unit, "f"), "c@0 o@8 =16");
    assert_eq!(shown(&unit, "g"), "s@0 i@4 =8");
    assert_eq!(unit.types.size(variable(&unit, "h")), Some(2));
    assert_eq!(unit.types.size(variable(&unit, "i")), Some(4));
}

/// As gcc 12 lays them out.
#[test]
fn alignments_of_typedefs_and_single_declarators() {
    const TYPEDEFS: &str = "typedef int wide __attribute__((aligned(16))); typedef double low __attribute__((aligned(2)));\n\
         typedef int __attribute__((aligned(16))) *early; typedef int *late __attribute__((aligned(16))); typedef wide *plain;\n\
         typedef int a __attribute__((aligned(32))), b; typedef int arr[4] __attribute__((aligned(32))); typedef wide again;\n\
         typedef low higher __attribute__((aligned(4))); wide object;\n";
    let cases = [
        ("char c; int m __attribute__((aligned(16))), n;", "c@0 m@16 n@20 =32"),
        ("char c; __attribute__((aligned(16))) int m, n; char d;", "c@0 m@16 n@32 d@36 =48"),
        ("char c; int m __attribute__((packed)), n; char d;", "c@0 m@1 n@8 d@12 =16"),
        ("char c; int __attribute__((packed)) m, n; char d;", "c@0 m@1 n@5 d@9 =10"),
        ("char c; struct { char d; int m __attribute__((packed)); int e; } in; int z;", "c@0 in@4 z@16 =20"),
        ("char c; early w;", "c@0 w@16 =32"),
        ("char c; late w;", "c@0 w@16 =32"),
        ("char c; plain w;", "c@0 w@8 =16"),
        ("char c; wide (*w);", "c@0 w@8 =16"),
        ("char c; wide (*w)(void);", "c@0 w@8 =16"),
        ("char c; wide *w[2];", "c@0 w@8 =24"),
        ("char c; wide (w);", "c@0 w@16 =32"),
        ("char c; low w;", "c@0 w@2 =10"),
        ("char c; low w[3];", "c@0 w@2 =26"),
        ("char c; a x; b y;", "c@0 x@32 y@36 =64"),
        ("char c; arr x;", "c@0 x@32 =64"),
        ("char c; const again x;", "c@0 x@16 =32"),
        ("char c; wide w __attribute__((packed)); char d;", "c@0 w@1 d@5 =6"),
        ("char c; low x __attribute__((aligned(4))); char d;", "c@0 x@4 d@12 =16"),
        ("char c; higher x;", "c@0 x@4 =12"),
        ("char c; union { wide w; char k; };", "c@0 _@16 =32"),
        ("char c; _Alignas(wide) char w;", "c@0 w@16 =32"),
        ("char c; _Alignas(sizeof(long) * 4) char d;", "c@0 d@32 =64"),
        ("char c; char d __attribute__((aligned(__alignof__(wide)))); char e;", "c@0 d@16 e@17 =32"),
        ("char c; char d __attribute__((aligned)), e __attribute__((aligned(2)));", "c@0 d@16 e@18 =32"),
        ("char c; __typeof__(wide) w;", "c@0 w@16 =32"),
        ("char c; unsigned x: 3 __attribute__((aligned(8))); char d;", "c@0 x@8 d@9 =16"),
    ];
    for (members, layout) in cases {
        let unit = support::unit(&format!("{TYPEDEFS}struct {{ {members} }} s;"));
        assert_eq!(shown(&unit, "s"), layout, "{members}");
    }
    // What is not followed is not claimed to be known.
    for members in ["char c; __typeof__(object) w;", "char c; wide w: 3;", "char c; _Alignas(N) char d;"] {
        let unit = support::unit(&format!("{TYPEDEFS}struct {{ {members} }} s;"));
        assert!(shown(&unit, "s").contains('~'), "{members}");
    }
}

#[test]
fn a_known_layout_is_the_model_layout() {
    let unit = support::unit(
        "struct { char c; double d; int a[3]; } s; double m[2][3]; union { short s; char c[3]; } u;",
    );
    assert_eq!(shown(&unit, "s"), "c@0 d@8 a@16 =32");
    assert_eq!(shown(&unit, "u"), "s@0 c@0 =4");
    for name in ["s", "m", "u"] {
        let ty = variable(&unit, name);
        assert_eq!(unit.types.size_align(ty), unit.types.model_size_align(ty), "{name}");
    }
}

#[test]
fn what_follows_an_array_of_unknown_length_has_no_place() {
    let unit = support::unit(
        "#include \"missing.h\"\nstruct { int n; char name[LIB_MAX]; int after; } s;\n\
         struct { int n; int open[]; } f; struct { int n; int open[]; int after; } g; struct { int i: LIB_BITS; } b;",
    );
    assert_eq!(shown(&unit, "s"), "n! name! after! ~!");
    assert_eq!(shown(&unit, "f"), "n@0 open@4 =4");
    assert_eq!(shown(&unit, "g"), "n! open! after! ~!");
    assert_eq!(shown(&unit, "b"), "i! ~!");
}

/// The ranges of bytes that the scalar members of an object occupy.
fn occupied(types: &TypeTable, ty: TypeId, at: u64, bytes: &mut Vec<(u64, u64)>) {
    match *types.get(ty) {
        Type::Array(element, length) => {
            let step = types.model_size(element).expect("a generated type has a model size");
            for index in 0..length.expect("a generated array has a length") {
                occupied(types, element, at + index * step, bytes);
            }
        }
        Type::Record(id) => {
            let count = types.record(id).fields.as_ref().map_or(0, Vec::len);
            // Members of a union share their place on purpose: one of them stands for all.
            let count = if types.record(id).kind == RecordKind::Union { count.min(1) } else { count };
            for index in 0..count {
                let offset = types.model_offset(id, index as u32).expect("a generated record has a layout");
                let ty = types.record(id).fields.as_ref().expect("complete")[index].ty;
                occupied(types, ty, at + offset, bytes);
            }
        }
        _ => bytes.push((at, at + types.model_size(ty).expect("a scalar has a model size"))),
    }
}

/// A member declaration under another name; every generated one declares `m`.
fn renamed(member: &str, index: usize) -> String {
    let at = member.rfind(" m").expect("each member is called m");
    format!("{} m{index}{} ", &member[..at], &member[at + 2..])
}

fn members(declarations: &[String]) -> String {
    declarations.iter().enumerate().map(|(index, member)| renamed(member, index)).collect()
}

fn member() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "char",
        "short",
        "int",
        "double",
        "long double",
        "MPI_Comm",
        "MPI_Status",
        "lib_t",
        "void *",
    ]);
    let leaf = (scalar, prop::sample::select(vec!["", "[1]", "[3]", "[2][2]"]))
        .prop_map(|(t, a)| format!("{t} m{a};"));
    leaf.prop_recursive(3, 20, 4, |inner| {
        (
            prop::collection::vec(inner, 1..4),
            prop::sample::select(vec!["struct", "union", "struct __attribute__((packed))"]),
            1..3,
        )
            .prop_map(|(members, kind, length)| {
                let members = self::members(&members);
                format!("{kind} {{ {members} }} m[{length}];")
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn members_never_overlap(declared in prop::collection::vec(member(), 1..5)) {
        let members = self::members(&declared);
        let text = format!("#include <mpi.h>\n#include \"missing.h\"\nstruct {{ {members} }} s;");
        let unit = support::unit(&text);
        let ty = variable(&unit, "s");
        let size = unit.types.model_size(ty).expect("all members have a size");
        let mut bytes = Vec::new();
        occupied(&unit.types, ty, 0, &mut bytes);
        bytes.sort_unstable();
        for pair in bytes.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0, "{pair:?} overlap in\n{text}");
        }
        prop_assert!(bytes.last().is_none_or(|b| b.1 <= size), "longer than {size}:\n{text}");
        if let Some(truth) = unit.types.size(ty) {
            prop_assert_eq!(truth, size);
            prop_assert!(!text.contains("MPI_Comm ") && !text.contains("lib_t ") && !text.contains("MPI_Status "));
        }
    }
}
