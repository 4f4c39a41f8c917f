//! `/org/chat-addresses`: incoming webhooks of chats that get the organization's notifications.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::ChatAddressId;
use grantor_domain::notice::{ChatAddress, ChatName, ChatStatus, ChatUrl};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::notices::chat::{self, ChatAddressChange, NewChatAddress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data, NoContent};
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The chat address to create.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChatAddressInput {
    /// A name, such as the channel. 1 to 80 characters.
    #[schema(required, nullable = false, inline, value_type = value::ChatAddressName)]
    name: Option<String>,
    /// The URL of the incoming webhook. Must use HTTPS and resolve to a public address. It is
    /// stored encrypted and never returned.
    #[schema(required, nullable = false, inline, value_type = value::SecureUrl)]
    url: Option<String>,
    /// The kinds of notifications to send, at least one.
    #[schema(required, nullable = false, inline, value_type = value::ChatKindList)]
    kinds: Option<Vec<String>>,
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChatAddressChanges {
    /// A name, such as the channel. 1 to 80 characters.
    #[schema(inline, value_type = Option<value::ChatAddressName>)]
    name: Option<String>,
    /// The URL of the incoming webhook. Must use HTTPS and resolve to a public address.
    #[schema(inline, value_type = Option<value::SecureUrl>)]
    url: Option<String>,
    /// The kinds of notifications to send, at least one.
    #[schema(inline, value_type = Option<value::ChatKindList>)]
    kinds: Option<Vec<String>>,
    /// Whether messages are sent: `active` or `disabled`.
    #[schema(inline, value_type = Option<value::ChatStatusName>)]
    status: Option<String>,
}

/// A chat address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChatAddressBody {
    /// The chat address's ID.
    #[schema(inline, value_type = value::Id)]
    chat_address_id: String,
    /// The name.
    name: String,
    /// The URL without its secret part.
    masked_url: String,
    /// The kinds of notifications that are sent.
    #[schema(inline, value_type = value::ChatKindList)]
    kinds: Vec<&'static str>,
    /// Whether messages are sent.
    #[schema(inline, value_type = value::ChatStatusName)]
    status: &'static str,
    /// Since when every message has failed. Null if the last one arrived.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// When a message last arrived.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_success_at: Option<Timestamp>,
    /// Why the last message failed. Null if it arrived.
    #[schema(required)]
    last_error: Option<String>,
    /// When the chat address was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the chat address was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The chat addresses of the organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChatAddresses {
    /// The chat addresses, oldest first.
    chat_addresses: Vec<ChatAddressBody>,
}

/// The result of a test message.
#[derive(Serialize, ToSchema)]
pub(super) struct ChatTestResult {
    /// Whether the chat accepted the message.
    success: bool,
    /// Why it did not. Null if it did.
    #[schema(required)]
    error: Option<String>,
}

impl From<ChatAddress> for ChatAddressBody {
    fn from(address: ChatAddress) -> Self {
        Self {
            chat_address_id: address.id.to_string(),
            masked_url: address.masked(),
            name: address.name.as_str().to_owned(),
            kinds: address.kinds.iter().map(|it| it.name()).collect(),
            status: address.status.name(),
            failing_since: address.failing_since,
            last_success_at: address.last_success_at,
            last_error: address.last_error,
            created_at: address.created_at,
            updated_at: address.updated_at,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<ChatAddresses>, Problem> {
    let found = chat::list(&state.app, &caller).await?;
    let chat_addresses = found.into_iter().map(ChatAddressBody::from).collect();
    Ok(Data(ChatAddresses { chat_addresses }, "Your chat addresses"))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<ChatAddressInput>,
) -> Result<Created<ChatAddressBody>, Problem> {
    let mut fields = Fields::default();
    let name = required(&mut fields, "name", input.name.as_deref());
    let name = fields.take("name", ChatName::parse(name));
    let url = required(&mut fields, "url", input.url.as_deref());
    let url = fields.take("url", ChatUrl::parse(url));
    let kinds = input.kinds.unwrap_or_default();
    let kinds = fields.take("kinds", ChatAddress::parse_kinds(&kinds));
    fields.finish()?;
    let read = name.zip(url).zip(kinds);
    let ((name, url), kinds) =
        read.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    let new = NewChatAddress { name, url, kinds };
    let address = chat::create(&state.app, &context, caller, new).await?;
    Ok(Created(address.into(), "Chat address created"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(input): Json<ChatAddressChanges>,
) -> Result<Data<ChatAddressBody>, Problem> {
    let id: ChatAddressId = path_id(&id, "chat address")?;
    let mut fields = Fields::default();
    let name = input.name.and_then(|it| fields.take("name", ChatName::parse(&it)));
    let url = input.url.and_then(|it| fields.take("url", ChatUrl::parse(&it)));
    let kinds = input.kinds.and_then(|it| fields.take("kinds", ChatAddress::parse_kinds(&it)));
    let status = input.status.and_then(|it| fields.take("status", it.parse::<ChatStatus>()));
    fields.finish()?;
    let change = ChatAddressChange { name, url, kinds, status };
    let address = chat::change(&state.app, &context, caller, id, change).await?;
    Ok(Data(address.into(), "Chat address updated"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: ChatAddressId = path_id(&id, "chat address")?;
    chat::delete(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}

pub(super) async fn test(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<ChatTestResult>, Problem> {
    let id: ChatAddressId = path_id(&id, "chat address")?;
    let error = chat::test(&state.app, &context, caller, id).await?.err();
    let message = match error {
        None => "Test message sent",
        Some(_) => "The test message did not arrive",
    };
    Ok(Data(ChatTestResult { success: error.is_none(), error }, message))
}
