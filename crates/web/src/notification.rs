//! `/app/profile/notifications`: how the user gets notifications, and `/app/admin/notifications`:
//! how a member of staff gets them.

use std::collections::BTreeMap;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::notice::{Channel, DigestHour, NoticeKind, Zone};
use grantor_messages::text;
use grantor_service::notices::{self, Inbox, SettingsChange, SettingsView};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, PageContext, Person, Staff};
use crate::view::label::notice_kind;
use crate::view::zone::time_zone;
use crate::view::{NavItem, Table, card, form, head, notice, post_button, select};

const HOUR: &str = "digestHour";
const ZONE: &str = "timeZone";

/// The columns of the table: each channel with its name for people.
fn channels() -> [(Channel, &'static str); 3] {
    [
        (Channel::Now, text!("notice-channel-now")),
        (Channel::Digest, text!("notice-channel-digest")),
        (Channel::Off, text!("notice-channel-off")),
    ]
}

/// Whose settings a page shows.
#[derive(Clone, Copy)]
struct Place {
    page: &'static str,
    nav: NavItem,
    list: &'static str,
    /// The page to go back to, with the key of its label.
    back: Option<(&'static str, &'static str)>,
}

const CONSOLE: Place = Place {
    page: "/app/profile/notifications",
    nav: NavItem::Profile,
    list: "/app/notices",
    back: Some(("/app/profile", "notice-back-to-profile")),
};

const STAFF: Place = Place {
    page: "/app/admin/notifications",
    nav: NavItem::Notices,
    list: "/app/admin/notices",
    back: None,
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
    Ok(draw(ctx, place, &view, &filled(&view)))
}

fn filled(view: &SettingsView) -> FormData {
    let schedule = &view.settings.schedule;
    let entered = FormData::default()
        .with(HOUR, schedule.hour.get().to_string())
        .with(ZONE, schedule.zone.as_str());
    view.kinds.iter().fold(entered, |entered, kind| {
        entered.with(&name_of(*kind), view.settings.channel(*kind).name())
    })
}

fn name_of(kind: NoticeKind) -> String {
    format!("channels.{kind}")
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
    let view = notices::show(ctx.app(), inbox).await?;
    let changed = async {
        let change = read(&view.kinds, &entered)?;
        notices::change(ctx.app(), &ctx.context, inbox, change).await
    };
    match changed.await {
        Ok(()) => Ok(ctx.redirect(place.page, text!("notice-settings-updated"))),
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw(ctx, place, &view, entered))),
    }
}

fn read(kinds: &[NoticeKind], entered: &FormData) -> Result<SettingsChange, Error> {
    let mut fields = entered.fields();
    let mut channels = BTreeMap::new();
    for kind in kinds {
        let name = name_of(*kind);
        let Some(chosen) = entered.optional(&name) else { continue };
        if let Some(channel) = fields.take(&name, chosen.parse::<Channel>()) {
            channels.insert(*kind, channel);
        }
    }
    let hour = entered.optional(HOUR).map(|it| it.parse::<u32>().unwrap_or(u32::MAX));
    let hour = hour.and_then(|it| fields.take(HOUR, DigestHour::new(it)));
    let zone = entered.optional(ZONE).and_then(|it| fields.take(ZONE, Zone::parse(it)));
    fields.finish()?;
    Ok(SettingsChange { channels, hour, zone, ..SettingsChange::default() })
}

/// Emails an address again whose mail server refused emails.
pub(crate) async fn resume(person: Person) -> Outcome {
    resume_emails(&person, CONSOLE, Inbox::from(&*person.caller)).await
}

/// Emails the address of a member of staff again whose mail server refused emails.
pub(crate) async fn resume_for_staff(staff: Staff) -> Outcome {
    resume_emails(&staff, STAFF, Inbox::from(&*staff.caller)).await
}

async fn resume_emails(ctx: &PageContext, place: Place, inbox: Inbox) -> Outcome {
    let change = SettingsChange { resume_email: true, ..SettingsChange::default() };
    notices::change(ctx.app(), &ctx.context, inbox, change).await?;
    Ok(ctx.redirect(place.page, text!("notice-resumed")))
}

fn draw(ctx: &PageContext, place: Place, view: &SettingsView, entered: &FormData) -> Response {
    let hours: Vec<_> =
        (0..=DigestHour::MAX).map(|it| (it.to_string(), format!("{it:02}:00"))).collect();
    let inside = html! {
        (table(&view.kinds, entered))
        div.two {
            (select(HOUR, text!("notice-digest-hour"), Some(text!("notice-digest-hint")), &hours, entered))
            (time_zone(ZONE, text!("notice-time-zone"), None, entered))
        }
    };
    let lead = text!("notice-settings-lead", email = &view.email);
    let resume = format!("{}/resume", place.page);
    let body = html! {
        (head(text!("notice-settings"), &lead, html! {
            a.button.small.plain href=(place.list) { (text!("notice-view")) }
            @if let Some((path, label)) = place.back { a.button.small.plain href=(path) { (text(label)) } }
        }))
        @if view.email_refused {
            (notice("warn", html! {
                p { (text!("notice-refused", email = &view.email)) }
                (post_button(&resume, text!("notice-resume"), &[]))
            }))
        }
        (card(text!("notice-emails"), form(place.page, entered, inside, text!("notice-save"))))
    };
    ctx.page(text!("notice-settings"), place.nav, body)
}

/// A row of radio buttons for each kind.
fn table(kinds: &[NoticeKind], entered: &FormData) -> Markup {
    let channels = channels();
    let [now, digest, off] = channels.map(|(_, words)| words);
    let heads = [text!("notice-notification"), now, digest, off];
    let table = Table::new(text!("notice-title"), &heads).class("compact").rows(kinds, |kind| {
        let (name, about) = (name_of(*kind), notice_kind(*kind));
        // A refused value is named in the summary, which links to the first button of the row.
        entered.register(&name, about);
        let mut cells = vec![html! { (about) }];
        cells.extend(channels.iter().enumerate().map(|(index, (channel, words))| {
            let id = (index == 0).then_some(&name);
            html! {
                label.radio-cell {
                    input type="radio" id=[id] name=(name) value=(channel.name())
                        checked[entered.raw(&name) == channel.name()]
                        aria-label=(text!("notice-channel-of", channel = *words, kind = about));
                    span { (words) }
                }
            }
        }));
        cells
    });
    table.show()
}
