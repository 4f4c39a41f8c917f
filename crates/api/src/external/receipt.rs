//! `/grants/{id}/receipt`, `/grants/{id}/certificate.pdf`, `/receipts/verify` and
//! `/status-lists/{number}`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_receipt::{MAX_LENGTH, Validity, Verification};
use grantor_service::licensing::receipt;
use grantor_service::licensing::receipt::certificate::{self, CertificateFile};
use http::header;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{PartialSchema as _, ToSchema};

use super::path_id;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc};
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The media type of a status list.
const STATUS_LIST: &str = "application/statuslist+jwt";
/// The media type of a certificate.
const PDF: &str = "application/pdf";

/// The signed proof of a grant, with every claim disclosed.
#[derive(Serialize, ToSchema)]
#[schema(as = Receipt)]
pub(super) struct ReceiptBody {
    /// The receipt as an SD-JWT VC (RFC 9901).
    receipt: String,
}

/// A receipt to verify.
#[derive(Deserialize, ToSchema)]
#[schema(as = ReceiptToVerify)]
pub(super) struct VerifyInput {
    /// The receipt. At most 64 KiB.
    #[schema(required, nullable = false, inline, value_type = value::ReceiptText)]
    receipt: Option<String>,
}

/// The result of a verification.
#[derive(Serialize, ToSchema)]
#[schema(as = ReceiptVerification)]
pub(super) struct VerificationBody {
    /// Whether the receipt is authentic, in force and not revoked.
    #[schema(inline, value_type = value::ValidityName)]
    valid: &'static str,
    /// Why the receipt is not valid, or not known to be. Empty if it is valid.
    #[schema(value_type = Vec<String>)]
    reasons: Vec<&'static str>,
    /// The claims, if the receipt is authentic.
    #[schema(value_type = Option<Object>)]
    claims: Option<Map<String, Value>>,
}

impl From<Verification> for VerificationBody {
    fn from(verification: Verification) -> Self {
        let valid = match verification.valid {
            Validity::Yes => "yes",
            Validity::No => "no",
            Validity::Unknown => "unknown",
        };
        let reasons = verification.reasons.into_iter().map(grantor_receipt::Reason::name);
        let claims = verification.claims.map(|it| it.as_json().clone());
        Self { valid, reasons: reasons.collect(), claims }
    }
}

/// A signed status list, which anybody may cache.
pub(super) struct StatusListResponse(String);

impl IntoResponse for StatusListResponse {
    fn into_response(self) -> Response {
        let headers =
            [(header::CONTENT_TYPE, STATUS_LIST), (header::CACHE_CONTROL, "public, max-age=60")];
        (headers, self.0).into_response()
    }
}

impl DescribeResponse for StatusListResponse {
    fn describe(doc: &mut OperationDoc) {
        let schema = value::NonEmpty::schema();
        doc.responses.push(ResponseDoc { status: 200, schema });
        doc.media_type = Some(STATUS_LIST);
    }
}

/// A PDF file.
pub(super) struct PdfResponse(CertificateFile);

impl IntoResponse for PdfResponse {
    fn into_response(self) -> Response {
        let Self(CertificateFile { name, pdf }) = self;
        let disposition = format!("attachment; filename=\"{name}\"");
        let kind = PDF.to_owned();
        ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], pdf)
            .into_response()
    }
}

impl DescribeResponse for PdfResponse {
    fn describe(doc: &mut OperationDoc) {
        doc.headers.push("Content-Disposition");
        doc.responses.push(ResponseDoc { status: 200, schema: value::Binary::schema() });
        doc.media_type = Some(PDF);
    }
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<ReceiptBody>, Problem> {
    let issued = receipt::issue(&state.app, (&*caller).into(), path_id(&id)?, None).await?;
    let (_, receipt) = issued;
    Ok(axum::Json(ReceiptBody { receipt }))
}

pub(super) async fn certificate(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<PdfResponse, Problem> {
    let caller = (&*caller).into();
    let file = certificate::render(&state.app, &context, caller, path_id(&id)?).await?;
    Ok(PdfResponse(file))
}

pub(super) async fn verify(
    State(state): State<ApiState>,
    Json(input): Json<VerifyInput>,
) -> Result<axum::Json<VerificationBody>, Problem> {
    let receipt = input.receipt.ok_or_else(|| Problem::field("receipt", "is required"))?;
    if receipt.is_empty() || receipt.len() > MAX_LENGTH {
        return Err(Problem::field("receipt", "must be 1 to 65536 characters"));
    }
    let verification = receipt::verify(&state.app, receipt.trim()).await?;
    Ok(axum::Json(verification.into()))
}

pub(super) async fn status_list(
    State(state): State<ApiState>,
    Segment(number): Segment,
) -> Result<StatusListResponse, Problem> {
    let not_found = || grantor_domain::Error::not_found("Status list");
    let number: u32 = number.parse().map_err(|_| not_found())?;
    let list = state.app.status_lists.get(&state.app, number).await?.ok_or_else(not_found)?;
    Ok(StatusListResponse(list.jwt.clone()))
}
