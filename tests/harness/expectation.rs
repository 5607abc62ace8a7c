//! The block comment at the head of a program.

use std::ops::Range;

/// What the block says.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// Numbers of processes that the program is written for.
    pub np: NpSet,
    /// Further compiler flags.
    pub compile_flags: Vec<String>,
    /// Why it is not run, if it is not.
    pub run: Option<String>,
    /// Why it is not traced, if it is not.
    pub trace: Option<String>,
    /// The lines that anyrank has to answer, without indentation of the comment.
    pub answer: Vec<String>,
    /// Lines of the settings above, as written.
    settings: Vec<String>,
    /// The block in its file, in bytes.
    place: Range<usize>,
    /// Its last line, 1-based.
    pub last_line: u32,
}

/// Numbers of processes.
#[derive(Debug, Clone)]
pub enum NpSet {
    /// This many and more.
    From(u64),
    /// These.
    List(Vec<u64>),
}

impl NpSet {
    /// Whether the program is written for `np` processes.
    pub fn contains(&self, np: u64) -> bool {
        match self {
            Self::From(least) => *least <= np,
            Self::List(list) => list.contains(&np),
        }
    }

    /// The number of processes nearest to four that the program is written for.
    pub fn near_four(&self) -> u64 {
        match self {
            Self::From(least) => 4.max(*least),
            Self::List(list) => list.iter().copied().min_by_key(|np| np.abs_diff(4)).unwrap_or(4),
        }
    }
}

const OPEN: &str = "/* expect:\n";
const CLOSE: &str = " */\n";

impl Expectation {
    /// Reads the block of a file, if there is one.
    pub fn parse(file: &str, text: &str) -> Result<Option<Self>, String> {
        let Some(start) = text.find(OPEN) else { return Ok(None) };
        let body = start + OPEN.len();
        let length =
            text[body..].find(CLOSE).ok_or_else(|| format!("{file}: the expect block has no end"))?;
        let mut block = Self {
            np: NpSet::From(1),
            compile_flags: Vec::new(),
            run: None,
            trace: None,
            answer: Vec::new(),
            settings: Vec::new(),
            place: start..body + length + CLOSE.len(),
            last_line: (1..).zip(text[..=body + length].lines()).last().map_or(1, |(number, _)| number),
        };
        for line in text[body..body + length].lines() {
            let line = line
                .strip_prefix(" *   ")
                .ok_or_else(|| format!("{file}: `{line}`: lines of the expect block begin with ` *   `"))?;
            block.take(line).map_err(|error| format!("{file}: `{line}`: {error}"))?;
        }
        Ok(Some(block))
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim();
        match key {
            "np" => self.np = np_set(value)?,
            "compile-flags" => self.compile_flags = value.split_whitespace().map(str::to_owned).collect(),
            "run" => self.run = Some(reason(value)?),
            "trace" => self.trace = Some(reason(value)?),
            _ => {
                self.answer.push(line.to_owned());
                return Ok(());
            }
        }
        self.settings.push(line.to_owned());
        Ok(())
    }

    /// The file's text with `answer` in place of what the block says now.
    pub fn bless(&self, text: &str, answer: &[String]) -> String {
        let mut block = OPEN.to_owned();
        for line in self.settings.iter().chain(answer) {
            block.push_str(&format!(" *   {line}\n"));
        }
        block.push_str(CLOSE);
        let mut text = text.to_owned();
        text.replace_range(self.place.clone(), &block);
        text
    }
}

fn np_set(value: &str) -> Result<NpSet, String> {
    let number = |text: &str| text.trim().parse::<u64>().map_err(|error| error.to_string());
    match value.strip_prefix(">=") {
        Some(least) => Ok(NpSet::From(number(least)?)),
        None => value.split(',').map(number).collect::<Result<_, _>>().map(NpSet::List),
    }
}

fn reason(value: &str) -> Result<String, String> {
    match value.strip_prefix("no,").map(str::trim) {
        Some(reason) if !reason.is_empty() => Ok(reason.to_owned()),
        _ => Err("write `no, REASON`".to_owned()),
    }
}
