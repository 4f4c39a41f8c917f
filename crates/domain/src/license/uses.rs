//! The uses a license allows: all license types except `custom`.

use serde::{Deserialize, Serialize};

use super::LicenseType;

/// The allowed uses in the owner's order, without duplicates. Empty means not specified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Uses(Vec<LicenseType>);

impl Uses {
    /// The uses that can be allowed.
    pub fn known() -> impl Iterator<Item = LicenseType> {
        LicenseType::ALL.into_iter().filter(|it| *it != LicenseType::Custom)
    }

    /// Parses keys; duplicates are merged.
    pub fn parse<T: AsRef<str>>(keys: &[T]) -> Result<Self, String> {
        let mut kept = Vec::new();
        for key in keys {
            let Some(found) = Self::known().find(|it| it.key() == key.as_ref()) else {
                let keys: Vec<_> = Self::known().map(LicenseType::key).collect();
                return Err(format!("must contain only {}", keys.join(", ")));
            };
            if !kept.contains(&found) {
                kept.push(found);
            }
        }
        Ok(Self(kept))
    }

    /// The uses sorted by key.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.0.sort_by_key(|it| it.key());
        self
    }

    /// Whether a use is allowed. An empty list allows every use.
    #[must_use]
    pub fn allow(&self, usage: LicenseType) -> bool {
        self.0.is_empty() || self.0.contains(&usage)
    }

    /// The uses.
    #[must_use]
    pub fn as_slice(&self) -> &[LicenseType] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_types_but_custom() {
        let keys = ["voice", "advertising", "voice"];
        let expected = [LicenseType::Voice, LicenseType::Advertising];
        assert_eq!(Uses::parse(&keys).unwrap().as_slice(), expected);
        assert_eq!(Uses::known().count(), 7);
        assert_eq!(Uses::parse::<&str>(&[]), Ok(Uses::default()));
        for bad in ["custom", "Voice", ""] {
            let error = Uses::parse(&["voice", bad]).unwrap_err();
            assert_eq!(
                error,
                "must contain only social_media, advertising, endorsement, ai_training, \
                 ai_generation, voice, merchandise"
            );
        }
    }
}
