//! `anyrank --version`: the version, and the Z3 it proves with.

/// For example `0.1.0 (Z3 5.4.0.0)` or `0.1.0 (without Z3)`.
#[must_use]
pub(crate) fn version() -> String {
    let z3 = hsm::z3_version().map_or_else(|| "without Z3".to_owned(), |version| format!("Z3 {version}"));
    format!("{} ({z3})", env!("CARGO_PKG_VERSION"))
}
