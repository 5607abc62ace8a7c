//! Random C programs without undefined or unspecified behaviour (under `-fwrapv`).

use std::fmt::Write as _;

/// A small deterministic random number generator (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len() as u64) as usize]
    }
}

const TYPES: [&str; 10] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
];

struct Generator {
    random: Random,
    out: String,
    depth: usize,
    loops: usize,
    labels: usize,
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let mut g = Generator {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        out: String::new(),
        depth: 0,
        loops: 0,
        labels: 0,
    };
    g.program();
    g.out
}

impl Generator {
    fn program(&mut self) {
        self.out.push_str("#include <stdio.h>\n");
        self.out.push_str(
            "struct s { char c; int a:5; unsigned b:11; short h; long l; struct { int x, y[3]; } in; };\n",
        );
        self.out.push_str("static long g0 = 7; unsigned char g1 = 250; int ga[8] = {1, 2, [5] = -3};\n");
        self.out.push_str("static int bump(int *p) { *p += 3; return *p - 1; }\n");
        for i in 0..8 {
            let ty = self.random.pick(&TYPES[..9]);
            let value = self.constant();
            let _ = writeln!(self.out, "{ty} v{i} = ({ty}){value};");
        }
        self.out.push_str("static int arr[8]; static struct s st, *ps = &st; static int *pi = &arr[2];\n");
        for f in 0..2 {
            let _ = writeln!(self.out, "static long f{f}(int p, unsigned char q) {{ long r = p;");
            for _ in 0..3 {
                self.statement();
            }
            self.out.push_str("r += q; return r; }\n");
        }
        self.out.push_str("int main(void) {\n");
        for _ in 0..12 {
            self.statement();
        }
        for i in 0..8 {
            let _ = writeln!(self.out, "printf(\"v{i} %ld\\n\", (long)v{i});");
        }
        self.out.push_str("for (int i = 0; i < 8; i++) printf(\"%d %d\\n\", arr[i], ga[i]);\n");
        self.out.push_str(
            "printf(\"%d %d %u %d %ld %d %d\\n\", st.c, st.a, st.b, st.h, st.l, st.in.x, st.in.y[1]);\n",
        );
        self.out.push_str("printf(\"%ld %d\\n\", g0, g1); return (int)(v0 & 63);\n}\n");
    }

    fn constant(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("{}", self.random.below(10)),
            1 => format!("(-{})", self.random.below(200)),
            2 => format!("{}u", self.random.below(70000)),
            3 => format!("0x{:x}l", self.random.below(1 << 40)),
            4 => format!("'{}'", (b'a' + self.random.below(26) as u8) as char),
            _ => format!("{}", self.random.below(100_000)),
        }
    }

    fn variable(&mut self) -> String {
        match self.random.below(14) {
            0 => format!("arr[{} & 7]", self.simple()),
            1 => "st.a".to_owned(),
            2 => "ps->b".to_owned(),
            3 => "st.l".to_owned(),
            4 => format!("ps->in.y[{}]", self.random.below(3)),
            5 => "g1".to_owned(),
            6 => format!("pi[{}]", self.random.below(4)),
            _ => format!("v{}", self.random.below(8)),
        }
    }

    fn simple(&mut self) -> String {
        format!("v{}", self.random.below(8))
    }

    /// An expression without side effects.
    fn pure(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return match self.random.below(3) {
                0 => self.constant(),
                _ => self.variable(),
            };
        }
        let a = self.pure(depth - 1);
        let b = self.pure(depth - 1);
        match self.random.below(16) {
            0..=3 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            4 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            5 => format!("({a} {} {b})", self.random.pick(&["<", "<=", ">", ">=", "==", "!="])),
            6 => format!("({a} {} {b})", self.random.pick(&["&&", "||"])),
            7 => format!("({a} {} (({b}) & 7))", self.random.pick(&["<<", ">>"])),
            8 => format!("({a} {} ((({b}) & 15) + 1))", self.random.pick(&["/", "%"])),
            9 => format!("({}{a})", self.random.pick(&["-", "~", "!", "+", "- -"])),
            10 => format!("({a} ? {b} : {})", self.simple()),
            11 => format!("(({})({a}))", self.random.pick(&TYPES)),
            12 => format!("(int)sizeof(({a}) + {b})"),
            13 => format!("({a}) - ({b})"),
            14 => format!("({}) * {b}", self.simple()),
            _ => a,
        }
    }

    fn statement(&mut self) {
        if self.depth > 3 {
            let (v, e) = (self.variable(), self.pure(2));
            let _ = writeln!(self.out, "{v} = {e};");
            return;
        }
        self.depth += 1;
        match self.random.below(19) {
            0..=3 => {
                let (v, e) = (self.variable(), self.pure(3));
                let _ = writeln!(self.out, "{v} = {e};");
            }
            4 => {
                let (v, e) = (self.variable(), self.pure(2));
                let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                let _ = writeln!(self.out, "{v} {op} {e};");
            }
            5 => {
                let (v, e) = (self.variable(), self.pure(1));
                let op = self.random.pick(&["<<=", ">>="]);
                let _ = writeln!(self.out, "{v} {op} (({e}) & 7);");
            }
            6 => {
                let step = self.random.pick(&["++", "--"]);
                let w = self.random.below(4);
                match self.random.below(4) {
                    0 => {
                        let _ = writeln!(self.out, "v{} = v{w}{step};", w + 4);
                    }
                    1 => {
                        let _ = writeln!(self.out, "v{} = -v{w}{step} + 1;", w + 4);
                    }
                    2 => {
                        let _ = writeln!(self.out, "v{} = arr[{step}v{w} & 7];", w + 4);
                    }
                    _ => {
                        let _ = writeln!(self.out, "ga[v{w}{step} & 7] = 5; {step}v{w}; v{w}{step};");
                    }
                }
            }
            7 => {
                let (c, w, e) = (self.pure(2), self.random.below(4), self.pure(2));
                let op = self.random.pick(&["&&", "||"]);
                let _ = writeln!(self.out, "v{} = ({c} {op} (v{w} = {e}));", w + 4);
            }
            8 => {
                let (c, w, e, f) = (self.pure(2), self.random.below(4), self.pure(2), self.pure(2));
                let _ = writeln!(self.out, "v{} = {c} ? (v{w} += {e}) : (arr[1] = {f}, v{w}--);", w + 4);
            }
            9 => {
                let (c, w, e) = (self.pure(1), self.random.below(4), self.pure(2));
                let _ = writeln!(self.out, "if (!({c}) && (v{w}++, {e}) || bump(&arr[3])) {{");
                self.statement();
                self.out.push_str("} else {\n");
                self.statement();
                self.out.push_str("}\n");
            }
            10 => {
                let c = self.pure(2);
                let _ = writeln!(self.out, "if ({c})");
                self.block();
            }
            11 => {
                self.loops += 1;
                let (i, n) = (format!("i{}", self.loops), self.random.below(5));
                let _ = writeln!(self.out, "for (int {i} = 0; {i} < {n}; {i}++) {{ arr[{i}] += {i};");
                self.jump("continue");
                self.statement();
                self.jump("break");
                self.out.push_str("}\n");
            }
            12 => {
                self.loops += 1;
                let (i, n) = (format!("w{}", self.loops), self.random.below(4));
                let _ = writeln!(self.out, "{{ int {i} = {n}; while ({i}--) {{");
                self.statement();
                self.jump("continue");
                self.out.push_str("} }\n");
            }
            13 => {
                self.loops += 1;
                let (i, c) = (format!("d{}", self.loops), self.pure(1));
                let _ = writeln!(self.out, "{{ int {i} = 0; do {{");
                self.statement();
                self.jump("continue");
                let _ = writeln!(self.out, "}} while (++{i} < 3 && ({c})); }}");
            }
            14 => {
                let c = self.pure(2);
                let _ = writeln!(self.out, "switch (({c}) & 7) {{ case 0:");
                self.statement();
                self.out.push_str("case 1: ");
                self.statement();
                self.out.push_str("break; default:");
                self.statement();
                self.out.push_str("case 4 ... 5: ");
                self.statement();
                self.jump("break");
                self.out.push_str("case 6: ; }\n");
            }
            15 => {
                self.labels += 1;
                let (l, c) = (self.labels, self.pure(2));
                let _ = writeln!(self.out, "if ({c}) goto l{l};");
                self.statement();
                let _ = writeln!(self.out, "l{l}: ;");
            }
            16 => {
                let (w, e, f) = (self.random.below(8), self.pure(2), self.pure(1));
                // Calls only from `main`, so that nothing recurs.
                let line = if self.out.contains("int main") {
                    format!("v{w} = f{}({e}, {f});\n", self.random.below(2))
                } else {
                    format!("v{w} = bump(&ga[{} & 7]);\n", self.simple())
                };
                self.out.push_str(&line);
            }
            17 => {
                let (a, e) = (self.random.below(3), self.pure(2));
                let _ = writeln!(
                    self.out,
                    "{{ struct s t = {{ .l = {e}, .in = {{ 4, {{ 1, 2 }} }} }}; st = t; ps->in.y[{a}]++; int z[] = {{ [2] = {e}, 9 }}; v1 = z[3] + (int)(sizeof z / sizeof *z); }}"
                );
            }
            _ => {
                let (e, f) = (self.pure(2), self.pure(1));
                let _ =
                    writeln!(self.out, "{{ int *p = pi + ({e} & 1); *p++ = {f}; *--p ^= 3; v2 = p - arr; }}");
            }
        }
        self.depth -= 1;
    }

    fn block(&mut self) {
        self.out.push_str("{\n");
        for _ in 0..=self.random.below(2) {
            self.statement();
        }
        self.out.push_str("}\n");
    }

    fn jump(&mut self, word: &str) {
        let c = self.pure(1);
        let _ = writeln!(self.out, "if ({c}) {word};");
    }
}
