//! The text of a generated program: functions, the variables that they need, and labels on lines.

use std::collections::BTreeSet;

/// Stands for the line that a call gets in the end.
pub(crate) type Label = usize;

/// What is wrong with one phase, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Slip {
    #[default]
    None,
    /// The receiving side uses another tag.
    Tag,
    /// The receives are left out.
    NoReceive,
    /// The sends are left out.
    NoSend,
    /// The waits are left out.
    NoWait,
    /// The receives take fewer elements than are sent.
    Short,
    /// Rank 0 leaves the collectives out.
    NotAtZero,
}

/// What the elements of the messages of a phase are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Data {
    pub(crate) count: u8,
    pub(crate) double: bool,
}

impl Data {
    pub(crate) fn datatype(self) -> &'static str {
        if self.double { "MPI_DOUBLE" } else { "MPI_INT" }
    }

    /// Bytes of one message.
    pub(crate) fn bytes(self) -> i64 {
        i64::from(self.count) * if self.double { 8 } else { 4 }
    }
}

/// Where a phase runs: how its code says which communicator, rank, number of processes and tag.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) comm: String,
    pub(crate) rank: String,
    pub(crate) size: String,
    pub(crate) tag: String,
    pub(crate) data: Data,
}

impl Scope {
    /// Another tag of the same phase.
    pub(crate) fn second_tag(&self) -> Self {
        Self { tag: format!("{} + {SECOND_TAG}", self.tag), ..self.clone() }
    }
}

/// Distance of the second tag of a phase to its first.
pub(crate) const SECOND_TAG: i64 = 10;

/// One function while it is written.
struct Draft {
    head: String,
    variables: BTreeSet<String>,
    body: String,
}

/// Collects the text of a program.
pub(crate) struct Writer {
    globals: BTreeSet<String>,
    finished: Vec<String>,
    drafts: Vec<Draft>,
    labels: usize,
    names: usize,
    /// Whether loop counters are declared in front of all statements.
    pub(crate) early_counters: bool,
    pub(crate) slip: Slip,
}

impl Writer {
    pub(crate) fn new(early_counters: bool) -> Self {
        let main = Draft {
            head: "int main(int argc, char **argv)\n{\nint rank, np;\n".to_owned(),
            variables: BTreeSet::new(),
            body: String::new(),
        };
        Self {
            globals: BTreeSet::new(),
            finished: Vec::new(),
            drafts: vec![main],
            labels: 0,
            names: 0,
            early_counters,
            slip: Slip::None,
        }
    }

    /// A name that no other part of the program uses.
    pub(crate) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub(crate) fn line(&mut self, text: &str) {
        let draft = self.drafts.last_mut().expect("`main` is finished last");
        draft.body.push_str(text);
        draft.body.push('\n');
    }

    /// Writes a line that is referred to.
    pub(crate) fn call(&mut self, text: &str) -> Label {
        let label = self.labels;
        self.labels += 1;
        self.line(&format!("{text} //@{label}"));
        label
    }

    /// Declares a variable of the current function, once.
    pub(crate) fn need(&mut self, declaration: &str) {
        let draft = self.drafts.last_mut().expect("`main` is finished last");
        draft.variables.insert(declaration.to_owned());
    }

    /// Declares a variable of the file, once. `steps` is the first argument of the program.
    pub(crate) fn global(&mut self, declaration: &str) {
        self.globals.insert(declaration.to_owned());
    }

    /// Begins a function; what is written until `end_function` is its body.
    pub(crate) fn begin_function(&mut self, head: &str) {
        self.drafts.push(Draft {
            head: format!("{head}\n{{\n"),
            variables: BTreeSet::new(),
            body: String::new(),
        });
    }

    pub(crate) fn end_function(&mut self) {
        let draft = self.drafts.pop().expect("ends are written after begins");
        self.finished.push(text_of(&draft, "", "}\n"));
    }

    /// `for (int i = lo; i < hi; i++) {`, or downwards.
    pub(crate) fn begin_loop(&mut self, counter: &str, lo: &str, hi: &str, down: bool) {
        let declaration = if self.early_counters {
            self.need(&format!("int {counter} = 0;"));
            ""
        } else {
            "int "
        };
        if down {
            self.line(&format!("for ({declaration}{counter} = {hi} - 1; {counter} >= {lo}; {counter}--) {{"));
        } else {
            self.line(&format!("for ({declaration}{counter} = {lo}; {counter} < {hi}; {counter}++) {{"));
        }
    }

    pub(crate) fn end(&mut self) {
        self.line("}");
    }

    /// The text, and the line of each label.
    pub(crate) fn finish(mut self) -> (String, Vec<u32>) {
        let main = self.drafts.pop().expect("`main` was begun");
        assert!(self.drafts.is_empty(), "every function is ended");
        let mut start = "MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\
                         MPI_Comm_size(MPI_COMM_WORLD, &np);\n"
            .to_owned();
        if !self.globals.is_empty() {
            start.push_str("steps = atoi(argv[1]);\n");
        }
        self.finished.push(text_of(&main, &start, "MPI_Finalize();\nreturn 0;\n}\n"));
        let globals: String = self.globals.iter().map(|g| format!("{g}\n")).collect();
        let marked = format!("#include <mpi.h>\n#include <stdlib.h>\n{globals}{}", self.finished.concat());
        let mut lines = vec![0; self.labels];
        let mut text = String::new();
        for (number, line) in (1..).zip(marked.lines()) {
            let (code, label) = line.split_once(" //@").map_or((line, None), |(code, l)| (code, Some(l)));
            if let Some(label) = label {
                lines[label.parse::<usize>().expect("`call` writes labels")] = number;
            }
            text.push_str(code);
            text.push('\n');
        }
        (text, lines)
    }
}

fn text_of(draft: &Draft, start: &str, end: &str) -> String {
    let variables: String = draft.variables.iter().map(|v| format!("{v}\n")).collect();
    format!("{}{variables}{start}{}{end}", draft.head, draft.body)
}

/// Calls of one operation.
impl Writer {
    /// Buffer, count and datatype of a send.
    pub(crate) fn outgoing(&mut self, scope: &Scope) -> String {
        self.buffer(scope.data, "x", scope.data.count)
    }

    /// Buffer, count and datatype of a receive.
    pub(crate) fn incoming(&mut self, scope: &Scope) -> String {
        let count = scope.data.count - u8::from(self.slip == Slip::Short);
        self.buffer(scope.data, "y", count)
    }

    fn buffer(&mut self, data: Data, name: &str, count: u8) -> String {
        let (ty, suffix) = if data.double { ("double", "d") } else { ("int", "") };
        let datatype = data.datatype();
        if data.count == 1 {
            self.need(&format!("{ty} {name}{suffix} = 0;"));
            format!("&{name}{suffix}, {count}, {datatype}")
        } else {
            self.need(&format!("{ty} {name}{suffix}s[4] = {{0}};"));
            format!("{name}{suffix}s, {count}, {datatype}")
        }
    }

    /// The tag that the receiving side uses.
    pub(crate) fn wanted_tag(&self, scope: &Scope) -> String {
        if self.slip == Slip::Tag { format!("{} + 1000", scope.tag) } else { scope.tag.clone() }
    }

    pub(crate) fn send(&mut self, function: &str, scope: &Scope, to: &str) -> Label {
        let data = self.outgoing(scope);
        let Scope { comm, tag, .. } = scope;
        let text = match self.slip {
            Slip::NoSend => ";".to_owned(),
            _ => format!("{function}({data}, {to}, {tag}, {comm});"),
        };
        self.call(&text)
    }

    pub(crate) fn recv(&mut self, scope: &Scope, from: &str) -> Label {
        let tag = self.wanted_tag(scope);
        self.recv_with(scope, from, &tag, "MPI_STATUS_IGNORE")
    }

    pub(crate) fn recv_with(&mut self, scope: &Scope, from: &str, tag: &str, status: &str) -> Label {
        let data = self.incoming(scope);
        let text = match self.slip {
            Slip::NoReceive => ";".to_owned(),
            _ => format!("MPI_Recv({data}, {from}, {tag}, {}, {status});", scope.comm),
        };
        self.call(&text)
    }

    /// A nonblocking or persistent send. Without it, its request is null.
    pub(crate) fn begin_send(&mut self, function: &str, scope: &Scope, to: &str, request: &str) -> Label {
        let data = self.outgoing(scope);
        let Scope { comm, tag, .. } = scope;
        let text = match self.slip {
            Slip::NoSend => format!("{request} = MPI_REQUEST_NULL;"),
            _ => format!("{function}({data}, {to}, {tag}, {comm}, &{request});"),
        };
        self.call(&text)
    }

    /// A nonblocking or persistent receive. Without it, its request is null.
    pub(crate) fn begin_recv(&mut self, function: &str, scope: &Scope, from: &str, request: &str) -> Label {
        let data = self.incoming(scope);
        self.begin_recv_into(function, scope, &data, from, request)
    }

    pub(crate) fn begin_recv_into(
        &mut self,
        function: &str,
        scope: &Scope,
        data: &str,
        from: &str,
        request: &str,
    ) -> Label {
        let tag = self.wanted_tag(scope);
        let text = match self.slip {
            Slip::NoReceive => format!("{request} = MPI_REQUEST_NULL;"),
            _ => format!("{function}({data}, {from}, {tag}, {}, &{request});", scope.comm),
        };
        self.call(&text)
    }

    pub(crate) fn wait(&mut self, request: &str) {
        if self.slip != Slip::NoWait {
            self.line(&format!("MPI_Wait(&{request}, MPI_STATUS_IGNORE);"));
        }
    }

    pub(crate) fn wait_all(&mut self, number: &str, requests: &str) {
        if self.slip != Slip::NoWait {
            self.line(&format!("MPI_Waitall({number}, {requests}, MPI_STATUSES_IGNORE);"));
        }
    }
}
