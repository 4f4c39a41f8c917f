//! Unsubscribing by the signed link of an email, with one click and without signing in (RFC 8058).
//! The link works as long as the key ring has its key.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use grantor_domain::audit::Resource;
use grantor_domain::notice::{Channel, NoticeKind, Unsubscription};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::notice::{pending, settings};
use serde_json::json;
use uuid::Uuid;

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

/// Stops the emails of a link. Doing so again changes nothing.
pub async fn unsubscribe(app: &App, context: &Context, link: VerifiedLink) -> Result<()> {
    app.act(context, Unsubscribe(link)).await
}

struct Unsubscribe(VerifiedLink);

impl Act for Unsubscribe {
    type Permit = Vec<NoticeKind>;
    type Output = ();
    const ACTION: &'static str = "notification.unsubscribe";

    /// The link's signature allows it.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Vec<NoticeKind>> {
        let VerifiedLink { person, scope } = self.0;
        Ok(scope.kinds(&settings::find(unit.tx, person)?))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, kinds: Vec<NoticeKind>) -> Result<Done<()>> {
        let VerifiedLink { person, scope } = self.0;
        for kind in kinds {
            settings::set_channel(unit.tx, person, kind, Channel::Off)?;
            pending::drop_kind(unit.tx, person, kind)?;
        }
        let resource = Resource { kind: "user", id: Some(person.to_string()), name: None };
        let mut done = Done::new((), resource, "A person unsubscribed from emails");
        done.details = json!({ "kind": scope.name() });
        Ok(done)
    }
}
