//! `/licenses/{id}/mentions`, `/mentions/{id}`.

use axum::extract::State;
use grantor_domain::mention::{AskedMentions, Decision, Match, MentionQuery};
use grantor_domain::patch::Patch;
use grantor_domain::permission::LicenseAct;
use grantor_domain::{Result, Timestamp};
use grantor_service::mention::{self, Seen};
use http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::path_id;
use crate::describe::Lists;
use crate::describe::value;
use crate::frame::caller::Integration;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// What can be asked. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only mentions of this status.
    #[param(inline, value_type = Option<value::MentionStatusName>)]
    status: Option<String>,
    /// Only mentions of this verdict.
    #[param(inline, value_type = Option<value::VerdictName>)]
    verdict: Option<String>,
    /// Only mentions on this platform.
    #[param(inline, value_type = Option<value::Id>)]
    platform_id: Option<String>,
    /// Only mentions first seen at or after this instant.
    #[param(inline, value_type = Option<value::Instant>)]
    from: Option<String>,
    /// Only mentions first seen before this instant.
    #[param(inline, value_type = Option<value::Instant>)]
    to: Option<String>,
    /// In which order they were first seen.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// A decision on a mention.
#[derive(Deserialize, ToSchema)]
#[schema(as = MentionDecision)]
pub(super) struct DecisionInput {
    #[schema(required, nullable = false, inline, value_type = value::DecisionName)]
    status: Option<String>,
    /// Why, in at most 1000 characters; left out it stays, null or empty it goes.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Note>)]
    note: Patch<String>,
}

/// A recorded sighting of a licensed person: one of a talent at an address (contract section 4).
#[derive(Serialize, ToSchema)]
#[schema(as = Mention)]
pub(super) struct MentionBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The license that was asked through, else the oldest that the caller sees and that lists it.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    platform: PlatformBody,
    /// The canonical address.
    url: String,
    title: String,
    /// At most 500 characters around the match.
    excerpt: String,
    author: Option<String>,
    /// text or image.
    #[schema(inline, value_type = value::MediaTypeName)]
    media_type: &'static str,
    #[serde(rename = "match")]
    found: MatchBody,
    #[schema(inline, value_type = value::VerdictName)]
    verdict: &'static str,
    /// Which rule says so.
    verdict_reason: String,
    #[schema(inline, value_type = value::MentionStatusName)]
    status: &'static str,
    /// Why it was confirmed or dismissed; only for trustees and licensors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, required = false)]
    #[expect(clippy::option_option, reason = "not there for viewers, null where there is none")]
    note: Option<Option<String>>,
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
    /// Raised when the content changed.
    revision: u32,
}

/// Where it was seen.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionPlatform)]
struct PlatformBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    name: String,
}

/// By what it was known, and how surely.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionMatch)]
struct MatchBody {
    /// name or image.
    #[schema(inline, value_type = value::MatchKindName)]
    kind: &'static str,
    /// The name, or the id of the reference image.
    term: String,
    /// From 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// How many bits two images differ in.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

impl From<Match> for MatchBody {
    fn from(found: Match) -> Self {
        let Match { kind, term, confidence, distance } = found;
        Self { kind: kind.name(), term, confidence, distance }
    }
}

impl From<Seen> for MentionBody {
    fn from(Seen { shown, role }: Seen) -> Self {
        let mention = shown.mention;
        let note = Some(mention.note.as_str().to_owned()).filter(|it| !it.is_empty());
        Self {
            id: mention.id.to_string(),
            license_id: shown.license.to_string(),
            platform: PlatformBody { id: mention.platform.to_string(), name: shown.platform_name },
            url: mention.url,
            title: mention.title,
            excerpt: mention.excerpt,
            author: mention.author,
            media_type: mention.media_type.name(),
            found: mention.found.into(),
            verdict: mention.verdict.name(),
            verdict_reason: mention.verdict_reason,
            status: mention.status.name(),
            note: role.may(LicenseAct::DecideMentions).then_some(note),
            published_at: mention.published_at,
            first_seen_at: mention.first_seen_at,
            last_seen_at: mention.last_seen_at,
            revision: mention.revision,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    uri: Uri,
    Segment(id): Segment,
    Query(asked): Query<Asked>,
) -> Result<Lists<MentionBody>, Problem> {
    let id = path_id(&id)?;
    let query = parse(&asked)?;
    let page = mention::list(&state.app, caller.reader(), id, query).await?;
    let links = links(&page, &uri);
    let body = axum::Json(ListBody::from(page.map(MentionBody::from)));
    Ok(Lists::new((axum::response::AppendHeaders(links), body)))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    Segment(id): Segment,
) -> Result<axum::Json<MentionBody>, Problem> {
    let seen = mention::get(&state.app, caller.reader(), path_id(&id)?).await?;
    Ok(axum::Json(seen.into()))
}

pub(super) async fn decide(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
    Json(asked): Json<DecisionInput>,
) -> Result<axum::Json<MentionBody>, Problem> {
    let id = path_id(&id)?;
    let note = match &asked.note {
        Patch::Keep => None,
        Patch::Clear => Some(""),
        Patch::Set(text) => Some(text.as_str()),
    };
    let decision = Decision::parse(asked.status.as_deref(), note)?;
    let seen = mention::decide(&state.app, &context, caller.reader(), id, decision).await?;
    Ok(axum::Json(seen.into()))
}

fn parse(asked: &Asked) -> Result<MentionQuery> {
    let asked = AskedMentions {
        page: asked.page.as_deref(),
        size: asked.per_page.as_deref(),
        status: asked.status.as_deref(),
        verdict: asked.verdict.as_deref(),
        platform_id: asked.platform_id.as_deref(),
        from: asked.from.as_deref(),
        to: asked.to.as_deref(),
        order: asked.order.as_deref(),
    };
    MentionQuery::parse(&asked, Surface::External.page_rules())
}
