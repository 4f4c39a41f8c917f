//! Domain verification, by one of three methods.

use grantor_domain::id::PlatformId;
use grantor_domain::platform::{Platform, Proof, VerificationMethod};
use grantor_domain::{Error, ErrorKind};
use grantor_messages::text;
use grantor_service::watching::platform::{self, ProofResult, Verification};
use maud::{Markup, html};

use super::{draw, teams};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::rich::rich;
use crate::view::{card, code, notice, post_button, steps};

/// Returns the label of a verification method.
pub(super) fn label(method: VerificationMethod) -> &'static str {
    match method {
        VerificationMethod::Dns => text!("platform-method-dns"),
        VerificationMethod::MetaTag => text!("platform-method-meta-tag"),
        VerificationMethod::File => text!("platform-method-file"),
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
                (notice("good", html! { p role="status" {
                    strong { (text!("platform-domain-verified")) } " " (text!("platform-can-be-monitored"))
                } }))
            } @else {
                (notice("bad", html! {
                    div role="alert" {
                        p { strong { (text!("platform-domain-not-verified")) } }
                        @for check in checks {
                            @if let Some(missing) = &check.missing {
                                p {
                                    (text!(
                                        "platform-checked",
                                        method = label(check.method),
                                        problem = grantor_messages::error(missing),
                                    ))
                                }
                            }
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
        (notice("", html! { p { (rich!("platform-verify-lead", domain = html! { strong { (it.domain.as_str()) } })) } }))
        @if let Some(dns) = dns {
            (method_card(it, text!("platform-dns-record"), VerificationMethod::Dns, checks, vec![
                (text!("platform-dns-open"), html! { p { (text!("platform-dns-open-hint")) } }),
                (text!("platform-dns-add"), html! {
                    p { (text!("platform-dns-name")) } (code(text!("platform-dns-name-label"), &dns.name))
                    p { (text!("platform-dns-value")) } (code(text!("platform-dns-value-label"), &dns.value))
                }),
            ]))
        }
        (method_card(it, text!("platform-meta-tag"), VerificationMethod::MetaTag, checks, vec![
            (text!("platform-tag-edit"), html! {
                p { (rich!("platform-tag-page", address = html! { code { "https://" (it.domain.as_str()) "/" } })) }
            }),
            (text!("platform-tag-add"), code(text!("platform-meta-tag"), &tag)),
        ]))
        (method_card(it, text!("platform-file"), VerificationMethod::File, checks, vec![
            (text!("platform-file-create"), code(text!("platform-file-content"), &file.content)),
            (text!("platform-file-publish"), code(text!("platform-file-url"), &url)),
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
        text!("platform-verify"),
        html! {
            @if let Some(missing) = missing { p.wrong { (text!("platform-not-found", problem = grantor_messages::error(missing))) } }
            (post_button(&action, text!("platform-verify-domain"), &[("method", method.name())]))
        },
    ));
    card(title, steps(&all_steps, 0))
}
