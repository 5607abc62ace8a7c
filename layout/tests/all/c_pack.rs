//! The C functions of dataloops, compiled and run: random trees and long loops against what their elements say one by one.

use std::fmt::Write as _;
use std::process::Command;

use arbtest::arbitrary::Unstructured;
use layout::dataloop::{Dataloop, c_pack};
use layout::{Basic, Element, Tree, Typemap};

use crate::support::trees::{addresses, copies, tree};

/// What is common to all cases: memory whose bytes differ from their neighbours, and both ways byte by byte. The addresses of the elements
/// come from a file, case after case: as arrays of the program they would be most of what is compiled.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>

typedef size_t Pack(const void *origin, size_t count, void *packed);
typedef size_t Unpack(void *origin, size_t count, const void *packed);

static unsigned char at(size_t i) { return (unsigned char)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56); }

static FILE *all_addresses;

static int check(const char *name, Pack *pack, Unpack *unpack, size_t count, size_t origin, size_t length, size_t size) {
  unsigned char *memory = malloc(length + 1), *wanted = malloc(length + 1), *packed = malloc(size + 1);
  int32_t *addresses = malloc((size + 1) * sizeof *addresses);
  if (fread(addresses, sizeof *addresses, size, all_addresses) != size) {
    fprintf(stderr, "no addresses of %s\n", name);
    exit(2);
  }
  for (size_t i = 0; i < length; i++) memory[i] = at(i);
  packed[size] = 77;
  int wrong = pack(memory + origin, count, packed) != size || packed[size] != 77;
  for (size_t i = 0; i < size; i++) wrong |= packed[i] != memory[(ptrdiff_t)origin + addresses[i]];
  for (size_t i = 0; i < length; i++) memory[i] = wanted[i] = (unsigned char)~at(i);
  for (size_t i = 0; i < size; i++) packed[i] = at(i + 12345);
  for (size_t i = 0; i < size; i++) wanted[(ptrdiff_t)origin + addresses[i]] = packed[i];
  wrong |= unpack(memory + origin, count, packed) != size || memcmp(memory, wanted, length) != 0;
  if (wrong) printf("%s\n", name);
  free(memory);
  free(wanted);
  free(packed);
  free(addresses);
  return wrong;
}
"#;

/// Cases: program text of their functions, their addresses, and calls of the check.
#[derive(Default)]
struct Cases {
    functions: String,
    addresses: Vec<u8>,
    calls: String,
    shown: Vec<String>,
}

impl Cases {
    fn add(&mut self, tree: &Tree, extent: Option<i64>, count: u64) {
        let number = self.shown.len();
        let mut map = Typemap::of(tree);
        let mut dataloop = Dataloop::compile(tree).expect("displacements are small");
        if let Some(extent) = extent {
            map = map.resized(0, extent);
            dataloop = dataloop.resized(0, extent);
        }
        let elements: Vec<Element> = copies(&map, count);
        let addresses = addresses(&elements);
        let low = addresses.iter().copied().min().unwrap_or(0).min(0);
        let end = addresses.iter().copied().max().unwrap_or(0).max(0) + 1;
        let code = c_pack(&dataloop, &format!("case{number}"));
        self.functions += &code;
        self.functions += "\n";
        for address in &addresses {
            let address = i32::try_from(*address).expect("displacements are small");
            self.addresses.extend(address.to_ne_bytes());
        }
        writeln!(
            self.calls,
            "  wrong |= check(\"case{number}\", case{number}_pack, case{number}_unpack, {count}, {}, {}, {});",
            -low,
            end - low,
            addresses.len()
        )
        .expect("it is a string");
        self.shown.push(format!("{count} x {} (extent {extent:?})", dataloop.code()));
    }

    fn check(&self, flags: &[&str]) {
        let directory = tempfile::tempdir().expect("there is a place for temporary files");
        let source = directory.path().join("cases.c");
        // The driver uses what the functions include.
        let first = "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n";
        let text = format!(
            "{first}{DRIVER}\n{}\nint main(int argc, char **argv) {{\n  int wrong = 0;\n  \
             all_addresses = argc == 2 ? fopen(argv[1], \"rb\") : NULL;\n  if (!all_addresses) return 2;\n{}  \
             fclose(all_addresses);\n  return wrong;\n}}\n",
            self.functions, self.calls
        );
        std::fs::write(&source, text).expect("it can be written");
        let addresses = directory.path().join("addresses");
        std::fs::write(&addresses, &self.addresses).expect("it can be written");
        let program = directory.path().join("cases");
        let output = Command::new("cc")
            .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-missing-prototypes"])
            .args(flags)
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .output()
            .expect("there is a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(&program).arg(&addresses).output().expect("it was built");
        let wrong = String::from_utf8_lossy(&output.stdout).into_owned();
        let shown = |name: &str| {
            let number: usize = name.trim_start_matches("case").parse().expect("it is the number of a case");
            format!("{name}: {}", self.shown[number])
        };
        assert!(
            output.status.success(),
            "{}\n{}",
            wrong.lines().map(shown).collect::<Vec<_>>().join("\n"),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn random_trees_are_packed_as_their_elements_say() {
    let mut cases = Cases::default();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..100 {
        let bytes: Vec<u8> = (0..2000)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        let mut u = Unstructured::new(&bytes);
        let mut add = || -> arbtest::arbitrary::Result<()> {
            let tree = tree(&mut u, 4)?;
            let extent = if u.ratio(1, 2)? { Some(u.int_in_range(-40..=80)?) } else { None };
            cases.add(&tree, extent, u.int_in_range(0..=5)?);
            Ok(())
        };
        add().expect("there are bytes enough");
    }
    cases.check(&["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
}

#[test]
fn long_loops_are_packed_as_their_elements_say() {
    let mut cases = Cases::default();
    for bytes in [1, 4, 8, 24, 65, 300] {
        let block = Tree::con(bytes, Basic::Byte);
        let size = bytes as i64;
        let rows = Tree::vec(30, 70 * size, block.clone());
        cases.add(&block, None, 100);
        cases.add(&block, Some(3 * size), 100);
        cases.add(&Tree::vec(50, -3 * size - 1, block.clone()), None, 2);
        cases.add(&Tree::vec(37, size, rows.clone()), None, 2);
        let boxes =
            Tree::vec(3, 900 * size, Tree::vec(4, 100 * size + 3, Tree::vec(8, 11 * size, block.clone())));
        cases.add(&Tree::vec(9, size, boxes.clone()), None, 2);
        cases.add(&boxes, Some(size), 9);
        cases.add(&Tree::vec(37, size, rows.clone()), Some(size), 3);
        cases.add(&Tree::vec(3, 40 * 70 * size, Tree::vec(11, -size, rows)), None, 1);
        let squares: Vec<i64> = (0..40).map(|i| i * i % 211 * size).collect();
        cases.add(&Tree::idx(squares, block), None, 2);
    }
    cases.check(&["-O3"]);
}
