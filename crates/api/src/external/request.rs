//! `/requests`, `/requests/{id}` and what parties do with them, and `/licenses/{id}/offers`.

mod body;

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::grant::CoverageInput;
use grantor_domain::page::Page;
use grantor_domain::request::{DECLINE_REASON, MESSAGE, NewRequest, RequestInput};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::request::{self, Licensee, OfferDraft, RequestFilter};
use http::Uri;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

pub(super) use self::body::{AskerBody, BudgetBody, MessageBody};
use self::body::{RequestBody, ThreadBody};
use super::grant::GrantBody;
use super::path_id;
use super::terms::TermsInput;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{Created, ListOf, one_of_two};
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Which requests to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The caller's side. Both by default.
    #[param(inline, value_type = Option<value::PartyRole>)]
    role: Option<String>,
    /// The status.
    #[param(inline, value_type = Option<value::RequestStatusName>)]
    status: Option<String>,
    /// The license.
    #[param(inline, value_type = Option<value::Id>)]
    license_id: Option<String>,
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
}

impl ListParams {
    fn parse(&self) -> Result<(RequestFilter, Page)> {
        let mut fields = Fields::default();
        let filter = RequestFilter {
            role: optional(&mut fields, "role", self.role.as_deref()),
            status: optional(&mut fields, "status", self.status.as_deref()),
            license: optional(&mut fields, "license_id", self.license_id.as_deref()),
        };
        let rules = Api::External.page_rules();
        let page = Page::parse(self.page.as_deref(), self.per_page.as_deref(), rules);
        let page = fields.take_all(page);
        fields.finish()?;
        page.map(|it| (filter, it)).ok_or_else(|| Error::validation("The page is not valid"))
    }
}

/// Parses an optional parameter.
pub(super) fn optional<T: std::str::FromStr<Err: std::fmt::Display>>(
    fields: &mut Fields,
    name: &str,
    text: Option<&str>,
) -> Option<T> {
    text.and_then(|it| fields.take(name, it.parse()))
}

/// A request for a grant.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewRequest)]
pub(super) struct NewRequestInput {
    /// The license.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    license_id: Option<String>,
    /// The uses, at least one.
    #[schema(required, nullable = false, inline, value_type = value::SomeUses)]
    uses: Option<Vec<String>>,
    /// The territories, at least one.
    #[schema(required, nullable = false, inline, value_type = value::SomeTerritories)]
    territories: Option<Vec<String>>,
    /// When the use starts, a whole second.
    #[schema(required, nullable = false, inline, value_type = value::WholeSecond)]
    starts_at: Option<String>,
    /// When the use ends, a whole second. Null for an open end.
    #[schema(inline, value_type = Option<value::WholeSecond>)]
    ends_at: Option<String>,
    /// What the likeness is needed for. 1 to 2000 characters.
    #[schema(required, nullable = false, inline, value_type = value::Purpose)]
    purpose: Option<String>,
    /// Where the likeness would appear. At most 10, each of 1 to 100 characters.
    #[schema(inline, value_type = Option<value::ChannelList>)]
    channels: Option<Vec<String>>,
    /// What the asker can spend in total.
    budget: Option<BudgetInput>,
}

/// An amount of money.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewBudget)]
struct BudgetInput {
    /// The amount, as a decimal string with at most two decimal places.
    #[schema(required, nullable = false, inline, value_type = value::Amount)]
    amount: Option<String>,
    /// The ISO 4217 currency code.
    #[schema(required, nullable = false, value_type = value::Currency)]
    currency: Option<String>,
}

impl NewRequestInput {
    fn parse(&self) -> Result<NewRequest> {
        let budget = self.budget.as_ref();
        NewRequest::parse(&RequestInput {
            license_id: self.license_id.as_deref(),
            coverage: CoverageInput {
                uses: self.uses.as_deref().unwrap_or_default(),
                territories: self.territories.as_deref().unwrap_or_default(),
                starts_at: self.starts_at.as_deref(),
                ends_at: self.ends_at.as_deref(),
            },
            purpose: self.purpose.as_deref(),
            channels: self.channels.as_deref().unwrap_or_default(),
            budget: budget.map(|it| (it.amount.as_deref(), it.currency.as_deref())),
        })
    }
}

/// An offer for a request.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewOffer)]
pub(super) struct OfferInput {
    #[schema(required, nullable = false)]
    terms: Option<TermsInput>,
    /// When the offer ends: within 90 days. After 14 days by default.
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<String>,
}

impl OfferInput {
    fn parse(&self, fields: &mut Fields) -> Option<OfferDraft> {
        if self.terms.is_none() {
            fields.add("terms", "is required");
        }
        let terms = self.terms.as_ref().and_then(|it| it.parse(fields));
        let expires_at = self.expires_at.as_deref().map(Timestamp::parse).transpose();
        let expires_at = fields.take("expires_at", expires_at);
        Some(OfferDraft { terms: terms?, expires_at: expires_at? })
    }
}

/// An offer on a license that nobody asked for.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewLicenseOffer)]
pub(super) struct LicenseOfferInput {
    #[schema(required, nullable = false)]
    licensee: Option<LicenseeInput>,
    #[serde(flatten)]
    offer: OfferInput,
}

/// Who is to get a grant. Exactly one of the two.
#[derive(Deserialize)]
struct LicenseeInput {
    organization_id: Option<String>,
    email: Option<String>,
}

one_of_two!(LicenseeInput: KnownLicensee, InvitedLicensee);

/// A tenant that is to get a grant.
#[derive(ToSchema)]
#[schema(as = KnownLicensee)]
#[expect(dead_code, reason = "only its schema is used")]
struct KnownLicensee {
    /// The ID of a tenant.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
}

/// A person who is to get a grant.
#[derive(ToSchema)]
#[schema(as = InvitedLicensee)]
#[expect(dead_code, reason = "only its schema is used")]
struct InvitedLicensee {
    /// An email address, which gets an invitation.
    #[schema(inline, value_type = value::Email)]
    email: String,
}

impl LicenseeInput {
    fn parse(&self, fields: &mut Fields) -> Option<Licensee> {
        match (&self.organization_id, &self.email) {
            (Some(id), None) => {
                fields.take("licensee.organization_id", id.parse()).map(Licensee::Tenant)
            }
            (None, Some(email)) => {
                fields.take("licensee.email", Email::parse(email)).map(Licensee::Email)
            }
            _ => {
                fields.add("licensee", "must have either organization_id or email");
                None
            }
        }
    }
}

/// A message.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewMessage)]
pub(super) struct MessageInput {
    /// The text. 1 to 5000 characters.
    #[schema(required, nullable = false, inline, value_type = value::MessageText)]
    message: Option<String>,
}

/// Why a request or offer is declined.
#[derive(Deserialize, ToSchema)]
#[schema(as = Decline)]
pub(super) struct DeclineInput {
    /// The reason, which the other party sees. 1 to 2000 characters.
    #[schema(required, nullable = false, inline, value_type = value::ReasonText)]
    reason: Option<String>,
}

/// The terms that are accepted.
#[derive(Deserialize, ToSchema)]
#[schema(as = Acceptance)]
pub(super) struct AcceptInput {
    /// The `terms_hash` of the open offer.
    #[schema(required, nullable = false, inline, value_type = value::TermsHash)]
    terms_hash: Option<String>,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<ListParams>,
) -> Result<ListOf<RequestBody>, Problem> {
    let (filter, page) = params.parse()?;
    let page = request::list(&state.app, (&*caller).into(), filter, page).await?;
    Ok(ListOf::page(page.map(|it| RequestBody::from(&it)), &uri))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Json(input): Json<NewRequestInput>,
) -> Result<Created<RequestBody>, Problem> {
    let new = input.parse()?;
    let view = request::create(&state.app, &context, (&*caller).into(), new).await?;
    Ok(Created(RequestBody::from(&view)))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<ThreadBody>, Problem> {
    let thread = request::get(&state.app, (&*caller).into(), path_id(&id)?).await?;
    Ok(axum::Json(thread.into()))
}

pub(super) async fn send(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<MessageInput>,
) -> Result<Created<MessageBody>, Problem> {
    let message = MESSAGE.parse(input.message.as_deref().unwrap_or_default());
    let message = message.map_err(|error| Problem::field("message", &error))?;
    let caller = (&*caller).into();
    let sent = request::send(&state.app, &context, caller, path_id(&id)?, message).await?;
    Ok(Created(MessageBody::from(sent)))
}

pub(super) async fn read(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<super::bookmark::NoContent, Problem> {
    request::mark_read(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(super::bookmark::NoContent)
}

pub(super) async fn decline(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<DeclineInput>,
) -> Result<axum::Json<RequestBody>, Problem> {
    let reason = DECLINE_REASON.parse(input.reason.as_deref().unwrap_or_default());
    let reason = reason.map_err(|error| Problem::field("reason", &error))?;
    let caller = (&*caller).into();
    let view = request::decline(&state.app, &context, caller, path_id(&id)?, reason).await?;
    Ok(axum::Json(RequestBody::from(&view)))
}

pub(super) async fn withdraw(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<RequestBody>, Problem> {
    let caller = (&*caller).into();
    let view = request::withdraw(&state.app, &context, caller, path_id(&id)?).await?;
    Ok(axum::Json(RequestBody::from(&view)))
}

pub(super) async fn offer(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<OfferInput>,
) -> Result<axum::Json<RequestBody>, Problem> {
    let mut fields = Fields::default();
    let draft = input.parse(&mut fields);
    fields.finish()?;
    let draft = draft.ok_or_else(|| Error::validation("The offer is not valid"))?;
    let caller = (&*caller).into();
    let view = request::offer(&state.app, &context, caller, path_id(&id)?, draft).await?;
    Ok(axum::Json(RequestBody::from(&view)))
}

pub(super) async fn offer_on_license(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<LicenseOfferInput>,
) -> Result<Created<RequestBody>, Problem> {
    let mut fields = Fields::default();
    if input.licensee.is_none() {
        fields.add("licensee", "is required");
    }
    let licensee = input.licensee.as_ref().and_then(|it| it.parse(&mut fields));
    let draft = input.offer.parse(&mut fields);
    fields.finish()?;
    let parsed = licensee.zip(draft);
    let (licensee, draft) = parsed.ok_or_else(|| Error::validation("The offer is not valid"))?;
    let (caller, license) = ((&*caller).into(), path_id(&id)?);
    let made = request::offer_on_license(&state.app, &context, caller, license, licensee, draft);
    Ok(Created(RequestBody::from(&made.await?)))
}

pub(super) async fn accept(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<AcceptInput>,
) -> Result<axum::Json<GrantBody>, Problem> {
    let hash = input.terms_hash.filter(|it| is_terms_hash(it));
    let hash = hash.ok_or_else(|| Problem::field("terms_hash", "must be the hash of an offer"))?;
    let caller = (&*caller).into();
    let grant = request::accept(&state.app, &context, caller, path_id(&id)?, hash).await?;
    Ok(axum::Json(GrantBody::from(&grant)))
}

/// Whether a text is a SHA-256 hash in the form of offers.
fn is_terms_hash(text: &str) -> bool {
    let is_base64url = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
    text.strip_prefix("sha256:").is_some_and(|it| it.len() == 43 && it.bytes().all(is_base64url))
}
