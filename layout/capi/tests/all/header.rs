//! The header is made of the sources: after a change of them, `UPDATE_EXPECT=1 cargo test -p layout-capi header` makes it anew.

use std::path::Path;

#[test]
fn header_is_that_of_the_sources() {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config::from_file(crate_dir.join("cbindgen.toml")).expect("it is well-formed");
    config.header = Some(include_str!("../../header.txt").trim_end().to_owned());
    let bindings = cbindgen::Builder::new().with_crate(crate_dir).with_config(config).generate();
    let mut header = Vec::new();
    bindings.expect("the sources can be read").write(&mut header);
    let header = String::from_utf8(header).expect("it is text");
    // What is said about safety is for callers in Rust; in C there is no other kind of function.
    let mut lines: Vec<&str> = Vec::new();
    let mut skipped = false;
    for line in header.lines() {
        skipped = (skipped && line.starts_with("//")) || line == "// # Safety";
        if line == "// # Safety" {
            // The empty line before it.
            lines.pop();
        }
        if !skipped {
            lines.push(line);
        }
    }
    let text = lines.join("\n") + "\n";
    expect_test::expect_file!["../../include/anyrank_layout.h"].assert_eq(&text);
}
