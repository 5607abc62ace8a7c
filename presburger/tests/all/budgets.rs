//! Budgets of operations: the same end every time, and a context that goes on.

use presburger::{Context, Error, Relation, Result, Set};

/// Something that takes isl long: the difference of two sets of many parts.
fn hard(context: &Context) -> Result<bool> {
    let spread = |step: i64, count: i64| {
        let part = |at: i64| {
            format!("S[i, j, k] : {at} <= {step}i + 3j - k <= {at} + n and i mod {} = {}", 2 + at % 3, at % 2)
        };
        Set::parse(context, &format!("[n] -> {{ {} }}", (0..count).map(part).collect::<Vec<_>>().join("; ")))
    };
    spread(5, 9)?.subtract(&spread(7, 9)?)?.is_empty()
}

fn easy(context: &Context) -> Result<bool> {
    let set = Set::parse(context, "[np] -> { S[r] : 0 <= r < np }")?;
    set.subtract(&Set::parse(context, "[np] -> { S[r] : r <= np }")?)?.is_empty()
}

#[test]
fn a_hard_question_ends_at_the_same_operation() {
    for budget in [1_000, 20_000, 100_000] {
        for _ in 0..2 {
            let context = Context::with_budget(budget).expect("there is memory");
            assert_eq!(hard(&context), Err(Error::Budget));
            assert!(context.is_spent());
            assert_eq!((context.operations(), context.left()), (budget, Some(0)));
        }
    }
}

#[test]
fn the_same_question_takes_the_same_operations() {
    let count = || {
        let context = Context::new().expect("there is memory");
        assert_eq!(easy(&context), Ok(true));
        context.operations()
    };
    let first = count();
    assert!(0 < first && first < 2_000, "{first}");
    assert_eq!(first, count());
    // One operation less is not enough, as many are.
    let within = |budget| easy(&Context::with_budget(budget).expect("there is memory"));
    assert_eq!(within(first), Ok(true));
    assert_eq!(within(first - 1), Err(Error::Budget));
    // In another thread, with other addresses.
    assert_eq!(std::thread::spawn(count).join().expect("it does not panic"), first);
}

#[test]
fn asking_for_the_operations_does_not_count() {
    let context = Context::with_budget(2_000).expect("there is memory");
    assert_eq!(context.operations(), 0);
    easy(&context).expect("it is enough");
    let done = context.operations();
    for _ in 0..3 {
        assert_eq!(context.operations(), done);
        assert_eq!(context.left(), Some(2_000 - done));
    }
    context.set_budget(None);
    assert_eq!((context.operations(), context.left()), (done, None));
    easy(&context).expect("there is no limit");
    assert!(done < context.operations());
}

#[test]
fn a_spent_context_refuses_everything_and_goes_on_with_a_new_budget() {
    let context = Context::new().expect("there is memory");
    let set = Set::parse(&context, "[np] -> { S[r] : 0 <= r < np }").expect("a set");
    let relation = Relation::parse(&context, "{ S[r] -> R[r + 1] }").expect("a relation");
    context.set_budget(Some(3_000));
    assert_eq!(hard(&context), Err(Error::Budget));
    assert_eq!(set.union(&set).err(), Some(Error::Budget));
    assert_eq!(set.is_empty(), Err(Error::Budget));
    assert_eq!(set.sample(), Err(Error::Budget));
    assert_eq!(set.count(), Err(Error::Budget));
    assert_eq!(relation.is_bijective(), Err(Error::Budget));
    assert_eq!(Set::parse(&context, "{ }").err(), Some(Error::Budget));
    // What is there can be printed, copied and dropped.
    assert_eq!(set.clone().to_string(), "[np] -> { S[r] : 0 <= r < np }");
    assert!(context.is_spent());
    context.set_budget(Some(3_000));
    assert_eq!(easy(&context), Ok(true));
    assert_eq!(hard(&context), Err(Error::Budget));
    context.set_budget(None);
    assert_eq!(easy(&context), Ok(true));
    assert!(set.is_equal(&set).expect("there is no limit"));
    context.set_budget(Some(0));
    assert_eq!(set.is_empty(), Err(Error::Budget));
}

#[test]
fn printing_is_not_paid_for() {
    let context = Context::with_budget(20_000).expect("there is memory");
    let set = Set::parse(&context, "[np] -> { S[r] : 0 <= 2r < np }").expect("a set");
    let left = context.left();
    assert_eq!(set.to_string(), "[np] -> { S[r] : 0 <= r and 2r < np }");
    assert_eq!(context.left(), left);
    let strides =
        Set::parse(&context, "[np] -> { S[r] : exists (k : 0 <= 3k + 2r < np and 5k < r) }").expect("a set");
    let left = context.left();
    let text = strides.to_string();
    for _ in 0..20 {
        assert_eq!(strides.to_string(), text);
    }
    assert_eq!(context.left(), left);
    context.set_budget(Some(0));
    assert_eq!((strides.to_string(), context.is_spent()), (text, true));
}

/// Wherever the budget ends, there is an error and not a wrong answer.
#[test]
fn every_end_is_an_error() {
    let ask = |context: &Context| -> Result<(bool, bool, String)> {
        let meets = Relation::parse(
            context,
            "[np] -> { S[r] -> R[r + 1] : 0 <= r < np - 1; S[r] -> R[0] : r = np - 1 }",
        )?;
        let left = meets
            .range()?
            .subtract(&Set::parse(context, "[np] -> { R[r] : 0 <= r < np and r mod 2 = 0 }")?)?;
        let count = left.coalesce()?.count()?.map(|count| count.to_string()).unwrap_or_default();
        Ok((meets.is_bijective()?, left.lexicographic_minimum()?.is_empty()?, count))
    };
    let context = Context::new().expect("there is memory");
    let answer = ask(&context).expect("there is no limit");
    let all = context.operations();
    let mut ends = 0;
    // Each of the first, some of the others, and the whole.
    for budget in (1..300).chain((300..all).step_by(23)).chain([all - 1, all]) {
        let context = Context::with_budget(budget).expect("there is memory");
        match ask(&context) {
            Err(error) => assert_eq!(error, Error::Budget, "after {budget} of {all}"),
            Ok(other) => {
                assert_eq!(other, answer);
                ends += 1;
            }
        }
    }
    assert_eq!(ends, 1, "only the whole budget is enough");
}
