//! `/decisions`.

use axum::extract::State;
use grantor_domain::decision::{Closest, Question};
use grantor_domain::error::Fields;
use grantor_domain::license::{LicenseType, Territory, Uses};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::decision::{self, Asked, Decided, Subject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::license::TypeKey;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The maximum number of questions in a request.
const MAX: usize = 1_000;

/// Questions about uses of likenesses.
#[derive(Deserialize, ToSchema)]
#[schema(as = Questions)]
pub(super) struct QuestionsInput {
    /// The questions. 1 to 1000.
    #[schema(required, nullable = false, min_items = 1, max_items = 1000)]
    questions: Option<Vec<QuestionInput>>,
}

/// May a party use a likeness in this way, place and moment? Has either `license_id` or `talent_id`.
#[derive(Deserialize, ToSchema)]
#[schema(as = Question)]
struct QuestionInput {
    /// The license.
    #[schema(inline, value_type = Option<value::Id>)]
    license_id: Option<String>,
    /// The talent, for any of the talent's licenses that the caller can view.
    #[schema(inline, value_type = Option<value::Id>)]
    talent_id: Option<String>,
    /// The use.
    #[serde(rename = "use")]
    #[schema(required, nullable = false, inline, value_type = value::UseName)]
    usage: Option<String>,
    /// The territory.
    #[schema(required, nullable = false, value_type = value::Territory)]
    territory: Option<String>,
    /// The moment; now by default. A grant counts from its acceptance, even if its terms begin earlier.
    #[schema(inline, value_type = Option<value::Instant>)]
    at: Option<String>,
    /// The tenant that would use the likeness. The caller's own by default; another only for
    /// licenses that the caller owns.
    #[schema(inline, value_type = Option<value::Id>)]
    party: Option<String>,
}

impl QuestionInput {
    fn parse(&self, prefix: &str, now: Timestamp, fields: &mut Fields) -> Option<Asked> {
        let at = |name: &str| format!("{prefix}.{name}");
        let subject = match (&self.license_id, &self.talent_id) {
            (Some(id), None) => fields.take(&at("license_id"), id.parse()).map(Subject::License),
            (None, Some(id)) => fields.take(&at("talent_id"), id.parse()).map(Subject::Talent),
            _ => {
                fields.add(prefix, "must have either license_id or talent_id");
                None
            }
        };
        let usage = fields.take(&at("use"), parse_use(self.usage.as_deref().unwrap_or_default()));
        let territory = Territory::parse(self.territory.as_deref().unwrap_or_default());
        let territory = territory.map_err(|_| "must be an ISO 3166-1 alpha-2 code or WORLD");
        let territory = fields.take(&at("territory"), territory);
        let moment = self.at.as_deref().map(Timestamp::parse).transpose();
        let moment = fields.take(&at("at"), moment);
        let party = self.party.as_deref().map(str::parse).transpose();
        let party = fields.take(&at("party"), party);
        let question =
            Question { usage: usage?, territory: territory?, at: moment?.unwrap_or(now) };
        Some(Asked { subject: subject?, question, party: party? })
    }
}

fn parse_use(key: &str) -> Result<LicenseType, String> {
    let found = Uses::known().find(|it| it.key() == key);
    let keys = || Uses::known().map(LicenseType::key).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("must be one of {}", keys()))
}

/// The answers, in the order of the questions.
#[derive(Serialize, ToSchema)]
#[schema(as = Decisions)]
pub(super) struct DecisionsBody {
    /// The answers.
    decisions: Vec<DecisionBody>,
}

/// The answer to a question.
#[derive(Serialize, ToSchema)]
#[schema(as = Decision)]
pub(super) struct DecisionBody {
    /// Whether the use is allowed, denied, or can be asked for.
    #[schema(inline, value_type = value::DecisionName)]
    decision: &'static str,
    /// The reasons.
    reasons: Vec<ReasonBody>,
    /// The smallest change of the question that would make it allowed, if there is one. For a time
    /// before the license existed, `at` is the first moment at which the use is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    closest: Option<ClosestBody>,
}

/// The reason of a decision.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionReason)]
struct ReasonBody {
    /// The reason's code.
    #[schema(inline, value_type = value::ReasonCodeName)]
    code: &'static str,
    /// The reason for a person.
    message: &'static str,
    /// The license that the reason is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, inline, value_type = Option<value::Id>)]
    license_id: Option<String>,
    /// The number of the grant that the reason is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    grant_number: Option<String>,
}

/// The members of the question to change.
#[derive(Serialize, ToSchema)]
#[schema(as = ClosestQuestion)]
struct ClosestBody {
    /// Another use.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    usage: Option<TypeKey>,
    /// Another territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<value::Territory>)]
    territory: Option<String>,
    /// Another moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
}

impl From<Closest> for ClosestBody {
    fn from(closest: Closest) -> Self {
        Self {
            usage: closest.usage.map(TypeKey::from),
            territory: closest.territory.map(|it| it.to_string()),
            at: closest.at,
        }
    }
}

impl From<Decided> for DecisionBody {
    fn from(decided: Decided) -> Self {
        let reasons = decided.reasons.into_iter().map(|(reason, license)| ReasonBody {
            code: reason.code.name(),
            message: reason.code.message(),
            license_id: license.map(|it| it.to_string()),
            grant_number: reason.grant.map(|it| it.to_string()),
        });
        Self {
            decision: decided.decision.name(),
            reasons: reasons.collect(),
            closest: decided.closest.map(ClosestBody::from),
        }
    }
}

pub(super) async fn decide(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Json(input): Json<QuestionsInput>,
) -> Result<axum::Json<DecisionsBody>, Problem> {
    let questions = input.questions.unwrap_or_default();
    if questions.is_empty() || questions.len() > MAX {
        return Err(Error::field("questions", "must contain 1 to 1000 questions").into());
    }
    let (now, mut fields) = (state.app.clock.now(), Fields::default());
    let asked = questions
        .iter()
        .enumerate()
        .filter_map(|(at, it)| it.parse(&format!("questions.{at}"), now, &mut fields));
    let asked: Vec<_> = asked.collect();
    fields.finish()?;
    let decided = decision::decide_all(&state.app, (&*caller).into(), asked).await?;
    Ok(axum::Json(DecisionsBody { decisions: decided.into_iter().map(Into::into).collect() }))
}
