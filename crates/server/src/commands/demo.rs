//! `grantor demo`, and what `grantor serve --demo` prints: how to get into the sample.

use std::net::SocketAddr;

use grantor_service::App;
use grantor_service::demo::{self, Account, Mate, Sample, Site, Standing};
use serde_json::{Value, json};

use crate::config::Config;
use crate::house;

/// Fills an empty store; gives what is to be printed.
pub(crate) async fn run(config: &Config, json: bool) -> Result<String, String> {
    let house = house::build(config, super::public_url(config)).await?;
    let sample = fill(&house.app).await?;
    let url = &house.app.public_url;
    Ok(if json { in_json(&sample, url) } else { in_words(&sample, url) })
}

/// Fills the store of a server that is about to answer, if there are no accounts; gives what is to
/// be printed once it does.
pub(crate) async fn greet(
    app: &App,
    config: &Config,
    metrics: Option<SocketAddr>,
) -> Result<String, String> {
    let standing = demo::standing(app).await.map_err(|error| error.to_string())?;
    let told = match standing {
        Standing::Empty => {
            tracing::info!("filling the empty store with a sample");
            in_words(&fill(app).await?, &app.public_url)
        }
        Standing::Filled => again(config),
        Standing::Broken => broken(config),
    };
    Ok(format!("\n{}\n\n{told}\n", addresses(&app.public_url, metrics)))
}

async fn fill(app: &App) -> Result<Sample, String> {
    demo::fill(app).await.map_err(|failure| failure.to_string())
}

/// The accounts come in this order; the first is the one to begin with.
fn agency(sample: &Sample) -> Option<&Account> {
    sample.accounts.first()
}

fn addresses(url: &str, metrics: Option<SocketAddr>) -> String {
    let metrics = metrics.map_or("off".to_owned(), |it| format!("http://{it}/metrics"));
    format!(
        "  Console        {url}/app\n\
         \x20 External API   {url}/health\n\
         \x20 Catalog        {url}/metadata\n\
         \x20 Console API    {url}/v1.0.1\n\
         \x20 Documentation  {url}/docs\n\
         \x20 Metrics        {metrics}"
    )
}

fn in_words(sample: &Sample, url: &str) -> String {
    let mut lines = vec![
        "The store holds a sample now. What follows is shown this once.".to_owned(),
        String::new(),
    ];
    for account in &sample.accounts {
        lines.push(format!("{} ({})", account.name, account.kind));
        lines.push(format!("  Console login  {}  {}", account.email, account.password.expose()));
        lines.push(format!("  API key        {}", account.client.client.api_key));
        lines.push(format!("  API secret     {}", account.client.secret.expose()));
    }
    lines.push(format!("{} (team of the agency)", sample.team.name));
    for mate in &sample.team.members {
        let (email, password) = (&mate.email, mate.password.expose());
        lines.push(format!("  {:<14} {email}  {password}", mate.role.name()));
    }
    lines.push("Staff".to_owned());
    lines.push(format!("  One-time token {}", sample.token.token.expose()));
    lines.push(format!("  for {}, good until {}", sample.staff, sample.token.expires_at));
    if let Some(agency) = agency(sample) {
        lines.push(String::new());
        lines.push("A page of licenses, once the server runs:".to_owned());
        lines.push(String::new());
        lines.push(try_it(agency, url));
    }
    lines.join("\n")
}

/// A line for a shell, which needs nothing but curl and sed.
fn try_it(account: &Account, url: &str) -> String {
    let pair = json!({
        "api_key": account.client.client.api_key,
        "api_secret": account.client.secret.expose(),
    });
    let token = format!(
        "curl -s {url}/auth/token -H 'Content-Type: application/json' -d '{pair}' | sed \
         's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/'"
    );
    format!("curl -s '{url}/licenses?per_page=3' -H \"Authorization: Bearer $({token})\"")
}

/// Secrets are kept as hashes: they cannot be shown a second time.
fn again(config: &Config) -> String {
    let data = config.data_dir.display();
    let mail = match config.smtp_url {
        Some(_) => "the mail it sends".to_owned(),
        None => format!("the mail in {data}/mail"),
    };
    format!(
        "This store has accounts already; nothing was added. Secrets are kept as hashes and \
         cannot be shown again:\n\
         \x20 a password   POST /v1.0.1/auth/forgot/password, then {mail}\n\
         \x20 an API key   POST /v1.0.1/org/create/client\n\
         \x20 staff        grantor admin token --email ADDRESS\n\
         To begin anew, stop the server and empty the store."
    )
}

fn broken(config: &Config) -> String {
    format!(
        "A sample was begun in this store and is not finished: what you see is a part of it. To \
         begin anew, stop the server and empty the store ({}).",
        config.data_dir.display()
    )
}

fn in_json(sample: &Sample, url: &str) -> String {
    let first = agency(sample).map(account_json).unwrap_or_default();
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
            "members": sample.team.members.iter().map(mate_json).collect::<Vec<_>>(),
        },
        "talents": sample.talents.iter()
            .map(|(id, name)| json!({ "talentId": id, "fullname": name })).collect::<Vec<_>>(),
        "licenses": licenses.collect::<Vec<_>>(),
        "platforms": sample.sites.iter()
            .map(site_json).collect::<Vec<_>>(),
        "mentions": mentions.collect::<Vec<_>>(),
        "bookmarks": bookmarks
            .map(|(id, owner)| json!({ "bookmarkId": id, "owner": owner })).collect::<Vec<_>>(),
        "webhooks": sample.webhooks.iter()
            .map(|id| json!({ "webhookId": id })).collect::<Vec<_>>(),
        "billing": sample.paid.as_ref().map(|it| json!({
            "cardId": it.card, "subscriptionId": it.subscription, "plan": it.plan,
        })),
    })
    .to_string()
}

fn mate_json(mate: &Mate) -> Value {
    json!({
        "userId": mate.user, "email": mate.email, "password": mate.password.expose(),
        "role": mate.role,
    })
}

fn site_json(site: &Site) -> Value {
    json!({ "platformId": site.id, "name": site.name, "paxId": site.pax, "podId": site.pod })
}

fn account_json(account: &Account) -> Value {
    json!({
        "tenantId": account.tenant, "name": account.name, "type": account.kind,
        "userId": account.user, "email": account.email,
        "password": account.password.expose(),
        "apiKey": account.client.client.api_key, "apiSecret": account.client.secret.expose(),
    })
}
