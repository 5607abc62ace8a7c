//! C functions that pack and unpack one layout: its loops, written out with constant bounds, sizes and offsets.

use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::loops::Loop;
use super::program::as_blocks;
use super::{Dataloop, LINE};

/// Runs of a list that are written out one by one, at most.
const UNROLLED: usize = 8;

/// C functions `size_t NAME_pack(const void *origin, size_t count, void *packed)` and
/// `size_t NAME_unpack(void *origin, size_t count, const void *packed)`, which return how many bytes they packed or unpacked.
///
/// `count` copies are an extent apart. The code is C99 and needs nothing but the standard library; with GCC and its like it prefetches.
/// Memory and packed bytes must not overlap. `name` has to be an identifier.
pub fn c_pack(dataloop: &Dataloop, name: &str) -> String {
    let mut lists = Lists { name, text: String::new(), known: FxHashMap::default() };
    let pack = Emitter::new(&mut lists, dataloop, true).function();
    let unpack = Emitter::new(&mut lists, dataloop, false).function();
    format!(
        "/* Packs and unpacks a layout of {} bytes and extent {}; written by anyrank. */\n\
         #include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n\
         #ifdef __GNUC__\n/* The address need not be one of the memory. */\n\
         #define {name}_AHEAD(at, by) __builtin_prefetch((const void *)((uintptr_t)(at) + (uintptr_t)(by)))\n\
         #else\n#define {name}_AHEAD(at, by) ((void)0)\n#endif\n\n\
         #if defined __GNUC__ && defined __x86_64__\n\
         /* Two integers are joined by way of memory there, for which a load waits; two doubles are not. */\n\
         typedef double {name}_word __attribute__((may_alias, aligned(1)));\n\
         #define {name}_COPY8(to, from) (*({name}_word *)(to) = *(const {name}_word *)(from))\n\
         #else\n#define {name}_COPY8(to, from) memcpy(to, from, 8)\n#endif\n\n{}{pack}\n{unpack}",
        dataloop.size(),
        dataloop.extent(),
        lists.text
    )
}

/// Arrays of numbers, each written once.
struct Lists<'a> {
    name: &'a str,
    text: String,
    known: FxHashMap<Vec<i64>, usize>,
}

impl Lists<'_> {
    /// The name of an array of these numbers.
    fn named(&mut self, numbers: Vec<i64>) -> String {
        let next = self.known.len();
        if let Some(number) = self.known.get(&numbers) {
            return format!("{}_list{number}", self.name);
        }
        let kind = if numbers.iter().all(|n| i32::try_from(*n).is_ok()) { "int32_t" } else { "int64_t" };
        let _ = write!(self.text, "static const {kind} {}_list{next}[{}] = {{", self.name, numbers.len());
        for (i, number) in numbers.iter().enumerate() {
            let _ = write!(self.text, "{}{number}", if i % 16 == 0 { "\n  " } else { " " });
            self.text += ",";
        }
        self.text += "\n};\n\n";
        self.known.insert(numbers, next);
        format!("{}_list{next}", self.name)
    }
}

/// A dimension of a nest.
struct Dim<'a> {
    count: String,
    /// More than 1 is certain.
    many: bool,
    /// Bytes of data of one repetition.
    size: u64,
    place: Place<'a>,
}

enum Place<'a> {
    Stride(i64),
    List(&'a [i64]),
}

/// One of the two functions.
struct Emitter<'a, 'b> {
    lists: &'b mut Lists<'a>,
    dataloop: &'b Dataloop,
    pack: bool,
    /// Functions for structs, which may be reached in many ways.
    structs: String,
    known: FxHashMap<*const Loop, usize>,
    body: String,
    indent: usize,
    /// For names of variables.
    variables: usize,
}

impl<'a, 'b> Emitter<'a, 'b> {
    fn new(lists: &'b mut Lists<'a>, dataloop: &'b Dataloop, pack: bool) -> Self {
        Self {
            lists,
            dataloop,
            pack,
            structs: String::new(),
            known: FxHashMap::default(),
            body: String::new(),
            indent: 1,
            variables: 0,
        }
    }

    const fn action(&self) -> &'static str {
        if self.pack { "pack" } else { "unpack" }
    }

    /// `const char *` for the side that is read, `char *` for the other one: memory, then packed bytes.
    const fn pointers(&self) -> (&'static str, &'static str) {
        if self.pack { ("const char *", "char *") } else { ("char *", "const char *") }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.body += "  ";
        }
        self.body += text;
        self.body += "\n";
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn variable(&mut self, prefix: char) -> String {
        self.variables += 1;
        format!("{prefix}{}", self.variables)
    }

    fn function(mut self) -> String {
        let dataloop = self.dataloop;
        let (memory, packed) = self.pointers();
        let at = dataloop.displacement();
        let size = dataloop.size();
        if size > 0 {
            self.line(&format!("{memory}restrict m = ({memory})origin + {};", literal(at)));
            self.line(&format!("{packed}restrict p = packed;"));
            match dataloop.code() {
                Loop::Contig { .. } if i64::try_from(size) == Ok(dataloop.extent()) => {
                    self.copy("p", "m", &format!("count * {size}"));
                }
                code => {
                    let copies = Dim {
                        count: "count".to_owned(),
                        many: false,
                        size,
                        place: Place::Stride(dataloop.extent()),
                    };
                    self.loops(code, Some(copies));
                }
            }
        } else {
            self.line("(void)origin;");
            self.line("(void)packed;");
        }
        let (structs, body) = (self.structs, self.body);
        let (action, name) = (if self.pack { "pack" } else { "unpack" }, self.lists.name);
        let (from, to) = if self.pack {
            ("const void *origin", "void *packed")
        } else {
            ("void *origin", "const void *packed")
        };
        format!(
            "{structs}size_t {name}_{action}({from}, size_t count, {to})\n{{\n{body}  return count * {size};\n}}\n"
        )
    }

    /// Copies `bytes` between these places.
    fn copy(&mut self, packed: &str, memory: &str, bytes: &str) {
        let (to, from) = if self.pack { (packed, memory) } else { (memory, packed) };
        if bytes == "8" {
            let name = self.lists.name;
            self.line(&format!("{name}_COPY8({to}, {from});"));
            return;
        }
        self.line(&format!("memcpy({to}, {from}, {bytes});"));
    }

    /// The statements for `copies` of a loop that starts at `m` and `p`; `p` is behind it then, unless there are copies.
    fn loops(&mut self, code: &Loop, copies: Option<Dim<'_>>) {
        let mut dims: Vec<Dim<'_>> = copies.into_iter().collect();
        let mut rest = code;
        loop {
            let (count, place, child) = match rest {
                Loop::Vector { count, stride, child } => (*count, Place::Stride(*stride), child),
                Loop::BlockIndexed { offsets, child } => (offsets.len() as u64, Place::List(offsets), child),
                _ => break,
            };
            dims.push(Dim { count: count.to_string(), many: true, size: child.size(), place });
            rest = child;
        }
        let places;
        let blocks = match rest {
            Loop::Indexed { offsets, counts, step, child } => match **child {
                Loop::Contig { bytes, .. } if i64::try_from(bytes) == Ok(*step) => {
                    as_blocks(offsets, counts, bytes)
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((found, size)) = blocks {
            places = found;
            let place = Place::List(&places);
            dims.push(Dim { count: places.len().to_string(), many: true, size, place });
            return self.nest(&dims, size);
        }
        match rest {
            Loop::Contig { bytes, .. } => self.nest(&dims, *bytes),
            other => {
                let open = self.turn(&dims, None);
                self.open("");
                let (memory, packed) = self.pointers();
                let (m, p) = open;
                // The names are those of the enclosing ones, so their values come first.
                self.line(&format!("{memory}restrict start = {m};"));
                self.line(&format!("{packed}restrict end = {p};"));
                self.open("");
                self.line(&format!("{memory}restrict m = start;"));
                self.line(&format!("{packed}restrict p = end;"));
                self.fork(other);
                self.close();
                self.close();
                for _ in &dims {
                    self.close();
                }
            }
        }
    }

    /// Opens loops for all dimensions but one, and says what `m` and `p` are in them.
    fn turn(&mut self, dims: &[Dim<'_>], but: Option<usize>) -> (String, String) {
        self.turn_from("m".to_owned(), "p".to_owned(), dims, but)
    }

    /// Opens loops for all dimensions but one, and says what `m` and `p` become in them.
    fn turn_from(
        &mut self,
        mut m: String,
        mut p: String,
        dims: &[Dim<'_>],
        but: Option<usize>,
    ) -> (String, String) {
        for (level, dim) in dims.iter().enumerate() {
            if Some(level) == but {
                continue;
            }
            let i = self.variable('i');
            self.open(&format!("for (size_t {i} = 0; {i} < {}; {i}++)", dim.count));
            m += &format!(" + {}", self.offset(dim, &i));
            p += &format!(" + {i} * {}", dim.size);
        }
        (m, p)
    }

    fn offset(&mut self, dim: &Dim<'_>, i: &str) -> String {
        match &dim.place {
            Place::Stride(stride) => format!("(ptrdiff_t){i} * {}", literal(*stride)),
            Place::List(offsets) => format!("{}[{i}]", self.lists.named(offsets.to_vec())),
        }
    }

    /// Loops around a run.
    fn nest(&mut self, dims: &[Dim<'_>], bytes: u64) {
        let constant = bytes.to_string();
        let Some((inner, outer)) = dims.split_last() else {
            self.copy("p", "m", &constant);
            return;
        };
        if let Some(level) = self.tile(dims) {
            // Repetitions of an outer dimension share a line: all of them, line by line.
            let Dim { count, size, place, .. } = &dims[level];
            let (Place::Stride(stride), Place::Stride(leap)) = (place, &inner.place) else {
                unreachable!("tiles have regular dimensions");
            };
            let counts: Vec<_> = dims.iter().map(|dim| dim.count.parse::<u64>().ok()).collect();
            let wide = counts[level].map(|count| {
                (count.saturating_sub(1)).saturating_mul(stride.unsigned_abs()).saturating_add(bytes)
            });
            if let Some(near) = wide.and_then(|wide| super::near_level(&counts, level, wide)) {
                // All lines of the inner dimensions stay near while the outer one is repeated.
                let (m, p) = self.turn(&dims[..near], Some(level));
                let t = self.variable('t');
                self.open(&format!("for (size_t {t} = 0; {t} < {count}; {t}++)"));
                let (m, p) =
                    (format!("{m} + (ptrdiff_t){t} * {}", literal(*stride)), format!("{p} + {t} * {size}"));
                let (m, p) = self.turn_from(m, p, &dims[near..], None);
                self.copy(&p, &m, &constant);
                for _ in dims {
                    self.close();
                }
                return;
            }
            let (t, end, i, k) =
                (self.variable('t'), self.variable('e'), self.variable('i'), self.variable('k'));
            let width = (LINE / stride.unsigned_abs().max(1)).clamp(2, 16);
            let (m, p) = self.turn(outer, Some(level));
            self.open(&format!("for (size_t {t} = 0; {t} < {count}; {t} += {width})"));
            self.line(&format!("size_t {end} = {t} + {width} < {count} ? {t} + {width} : {count};"));
            self.open(&format!("for (size_t {i} = 0; {i} < {}; {i}++)", inner.count));
            let row = format!("{m} + (ptrdiff_t){i} * {}", literal(*leap));
            if leap.unsigned_abs() >= super::FAR && cold(dims, bytes) {
                let name = self.lists.name;
                self.line(&format!(
                    "{name}_AHEAD({row} + (ptrdiff_t){t} * {}, {});",
                    literal(*stride),
                    literal(leap.wrapping_mul(super::TILES_AHEAD as i64))
                ));
            }
            self.open(&format!("for (size_t {k} = {t}; {k} < {end}; {k}++)"));
            self.copy(
                &format!("{p} + {i} * {bytes} + {k} * {size}"),
                &format!("{row} + (ptrdiff_t){k} * {}", literal(*stride)),
                &constant,
            );
            for _ in 0..outer.len() + 2 {
                self.close();
            }
        } else {
            let (m, p) = self.turn(dims, None);
            if let Place::Stride(stride) = inner.place
                && stride.unsigned_abs() >= super::FAR
                && bytes <= super::FAR
                && cold(dims, bytes)
            {
                let ahead = literal(stride.wrapping_mul(super::AHEAD as i64));
                let name = self.lists.name;
                self.line(&format!("{name}_AHEAD({m}, {ahead});"));
            }
            self.copy(&p, &m, &constant);
            for _ in dims {
                self.close();
            }
        }
    }

    /// The outer dimension that is tiled, as the library does it (`copy.rs`).
    fn tile(&self, dims: &[Dim<'_>]) -> Option<usize> {
        let (inner, outer) = dims.split_last()?;
        let Place::Stride(leap) = inner.place else {
            return None;
        };
        if !self.pack && !self.dataloop.disjoint() {
            return None;
        }
        let within = |(level, dim): (usize, &Dim<'_>)| match dim.place {
            Place::Stride(stride)
                if dim.many && stride.unsigned_abs() < LINE && stride.abs() < leap.abs() =>
            {
                Some((stride.unsigned_abs(), level))
            }
            _ => None,
        };
        let found = outer.iter().enumerate().filter_map(within).min();
        found.filter(|_| leap.unsigned_abs() >= LINE).map(|(_, level)| level)
    }

    /// Loops with a fork, or a list of runs of different lengths.
    fn fork(&mut self, code: &Loop) {
        match code {
            Loop::Indexed { offsets, counts, step, child } => self.indexed(offsets, counts, *step, child),
            Loop::Struct { offsets, children } => {
                let number = self.structure(offsets, children);
                self.line(&format!("{}_{}_struct{number}(m, p);", self.lists.name, self.action()));
            }
            _ => unreachable!("all others are dimensions or runs"),
        }
    }

    fn indexed(&mut self, offsets: &Arc<[i64]>, counts: &Arc<[u64]>, step: i64, child: &Loop) {
        let size = child.size();
        let (memory, packed) = self.pointers();
        let runs = match child {
            Loop::Contig { bytes, .. } => i64::try_from(*bytes) == Ok(step),
            _ => false,
        };
        if runs && offsets.len() <= UNROLLED {
            let mut before = 0;
            for (offset, count) in offsets.iter().zip(counts.iter()) {
                self.copy(
                    &format!("p + {before}"),
                    &format!("m + {}", literal(*offset)),
                    &(count * size).to_string(),
                );
                before += count * size;
            }
            return;
        }
        let places = self.lists.named(offsets.to_vec());
        let lengths = self.lists.named(counts.iter().map(|count| *count as i64).collect());
        let (i, j) = (self.variable('i'), self.variable('j'));
        self.open(&format!("for (size_t {i} = 0; {i} < {}; {i}++)", offsets.len()));
        if runs {
            // Numbers of the unit in turn: short runs are the rule, and a call for each would cost more.
            self.open(&format!("for (size_t {j} = 0; {j} < (size_t){lengths}[{i}]; {j}++)"));
            self.copy(
                &format!("p + {j} * {size}"),
                &format!("m + {places}[{i}] + {j} * {size}"),
                &size.to_string(),
            );
            self.close();
            self.line(&format!("p += (size_t){lengths}[{i}] * {size};"));
        } else {
            self.open(&format!("for (size_t {j} = 0; {j} < (size_t){lengths}[{i}]; {j}++)"));
            self.line(&format!(
                "{memory}restrict start = m + {places}[{i}] + (ptrdiff_t){j} * {};",
                literal(step)
            ));
            self.line(&format!("{packed}restrict end = p;"));
            self.open("");
            self.line(&format!("{memory}restrict m = start;"));
            self.line(&format!("{packed}restrict p = end;"));
            self.loops(child, None);
            self.close();
            self.line(&format!("p += {size};"));
            self.close();
        }
        self.close();
    }

    /// The number of a function for a struct.
    fn structure(&mut self, offsets: &Arc<[i64]>, children: &Arc<[Loop]>) -> usize {
        let key = children.as_ptr();
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let outside = (std::mem::take(&mut self.body), std::mem::replace(&mut self.indent, 1));
        let (memory, packed) = self.pointers();
        let mut before = 0;
        for (offset, child) in offsets.iter().zip(children.iter()) {
            self.open("");
            self.line(&format!("{memory}restrict m = origin + {};", literal(*offset)));
            self.line(&format!("{packed}restrict p = packed + {before};"));
            self.loops(child, None);
            self.close();
            before += child.size();
        }
        let body = std::mem::replace(&mut self.body, outside.0);
        self.indent = outside.1;
        // Those that it calls are written by now.
        let number = self.known.len();
        let (name, action) = (self.lists.name, self.action());
        let _ = write!(
            self.structs,
            "static void {name}_{action}_struct{number}({memory}origin, {packed}packed)\n{{\n{body}}}\n\n"
        );
        self.known.insert(key, number);
        number
    }
}

/// Whether so much is touched that prefetching is worth its while, as far as counts are known.
fn cold(dims: &[Dim<'_>], bytes: u64) -> bool {
    let counts = dims.iter().filter_map(|dim| dim.count.parse::<u64>().ok());
    let blocks = counts.fold(1_u64, u64::saturating_mul);
    blocks.saturating_mul(bytes.max(LINE)) > super::COLD
}

/// A number as C code; negative ones in parentheses.
fn literal(number: i64) -> String {
    if number < 0 { format!("({number})") } else { number.to_string() }
}
