//! The reasons of verdicts in the language of the page.

use grantor_messages::Language;
use grantor_service::watching::verdict_reason;

/// Returns the reason of a verdict in the language of the page. An unknown reason stays as it is.
pub(crate) fn reason_in_words(reason: &str) -> String {
    verdict_reason::in_language(Language::current(), reason)
}
