//! What is under way, written down for a process that supervises this one, so that it knows what killed it.
//!
//! The journal is an unnamed file, one entry a line. A process that was started by [`supervisor`](crate::supervisor) has it as its
//! standard input, reads what earlier ones left, and goes on writing. Without a supervisor nothing is written.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// A process starts.
    Run,
    /// Something begins.
    Begin(String),
    /// It is done.
    End(String),
    /// From here on something is changed or said that must not happen twice.
    Final,
    /// It killed a process, as the second text says, and is left out.
    Lost(String, String),
    /// It was under way, with others, when a process was killed: it is done alone.
    Suspect(String),
}

/// Appends a line.
pub(crate) fn write(file: &mut File, entry: &Entry) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// All lines; the next one is written behind them. A line that a killed process left unfinished ends the list.
pub(crate) fn read(file: &mut File) -> io::Result<Vec<Entry>> {
    file.seek(SeekFrom::Start(0))?;
    let mut entries = Vec::new();
    for line in BufReader::new(&*file).lines() {
        let Ok(entry) = serde_json::from_str::<Entry>(&line.unwrap_or_default()) else { break };
        entries.push(entry);
    }
    file.seek(SeekFrom::End(0))?;
    Ok(entries)
}

/// The journal of this process.
struct Journal {
    file: Mutex<File>,
    lost: Vec<(String, String)>,
    suspects: BTreeSet<String>,
}

static JOURNAL: OnceLock<Journal> = OnceLock::new();

/// Whether the first analysis, whose results are printed, is over: what follows are analyses of edited texts.
static IS_LATER: AtomicBool = AtomicBool::new(false);

/// Goes on with the journal in a file.
pub(crate) fn open(mut file: File) -> io::Result<()> {
    let entries = read(&mut file)?;
    let mut journal = Journal { file: Mutex::new(file), lost: Vec::new(), suspects: BTreeSet::new() };
    for entry in entries {
        match entry {
            Entry::Lost(what, why) => journal.lost.push((what, why)),
            Entry::Suspect(what) => {
                journal.suspects.insert(what);
            }
            Entry::Run | Entry::Begin(_) | Entry::End(_) | Entry::Final => {}
        }
    }
    // The first one stays.
    let _ = JOURNAL.set(journal);
    Ok(())
}

/// What follows is about edited texts: what kills there does not cost the results of the first analysis.
pub(crate) fn first_is_over() {
    IS_LATER.store(true, Ordering::Relaxed);
}

/// From here on something is changed or said that must not happen twice.
pub(crate) fn finish() {
    if let Some(journal) = JOURNAL.get() {
        journal.note(&Entry::Final);
    }
}

/// How something is called in the journal: its kind and name.
#[derive(Clone, Debug)]
pub(crate) struct Task(String);

impl Task {
    /// Something of this kind and name, in the present analysis.
    pub(crate) fn new(kind: &str, name: &str) -> Self {
        let stage = if IS_LATER.load(Ordering::Relaxed) { "edited " } else { "" };
        Self(format!("{stage}{kind} {name}"))
    }

    /// Whether it was under way when a process was killed, so that nothing else may be while it is.
    pub(crate) fn is_suspect(&self) -> bool {
        JOURNAL.get().is_some_and(|journal| journal.suspects.contains(&self.0))
    }

    /// Does `work`, unless it has killed a process before; an error says so.
    pub(crate) fn watch<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        let Some(journal) = JOURNAL.get() else { return Ok(work()) };
        if let Some((_, why)) = journal.lost.iter().find(|(lost, _)| *lost == self.0) {
            return Err(why.clone());
        }
        journal.note(&Entry::Begin(self.0.clone()));
        let done = work();
        journal.note(&Entry::End(self.0.clone()));
        Ok(done)
    }
}

impl Journal {
    fn note(&self, entry: &Entry) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Without it only the name of what killed the process is lost.
        let _ = write(&mut file, entry);
    }
}

/// What was begun in the last run and not done, in order; `None` if nothing may be repeated.
pub(crate) fn under_way(entries: &[Entry]) -> Option<Vec<String>> {
    let start = entries.iter().rposition(|entry| *entry == Entry::Run).map_or(0, |at| at + 1);
    let mut open: Vec<String> = Vec::new();
    for entry in &entries[start..] {
        match entry {
            Entry::Begin(what) => open.push(what.clone()),
            Entry::End(what) => {
                if let Some(at) = open.iter().position(|begun| begun == what) {
                    open.remove(at);
                }
            }
            Entry::Final => return None,
            Entry::Run | Entry::Lost(..) | Entry::Suspect(_) => {}
        }
    }
    Some(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_and_not_done_is_found_behind_an_unfinished_line() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        let text = |text: &str| text.to_owned();
        let entries = [
            Entry::Run,
            Entry::Begin(text("program old.c")),
            Entry::Run,
            Entry::Begin(text("program a.c")),
            Entry::Begin(text("program b\n.c")),
            Entry::Begin(text("program c.c")),
            Entry::End(text("program b\n.c")),
        ];
        entries.iter().for_each(|entry| write(&mut file, entry).expect("it can be written"));
        file.write_all(b"{\"End\":\"progr").expect("it can be written");
        let read = read(&mut file).expect("it can be read");
        assert_eq!(read, entries);
        assert_eq!(under_way(&read), Some(vec![text("program a.c"), text("program c.c")]));
        assert_eq!(under_way(&[Entry::Run, Entry::Final]), None);
    }
}
