//! `/app/dev/mail`: mails written to files when no mail server is configured. They contain sign-in
//! codes and links, so they can only be read from the machine the server runs on.

use grantor_messages::text;
use grantor_service::mail::{Mailbox, SavedMail, SavedMailSummary};
use http::HeaderMap;
use maud::{Markup, html};

use crate::frame::{
    Failure, Guest, Outcome, PageContext, Segment, is_local_client, is_local_request,
};
use crate::view::live::live;
use crate::view::{NavItem, Table, ago, card, empty, facts, head, mail};

/// How many mails are listed.
const SHOWN: usize = 100;

/// Lists mails, newest first.
pub(crate) async fn list(Guest(ctx): Guest, headers: HeaderMap) -> Outcome {
    let mails = open(&ctx, &headers).ok_or_else(Failure::not_found)?.list(SHOWN).await?;
    let heads = [text!("notice-mail-subject"), text!("notice-mail-to"), text!("notice-mail-sent")];
    let table = Table::new(text!("notice-emails"), &heads).keyed_rows(
        &mails,
        |it| it.name.clone(),
        |it| row(&ctx, it),
    );
    let list = html! {
        @if mails.is_empty() {
            (empty(text!("notice-mailbox-empty"), text!("notice-mailbox-empty-why"), html! {
                a.button href="/app/sign-up" { (text!("notice-mailbox-sign-up")) }
            }))
        } @else { (table.show()) }
    };
    let body = html! {
        (head(text!("notice-mailbox"), text!("notice-mailbox-lead"), html! {}))
        (live(&ctx, "mails", list))
    };
    Ok(ctx.page(text!("notice-mailbox"), NavItem::None, body))
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
        (head(&subject, "", html! { a.button.plain href="/app/dev/mail" { (text!("notice-mailbox-all")) } }))
        (card(text!("notice-mail-details"), facts(&[
            (text!("notice-mail-from"), html! { (from) }),
            (text!("notice-mail-to"), html! { (to) }),
            (text!("notice-mail-sent"), ago(ctx.now(), at)),
        ])))
        (card(text!("notice-mail-text"), html! { div.mail-text { (linked(&text)) } }))
        @if html.is_some() {
            (card(text!("notice-mail-preview"), mail::frame(&format!("/app/dev/mail/{name}/html"), text!("notice-mail-frame"))))
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

/// Returns the mailbox for local requests.
fn open(ctx: &PageContext, headers: &HeaderMap) -> Option<Mailbox> {
    mailbox(ctx).filter(|_| is_local_request(ctx, headers))
}

/// Returns the mailbox if mails are written to files and the server is only used locally.
pub(crate) fn mailbox(ctx: &PageContext) -> Option<Mailbox> {
    ctx.app().mailer.mailbox().filter(|_| is_local_client(ctx))
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
}
