//! Programs of which it is known what is to be said.

use model::{Clock, Error, How, Operation, Optional};

use crate::programs::{Call, Said, Text, said};

/// A call of process `r` out of `np`.
fn of_rank<'a>(instance: &'a str, domain: &'a str, partner: &'a str, position: &'a str) -> Call<'a> {
    Call { instance, domain, process: "r", partner, tag: "0", position }
}

fn whole(how: How, buffered: Clock, unbuffered: Option<Clock>) -> Said {
    Said { how, left: None, agrees: true, buffered: Some(buffered), unbuffered }
}

/// Everybody sends to the right, then receives from the left, around the end.
fn ring(first: &str, second: &str) -> model::Program {
    Text::new("np", "np >= 2")
        .send(&of_rank("S[r]", "0 <= r < np - 1", "r + 1", first))
        .send(&of_rank("Z[r]", "r = np - 1", "0", first))
        .receive(&of_rank("R[r]", "0 < r < np", "r - 1", second))
        .receive(&of_rank("A[r]", "r = 0", "np - 1", second))
        .done()
}

#[test]
fn a_ring_relies_on_buffers() {
    assert_eq!(said(&ring("0", "1")), Ok(whole(How::OneCandidate, Clock::Text, None)));
    // All receive first.
    assert_eq!(
        said(&ring("1", "0")),
        Ok(Said { how: How::OneCandidate, left: None, agrees: true, buffered: None, unbuffered: None })
    );
}

#[test]
fn who_receives_from_nobody_is_found() {
    let program = Text::new("np", "np >= 2")
        .send(&of_rank("S[r]", "0 <= r < np - 1", "r + 1", "0"))
        .receive(&of_rank("R[r]", "0 <= r < np", "r - 1", "1"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!(said.left.as_deref(), Some("R[0] where np = 2"));
}

#[test]
fn a_chain_goes_from_the_left_to_the_right() {
    let here = "0 <= r < np and 0 <= t < T";
    let call = |instance: &'static str, more: &str, partner: &'static str, position: &'static str| {
        (instance, format!("{here} and {more}"), partner, position)
    };
    let receive = call("R[r, t]", "r > 0", "r - 1", "t, 0");
    let send = call("S[r, t]", "r < np - 1", "r + 1", "t, 1");
    let program = Text::new("np, T", "np >= 1 and T >= 1")
        .receive(&of_rank(receive.0, &receive.1, receive.2, receive.3))
        .send(&of_rank(send.0, &send.1, send.2, send.3))
        .done();
    // The rounds of a sender and of its receiver are told apart by order alone.
    // Round by round, and in each from the left to the right.
    let upstream = Clock::Process(vec![1], 1);
    assert_eq!(said(&program), Ok(whole(How::Order, upstream, Some(Clock::Schedule))));
}

#[test]
fn neighbours_exchange_in_turns() {
    let mut text = Text::new("np, T", "np >= 1 and T >= 1");
    for (rank, phase) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let other = if rank == phase { "r + 1" } else { "r - 1" };
        let domain = format!(
            "0 <= r < np and 0 <= t < T and t mod 2 = {phase} and r mod 2 = {rank} and 0 <= {other} < np"
        );
        let name = format!("{rank}{phase}");
        let (send, receive) = (format!("S{name}[r, t]"), format!("R{name}[r, t]"));
        text = text
            .isend(&of_rank(&send, &domain, other, "t, 0"), "t, 2")
            .receive(&of_rank(&receive, &domain, other, "t, 1"));
    }
    assert_eq!(said(&text.done()), Ok(whole(How::Order, Clock::Text, Some(Clock::Text))));
}

#[test]
fn all_send_to_all_with_the_tag_of_the_sender() {
    let everybody = "0 <= r < np and 0 <= k < np";
    let program = Text::new("np", "np >= 1")
        .isend(&Call { tag: "r", ..of_rank("S[r, k]", everybody, "k", "0, k") }, "2, k")
        .receive(&Call { tag: "k", ..of_rank("R[r, k]", everybody, "k", "1, k") })
        .done();
    assert_eq!(said(&program), Ok(whole(How::OneCandidate, Clock::Text, Some(Clock::Text))));
}

#[test]
fn a_heap_is_summed_from_its_leaves() {
    let program = Text::new("np", "np >= 1")
        .receive(&of_rank("R[r, c]", "0 <= r < np and 2r + 1 <= c <= 2r + 2 and c < np", "c", "0, c"))
        .send(&of_rank("S[r]", "0 < r < np", "floor((r - 1)/2)", "1, 0"))
        .done();
    // Without buffers the end of a send comes as late as its parent: no clock that is tried says so.
    assert_eq!(said(&program), Ok(whole(How::OneCandidate, Clock::Process(vec![-1], 0), None)));
}

/// A call of process (a, b) out of px * py.
fn of_grid<'a>(instance: &'a str, domain: &'a str, partner: &'a str, position: &'a str) -> Call<'a> {
    Call { instance, domain, process: "a, b", partner, tag: "0", position }
}

const GRID: &str = "0 <= a < px and 0 <= b < py";

#[test]
fn a_wave_passes_over_a_grid() {
    let domain = |more: &str| format!("{GRID} and {more}");
    let (north, west) = (domain("a > 0"), domain("b > 0"));
    let (south, east) = (domain("a + 1 < px"), domain("b + 1 < py"));
    let program = Text::new("px, py", "px >= 1 and py >= 1")
        .receive(&of_grid("N[a, b]", &north, "a - 1, b", "0"))
        .receive(&of_grid("W[a, b]", &west, "a, b - 1", "1"))
        .send(&of_grid("S[a, b]", &south, "a + 1, b", "2"))
        .send(&of_grid("E[a, b]", &east, "a, b + 1", "3"))
        .done();
    let diagonal = Clock::Process(vec![1, 1], 0);
    assert_eq!(said(&program), Ok(whole(How::OneCandidate, diagonal, Some(Clock::Schedule))));
}

#[test]
fn one_half_sends_first_and_the_other_half_receives_first() {
    let domain = |more: &str| format!("0 <= a < q and 0 <= b < q and {more}");
    let (upper, lower) = (domain("a < b"), domain("b < a"));
    let program = Text::new("q", "q >= 1")
        .send(&of_grid("U[a, b]", &upper, "b, a", "0"))
        .receive(&of_grid("V[a, b]", &upper, "b, a", "1"))
        .receive(&of_grid("L[a, b]", &lower, "b, a", "0"))
        .send(&of_grid("M[a, b]", &lower, "b, a", "1"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!((said.how, said.left, said.buffered), (How::OneCandidate, None, Some(Clock::Text)));
    assert_eq!(said.unbuffered, Some(Clock::Text));
}

#[test]
fn three_steps_of_which_the_text_is_in_another_order() {
    // Rank 0 asks late for what rank 1 sends early, and the other way round.
    let program = Text::new("np", "np >= 2")
        .send(&of_rank("S[r]", "r = 0", "1", "5"))
        .receive(&of_rank("A[r]", "r = 0", "1", "6"))
        .receive(&of_rank("R[r]", "r = 1", "0", "0"))
        .send(&of_rank("B[r]", "r = 1", "0", "1"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!(said.left, None);
    assert!(matches!(said.buffered, Some(Clock::Process(..) | Clock::Phases(_))), "{said:?}");
    assert!(matches!(said.unbuffered, Some(Clock::Phases(_))), "{said:?}");
}

#[test]
fn rank_0_receives_from_anybody() {
    let program = Text::new("np", "np >= 1")
        .receive_any(&of_rank("R[r, k]", "r = 0 and 1 <= k < np", "0", "k"), "0 < s < np")
        .send(&of_rank("S[r]", "0 < r < np", "0", "1"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!((said.how, said.left), (How::AnyOrder, None));
    assert!(
        said.buffered.is_some() && said.unbuffered.is_some(),
        "{:?} {:?}",
        said.buffered,
        said.unbuffered
    );
}

#[test]
fn who_takes_from_anybody_may_take_what_another_one_waits_for() {
    let program = Text::new("np", "np >= 3")
        .receive_any(&of_rank("A[r]", "r = 0", "0", "0"), "0 < s < 3")
        .receive(&of_rank("B[r]", "r = 0", "1", "1"))
        .send(&of_rank("S[r]", "1 <= r <= 2", "0", "0"))
        .done();
    assert_eq!(said(&program), Err(Error::Competing));
}

#[test]
fn the_last_messages_are_left_over() {
    let program = Text::new("T", "T >= 1")
        .send(&of_rank("S[r, t]", "r = 0 and 0 <= t < T", "1", "t"))
        .receive(&of_rank("R[r, t]", "r = 1 and 0 <= t < T - 1", "0", "t"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!((said.how, said.left.as_deref()), (How::Order, Some("S[0, 0] where T = 1")));
}

#[test]
fn what_no_guess_is_made_of_is_not_decided() {
    // Every third step has no receive.
    let program = Text::new("np", "np >= 2")
        .send(&of_rank("S[r, t]", "r = 0 and 0 <= t < 2np", "1", "t"))
        .receive(&of_rank("R[r, t]", "r = 1 and 0 <= t < 3np and t mod 3 >= 1", "0", "t"))
        .done();
    assert_eq!(said(&program), Err(Error::SeveralMessages));
}

#[test]
fn parts_of_the_receives_have_guesses_of_their_own() {
    // From the third receive on, each is a step further than its send.
    let program = Text::new("np", "np >= 2")
        .send(&of_rank("S[r, t]", "r = 0 and 0 <= t < 4", "1", "t"))
        .receive(&of_rank("R[r, t]", "r = 1 and 0 <= t < 5 and (t < 2 or 2 < t)", "0", "t"))
        .done();
    assert_eq!(said(&program), Ok(whole(How::Order, Clock::Text, Some(Clock::Schedule))));
}

#[test]
fn communicators_keep_messages_apart() {
    // The order of the receives is not that of the sends: on one communicator they would meet otherwise.
    let calls = |second: usize| {
        Text::new("np", "np >= 2")
            .isend(&of_rank("S[r]", "r = 0", "1", "0"), "2")
            .isend(&of_rank("T[r]", "r = 0", "1", "1"), "3")
            .on(second)
            .receive(&of_rank("Q[r]", "r = 1", "0", "0"))
            .on(second)
            .receive(&of_rank("R[r]", "r = 1", "0", "1"))
            .done()
    };
    let apart = said(&calls(1)).expect("it is decided");
    assert_eq!((apart.how, apart.left), (How::OneCandidate, None));
    let together = said(&calls(0)).expect("it is decided");
    assert_eq!((together.how, together.left), (How::Order, None));
}

#[test]
fn a_nonblocking_receive_is_waited_for_at_the_end() {
    let program = Text::new("np", "np >= 2")
        .irecv(&of_rank("R[r]", "0 < r < np", "r - 1", "0"), "2")
        .irecv(&of_rank("A[r]", "r = 0", "np - 1", "0"), "2")
        .send(&of_rank("S[r]", "0 <= r < np - 1", "r + 1", "1"))
        .send(&of_rank("Z[r]", "r = np - 1", "0", "1"))
        .done();
    assert_eq!(said(&program), Ok(whole(How::OneCandidate, Clock::Text, Some(Clock::Text))));
}

#[test]
fn two_that_wait_for_each_other_have_no_clock() {
    let exchange = |text: Text, first: &str, second: &str| {
        text.ssend(&of_rank("S[r]", "0 <= r < 2", "1 - r", first))
            .receive(&of_rank("R[r]", "0 <= r < 2", "1 - r", second))
            .done()
    };
    let said = said(&exchange(Text::new("np", "np >= 2"), "0", "1")).expect("it is decided");
    assert_eq!((said.left, said.buffered, said.unbuffered), (None, None, None));
}

#[test]
fn receives_of_any_tag_take_the_messages_of_a_sender() {
    let program = Text::new("np", "np >= 2")
        .send(&Call { tag: "3", ..of_rank("S[r]", "r = 0", "1", "0") })
        .send(&Call { tag: "5", ..of_rank("T[r]", "r = 0", "1", "1") })
        .receive_tagged(&of_rank("Q[r]", "r = 1", "0", "0"))
        .receive_tagged(&of_rank("R[r]", "r = 1", "0", "1"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!((said.how, said.left), (How::AnyOrder, None));
    // Either message may be meant by either receive, but as many are there as receives have begun.
    assert_eq!(said.buffered, Some(Clock::Text));
}

/// A shift to the right with nonblocking receives, in other surroundings: rounds, half of the processes, reversed ranks, and after a shift
/// in the other direction on the same tag.
#[test]
fn a_shift_stays_decided_wherever_it_stands() {
    let shift = |text: Text, name: &str, here: &str, rank: &str, (to, from): (&str, &str), at: usize| {
        let (receives, sends) = (format!("R{name}[r, t]"), format!("S{name}[r, t]"));
        let (receiving, sending) = (format!("{here} and {from}"), format!("{here} and {to}"));
        let [source, target] = [from, to].map(|step| if step.contains("r > 0") { "r - 1" } else { "r + 1" });
        let place = |step: usize| format!("t, {at}, {step}");
        let call =
            |instance, domain, partner: &str| (instance, domain, rank.replace('r', &format!("({partner})")));
        let (receive, receive_in, source) = call(&receives, &receiving, source);
        let (send, send_in, target) = call(&sends, &sending, target);
        let call = |instance, domain, partner, position| Call {
            process: rank,
            ..of_rank(instance, domain, partner, position)
        };
        text.irecv(&call(receive, receive_in, &source, &place(0)), &place(2)).send(&call(
            send,
            send_in,
            &target,
            &place(1),
        ))
    };
    let right = ("r + 1 < n", "r > 0");
    let left = ("r > 0", "r + 1 < n");
    for (rounds, how) in
        [("t = 0", How::OneCandidate), ("0 <= t < 3", How::Order), ("0 <= t < T", How::Order)]
    {
        for rank in ["r", "2 * r", "2 * r + 1", "n - 1 - r"] {
            let here = format!("0 <= r < n and {rounds}");
            let alone = shift(Text::new("n, T", "n >= 1 and T >= 1"), "", &here, rank, right, 0).done();
            let buffered = Some(Clock::Text);
            let known = Said {
                how,
                left: None,
                agrees: true,
                buffered: buffered.clone(),
                unbuffered: buffered.clone(),
            };
            assert_eq!(said(&alone), Ok(known.clone()), "{rank} {rounds}");
            let both = shift(Text::new("n, T", "n >= 1 and T >= 1"), "A", &here, rank, left, 0);
            let both = shift(both, "B", &here, rank, right, 1).done();
            assert_eq!(said(&both), Ok(known), "{rank} {rounds}, after another one");
        }
    }
}

const ALL: &str = "0 <= r < np and 0 <= s < np";

/// A collective call of process `r` out of `np`.
fn with_root<'a>(instance: &'a str, domain: &'a str, root: &'a str, position: &'a str) -> Call<'a> {
    of_rank(instance, domain, root, position)
}

#[test]
fn all_call_the_same_operations() {
    // A shift, and something of all, in rounds.
    let program = Text::new("np, T", "np >= 1 and T >= 1")
        .mates(ALL)
        .irecv(&of_rank("R[r, t]", "0 < r < np and 0 <= t < T", "r - 1", "t, 0"), "t, 2")
        .send(&of_rank("S[r, t]", "0 <= r < np - 1 and 0 <= t < T", "r + 1", "t, 1"))
        .collective(0, &with_root("C[r, t]", "0 <= r < np and 0 <= t < T", "0", "t, 3"))
        .done();
    assert_eq!(said(&program), Ok(whole(How::Order, Clock::Text, Some(Clock::Text))));
}

#[test]
fn one_operation_may_stand_at_two_places() {
    let program = |second: usize, root: &str| {
        Text::new("np", "np >= 1")
            .mates(ALL)
            .collective(0, &with_root("A[r]", "r = 0", "0", "0"))
            .collective(1, &with_root("B[r]", "r = 0", "0", "1"))
            .collective(0, &with_root("C[r]", "0 < r < np", "0", "2"))
            .collective(second, &with_root("D[r]", "0 < r < np", root, "3"))
            .done()
    };
    let same = said(&program(1, "0")).expect("it is decided");
    assert!(same.agrees && matches!(same.buffered, Some(Clock::Phases(_))), "{same:?}");
    for (second, root) in [(2, "0"), (1, "r")] {
        let other = said(&program(second, root)).expect("it is decided");
        assert!(!other.agrees, "{other:?}");
    }
}

#[test]
fn who_leaves_early_is_missed() {
    let program = Text::new("np, T", "np >= 2 and T >= 1")
        .mates(ALL)
        .collective(
            0,
            &with_root("A[r, t]", "0 <= r < np and 0 <= t < T and (r < np - 1 or t < T - 1)", "0", "t"),
        )
        .done();
    assert!(!said(&program).expect("it is decided").agrees);
}

#[test]
fn a_message_must_not_wait_for_an_operation_of_all() {
    // Rank 0 receives before, and rank 1 sends after it.
    let program = Text::new("np", "np >= 2")
        .mates(ALL)
        .receive(&of_rank("R[r]", "r = 0", "1", "0"))
        .collective(0, &with_root("C[r]", "0 <= r < np", "0", "1"))
        .send(&of_rank("S[r]", "r = 1", "0", "2"))
        .done();
    let said = said(&program).expect("it is decided");
    assert_eq!((said.agrees, said.left, said.buffered), (true, None, None));
}

#[test]
fn parts_of_a_communicator_go_their_own_ways() {
    // The even ones meet twice as often as the odd ones.
    let mates = "0 <= r < np and 0 <= s < np and (r - s) mod 2 = 0";
    let calls = |mates: &str| {
        Text::new("np, T", "np >= 1 and T >= 1")
            .mates(mates)
            .collective(
                0,
                &with_root("A[r, t]", "0 <= r < np and r mod 2 = 0 and 0 <= t < 2 * T", "0", "0, t"),
            )
            .collective(0, &with_root("B[r, t]", "0 <= r < np and r mod 2 = 1 and 0 <= t < T", "0", "1, t"))
            .done()
    };
    let parts = said(&calls(mates)).expect("it is decided");
    assert_eq!((parts.agrees, parts.buffered), (true, Some(Clock::Text)));
    assert!(!said(&calls(ALL)).expect("it is decided").agrees);
}

#[test]
fn a_master_asks_one_after_the_other() {
    // What stands first in the text comes later in time, for all but the first that is asked: only a schedule is a clock.
    let call = |instance: &'static str, domain: &'static str, partner, tag, position| Call {
        instance,
        domain,
        process: "r",
        partner,
        tag,
        position,
    };
    let (master, worker) = ("r = 0 and 0 < k < np", "0 < r < np");
    let program = Text::new("np", "np >= 1")
        .send(&call("S[r, k]", master, "k", "0", "0, k, 0"))
        .receive(&call("R[r, k]", master, "k", "1", "0, k, 1"))
        .receive(&call("Q[r]", worker, "0", "0", "1, 0, 0"))
        .send(&call("A[r]", worker, "0", "1", "2, 0, 0"))
        .done();
    assert_eq!(said(&program), Ok(whole(How::OneCandidate, Clock::Schedule, Some(Clock::Schedule))));
}

#[test]
fn optional_parts_are_met_in_the_same_rounds() {
    let domain = "0 <= r < np and 0 <= t < 5";
    let sends = format!("{domain} and r < np - 1");
    let receives = format!("{domain} and r > 0");
    let program = |of_send: &[Optional], of_receive: &[Optional]| {
        let program = Text::new("np", "np >= 1")
            .send(&of_rank("S[r, t]", &sends, "r + 1", "0, t, 0"))
            .receive(&of_rank("R[r, t]", &receives, "r - 1", "0, t, 1"))
            .done();
        let mut optional = model::Program::new(program.known().clone());
        for (operation, options) in program.operations().iter().zip([of_send, of_receive]) {
            optional.add(Operation { options: options.to_vec(), ..operation.clone() });
        }
        optional
    };
    let (one, other) = ([1, 2].map(|part| Optional { part, rounds: 2, is_any_round: false })).into();
    let is_decided = |program: &model::Program| program.matching().map(|matching| matching.is_whole());
    assert_eq!(is_decided(&program(&[], &[])), Ok(Ok(true)));
    assert_eq!(is_decided(&program(&[one], &[one])), Ok(Ok(true)));
    for (a, b) in [(&[one][..], &[][..]), (&[], &[one]), (&[one], &[other]), (&[one], &[one, other])] {
        assert_eq!(is_decided(&program(a, b)), Err(Error::Rounds));
    }
    // How often is not known.
    let matching = program(&[one], &[one]).matching().expect("it is decided");
    assert!(matching.volume(&program(&[one], &[one])).expect("it is small").is_none());
}

#[test]
fn clocks_of_parts_that_are_described_for_any_round() {
    // Chains that receive first: only a sum of the process says that nobody waits for ever, or numbers for the calls.
    let chains = |of_first: &[Optional], of_second: &[Optional], has_digits: bool| {
        let (later, sooner) = ("0 < r < np", "0 <= r < np - 1");
        let program = Text::new("np", "np >= 2")
            .receive(&Call { tag: "1", ..of_rank("R[r]", later, "r - 1", "0") })
            .send(&Call { tag: "1", ..of_rank("S[r]", sooner, "r + 1", "1") })
            .receive(&Call { tag: "2", ..of_rank("Q[r]", later, "r - 1", "2") })
            .send(&Call { tag: "2", ..of_rank("T[r]", sooner, "r + 1", "3") })
            .done();
        let mut optional = model::Program::new(program.known().clone());
        let options = [of_first, of_first, of_second, of_second];
        for (operation, options) in program.operations().iter().zip(options) {
            optional.add(Operation { options: options.to_vec(), ..operation.clone() });
        }
        if has_digits {
            optional.set_digits(model::Digits { widths: Vec::new(), count: vec!["np".to_owned()] });
        }
        let matching = optional.matching().expect("it is decided");
        let together =
            presburger::Relation::parse(optional.known().context(), "{ }").expect("it is a relation");
        optional.clock(&matching, &together, false).expect("it is small")
    };
    let any = [Optional { part: 1, rounds: 0, is_any_round: true }];
    let certain = [Optional { is_any_round: false, ..any[0] }];
    let sum = Some(Clock::Process(vec![1], 0));
    assert_eq!(chains(&[], &[], false), sum);
    assert_eq!(chains(&any, &[], false), sum);
    assert_eq!(chains(&certain, &[], true), sum);
    assert_eq!(chains(&any, &any, true), sum);
    // A digit may be another one in each round.
    assert_eq!(chains(&any, &[], true), None);
}
