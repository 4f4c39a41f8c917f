//! The language and the time zone of a person.

use crate::notice::Zone;

/// The language and the time zone that a person chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locale {
    /// The code of the language, such as `de`; `None` for the language of the browser.
    pub language: Option<String>,
    /// The time zone; UTC without a choice.
    pub zone: Zone,
}
