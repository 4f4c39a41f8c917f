//! Domain verification, by one of three methods.

use grantor_domain::id::PlatformId;
use grantor_domain::platform::{Platform, Proof, VerificationMethod};
use grantor_domain::{Error, ErrorKind};
use grantor_service::watching::platform::{self, ProofResult, Verification};
use maud::{Markup, html};

use super::{draw, teams};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{card, code, notice, post_button, steps};

/// Returns the label of a verification method.
pub(super) fn label(method: VerificationMethod) -> &'static str {
    match method {
        VerificationMethod::Dns => "DNS record",
        VerificationMethod::MetaTag => "meta tag",
        VerificationMethod::File => "file",
    }
}

/// Verifies the domain and shows the result.
pub(crate) async fn verify(
    person: Person,
    Segment(id): Segment<PlatformId>,
    entered: FormData,
) -> Outcome {
    entered.check_text()?;
    let only = entered.optional("method").map(str::parse::<VerificationMethod>).transpose();
    let only = only.map_err(|reason| Error::field("method", reason))?;
    let teams = teams(&person).await?;
    let verified = platform::verify(person.app(), person.context(), person.caller(), id, only);
    let verified = verified.await;
    let scanner = platform::scanner(person.app(), &person.caller, id).await?;
    match verified {
        Ok(Verification { platform, checks }) => {
            Ok(draw(&person, &platform, &scanner, &teams, &checks))
        }
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            let found = platform::get(person.app(), &person.caller, id).await?;
            let method = only.unwrap_or(VerificationMethod::Dns);
            let checks = [ProofResult { method, missing: Some(error.message().to_owned()) }];
            let draw = |_: &FormData| draw(&person, &found, &scanner, &teams, &checks);
            Ok(person.redisplay(error, entered, draw))
        }
        Err(error) => Err(error.into()),
    }
}

/// The result of a verification, at the top of the page.
pub(super) fn result(it: &Platform, checks: &[ProofResult]) -> Markup {
    let found = checks.iter().any(|it| it.missing.is_none());
    html! {
        @if !checks.is_empty() {
            @if it.proved.is_some() && found {
                (notice("good", html! { p role="status" { strong { "Domain verified." } " The platform can now be monitored." } }))
            } @else {
                (notice("bad", html! {
                    div role="alert" {
                        p { strong { "Domain not verified." } }
                        @for check in checks {
                            @if let Some(missing) = &check.missing { p { "Checked the " (label(check.method)) ": " (missing) } }
                        }
                    }
                }))
            }
        }
    }
}

/// The verification methods, each with its values to copy and a button to verify.
pub(super) fn methods(person: &Person, it: &Platform, checks: &[ProofResult]) -> Markup {
    let Proof { dns, meta_tag, file } =
        Proof::of(&person.app().service_name, &it.domain, &it.token);
    let tag = format!("<meta name=\"{}\" content=\"{}\">", meta_tag.name, meta_tag.content);
    let url = format!("https://{}{}", it.domain.as_str(), file.path);
    html! {
        (notice("", html! { p { "Verify that you own " strong { (it.domain.as_str()) } " with one of these methods. Once the domain is verified, you can remove the record, tag or file." } }))
        @if let Some(dns) = dns {
            (method_card(it, "DNS record", VerificationMethod::Dns, checks, vec![
                ("Open your domain's DNS settings", html! { p { "You can find them at your domain registrar or DNS provider." } }),
                ("Add a TXT record", html! {
                    p { "Name" } (code("TXT record name", &dns.name))
                    p { "Value" } (code("TXT record value", &dns.value))
                }),
            ]))
        }
        (method_card(it, "Meta tag", VerificationMethod::MetaTag, checks, vec![
            ("Edit your home page", html! { p { "The page at " code { "https://" (it.domain.as_str()) "/" } "." } }),
            ("Add this tag to the <head> section", code("Meta tag", &tag)),
        ]))
        (method_card(it, "File", VerificationMethod::File, checks, vec![
            ("Create a text file with this content", code("File content", &file.content)),
            ("Publish the file at this URL", code("File URL", &url)),
        ]))
    }
}

fn method_card(
    it: &Platform,
    title: &str,
    method: VerificationMethod,
    checks: &[ProofResult],
    mut all_steps: Vec<(&str, Markup)>,
) -> Markup {
    let missing =
        checks.iter().find(|check| check.method == method).and_then(|it| it.missing.as_ref());
    let action = format!("/app/platforms/{}/verify", it.id);
    all_steps.push((
        "Verify",
        html! {
            @if let Some(missing) = missing { p.wrong { "Not found: " (missing) } }
            (post_button(&action, "Verify domain", &[("method", method.name())]))
        },
    ));
    card(title, steps(&all_steps, 0))
}
