//! `/app/organization/chat`: chats that get the organization's notifications.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::ChatAddressId;
use grantor_domain::notice::{Channel, ChatAddress, ChatName, ChatStatus, ChatUrl, NoticeKind};
use grantor_messages::text;
use grantor_service::notices::chat::{self, ChatAddressChange, NewChatAddress};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::marked::{Mark, marked_choices};
use crate::view::{
    NavItem, Table, ago, badge, card, facts, field, form, head, label, lesson, notice, post_button,
    undoable,
};

const LIST: &str = "/app/organization/chat";

/// Lists the chat addresses.
pub(crate) async fn list(person: Person) -> Outcome {
    draw_list(&person, None).await
}

async fn draw_list(person: &Person, failure: Option<&str>) -> Outcome {
    let found = chat::list(person.app(), &person.caller).await?;
    let add = html! {
        @if !person.is_viewed() {
            a.button href="/app/organization/chat/new" { (text!("organization-chat-add")) }
        }
    };
    let heads = [
        text!("word-name"),
        text!("organization-chat-address"),
        text!("word-status"),
        text!("organization-chat-last-message"),
        "",
    ];
    let table = Table::new(text!("organization-chats"), &heads).rows(&found, |it| row(person, it));
    let body = html! {
        (head(text!("organization-chats"), text!("organization-chats-lead"), add.clone()))
        @if let Some(reason) = failure {
            (notice("bad", html! { p role="alert" { (text!("organization-chat-test-failed", reason = reason)) } }))
        }
        @if found.is_empty() {
            (lesson(text!("organization-chats-none"), text!("organization-chats-none-why"), &[
                text!("organization-chats-step-create"),
                text!("organization-chats-step-add"),
                text!("organization-chats-step-test"),
            ], add))
        } @else { (table.show()) }
        p { a href="/app/organization" { (text!("organization-back")) } }
    };
    Ok(person.page(text!("organization-chats"), NavItem::Organization, body))
}

fn row(person: &Person, it: &ChatAddress) -> Vec<Markup> {
    let here = format!("{LIST}/{}", it.id);
    let never = || html! { span.quiet { (text!("organization-chat-never")) } };
    let (next, label) = match it.status {
        ChatStatus::Active => ("disabled", text!("organization-chat-disable")),
        ChatStatus::Disabled => ("active", text!("organization-chat-enable")),
    };
    vec![
        html! { a href=(here) { (it.name.as_str()) } },
        html! { code { (it.masked()) } },
        html! {
            (badge(it.status.name()))
            @if let Some(error) = &it.last_error { p.quiet { (text!("organization-chat-last-error", error = error)) } }
        },
        it.last_success_at.map_or_else(never, |at| ago(person.now(), at)),
        html! {
            @if !person.is_viewed() {
                div.row {
                    (post_button(&format!("{here}/test"), text!("organization-chat-test"), &[]))
                    (post_button(&format!("{here}/status"), label, &[("status", next)]))
                    (undoable(&format!("{here}/delete"), text!("action-delete"), &[]))
                }
            }
        },
    ]
}

/// Shows the form for a new chat address.
pub(crate) async fn new_form(person: Person) -> Response {
    let kinds = NoticeKind::of_chats().filter(|it| it.default_channel() == Channel::Now);
    let names: Vec<_> = kinds.map(NoticeKind::name).collect();
    draw_new(&person, &FormData::default().with_all("kinds", names))
}

/// Adds a chat address.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        let url = entered.required(&mut fields, "url");
        let url = fields.take("url", ChatUrl::parse(url));
        let (name, kinds) = (read_name(&entered, &mut fields), read_kinds(&entered, &mut fields));
        fields.finish()?;
        let read = name.zip(url).zip(kinds);
        let ((name, url), kinds) = read.ok_or_else(not_valid)?;
        let new = NewChatAddress { name, url, kinds };
        chat::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(_) => Ok(person.redirect(LIST, text!("organization-chat-added"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn read_name(entered: &FormData, fields: &mut Fields) -> Option<ChatName> {
    let name = entered.required(fields, "name");
    fields.take("name", ChatName::parse(name))
}

fn read_kinds(entered: &FormData, fields: &mut Fields) -> Option<Vec<NoticeKind>> {
    let kinds: Vec<_> = entered.all("kinds").collect();
    fields.take("kinds", ChatAddress::parse_kinds(&kinds))
}

fn not_valid() -> Error {
    Error::validation("Some fields are not valid")
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (name_field(entered))
        (field("url", text!("organization-chat-url")).kind("url").required().max_length(2_048)
            .placeholder("https://hooks.slack.com/services/…").autocomplete("off")
            .hint(text!("organization-chat-url-hint")).of(entered))
        (kinds_field(entered))
    };
    let body = html! {
        (head(text!("organization-chat-add"), "", html! { a.button.plain href=(LIST) { (text!("organization-chats-back")) } }))
        (card(text!("organization-chat"), form("/app/organization/chat/new", entered, inside, text!("organization-chat-add"))))
    };
    person.page(text!("organization-chat-add"), NavItem::Organization, body)
}

fn name_field(entered: &FormData) -> Markup {
    let example = text!("organization-chat-name-example");
    field("name", text!("word-name")).required().max_length(80).placeholder(example).of(entered)
}

fn kinds_field(entered: &FormData) -> Markup {
    let kinds: Vec<_> =
        NoticeKind::of_chats().map(|it| (it.name(), label::notice_kind(it))).collect();
    let (label, hint) = (text!("organization-chat-kinds"), text!("organization-chat-kinds-hint"));
    marked_choices(Mark::Required, "kinds", label, Some(hint), &kinds, entered)
}

/// Shows the form to edit a chat address. Staff who view the page see only what it is.
pub(crate) async fn edit(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    let address = chat::get(person.app(), &person.caller, id).await?;
    if person.is_viewed() {
        return Ok(draw_details(&person, &address));
    }
    let entered = FormData::default()
        .with("name", address.name.as_str())
        .with_all("kinds", address.kinds.iter().map(|it| it.name()));
    Ok(draw_edit(&person, &address, &entered))
}

/// Saves changes. An empty URL keeps the current one.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<ChatAddressId>,
    entered: FormData,
) -> Outcome {
    let address = chat::get(person.app(), &person.caller, id).await?;
    let changed = async {
        let mut fields = entered.fields();
        let url = entered.optional("url").and_then(|it| fields.take("url", ChatUrl::parse(it)));
        let (name, kinds) = (read_name(&entered, &mut fields), read_kinds(&entered, &mut fields));
        fields.finish()?;
        let change = ChatAddressChange { name, url, kinds, status: None };
        chat::change(person.app(), person.context(), person.caller(), id, change).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(LIST, text!("organization-chat-updated"))),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, &address, entered)))
        }
    }
}

fn draw_edit(person: &Person, address: &ChatAddress, entered: &FormData) -> Response {
    let action = format!("{LIST}/{}", address.id);
    let hint = text!("organization-chat-url-keep", url = address.masked());
    let inside = html! {
        (name_field(entered))
        (field("url", text!("organization-chat-url-new")).kind("url").max_length(2_048).autocomplete("off").hint(&hint).of(entered))
        (kinds_field(entered))
    };
    let body = html! {
        (head(text!("organization-chat-edit"), address.name.as_str(), html! { a.button.plain href=(LIST) { (text!("organization-chats-back")) } }))
        (card(text!("organization-chat"), form(&action, entered, inside, text!("organization-save"))))
    };
    person.page(text!("organization-chat-edit"), NavItem::Organization, body)
}

fn draw_details(person: &Person, address: &ChatAddress) -> Response {
    let kinds: Vec<_> = address.kinds.iter().map(|it| label::notice_kind(*it)).collect();
    let body = html! {
        (head(address.name.as_str(), "", html! { a.button.plain href=(LIST) { (text!("organization-chats-back")) } }))
        (card(text!("organization-chat"), facts(&[
            (text!("organization-chat-address"), html! { code { (address.masked()) } }),
            (text!("word-status"), badge(address.status.name())),
            (text!("organization-chat-kinds"), html! { (kinds.join(", ")) }),
        ])))
    };
    person.page(address.name.as_str(), NavItem::Organization, body)
}

/// Enables or disables a chat address.
pub(crate) async fn switch(
    person: Person,
    Segment(id): Segment<ChatAddressId>,
    entered: FormData,
) -> Outcome {
    let status = entered.get("status").parse::<ChatStatus>();
    let status = status.map_err(|reason| Error::field("status", reason))?;
    let change = ChatAddressChange { status: Some(status), ..ChatAddressChange::default() };
    chat::change(person.app(), person.context(), person.caller(), id, change).await?;
    let message = match status {
        ChatStatus::Active => text!("organization-chat-enabled"),
        ChatStatus::Disabled => text!("organization-chat-disabled"),
    };
    Ok(person.redirect(LIST, message))
}

/// Sends a test message.
pub(crate) async fn test(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    match chat::test(person.app(), person.context(), person.caller(), id).await? {
        Ok(()) => Ok(person.redirect(LIST, text!("organization-chat-tested"))),
        Err(reason) => draw_list(&person, Some(&reason)).await,
    }
}

/// Deletes a chat address.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    chat::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(LIST, text!("organization-chat-deleted")))
}
