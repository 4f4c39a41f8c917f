//! Requests for help: people ask staff from the console, and staff answer by email.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::help_request::{ANSWER, HelpAnswer, HelpRequest, MAX_OPEN, MESSAGE};
use grantor_domain::id::{HelpRequestId, TenantId};
use grantor_domain::notice::NoticeKind;
use grantor_domain::page::{Listing, Page};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, Result};
pub use grantor_storage::help_request::ListedHelpRequest;
use grantor_storage::{help_request, tenant, user};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::{AdminCaller, Caller};
use crate::mail::compose;
use crate::mail::phrase::plain;
use crate::notices;
use crate::organizations::suspension::require_staff;
use crate::{App, Context};

/// Lists the requests of the caller's organization, newest first.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<Listing<HelpRequest>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(help_request::list_of(tx, tenant, page)?)).await
}

/// Lists the requests of all organizations, for staff.
pub async fn list_all(
    app: &App,
    open_only: bool,
    page: Page,
) -> Result<Listing<ListedHelpRequest>> {
    app.store.read(move |tx| Ok(help_request::list(tx, open_only, page)?)).await
}

/// Returns a request of any organization, for staff.
pub async fn get(app: &App, id: HelpRequestId) -> Result<ListedHelpRequest> {
    let found = app.store.read(move |tx| Ok::<_, Error>(help_request::find(tx, id)?));
    found.await?.ok_or_else(not_found)
}

/// Asks staff for help. Staff are told by email.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    message: &str,
) -> Result<HelpRequest> {
    let message = MESSAGE.parse(message).map_err(|it| Error::field("message", it))?;
    app.act(context, Create { caller, message }).await
}

/// Answers a request by email.
pub async fn answer(
    app: &App,
    context: &Context,
    caller: Arc<AdminCaller>,
    id: HelpRequestId,
    text: &str,
) -> Result<()> {
    let text = ANSWER.parse(text).map_err(|it| Error::field("answer", it))?;
    app.act(context, Answer { caller, id, text }).await
}

fn not_found() -> Error {
    Error::not_found("Request")
}

fn resource(id: HelpRequestId, name: &str) -> Resource {
    Resource { kind: "help_request", id: Some(id.to_string()), name: Some(name.to_owned()) }
}

struct Create {
    caller: Arc<Caller>,
    message: String,
}

impl Create {
    /// Tells staff, with links to the request and to the organization with its people.
    fn tell_staff(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        request: &HelpRequest,
        organization: &str,
    ) -> Result<()> {
        let staff_pages = format!("{}/app/admin", unit.app.public_url);
        let link = format!("{staff_pages}/help/{}", request.id);
        let organization_link = format!("{staff_pages}/organizations/{}", request.tenant);
        let email = user::find(unit.tx, request.user)?.map(|it| it.email).unwrap_or_default();
        let values = [
            plain("organization", organization),
            plain("person", &self.caller.name),
            plain("email", &email),
            plain("message", &self.message),
            plain("organization_link", &organization_link),
            plain("link", &link),
        ];
        notices::tell_staff(unit, NoticeKind::HelpRequested, MailKind::HelpRequested, &values)
    }
}

impl Act for Create {
    type Permit = String;
    type Output = HelpRequest;
    const ACTION: &'static str = "help_request.create";

    /// Everybody may ask, as long as few requests of the organization wait.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<String> {
        let own: TenantId = self.caller.tenant;
        tenant::claim(unit.tx, own)?;
        if help_request::count_open_of(unit.tx, own, MAX_OPEN)? >= u64::from(MAX_OPEN) {
            let message = format!(
                "{MAX_OPEN} requests of your organization wait for an answer; please wait for one"
            );
            return Err(Error::conflict(message));
        }
        let found = tenant::find(unit.tx, own)?;
        Ok(found.ok_or_else(|| Error::not_found("Organization"))?.name)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        organization: String,
    ) -> Result<Done<HelpRequest>> {
        let request = HelpRequest {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            user: self.caller.user,
            message: self.message.clone(),
            created_at: unit.now,
            answer: None,
        };
        help_request::insert(unit.tx, &request)?;
        self.tell_staff(unit, &request, &organization)?;
        let resource = resource(request.id, &self.caller.name);
        Ok(Done::new(request, resource, "A user asked staff for help"))
    }
}

struct Answer {
    caller: Arc<AdminCaller>,
    id: HelpRequestId,
    text: String,
}

impl Act for Answer {
    type Permit = ListedHelpRequest;
    type Output = ();
    const ACTION: &'static str = "help_request.answer";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedHelpRequest> {
        require_staff(unit)?;
        let found = help_request::claim(unit.tx, self.id)?;
        let found = found.ok_or_else(not_found)?;
        match found.request.answer {
            Some(_) => Err(Error::conflict("Somebody has already answered this request")),
            None => Ok(found),
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        listed: ListedHelpRequest,
    ) -> Result<Done<()>> {
        let answer = HelpAnswer { text: self.text.clone(), by: self.caller.admin, at: unit.now };
        help_request::answer(unit.tx, self.id, &answer)?;
        let link = format!("{}/app/help", unit.app.public_url);
        let values = [
            plain("message", &listed.request.message),
            plain("answer", &self.text),
            plain("link", &link),
        ];
        let (kind, name) = (MailKind::HelpAnswered, Some(&*listed.fullname));
        let mail = compose::from_template(unit.tx, kind, &listed.email, name, &values)?;
        unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
        let resource = resource(self.id, &listed.fullname);
        let mut done = Done::new((), resource, "Staff answered a request for help");
        done.tenant = Some(listed.request.tenant);
        Ok(done)
    }
}
