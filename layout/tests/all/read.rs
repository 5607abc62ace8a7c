//! Descriptions are read back as they are printed, and what is wrong is said with its place.

use arbtest::arbtest;
use layout::datatype::Order;
use layout::{Basic, Constructor, Datatype, Tree, read};

use crate::support::random;

#[test]
fn what_is_written_is_read_back() {
    arbtest(|u| {
        let datatype = random::datatype(u, 4)?;
        if let Datatype::Constructed(_) = datatype {
            let text = serde_json::to_string(&datatype).expect("all keys are strings");
            assert_eq!(read::datatype(&text).as_ref(), Ok(&datatype), "{text}");
        }
        let text = datatype.to_string();
        assert_eq!(read::datatype(&text).as_ref(), Ok(&datatype), "{text}");
        // Nodes are simplified where they have no elements.
        let tree = datatype.layout().expect("it is small").tree;
        let text = serde_json::to_string(&tree).expect("all keys are strings");
        assert_eq!(read::datatype(&text), Ok(tree.into()), "{text}");
        Ok(())
    })
    .budget_ms(750);
}

#[test]
fn expressions_are_calls_of_mpi_and_trees_of_the_paper() {
    let vector = Constructor::Vector { count: 10, blocklength: 1, stride: 100, child: Basic::Double.into() };
    for text in ["vector(10,1,100,MPI_DOUBLE)", " MPI_Type_vector( 10, 1, +100,\n MPI_DOUBLE ) "] {
        assert_eq!(read::datatype(text), Ok(vector.clone().into()));
    }
    let part = Constructor::Subarray {
        sizes: [4, 5].into(),
        subsizes: [2, 3].into(),
        starts: [1, 2].into(),
        order: Order::Fortran,
        child: Basic::Int.into(),
    };
    for text in [
        "subarray([4,5],[2,3],[1,2],fortran,MPI_INT)",
        "MPI_Type_create_subarray_c(2,[4,5],[2,3],[1,2],MPI_ORDER_FORTRAN,MPI_INT)",
        r#"{"kind":"subarray","sizes":[4,5],"subsizes":[2,3],"starts":[1,2],"order":"Fortran","child":"MPI_INT"}"#,
    ] {
        assert_eq!(read::datatype(text), Ok(part.clone().into()));
    }
    let tree = Tree::vec(10, 100, Tree::idx([5, 8], Tree::con(1, Basic::Byte)));
    assert_eq!(read::datatype(&tree.to_string()), Ok(tree.into()));
    let elements =
        r#"{"type":"MPI_INT","tree":{"kind":"vec","count":2,"stride":-4,"child":"con(2,MPI_INT)"}}"#;
    assert_eq!(read::datatype(elements), Ok(Tree::vec(2, -16, Tree::con(2, Basic::Int)).into()));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let deep = "dup(".repeat(100_000);
    for (text, said) in [
        ("", "line 1, column 1: the description ends here"),
        ("MPI_FOO", "line 1, column 1: `MPI_FOO` is not a predefined datatype"),
        (
            "vector(1,\n 2, 3)",
            "line 1, column 1: vector takes (count, blocklength, stride, child), but has 3 arguments",
        ),
        ("vector(1,2,3,\n MPI_IN)", "line 2, column 2: `MPI_IN` is not a predefined datatype"),
        (
            "contiguous(9999999999999999999, MPI_INT)",
            "line 1, column 12: `9999999999999999999` is not a whole number",
        ),
        ("contiguous(-1, MPI_INT)", "count -1 is negative"),
        ("contiguous(9000000000000000000, MPI_INT)", "36000000000000000000 bytes from the start is too far"),
        ("vector(9000000000000000000,1,0,MPI_INT)", "more than 2^61"),
        ("hvector(3,1,9000000000000000000, MPI_INT)", "is too far"),
        ("indexed(3,[1,2],[0,4],MPI_INT)", "line 1, column 9: the count is 3, but there are 2 blocklengths"),
        ("indexed([1],[0,4],MPI_INT)", "there are 1 blocklengths for 2 displacements"),
        ("subarray([4],[3],[2],C,MPI_INT)", "3 elements from 2 on are no part of dimension 0, which has 4"),
        ("subarray([4],[3],[1],D,MPI_INT)", "column 22: an order is expected"),
        ("darray(4,4,[8],[block],[default],[4],C,MPI_INT)", "rank 4 is not among the 4 processes"),
        ("darray(4,0,[8],[block],[1],[4],C,MPI_INT)", "4 blocks of 1 elements are too few"),
        ("vec(2,3,con(1)) x", "column 17: `x` after the datatype"),
        ("con(1 2)", "column 7: `,` or `)` is expected"),
        ("{", "this is no JSON"),
        (
            r#"{"kind":"vec","count":2,"stride":[1],"child":"con(1)"}"#,
            "the datatype.stride: a number is expected",
        ),
        (r#"{"kind":"vector","count":2}"#, "the datatype: vector needs a field \"blocklength\""),
        (r#"{"kind":"dup","child":"MPI_INT","more":1}"#, "\"more\" is no field of dup"),
        (r#"{"kind":"x"}"#, "an object has a \"kind\""),
        (&deep, "nested more than 200 levels deep"),
    ] {
        let error = read::datatype(text).expect_err("it is wrong").to_string();
        assert!(error.contains(said), "{text:.80}: {error}");
    }
}
