//! `/app/profile/notifications`: how the user gets notifications.

use std::collections::BTreeMap;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::notice::{Channel, DigestHour, NoticeKind, Zone};
use grantor_service::notices::{self, SettingsChange, SettingsView};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person};
use crate::view::zone::time_zone;
use crate::view::{NavItem, Table, card, form, head, notice, post_button, select};

const PAGE: &str = "/app/profile/notifications";
const HOUR: &str = "digestHour";
const ZONE: &str = "timeZone";

/// The columns of the table: each channel with its name for people.
const CHANNELS: [(Channel, &str); 3] = [
    (Channel::Now, "Email at once"),
    (Channel::Digest, "Daily digest"),
    (Channel::Off, "No email"),
];

/// Shows the settings.
pub(crate) async fn show(person: Person) -> Outcome {
    let view = notices::show(person.app(), &person.caller).await?;
    Ok(draw(&person, &view, &filled(&view)))
}

fn filled(view: &SettingsView) -> FormData {
    let schedule = &view.settings.schedule;
    let entered = FormData::default()
        .with(HOUR, schedule.hour.get().to_string())
        .with(ZONE, schedule.zone.as_str());
    NoticeKind::of_members().fold(entered, |entered, kind| {
        entered.with(&name_of(kind), view.settings.channel(kind).name())
    })
}

fn name_of(kind: NoticeKind) -> String {
    format!("channels.{kind}")
}

/// Saves changes.
pub(crate) async fn change(person: Person, entered: FormData) -> Outcome {
    let changed = async {
        let change = read(&entered)?;
        notices::change(person.app(), person.context(), person.caller(), change).await
    };
    match changed.await {
        Ok(()) => Ok(person.redirect(PAGE, "Notification settings updated")),
        Err(error) => {
            let view = notices::show(person.app(), &person.caller).await?;
            Ok(person.redisplay(error, entered, |entered| draw(&person, &view, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<SettingsChange, Error> {
    let mut fields = entered.fields();
    let mut channels = BTreeMap::new();
    for kind in NoticeKind::of_members() {
        let name = name_of(kind);
        let Some(chosen) = entered.optional(&name) else { continue };
        if let Some(channel) = fields.take(&name, chosen.parse::<Channel>()) {
            channels.insert(kind, channel);
        }
    }
    let hour = entered.optional(HOUR).map(|it| it.parse::<u32>().unwrap_or(u32::MAX));
    let hour = hour.and_then(|it| fields.take(HOUR, DigestHour::new(it)));
    let zone = entered.optional(ZONE).and_then(|it| fields.take(ZONE, Zone::parse(it)));
    fields.finish()?;
    Ok(SettingsChange { channels, hour, zone, resume_email: false })
}

/// Emails an address again whose mail server refused emails.
pub(crate) async fn resume(person: Person) -> Outcome {
    let change = SettingsChange { resume_email: true, ..SettingsChange::default() };
    notices::change(person.app(), person.context(), person.caller(), change).await?;
    Ok(person.redirect(PAGE, "We'll email you notifications again"))
}

fn draw(person: &Person, view: &SettingsView, entered: &FormData) -> Response {
    let hours: Vec<_> =
        (0..=DigestHour::MAX).map(|it| (it.to_string(), format!("{it:02}:00"))).collect();
    let inside = html! {
        (table(entered))
        div.two {
            (select(HOUR, "Daily digest at", Some("At most one email a day, and none if nothing happened."), &hours, entered))
            (time_zone(ZONE, "Time zone", None, entered))
        }
    };
    let lead = format!("Emails go to {}. Every notification is also on the bell.", view.email);
    let body = html! {
        (head("Notification settings", &lead, html! {
            a.button.small.plain href="/app/notices" { "View notifications" }
            a.button.small.plain href="/app/profile" { "Back to profile" }
        }))
        @if view.email_refused {
            (notice("warn", html! {
                p { "The mail server of " (view.email) " refused our emails, so we stopped sending notifications. Sign-in codes and links are still sent." }
                (post_button("/app/profile/notifications/resume", "Send emails again", &[]))
            }))
        }
        (card("Emails", form(PAGE, entered, inside, "Save changes")))
    };
    person.page("Notification settings", NavItem::Profile, body)
}

/// A row of radio buttons for each kind.
fn table(entered: &FormData) -> Markup {
    let heads = ["Notification", CHANNELS[0].1, CHANNELS[1].1, CHANNELS[2].1];
    let table = Table::new("Notifications", &heads).rows(NoticeKind::of_members(), |kind| {
        let name = name_of(kind);
        // A refused value is named in the summary, which links to the first button of the row.
        entered.register(&name, kind.label());
        let mut cells = vec![html! { (kind.label()) }];
        cells.extend(CHANNELS.iter().enumerate().map(|(index, (channel, words))| {
            let id = (index == 0).then_some(&name);
            html! {
                input type="radio" id=[id] name=(name) value=(channel.name())
                    checked[entered.raw(&name) == channel.name()]
                    aria-label={ (words) ": " (kind.label()) };
            }
        }));
        cells
    });
    table.show()
}
