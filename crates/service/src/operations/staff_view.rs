//! Views of staff: a member of staff looks at an organization as one of its people sees it, to help
//! them. A view changes nothing: its token is for pages alone, pages refuse every form, and no act
//! runs in its context. The organization is told, and both logs have what was looked at.

use std::sync::Arc;

use grantor_domain::admin::{AdminRight, may};
use grantor_domain::audit::Resource;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::notice::NoticeKind;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{self, Right};
use grantor_domain::staff_view::{LIFE, REASON};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::staff::{self, StaffPerson};
use grantor_storage::staff_view::{self, StaffView};
use grantor_storage::tenant::{self, Tenant};
use serde_json::json;
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::AdminCaller;
use crate::mail::notify::Audience as Told;
use crate::mail::phrase::{Phrase, message, moment, named, plain};
use crate::notices;
use crate::{App, Context};
use grantor_keys::{Audience, Claims};

/// Starts a view and returns its token. Another view of the same member of staff ends.
pub async fn begin(
    app: &App,
    context: &Context,
    caller: Arc<AdminCaller>,
    (tenant, user): (TenantId, UserId),
    reason: &str,
) -> Result<String> {
    let reason = REASON.parse(reason).map_err(|it| Error::field("reason", it))?;
    let view = app.act(context, Begin { caller, tenant, user, reason }).await?;
    sign(app, &view)
}

/// Ends the view of a member of staff, if there is one, and returns the organization that was
/// viewed.
pub async fn end(
    app: &App,
    context: &Context,
    caller: Arc<AdminCaller>,
) -> Result<Option<TenantId>> {
    app.act(context, End { caller }).await
}

/// The error for a change in a view.
#[must_use]
pub fn read_only() -> Error {
    let message = "You are viewing an organization as one of its people, so nothing can be \
                   changed. Stop viewing first";
    Error::new(ErrorKind::Forbidden, message)
}

/// Signs the token of a view. It has no refresh token and ends with the view.
fn sign(app: &App, view: &StaffView) -> Result<String> {
    let now = app.clock.now().as_secs();
    app.keys.sign(&Claims {
        iss: app.public_url.clone(),
        sub: view.admin.to_string(),
        aud: Audience::View,
        scope: String::new(),
        jti: app.ids.next::<Uuid>().to_string(),
        sid: Some(view.id.as_uuid()),
        client_id: None,
        iat: now,
        nbf: now,
        exp: view.expires_at.as_secs(),
    })
}

fn resource(tenant: TenantId, name: &str) -> Resource {
    Resource { kind: "organization", id: Some(tenant.to_string()), name: Some(name.to_owned()) }
}

struct Begin {
    caller: Arc<AdminCaller>,
    tenant: TenantId,
    user: UserId,
    reason: String,
}

impl Act for Begin {
    type Permit = (Tenant, StaffPerson);
    type Output = StaffView;
    const ACTION: &'static str = "staff_view.begin";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        may(self.caller.role, AdminRight::ViewAs)?;
        let found = tenant::find(unit.tx, self.tenant)?;
        let tenant = found.ok_or_else(|| Error::not_found("Organization"))?;
        let person = staff::person(unit.tx, self.tenant, self.user)?;
        let person = person.ok_or_else(|| Error::not_found("Person"))?;
        if tenant.status == OrganizationStatus::Suspended || !person.active {
            return Err(Error::conflict("This person has no access to the organization now"));
        }
        Ok((tenant, person))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (tenant, person): Self::Permit,
    ) -> Result<Done<StaffView>> {
        staff_view::end_all(unit.tx, self.caller.session, unit.now)?;
        let view = StaffView {
            id: unit.ids.next(),
            admin: self.caller.admin,
            session: self.caller.session,
            tenant: tenant.id,
            user: person.user,
            reason: self.reason.clone(),
            created_at: unit.now,
            expires_at: unit.now.plus(LIFE),
        };
        staff_view::insert(unit.tx, &view)?;
        self.tell(unit, &tenant, &person, &view)?;
        let message = "Staff started to view the organization as one of its people";
        let mut done = Done::new(view, resource(tenant.id, &tenant.name), message);
        done.details = json!({ "person": person.email, "reason": self.reason });
        done.tenant = Some(tenant.id);
        Ok(done)
    }
}

impl Begin {
    /// Tells the organization's administrators and the person whose console is viewed. Who may not
    /// open the log is not sent there.
    fn tell(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: &Tenant,
        person: &StaffPerson,
        view: &StaffView,
    ) -> Result<()> {
        let (kind, mail) = (NoticeKind::StaffViewed, MailKind::StaffViewed);
        let reads_log = role::may(person.role, tenant.kind, Right::ReadLogs).is_ok();
        let role = person.role.name().to_ascii_lowercase();
        let minutes = (LIFE.as_secs() / 60).to_string();
        let about = vec![
            plain("organization", &tenant.name),
            plain("person", &person.fullname),
            named("role", "view-role", &role),
            plain("reason", &self.reason),
            plain("minutes", &minutes),
            moment("start", view.created_at),
            moment("end", view.expires_at),
        ];
        let link = format!("{}/app/logs?class=all&search=staff", unit.app.public_url);
        let mut values = about.clone();
        values.extend([message("log", "mail-staff-viewed-log"), plain("link", &link)]);
        let told = Told { tenant: tenant.id, also: reads_log.then_some(person.user) };
        notices::tell(unit, kind, mail, told, &values)?;
        if reads_log {
            return Ok(());
        }
        let link = format!("{}/app/notices", unit.app.public_url);
        let name = tenant.name.as_str();
        let log = Phrase::with("mail-staff-viewed-log-of", "organization", name);
        let mut values = about;
        values.extend([("log", log), plain("link", &link)]);
        notices::tell_person(unit, kind, mail, (tenant.id, person.user), &values)
    }
}

struct End {
    caller: Arc<AdminCaller>,
}

impl Act for End {
    type Permit = ();
    type Output = Option<TenantId>;
    const ACTION: &'static str = "staff_view.end";

    /// Everybody may end their own view.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Self::Output>> {
        let ended = staff_view::end_all(unit.tx, self.caller.session, unit.now)?;
        let tenant = ended.first().map(|(tenant, _)| *tenant);
        let name = match tenant {
            Some(tenant) => tenant::find(unit.tx, tenant)?.map(|it| it.name),
            None => None,
        };
        let id = tenant.map(|it| it.to_string());
        let resource = Resource { kind: "organization", id, name };
        let message = "Staff stopped viewing the organization";
        let mut done = Done::new(tenant, resource, message);
        done.tenant = tenant;
        Ok(done)
    }
}
