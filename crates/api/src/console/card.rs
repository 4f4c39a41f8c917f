//! `/org/card`, `/org/cards`, `/org/card/{cardId}`.

use axum::extract::State;
use grantor_domain::Error;
use grantor_domain::card::{Card, CardToken, refuse_card_number};
use grantor_domain::error::Fields;
use grantor_domain::id::CardId;
use grantor_service::billing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::envelope::{Created, Data, NoContent};
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The payment card to add.
#[derive(Deserialize, ToSchema)]
pub(super) struct CardInput {
    /// A token of the payment processor. Never send a card number.
    #[schema(required, nullable = false, inline, value_type = value::CardToken)]
    token: Option<Value>,
    /// Other fields, checked only to reject card numbers.
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Map<String, Value>,
}

/// A payment card.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardBody {
    /// The card's ID.
    #[schema(format = "uuid")]
    card_id: String,
    /// The last four digits of the card number.
    last4: String,
    /// The card's brand.
    brand: String,
    /// The month in which the card expires.
    expiry_month: u32,
    /// The year in which the card expires.
    expiry_year: u32,
}

/// The payment cards of the tenant.
#[derive(Serialize, ToSchema)]
pub(super) struct Cards {
    /// The cards.
    cards: Vec<CardBody>,
}

impl From<Card> for CardBody {
    fn from(card: Card) -> Self {
        Self {
            card_id: card.id.to_string(),
            last4: card.face.last4,
            brand: card.face.brand,
            expiry_month: card.face.expiry_month,
            expiry_year: card.face.expiry_year,
        }
    }
}

pub(super) async fn add(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(sent): Json<CardInput>,
) -> Result<Created<CardBody>, Problem> {
    let mut fields = Fields::default();
    refuse_numbers(&mut fields, &sent.rest);
    let token = text(&mut fields, "token", sent.token.as_ref());
    let token = required(&mut fields, "token", token);
    let token = fields.take("token", CardToken::parse(token));
    fields.finish()?;
    let token = token.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    let card = billing::add_card(&state.app, &context, caller, token).await?;
    Ok(Created(card.into(), "Card added"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<Cards>, Problem> {
    let cards = billing::cards(&state.app, &caller).await?;
    let cards = cards.into_iter().map(CardBody::from).collect();
    Ok(Data(Cards { cards }, "Your payment cards"))
}

pub(super) async fn remove(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: CardId = path_id(&id, "card")?;
    billing::remove_card(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}

/// Returns the text of a field. It is not deserialized as a string, so that errors never echo a
/// card number.
pub(super) fn text<'a>(
    fields: &mut Fields,
    name: &str,
    value: Option<&'a Value>,
) -> Option<&'a str> {
    match value {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(other) => {
            fields.add(name, refuse_in(other).err().unwrap_or("must be a string"));
            None
        }
    }
}

/// Rejects card numbers in any field. A field name that is itself a card number is not echoed.
pub(super) fn refuse_numbers(fields: &mut Fields, rest: &Map<String, Value>) {
    for (name, value) in rest {
        if refuse_card_number(name).is_err() {
            fields.take::<(), _>("body", refuse_card_number(name));
        } else if let Err(message) = refuse_in(value) {
            fields.add(name, message);
        }
    }
}

fn refuse_in(value: &Value) -> Result<(), &'static str> {
    match value {
        Value::String(text) if text.parse::<CardId>().is_ok() => Ok(()),
        Value::String(text) => refuse_card_number(text),
        Value::Number(number) => refuse_card_number(&number.to_string()),
        Value::Array(items) => items.iter().try_for_each(refuse_in),
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, value)| refuse_card_number(name).and_then(|()| refuse_in(value))),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}
