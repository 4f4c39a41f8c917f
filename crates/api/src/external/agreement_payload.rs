//! Schemas of the payloads of requests and grants. Events are stored as JSON;
//! `tests/webhook/describe.rs` validates real events against these schemas.

use utoipa::ToSchema;

use super::license::TypeKey;
use super::request::{AskerBody, BudgetBody, MessageBody};
use super::terms::{NamedBody, PartyBody, TermsBody};
use crate::frame::describe::value;

/// A request after the change.
#[derive(ToSchema)]
#[schema(as = EventRequestData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
pub(super) struct RequestData {
    #[schema(format = "uuid")]
    license_id: String,
    request: EventRequest,
    /// The offer that the event is about.
    #[schema(required = false, nullable = false)]
    offer: Option<EventOffer>,
    /// The new grant. Only in `grant.created`.
    #[schema(required = false, nullable = false)]
    grant: Option<EventGrant>,
}

/// A message about a request.
#[derive(ToSchema)]
#[schema(as = EventRequestMessageData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
pub(super) struct RequestMessageData {
    #[schema(format = "uuid")]
    license_id: String,
    request: EventRequest,
    message: MessageBody,
}

/// A grant after the change.
#[derive(ToSchema)]
#[schema(as = EventGrantData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
pub(super) struct GrantData {
    #[schema(format = "uuid")]
    license_id: String,
    grant: EventGrant,
}

/// A grant that ends soon.
#[derive(ToSchema)]
#[schema(as = EventGrantExpiringData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
pub(super) struct GrantExpiringData {
    #[schema(format = "uuid")]
    license_id: String,
    grant: EventGrant,
    /// How many days are left: 30, 7 or 1.
    days: u32,
}

/// A request for a grant.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct EventRequest {
    #[schema(format = "uuid")]
    id: String,
    #[schema(format = "uuid")]
    license_id: String,
    license_title: String,
    talent: NamedBody,
    asker: AskerBody,
    owner: PartyBody,
    #[schema(inline, value_type = value::RequestStatusName)]
    status: String,
    uses: Vec<TypeKey>,
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    #[schema(format = DateTime)]
    starts_at: String,
    #[schema(format = DateTime)]
    ends_at: Option<String>,
    purpose: String,
    channels: Vec<String>,
    budget: Option<BudgetBody>,
    reason: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

/// An offer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct EventOffer {
    #[schema(format = "uuid")]
    id: String,
    terms: TermsBody,
    terms_hash: String,
    license_version: u32,
    #[schema(inline, value_type = value::OfferStatusName)]
    status: String,
    #[schema(format = DateTime)]
    expires_at: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A grant.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct EventGrant {
    #[schema(format = "uuid")]
    id: String,
    number: String,
    #[schema(format = "uuid")]
    license_id: String,
    license_title: String,
    talent: NamedBody,
    licensor: PartyBody,
    licensee: PartyBody,
    #[schema(inline, value_type = value::GrantStatusName)]
    status: String,
    terms: TermsBody,
    terms_hash: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    revoked_at: Option<String>,
    revoke_reason: Option<String>,
}
