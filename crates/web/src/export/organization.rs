//! Rows of webhooks, API clients, teams and notifications.

use grantor_domain::Result;
use grantor_domain::event::EventType;
use grantor_domain::page::Page;
use grantor_domain::scope::Scope;
use grantor_service::identity::access::TenantCaller;
use grantor_service::identity::client::{self, Client};
use grantor_service::notices::{self, Inbox, NoticeList};
use grantor_service::operations::csv_file::Rows;
use grantor_service::organizations::team::{self, Team};
use grantor_service::webhooks::webhook;

use super::{moment, only_page, time};
use crate::frame::Person;
use crate::view::sentence_case;

pub(super) const WEBHOOKS: &[&str] =
    &["URL", "Description", "Events", "Status", "Last delivered", "Failing since", "Created"];

pub(super) const CLIENTS: &[&str] =
    &["Name", "Environment", "Permissions", "Status", "Expires", "Last used", "Created"];

pub(super) const TEAMS: &[&str] = &["Name", "Members", "Created"];

pub(super) const NOTICES: &[&str] = &["Notification", "About", "Read", "When"];

pub(super) async fn webhooks(person: &Person, page: Page) -> Result<Rows> {
    let caller = TenantCaller::from(&*person.caller);
    let found = webhook::list(person.app(), caller, page).await?;
    let row = |it: grantor_domain::webhook::Webhook| {
        let events: Vec<_> = it.events.iter().map(EventType::name).collect();
        vec![
            it.url,
            it.description.as_str().to_owned(),
            events.join(", "),
            sentence_case(it.status.name()),
            time(it.last_success_at),
            time(it.failing_since),
            moment(it.created_at),
        ]
    };
    Ok(found.items.into_iter().map(row).collect())
}

/// Keys and secrets are not exported.
pub(super) async fn clients(person: &Person, page: Page) -> Result<Rows> {
    let found = client::list(person.app(), &person.caller).await?;
    let row = |it: Client| {
        let scopes: Vec<_> = it.scopes.iter().map(Scope::name).collect();
        vec![
            it.name,
            sentence_case(it.environment.name()),
            scopes.join(", "),
            sentence_case(it.status.name()),
            time(it.expires_at),
            time(it.last_used_at),
            moment(it.created_at),
        ]
    };
    Ok(only_page(page, found).into_iter().map(row).collect())
}

pub(super) async fn teams(person: &Person, page: Page) -> Result<Rows> {
    let found = team::list(person.app(), &person.caller, page).await?;
    let row = |it: Team| vec![it.name, it.member_count.to_string(), moment(it.created_at)];
    Ok(found.items.into_iter().map(row).collect())
}

pub(super) async fn notices(person: &Person, page: Page) -> Result<Rows> {
    let NoticeList { page: found, .. } =
        notices::list(person.app(), Inbox::from(&*person.caller), false, page).await?;
    let row = |it: grantor_domain::notice::Notice| {
        let about = it.kind.label().to_owned();
        vec![it.summary, about, time(it.read_at), moment(it.created_at)]
    };
    Ok(found.items.into_iter().map(row).collect())
}
