//! Checks that held before are left out, once their keys have everything that they depend on, and every one has its turn.

use std::fs;
use std::path::Path;

use crate::held::{Held, Key, PARTS, files_below};

#[test]
fn what_held_is_made_once_in_many_times() {
    let list: String = (0..100).map(|key: u64| format!("{key:016x}\n")).collect();
    for key in 0..100 {
        let due = (0..PARTS).filter(|&part| Held::of(&["no key\n", &list], part).is_due(key));
        assert_eq!(due.count(), 1, "{key}");
    }
    assert!((0..PARTS).all(|part| Held::of(&[&list], part).is_due(100)));
}

#[test]
fn everything_that_a_check_depends_on_is_in_its_key() {
    let directory = tempfile::tempdir().unwrap();
    let (root, other) = (directory.path(), tempfile::tempdir().unwrap());
    let write = |root: &Path, text: &str| {
        for name in ["a.c", "a.h", "README.md"] {
            fs::write(root.join(name), format!("{text} {name}")).unwrap();
        }
    };
    let key = |root: &Path, extensions: &[&str]| {
        let key = Key::new(&["how"]).and_commands(["cc"]).and_files(root, &files_below(root, extensions));
        key.and(("what", 3)).number()
    };
    write(root, "text");
    write(other.path(), "text");
    let before = key(root, &["c", "h"]);
    assert_eq!(before, key(other.path(), &["c", "h"]), "it is the same in another clone");
    fs::write(root.join("README.md"), "another").unwrap();
    assert_eq!(before, key(root, &["c", "h"]), "what explains the files does not count");
    assert_ne!(before, key(root, &["c"]));
    for file in ["a.c", "a.h"] {
        write(root, "text");
        fs::write(root.join(file), "another").unwrap();
        assert_ne!(before, key(root, &["c", "h"]), "{file}");
    }
    let of = |key: Key| key.number();
    assert_ne!(of(Key::new(&["how"])), of(Key::new(&["otherwise"])));
    assert_ne!(of(Key::new(&["how"])), of(Key::new(&["how"]).and_commands(["cc"])));
    assert_ne!(of(Key::new(&["how"]).and(2)), of(Key::new(&["how"]).and(3)));
}
