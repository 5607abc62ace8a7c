//! Functions of the C library and of POSIX, by what a call of them does.

/// What a library function does to a process, as far as a call shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No side effect that a program can observe in memory; the result is not known.
    Reads,
    /// Returns new memory.
    Allocates {
        /// Whether it is all zero.
        zeroed: bool,
    },
    /// Returns new memory with the content of the old.
    Reallocates,
    /// Returns new memory with a copy of a string.
    Copies,
    /// Reads a line into memory that it allocates or extends.
    Line,
    /// Returns the address of memory that the library owns.
    Owns(&'static str),
    /// Has a function called when a signal arrives.
    Signal,
    /// Writes through the pointers it is given.
    Writes,
    /// Ends the process.
    Exits,
    /// Notes a place to come back to (`setjmp`): it returns once more if somebody jumps there.
    Marks,
    /// Jumps to such a place.
    Jumps,
}

/// Functions of the C library, sorted by name.
const EFFECTS: &[(&str, Effect)] = {
    use Effect::{Allocates, Copies, Exits, Jumps, Line, Marks, Owns, Reads, Reallocates, Signal, Writes};
    &[
        ("__assert_fail", Exits),
        ("__ctype_b_loc", Owns("__ctype_b_loc")),
        ("__ctype_tolower_loc", Owns("__ctype_tolower_loc")),
        ("__ctype_toupper_loc", Owns("__ctype_toupper_loc")),
        ("__errno_location", Owns("errno")),
        ("__longjmp_chk", Jumps),
        ("__sigsetjmp", Marks),
        ("_Exit", Exits),
        ("_exit", Exits),
        ("_longjmp", Jumps),
        ("_setjmp", Marks),
        ("abort", Exits),
        ("alloca", Allocates { zeroed: false }),
        ("calloc", Allocates { zeroed: true }),
        ("clock", Reads),
        ("drand48", Reads),
        ("exit", Exits),
        ("fflush", Reads),
        ("fprintf", Reads),
        ("fputc", Reads),
        ("fputs", Reads),
        ("free", Reads),
        ("fwrite", Reads),
        ("getcontext", Marks),
        ("getline", Line),
        ("getpid", Reads),
        ("longjmp", Jumps),
        ("lrand48", Reads),
        ("malloc", Allocates { zeroed: false }),
        ("perror", Reads),
        ("printf", Reads),
        ("putc", Reads),
        ("putchar", Reads),
        ("puts", Reads),
        ("quick_exit", Exits),
        ("rand", Reads),
        ("random", Reads),
        ("realloc", Reallocates),
        ("setcontext", Jumps),
        ("setjmp", Marks),
        ("sigaction", Signal),
        ("siglongjmp", Jumps),
        ("signal", Signal),
        ("sigsetjmp", Marks),
        ("sleep", Reads),
        ("srand", Reads),
        ("srand48", Reads),
        ("srandom", Reads),
        ("strdup", Copies),
        ("strerror", Reads),
        ("strtok_r", Writes),
        ("swapcontext", Jumps),
        ("usleep", Reads),
        ("vfprintf", Reads),
        ("vprintf", Reads),
    ]
};

/// What a function of the C library does, where that is known.
#[must_use]
pub fn effect(name: &str) -> Option<Effect> {
    EFFECTS.iter().find(|(known, _)| *known == name).map(|&(_, effect)| effect)
}
