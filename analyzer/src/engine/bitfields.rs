//! Bit-fields: several share a storage unit, which is one cell. A store changes the bits of one field, and the other fields keep
//! their values, whether these are numbers or known by symbols only.

use frontend::ir::{Place, Projection, Type};
use lattice::{Linear, SymbolKind};

use super::eval::{Location, Scope};
use super::need::Need;
use super::value::Value;

/// Where the bits of a field are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitField {
    /// Size of the storage unit in bytes.
    unit: u64,
    /// First bit, counted from the least significant one, and number of bits: at least 1, together at most 64.
    first: u32,
    width: u32,
    signed: bool,
}

impl BitField {
    fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width)) << self.first
    }

    fn extract(self, unit: i64) -> i64 {
        let bits = (unit.cast_unsigned() & self.mask()) << (64 - self.first - self.width);
        if self.signed {
            bits.cast_signed() >> (64 - self.width)
        } else {
            (bits >> (64 - self.width)).cast_signed()
        }
    }

    fn insert(self, unit: i64, value: i64) -> i64 {
        let bits = (value.cast_unsigned() << self.first) & self.mask();
        ((unit.cast_unsigned() & !self.mask()) | bits).cast_signed()
    }

    /// The name of the function that stores a value in the bits of a unit.
    fn insertion(self) -> String {
        format!("{INSERT}{}:{}", self.first, self.width)
    }
}

const INSERT: &str = "with bits ";

impl Scope<'_, '_> {
    /// The bits that a place is, when it is a bit-field.
    pub(crate) fn bit_field(&self, place: &Place) -> Option<BitField> {
        self.bit_field_in(self.function.unit, place)
    }

    /// As [`Scope::bit_field`], for a place in some unit.
    pub(crate) fn bit_field_in(&self, unit: usize, place: &Place) -> Option<BitField> {
        let Some(Projection::Field(record, index)) = place.projections.last() else { return None };
        let types = &self.engine.program.units[unit].types;
        let field = types.record(*record).fields.as_ref()?.get(usize::try_from(*index).ok()?)?;
        let (first, width) = field.bits?;
        let signed = match types.get(field.ty) {
            Type::Int(kind) | Type::Enum(_, kind) => kind.is_signed(),
            _ => false,
        };
        Some(BitField { unit: types.model_size(field.ty)?, first, width, signed })
            .filter(|field| (1..=64).contains(&field.width) && field.first + field.width <= 64)
    }

    pub(crate) fn load_bits(&mut self, place: &Place, field: BitField) -> Result<Value, Need> {
        let Some(location) = self.locate(place)? else { return Ok(Value::Unknown) };
        let unit = self.storage_unit(&location, field);
        Ok(self.extracted(unit, field))
    }

    pub(crate) fn store_bits(&mut self, place: &Place, field: BitField, value: &Value) -> Result<(), Need> {
        let Some(location) = self.locate(place)? else { return self.assign_unknown(place, value) };
        let unit = self.storage_unit(&location, field);
        let constants = unit.as_constant().zip(value.as_int().and_then(|value| self.facts.constant(value)));
        let stored = match constants {
            Some((unit, value)) => Value::int(field.insert(unit, value)),
            None => match self.engine.encode(&unit).zip(self.engine.encode(value)) {
                Some((unit, value)) => {
                    Value::Int(self.engine.symbols.apply(&field.insertion(), vec![unit, value]).into())
                }
                None => Value::Unknown,
            },
        };
        self.write(&location, Some(field.unit), stored);
        Ok(())
    }

    /// What the storage unit of a field holds. What nobody has written may hold anything: zero, say.
    fn storage_unit(&mut self, location: &Location, field: BitField) -> Value {
        match self.read_bytes(location, field.unit) {
            Value::Unknown if self.is_undefined(location, field.unit) => Value::int(0),
            Value::Same(symbol) => Value::Int(symbol.into()),
            value => value,
        }
    }

    fn extracted(&mut self, unit: Value, field: BitField) -> Value {
        let Value::Int(mut unit) = unit else { return Value::Unknown };
        // Stores to other fields leave the bits as they are.
        loop {
            if let Some(constant) = self.facts.constant(&unit) {
                return Value::int(field.extract(constant));
            }
            let Some((symbol, 0)) = unit.as_offset() else { break };
            let SymbolKind::Apply(name, arguments) = self.engine.symbols.kind(symbol) else { break };
            let [below, value] = &arguments[..] else { break };
            let Some((first, width)) = inserted_bits(name) else { break };
            if (first, width) == (field.first, field.width) {
                // A value that the field can hold comes out as it went in.
                let value = value.clone();
                if self.holds(field, &value) {
                    return Value::Int(value);
                }
                break;
            }
            if first < field.first + field.width && field.first < first + width {
                break;
            }
            unit = below.clone();
        }
        if self.engine.encode(&Value::Int(unit.clone())).is_none() {
            return Value::Unknown;
        }
        let name =
            format!("bits {}:{}{}", field.first, field.width, if field.signed { " signed" } else { "" });
        let symbol = self.engine.symbols.apply(&name, vec![unit]);
        if !field.signed {
            self.bound(symbol, 0);
        }
        Value::Int(symbol.into())
    }

    fn holds(&self, field: BitField, value: &Linear) -> bool {
        let bits = field.width.min(62);
        let (least, most) =
            if field.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1_i64 << bits) - 1) };
        self.facts.lower_bound(value).is_some_and(|low| low >= least)
            && self.facts.upper_bound(value).is_some_and(|high| high <= most)
    }
}

/// The bits that a function stores to, by its name.
fn inserted_bits(name: &str) -> Option<(u32, u32)> {
    let (first, width) = name.strip_prefix(INSERT)?.split_once(':')?;
    Some((first.parse().ok()?, width.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::BitField;

    /// Every field of every width: what is stored comes out again, and no other bit changes.
    #[test]
    fn fields_do_not_touch_their_neighbours() {
        for first in 0..32 {
            for width in 1..=32 - first {
                for signed in [false, true] {
                    let field = BitField { unit: 4, first, width, signed };
                    for unit in [0_i64, -1, 0x5a5a_5a5a] {
                        for value in [0_i64, 1, -1, 5, -6] {
                            let after = field.insert(unit, value);
                            assert_eq!((after ^ unit).cast_unsigned() & !field.mask(), 0);
                            let modulus = 1_i64 << width;
                            assert_eq!((field.extract(after) - value).rem_euclid(modulus), 0);
                            let range = if signed { -modulus / 2..modulus / 2 } else { 0..modulus };
                            assert!(range.contains(&field.extract(after)), "{first}:{width} {signed}");
                        }
                    }
                }
            }
        }
    }
}
