//! Finds isl as a static library, and GMP where that isl was built on it; says what to install where there is none.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where packages put static libraries if the compiler does not know.
const USUAL: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
    "/usr/local/lib",
    "/usr/lib64",
    "/usr/lib",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ANYRANK_ISL");
    let own = env::var_os("ANYRANK_ISL").map(PathBuf::from);
    let isl = match &own {
        Some(directory) => Some(directory.join("libisl.a")).filter(|path| path.is_file()),
        None => find("libisl.a"),
    };
    let Some(isl) = isl else {
        let place = own.map_or("where libraries are".to_owned(), |own| format!("in {}", own.display()));
        println!(
            "cargo::error=no libisl.a {place}: run `make setup` once (it installs libisl-dev, or isl by Homebrew), or let \
             ANYRANK_ISL be the directory of your own"
        );
        return;
    };
    println!("cargo::rerun-if-changed={}", isl.display());
    link(&isl, "isl");
    if !is_built_on_gmp(&isl) {
        return;
    }
    let beside = isl.with_file_name("libgmp.a");
    match Some(beside).filter(|path| path.is_file()).or_else(|| find("libgmp.a")) {
        Some(gmp) => link(&gmp, "gmp"),
        None => println!(
            "cargo::error=no libgmp.a, which {} needs: run `make setup` once (it installs libgmp-dev, or gmp by Homebrew)",
            isl.display()
        ),
    }
}

/// Where a library is: as the C compiler says, or in one of the usual places.
fn find(name: &str) -> Option<PathBuf> {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let asked = Command::new(compiler).arg(format!("-print-file-name={name}")).output().ok();
    let said =
        asked.and_then(|output| String::from_utf8(output.stdout).ok()).map(|text| PathBuf::from(text.trim()));
    // The compiler says the bare name where it finds nothing.
    let known = said.filter(|path| path.is_absolute() && path.is_file());
    known.or_else(|| USUAL.iter().map(|place| Path::new(place).join(name)).find(|path| path.is_file()))
}

fn link(library: &Path, name: &str) {
    if let Some(directory) = library.parent() {
        println!("cargo::rustc-link-search=native={}", directory.display());
    }
    println!("cargo::rustc-link-lib=static={name}");
}

/// isl computes with GMP or with code of its own (imath); the names that it takes from elsewhere tell.
fn is_built_on_gmp(isl: &Path) -> bool {
    let name = b"__gmpz_init";
    fs::read(isl).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}
