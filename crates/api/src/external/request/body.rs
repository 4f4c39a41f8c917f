//! Requests, offers and messages in the external API.

use grantor_domain::Timestamp;
use grantor_domain::grant::Beyond;
use grantor_domain::request::{Message, Offer};
use grantor_service::licensing::request::{RequestThread, RequestView};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::license::TypeKey;
use super::super::terms::{NamedBody, PartyBody, TermsBody, texts};
use crate::frame::describe::value;

/// A request for a grant.
#[derive(Serialize, ToSchema)]
#[schema(as = Request)]
pub(in super::super) struct RequestBody {
    /// The request's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    license: NamedBody,
    talent: NamedBody,
    asker: AskerBody,
    owner: PartyBody,
    /// The caller's side.
    #[schema(inline, value_type = value::PartyRole)]
    role: &'static str,
    /// The side that began.
    #[schema(inline, value_type = value::PartyRole)]
    begun_by: &'static str,
    /// The status.
    #[schema(inline, value_type = value::RequestStatusName)]
    status: &'static str,
    /// The uses.
    uses: Vec<TypeKey>,
    /// The territories.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    /// When the use starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When the use ends, if it does.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Timestamp>,
    /// What the likeness is needed for. Empty if the owner began.
    purpose: String,
    /// Where the likeness would appear.
    channels: Vec<String>,
    budget: Option<BudgetBody>,
    /// Why the request or offer was declined.
    reason: Option<String>,
    /// Who closed the request. Null while it is live, and if it lapsed.
    closed_by: Option<String>,
    /// When the request was closed or lapsed.
    #[schema(value_type = Option<String>, format = DateTime)]
    closed_at: Option<Timestamp>,
    /// Whether the caller may make, accept, decline and withdraw for its side.
    may_act: bool,
    /// How many updates (the request itself, offers and messages) the caller's side has not read.
    unread: u32,
    /// When the request lapses unless somebody acts.
    #[schema(value_type = String, format = DateTime)]
    lapses_at: Timestamp,
    /// When the request was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the request last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The asker: a tenant, or the address that an offer waits at.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Asker)]
pub(in super::super) enum AskerBody {
    Tenant(PartyBody),
    Pending(PendingBody),
}

/// An email address that an offer waits at. Whether it has an account is not shown.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingAsker)]
pub(in super::super) struct PendingBody {
    /// The address.
    email: String,
    /// Always `pending`.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
}

/// What the asker can spend in total.
#[derive(Serialize, ToSchema)]
#[schema(as = Budget)]
pub(in super::super) struct BudgetBody {
    /// The amount.
    #[schema(inline, value_type = value::Amount)]
    amount: String,
    /// The ISO 4217 currency code.
    #[schema(value_type = value::Currency)]
    currency: String,
}

impl From<&RequestView> for RequestBody {
    fn from(view: &RequestView) -> Self {
        let (record, request) = (&view.record, &view.record.request);
        let coverage = &request.coverage;
        let asker = match (&record.asker, &request.email) {
            (Some(asker), _) => AskerBody::Tenant(asker.into()),
            (None, email) => {
                let email = email.clone().unwrap_or_default();
                AskerBody::Pending(PendingBody { email, status: "pending" })
            }
        };
        Self {
            id: request.id.to_string(),
            license: NamedBody {
                id: request.license.to_string(),
                name: record.license_title.clone(),
            },
            talent: NamedBody { id: request.talent.to_string(), name: record.talent_name.clone() },
            asker,
            owner: (&record.owner).into(),
            role: view.party.name(),
            begun_by: request.begun_by.name(),
            status: view.status.name(),
            uses: coverage.uses.as_slice().iter().copied().map(TypeKey::from).collect(),
            territories: texts(coverage.territories.as_slice()),
            starts_at: coverage.starts_at,
            ends_at: coverage.ends_at,
            purpose: request.purpose.clone(),
            channels: request.channels.clone(),
            budget: request.budget.map(|it| BudgetBody {
                amount: it.amount.to_string(),
                currency: it.currency.to_string(),
            }),
            reason: request.reason.clone(),
            closed_by: request.closed_by.clone(),
            closed_at: view.closed_at,
            may_act: view.may_act,
            unread: request.unread_by(view.party),
            lapses_at: request.lapses_at,
            created_at: request.created_at,
            updated_at: request.updated_at,
        }
    }
}

/// A request with its offers and messages.
#[derive(Serialize, ToSchema)]
#[schema(as = RequestThread)]
pub(in super::super) struct ThreadBody {
    #[serde(flatten)]
    request: RequestBody,
    /// All offers, oldest first. At most one is open.
    offers: Vec<OfferBody>,
    /// The newest messages, oldest first.
    messages: Vec<MessageBody>,
    beyond: BeyondBody,
    /// The grant, if an offer was accepted.
    #[schema(inline, value_type = Option<value::Id>)]
    grant_id: Option<String>,
}

impl From<RequestThread> for ThreadBody {
    fn from(thread: RequestThread) -> Self {
        Self {
            request: (&thread.view).into(),
            offers: thread.offers.into_iter().map(OfferBody::from).collect(),
            messages: thread.messages.into_iter().map(MessageBody::from).collect(),
            beyond: thread.beyond.into(),
            grant_id: thread.grant.map(|it| it.to_string()),
        }
    }
}

/// What was asked for and the license does not include.
#[derive(Serialize, ToSchema)]
#[schema(as = Beyond)]
struct BeyondBody {
    /// Uses that the license does not allow.
    uses: Vec<TypeKey>,
    /// Territories that the license does not include.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    /// The dates outside the license: `starts_at`, `ends_at` or both.
    dates: Vec<&'static str>,
}

impl From<Beyond> for BeyondBody {
    fn from(beyond: Beyond) -> Self {
        Self {
            uses: beyond.uses.into_iter().map(TypeKey::from).collect(),
            territories: texts(&beyond.territories),
            dates: beyond.dates,
        }
    }
}

/// An offer.
#[derive(Serialize, ToSchema)]
#[schema(as = Offer)]
struct OfferBody {
    /// The offer's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    terms: TermsBody,
    /// The hash of the terms and the parties, which the asker names to accept exactly these.
    terms_hash: String,
    /// The version of the license that the offer was made under.
    license_version: u32,
    /// The status.
    #[schema(inline, value_type = value::OfferStatusName)]
    status: &'static str,
    /// Who made the offer.
    author: String,
    /// When the offer ends.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// When the offer was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Offer> for OfferBody {
    fn from(offer: Offer) -> Self {
        Self {
            id: offer.id.to_string(),
            terms: (&offer.terms).into(),
            terms_hash: offer.terms_hash,
            license_version: offer.license_version,
            status: offer.status.name(),
            author: offer.author,
            expires_at: offer.expires_at,
            created_at: offer.created_at,
        }
    }
}

/// A message about a request.
#[derive(Serialize, ToSchema)]
#[schema(as = Message)]
pub(in super::super) struct MessageBody {
    /// The message's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The side that wrote it.
    #[schema(inline, value_type = value::PartyRole)]
    party: &'static str,
    /// Who wrote it.
    author: String,
    /// The text.
    message: String,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Message> for MessageBody {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.to_string(),
            party: message.party.name(),
            author: message.author,
            message: message.message,
            created_at: message.created_at,
        }
    }
}
