//! The analysis from the outside: what it answers about small programs.
//!
//! One program for all of them: it is linked once, and they run side by side. `regimes` is a program of its own, as it watches the memory
//! of its process.

mod answers;
mod budgets;
mod c_semantics;
mod modelled;
mod rules;
mod rules_lifecycle;
mod sessions;
mod simulated;
mod struct_layout;
