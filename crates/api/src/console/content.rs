//! `/console/pax/{paxId}/content`.

use axum::extract::State;
use grantor_domain::content::{Content, ContentImage, ContentUrl, MAX_AUTHOR, MAX_TITLE};
use grantor_domain::error::Fields;
use grantor_domain::id::PaxId;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::watching::sighting::{self, MAX_ITEMS, PushResult, RecordedMention};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Created;
use super::path_id;
use crate::frame::caller::UserOrClient;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::placement::PlacementBody;

/// The content to scan.
#[derive(Deserialize, ToSchema)]
pub(super) struct ContentInput {
    /// The content items. 1 to 100.
    #[schema(required, nullable = false, min_items = 1, max_items = 100)]
    items: Option<Vec<ItemInput>>,
}

/// A content item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentItem)]
struct ItemInput {
    /// The content's HTTP or HTTPS URL.
    #[schema(required, nullable = false, inline, value_type = value::Url)]
    url: Option<String>,
    /// The content's title. At most 500 characters.
    #[schema(required, nullable = false, inline, value_type = value::ContentTitle)]
    title: Option<String>,
    /// The content's text, as plain text or HTML.
    #[schema(required, nullable = false)]
    text: Option<String>,
    /// The URL of the content's image, which the server downloads: JPEG, PNG or WebP of up to 10
    /// MiB.
    #[schema(inline, value_type = Option<value::Url>)]
    image_url: Option<String>,
    /// The content's author. At most 200 characters.
    #[schema(inline, value_type = Option<value::Author>)]
    author: Option<String>,
    /// When the content was published.
    #[schema(inline, value_type = Option<value::Instant>)]
    published_at: Option<String>,
}

/// The result of a scan.
#[derive(Serialize, ToSchema)]
pub(super) struct CheckedBody {
    /// The result of each item, in the order of the request.
    items: Vec<ItemBody>,
}

/// The result of scanning a content item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ItemBody {
    /// The URL as sent.
    url: String,
    /// The canonical URL, as in mentions.
    canonical_url: String,
    /// The mentions, one for each recognized talent.
    mentions: Vec<SightingBody>,
    /// The number of recognized talents over the limit per item. Only present if some were left
    /// out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    left_out: Option<usize>,
    /// Why the image was not scanned. Only present if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    image_error: Option<String>,
}

/// A mention as platforms see it, without the rights holder's review.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SightingBody {
    /// The mention's ID.
    #[schema(inline, value_type = value::Id)]
    mention_id: String,
    /// The talent's oldest monitored license. Licenses shared with your organization come first.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The media type of the match: `text` or `image`.
    #[schema(inline, value_type = value::MediaTypeName)]
    media_type: &'static str,
    #[serde(rename = "match")]
    found: MatchBody,
    /// The text around the match.
    excerpt: String,
    /// The verdict: `licensed`, `unlicensed` or `needs_review`.
    #[schema(inline, value_type = value::VerdictName)]
    verdict: &'static str,
    /// The rule behind the verdict. Only the licensor and the licensee of a grant read its number.
    verdict_reason: String,
    /// Incremented when the content changes.
    revision: u32,
    /// When the mention was first seen.
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    /// When the mention was last seen.
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
}

/// How the talent was recognized.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundBody)]
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
    confidence: f64,
    /// The number of bits, out of 256, in which the two likeness hashes differ. Only for the method
    /// `perceptual_hash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    distance: Option<u32>,
    /// Where the picture shows the reference image. Only for the method `local_features`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    placement: Option<PlacementBody>,
}

impl From<RecordedMention> for SightingBody {
    fn from(RecordedMention { shown, reason, .. }: RecordedMention) -> Self {
        let mention = shown.mention;
        let found = mention.found;
        Self {
            mention_id: mention.id.to_string(),
            license_id: shown.license.to_string(),
            media_type: mention.media_type.name(),
            found: MatchBody {
                kind: found.kind.name(),
                method: found.method().name(),
                term: found.term,
                confidence: found.confidence,
                distance: found.distance,
                placement: found.placement.map(PlacementBody::from),
            },
            excerpt: mention.excerpt,
            verdict: mention.verdict.name(),
            verdict_reason: reason,
            revision: mention.revision,
            first_seen_at: mention.first_seen_at,
            last_seen_at: mention.last_seen_at,
        }
    }
}

impl ItemBody {
    fn of(url: String, checked: PushResult) -> Self {
        Self {
            url,
            canonical_url: checked.url.as_str().to_owned(),
            mentions: checked.mentions.into_iter().map(SightingBody::from).collect(),
            left_out: Some(checked.left_out).filter(|it| *it > 0),
            image_error: checked.picture_error,
        }
    }
}

impl ContentInput {
    /// Parses the items. Reports all invalid fields.
    fn read(self) -> Result<Vec<Content>> {
        let mut fields = Fields::default();
        let items = self.items.unwrap_or_else(|| {
            fields.add("items", "is required");
            vec![]
        });
        // `add` keeps the first message of a field.
        if !(1..=MAX_ITEMS).contains(&items.len()) {
            fields.add("items", format!("must contain 1 to {MAX_ITEMS} items"));
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
            images: image_url?
                .into_iter()
                .map(|url| ContentImage { url, alt: String::new() })
                .collect(),
            author: author?.filter(|it| !it.is_empty()),
            published_at: published_at?,
        })
    }
}

fn short(text: &str, max: usize) -> Result<String, String> {
    if text.chars().count() > max {
        return Err(format!("must be at most {max} characters"));
    }
    Ok(text.trim().to_owned())
}

pub(super) async fn push(
    State(state): State<ApiState>,
    UserOrClient(context): UserOrClient,
    Segment(id): Segment,
    Json(input): Json<ContentInput>,
) -> Result<Created<CheckedBody>, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    let sent = input.items.iter().flatten().map(|it| it.url.clone().unwrap_or_default());
    let sent: Vec<String> = sent.collect();
    let checked = sighting::push(&state.app, &context, id, input.read()?).await?;
    let items = sent.into_iter().zip(checked).map(|(url, it)| ItemBody::of(url, it)).collect();
    Ok(Created(CheckedBody { items }, "Content scanned"))
}
