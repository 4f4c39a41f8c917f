//! `/app/organization/chat`: chats that get the organization's notifications.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::ChatAddressId;
use grantor_domain::notice::{Channel, ChatAddress, ChatName, ChatStatus, ChatUrl, NoticeKind};
use grantor_service::notices::chat::{self, ChatAddressChange, NewChatAddress};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{
    NavItem, Table, ago, badge, card, choices, confirm, empty, field, form, head, notice,
    post_button,
};

const LIST: &str = "/app/organization/chat";

/// Lists the chat addresses.
pub(crate) async fn list(person: Person) -> Outcome {
    draw_list(&person, None).await
}

async fn draw_list(person: &Person, failure: Option<&str>) -> Outcome {
    let found = chat::list(person.app(), &person.caller).await?;
    let add = html! { a.button href="/app/organization/chat/new" { "Add chat address" } };
    let heads = ["Name", "Address", "Status", "Last message", ""];
    let table = Table::new("Chat addresses", &heads).rows(&found, |it| row(person, it));
    let body = html! {
        (head("Chat addresses", "Send notifications to a channel in Slack, Teams or a compatible chat.", add.clone()))
        @if let Some(reason) = failure {
            (notice("bad", html! { p role="alert" { "The test message did not arrive: " (reason) "." } }))
        }
        @if found.is_empty() {
            (empty("No chat addresses yet", "Create an incoming webhook in your chat, and add its URL here.", add))
        } @else { (table.show()) }
        p { a href="/app/organization" { "Back to organization" } }
    };
    Ok(person.page("Chat addresses", NavItem::Organization, body))
}

fn row(person: &Person, it: &ChatAddress) -> Vec<Markup> {
    let here = format!("{LIST}/{}", it.id);
    let (next, label) = match it.status {
        ChatStatus::Active => ("disabled", "Disable"),
        ChatStatus::Disabled => ("active", "Enable"),
    };
    vec![
        html! { a href=(here) { (it.name.as_str()) } },
        html! { code { (it.masked()) } },
        html! {
            (badge(it.status.name()))
            @if let Some(error) = &it.last_error { p.quiet { "Last error: " (error) } }
        },
        it.last_success_at
            .map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
        html! {
            div.row {
                (post_button(&format!("{here}/test"), "Send test message", &[]))
                (post_button(&format!("{here}/status"), label, &[("status", next)]))
                (confirm(&format!("{here}/delete"), "Delete", "Notifications will no longer be sent there.", &[]))
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
        Ok(_) => Ok(person.redirect(LIST, "Chat address added. Send a test message to check it.")),
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
        (field("url", "Webhook URL").kind("url").required().max_length(2_048)
            .placeholder("https://hooks.slack.com/services/…").autocomplete("off")
            .hint("The URL of an incoming webhook. It is stored encrypted and not shown again.").of(entered))
        (kinds_field(entered))
    };
    let body = html! {
        (head("Add chat address", "", html! { a.button.plain href=(LIST) { "Back to chat addresses" } }))
        (card("Chat", form("/app/organization/chat/new", entered, inside, "Add chat address")))
    };
    person.page("Add chat address", NavItem::Organization, body)
}

fn name_field(entered: &FormData) -> Markup {
    html! { (field("name", "Name").required().max_length(80).placeholder("Rights team").of(entered)) }
}

fn kinds_field(entered: &FormData) -> Markup {
    let kinds: Vec<_> = NoticeKind::of_chats().map(|it| (it.name(), it.label())).collect();
    choices("kinds", "Notifications", Some("Choose at least one."), &kinds, entered)
}

/// Shows the form to edit a chat address.
pub(crate) async fn edit(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    let address = chat::get(person.app(), &person.caller, id).await?;
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
        Ok(_) => Ok(person.redirect(LIST, "Chat address updated")),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, &address, entered)))
        }
    }
}

fn draw_edit(person: &Person, address: &ChatAddress, entered: &FormData) -> Response {
    let action = format!("{LIST}/{}", address.id);
    let hint = format!("Leave it empty to keep {}.", address.masked());
    let inside = html! {
        (name_field(entered))
        (field("url", "New webhook URL").kind("url").max_length(2_048).autocomplete("off").hint(&hint).of(entered))
        (kinds_field(entered))
    };
    let body = html! {
        (head("Edit chat address", address.name.as_str(), html! { a.button.plain href=(LIST) { "Back to chat addresses" } }))
        (card("Chat", form(&action, entered, inside, "Save changes")))
    };
    person.page("Edit chat address", NavItem::Organization, body)
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
        ChatStatus::Active => "Chat address enabled",
        ChatStatus::Disabled => "Chat address disabled",
    };
    Ok(person.redirect(LIST, message))
}

/// Sends a test message.
pub(crate) async fn test(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    match chat::test(person.app(), person.context(), person.caller(), id).await? {
        Ok(()) => Ok(person.redirect(LIST, "Test message sent")),
        Err(reason) => draw_list(&person, Some(&reason)).await,
    }
}

/// Deletes a chat address.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ChatAddressId>) -> Outcome {
    chat::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(LIST, "Chat address deleted"))
}
