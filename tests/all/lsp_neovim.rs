//! `anyrank lsp` with a real editor: Neovim without a screen does what `tests/neovim.lua` says.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Rank 0 sends to all others, over a communicator that is never freed. The comment moves columns of UTF-16.
const PROGRAM: &str = "#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &np);
    if (rank == 0) {
        for (int i = 1; i < np; i++)
            MPI_Send(&x, 1, MPI_INT, i, 7, own);
    } else {
        /* \u{e9}\u{1d11e} */ MPI_Recv(&x, 1, MPI_INT, 0, 7, own, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
";

#[test]
fn neovim_shows_findings_hovers_follows_messages_and_applies_fixes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("a.c"), PROGRAM).expect("a file can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neovim.lua");
    let output = Command::new("nvim")
        .args(["--headless", "-n", "-u", "NONE", "-i", "NONE", "-c"])
        .arg(format!("luafile {}", script.display()))
        .current_dir(directory.path())
        .env("ANYRANK", env!("CARGO_BIN_EXE_anyrank"))
        .env("XDG_STATE_HOME", directory.path())
        .env("XDG_CACHE_HOME", directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("nvim is installed: `make setup-test` does it");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
