//! Unsubscribing by the signed link of an email, with one click and without signing in (RFC 8058).
//! The link works as long as the key ring has its key.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::notice::{Channel, NoticeKind, Unsubscription};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::notice::{pending, settings};
use serde_json::json;
use uuid::Uuid;

use super::person::Person;
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// Separates the parts of a token; none of them contains it.
const SEPARATOR: char = '.';

/// A link that was verified: who unsubscribes from what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifiedLink {
    person: Uuid,
    /// What it turns off.
    pub scope: Unsubscription,
}

/// The person of a link, as far as whoever has the link may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The email address, mostly left out: emails are forwarded.
    pub masked_email: String,
    /// Whether it is a member of staff.
    pub is_staff: bool,
}

/// The link in an email.
pub(super) fn link(app: &App, person: Uuid, scope: Unsubscription) -> String {
    let tag = app.keys.mac(Purpose::Unsubscribe, &signed(person, scope));
    let tag = BASE64_URL_SAFE_NO_PAD.encode(tag);
    let (public_url, name) = (&app.public_url, scope.name());
    format!("{public_url}/unsubscribe/{person}{SEPARATOR}{name}{SEPARATOR}{tag}")
}

/// Verifies the token of a link. Any other text is not found.
pub fn verify(app: &App, token: &str) -> Result<VerifiedLink> {
    parse(app, token).ok_or_else(|| Error::not_found("Unsubscribe link"))
}

fn parse(app: &App, token: &str) -> Option<VerifiedLink> {
    let mut parts = token.split(SEPARATOR);
    let (person, name, tag) = (parts.next()?, parts.next()?, parts.next()?);
    // Each link has exactly one form.
    let id = Uuid::try_parse(person).ok().filter(|it| it.to_string() == person)?;
    if parts.next().is_some() {
        return None;
    }
    let (person, scope) = (id, Unsubscription::parse(name)?);
    let tag = BASE64_URL_SAFE_NO_PAD.decode(tag).ok()?;
    let valid = app.keys.verify_mac(Purpose::Unsubscribe, &signed(person, scope), &tag);
    valid.then_some(VerifiedLink { person, scope })
}

fn signed(person: Uuid, scope: Unsubscription) -> Vec<u8> {
    format!("{person}{SEPARATOR}{}", scope.name()).into_bytes()
}

/// Returns the person of a link; `None` for somebody who is no longer known.
pub async fn subscriber(app: &App, link: VerifiedLink) -> Result<Option<Subscriber>> {
    let found: Result<Option<Person>> =
        app.store.lookup(move |tx| Person::find(tx, link.person)).await;
    Ok(found?.map(|it| {
        let masked_email = Email::parse(&it.email).map(|it| it.masked()).unwrap_or_default();
        Subscriber { masked_email, is_staff: it.is_staff }
    }))
}

/// Stops the emails of a link. Doing so again changes nothing.
pub async fn unsubscribe(app: &App, context: &Context, link: VerifiedLink) -> Result<()> {
    app.act(context, Unsubscribe(link)).await
}

struct Unsubscribe(VerifiedLink);

impl Act for Unsubscribe {
    type Permit = (Option<Person>, Vec<NoticeKind>);
    type Output = ();
    const ACTION: &'static str = "notification.unsubscribe";

    /// The link's signature allows it.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let VerifiedLink { person: id, scope } = self.0;
        let person = Person::find(unit.tx, id)?;
        let gets = person.as_ref().map(Person::kinds).unwrap_or_default();
        let kinds = scope.kinds(&settings::find(unit.tx, id)?, gets.into_iter());
        Ok((person, kinds))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (person, kinds): Self::Permit,
    ) -> Result<Done<()>> {
        let VerifiedLink { person: id, scope } = self.0;
        for kind in kinds {
            settings::set_channel(unit.tx, id, kind, Channel::Off)?;
            pending::drop_kind(unit.tx, id, kind)?;
        }
        let unknown = || Resource { kind: "user", id: Some(id.to_string()), name: None };
        let resource = person.map_or_else(unknown, |it| Resource { name: None, ..it.resource() });
        let mut done = Done::new((), resource, "A person unsubscribed from emails");
        done.details = json!({ "kind": scope.name() });
        Ok(done)
    }
}
