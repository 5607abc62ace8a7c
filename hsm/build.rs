//! Stops the build with a way out when libz3 is not where `.cargo/config.toml` says: the linker's own message names no
//! remedy, and it might even find the system's libz3, which is too old to prove anything of interest.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if env::var_os("CARGO_FEATURE_Z3").is_none() || env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    let Some(directory) = env::var_os("Z3_LIBRARY_PATH_OVERRIDE") else { return };
    let directory = Path::new(&directory);
    let found = ["libz3.so", "libz3.dylib", "libz3.a", "z3.lib", "libz3.lib"]
        .into_iter()
        .map(|name| directory.join(name))
        .find(|path| path.exists());
    match found {
        Some(library) => println!("cargo::rerun-if-changed={}", library.display()),
        None => println!(
            "cargo::error=no libz3 in {}: run `make setup` once, or build with --no-default-features (fewer proofs)",
            directory.display()
        ),
    }
}
