//! `/app/dev/mail`: the mails that were written to files, where there is no mail server yet. They
//! hold codes and links that let people in, so whoever may read them must sit at the machine.

use std::net::IpAddr;

use grantor_service::mail::{Letter, Mailbox, Summary};
use http::HeaderMap;
use maud::{Markup, html};
use url::{Host, Url};

use crate::frame::{Failure, Guest, Outcome, Segment, Visit};
use crate::view::{Place, Table, ago, card, empty, facts, head, letter};

/// Letters that are listed.
const SHOWN: usize = 100;

/// The letters, newest first.
pub(crate) async fn list(Guest(visit): Guest, headers: HeaderMap) -> Outcome {
    let letters = open(&visit, &headers)?.list(SHOWN).await?;
    let table =
        Table::new("Mails", &["Subject", "To", "Sent"]).rows(&letters, |it| row(&visit, it));
    let body = html! {
        (head("Mailbox", "No mail server is set up: what would be sent stays here.", html! {}))
        @if letters.is_empty() {
            (empty("No mail yet", "Sign up, or ask for a link to sign in: the mail appears here.", html! {
                a.button href="/app/sign-up" { "Sign up" }
            }))
        } @else { div data-live="mails" { (table.show()) } }
    };
    Ok(visit.page("Mailbox", Place::Elsewhere, body))
}

fn row(visit: &Visit, it: &Summary) -> Vec<Markup> {
    vec![
        html! { a href={ "/app/dev/mail/" (it.name) } { (it.subject) } },
        html! { (it.to) },
        ago(visit.now(), it.at),
    ]
}

/// One letter.
pub(crate) async fn show(
    Guest(visit): Guest,
    Segment(name): Segment<String>,
    headers: HeaderMap,
) -> Outcome {
    let Letter { from, to, subject, at, text, html } = read(&visit, &headers, &name).await?;
    let body = html! {
        (head(&subject, "", html! { a.button.plain href="/app/dev/mail" { "All mails" } }))
        (card("Envelope", facts(&[
            ("From", html! { (from) }),
            ("To", html! { (to) }),
            ("Sent", ago(visit.now(), at)),
        ])))
        (card("Text", html! { div.letter-text { (linked(&text)) } }))
        @if html.is_some() {
            (card("As it looks", letter::frame(&format!("/app/dev/mail/{name}/html"), "The mail as it looks")))
        }
    };
    Ok(visit.page(&subject, Place::Elsewhere, body))
}

/// Its HTML part, for the frame.
pub(crate) async fn html(
    Guest(visit): Guest,
    Segment(name): Segment<String>,
    headers: HeaderMap,
) -> Outcome {
    let found = read(&visit, &headers, &name).await?.html;
    found.map(letter::html).ok_or_else(Failure::nothing)
}

async fn read(visit: &Visit, headers: &HeaderMap, name: &str) -> Result<Letter, Failure> {
    open(visit, headers)?.read(name).await?.ok_or_else(Failure::nothing)
}

/// The mailbox, for whoever sits at the machine. A name that only points here is none of ours: a
/// page of that name could read along.
fn open(visit: &Visit, headers: &HeaderMap) -> Result<Mailbox, Failure> {
    let host = headers.get(http::header::HOST).and_then(|it| it.to_str().ok());
    let called = host.is_none_or(|it| is_home(&format!("http://{it}")));
    mailbox(visit).filter(|_| called && !is_forwarded(headers)).ok_or_else(Failure::nothing)
}

/// Whether a proxy passed the request on, whoever it is: then its sender is elsewhere.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let told =
        |name: &str| name == "forwarded" || name == "via" || name.starts_with("x-forwarded-");
    headers.keys().any(|it| told(it.as_str()))
}

/// The mailbox, where mails are written to files and everything stays on this machine.
pub(crate) fn mailbox(visit: &Visit) -> Option<Mailbox> {
    let here = visit.context.origin.address.is_some_and(|it| it.to_canonical().is_loopback());
    visit.app().mailer.mailbox().filter(|_| here && is_home(&visit.app().public_url))
}

/// Whether an address leads to this machine only, and not by way of a proxy that speaks HTTPS.
fn is_home(address: &str) -> bool {
    let url = Url::parse(address).ok().filter(|it| it.scheme() == "http");
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(it)) => IpAddr::V4(it).is_loopback(),
        Some(Host::Ipv6(it)) => IpAddr::V6(it).is_loopback(),
        None => false,
    }
}

/// A text whose addresses can be followed.
fn linked(text: &str) -> Markup {
    let (mut parts, mut rest) = (vec![], text);
    while let Some((before, address, after)) = next_link(rest) {
        parts.push(html! { (before) a href=(address) { (address) } });
        rest = after;
    }
    html! { @for part in parts { (part) } (rest) }
}

/// The text before the next address, the address, and the text after it.
fn next_link(text: &str) -> Option<(&str, &str, &str)> {
    let start = [text.find("http://"), text.find("https://")].into_iter().flatten().min()?;
    let (before, rest) = text.split_at(start);
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    // What ends a sentence does not belong to an address.
    let address = rest.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '>', '"']);
    Some((before, address, rest.get(address.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_a_text_can_be_followed() {
        let drawn =
            linked("Open\nhttp://127.0.0.1:8080/app/magic?a=1&b=<2>.\nOr https://x.example, too")
                .into_string();
        assert_eq!(
            drawn,
            "Open\n<a href=\"http://127.0.0.1:8080/app/magic?a=1&amp;b=&lt;2\">\
             http://127.0.0.1:8080/app/magic?a=1&amp;b=&lt;2</a>&gt;.\nOr \
             <a href=\"https://x.example\">https://x.example</a>, too"
        );
        assert_eq!(linked("<b> http").into_string(), "&lt;b&gt; http");
    }

    #[test]
    fn home_is_this_machine() {
        for home in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
            assert!(is_home(home), "{home}");
        }
        for other in [
            "https://127.0.0.1:8080",
            "http://grantor.example",
            "http://127.0.0.1.evil.example",
            "http://localhost.evil.example",
            "http://0.0.0.0:8080",
            "http://10.0.0.1",
            "nonsense",
        ] {
            assert!(!is_home(other), "{other}");
        }
    }
}
