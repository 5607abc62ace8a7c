//! The C library AutoLink, which sends and receives linked structures over MPI, as text: it is compiled with the
//! programs that use it. `autolink.h` documents it; `docs/autolink.md` is the guide.

/// A file of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without directory.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, text: include_str!($name) }),*]
    };
}

/// All of them; they belong into one directory. The first is the header that programs include.
pub const FILES: &[File] = files![
    "autolink.h",
    "bcast.c",
    "decode.c",
    "encode.c",
    "error.c",
    "internal.h",
    "local.c",
    "marks.c",
    "marks.h",
    "plan.c",
    "receive.c",
    "send.c",
    "start.c",
    "store.c",
    "strings.c",
    "transfer.c",
    "transfer.h",
];
