//! Sample webhooks. Their URLs do not exist, so they are disabled: sample data sends nothing.

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::{WebhookNote, WebhookStatus};

use super::invalid;
use super::people::{AGENCY, Account, BRAND};
use grantor_service::App;
use grantor_service::identity::access::TenantCaller;
use grantor_service::webhooks::webhook::{self, NewWebhook, WebhookChange};

struct Row {
    account: usize,
    url: &'static str,
    description: &'static str,
    events: &'static [&'static str],
}

const WEBHOOKS: [Row; 2] = [
    Row {
        account: AGENCY,
        url: "https://hooks.quillfeather.example/grantor",
        description: "Mentions and permissions, for the agency's rights team",
        events: &["mention.created", "mention.updated", "permission.granted", "permission.revoked"],
    },
    Row {
        account: BRAND,
        url: "https://rights.marrowby.example/events",
        description: "Changes to licenses we have cleared",
        events: &["license.updated", "license.expired", "license.deleted"],
    },
];

/// Creates the webhooks.
pub(super) async fn make(app: &App, accounts: &[Account]) -> Result<Vec<WebhookId>> {
    let mut made = Vec::with_capacity(WEBHOOKS.len());
    for row in &WEBHOOKS {
        let account = &accounts[row.account];
        let (context, caller) = (account.context(app), TenantCaller::from(&*account.caller));
        let new = NewWebhook {
            url: row.url.to_owned(),
            description: WebhookNote::parse(row.description).map_err(invalid)?,
            events: EventTypes::parse(row.events).map_err(invalid)?,
        };
        let id = webhook::add(app, &context, caller, new).await?.webhook.id;
        let status = Some(WebhookStatus::Disabled);
        let off = WebhookChange { status, ..WebhookChange::default() };
        webhook::change(app, &context, caller, id, off).await?;
        made.push(id);
    }
    Ok(made)
}
