//! `/app/dev/mail`: mails written to files when no mail server is configured. They contain sign-in
//! codes and links, so they can only be read from the machine the server runs on.

use std::net::IpAddr;

use grantor_service::mail::{Mailbox, SavedMail, SavedMailSummary};
use http::HeaderMap;
use maud::{Markup, html};
use url::{Host, Url};

use crate::frame::{Failure, Guest, Outcome, PageContext, Segment};
use crate::view::{NavItem, Table, ago, card, empty, facts, head, mail};

/// How many mails are listed.
const SHOWN: usize = 100;

/// Lists mails, newest first.
pub(crate) async fn list(Guest(ctx): Guest, headers: HeaderMap) -> Outcome {
    let mails = open(&ctx, &headers).ok_or_else(Failure::not_found)?.list(SHOWN).await?;
    let table = Table::new("Emails", &["Subject", "To", "Sent"]).rows(&mails, |it| row(&ctx, it));
    let body = html! {
        (head("Mailbox", "No mail server is configured, so emails are stored here instead of being sent.", html! {}))
        @if mails.is_empty() {
            (empty("No emails yet", "Sign up or request a sign-in link, and the email appears here.", html! {
                a.button href="/app/sign-up" { "Sign up" }
            }))
        } @else { div data-live="mails" { (table.show()) } }
    };
    Ok(ctx.page("Mailbox", NavItem::None, body))
}

fn row(ctx: &PageContext, it: &SavedMailSummary) -> Vec<Markup> {
    vec![
        html! { a href={ "/app/dev/mail/" (it.name) } { (it.subject) } },
        html! { (it.to) },
        ago(ctx.now(), it.at),
    ]
}

/// Shows a mail.
pub(crate) async fn show(
    Guest(ctx): Guest,
    Segment(name): Segment<String>,
    headers: HeaderMap,
) -> Outcome {
    let SavedMail { from, to, subject, at, text, html } = read(&ctx, &headers, &name).await?;
    let body = html! {
        (head(&subject, "", html! { a.button.plain href="/app/dev/mail" { "All emails" } }))
        (card("Details", facts(&[
            ("From", html! { (from) }),
            ("To", html! { (to) }),
            ("Sent", ago(ctx.now(), at)),
        ])))
        (card("Text", html! { div.mail-text { (linked(&text)) } }))
        @if html.is_some() {
            (card("Preview", mail::frame(&format!("/app/dev/mail/{name}/html"), "Email preview")))
        }
    };
    Ok(ctx.page(&subject, NavItem::None, body))
}

/// Returns the HTML part, for the frame.
pub(crate) async fn html(
    Guest(ctx): Guest,
    Segment(name): Segment<String>,
    headers: HeaderMap,
) -> Outcome {
    let found = read(&ctx, &headers, &name).await?.html;
    found.map(mail::html).ok_or_else(Failure::not_found)
}

async fn read(ctx: &PageContext, headers: &HeaderMap, name: &str) -> Result<SavedMail, Failure> {
    let mailbox = open(ctx, headers).ok_or_else(Failure::not_found)?;
    mailbox.read(name).await?.ok_or_else(Failure::not_found)
}

/// Returns the mailbox for local requests. A foreign host name that resolves to this machine is
/// rejected, since a page of that origin could read the mails (DNS rebinding).
fn open(ctx: &PageContext, headers: &HeaderMap) -> Option<Mailbox> {
    let host = headers.get(http::header::HOST).and_then(|it| it.to_str().ok());
    let local_host = host.is_none_or(|it| is_local(&format!("http://{it}")));
    mailbox(ctx).filter(|_| local_host && !is_forwarded(headers))
}

/// Returns whether a proxy forwarded the request, which then comes from another machine.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let is_proxy_header =
        |name: &str| name == "forwarded" || name == "via" || name.starts_with("x-forwarded-");
    headers.keys().any(|it| is_proxy_header(it.as_str()))
}

/// Returns the mailbox if mails are written to files and the server is only used locally.
pub(crate) fn mailbox(ctx: &PageContext) -> Option<Mailbox> {
    let local = ctx.context.origin.address.is_some_and(|it| it.to_canonical().is_loopback());
    ctx.app().mailer.mailbox().filter(|_| local && is_local(&ctx.app().public_url))
}

/// Returns whether a URL points to this machine, and not through an HTTPS proxy.
fn is_local(address: &str) -> bool {
    let url = Url::parse(address).ok().filter(|it| it.scheme() == "http");
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(it)) => IpAddr::V4(it).is_loopback(),
        Some(Host::Ipv6(it)) => IpAddr::V6(it).is_loopback(),
        None => false,
    }
}

/// Turns the URLs in a text into links.
fn linked(text: &str) -> Markup {
    let (mut parts, mut rest) = (vec![], text);
    while let Some((before, address, after)) = next_link(rest) {
        parts.push(html! { (before) a href=(address) { (address) } });
        rest = after;
    }
    html! { @for part in parts { (part) } (rest) }
}

/// Returns the text before the next URL, the URL, and the text after it.
fn next_link(text: &str) -> Option<(&str, &str, &str)> {
    let start = [text.find("http://"), text.find("https://")].into_iter().flatten().min()?;
    let (before, rest) = text.split_at(start);
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    // Trailing punctuation is not part of the URL.
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
            assert!(is_local(home), "{home}");
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
            assert!(!is_local(other), "{other}");
        }
    }
}
