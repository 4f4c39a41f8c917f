//! The language, the time zone and the number style of a page.

use grantor_domain::locale::Locale;
use grantor_domain::notice::Zone;
use grantor_messages::Language;
use http::{HeaderMap, header};

use super::context::Identity;
use super::cookie::CookieName;
use crate::view::money::NumberStyle;
use crate::view::time::in_zone;

/// How a page is written for its reader.
#[derive(Clone, Debug)]
pub(crate) struct PageLocale {
    pub(crate) language: Language,
    zone: Zone,
    style: NumberStyle,
}

impl PageLocale {
    /// The locale of a reader. Who chose no language gets the one that was chosen in this browser,
    /// or else the one that the browser prefers. Staff who view as somebody read their own language,
    /// in the person's time zone.
    pub(super) fn of(
        identity: &Identity,
        is_viewed: bool,
        headers: &HeaderMap,
        secure: bool,
    ) -> Self {
        let chosen = match identity {
            Identity::Anonymous => Locale::default(),
            Identity::Person(caller) if is_viewed => {
                Locale { language: None, zone: caller.locale.zone.clone() }
            }
            Identity::Person(caller) => caller.locale.clone(),
            Identity::Staff(caller) => caller.locale.clone(),
        };
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
        let accepted = accepted.unwrap_or_default();
        let of_browser = || CookieName::Language.read(headers, secure).and_then(Language::find);
        let language = chosen.language.as_deref().and_then(Language::find);
        let language =
            language.or_else(of_browser).unwrap_or_else(|| Language::preferred(accepted));
        Self { language, zone: chosen.zone, style: NumberStyle::of(language, accepted) }
    }

    /// Renders a page for the reader.
    pub(crate) async fn scope<F: Future>(self, page: F) -> F::Output {
        let Self { language, zone, style } = self;
        language.scope(style.scope(in_zone(zone.rules(), page))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(headers: &[(header::HeaderName, &str)]) -> &'static str {
        let pairs = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
        PageLocale::of(&Identity::Anonymous, false, &pairs.collect(), false).language.code()
    }

    #[test]
    fn a_visitor_gets_the_chosen_language_or_that_of_the_browser() {
        assert_eq!(language(&[]), "en");
        assert_eq!(language(&[(header::ACCEPT_LANGUAGE, "de-DE,en;q=0.5")]), "de");
        let chosen = (header::COOKIE, "grantor-language=en");
        assert_eq!(language(&[chosen, (header::ACCEPT_LANGUAGE, "de-DE")]), "en");
        let unknown = (header::COOKIE, "grantor-language=xx");
        assert_eq!(language(&[unknown, (header::ACCEPT_LANGUAGE, "de-DE")]), "de");
    }
}
