//! The page of `anyrank topology --format html` in a browser: `tests/browser/page.py`, driven by Playwright.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_report_works_in_a_browser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let driver = root.join("build/browser");
    let python = fs::read_to_string(driver.join("python")).expect("`make setup-test` installs Playwright");
    let run = Command::new(python.trim())
        .current_dir(root)
        .env("ANYRANK", env!("CARGO_BIN_EXE_anyrank"))
        .env("PYTHONPATH", driver.join("lib"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg("tests/browser/page.py")
        .output()
        .expect("Python starts");
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}");
    // Python counts what it ran; nothing must be left out.
    assert!(told.contains("\nOK\n"), "{told}");
}
