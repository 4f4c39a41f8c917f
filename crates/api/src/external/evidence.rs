//! `/mentions/{id}/evidence` and `/mentions/{id}/evidence.zip`.

use axum::body::Body;
use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use grantor_domain::check::CheckMethod;
use grantor_domain::evidence::{
    Evidence, FoundPicture, Headers, Mark, MissingPicture, ReferencePicture, StoredCopy,
};
use grantor_domain::id::MentionId;
use grantor_domain::image::ImageType;
use grantor_domain::page::{Listing, Page, PageRules};
use grantor_domain::{Result, Timestamp};
use grantor_service::watching::evidence::{self, CapsuleStream};
use http::{Uri, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, PartialSchema as _, ToSchema};

use super::path_id;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc, ResponseOf};
use crate::frame::extract::{Query, Segment};
use crate::frame::page::{Pagination, links};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::placement::PlacementBody;

/// The media type of a capsule.
const ZIP: &str = "application/zip";

/// A page may have all that most mentions have.
const PAGES: PageRules = PageRules { size_name: "per_page", default_size: 100, max_size: 100 };

/// Which revisions to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of revisions per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 100)]
    per_page: Option<String>,
}

impl ListParams {
    fn page(&self) -> Result<Page> {
        Page::parse(self.page.as_deref(), self.per_page.as_deref(), PAGES)
    }
}

/// What was seen of a mention.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionEvidence)]
pub(super) struct MentionEvidenceBody {
    /// The mention's ID.
    #[schema(inline, value_type = value::Id)]
    mention_id: String,
    /// The evidence of each revision on the page, oldest first.
    revisions: Vec<EvidenceBody>,
    pagination: Pagination,
}

/// What was seen of one revision of a mention.
#[derive(Serialize, ToSchema)]
#[schema(as = Evidence)]
struct EvidenceBody {
    /// The ID of the evidence.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The revision of the mention.
    revision: u32,
    /// When the content was received.
    #[schema(value_type = String, format = DateTime)]
    captured_at: Timestamp,
    /// Whether Grantor fetched the content, or a platform or hub pushed it.
    #[schema(inline, value_type = value::CaptureMethodName)]
    method: &'static str,
    /// The URL of the content.
    content_url: String,
    /// The URL that was read: of the content, or of the feed that contains it.
    url: String,
    /// The URL after redirects. Null if the content was pushed.
    final_url: Option<String>,
    /// The status of the response. Null if the content was pushed.
    status: Option<u16>,
    /// The response headers `content-type`, `date`, `etag`, `last-modified` and `server`.
    #[schema(value_type = Object)]
    headers: Headers,
    /// The SHA-256 of what was received, in hexadecimal. For content that a platform pushed, of its
    /// text.
    body_sha256: String,
    /// The text around the match.
    text: String,
    /// Where the matched words are in the text.
    marks: Vec<MarkBody>,
    #[serde(rename = "match")]
    found: EvidenceMatchBody,
    /// The picture in which the talent was recognized. Null if the talent was recognized by name.
    picture: Option<PictureBody>,
    /// The reference image by which the talent was recognized.
    reference: Option<ReferenceBody>,
    /// The hash of the revision before. Null for the first one.
    previous_sha256: Option<String>,
    /// The SHA-256 of this object as canonical JSON (RFC 8785) with `mention_id` and without this
    /// member, in hexadecimal.
    sha256: String,
}

/// Positions in characters, from 0.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceMark)]
struct MarkBody {
    /// The position of the first character.
    start: u32,
    /// The position after the last character.
    end: u32,
}

/// What the talent was recognized by.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceMatch)]
struct EvidenceMatchBody {
    /// The kind of match: `name` or `image`.
    #[schema(inline, value_type = value::MatchKindName)]
    kind: &'static str,
    /// The matched name, or the ID of the matched reference image.
    term: String,
    /// The number of bits in which the two likeness hashes differ. Null unless the method is
    /// `perceptual_hash`.
    distance: Option<u32>,
    /// How it was recognized. Evidence from before this was recorded has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, value_type = Option<value::CheckMethodName>, nullable = false)]
    method: Option<&'static str>,
    /// Where the picture shows the reference image. Only for the method `local_features`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    placement: Option<PlacementBody>,
    /// The probability that the match is right, from 0 to 1. Only for the method `local_features`.
    /// Evidence from before this was recorded has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 1)]
    confidence: Option<f64>,
}

/// A found picture.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidencePicture)]
struct PictureBody {
    /// The URL of the picture.
    url: String,
    /// The URL after redirects.
    final_url: Option<String>,
    /// The status of the response.
    status: Option<u16>,
    /// The response headers, like those of the content.
    #[schema(value_type = Object)]
    headers: Headers,
    /// The media type of the picture.
    #[schema(inline, value_type = Option<value::ImageTypeName>)]
    content_type: Option<&'static str>,
    /// The SHA-256 of the whole picture, in hexadecimal.
    sha256: Option<String>,
    /// The stored copy.
    copy: Option<CopyBody>,
    /// Why there is no copy: the picture could not be read, or the plan's storage is full.
    #[schema(inline, value_type = Option<value::MissingPictureName>)]
    missing: Option<&'static str>,
}

/// A copy of at most 512 pixels, as a JPEG. The ZIP file contains it.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceCopy)]
struct CopyBody {
    /// The SHA-256 of the copy, in hexadecimal.
    sha256: String,
    /// The length of the copy, in bytes.
    bytes: u32,
}

/// A reference image, which may have been deleted since.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceReference)]
struct ReferenceBody {
    /// The image's ID.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    /// The SHA-256 of the stored image, in hexadecimal.
    sha256: Option<String>,
    /// The stored copy.
    copy: Option<CopyBody>,
}

impl From<StoredCopy> for CopyBody {
    fn from(StoredCopy { sha256, bytes }: StoredCopy) -> Self {
        Self { sha256, bytes }
    }
}

impl From<FoundPicture> for PictureBody {
    fn from(picture: FoundPicture) -> Self {
        Self {
            url: picture.url,
            final_url: picture.final_url,
            status: picture.status,
            headers: picture.headers,
            content_type: picture.content_type.map(ImageType::name),
            sha256: picture.sha256,
            copy: picture.copy.map(CopyBody::from),
            missing: picture.missing.map(MissingPicture::name),
        }
    }
}

impl From<ReferencePicture> for ReferenceBody {
    fn from(ReferencePicture { image_id, sha256, copy }: ReferencePicture) -> Self {
        Self { image_id: image_id.to_string(), sha256, copy: copy.map(CopyBody::from) }
    }
}

impl From<Evidence> for EvidenceBody {
    fn from(evidence: Evidence) -> Self {
        let marks = evidence.marks.into_iter();
        let found = evidence.found;
        Self {
            id: evidence.id.to_string(),
            revision: evidence.revision,
            captured_at: evidence.captured_at,
            method: evidence.method.name(),
            content_url: evidence.content_url,
            url: evidence.url,
            final_url: evidence.final_url,
            status: evidence.status,
            headers: evidence.headers,
            body_sha256: evidence.body_sha256,
            text: evidence.text,
            marks: marks.map(|Mark { start, end }| MarkBody { start, end }).collect(),
            found: EvidenceMatchBody {
                kind: found.kind.name(),
                term: found.term,
                distance: found.distance,
                method: found.method.map(CheckMethod::name),
                placement: found.placement.map(PlacementBody::from),
                confidence: found.confidence,
            },
            picture: evidence.picture.map(PictureBody::from),
            reference: evidence.reference.map(ReferenceBody::from),
            previous_sha256: evidence.previous_sha256,
            sha256: evidence.sha256,
        }
    }
}

impl MentionEvidenceBody {
    fn new(mention: MentionId, found: Listing<Evidence>) -> Self {
        Self {
            mention_id: mention.to_string(),
            pagination: Pagination::from(&found),
            revisions: found.items.into_iter().map(EvidenceBody::from).collect(),
        }
    }
}

/// A ZIP file.
pub(super) struct ZipResponse(CapsuleStream);

impl IntoResponse for ZipResponse {
    fn into_response(self) -> Response {
        let name = format!("attachment; filename=\"{}\"", self.0.name());
        let kind = ZIP.to_owned();
        let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
        (headers, Body::from_stream(self.0.chunks())).into_response()
    }
}

impl DescribeResponse for ZipResponse {
    fn describe(doc: &mut OperationDoc) {
        doc.headers.push("Content-Disposition");
        doc.responses.push(ResponseDoc { status: 200, schema: value::Binary::schema() });
        doc.media_type = Some(ZIP);
    }
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Segment(id): Segment,
    Query(params): Query<ListParams>,
) -> Result<ResponseOf<MentionEvidenceBody>, Problem> {
    let (id, page) = (path_id(&id)?, params.page()?);
    let found = evidence::list(&state.app, caller.reader(), id, page).await?;
    let links = AppendHeaders(links(&found, &uri));
    let body = axum::Json(MentionEvidenceBody::new(id, found));
    Ok(ResponseOf::new((links, body)))
}

pub(super) async fn download(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<ZipResponse, Problem> {
    let file = evidence::capsule(&state.app, caller.reader(), path_id(&id)?).await?;
    Ok(ZipResponse(file))
}
