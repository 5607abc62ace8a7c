//! The table against itself: every function says what it does, and says it completely.

use std::collections::BTreeSet;

use frontend::mpi::{
    self, Class, CollectiveOp, Completion, Direction, Function, Length, Object, RequestState, Role, Scale,
    Scope,
};

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<&str> = mpi::functions().map(|function| function.name).collect();
    assert_eq!(names.len(), mpi::functions().len());
    for function in mpi::functions() {
        assert!(std::ptr::eq(mpi::lookup(function.name).expect("every name is found"), function));
        let profiling = mpi::lookup(&format!("P{}", function.name)).expect("every profiling name is found");
        assert!(std::ptr::eq(profiling, function));
    }
    for absent in ["", "P", "MPI_", "PMPI_", "PPMPI_Send", "send", "MPI_send", "MPI_Send_", "Ünïcode"] {
        assert!(mpi::lookup(absent).is_none(), "{absent}");
    }
    let constants: BTreeSet<&str> = mpi::constants().map(|constant| constant.name).collect();
    assert_eq!(constants.len(), mpi::constants().len());
    assert!(
        mpi::constant("MPI_COMM_WORLD").is_some_and(|world| world.object() == Some(Object::Communicator))
    );
    assert!(mpi::constant("MPI_COMM_NULL").is_some_and(|null| null.object() == Some(Object::Communicator)));
    assert!(mpi::constant("COMM_WORLD").is_none());
}

#[test]
fn special_ranks_and_tags_are_negative_and_distinct() {
    let names = ["MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT", "MPI_ANY_TAG", "MPI_UNDEFINED"];
    let values: BTreeSet<i64> =
        names.iter().map(|name| mpi::constant(name).and_then(|c| c.value).expect("an integer")).collect();
    assert_eq!(values.len(), names.len());
    assert!(values.iter().all(|value| *value < -1));
}

/// The parameter type that a role requires, where there is one.
fn required_type(role: Role) -> Option<&'static str> {
    let object = role.object().filter(|object| *object != Object::Keyval)?;
    Some(object.ctype())
}

#[test]
fn roles_fit_types() {
    for function in mpi::functions() {
        for param in &function.params {
            let place = format!("{} {}", function.name, param.name);
            if let Some(ctype) = required_type(param.role) {
                assert!(param.ctype.contains(ctype), "{place}: {}", param.ctype);
            }
            if param.role.is_typed_buffer() {
                let constant = param.ctype.starts_with("const");
                assert!(param.ctype.trim_start_matches("const ") == "void *", "{place}: {}", param.ctype);
                // A buffer declared const is only read.
                assert!(!constant || param.direction == Direction::In, "{place}");
            }
            if param.direction.writes() && param.role != Role::Varargs {
                assert!(param.is_pointer(), "{place} is written but is a {}", param.ctype);
            }
            if let Some(Length::Param(at) | Length::Times(at, _)) = param.length {
                assert!(matches!(function.params[at].ctype, "int" | "MPI_Count" | "int *"), "{place}");
            }
        }
    }
}

/// Buffers of calls that communicate, access files or combine data: how much, and of what.
#[test]
fn every_buffer_has_its_count_and_datatype() {
    let mut seen = 0;
    for function in mpi::functions() {
        let name = function.name;
        let typed = function.params.iter().filter(|param| param.role.is_typed_buffer()).count();
        assert_eq!(typed, function.buffers().count(), "{name}");
        // `void *` parameters that are no buffer have a role that says what else they are.
        let split_end = matches!(function.class, Class::FileData { phase: mpi::FilePhase::SplitEnd, .. });
        for buffer in function.buffers() {
            seen += 1;
            assert_eq!(function.params[buffer.param].direction, buffer.direction, "{name}");
            let role = |at: Option<usize>| at.map(|at| function.params[at].role);
            if split_end {
                assert_eq!((buffer.count, buffer.datatype), (None, None), "{name}");
                continue;
            }
            assert_eq!(role(buffer.datatype), Some(Role::Datatype), "{name}");
            assert_eq!(role(buffer.count), (buffer.scale != Scale::One).then_some(Role::Count), "{name}");
            let arrays = matches!(
                buffer.scale,
                Scale::Sum | Scale::OwnEntry | Scale::SumInNeighbors | Scale::SumOutNeighbors
            );
            let count_is_array = buffer.count.is_some_and(|at| function.params[at].is_array());
            assert_eq!(arrays, count_is_array, "{name}: the scale and the count's type disagree");
            if let Some(displacements) = buffer.displacements {
                assert_eq!(function.params[displacements].role, Role::Displacements, "{name}");
                assert!(function.params[displacements].is_array(), "{name}");
            }
            assert_eq!(buffer.partitions.is_some(), buffer.scale == Scale::PerPartition, "{name}");
        }
        if function.class.communicates() && !is_barrier(function) {
            assert!(typed > 0, "{name} moves data but has no buffer");
        }
        // Every count and datatype belongs to something.
        let named: BTreeSet<usize> = function
            .buffers()
            .flat_map(|buffer| [buffer.count, buffer.datatype, buffer.displacements])
            .chain(function.target().into_iter().flat_map(|target| [target.count, Some(target.datatype)]))
            .flatten()
            .collect();
        if function.class.communicates() {
            for (at, param) in function.params.iter().enumerate() {
                let describes = matches!(param.role, Role::Count | Role::Datatype | Role::Displacements);
                assert!(!describes || named.contains(&at), "{name}: {} belongs to no buffer", param.name);
            }
        }
    }
    assert!(seen > 350, "only {seen} buffers");
}

fn is_barrier(function: &Function) -> bool {
    matches!(function.class, Class::Collective { operation: CollectiveOp::Barrier, .. })
}

#[test]
fn point_to_point_names_partner_tag_and_communicator() {
    for function in mpi::functions().filter(|function| function.class.sends() || function.class.receives()) {
        let name = function.name;
        if matches!(function.class, Class::Receive { matched: true, .. }) {
            assert!(function.param_with_role(Role::Message).is_some(), "{name}");
            continue;
        }
        assert!(function.param_with(Role::Communicator, Direction::In).is_some(), "{name}");
        let sending: Vec<_> = function.buffers().filter(|buffer| buffer.dest.is_some()).collect();
        let receiving: Vec<_> = function.buffers().filter(|buffer| buffer.source.is_some()).collect();
        assert_eq!(sending.len(), usize::from(function.class.sends()), "{name}");
        assert_eq!(receiving.len(), usize::from(function.class.receives()), "{name}");
        for buffer in sending {
            assert!(buffer.send_tag.is_some() && buffer.direction.reads(), "{name}");
        }
        for buffer in receiving {
            assert!(buffer.recv_tag.is_some() && buffer.direction.writes(), "{name}");
        }
    }
}

#[test]
fn collectives_have_a_communicator_a_root_and_an_operation_as_needed() {
    for function in mpi::functions() {
        let Class::Collective { operation, completion, neighbor } = function.class else { continue };
        let name = function.name;
        let comm = function.param_with(Role::Communicator, Direction::In);
        assert_eq!(function.scope, Scope::Over(comm.expect("a collective has a communicator")), "{name}");
        assert_eq!(function.param_with_role(Role::Root).is_some(), operation.is_rooted(), "{name}");
        assert_eq!(function.param_with_role(Role::Op).is_some(), operation.is_reduction(), "{name}");
        assert_eq!(function.request_made().is_some(), completion != Completion::Blocking, "{name}");
        let in_place = function.buffers().filter(|buffer| buffer.in_place.is_some()).count();
        let none = matches!(operation, CollectiveOp::Barrier | CollectiveOp::Bcast);
        assert_eq!(in_place, usize::from(!neighbor && !none), "{name}: MPI_IN_PLACE");
        let root_only = function.params.iter().any(|param| param.root_only);
        assert_eq!(root_only, operation.is_rooted() && operation != CollectiveOp::Bcast, "{name}");
    }
}

#[test]
fn what_makes_or_destroys_an_object_has_a_parameter_for_it() {
    let (mut makers, mut breakers) = (0, 0);
    for function in mpi::functions() {
        let name = function.name;
        if let Some(object) = function.class.creates() {
            assert!(function.created().is_some(), "{name} makes a {object}, but where?");
            makers += 1;
        }
        if let Some(object) = function.class.destroys() {
            assert!(function.destroyed().is_some(), "{name} gives up a {object}, but which?");
            breakers += 1;
        }
        // Persistent and partitioned operations start nothing; everything else that yields a request does.
        if let Some((_, state)) = function.request_made() {
            let inactive = function.base_name().ends_with("_init");
            assert_eq!(state == RequestState::Inactive, inactive, "{name}");
        }
    }
    assert!(makers > 70 && breakers > 12, "{makers} makers, {breakers} breakers");
}

/// The name without large-count suffix.
trait BaseName {
    fn base_name(&self) -> &'static str;
}

impl BaseName for Function {
    fn base_name(&self) -> &'static str {
        self.large_count_of.unwrap_or(self.name)
    }
}

#[test]
fn large_count_forms_mean_the_same() {
    let mut pairs = 0;
    for large in mpi::functions() {
        let Some(small) = large.large_count_of else { continue };
        let small = mpi::lookup(small).expect("the large-count form names its small one");
        assert_eq!(large.name, format!("{}_c", small.name));
        assert_eq!(
            (large.class, large.is_collective()),
            (small.class, small.is_collective()),
            "{}",
            large.name
        );
        let extra = large.params.iter().filter(|param| small.param_named(param.name).is_none());
        assert!(extra.clone().count() == 0 || large.params.len() > small.params.len(), "{}", large.name);
        for param in &small.params {
            let twin =
                &large.params[large.param_named(param.name).expect("it has at least the same parameters")];
            assert_eq!(
                (twin.role, twin.direction),
                (param.role, param.direction),
                "{} {}",
                large.name,
                param.name
            );
        }
        pairs += 1;
    }
    assert!(pairs > 130, "only {pairs} large-count forms");
}

#[test]
fn calls_allowed_at_any_time_are_those_of_the_standard() {
    let allowed = |name| mpi::lookup(name).is_some_and(|function| function.any_time);
    for name in
        ["MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_T_init_thread", "MPI_Session_init"]
    {
        assert!(allowed(name), "{name}");
    }
    for name in ["MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Wtime", "MPI_Abort", "MPI_Type_free"] {
        assert!(!allowed(name), "{name}");
    }
}

#[test]
fn old_functions_name_their_replacement() {
    let mut old = 0;
    for function in mpi::functions() {
        assert!(function.deprecated.is_none() || function.removed.is_none(), "{}", function.name);
        let is_old = function.deprecated.is_some() || function.removed.is_some();
        assert_eq!(is_old, function.replacement.is_some(), "{}", function.name);
        if let Some(replacement) = function.replacement {
            let replacement = mpi::lookup(replacement).expect("a replacement exists");
            assert!(replacement.removed.is_none() && replacement.deprecated.is_none(), "{}", function.name);
            old += 1;
        }
    }
    assert!(old >= 22);
}
