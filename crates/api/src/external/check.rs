//! `/checks`.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::check::{CheckInput, CheckParams};
use grantor_domain::likeness::Region;
use grantor_service::watching::check::{self, CheckMatch, Checked, Skipped};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::decision::DecisionBody;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::form::{Form, JsonOrForm, JsonOrImage};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::placement::PlacementBody;

/// Why a picture in a JSON body is refused.
const IMAGE_IN_JSON: &str = "must be a file in a multipart/form-data request; for the address of a \
                             picture, use image_url";

/// What to check: exactly one of these members, or a form with an image.
#[derive(Deserialize, ToSchema)]
#[schema(as = Check)]
pub(super) struct CheckBody {
    /// The address of a picture.
    #[schema(inline, value_type = Option<value::Url>)]
    image_url: Option<String>,
    /// The address of a page, which is checked with up to 10 of its pictures, of a feed or of a
    /// picture.
    #[schema(inline, value_type = Option<value::Url>)]
    url: Option<String>,
    /// A text, plain or HTML. At most 102,400 bytes of UTF-8.
    #[schema(inline, value_type = Option<value::CheckText>)]
    text: Option<String>,
    /// Always refused: a picture is sent as a form.
    #[schema(ignore)]
    image: Option<serde_json::Value>,
}

/// The result of a check.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckResult)]
pub(super) struct CheckResultBody {
    /// The licenses whose talents were recognized, most confident first. Only public licenses and
    /// those that the caller can view.
    matches: Vec<CheckMatchBody>,
    /// Pictures of a page that could not be checked.
    skipped: Vec<SkippedBody>,
}

/// A license whose talent was recognized.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckMatch)]
struct CheckMatchBody {
    talent: CheckTalentBody,
    /// The license. For a name, the talent's license with the best decision.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// What was recognized: a `name` or an `image`.
    #[schema(inline, value_type = value::MatchKindName)]
    kind: &'static str,
    /// How it was recognized.
    #[schema(inline, value_type = value::CheckMethodName)]
    method: &'static str,
    /// The name that was found. Only for names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    term: Option<String>,
    /// Whether the match is strong. A weak one should be reviewed by a person.
    strong: bool,
    /// The confidence, from 0 to 1. For the method `local_features`, the probability that the match is
    /// right, from a curve fitted to labelled pairs.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// The number of bits in which the hashes of the picture and of the reference image differ. Up
    /// to 31 bits are a strong match. Only for the method `perceptual_hash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 47)]
    distance: Option<u32>,
    /// The part of the picture that was recognized, if it was not the whole picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    region: Option<RegionBody>,
    /// Where the picture shows the reference image. Only for the method `local_features`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    placement: Option<PlacementBody>,
    /// Whether the caller may use the likeness now, in any way and place that the license covers.
    decision: DecisionBody,
}

/// The talent of the license.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckTalent)]
struct CheckTalentBody {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The talent's name.
    name: String,
}

/// A part of a picture, as shares of its width and height.
#[derive(Serialize, ToSchema)]
#[schema(as = PictureRegion)]
struct RegionBody {
    /// The left edge.
    #[schema(minimum = 0, maximum = 1)]
    x: f64,
    /// The top edge.
    #[schema(minimum = 0, maximum = 1)]
    y: f64,
    /// The width.
    #[schema(minimum = 0, maximum = 1)]
    width: f64,
    /// The height.
    #[schema(minimum = 0, maximum = 1)]
    height: f64,
}

/// A picture that could not be checked.
#[derive(Serialize, ToSchema)]
#[schema(as = SkippedPicture)]
struct SkippedBody {
    /// Its address.
    url: String,
    /// The reason.
    reason: String,
}

impl From<Region> for RegionBody {
    fn from(Region { x, y, width, height }: Region) -> Self {
        let share = |thousandths: u16| f64::from(thousandths) / 1_000.0;
        Self { x: share(x), y: share(y), width: share(width), height: share(height) }
    }
}

impl From<CheckMatch> for CheckMatchBody {
    fn from(found: CheckMatch) -> Self {
        let license = found.license;
        let talent = CheckTalentBody { id: license.talent.to_string(), name: license.talent_name };
        Self {
            talent,
            license_id: license.id.to_string(),
            kind: found.kind.name(),
            method: found.method.name(),
            term: found.term,
            strong: found.strong,
            confidence: found.confidence,
            distance: found.distance,
            region: found.region.map(RegionBody::from),
            placement: found.placement.map(PlacementBody::from),
            decision: found.decided.into(),
        }
    }
}

impl From<Skipped> for SkippedBody {
    fn from(Skipped { url, reason }: Skipped) -> Self {
        Self { url, reason }
    }
}

impl From<Checked> for CheckResultBody {
    fn from(Checked { matches, skipped }: Checked) -> Self {
        let matches = matches.into_iter().map(Into::into).collect();
        Self { matches, skipped: skipped.into_iter().map(Into::into).collect() }
    }
}

/// Reads a form. Its text fields have the names of the JSON members.
fn form_params(form: Form) -> CheckParams {
    let text = |name: &str| {
        let found = form.texts.iter().find(|(it, _)| it == name);
        found.map(|(_, text)| text.clone())
    };
    let (image_url, url, text) = (text("image_url"), text("url"), text("text"));
    let images = form.images.into_iter().map(|it| it.bytes).collect();
    CheckParams { images, image_url, url, text }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    JsonOrImage(body): JsonOrImage<CheckBody>,
) -> Result<axum::Json<CheckResultBody>, Problem> {
    let params = match body {
        JsonOrForm::Json(CheckBody { image: Some(_), .. }) => {
            return Err(Problem::field("image", IMAGE_IN_JSON));
        }
        JsonOrForm::Json(CheckBody { image_url, url, text, image: None }) => {
            CheckParams { images: vec![], image_url, url, text }
        }
        JsonOrForm::Form(form) => form_params(form),
    };
    let input = CheckInput::parse(params)?;
    let caller = Some((&*caller).into());
    let checked = check::check(&state.app, &context, caller, input).await?;
    Ok(axum::Json(checked.into()))
}
