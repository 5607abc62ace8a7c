//! Identifiers as numbers, shared by the whole process.
//!
//! Lexed headers are shared between threads and translation units, so the names in them must be too. Each thread keeps
//! its own copy of the table, which makes a look-up free of locks once a name has been seen. Spellings live as long as
//! the process: their number is bounded by the distinct identifiers of the sources read.

use std::cell::RefCell;
use std::sync::{LazyLock, RwLock};

use rustc_hash::FxHashMap;

/// An identifier. [`Symbol::NONE`] is no identifier at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

impl Symbol {
    /// "Spelled in the file's bytes": the token is not an identifier, or needs no table.
    pub(super) const NONE: Symbol = Symbol(0);

    /// The identifier's spelling; empty for [`Symbol::NONE`].
    pub(super) fn as_str(self) -> &'static str {
        let table = read_table();
        table.spellings.get(self.0 as usize).copied().unwrap_or("")
    }
}

/// Declares the names the preprocessor itself knows, as constants with fixed numbers.
macro_rules! well_known {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[expect(dead_code, reason = "0 is no name, but the others count from it")]
        #[expect(non_camel_case_types, reason = "the variants only number the names")]
        #[expect(clippy::upper_case_acronyms, reason = "the variants only number the names")]
        #[repr(u32)]
        enum Number { NONE = 0, $($name),* }

        /// The well-known names.
        pub(super) mod sym {
            use super::{Number, Symbol};
            $(pub(in super::super) const $name: Symbol = Symbol(Number::$name as u32);)*
        }

        const SPELLINGS: &[&str] = &["", $($text),*];
    };
}

well_known! {
    // Directives and words of their operands.
    DEFINED = "defined", IF = "if", IFDEF = "ifdef", IFNDEF = "ifndef", ELIF = "elif", ELIFDEF = "elifdef",
    ELIFNDEF = "elifndef", ELSE = "else", ENDIF = "endif", DEFINE = "define", UNDEF = "undef", INCLUDE = "include",
    INCLUDE_NEXT = "include_next", IMPORT = "import", ERROR = "error", WARNING = "warning", LINE = "line",
    PRAGMA = "pragma", IDENT = "ident", SCCS = "sccs", ASSERT = "assert", UNASSERT = "unassert", ONCE = "once",
    PUSH_MACRO = "push_macro", POP_MACRO = "pop_macro", PACK = "pack", GCC = "GCC", SYSTEM_HEADER = "system_header",
    OMP = "omp", OPENMP_VERSION = "_OPENMP",
    TRUE = "true", VA_ARGS = "__VA_ARGS__", VA_OPT = "__VA_OPT__", PRAGMA_OPERATOR = "_Pragma",
    // Operators of conditions; `Unit::is_defined` relies on their order.
    HAS_INCLUDE = "__has_include", HAS_INCLUDE_NEXT = "__has_include_next", HAS_ATTRIBUTE = "__has_attribute",
    HAS_C_ATTRIBUTE = "__has_c_attribute", HAS_CPP_ATTRIBUTE = "__has_cpp_attribute", HAS_BUILTIN = "__has_builtin",
    // Macros whose value depends on the place of use; `engine::is_builtin` relies on their order.
    FILE = "__FILE__", FILE_NAME = "__FILE_NAME__", BASE_FILE = "__BASE_FILE__", LINE_NUMBER = "__LINE__",
    INCLUDE_LEVEL = "__INCLUDE_LEVEL__", COUNTER = "__COUNTER__", DATE = "__DATE__", TIME = "__TIME__",
    TIMESTAMP = "__TIMESTAMP__",
}

struct Table {
    numbers: FxHashMap<&'static str, Symbol>,
    spellings: Vec<&'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut numbers = FxHashMap::default();
    for (number, &text) in SPELLINGS.iter().enumerate().skip(1) {
        // A well-known table has far fewer than 2^32 names.
        numbers.insert(text, Symbol(number as u32));
    }
    RwLock::new(Table { numbers, spellings: SPELLINGS.to_vec() })
});

thread_local! {
    static SEEN: RefCell<FxHashMap<&'static str, Symbol>> = RefCell::new(FxHashMap::default());
}

/// The table for reading. A writer cannot leave it half changed, so a poisoned lock is still good.
fn read_table() -> std::sync::RwLockReadGuard<'static, Table> {
    TABLE.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The number of `text`.
pub(super) fn intern(text: &str) -> Symbol {
    SEEN.with_borrow_mut(|seen| {
        if let Some(&symbol) = seen.get(text) {
            return symbol;
        }
        let (spelling, symbol) = intern_shared(text);
        seen.insert(spelling, symbol);
        symbol
    })
}

fn intern_shared(text: &str) -> (&'static str, Symbol) {
    if let Some((&spelling, &symbol)) = read_table().numbers.get_key_value(text) {
        return (spelling, symbol);
    }
    let mut table = TABLE.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((&spelling, &symbol)) = table.numbers.get_key_value(text) {
        return (spelling, symbol);
    }
    // 2^32 distinct identifiers need more than the 4 GB that all sources of a unit may have together.
    let symbol = Symbol(u32::try_from(table.spellings.len()).unwrap_or(u32::MAX));
    let spelling: &'static str = Box::leak(text.into());
    table.spellings.push(spelling);
    table.numbers.insert(spelling, symbol);
    (spelling, symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_in_every_thread() {
        let here = intern("some_name");
        let there = std::thread::spawn(|| intern("some_name")).join().unwrap();
        assert_eq!(here, there);
        assert_eq!(here.as_str(), "some_name");
        assert_eq!(intern("__LINE__"), sym::LINE_NUMBER);
        assert_eq!(sym::TIMESTAMP.as_str(), "__TIMESTAMP__");
        assert!(here.0 > sym::TIMESTAMP.0);
    }
}
