//! `grantor demo`, and the screen that `grantor serve --demo` prints.

mod screen;
pub(crate) mod site;

use std::io;
use std::net::SocketAddr;

use grantor_demo::{Account, Sample, SampleMember, SampleRequest, Site, StoreState};
use grantor_service::App;
use grantor_service::identity::sample::Entrance;
use serde_json::{Value, json};

pub(crate) use self::screen::Addresses;
use super::say;
use crate::bootstrap;
use crate::config::Config;

/// Creates the sample data in an empty store. Returns the text to print.
pub(crate) async fn run(config: &Config, json: bool) -> Result<String, String> {
    let runtime = bootstrap::build(config, super::public_url(config)).await?;
    let sample = fill(&runtime.app).await?;
    let url = &runtime.app.public_url;
    Ok(if json { in_json(&sample, url) } else { screen::credentials(&sample, url) })
}

/// Creates the sample data if the store has no accounts. Returns the screen to print once the
/// server answers requests.
pub(crate) async fn setup(
    app: &App,
    addresses: &Addresses<'_>,
    out: &mut dyn io::Write,
) -> Result<String, String> {
    let state = grantor_demo::store_state(app).await.map_err(|error| error.to_string())?;
    let screen = match state {
        StoreState::Empty => {
            tracing::info!("creating sample data");
            say(out, "Creating sample data. This takes a few seconds.")?;
            let sample = match addresses.site {
                Some(listener) => fill_with_site(app, listener).await?,
                None => fill(app).await?,
            };
            screen::created(&sample, addresses)
        }
        StoreState::Filled => screen::existing(addresses),
        StoreState::Incomplete => screen::incomplete(addresses),
    };
    Ok(format!("\n{screen}\n"))
}

/// The ways into the sample data, which pages offer on this machine.
pub(crate) async fn entrances(app: &App) -> Result<Vec<Entrance>, String> {
    grantor_demo::entrances(app).await.map_err(|error| error.to_string())
}

async fn fill(app: &App) -> Result<Sample, String> {
    grantor_demo::fill(app).await.map_err(|failure| failure.to_string())
}

async fn fill_with_site(app: &App, listener: SocketAddr) -> Result<Sample, String> {
    let origin = format!("http://{listener}");
    grantor_demo::fill_with_site(app, &origin).await.map_err(|failure| failure.to_string())
}

fn in_json(sample: &Sample, url: &str) -> String {
    let first = sample.accounts.first().map(account_json).unwrap_or_default();
    let licenses = sample.licenses.iter().map(|it| {
        json!({
            "licenseId": it.id, "externalId": it.external_id, "title": it.title,
            "status": it.status, "imageIds": it.images,
        })
    });
    let mentions = sample.mentions.iter().map(|it| {
        json!({
            "mentionId": it.id, "licenseId": it.license, "verdict": it.verdict,
            "status": it.status,
        })
    });
    let bookmarks = sample.bookmarks.iter();
    json!({
        "console": { "email": first["email"], "password": first["password"] },
        "admin": {
            "email": sample.staff, "adminId": sample.token.admin,
            "token": sample.token.token.expose(), "expiresAt": sample.token.expires_at,
        },
        "api": { "key": first["apiKey"], "secret": first["apiSecret"] },
        "addresses": {
            "external": url, "console": format!("{url}/v1.0.1"),
            "catalog": format!("{url}/metadata"), "documentation": format!("{url}/docs"),
        },
        "accounts": sample.accounts.iter().map(account_json).collect::<Vec<_>>(),
        "team": {
            "teamId": sample.team.id, "name": sample.team.name,
            "members": sample.team.members.iter().map(member_json).collect::<Vec<_>>(),
        },
        "talents": sample.talents.iter()
            .map(|(id, name)| json!({ "talentId": id, "fullname": name })).collect::<Vec<_>>(),
        "licenses": licenses.collect::<Vec<_>>(),
        "platforms": sample.sites.iter()
            .map(site_json).collect::<Vec<_>>(),
        "site": sample.source.url,
        "source": {
            "sourceId": sample.source.id, "name": sample.source.name,
            "url": sample.source.url, "status": sample.source.status.name(),
        },
        "mentions": mentions.collect::<Vec<_>>(),
        "cases": sample.cases.iter()
            .map(|id| json!({ "mentionId": id })).collect::<Vec<_>>(),
        "bookmarks": bookmarks
            .map(|(id, owner)| json!({ "bookmarkId": id, "owner": owner })).collect::<Vec<_>>(),
        "requests": sample.requests.iter().map(request_json).collect::<Vec<_>>(),
        "grants": sample.requests.iter().filter_map(grant_json).collect::<Vec<_>>(),
        "webhooks": sample.webhooks.iter()
            .map(|id| json!({ "webhookId": id })).collect::<Vec<_>>(),
        "deliveries": sample.deliveries,
        "billing": sample.paid.as_ref().map(|it| json!({
            "cardId": it.card, "subscriptionId": it.subscription, "plan": it.plan,
        })),
    })
    .to_string()
}

fn member_json(member: &SampleMember) -> Value {
    json!({
        "userId": member.user, "email": member.email, "password": member.password.expose(),
        "role": member.role,
    })
}

fn site_json(site: &Site) -> Value {
    json!({ "platformId": site.id, "name": site.name, "paxId": site.pax, "podId": site.pod })
}

fn request_json(request: &SampleRequest) -> Value {
    json!({
        "requestId": request.id, "licenseId": request.license, "askerId": request.asker,
        "status": request.status, "grantId": request.grant.as_ref().map(|it| it.id),
    })
}

fn grant_json(request: &SampleRequest) -> Option<Value> {
    let grant = request.grant.as_ref()?;
    Some(json!({
        "grantId": grant.id, "number": grant.number, "requestId": request.id,
        "licenseId": request.license, "licenseeId": request.asker, "status": grant.status,
    }))
}

fn account_json(account: &Account) -> Value {
    json!({
        "tenantId": account.tenant, "name": account.name, "type": account.kind,
        "userId": account.user, "email": account.email,
        "password": account.password.expose(),
        "apiKey": account.client.client.api_key, "apiSecret": account.client.secret.expose(),
    })
}
