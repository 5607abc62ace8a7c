//! Work that is counted, and budgets of it.
//!
//! How far an analysis goes must not depend on the machine, nor on what else runs there. So what it does is counted, and it ends after
//! so many units of work, never after so many seconds.
//!
//! **The unit**: about what it costs to look at one bound of a constraint graph, or to copy one entry of a table. Whoever does
//! something that takes longer says so where it is done, with [`spend`]: a state that is copied, an expression that is computed, a
//! question to Z3 by its own count. A step that costs less than a unit need not be counted if it belongs to one that is.
//! On the machine that the budgets were made on, an optimised build does about [`Limits::RATE`] units in a second.
//!
//! Work is counted for each thread; one analysis is done by one thread from beginning to end.
//!
//! Beside the counted end there is a net: an analysis that has used so much time of a processor ends, too. That is not the time on a
//! clock: what other programs do in the meantime does not count. An answer that the net has cut depends on the machine, and has to
//! say so: [`Budget::is_cut`].
//!
//! ```
//! use effort::{Budget, Limits, spend};
//!
//! let budget = Budget::begin(Limits::of_work(100));
//! spend(60);
//! assert!(!budget.is_spent() && budget.share(1, 2).is_spent());
//! spend(41);
//! assert!(budget.is_spent() && !budget.is_cut());
//! ```

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// Units of work that this thread has done.
    static DONE: Cell<u64> = const { Cell::new(0) };
    /// When the processor's clock is looked at next: after so much work, or so many questions.
    static NEXT_LOOK: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
    /// How often something of this thread has ended by a net of its own.
    static CUTS: Cell<u64> = const { Cell::new(0) };
}

/// Work between two looks at the processor's clock: some milliseconds.
const LOOK: u64 = Limits::RATE / 200;
/// Questions between two looks, for work that is not counted.
const QUESTIONS: u32 = 2_000;

/// Counts work of this thread, in units.
#[inline]
pub fn spend(units: u64) {
    DONE.set(DONE.get().saturating_add(units));
}

/// The same for things of which there are so many.
#[inline]
pub fn spend_on(things: usize) {
    spend(things as u64);
}

/// Says that something has ended by a net of its own, so that the answer depends on the machine: all budgets of this thread that have begun
/// are cut; their work goes on.
pub fn cut() {
    CUTS.set(CUTS.get().saturating_add(1));
}

/// Does something that has a net of its own, and says whether it took at least so long: whether it may have fallen into the net.
pub fn timed<T>(net: Duration, act: impl FnOnce() -> T) -> (T, bool) {
    let begin = Instant::now();
    let done = act();
    (done, net <= begin.elapsed())
}

/// The work that this thread has done since it began.
#[must_use]
pub fn spent() -> u64 {
    DONE.get()
}

/// How much an analysis may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units of work.
    pub work: u64,
    /// Time on a processor, as a net.
    pub time: Duration,
}

impl Limits {
    /// Units of work in a second of an optimised build, as far as that can be said.
    pub const RATE: u64 = 20_000_000;

    /// How many times as long as the counted work takes on an ordinary machine the net leaves.
    pub const SLACK: u32 = 6;

    /// The time that an analysis has unless something else is asked for.
    pub const TIME: Duration = Duration::from_secs(60);

    /// A net, and so much work that it comes to its end first on any ordinary machine.
    #[must_use]
    pub const fn within(time: Duration) -> Self {
        let micros = time.as_micros() * (Self::RATE as u128) / (Self::SLACK as u128) / 1_000_000;
        let work = if micros < u64::MAX as u128 { micros as u64 } else { u64::MAX };
        Self { work, time }
    }

    /// So much work, and no net that anything would fall into.
    #[must_use]
    pub const fn of_work(work: u64) -> Self {
        Self { work, time: Duration::MAX }
    }

    /// As much work as takes about so many seconds in an optimised build, and no net: for tests, whose outcome must not depend on the
    /// machine.
    #[must_use]
    pub const fn of_seconds(seconds: u64) -> Self {
        Self::of_work(seconds.saturating_mul(Self::RATE))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::within(Self::TIME)
    }
}

/// What is left to do for the work of one thread: an end in counted work, and a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    begin: u64,
    work: u64,
    end: u64,
    /// What the clock of this thread's time on a processor shows when the net is reached.
    net: Duration,
    /// How often something had ended by a net of its own before.
    cuts: u64,
}

impl Budget {
    /// A budget from now on.
    #[must_use]
    pub fn begin(limits: Limits) -> Self {
        let begin = spent();
        let net = on_processor().saturating_add(limits.time);
        NEXT_LOOK.set((0, 0));
        Self { begin, work: limits.work, end: begin.saturating_add(limits.work), net, cuts: CUTS.get() }
    }

    /// The same budget, of which a part may be used: `part` out of `of`, counted from its beginning. The net is the same.
    ///
    /// # Panics
    ///
    /// If `of` is zero.
    #[must_use]
    pub fn share(self, part: u32, of: u32) -> Self {
        let work = u128::from(self.work) * u128::from(part) / u128::from(of);
        let work = u64::try_from(work).unwrap_or(u64::MAX);
        Self { end: self.begin.saturating_add(work), ..self }
    }

    /// At most so much work from now on.
    #[must_use]
    pub fn at_most(self, work: u64) -> Self {
        Self { end: self.end.min(spent().saturating_add(work)), ..self }
    }

    /// The same budget, as if so much work had not been done: it was for something that has a budget of its own.
    #[must_use]
    pub fn without(self, work: u64) -> Self {
        Self { begin: self.begin.saturating_add(work), end: self.end.saturating_add(work), ..self }
    }

    /// Work that was done since it began.
    #[must_use]
    pub fn used(self) -> u64 {
        spent().saturating_sub(self.begin)
    }

    /// Work that may still be done.
    #[must_use]
    pub fn left(self) -> u64 {
        self.end.saturating_sub(spent())
    }

    /// Whether the work is done, or the net is reached.
    #[must_use]
    pub fn is_spent(self) -> bool {
        self.end < spent() || self.is_over_net()
    }

    /// Whether the net is reached, now or before, or something has said [`cut`]: then the answer depends on the machine.
    #[must_use]
    pub fn is_cut(self) -> bool {
        self.cuts < CUTS.get() || self.is_past_net()
    }

    fn is_past_net(self) -> bool {
        self.net < Duration::MAX && self.net < on_processor()
    }

    /// The net, looked at now and then, since asking for the time takes longer than most of what is done between two questions.
    fn is_over_net(self) -> bool {
        if self.net == Duration::MAX {
            return false;
        }
        let (at, questions) = NEXT_LOOK.get();
        if questions > 0 && spent() < at {
            NEXT_LOOK.set((at, questions - 1));
            return false;
        }
        if self.is_past_net() {
            // Until the next budget.
            NEXT_LOOK.set((0, 0));
            return true;
        }
        NEXT_LOOK.set((spent().saturating_add(LOOK), QUESTIONS));
        false
    }
}

/// The time that this thread has had a processor.
#[cfg(unix)]
fn on_processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where that cannot be asked for: the time on a clock.
#[cfg(not(unix))]
fn on_processor() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_by_a_net_of_its_own_is_cut() {
        let budget = Budget::begin(Limits::of_work(1_000));
        assert!(!budget.is_cut());
        cut();
        assert!(!Budget::begin(Limits::of_work(1_000)).is_cut());
        assert!(budget.is_cut() && budget.share(1, 2).is_cut());
        // What is left to do can be done.
        assert!(!budget.is_spent());
    }

    #[test]
    fn shares_are_counted_from_the_beginning() {
        let budget = Budget::begin(Limits::of_work(1_000));
        let quarter = budget.share(1, 4);
        spend(250);
        assert!(!quarter.is_spent());
        spend(1);
        assert!(quarter.is_spent() && !budget.share(1, 2).is_spent());
        assert_eq!((quarter.left(), budget.left()), (0, 749));
        assert!(budget.at_most(10).left() == 10 && quarter.at_most(10).left() == 0);
        let all = Budget::begin(Limits::of_work(u64::MAX));
        assert!(!all.share(7, 7).is_spent());
    }

    #[test]
    fn what_other_threads_do_does_not_count() {
        let budget = Budget::begin(Limits::of_work(10));
        std::thread::spawn(|| spend(1_000)).join().expect("it does not panic");
        assert!(!budget.is_spent());
    }

    #[test]
    fn the_net_catches_what_is_not_counted() {
        let limits = Limits { work: u64::MAX, time: Duration::from_millis(20) };
        let budget = Budget::begin(limits);
        assert!(!budget.is_cut());
        // Waiting is no work.
        std::thread::sleep(Duration::from_millis(60));
        assert!(!budget.is_spent() || cfg!(not(unix)));
        let mut questions = 0_u64;
        while !budget.is_spent() {
            questions += 1;
        }
        assert!(questions > 0 && budget.is_cut());
        assert!(!Budget::begin(limits).is_spent());
    }

    #[test]
    fn the_work_ends_before_the_net() {
        assert_eq!(Limits::default().work, 10 * Limits::RATE);
        assert_eq!(Limits::within(Duration::from_secs(6)).work, Limits::RATE);
        assert_eq!(Limits::within(Duration::MAX).work, u64::MAX);
        assert_eq!(Limits::of_seconds(2).work, 2 * Limits::RATE);
    }
}
