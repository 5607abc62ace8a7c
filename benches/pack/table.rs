//! What was measured, as tables.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::rows::Row;

/// Speeds of one program in MB/s.
pub(crate) struct Results(HashMap<(String, String, String), f64>);

impl Results {
    /// From the lines that the program has printed.
    pub(crate) fn read(text: &str) -> Self {
        let line = |line: &str| {
            let words: Vec<&str> = line.split('\t').collect();
            let [row, direction, way, speed] = words[..] else { return None };
            Some(((row.to_owned(), direction.to_owned(), way.to_owned()), speed.parse().ok()?))
        };
        Self(text.lines().filter_map(line).collect())
    }

    fn speed(&self, row: &Row, direction: &str, way: &str) -> Option<f64> {
        self.0.get(&(row.name.to_owned(), direction.to_owned(), way.to_owned())).copied()
    }
}

/// Both tables, with what they are about.
pub(crate) fn markdown(rows: &[Row], results: &[Results]) -> String {
    let mut text = format!(
        "# Packing and unpacking\n\n\
         `make pack-times` writes this page: bench `pack` (`benches/pack/`), on {}.\n\n\
         All numbers are MB/s (10^6 bytes of data per second), medians of rounds in which all ways were timed in turn, in an order that changes, on one core, with whatever of the data the caches hold.\n\
         *hand* is loops in C by `gcc -O3`; *runs* is a `memcpy` for each run of a list of them; *MPICH* and *Open MPI* are `MPI_Pack` and `MPI_Unpack`, in a program each; all other columns are of the program with MPICH.\n\
         *loops* is our library through its C interface, *code* is the C that `anyrank layout show --emit c-pack` writes, *pieces* is *loops* in pieces of 64 KiB.\n\
         *ratio* is the faster of *loops* and *code* against the fastest of *hand*, *runs* and MPI in the same program, and the lesser of the two programs; *loops ratio* is the same for *loops* alone.\n\
         *copy* is one `memcpy` of as many bytes that lie together. It is no bound, and not in the ratios: it has other buffers, which lie otherwise in the caches, so that it can be slower than what packs.\n\
         Each way was checked against the recursive flattening of the layout, byte by byte, before it was timed.\n",
        machine()
    );
    for direction in ["pack", "unpack"] {
        table(&mut text, rows, results, direction);
    }
    text
}

fn table(text: &mut String, rows: &[Row], results: &[Results], direction: &str) {
    let _ = write!(
        text,
        "\n## {direction}\n\n\
         | row | hand | runs | MPICH | Open MPI | loops | code | pieces | copy | ratio | loops ratio | to hand |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let [mpich, open] = results else { return };
    let (mut ratios, mut alone, mut to_hand, mut pieces) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let of = |way| mpich.speed(row, direction, way);
        let (Some(hand), Some(runs), Some(mpi), Some(loops), Some(code), Some(piece), Some(copy)) =
            (of("hand"), of("runs"), of("mpi"), of("loops"), of("code"), of("pieces"), of("memcpy"))
        else {
            continue;
        };
        let Some(other) = open.speed(row, direction, "mpi") else {
            continue;
        };
        // Ways are compared with those of the same program only, and the lesser ratio counts.
        let against = |ours: &[&str]| {
            let fastest = |program: &Results, ways: &[&str]| {
                ways.iter().filter_map(|way| program.speed(row, direction, way)).fold(0.0, f64::max)
            };
            let ratio = |program| fastest(program, ours) / fastest(program, &["hand", "runs", "mpi"]);
            f64::min(ratio(mpich), ratio(open))
        };
        let (ratio, loops_ratio) = (against(&["loops", "code"]), against(&["loops"]));
        let ours = loops.max(code);
        ratios.push((ratio, row.name));
        alone.push((loops_ratio, row.name));
        pieces.push((piece / loops, row.name));
        if row.latency_bound {
            to_hand.push((ours / hand, row.name));
        }
        let _ = writeln!(
            text,
            "| {} | {hand:.0} | {runs:.0} | {mpi:.0} | {other:.0} | {loops:.0} | {code:.0} | {piece:.0} | {copy:.0} | {:.2} | {:.2} | {:.2} |",
            row.name,
            ratio,
            loops_ratio,
            ours / hand
        );
    }
    summary(text, "ratio", &mut ratios);
    summary(text, "loops ratio", &mut alone);
    summary(text, "to hand, in the rows bound by latency", &mut to_hand);
    summary(text, "pieces to loops", &mut pieces);
}

/// Least and median.
fn summary(text: &mut String, what: &str, ratios: &mut [(f64, &str)]) {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) else { return };
    let _ = write!(text, "\n{what}: least {:.2} ({}), median {:.2}.\n", least.0, least.1, median.0);
}

/// The processor, as it names itself, and what else it did: caches are shared with that.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|of| of.1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let loads = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = loads.split(' ').nth(1).unwrap_or("unknown");
    let name = name.unwrap_or("a processor that does not name itself");
    format!("{name}, {cores} cores, with a load average of {load} in the five minutes before")
}
