//! The extension for VS Code: it can be packaged, the package holds what it should, and `tests/vscode/load.js` runs it.

use std::path::Path;
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("`make setup-test` installs npm");
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{said}\n{told}");
    output
}

#[test]
fn the_extension_is_packaged_and_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let extension = root.join("editors/vscode");
    assert!(extension.join("node_modules/stamp").exists(), "`make setup-test` fetches what it is built with");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let package = directory.path().join("anyrank.vsix");
    let mut npm = Command::new("npm");
    run(npm.args(["run", "package", "--", "--out"]).arg(&package).current_dir(&extension));
    let list = "import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()), sep='\\n')";
    let listed = run(Command::new("python3").args(["-c", list]).arg(&package)).stdout;
    let listed = String::from_utf8(listed).expect("names are UTF-8");
    let files: Vec<&str> = listed.lines().filter_map(|name| name.strip_prefix("extension/")).collect();
    assert_eq!(files, ["LICENSE.txt", "dist/LICENSES.txt", "dist/extension.js", "package.json", "readme.md"]);
    run(Command::new("node").arg(root.join("tests/vscode/load.js")).arg(&extension));
}
