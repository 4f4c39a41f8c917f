//! `/console/pax/{paxId}/content`.

use axum::extract::State;
use grantor_domain::content::{Content, ContentUrl, MAX_AUTHOR, MAX_TITLE};
use grantor_domain::error::Fields;
use grantor_domain::id::PaxId;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::sighting::{self, Checked, MOST_ITEMS, Sighted};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Created;
use super::path_id;
use crate::describe::value;
use crate::frame::caller::Insider;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Content to be checked.
#[derive(Deserialize, ToSchema)]
pub(super) struct ContentInput {
    /// 1 to 100 of them.
    #[schema(required, nullable = false, min_items = 1, max_items = 100)]
    items: Option<Vec<ItemInput>>,
}

/// A piece of content.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentItem)]
struct ItemInput {
    /// Where it is, http or https.
    #[schema(required, nullable = false, inline, value_type = value::Url)]
    url: Option<String>,
    /// At most 500 characters.
    #[schema(required, nullable = false, inline, value_type = value::ContentTitle)]
    title: Option<String>,
    /// Plain text or HTML.
    #[schema(required, nullable = false)]
    text: Option<String>,
    /// The picture that goes with it: it is fetched, at most 10 MiB of JPEG, PNG or WebP.
    #[schema(inline, value_type = Option<value::Url>)]
    image_url: Option<String>,
    /// At most 200 characters.
    #[schema(inline, value_type = Option<value::Author>)]
    author: Option<String>,
    #[schema(inline, value_type = Option<value::Instant>)]
    published_at: Option<String>,
}

/// What was found.
#[derive(Serialize, ToSchema)]
pub(super) struct CheckedBody {
    /// In the order the content came.
    items: Vec<ItemBody>,
}

/// What was found in a piece of content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ItemBody {
    /// Where it is, as it was sent.
    url: String,
    /// The same in the form that tells it from others, which mentions bear.
    canonical_url: String,
    /// One for each person who is seen.
    mentions: Vec<SightingBody>,
    /// How many more people it names than are kept; where it names that many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    left_out: Option<usize>,
    /// Why the picture was not looked at, where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    image_error: Option<String>,
}

/// A mention as the platform is told of it: what its rights holder makes of it is theirs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SightingBody {
    #[schema(inline, value_type = value::Id)]
    mention_id: String,
    /// The oldest license over the person that is watched, of those your organization holds if it holds one.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// text or image.
    #[schema(inline, value_type = value::MediaTypeName)]
    media_type: &'static str,
    #[serde(rename = "match")]
    found: FoundBody,
    excerpt: String,
    /// licensed, unlicensed or `needs_review`.
    #[schema(inline, value_type = value::VerdictName)]
    verdict: &'static str,
    /// Which rule says so.
    verdict_reason: String,
    revision: u32,
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
}

/// By what somebody was recognized.
#[derive(Serialize, ToSchema)]
struct FoundBody {
    /// name or image.
    #[schema(inline, value_type = value::MatchKindName)]
    kind: &'static str,
    /// The name, or the id of the reference image.
    term: String,
    /// From 0 to 1.
    confidence: f64,
    /// In how many of 256 bits the pictures differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    distance: Option<u32>,
}

impl From<Sighted> for SightingBody {
    fn from(Sighted { shown, .. }: Sighted) -> Self {
        let mention = shown.mention;
        let found = mention.found;
        Self {
            mention_id: mention.id.to_string(),
            license_id: shown.license.to_string(),
            media_type: mention.media_type.name(),
            found: FoundBody {
                kind: found.kind.name(),
                term: found.term,
                confidence: found.confidence,
                distance: found.distance,
            },
            excerpt: mention.excerpt,
            verdict: mention.verdict.name(),
            verdict_reason: mention.verdict_reason,
            revision: mention.revision,
            first_seen_at: mention.first_seen_at,
            last_seen_at: mention.last_seen_at,
        }
    }
}

impl ItemBody {
    fn of(url: String, checked: Checked) -> Self {
        Self {
            url,
            canonical_url: checked.url.as_str().to_owned(),
            mentions: checked.sighted.into_iter().map(SightingBody::from).collect(),
            left_out: Some(checked.left_out).filter(|it| *it > 0),
            image_error: checked.picture_error,
        }
    }
}

impl ContentInput {
    /// Reads all of them; each member that does not fit is named.
    fn read(self) -> Result<Vec<Content>> {
        let mut fields = Fields::default();
        let items = self.items.unwrap_or_else(|| {
            fields.add("items", "is required");
            vec![]
        });
        // The first message of a field stays.
        if !(1..=MOST_ITEMS).contains(&items.len()) {
            fields.add("items", format!("must hold 1 to {MOST_ITEMS}"));
        }
        let read = items.into_iter().enumerate().map(|(at, item)| item.read(at, &mut fields));
        let read: Vec<Option<Content>> = read.collect();
        fields.finish()?;
        let read: Option<Vec<Content>> = read.into_iter().collect();
        read.ok_or_else(|| Error::validation("Some fields are not valid"))
    }
}

impl ItemInput {
    fn read(self, at: usize, fields: &mut Fields) -> Option<Content> {
        let name = |member: &str| format!("items.{at}.{member}");
        let needed = |given: Option<String>| given.ok_or_else(|| "is required".to_owned());
        let url = needed(self.url).and_then(|it| ContentUrl::parse(&it));
        let url = fields.take(&name("url"), url);
        let title = needed(self.title).and_then(|it| short(&it, MAX_TITLE));
        let title = fields.take(&name("title"), title);
        let text = fields.take(&name("text"), needed(self.text));
        let image_url = self.image_url.map(|it| ContentUrl::parse(&it)).transpose();
        let image_url = fields.take(&name("imageUrl"), image_url);
        let author = self.author.map(|it| short(&it, MAX_AUTHOR)).transpose();
        let author = fields.take(&name("author"), author);
        let published_at = self.published_at.map(|it| Timestamp::parse(&it)).transpose();
        let published_at = fields.take(&name("publishedAt"), published_at);
        Some(Content {
            url: url?,
            title: title?,
            text: text?,
            image_url: image_url?,
            author: author?.filter(|it| !it.is_empty()),
            published_at: published_at?,
        })
    }
}

fn short(text: &str, most: usize) -> Result<String, String> {
    if text.chars().count() > most {
        return Err(format!("must be at most {most} characters"));
    }
    Ok(text.trim().to_owned())
}

pub(super) async fn push(
    State(state): State<ApiState>,
    Insider(context): Insider,
    Segment(id): Segment,
    Json(asked): Json<ContentInput>,
) -> Result<Created<CheckedBody>, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    let sent = asked.items.iter().flatten().map(|it| it.url.clone().unwrap_or_default());
    let sent: Vec<String> = sent.collect();
    let checked = sighting::push(&state.app, &context, id, asked.read()?).await?;
    let items = sent.into_iter().zip(checked).map(|(url, it)| ItemBody::of(url, it)).collect();
    Ok(Created(CheckedBody { items }, "The content was checked"))
}
