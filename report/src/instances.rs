//! The messages of a program at the numbers of processes that a report draws.

use analyzer::results::{Instance, ProgramReport};

/// Those that were listed for it, or the one that the topology has.
pub fn instances(program: &ProgramReport) -> &[Instance] {
    if program.instances.is_empty() { program.topology.instance.as_slice() } else { &program.instances }
}
