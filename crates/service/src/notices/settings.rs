//! How a person wants to be told.

use std::collections::BTreeMap;

use grantor_domain::notice::{
    Channel, DigestHour, DigestSchedule, NoticeKind, NotificationSettings, Zone,
};
use grantor_domain::patch::Patch;
use grantor_domain::{Error, Result};
use grantor_messages::Language;
use grantor_storage::notice::settings::Digest;
use grantor_storage::notice::{pending, refusal, settings};
use serde_json::json;

use super::Inbox;
use super::person::Person;
use crate::act::{Act, Done, UnitOfWork};
use crate::log::change::FieldChanges;
use crate::{App, Context};

/// A person's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsView {
    /// The kinds of notices that the person gets.
    pub kinds: Vec<NoticeKind>,
    /// The settings.
    pub settings: NotificationSettings,
    /// The address that emails go to.
    pub email: String,
    /// Whether its mail server refuses emails, so that no notices are sent there.
    pub email_refused: bool,
    /// The language that the person chose; `None` for the language of the browser.
    pub language: Option<Language>,
}

/// A change of settings. What is not set stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SettingsChange {
    /// The new channels.
    pub channels: BTreeMap<NoticeKind, Channel>,
    /// The hour of the digest.
    pub hour: Option<DigestHour>,
    /// The time zone of the person, also of the hour.
    pub zone: Option<Zone>,
    /// The language of the person. Without one, pages are in the language of the browser.
    pub language: Patch<Language>,
    /// Whether to email an address again that was refused.
    pub resume_email: bool,
}

/// Returns a person's settings.
pub async fn show(app: &App, inbox: Inbox) -> Result<SettingsView> {
    app.store
        .read(move |tx| {
            let person = Person::find(tx, inbox.person)?.ok_or_else(not_found)?;
            let settings = settings::find(tx, person.id)?;
            let email_refused = refusal::find(tx, &person.email_key)?.is_some();
            let kinds = person.kinds();
            let language = settings.language.as_deref().and_then(Language::find);
            Ok(SettingsView { kinds, settings, email: person.email, email_refused, language })
        })
        .await
}

/// Changes a person's settings.
pub async fn change(
    app: &App,
    context: &Context,
    inbox: Inbox,
    change: SettingsChange,
) -> Result<()> {
    let is_about_notices =
        !change.channels.is_empty() || change.hour.is_some() || change.resume_email;
    if !is_about_notices && change.zone.is_none() && !change.language.is_given() {
        return Ok(());
    }
    let change = Change { inbox, change };
    if is_about_notices {
        app.act(context, change).await
    } else {
        app.act(context, ChangeLocale(change)).await
    }
}

/// Parses the code of a language that there are messages in.
pub fn parse_language(code: &str) -> Result<Language, String> {
    Language::find(code).ok_or_else(|| {
        let mut known: Vec<_> = Language::all().map(Language::code).collect();
        known.sort_unstable();
        format!("must be one of {}", known.join(", "))
    })
}

fn not_found() -> Error {
    Error::not_found("User")
}

struct Change {
    inbox: Inbox,
    change: SettingsChange,
}

impl Act for Change {
    type Permit = Person;
    type Output = ();
    const ACTION: &'static str = "notification.update";

    /// Everybody changes their own settings.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Person> {
        Person::find(unit.tx, self.inbox.person)?.ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, whose: Person) -> Result<Done<()>> {
        let SettingsChange { channels, hour, zone, language, resume_email } = &self.change;
        let person = whose.id;
        let before = settings::find(unit.tx, person)?;
        for (kind, channel) in channels {
            settings::set_channel(unit.tx, person, *kind, *channel)?;
            if *channel == Channel::Off {
                pending::drop_kind(unit.tx, person, *kind)?;
            }
        }
        if hour.is_some() || zone.is_some() {
            // Locked, so that no digest is composed meanwhile.
            let Digest { schedule, last } = settings::claim_digest(unit.tx, person)?;
            if let Some(hour) = hour {
                settings::set_hour(unit.tx, person, *hour)?;
            }
            if let Some(zone) = zone {
                settings::set_zone(unit.tx, person, zone)?;
            }
            let schedule = DigestSchedule {
                hour: hour.unwrap_or(schedule.hour),
                zone: zone.clone().unwrap_or(schedule.zone),
            };
            pending::reschedule(unit.tx, person, schedule.next(unit.now, last))?;
        }
        if language.is_given() {
            let code = language.set().map(Language::code);
            settings::set_language(unit.tx, person, code)?;
        }
        if *resume_email {
            refusal::delete(unit.tx, &whose.email_key)?;
        }
        let names: BTreeMap<_, _> =
            channels.iter().map(|(kind, channel)| (kind.name(), channel.name())).collect();
        let mut done = Done::new((), whose.resource(), "Notification settings were updated");
        if !names.is_empty() {
            done.details = json!({ "channels": names });
        }
        let after = settings::find(unit.tx, person)?;
        Ok(done.with_changes(changes(&before, &after)))
    }
}

/// The old and new values of the language, the time zone and the hour of the digest.
fn changes(before: &NotificationSettings, after: &NotificationSettings) -> FieldChanges {
    let language = |it: &NotificationSettings| {
        it.language.as_deref().and_then(Language::find).map(Language::name)
    };
    let (old, new) = (&before.schedule, &after.schedule);
    FieldChanges::default()
        .field("language", language(before), language(after))
        .field("timeZone", old.zone.as_str(), new.zone.as_str())
        .field("digestHour", old.hour.get(), new.hour.get())
}

/// A change of the language or the time zone alone, which has its own name in the log.
struct ChangeLocale(Change);

impl Act for ChangeLocale {
    type Permit = Person;
    type Output = ();
    const ACTION: &'static str = "locale.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Person> {
        self.0.authorize(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, whose: Person) -> Result<Done<()>> {
        Ok(self.0.carry_out(unit, whose)?.told("The language or the time zone was updated"))
    }
}
