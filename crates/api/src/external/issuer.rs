//! `/.well-known/jwt-vc-issuer` and `/credentials/grant/1`: where verifiers find the keys of receipts
//! and what the claims mean (SD-JWT VC, sections on issuer metadata and type metadata).

use axum::extract::State;
use grantor_receipt::{Disclosable, credential_type as type_of};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::frame::describe::{ResponseOf, value};
use crate::frame::document::Document;
use crate::frame::state::ApiState;

/// How long clients may cache both documents. They change only with a new version of the server.
const CACHE: &str = "public, max-age=3600";
/// The only language of the texts.
const LOCALE: &str = "en-US";

const NAME: &str = "Likeness grant";
const ABOUT: &str = "The right to use the name, image and likeness of a person as agreed";

/// The metadata of the receipt issuer (SD-JWT VC).
#[derive(Serialize, ToSchema)]
#[schema(as = ReceiptIssuer)]
pub(super) struct IssuerBody {
    /// The issuer, as in the `iss` claim of receipts.
    issuer: String,
    /// The URL of the public keys. Those of receipts have IDs that start with `receipt-`.
    jwks_uri: String,
}

/// The metadata of the credential type of receipts (SD-JWT VC).
#[derive(Serialize, ToSchema)]
#[schema(as = CredentialType)]
pub(super) struct TypeBody {
    /// The type, as in the `vct` claim of receipts.
    vct: String,
    /// The name, for developers.
    name: &'static str,
    /// What a credential of this type says, for developers.
    description: &'static str,
    /// The name and description for users, by language.
    display: Vec<TypeDisplay>,
    /// The claims.
    claims: Vec<ClaimBody>,
}

/// The texts of a credential type in one language.
#[derive(Serialize, ToSchema)]
#[schema(as = CredentialTypeDisplay)]
struct TypeDisplay {
    /// The language.
    locale: &'static str,
    /// The name.
    name: &'static str,
    /// What a credential of this type says.
    description: &'static str,
}

/// A claim of a credential type.
#[derive(Serialize, ToSchema)]
#[schema(as = CredentialClaim)]
struct ClaimBody {
    /// The path of the claim.
    #[schema(value_type = Vec<String>)]
    path: Vec<&'static str>,
    /// The label and description for users, by language.
    display: Vec<ClaimDisplay>,
    /// Whether every credential has the claim, disclosed or not.
    mandatory: bool,
    /// Whether the holder can withhold the claim: `always` or `never`.
    #[schema(inline, value_type = value::DisclosureName)]
    sd: &'static str,
}

/// The texts of a claim in one language.
#[derive(Serialize, ToSchema)]
#[schema(as = CredentialClaimDisplay)]
struct ClaimDisplay {
    /// The language.
    locale: &'static str,
    /// The label.
    label: &'static str,
    /// What the claim says.
    description: &'static str,
}

/// Claims that every verifier sees: name, whether each receipt has it, label and description.
const OPEN: [(&str, bool, &str, &str); 12] = [
    ("grant_number", true, "Number", "The grant's number, unique for each licensor"),
    (
        "terms_hash",
        true,
        "Hash of the terms",
        "The SHA-256 of the terms that both parties accepted",
    ),
    ("licensor", true, "Licensor", "Who granted the right"),
    ("uses", true, "Uses", "The permitted uses"),
    ("territories", true, "Territories", "ISO 3166-1 country codes, or WORLD"),
    ("exclusive", true, "Exclusive", "Whether nobody else has the same right"),
    ("iat", true, "Issued", "When this receipt was issued"),
    ("nbf", true, "Starts", "When the grant starts"),
    ("exp", false, "Ends", "When the grant ends; absent if it has no end date"),
    ("status", true, "Status", "Where revocation is published"),
    ("iss", true, "Issuer", "The server that issued this receipt"),
    ("vct", true, "Type", "The type of this credential"),
];

/// The label and description of a claim that its holder can withhold.
const fn texts(claim: Disclosable) -> (&'static str, &'static str) {
    match claim {
        Disclosable::License => ("License", "The license that the grant is under"),
        Disclosable::Talent => ("Talent", "The person whose likeness may be used"),
        Disclosable::Licensee => ("Licensee", "Who may use the likeness"),
        Disclosable::Fee => ("Fee", "The fee; null if there is none"),
        Disclosable::Conditions => ("Conditions", "Further conditions; null if there are none"),
        Disclosable::Channels => ("Channels", "The permitted channels; empty means any"),
    }
}

pub(super) async fn show(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<IssuerBody> {
    let document = state.caches.documents.issuer.get_or_init(|| {
        let issuer = state.app.public_url.clone();
        let jwks_uri = format!("{issuer}/.well-known/jwks.json");
        Document::new(&IssuerBody { issuer, jwks_uri })
    });
    ResponseOf::new(document.response(&headers, CACHE))
}

pub(super) async fn credential_type(
    State(state): State<ApiState>,
    headers: HeaderMap,
) -> ResponseOf<TypeBody> {
    let document = state
        .caches
        .documents
        .credential_type
        .get_or_init(|| Document::new(&describe(&state.app.public_url)));
    ResponseOf::new(document.response(&headers, CACHE))
}

fn describe(issuer: &str) -> TypeBody {
    let open =
        OPEN.map(|(name, mandatory, label, about)| claim(name, mandatory, "never", label, about));
    let withheld = Disclosable::ALL.map(|it| {
        let (label, about) = texts(it);
        claim(it.name(), true, "always", label, about)
    });
    TypeBody {
        vct: type_of(issuer),
        name: NAME,
        description: ABOUT,
        display: vec![TypeDisplay { locale: LOCALE, name: NAME, description: ABOUT }],
        claims: open.into_iter().chain(withheld).collect(),
    }
}

fn claim(
    name: &'static str,
    mandatory: bool,
    sd: &'static str,
    label: &'static str,
    description: &'static str,
) -> ClaimBody {
    let display = vec![ClaimDisplay { locale: LOCALE, label, description }];
    ClaimBody { path: vec![name], display, mandatory, sd }
}
