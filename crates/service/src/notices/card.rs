//! Telling tenants that a payment card expires at the end of the month.

use grantor_domain::audit::Resource;
use grantor_domain::card::Card;
use grantor_domain::notice::NoticeKind;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_messages::Value;
use grantor_storage::{card, notice};

use super::tell;
use crate::act::{Act, Done, UnitOfWork};
use crate::mail::notify::Audience;
use crate::mail::phrase::{Phrase, plain};
use crate::{App, Context};

/// The batch size.
const AT_ONCE: u32 = 200;

/// Tells tenants whose cards expire this month, each once, and returns the number of cards.
pub async fn warn_expiring(app: &App, context: &Context) -> Result<u64> {
    let mut warned = 0;
    loop {
        let (year, month) = year_and_month(app.clock.now());
        let found: Result<Vec<Card>> =
            app.store.read(move |tx| Ok(card::list_expiring(tx, year, month, AT_ONCE)?)).await;
        let found = found?;
        let last = found.len() < AT_ONCE as usize;
        for card in found {
            match app.act(context, Warn(card)).await {
                Ok(()) => warned += 1,
                // Another node was first.
                Err(error) if *error.kind() == ErrorKind::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        if last {
            return Ok(warned);
        }
    }
}

/// The year and month in UTC.
fn year_and_month(at: Timestamp) -> (u32, u32) {
    let text = at.to_string();
    let mut parts = text.split('-').map(|it| it.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

/// `visa` as `Visa`.
fn capitalized(brand: &str) -> String {
    let mut letters = brand.chars();
    letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

struct Warn(Card);

impl Act for Warn {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "card.warn";

    /// Runs on the schedule of every node; only the first one tells.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let id = self.0.id.as_uuid();
        // One state for each card: it expires once.
        let since = self.0.created_at;
        if notice::tell_once(unit.tx, id, NoticeKind::CardExpiring, since, unit.now)? {
            Ok(())
        } else {
            Err(Error::conflict("The tenant was told already"))
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let Card { id, tenant, face, .. } = &self.0;
        let shown = vec![
            ("brand", Value::from(capitalized(&face.brand))),
            ("last4", Value::from(face.last4.as_str())),
        ];
        let month = format!("{:02}/{}", face.expiry_month, face.expiry_year);
        let link = format!("{}/app/billing", unit.app.public_url);
        let card = ("card", Phrase::Message("mail-card", shown));
        let values = [card, plain("month", &month), plain("link", &link)];
        let audience = Audience { tenant: *tenant, also: None };
        tell(unit, NoticeKind::CardExpiring, MailKind::CardExpiring, audience, &values)?;
        let resource = Resource { kind: "card", id: Some(id.to_string()), name: None };
        let mut done = Done::new((), resource, "A payment card expires this month");
        done.tenant = Some(*tenant);
        Ok(done)
    }
}
