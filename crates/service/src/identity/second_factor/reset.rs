//! Removing the second factors of a person who lost all of them, by staff. A password reset never
//! does that: whoever reads somebody's mail must not get past the second factor.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::UserId;
use grantor_domain::membership::TenantMembership;
use grantor_domain::second_factor::Factors;
use grantor_domain::template::MailKind;
use grantor_domain::text::TextRule;
use grantor_domain::{Error, Result};
use grantor_storage::user::{self, User};
use grantor_storage::{membership, second_factor, session};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::mail::compose;
use crate::mail::phrase::plain;
use crate::organizations::suspension::require_staff;
use crate::{App, Context};

/// The rule for reasons.
pub const REASON: TextRule = TextRule::line(10, 500);

/// A person, as staff sees them before a reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub fullname: String,
    /// The person's address.
    pub email: String,
    /// The person's second factors.
    pub factors: Factors,
    /// The person's tenants.
    pub memberships: Vec<TenantMembership>,
}

/// Returns the person with this address, if there is one.
pub async fn find(app: &App, email: &Email) -> Result<Option<Person>> {
    let key = email.key();
    app.store
        .read(move |tx| {
            let Some(User { id, fullname, email, .. }) = user::find_by_email(tx, &key)? else {
                return Ok(None);
            };
            let factors = second_factor::factors(tx, id)?;
            let memberships = membership::list_memberships(tx, id)?;
            Ok(Some(Person { user: id, fullname, email, factors, memberships }))
        })
        .await
}

/// Removes the second factors of a person and ends their sessions. The person is told by mail, with
/// the reason.
pub async fn reset(app: &App, context: &Context, user: UserId, reason: &str) -> Result<()> {
    let reason = REASON.parse(reason).map_err(|it| Error::field("reason", it))?;
    app.act(context, Reset { user, reason }).await
}

struct Reset {
    user: UserId,
    reason: String,
}

impl Act for Reset {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "second_factor.reset";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        require_staff(unit)?;
        let user = user::claim(unit.tx, self.user)?.ok_or_else(|| Error::not_found("User"))?;
        if second_factor::factors(unit.tx, user.id)?.any() {
            Ok(user)
        } else {
            Err(Error::conflict("This person has no second factor"))
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        second_factor::delete_all(unit.tx, user.id)?;
        session::revoke_all(unit.tx, user.id.as_uuid(), unit.now)?;
        let link = format!("{}/app/sign-in", unit.app.public_url);
        let values =
            [plain("email", &user.email), plain("reason", &self.reason), plain("link", &link)];
        let (kind, name) = (MailKind::SecondFactorReset, Some(user.fullname.as_str()));
        let mail = compose::from_template(unit.tx, kind, &user.email, name, &values)?;
        unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
        let resource =
            Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname) };
        let mut done = Done::new((), resource, "A person's second factors were removed by staff");
        done.details = json!({ "reason": self.reason });
        done.tenant = Some(user.last_tenant);
        Ok(done)
    }
}
