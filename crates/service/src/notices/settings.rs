//! How a person wants to be told.

use std::collections::BTreeMap;
use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::notice::{
    Channel, DigestHour, DigestSchedule, NoticeKind, NotificationSettings, Zone,
};
use grantor_domain::{Error, Result};
use grantor_storage::notice::settings::Digest;
use grantor_storage::notice::{pending, refusal, settings};
use grantor_storage::user::{self, User};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// A person's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsView {
    /// The settings.
    pub settings: NotificationSettings,
    /// The address that emails go to.
    pub email: String,
    /// Whether its mail server refuses emails, so that no notices are sent there.
    pub email_refused: bool,
}

/// A change of settings. What is not set stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SettingsChange {
    /// The new channels.
    pub channels: BTreeMap<NoticeKind, Channel>,
    /// The hour of the digest.
    pub hour: Option<DigestHour>,
    /// The time zone of the hour.
    pub zone: Option<Zone>,
    /// Whether to email an address again that was refused.
    pub resume_email: bool,
}

/// Returns the caller's settings.
pub async fn show(app: &App, caller: &Caller) -> Result<SettingsView> {
    let id = caller.user;
    app.store
        .read(move |tx| {
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("User"))?;
            let settings = settings::find(tx, id.as_uuid())?;
            let email_refused = refusal::find(tx, &user.email_key)?.is_some();
            Ok(SettingsView { settings, email: user.email, email_refused })
        })
        .await
}

/// Changes the caller's settings.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    change: SettingsChange,
) -> Result<()> {
    app.act(context, Change { caller, change }).await
}

struct Change {
    caller: Arc<Caller>,
    change: SettingsChange,
}

impl Act for Change {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "notification.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        user::find(unit.tx, self.caller.user)?.ok_or_else(|| Error::not_found("User"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        let SettingsChange { channels, hour, zone, resume_email } = &self.change;
        let person = user.id.as_uuid();
        for (kind, channel) in channels {
            settings::set_channel(unit.tx, person, *kind, *channel)?;
            if *channel == Channel::Off {
                pending::drop_kind(unit.tx, person, *kind)?;
            }
        }
        if hour.is_some() || zone.is_some() {
            // Locked, so that no digest is composed meanwhile.
            let Digest { schedule, last } = settings::claim_digest(unit.tx, person)?;
            let schedule = DigestSchedule {
                hour: hour.unwrap_or(schedule.hour),
                zone: zone.clone().unwrap_or(schedule.zone),
            };
            settings::set_schedule(unit.tx, person, &schedule)?;
            pending::reschedule(unit.tx, person, schedule.next(unit.now, last))?;
        }
        if *resume_email {
            refusal::delete(unit.tx, &user.email_key)?;
        }
        let names: BTreeMap<_, _> =
            channels.iter().map(|(kind, channel)| (kind.name(), channel.name())).collect();
        let (id, name) = (Some(user.id.to_string()), Some(user.fullname));
        let resource = Resource { kind: "user", id, name };
        let mut done = Done::new((), resource, "Notification settings were updated");
        done.details = json!({ "channels": names });
        Ok(done)
    }
}
