//! Time from source text to answer for programs of the corpus, in this process, without printing.
//!
//! `fanout_broadcast` is the code sample that the prototype behind the paper needed 381 s for (2.8 GHz Opteron, section IX).
//! Each row is the whole way: read, preprocess, parse, lower, explore, assemble.

use std::path::{Path, PathBuf};

use anyrank::session::{Request, analyse};

fn main() {
    divan::main();
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

#[divan::bench(args = ["fanout_broadcast", "fig1_mdcask", "fig2_exchange", "fig5_root_exchange", "fig7_shift"])]
fn topology(name: &str) -> anyrank::session::Answer {
    let mut request = Request::new(vec![corpus().join(format!("{name}.c"))]);
    request.unit_rules = false;
    request.jobs = Some(1);
    analyse(&request).expect("the corpus is there")
}

#[divan::bench]
fn lint_whole_corpus() -> anyrank::session::Answer {
    analyse(&Request::new(vec![corpus()])).expect("the corpus is there")
}
