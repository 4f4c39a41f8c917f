//! `/grants`, `/grants/{id}` and their revocation.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::grant::{GrantNumber, REVOKE_REASON};
use grantor_domain::license::Territory;
use grantor_domain::page::Page;
use grantor_domain::search::NameFilter;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::grant::{self, GrantFilter, GrantSearch, GrantView};
use http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::path_id;
use super::request::optional;
use super::terms::{NamedBody, PartyBody, TermsBody};
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::ListOf;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Which grants to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The caller's side: `owner` for grants given, `asker` for grants held. Both by default.
    #[param(inline, value_type = Option<value::PartyRole>)]
    role: Option<String>,
    /// The status.
    #[param(inline, value_type = Option<value::GrantStatusName>)]
    status: Option<String>,
    /// The license.
    #[param(inline, value_type = Option<value::Id>)]
    license_id: Option<String>,
    /// The talent.
    #[param(inline, value_type = Option<value::Id>)]
    talent_id: Option<String>,
    /// Only grants that apply in this territory, including worldwide ones.
    #[param(inline, value_type = Option<value::Territory>)]
    territory: Option<String>,
    /// Only grants that end before this time.
    #[param(inline, value_type = Option<value::Instant>)]
    ends_before: Option<String>,
    /// The number. Each licensor counts its own grants, so a licensee may hold several that have
    /// the same number.
    #[param(inline, value_type = Option<value::GrantNumberText>)]
    number: Option<String>,
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
}

impl ListParams {
    fn parse(&self) -> Result<(Option<GrantNumber>, GrantFilter, Page)> {
        let mut fields = Fields::default();
        let ends_before = self.ends_before.as_deref().map(Timestamp::parse).transpose();
        let territory = self.territory.as_deref().map(Territory::parse).transpose();
        let territory = territory.map_err(|_| "must be an ISO 3166-1 alpha-2 code or WORLD");
        let filter = GrantFilter {
            role: optional(&mut fields, "role", self.role.as_deref()),
            status: optional(&mut fields, "status", self.status.as_deref()),
            license: optional(&mut fields, "license_id", self.license_id.as_deref()),
            talent: optional(&mut fields, "talent_id", self.talent_id.as_deref()),
            territory: fields.take("territory", territory).flatten(),
            ends_before: fields.take("ends_before", ends_before).flatten(),
            in_force_at: None,
        };
        let number = optional(&mut fields, "number", self.number.as_deref());
        let rules = Api::External.page_rules();
        let page = Page::parse(self.page.as_deref(), self.per_page.as_deref(), rules);
        let page = fields.take_all(page);
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("The page is not valid"))?;
        Ok((number, filter, page))
    }
}

/// The search for a number with these filters, which the list itself cannot answer.
fn numbered(number: GrantNumber, filter: GrantFilter) -> GrantSearch {
    let GrantFilter { role, status, license, talent, territory, ends_before, in_force_at: _ } =
        filter;
    GrantSearch {
        number: Some(number),
        role,
        status,
        license,
        talent: talent.map(NameFilter::Id),
        territory,
        ends_before,
        ..GrantSearch::default()
    }
}

/// A grant: an accepted offer. Its terms never change.
#[derive(Serialize, ToSchema)]
#[schema(as = Grant)]
pub(super) struct GrantBody {
    /// The grant's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The number, unique per licensor, such as `GR-2026-000042`.
    number: String,
    license: NamedBody,
    /// The version of the license that was accepted.
    license_version: u32,
    talent: NamedBody,
    licensor: PartyBody,
    licensee: PartyBody,
    /// The caller's side.
    #[schema(inline, value_type = value::PartyRole)]
    role: &'static str,
    /// The status.
    #[schema(inline, value_type = value::GrantStatusName)]
    status: &'static str,
    terms: TermsBody,
    /// The hash of the terms and the parties.
    terms_hash: String,
    /// Who accepted.
    accepted_by: String,
    /// The ID of the request.
    #[schema(inline, value_type = value::Id)]
    request_id: String,
    /// When the offer was accepted.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the grant was revoked, if it was.
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Timestamp>,
    /// Why the grant was revoked.
    revoke_reason: Option<String>,
    /// Who revoked the grant: the person's name for the licensor, the licensor's name for the
    /// licensee.
    revoked_by: Option<String>,
}

impl From<&GrantView> for GrantBody {
    fn from(view: &GrantView) -> Self {
        let (record, grant) = (&view.record, &view.record.grant);
        Self {
            id: grant.id.to_string(),
            number: grant.number.to_string(),
            license: NamedBody {
                id: grant.license.to_string(),
                name: record.license_title.clone(),
            },
            license_version: grant.license_version,
            talent: NamedBody { id: grant.talent.to_string(), name: record.talent_name.clone() },
            licensor: (&record.licensor).into(),
            licensee: (&record.licensee).into(),
            role: view.party.name(),
            status: view.status.name(),
            terms: (&grant.terms).into(),
            terms_hash: grant.terms_hash.clone(),
            accepted_by: grant.accepted_by_name.clone(),
            request_id: grant.request.to_string(),
            created_at: grant.created_at,
            revoked_at: grant.revoked_at,
            revoke_reason: grant.revoke_reason.clone(),
            revoked_by: view.revoked_by().map(str::to_owned),
        }
    }
}

/// Why a grant is revoked.
#[derive(Deserialize, ToSchema)]
#[schema(as = Revocation)]
pub(super) struct RevokeInput {
    /// The reason, which the licensee sees. 1 to 2000 characters.
    #[schema(required, nullable = false, inline, value_type = value::ReasonText)]
    reason: Option<String>,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<ListParams>,
) -> Result<ListOf<GrantBody>, Problem> {
    let (number, filter, page) = params.parse()?;
    let (app, caller) = (&state.app, (&*caller).into());
    let page = match number {
        Some(number) => grant::search(app, caller, numbered(number, filter), page).await?,
        None => grant::list(app, caller, filter, page).await?,
    };
    Ok(ListOf::page(page.map(|it| GrantBody::from(&it)), &uri))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<GrantBody>, Problem> {
    let view = grant::get(&state.app, (&*caller).into(), path_id(&id)?).await?;
    Ok(axum::Json(GrantBody::from(&view)))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<RevokeInput>,
) -> Result<axum::Json<GrantBody>, Problem> {
    let reason = REVOKE_REASON.parse(input.reason.as_deref().unwrap_or_default());
    let reason = reason.map_err(|error| Problem::field("reason", &error))?;
    let caller = (&*caller).into();
    let view = grant::revoke(&state.app, &context, caller, path_id(&id)?, reason).await?;
    Ok(axum::Json(GrantBody::from(&view)))
}
