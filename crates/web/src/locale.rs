//! `/app/profile/language`: the language and the time zone of the user, `/app/admin/language`: those
//! of a member of staff, and the buttons by which a visitor chooses a language.

use std::time::Duration;

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::notice::Zone;
use grantor_domain::patch::Patch;
use grantor_messages::{Language, text};
use grantor_service::notices::{self, Inbox, SettingsChange, SettingsView, parse_language};
use maud::{Markup, html};

use crate::frame::{
    Cookie, CookieName, FormData, Guest, Identity, Outcome, PageContext, Person, Staff,
};
use crate::view::zone::time_zone;
use crate::view::{NavItem, card, form, head, hidden, select};

const LANGUAGE: &str = "language";
const ZONE: &str = "timeZone";

/// How long a browser keeps its language.
const LIFE: Duration = Duration::from_hours(365 * 24);

/// No address that leads back to a page is longer.
const MAX_BACK: usize = 2_000;

/// Whose settings a page shows.
#[derive(Clone, Copy)]
struct Place {
    page: &'static str,
    nav: NavItem,
    /// The page to go back to, with the key of its label.
    back: (&'static str, &'static str),
}

const CONSOLE: Place = Place {
    page: "/app/profile/language",
    nav: NavItem::Profile,
    back: ("/app/profile", "locale-back-to-profile"),
};

const STAFF: Place = Place {
    page: "/app/admin/language",
    nav: NavItem::None,
    back: ("/app/admin", "locale-back-to-overview"),
};

/// Shows the settings.
pub(crate) async fn show(person: Person) -> Outcome {
    show_settings(&person, CONSOLE, Inbox::from(&*person.caller)).await
}

/// Shows the settings of a member of staff.
pub(crate) async fn show_for_staff(staff: Staff) -> Outcome {
    show_settings(&staff, STAFF, Inbox::from(&*staff.caller)).await
}

async fn show_settings(ctx: &PageContext, place: Place, inbox: Inbox) -> Outcome {
    let view = notices::show(ctx.app(), inbox).await?;
    Ok(draw(ctx, place, &filled(&view)))
}

fn filled(view: &SettingsView) -> FormData {
    FormData::default()
        .with(LANGUAGE, view.language.map_or("", Language::code))
        .with(ZONE, view.settings.schedule.zone.as_str())
}

/// Saves changes.
pub(crate) async fn change(person: Person, entered: FormData) -> Outcome {
    save(&person, CONSOLE, Inbox::from(&*person.caller), entered).await
}

/// Saves changes of a member of staff.
pub(crate) async fn change_for_staff(staff: Staff, entered: FormData) -> Outcome {
    save(&staff, STAFF, Inbox::from(&*staff.caller), entered).await
}

async fn save(ctx: &PageContext, place: Place, inbox: Inbox, entered: FormData) -> Outcome {
    let changed = async {
        let (language, zone) = read(&entered)?;
        let chosen = language.map_or(Patch::Clear, Patch::Set);
        let change = SettingsChange { language: chosen, zone, ..SettingsChange::default() };
        notices::change(ctx.app(), &ctx.context, inbox, change).await?;
        Ok(language)
    };
    match changed.await {
        Ok(language) => {
            let message = language.unwrap_or(ctx.locale.language).text("locale-saved");
            let response = ctx.redirect(place.page, message);
            Ok(ctx.with_cookie(response, &cookie(language)))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw(ctx, place, entered))),
    }
}

fn read(entered: &FormData) -> Result<(Option<Language>, Option<Zone>), Error> {
    let mut fields = entered.fields();
    let language = entered.optional(LANGUAGE);
    let language = language.and_then(|it| fields.take(LANGUAGE, parse_language(it)));
    let zone = entered.optional(ZONE).and_then(|it| fields.take(ZONE, Zone::parse(it)));
    fields.finish()?;
    Ok((language, zone))
}

/// The cookie by which the pages before signing in have the same language. Without a language, the
/// browser forgets the one that was chosen in it.
fn cookie(language: Option<Language>) -> Cookie {
    match language {
        Some(language) => Cookie::set(CookieName::Language, language.code(), LIFE),
        None => Cookie::clear(CookieName::Language),
    }
}

fn draw(ctx: &PageContext, place: Place, entered: &FormData) -> Response {
    let mut languages = vec![("", text!("locale-of-browser"))];
    languages.extend(Language::all().map(|it| (it.code(), it.name())));
    let (language, zone) = (text!("locale-language"), text!("locale-zone"));
    let (language_hint, zone_hint) = (text!("locale-language-hint"), text!("locale-zone-hint"));
    let inside = html! {
        div.two {
            (select(LANGUAGE, language, Some(language_hint), &languages, entered))
            (time_zone(ZONE, zone, Some(zone_hint), entered))
        }
    };
    let (back, label) = place.back;
    let body = html! {
        (head(text!("locale-title"), text!("locale-lead"), html! {
            a.button.small.plain href=(back) { (grantor_messages::text(label)) }
        }))
        (card(text!("locale-card"), form(place.page, entered, inside, text!("locale-save"))))
    };
    ctx.page(text!("locale-title"), place.nav, body)
}

/// The card of the profile page that leads to the settings.
pub(crate) fn profile_card(ctx: &PageContext) -> Markup {
    let (name, zone) = (ctx.locale.language.name(), crate::view::time::zone_name());
    card(
        text!("locale-title"),
        html! {
            p { (text!("locale-now", language = name, zone = zone)) }
            p { a.button.plain href=(CONSOLE.page) { (text!("locale-change")) } }
        },
    )
}

/// Chooses the language of this browser.
pub(crate) async fn choose(Guest(ctx): Guest, entered: FormData) -> Response {
    let back = Redirect::to(back(entered.get("back"))).into_response();
    match Language::find(entered.get(LANGUAGE)) {
        Some(language) => ctx.with_cookie(back, &cookie(Some(language))),
        None => back,
    }
}

/// Returns the page to go back to, if it is one of this site.
fn back(requested: &str) -> &str {
    let is_own = requested.len() <= MAX_BACK
        && requested.starts_with('/')
        && !requested.starts_with("//")
        && requested.bytes().all(|it| it.is_ascii_graphic() && it != b'\\');
    if is_own { requested } else { "/" }
}

/// The languages at the end of a page for visitors.
pub(crate) fn footer(ctx: &PageContext) -> Markup {
    let current = ctx.locale.language;
    html! {
        @if matches!(ctx.identity, Identity::Anonymous) {
            footer.languages {
                form method="post" action="/app/language" aria-label=(text!("locale-languages")) {
                    (hidden("back", &ctx.here))
                    @for it in Language::all() {
                        button.plain.small name=(LANGUAGE) value=(it.code()) lang=(it.code())
                            aria-current=[(it == current).then_some("true")] { (it.name()) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::back;

    #[test]
    fn a_language_leads_back_to_a_page_of_this_site() {
        for own in ["/", "/verify/abc", "/app/catalog?page=2"] {
            assert_eq!(back(own), own);
        }
        for other in ["", "https://evil.example", "//evil.example", "/\\evil.example", "/a b"] {
            assert_eq!(back(other), "/", "{other}");
        }
    }
}
