//! `grantor admin create` and `grantor admin token`: the way in for the operator's staff.

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::admin::{self, OneTimeToken};
use serde_json::json;

use crate::cli::Admin;
use crate::config::Config;
use crate::house;

pub(crate) async fn run(config: &Config, asked: Admin) -> Result<String, String> {
    // What can be refused by its words alone is refused before the database is touched.
    let asked = Asked::read(asked)?;
    let house = house::build(config, super::public_url(config)).await?;
    let (app, context) = (&house.app, Context::operator(house.app.clock.monotonic()));
    let email = asked.email;
    let made = match asked.create {
        Some((name, role)) => admin::create(app, &context, email.clone(), name, role).await,
        None => admin::make_token(app, &context, email.clone()).await,
    };
    let made = made.map_err(|error| format!("{}: {}", email.as_str(), error.message()))?;
    Ok(if asked.json { in_json(&made) } else { in_words(&made, &email) })
}

struct Asked {
    email: Email,
    /// The account to be made; nothing when only a token is asked for.
    create: Option<(FullName, AdminRole)>,
    json: bool,
}

impl Asked {
    fn read(asked: Admin) -> Result<Self, String> {
        let email = |text: &str| Email::parse(text).map_err(|reason| format!("--email {reason}"));
        Ok(match asked {
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

fn in_json(made: &OneTimeToken) -> String {
    let OneTimeToken { admin, token, expires_at } = made;
    json!({ "adminId": admin, "token": token.expose(), "expiresAt": expires_at }).to_string()
}

fn in_words(made: &OneTimeToken, email: &Email) -> String {
    format!(
        "One-time admin token for {}, good until {}:\n\n  {}\n\nExchange it with POST \
         /v1.0.1/auth/authenticateAdmin.",
        email.as_str(),
        made.expires_at,
        made.token.expose()
    )
}
