//! `grantor admin create` and `grantor admin token`.

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::operations::admin::{self, OneTimeToken};
use serde_json::json;

use crate::bootstrap;
use crate::cli::Admin;
use crate::config::Config;

pub(crate) async fn run(config: &Config, command: Admin) -> Result<String, String> {
    // Invalid arguments are refused before the database is opened.
    let arguments = Arguments::parse(command)?;
    let runtime = bootstrap::build(config, super::public_url(config)).await?;
    let (app, context) = (&runtime.app, Context::operator(runtime.app.clock.monotonic()));
    let email = arguments.email;
    let issued = match arguments.create {
        Some((name, role)) => admin::create(app, &context, email.clone(), name, role).await,
        None => admin::create_token(app, &context, email.clone()).await,
    };
    let issued = issued.map_err(|error| format!("{}: {}", email.as_str(), error.message()))?;
    Ok(if arguments.json { in_json(&issued) } else { text(&issued, &email, &app.public_url) })
}

struct Arguments {
    email: Email,
    /// The account to create; `None` for a new token only.
    create: Option<(FullName, AdminRole)>,
    json: bool,
}

impl Arguments {
    fn parse(command: Admin) -> Result<Self, String> {
        let email = |text: &str| Email::parse(text).map_err(|reason| format!("--email {reason}"));
        Ok(match command {
            Admin::Create { email: address, fullname, role, json } => {
                let name = FullName::parse(&fullname);
                let name = name.map_err(|reason| format!("--fullname {reason}"))?;
                let role = role.parse().map_err(|reason| format!("--role {reason}"))?;
                Self { email: email(&address)?, create: Some((name, role)), json }
            }
            Admin::Token { email: address, json } => {
                Self { email: email(&address)?, create: None, json }
            }
        })
    }
}

fn in_json(issued: &OneTimeToken) -> String {
    let OneTimeToken { admin, token, expires_at } = issued;
    json!({ "adminId": admin, "token": token.expose(), "expiresAt": expires_at }).to_string()
}

fn text(issued: &OneTimeToken, email: &Email, url: &str) -> String {
    format!(
        "One-time token for {}, valid until {}:\n\n  {}\n\nSign in with it at \
         {url}/app/admin/sign-in.",
        email.as_str(),
        issued.expires_at,
        issued.token.expose()
    )
}
