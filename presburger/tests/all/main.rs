//! Sets and relations from the outside: laws and enumeration.
//!
//! One program for all of them: it is linked once, and they run side by side.

mod budgets;
mod constraints;
mod counting;
mod flow;
mod functions;
mod matching;
mod points;
mod printing;
mod random;
mod relations;
mod schedules;
mod sets;
mod texts;
