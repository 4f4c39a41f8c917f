//! How a domain is proved: step by step, by any one of three ways.

use grantor_domain::id::PlatformId;
use grantor_domain::platform::{Platform, Proof, VerificationMethod};
use grantor_domain::{Error, ErrorKind};
use grantor_service::platform::{self, Check, Verification};
use maud::{Markup, html};

use super::{draw, teams};
use crate::frame::{Entered, Outcome, Person, Segment};
use crate::view::{card, code, notice, send, steps};

/// What people call it.
pub(super) fn word(method: VerificationMethod) -> &'static str {
    match method {
        VerificationMethod::Dns => "DNS record",
        VerificationMethod::MetaTag => "meta tag",
        VerificationMethod::File => "file",
    }
}

/// Looks for the proof, and shows what was found.
pub(crate) async fn verify(
    person: Person,
    Segment(id): Segment<PlatformId>,
    entered: Entered,
) -> Outcome {
    entered.readable()?;
    let only = entered.optional("method").map(str::parse::<VerificationMethod>).transpose();
    let only = only.map_err(|reason| Error::field("method", reason))?;
    let teams = teams(&person).await?;
    match platform::verify(person.app(), person.context(), person.caller(), id, only).await {
        Ok(Verification { platform, checks }) => Ok(draw(&person, &platform, &teams, &checks)),
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            let found = platform::get(person.app(), &person.caller, id).await?;
            let method = only.unwrap_or(VerificationMethod::Dns);
            let checks = [Check { method, missing: Some(error.message().to_owned()) }];
            let draw = |_: &Entered| draw(&person, &found, &teams, &checks);
            Ok(person.again(error, entered, draw))
        }
        Err(error) => Err(error.into()),
    }
}

/// What a check came to, on top of the page.
pub(super) fn result(it: &Platform, checks: &[Check]) -> Markup {
    let found = checks.iter().any(|it| it.missing.is_none());
    html! {
        @if !checks.is_empty() {
            @if it.proved.is_some() && found {
                (notice("good", html! { p role="status" { strong { "The domain is verified." } " What it publishes can be watched now." } }))
            } @else {
                (notice("bad", html! {
                    div role="alert" {
                        p { strong { "The proof was not found." } }
                        @for check in checks {
                            @if let Some(missing) = &check.missing { p { "By " (word(check.method)) ": " (missing) } }
                        }
                    }
                }))
            }
        }
    }
}

/// The ways, each with its values to copy and a button to look.
pub(super) fn ways(person: &Person, it: &Platform, checks: &[Check]) -> Markup {
    let Proof { dns, meta_tag, file } =
        Proof::of(&person.app().service_name, &it.domain, &it.token);
    let tag = format!("<meta name=\"{}\" content=\"{}\">", meta_tag.name, meta_tag.content);
    let address = format!("https://{}{}", it.domain.as_str(), file.path);
    html! {
        (notice("", html! { p { "Prove that " strong { (it.domain.as_str()) } " is yours by one of these ways. One is enough, and it may be taken away afterwards." } }))
        @if let Some(dns) = dns {
            (way(it, "With a DNS record", VerificationMethod::Dns, checks, vec![
                ("Open the zone of your domain", html! { p { "That is where you registered it, or who serves its DNS." } }),
                ("Add a TXT record", html! {
                    p { "Name" } (code("Name of the TXT record", &dns.name))
                    p { "Value" } (code("Value of the TXT record", &dns.value))
                }),
            ]))
        }
        (way(it, "With a meta tag", VerificationMethod::MetaTag, checks, vec![
            ("Open the home page", html! { p { "The page at " code { "https://" (it.domain.as_str()) "/" } "." } }),
            ("Put this into its head", code("Meta tag", &tag)),
        ]))
        (way(it, "With a file", VerificationMethod::File, checks, vec![
            ("Make a text file that holds this line", code("Content of the file", &file.content)),
            ("Serve it at this address", code("Address of the file", &address)),
        ]))
    }
}

fn way(
    it: &Platform,
    title: &str,
    method: VerificationMethod,
    checks: &[Check],
    mut all: Vec<(&str, Markup)>,
) -> Markup {
    let missing =
        checks.iter().find(|check| check.method == method).and_then(|it| it.missing.as_ref());
    let action = format!("/app/platforms/{}/verify", it.id);
    all.push((
        "Let us look",
        html! {
            @if let Some(missing) = missing { p.wrong { "Not found: " (missing) } }
            (send(&action, "Check now", &[("method", method.name())]))
        },
    ));
    card(title, steps(&all, 0))
}
