//! A field of a partial update: kept, cleared or set.

use serde::{Deserialize, Deserializer};

/// A change of one field. In JSON, a missing member keeps the value and null clears it; the field
/// needs `#[serde(default)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Keeps the current value.
    #[default]
    Keep,
    /// Clears the value.
    Clear,
    /// Sets a new value.
    Set(T),
}

impl<T> Patch<T> {
    /// Applies the change to the current value.
    pub fn over(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Whether the field was given.
    pub const fn is_given(&self) -> bool {
        !matches!(self, Self::Keep)
    }

    /// The new value, if one is set.
    pub fn set(self) -> Option<T> {
        self.over(None)
    }

    /// Parses the new value; if that fails, the field is kept.
    pub fn parse<U>(self, read: impl FnOnce(T) -> Option<U>) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => read(value).map_or(Patch::Keep, Patch::Set),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(from)?.map_or(Self::Clear, Self::Set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_stays_null_clears_a_value_sets() {
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            field: Patch<u8>,
        }
        for (text, after) in
            [("{}", Some(1)), (r#"{"field":null}"#, None), (r#"{"field":2}"#, Some(2))]
        {
            let body: Body = serde_json::from_str(text).unwrap();
            assert_eq!(body.field.over(Some(1)), after, "{text}");
        }
    }
}
