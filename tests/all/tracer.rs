//! The PMPI tracer logs what programs really communicate, under both MPIs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::mpi_run::{self, Mpi, Options, Outcome, compile};

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/trace/tests").join(name)
}

/// The line that carries `@marker`.
fn line(name: &str, marker: &str) -> u32 {
    let text = fs::read_to_string(source(name)).unwrap();
    let marker = format!("@{marker} ");
    let index = text.lines().position(|line| line.contains(&marker)).unwrap_or_else(|| panic!("no {marker}"));
    u32::try_from(index).unwrap() + 1
}

fn run(mpi: Mpi, name: &str, np: usize) -> Outcome {
    let program = compile(mpi, &[&source(name)], &["-Wall", "-Werror"]).unwrap();
    let outcome = program.run(np, Options::default()).unwrap();
    assert!(outcome.succeeded(), "{mpi:?}: {:?}\n{}{}", outcome.status, outcome.stdout, outcome.stderr);
    outcome
}

#[test]
fn messages_carry_ranks_tags_sizes_and_lines() {
    for mpi in Mpi::ALL {
        let trace = run(mpi, "ring.c", 3).trace;
        assert_eq!(trace.finalized, 3);
        assert!(trace.unmatched_sends.is_empty() && trace.unmatched_receives.is_empty(), "{trace:#?}");
        let mut found: Vec<_> = trace
            .messages
            .iter()
            .map(|m| (m.from, m.to, m.tag, m.count, m.type_size, m.send_line, m.recv_line))
            .collect();
        found.sort_unstable();
        let at = |marker| line("ring.c", marker);
        let (ping, pong) = ((at("ping-send"), at("ping-recv")), (at("pong-send"), at("pong-recv")));
        // A call of several lines is known by its first.
        let ring = at("ring");
        let mut expected = vec![
            (0, 1, 10, 3, 8, ping.0, ping.1),
            (0, 1, 11, 3, 8, ping.0, ping.1),
            (1, 0, 20, 2, 8, pong.0, pong.1),
            (1, 0, 21, 2, 8, pong.0, pong.1),
            (0, 1, 5, 1, 4, ring, ring),
            (1, 2, 5, 1, 4, ring, ring),
            (2, 0, 5, 1, 4, ring, ring),
        ];
        expected.sort_unstable();
        assert_eq!(found, expected, "{mpi:?}");

        let pong = trace.messages.iter().find(|m| m.tag == 20).unwrap();
        assert_eq!(
            (pong.datatype.as_deref(), pong.communicator.as_str()),
            (Some("MPI_DOUBLE"), "MPI_COMM_WORLD")
        );
        assert_eq!((pong.recv.count, pong.recv.posted_count), (Some(2), Some(3)));
        assert_eq!((pong.recv.any_source, pong.recv.any_tag), (false, true));
        assert!(pong.send.site.file.ends_with("ring.c"), "{:?}", pong.send.site);
        assert_eq!(pong.send.operation, "MPI_Send");
    }
}

#[test]
fn every_way_to_send_receive_and_complete_is_seen() {
    for mpi in Mpi::ALL {
        let trace = run(mpi, "every_call.c", 2).trace;
        assert!(trace.unmatched_sends.is_empty() && trace.unmatched_receives.is_empty(), "{trace:#?}");
        let found: Vec<_> = trace
            .messages
            .iter()
            .map(|m| (m.from, m.tag, m.send.operation.as_str(), m.recv.operation.as_str()))
            .collect();
        let once = [
            (0, 1, "MPI_Rsend", "MPI_Irecv"),
            (0, 2, "MPI_Irsend", "MPI_Irecv"),
            (0, 3, "MPI_Bsend", "MPI_Irecv"),
            (0, 4, "MPI_Ibsend", "MPI_Irecv"),
            (0, 5, "MPI_Isend", "MPI_Irecv"),
            (0, 6, "MPI_Issend", "MPI_Irecv"),
            (0, 7, "MPI_Ssend", "MPI_Irecv"),
            (0, 8, "MPI_Sendrecv_replace", "MPI_Sendrecv_replace"),
            (0, 10, "MPI_Send", "MPI_Mrecv"),
            (0, 11, "MPI_Send", "MPI_Imrecv"),
            (0, 12, "MPI_Send", "MPI_Irecv"),
            (0, 12, "MPI_Send", "MPI_Irecv"),
            (0, 13, "MPI_Send", "MPI_Irecv"),
            (0, 13, "MPI_Send", "MPI_Irecv"),
        ];
        let persistent = [
            (0, 20, "MPI_Send_init", "MPI_Recv_init"),
            (0, 21, "MPI_Bsend_init", "MPI_Recv_init"),
            (0, 22, "MPI_Ssend_init", "MPI_Recv_init"),
            (0, 23, "MPI_Rsend_init", "MPI_Recv_init"),
        ];
        let back = [(1, 9, "MPI_Sendrecv_replace", "MPI_Sendrecv_replace")];
        let expected: Vec<_> = once.into_iter().chain(persistent).chain(persistent).chain(back).collect();
        assert_eq!(found, expected, "{mpi:?}");

        let twelve: Vec<u32> = trace.messages.iter().filter(|m| m.tag == 12).map(|m| m.recv_line).collect();
        assert_eq!(twelve, [line("every_call.c", "first-posted"), line("every_call.c", "second-posted")]);
        let init = trace.messages.iter().find(|m| m.tag == 20).unwrap();
        assert_eq!(init.recv_line, line("every_call.c", "recv-init"));
        assert_eq!(init.recv.start.as_ref().unwrap().line, line("every_call.c", "startall"));
        let barriers =
            trace.collectives.iter().filter(|c| c.calls.len() == 2 && c.calls[0].operation == "MPI_Barrier");
        assert_eq!(barriers.count(), 3);
    }
}

#[test]
fn what_came_with_mpi_4_is_seen_where_the_library_has_it() {
    const NAME: &str = "since_mpi_4.c";
    // Open MPI's library here is older.
    let trace = run(Mpi::Mpich, NAME, 2).trace;
    assert!(trace.unmatched_sends.is_empty() && trace.unmatched_receives.is_empty(), "{trace:#?}");
    let at = |marker: &str| line(NAME, marker);
    let messages: Vec<_> =
        trace.messages.iter().map(|m| (m.from, m.to, m.tag, m.send_line, m.recv_line)).collect();
    let (sendrecv, replace) = (at("isendrecv"), at("isendrecv-replace"));
    let both = |from, to| vec![(from, to, 1, sendrecv, sendrecv), (from, to, 2, replace, replace)];
    let large = vec![(0, 1, 3, at("large-send"), at("large-recv"))];
    let parts = vec![(0, 1, 4, at("halves"), at("quarters")); 2];
    assert_eq!(messages, [both(0, 1), parts, large, both(1, 0)].concat());
    assert!(trace.messages.iter().filter(|m| m.tag == 4).all(|m| m.count == 8), "{trace:#?}");

    let collectives: Vec<_> = trace
        .collectives
        .iter()
        .map(|c| {
            let calls = |f: fn(&mpi_run::mpi_trace::Event) -> u32| c.calls.iter().map(f).collect::<Vec<_>>();
            assert_eq!(calls(|call| call.rank as u32), [0, 1]);
            (c.calls[0].operation.as_str(), c.calls[0].root, calls(|call| call.site.line))
        })
        .collect();
    let barrier = ("MPI_Barrier", None, vec![at("barrier"); 2]);
    let bcast = ("MPI_Bcast_init", Some(1), vec![at("bcast-init"); 2]);
    let allreduce = ("MPI_Allreduce_init", None, vec![at("allreduce-init"); 2]);
    let reduce = ("MPI_Reduce_c", Some(1), vec![at("large-reduce"); 2]);
    assert_eq!(
        collectives,
        [barrier.clone(), barrier, reduce, bcast.clone(), bcast, allreduce.clone(), allreduce]
    );
    let starts = trace.collectives.iter().flat_map(|c| &c.calls).filter_map(|call| call.start.as_ref());
    assert_eq!(starts.filter(|start| start.line == at("start")).count(), 2);
}

#[test]
fn ranks_are_those_in_world_whatever_the_communicator() {
    const NAME: &str = "communicators.c";
    for mpi in Mpi::ALL {
        let trace = run(mpi, NAME, 4).trace;
        assert!(trace.unmatched_sends.is_empty() && trace.unmatched_receives.is_empty(), "{trace:#?}");
        let found: Vec<_> = trace
            .messages
            .iter()
            .map(|m| (m.from, m.to, m.tag, m.type_size, m.datatype.as_deref(), m.send_line, m.recv_line))
            .collect();
        let at = |marker: &str| line(NAME, marker);
        let half = (at("half-send"), at("half-recv"));
        let expected = [
            (0, 3, 4, 8, None, at("pair-send"), at("pair-recv")),
            (2, 0, 0, 4, Some("MPI_INT"), half.0, half.1),
            (3, 1, 0, 4, Some("MPI_INT"), half.0, half.1),
            (3, 0, 7, 4, Some("MPI_INT"), at("inter-send"), at("inter-recv")),
        ];
        assert_eq!(found, expected, "{mpi:?}");

        let collective = |marker: &str| -> Vec<(Vec<usize>, Option<usize>)> {
            let mut all: Vec<_> = trace
                .collectives
                .iter()
                .filter(|c| c.calls[0].site.line == at(marker))
                .map(|c| (c.calls.iter().map(|call| call.rank).collect(), c.calls[0].root))
                .collect();
            all.sort();
            all
        };
        assert_eq!(collective("half-bcast"), [(vec![0, 2], Some(0)), (vec![1, 3], Some(1))]);
        assert_eq!(collective("copy-reduce"), [(vec![0, 2], Some(2)), (vec![1, 3], Some(3))]);
        assert_eq!(collective("late-allgather"), [(vec![0, 1, 2, 3], None)]);
        assert_eq!(collective("column-iallreduce"), [(vec![0, 2], None), (vec![1, 3], None)]);
        assert_eq!(
            collective("inter-bcast").iter().map(|(ranks, _)| ranks.clone()).collect::<Vec<_>>(),
            [[0, 1, 2, 3]]
        );
        assert_eq!(collective("merged-barrier"), [(vec![0, 1, 2, 3], None)]);
        assert_eq!(collective("gather"), [(vec![0, 1, 2, 3], Some(2))]);
        // All ranks of a communicator call it by one name, and no two communicators share one.
        let halves: Vec<_> =
            trace.collectives.iter().filter(|c| c.calls[0].site.line == at("half-bcast")).collect();
        assert_ne!(halves[0].communicator, halves[1].communicator);
    }
}

#[test]
fn a_run_that_hangs_is_killed_and_leaves_its_trace() {
    for mpi in Mpi::ALL {
        let program = compile(mpi, &[&source("hang.c")], &[]).unwrap();
        let start = Instant::now();
        let time_limit = Duration::from_secs(3);
        let outcome = program.run(2, Options { time_limit, ..Options::default() }).unwrap();
        assert!(outcome.status.is_none() && !outcome.succeeded(), "{mpi:?}: {:?}", outcome.status);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let lost: Vec<_> =
            outcome.trace.unmatched_sends.iter().map(|send| (send.rank, send.peer, send.site.line)).collect();
        assert_eq!(lost, [(1, Some(0), line("hang.c", "lost-send"))], "{mpi:?}");
        assert!(outcome.trace.finalized < 2, "{mpi:?}");
    }
}

#[test]
fn without_the_tracer_there_is_output_and_no_trace() {
    let program = compile(Mpi::OpenMpi, &[&source("ring.c")], &[]).unwrap();
    let outcome = program.run(4, Options { trace: false, ..Options::default() }).unwrap();
    assert!(outcome.succeeded() && outcome.trace.messages.is_empty(), "{outcome:?}");
    assert!(
        compile(Mpi::OpenMpi, &[Path::new("no-such-file.c")], &[]).unwrap_err().contains("no-such-file.c")
    );
}
