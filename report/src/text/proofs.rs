//! Why sends match receives, step by step.

use analyzer::results::{MatchProof, Proved};

use super::clean;
use super::topology::site;

/// How many matches are proved by what, then each with its steps.
pub(super) fn lines(proofs: &[MatchProof], entry: &str) -> Vec<String> {
    let count = |wanted: fn(&Proved) -> bool| proofs.iter().filter(|proof| wanted(&proof.proved)).count();
    let algebra = count(|proved| *proved == Proved::ByAlgebra);
    let prover = count(|proved| *proved == Proved::ByProver);
    let all = proofs.len();
    let mut lines = vec![format!("{} of {all} by algebra alone, {prover} with the help of Z3", algebra)];
    for proof in proofs {
        let how = match &proof.proved {
            Proved::ByAlgebra => "by algebra".to_owned(),
            Proved::ByProver => "by algebra and Z3".to_owned(),
            Proved::Refuted => "contradicted, please report this as an error of anyrank".to_owned(),
            Proved::Open(why) => format!("not proved a second time: {}", clean(why)),
        };
        let (send, recv) = (site(&proof.send, entry), site(&proof.recv, entry));
        lines.push(format!("{send} -> {recv}: {how}, {:.1} ms", proof.seconds * 1000.0));
        lines.extend(proof.steps.iter().map(|step| format!("  {}", clean(step))));
    }
    lines
}
