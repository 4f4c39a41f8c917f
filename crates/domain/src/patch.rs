//! One field of a partial change: left alone, cleared or set.

use serde::{Deserialize, Deserializer};

/// What becomes of a field. In JSON what is missing stays and a null clears; the field needs
/// `#[serde(default)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// It becomes empty.
    Clear,
    /// It becomes this.
    Set(T),
}

impl<T> Patch<T> {
    /// What the field is afterwards.
    pub fn over(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Whether the change says anything of it.
    pub const fn is_given(&self) -> bool {
        !matches!(self, Self::Keep)
    }

    /// What it becomes, if it becomes anything.
    pub fn set(self) -> Option<T> {
        self.over(None)
    }

    /// Reads what is set; where that fails, the field stays.
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
