//! Makes an SVG picture of coloured terminal output: `make pictures` draws those of the README from real runs.
//!
//!     anyrank lint --color always corpus/tag_mismatch.c | cargo run --example picture > docs/lint.svg

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut output = String::new();
    std::io::stdin().read_to_string(&mut output)?;
    print!("{}", anstyle_svg::Term::new().render_svg(&output));
    Ok(())
}
