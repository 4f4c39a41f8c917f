//! `/licenses/{id}/mentions`, `/mentions/{id}`.

use axum::extract::State;
use grantor_domain::mention::{Match, MentionParams, MentionQuery, Review};
use grantor_domain::patch::Patch;
use grantor_domain::permission::LicenseAct;
use grantor_domain::{Result, Timestamp};
use grantor_service::watching::mention::{self, MentionView};
use http::Uri;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::path_id;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{ListOf, ResponseOf};
use crate::frame::extract::{Query, Segment};
use crate::frame::ignored_fields::JsonWithIgnored;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::placement::PlacementBody;

/// The query parameters. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only return mentions with this status.
    #[param(inline, value_type = Option<value::MentionStatusName>)]
    status: Option<String>,
    /// Only return mentions with this verdict.
    #[param(inline, value_type = Option<value::VerdictName>)]
    verdict: Option<String>,
    /// Only return mentions on this platform.
    #[param(inline, value_type = Option<value::Id>)]
    platform_id: Option<String>,
    /// Only return mentions first seen at or after this time.
    #[param(inline, value_type = Option<value::Instant>)]
    from: Option<String>,
    /// Only return mentions first seen before this time.
    #[param(inline, value_type = Option<value::Instant>)]
    to: Option<String>,
    /// The sort order by first-seen time.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// The review of a mention.
#[derive(Deserialize, ToSchema)]
#[schema(as = MentionDecision)]
pub(super) struct DecisionInput {
    /// The new status: `confirmed` if it is the talent, `dismissed` if it is not, `new` to undo the
    /// decision. If omitted or null, it is unchanged.
    #[schema(inline, value_type = Option<value::MentionStatusName>)]
    status: Option<String>,
    /// Whether the rights holder is fine with the use. Only for a confirmed mention. If omitted, it is
    /// unchanged, but no longer set when the mention is dismissed or new; null removes it.
    #[serde(default, deserialize_with = "flag_or_null")]
    #[schema(value_type = Option<bool>)]
    allowed: Patch<bool>,
    /// The reason. At most 1000 characters. If omitted, the note is unchanged; null or empty
    /// removes it.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Note>)]
    note: Patch<String>,
}

/// Reads a flag that null clears.
fn flag_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Patch<bool>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(Patch::Clear),
        Value::Bool(flag) => Ok(Patch::Set(flag)),
        _ => Err(D::Error::custom("must be true, false or null")),
    }
}

/// An appearance of a talent at one URL.
#[derive(Serialize, ToSchema)]
#[schema(as = Mention)]
pub(super) struct MentionBody {
    /// The mention's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The license in the request, or else the oldest license that the caller can view and that
    /// covers the mention.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The platform it was found on. Null if a source found it.
    platform: Option<PlatformBody>,
    /// The source that found it. Null for a platform's mention, and after the source was deleted.
    /// Only the organization that watches the source reads its ID and name; others read null and the
    /// host of `url`.
    source: Option<SourceBody>,
    /// The canonical URL of the content.
    url: String,
    /// The title of the content.
    title: String,
    /// The text around the match. At most 500 characters.
    excerpt: String,
    /// The author of the content, if known.
    author: Option<String>,
    /// The media type of the match: `text` or `image`.
    #[schema(inline, value_type = value::MediaTypeName)]
    media_type: &'static str,
    #[serde(rename = "match")]
    found: MatchBody,
    /// Whether the appearance is licensed.
    #[schema(inline, value_type = value::VerdictName)]
    verdict: &'static str,
    /// The rule behind the verdict. Only the licensor and the licensee of a grant read its number.
    verdict_reason: String,
    /// The review status.
    #[schema(inline, value_type = value::MentionStatusName)]
    status: &'static str,
    /// Whether the rights holder is fine with the use. Null if nobody decided that.
    allowed: Option<bool>,
    /// The name of the person or of the API client that decided last. Null if nothing is decided.
    decided_by: Option<String>,
    /// When that was decided.
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// The reason for confirming or dismissing the mention. Only visible to trustees and licensors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, required = false)]
    #[expect(clippy::option_option, reason = "absent for viewers, null without a note")]
    note: Option<Option<String>>,
    /// When the content was published, if known.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// When the mention was first seen.
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    /// When the mention was last seen.
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
    /// Incremented when the content changes.
    revision: u32,
}

/// The platform of the mention.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionPlatform)]
struct PlatformBody {
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The platform's name.
    name: String,
}

/// The source of the mention.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionSource)]
struct SourceBody {
    /// The source's ID for the organization that watches it; null for others.
    #[schema(required, inline, value_type = Option<value::Id>)]
    id: Option<String>,
    /// The source's name for the organization that watches it; the host of `url` for others.
    name: String,
}

/// How the talent was recognized.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionMatch)]
struct MatchBody {
    /// The kind of match: `name` or `image`.
    #[schema(inline, value_type = value::MatchKindName)]
    kind: &'static str,
    /// How it was recognized.
    #[schema(inline, value_type = value::CheckMethodName)]
    method: &'static str,
    /// The matched name, or the ID of the matched reference image.
    term: String,
    /// The confidence, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// The number of bits in which the two likeness hashes differ. Only for the method
    /// `perceptual_hash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    /// Where the picture shows the reference image. Only for the method `local_features`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    placement: Option<PlacementBody>,
}

impl From<Match> for MatchBody {
    fn from(found: Match) -> Self {
        let method = found.method().name();
        let Match { kind, term, confidence, distance, placement } = found;
        let placement = placement.map(PlacementBody::from);
        Self { kind: kind.name(), method, term, confidence, distance, placement }
    }
}

impl From<MentionView> for MentionBody {
    fn from(MentionView { shown, reason, place, source, role, .. }: MentionView) -> Self {
        let mention = shown.mention;
        let note = Some(mention.note.as_str().to_owned()).filter(|it| !it.is_empty());
        Self {
            id: mention.id.to_string(),
            license_id: shown.license.to_string(),
            platform: mention.platform.map(|id| PlatformBody {
                id: id.to_string(),
                name: shown.platform_name.unwrap_or_default(),
            }),
            source: mention
                .source
                .map(|_| SourceBody { id: source.map(|it| it.to_string()), name: place }),
            url: mention.url,
            title: mention.title,
            excerpt: mention.excerpt,
            author: mention.author,
            media_type: mention.media_type.name(),
            found: mention.found.into(),
            verdict: mention.verdict.name(),
            verdict_reason: reason,
            status: mention.status.name(),
            allowed: mention.allowed,
            decided_at: mention.decided.as_ref().map(|it| it.at),
            decided_by: mention.decided.map(|it| it.by_name),
            note: role.may(LicenseAct::ReviewMentions).then_some(note),
            published_at: mention.published_at,
            first_seen_at: mention.first_seen_at,
            last_seen_at: mention.last_seen_at,
            revision: mention.revision,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Segment(id): Segment,
    Query(params): Query<ListParams>,
) -> Result<ListOf<MentionBody>, Problem> {
    let id = path_id(&id)?;
    let query = parse(&params)?;
    let page = mention::list(&state.app, caller.reader(), id, query).await?;
    Ok(ListOf::page(page.map(MentionBody::from), &uri))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<MentionBody>, Problem> {
    let found = mention::get(&state.app, caller.reader(), path_id(&id)?).await?;
    Ok(axum::Json(found.into()))
}

pub(super) async fn decide(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    JsonWithIgnored { body: input, ignored }: JsonWithIgnored<DecisionInput>,
) -> Result<ResponseOf<MentionBody>, Problem> {
    let id = path_id(&id)?;
    let note = match &input.note {
        Patch::Keep => None,
        Patch::Clear => Some(""),
        Patch::Set(text) => Some(text.as_str()),
    };
    let decision = Review::parse(input.status.as_deref(), input.allowed, note)?;
    let found = mention::decide(&state.app, &context, caller.reader(), id, decision).await?;
    Ok(ResponseOf::new(axum::Json(MentionBody::from(found))).ignoring(&ignored))
}

fn parse(params: &ListParams) -> Result<MentionQuery> {
    let params = MentionParams {
        page: params.page.as_deref(),
        size: params.per_page.as_deref(),
        status: params.status.as_deref(),
        verdict: params.verdict.as_deref(),
        platform_id: params.platform_id.as_deref(),
        from: params.from.as_deref(),
        to: params.to.as_deref(),
        order: params.order.as_deref(),
    };
    MentionQuery::parse(&params, Api::External.page_rules())
}
