//! Calls of functions that nobody defines: libraries.

use frontend::ir::{Expr, Span};
use frontend::library::{Effect, effect};
use frontend::lower::is_library_function;

use crate::assumption::Assumption;
use crate::calls::{After, input};
use crate::error::Result;
use crate::extract::{Extractor, Frame, Named};
use crate::memory::Value;
use crate::parameters::Kind;
use crate::state::State;

impl Extractor<'_> {
    /// Follows a call of a function that nobody defines.
    pub(crate) fn library_call(
        &mut self,
        frame: &Frame,
        mut state: State,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Result<After> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        // Code that runs beside, or later, or in another process.
        if matches!(name, "fork" | "vfork" | "pthread_create" | "thrd_create" | "atexit" | "on_exit") {
            return self.give_up(frame, span, format!("`{name}` is not followed"));
        }
        self.check_callbacks(frame, span, args)?;
        match effect(name) {
            Some(Effect::Exits) => {
                self.end_of_all(frame, &state, span, false)?;
                return Ok(None);
            }
            Some(Effect::Marks | Effect::Jumps | Effect::Signal) => {
                return self.give_up(frame, span, format!("`{name}` is not followed"));
            }
            Some(effect @ (Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies)) => {
                let value = self.allocated(&mut state, span);
                self.keep_size(frame, &mut state, (effect, args), &value)?;
                return Ok(Some((state, value)));
            }
            Some(Effect::Reads) => return Ok(Some((state, Value::Open))),
            Some(Effect::Line | Effect::Owns(_) | Effect::Writes) | None => {}
        }
        let values = args
            .iter()
            .map(|argument| self.evaluate(frame, &mut state, argument))
            .collect::<Result<Vec<_>>>()?;
        let of_all = values.iter().all(|value| self.is_same(value) && !matches!(value, Value::Address(_)));
        if let ("sscanf", [of, format, ..]) = (name, values.as_slice())
            && self.is_same(of)
        {
            for (at, value) in values.iter().enumerate().skip(2) {
                if let Value::Address(place) = value {
                    let named = Named::Expression(self.variable_name(place).unwrap_or_else(input));
                    let value = self
                        .parameter(span, Kind::Written(at), named, &[of, format])
                        .unwrap_or(Value::Same(0));
                    self.write(&mut state, place, value);
                }
            }
            return Ok(Some((state, Value::Same(0))));
        }
        if matches!(name, "atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "abs" | "labs") {
            let read = args.first().and_then(|argument| self.written_as(frame.function, argument));
            let named = Named::Expression(read.map_or_else(input, |read| format!("{name}({read})")));
            let of: Vec<&Value> = values.iter().collect();
            let same = of_all.then(|| self.parameter(span, Kind::Read, named, &of).unwrap_or(Value::Same(0)));
            let value = same.unwrap_or(Value::Open);
            return Ok(Some((state, value)));
        }
        if let [of] = values.as_slice()
            && let Some(value) = self.real_function(&mut state, name, of)?
        {
            return Ok(Some((state, value)));
        }
        if matches!(
            name,
            "atof"
                | "strtod"
                | "sqrt"
                | "pow"
                | "log"
                | "log2"
                | "floor"
                | "ceil"
                | "cbrt"
                | "round"
                | "trunc"
                | "rint"
                | "lround"
                | "lrint"
        ) {
            let of: Vec<&Value> = values.iter().collect();
            let value = if of_all { self.unknown(&of) } else { Value::Open };
            return Ok(Some((state, value)));
        }
        if effect(name).is_none() && !is_library_function(name) {
            self.assume(Assumption::External(name.to_owned()));
        }
        for value in &values {
            match value {
                Value::Address(place) => self.forget_reached(&mut state, place.object),
                Value::Open => self.forget_exposed(&mut state),
                _ => {}
            }
        }
        Ok(Some((state, Value::Open)))
    }

    /// A process ends here: either all do, or it is assumed that none does. `is_of_job`: it ends all others, too (MPI-4.1 section 9.7).
    pub(crate) fn end_of_all(
        &mut self,
        frame: &Frame,
        state: &State,
        span: Span,
        is_of_job: bool,
    ) -> Result<()> {
        if !state.doubts.is_empty() {
            self.assume(Assumption::NotEnded(frame.function, span));
            return Ok(());
        }
        let ranks = state.region.projected(&self.process)?;
        let everybody = self.everybody()?;
        let counts = ranks.set.parameter_domain()?;
        if everybody.set.intersect_parameters(&counts)?.is_subset(&ranks.set)? {
            self.ends_for_all = true;
            return Ok(());
        }
        if is_of_job {
            // Nothing is said of such parameters, whatever the others do until then.
            if self.is_recording {
                let nothing = counts.subtract(&counts)?;
                self.facts.push((counts, nothing));
            }
            return Ok(());
        }
        self.give_up(frame, span, "some processes end here, and others do not")
    }
}
