//! How long scheduling takes, and how long the redistributions themselves take under Open MPI.
//!
//! With `ANYRANK_REDISTRIBUTION=FILE` the tables are written there as Markdown; with the word `schedules` or `runs` only that part is run.

mod runs;
mod times;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list" || argument == "--test") {
        return ExitCode::SUCCESS;
    }
    let wanted = |part: &str| arguments.iter().all(|word| word.starts_with('-') || word == part);
    let mut text = heading();
    if wanted("schedules") {
        text += &times::tables();
    }
    if wanted("runs") {
        match runs::tables() {
            Ok(tables) => text += &tables,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    print!("{text}");
    if let Ok(file) = std::env::var("ANYRANK_REDISTRIBUTION") {
        std::fs::write(&file, text).expect("the file can be written");
    }
    ExitCode::SUCCESS
}

fn heading() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = read("/proc/loadavg");
    let load = load.split(' ').nth(1).unwrap_or("unknown").to_owned();
    format!(
        "# Redistribution\n\n\
         `make redistribution-times` writes this page: bench `redistribution` (`redistribution/benches/`), on {}, {cores} cores, with a load \
         average of {load} in the five minutes before.\n\n",
        processor.map_or("an unknown processor", |(_, name)| name)
    )
}
