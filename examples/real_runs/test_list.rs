//! How the authors of tests run them: lists as MPICH has one in each directory of tests.

use std::collections::BTreeMap;
use std::path::Path;

/// How one program is run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// With how many processes, on whatever lines.
    pub(crate) np: Vec<u64>,
    /// With which arguments, on the first line.
    pub(crate) arguments: Vec<String>,
    /// How much memory it takes, in GB, if that is much.
    pub(crate) memory: Option<f64>,
}

/// The names that a list may have.
const NAMES: [&str; 2] = ["testlist.in", "testlist"];

/// What the list of a directory says, by program; nothing where there is no list.
pub(crate) fn read(directory: &Path) -> BTreeMap<String, Plan> {
    let text = NAMES.iter().find_map(|name| std::fs::read_to_string(directory.join(name)).ok());
    parse(&text.unwrap_or_default())
}

/// A line is `program np key=value...`, where some keys are `arg` and `mem`; what configuring fills in stands between two `@`.
fn parse(text: &str) -> BTreeMap<String, Plan> {
    let mut plans: BTreeMap<String, Plan> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { continue };
        let program = program.rsplit('@').next().unwrap_or(program);
        let Some(np) = words.next().and_then(|word| word.parse().ok()) else { continue };
        let options: Vec<&str> = words.collect();
        let of_key = |key: &str| -> Vec<&str> {
            options.iter().filter_map(|word| word.strip_prefix(key)?.strip_prefix('=')).collect()
        };
        let plan = plans.entry(program.to_owned()).or_insert_with(|| Plan {
            np: Vec::new(),
            arguments: of_key("arg").into_iter().map(str::to_owned).collect(),
            memory: of_key("mem").first().and_then(|word| word.parse().ok()),
        });
        if !plan.np.contains(&np) {
            plan.np.push(np);
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_of_all_lines_and_arguments_of_the_first() {
        let plans = parse(
            "# a list\n\nallred 4 arg=-count=10 timeLimit=9\nallred 7\n@big@gather 8 mem=20.1\nall words\n",
        );
        let allred = &plans["allred"];
        assert_eq!((&allred.np[..], &allred.arguments[..]), (&[4, 7][..], &["-count=10".to_owned()][..]));
        assert_eq!((&plans["gather"].np[..], plans["gather"].memory), (&[8][..], Some(20.1)));
        assert_eq!(plans.len(), 2);
    }
}
