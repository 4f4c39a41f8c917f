//! `/app/admin/failures`: emails, webhooks and payments that fail, of all organizations.

use grantor_messages::text;
use grantor_service::operations::overview::{self, DeclinedPayment, FailedMail, FailingWebhook};
use maud::{Markup, html};
use url::Url;

use super::{label, owner};
use crate::frame::{Outcome, Params, Staff};
use crate::view::{NavItem, Table, ago, empty, head, pager};

/// Lists emails that could not be sent.
pub(crate) async fn emails(staff: Staff, params: Params) -> Outcome {
    let found = params.in_range(overview::failed_mails(staff.app(), params.page()?).await?)?;
    let title = text!("admin-failed-emails");
    let heads = [
        text!("word-email"),
        text!("admin-reason"),
        text!("admin-failed-email-tried"),
        text!("admin-failed-email-queued"),
        text!("admin-failed-email-given-up"),
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| email(&staff, it));
    let body = html! {
        (head(title, text!("admin-failed-emails-lead"), back()))
        @if found.items.is_empty() {
            (empty(text!("admin-failed-emails-none"), text!("admin-failed-emails-none-why"), html! {}))
        } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminOverview, body))
}

fn email(staff: &Staff, it: &FailedMail) -> Vec<Markup> {
    vec![
        html! { (label("admin-mail", &it.kind)) },
        html! { (it.reason.as_deref().unwrap_or(text!("admin-failed-email-unknown"))) },
        html! { (text!("admin-failure-times", count = it.attempts)) },
        ago(staff.now(), it.created_at),
        ago(staff.now(), it.failed_at),
    ]
}

/// Lists webhooks that fail.
pub(crate) async fn webhooks(staff: Staff, params: Params) -> Outcome {
    let found = params.in_range(overview::failing_webhooks(staff.app(), params.page()?).await?)?;
    let title = text!("admin-failing-webhooks");
    let heads = [
        text!("admin-organization"),
        text!("admin-failing-webhook-receiver"),
        text!("admin-failing-webhook-since"),
        text!("admin-failing-webhook-success"),
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| webhook(&staff, it));
    let body = html! {
        (head(title, text!("admin-failing-webhooks-lead"), back()))
        @if found.items.is_empty() {
            (empty(text!("admin-failing-webhooks-none"), text!("admin-failing-webhooks-none-why"), html! {}))
        } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminOverview, body))
}

/// The rest of the URL may contain a secret of the organization.
fn webhook(staff: &Staff, it: &FailingWebhook) -> Vec<Markup> {
    let host = Url::parse(&it.url).ok().and_then(|it| it.host_str().map(str::to_owned));
    let last = it.last_success_at;
    let never = || html! { span.quiet { (text!("admin-never")) } };
    vec![
        owner(it.tenant, &it.tenant_name),
        html! { code { (host.unwrap_or_default()) } },
        ago(staff.now(), it.failing_since),
        last.map_or_else(never, |at| ago(staff.now(), at)),
    ]
}

/// Lists payments that were declined.
pub(crate) async fn payments(staff: Staff, params: Params) -> Outcome {
    let found = params.in_range(overview::declined_payments(staff.app(), params.page()?).await?)?;
    let title = text!("admin-declined-payments");
    let heads = [
        text!("admin-organization"),
        text!("admin-plan"),
        text!("admin-declined-payment-count"),
        text!("admin-declined-payment-next"),
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| payment(&staff, it));
    let body = html! {
        (head(title, text!("admin-declined-payments-lead"), back()))
        @if found.items.is_empty() {
            (empty(text!("admin-declined-payments-none"), text!("admin-declined-payments-none-why"), html! {}))
        } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminOverview, body))
}

fn payment(staff: &Staff, it: &DeclinedPayment) -> Vec<Markup> {
    vec![
        owner(it.tenant, &it.tenant_name),
        html! { (it.plan) },
        html! { (text!("admin-failure-times", count = it.failures)) },
        ago(staff.now(), it.due_at),
    ]
}

fn back() -> Markup {
    html! { a.button.plain href="/app/admin" { (text!("admin-overview")) } }
}
