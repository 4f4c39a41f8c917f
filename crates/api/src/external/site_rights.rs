//! `/robots.txt`, `/license.xml`, `/.well-known/tdmrep.json` and `/ns/uses`: what crawlers may do
//! with public pages, and what the uses of licenses mean.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::rights::{CONTENT_USAGE, RightsFormat, SITE_RSL_PATH, site_rsl, vocabulary};
use http::{HeaderMap, header};
use serde::Serialize;
use serde_json::Value;
use utoipa::{PartialSchema as _, ToSchema};

use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc, ResponseOf};
use crate::frame::document::Document;
use crate::frame::etag;
use crate::frame::state::ApiState;

/// How long clients may cache these documents. They change only with a new version of the server.
const CACHE: &str = "public, max-age=3600";

/// The rules for crawlers (RFC 9309), with the link to the RSL document and preferences (AIPREF).
pub(super) struct Robots(Response);

/// The RSL document of the site.
pub(super) struct SiteLicense(Response);

/// Describes a response by its media type.
macro_rules! describe {
    ($($name:ident: $media_type:literal),*) => {$(
        impl IntoResponse for $name {
            fn into_response(self) -> Response {
                self.0
            }
        }

        impl DescribeResponse for $name {
            fn describe(doc: &mut OperationDoc) {
                let schema = value::NonEmpty::schema();
                doc.responses.push(ResponseDoc { status: 200, schema });
                doc.media_type = Some($media_type);
            }
        }
    )*};
}
describe!(Robots: "text/plain", SiteLicense: "application/rsl+xml");

fn respond(request: &HeaderMap, content_type: &'static str, text: String) -> Response {
    let tag = etag::strong(&[&etag::hash(text.as_bytes())]);
    let about = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, CACHE)];
    etag::conditional(request, tag, (about, text))
}

/// The rules about text and data mining (TDM Reservation Protocol).
#[derive(Serialize, ToSchema)]
#[schema(as = MiningRules)]
#[serde(transparent)]
pub(super) struct MiningRules(Vec<MiningRule>);

/// A rule about text and data mining.
#[derive(Serialize, ToSchema)]
struct MiningRule {
    /// The paths that the rule is about.
    location: &'static str,
    /// Whether the rights are reserved: always 1.
    #[serde(rename = "tdm-reservation")]
    reservation: u8,
}

/// The uses of licenses as a SKOS concept scheme (JSON-LD).
#[derive(ToSchema)]
#[schema(as = UseVocabulary)]
#[expect(dead_code, reason = "only its schema is used: the domain renders the vocabulary")]
pub(super) struct UseVocabulary {
    /// The URL of the vocabulary.
    #[schema(rename = "@id")]
    id: String,
    /// Always `skos:ConceptScheme`.
    #[schema(rename = "@type")]
    kind: String,
    /// The prefixes of names.
    #[schema(rename = "@context", value_type = Object)]
    context: Value,
    /// The name of the vocabulary.
    #[schema(rename = "skos:prefLabel")]
    label: String,
    /// The uses.
    #[schema(rename = "skos:hasTopConcept")]
    concepts: Vec<Value>,
}

pub(super) async fn robots(State(state): State<ApiState>, headers: HeaderMap) -> Robots {
    let origin = &state.app.public_url;
    let text = format!(
        "License: {origin}{SITE_RSL_PATH}\n\n\
         User-agent: *\nAllow: /\nContent-Usage: {CONTENT_USAGE}\n"
    );
    Robots(respond(&headers, RightsFormat::Text.content_type(), text))
}

pub(super) async fn license(State(state): State<ApiState>, headers: HeaderMap) -> SiteLicense {
    let text = site_rsl(&state.app.public_url);
    SiteLicense(respond(&headers, RightsFormat::Rsl.content_type(), text))
}

pub(super) async fn mining(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<MiningRules> {
    let everything = || MiningRules(vec![MiningRule { location: "/", reservation: 1 }]);
    let document = state.caches.documents.mining.get_or_init(|| Document::new(&everything()));
    ResponseOf::new(document.response(&headers, CACHE))
}

pub(super) async fn uses(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<UseVocabulary> {
    let cached = &state.caches.documents.uses;
    let document = cached.get_or_init(|| Document::new(&vocabulary(&state.app.public_url)));
    ResponseOf::new(document.response(&headers, CACHE))
}
