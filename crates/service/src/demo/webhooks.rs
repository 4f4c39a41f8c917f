//! Where the sample's organizations would be told. Nothing listens at these addresses, so both are
//! switched off: the sample sends nothing to anybody.

use grantor_domain::Result;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::{WebhookNote, WebhookStatus};

use super::people::{AGENCY, Account, BRAND};
use super::unfit;
use crate::App;
use crate::access::Insider;
use crate::webhook::{self, NewWebhook, WebhookChange};

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
        description: "Sightings and rights, to the agency's own desk",
        events: &["mention.created", "mention.updated", "permission.granted", "permission.revoked"],
    },
    Row {
        account: BRAND,
        url: "https://rights.marrowby.example/events",
        description: "Changes of what we have cleared",
        events: &["license.updated", "license.expired", "license.deleted"],
    },
];

/// Makes them.
pub(super) async fn make(app: &App, accounts: &[Account]) -> Result<Vec<WebhookId>> {
    let mut made = Vec::with_capacity(WEBHOOKS.len());
    for row in &WEBHOOKS {
        let account = &accounts[row.account];
        let (context, caller) = (account.context(app), Insider::from(&*account.caller));
        let new = NewWebhook {
            url: row.url.to_owned(),
            description: WebhookNote::parse(row.description).map_err(unfit)?,
            events: EventTypes::parse(row.events).map_err(unfit)?,
        };
        let id = webhook::add(app, &context, caller, new).await?.webhook.id;
        let status = Some(WebhookStatus::Disabled);
        let off = WebhookChange { status, ..WebhookChange::default() };
        webhook::change(app, &context, caller, id, off).await?;
        made.push(id);
    }
    Ok(made)
}
