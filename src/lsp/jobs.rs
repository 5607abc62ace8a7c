//! Which document is analysed when, and the worker that does it: one at a time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use frontend::programs::Itself;

use super::view::{Job, View};

/// After the last keystroke, so long nothing is done: what an editor sends at once is one change.
const QUIET: Duration = Duration::from_millis(20);

/// What a worker says.
#[derive(Debug)]
pub(crate) struct Said {
    number: u64,
    /// A view, the last of which ends the worker, or why no more will come.
    view: Result<Box<View>, String>,
}

/// What is to be done, and what is being done.
#[derive(Debug)]
pub(crate) struct Jobs {
    /// This program, as it was found when the server started.
    own: io::Result<Itself>,
    /// Arguments of the command line that a worker gets too.
    arguments: Vec<OsString>,
    due: BTreeMap<PathBuf, Due>,
    running: Option<Running>,
    number: u64,
    sender: Sender<Said>,
    /// What workers say, for [`Jobs::take`].
    pub(crate) said: Receiver<Said>,
}

/// What comes first, and puts aside what is under way of those below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// Somebody types in the document.
    Typed,
    /// Something else that its results depend on has changed.
    Touched,
    /// Edits are looked for.
    Edits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    urgency: Urgency,
    at: Instant,
}

#[derive(Debug)]
struct Running {
    number: u64,
    document: PathBuf,
    urgency: Urgency,
    texts: BTreeMap<PathBuf, Arc<str>>,
    child: Child,
}

/// What a worker found out.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) document: PathBuf,
    /// The texts that it had.
    pub(crate) texts: BTreeMap<PathBuf, Arc<str>>,
    /// The results, or why there are none.
    pub(crate) view: Result<Box<View>, String>,
}

impl Jobs {
    pub(crate) fn new(arguments: Vec<OsString>) -> Self {
        let (sender, said) = unbounded();
        Self { own: Itself::find(), arguments, due: BTreeMap::new(), running: None, number: 0, sender, said }
    }

    /// Has a document analysed soon; what is under way for it is stale.
    pub(crate) fn schedule(&mut self, document: &Path, urgency: Urgency) {
        self.forget(document);
        self.due.insert(document.to_owned(), Due { urgency, at: Instant::now() + QUIET });
    }

    /// Has edits looked for when there is nothing else to do.
    pub(crate) fn schedule_edits(&mut self, document: &Path) {
        self.put_aside(document.to_owned(), Urgency::Edits);
    }

    fn put_aside(&mut self, document: PathBuf, urgency: Urgency) {
        self.due.entry(document).or_insert(Due { urgency, at: Instant::now() });
    }

    /// Has nothing done about a document.
    pub(crate) fn forget(&mut self, document: &Path) {
        self.due.remove(document);
        if self.running.as_ref().is_some_and(|running| running.document == document) {
            self.stop();
        }
    }

    /// When there is something to start, if nothing ends before.
    pub(crate) fn next(&self) -> Option<Instant> {
        let may_start =
            |due: &&Due| self.running.as_ref().is_none_or(|running| due.urgency < running.urgency);
        self.due.values().filter(may_start).map(|due| due.at).min()
    }

    /// The document whose time has come, if there is one and nothing is under way that is as urgent.
    pub(crate) fn choose(&mut self) -> Option<(PathBuf, Urgency)> {
        let now = Instant::now();
        let due = self.due.iter().filter(|(_, due)| due.at <= now).min_by_key(|(_, due)| **due);
        let (document, urgency) = due.map(|(document, due)| (document.clone(), due.urgency))?;
        if let Some(running) = &self.running {
            if running.urgency <= urgency {
                return None;
            }
            let (other, its) = (running.document.clone(), running.urgency);
            self.stop();
            self.put_aside(other, its);
        }
        self.due.remove(&document);
        Some((document, urgency))
    }

    /// Starts a worker. `document` is the job's by its absolute path, `texts` the texts of all.
    ///
    /// # Errors
    /// No process could be started.
    pub(crate) fn start(
        &mut self,
        document: PathBuf,
        urgency: Urgency,
        texts: BTreeMap<PathBuf, Arc<str>>,
        job: Job,
    ) -> io::Result<()> {
        let own = self.own.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        let first = ["lsp", "--worker"].map(OsString::from);
        let mut child = own.start(first.iter().chain(&self.arguments))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for");
        };
        self.number += 1;
        let (number, sender) = (self.number, self.sender.clone());
        thread::spawn(move || {
            // A worker that does not take its job says nothing either.
            let _ = serde_json::to_writer(io::BufWriter::new(stdin), &job);
            let mut is_complete = false;
            for view in serde_json::Deserializer::from_reader(io::BufReader::new(stdout)).into_iter::<View>()
            {
                let Ok(view) = view else { break };
                is_complete = view.is_last();
                let _ = sender.send(Said { number, view: Ok(Box::new(view)) });
            }
            if !is_complete {
                let _ = sender.send(Said { number, view: Err("the analysis broke down".to_owned()) });
            }
        });
        self.running = Some(Running { number, document, urgency, texts, child });
        Ok(())
    }

    /// Takes in what a worker said. `None` if it was stopped.
    pub(crate) fn take(&mut self, said: Said) -> Option<Done> {
        let running = self.running.as_mut().filter(|running| running.number == said.number)?;
        let is_last = said.view.as_ref().map_or(true, |view| view.is_last());
        let done = Done { document: running.document.clone(), texts: running.texts.clone(), view: said.view };
        if is_last {
            let _ = running.child.wait();
            self.running = None;
        }
        Some(done)
    }

    /// Ends the worker that is under way.
    pub(crate) fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // It may have ended by itself.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop();
    }
}
