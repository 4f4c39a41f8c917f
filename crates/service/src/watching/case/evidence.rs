//! The link to the evidence of a case. Letters contain it, and anybody who has it sees what was
//! found. It works until the case is closed.

use grantor_domain::case::CaseStatus;
use grantor_domain::evidence::Evidence;
use grantor_domain::id::MentionId;
use grantor_domain::secret::ShareCode;
use grantor_domain::{Error, Result, Timestamp};
use grantor_keys::Purpose;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{case, evidence, mention, tenant};

use super::{App, CaseRecord, check_mention};

/// What anybody sees who opens the link to the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedEvidence {
    /// The name of the tenant that owns the talent.
    pub organization: String,
    /// The talent's name.
    pub talent_name: String,
    /// The title of the content.
    pub title: String,
    /// The address of the content.
    pub url: String,
    /// The text around the match.
    pub excerpt: String,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// What was captured, oldest first.
    pub evidence: Vec<Evidence>,
}

/// What the link to the evidence leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum EvidenceLink {
    /// The evidence.
    Open(Box<SharedEvidence>),
    /// Nothing any more: the case was closed.
    Closed,
}

/// Opens the link to the evidence for anybody who has its code.
pub async fn open_link(app: &App, code: &str) -> Result<EvidenceLink> {
    let hash = ShareCode::parse(code).ok_or_else(no_link)?.hash();
    app.store
        .read(move |tx| {
            let case = case::find_by_code(tx, &hash)?.ok_or_else(no_link)?.case;
            if case.status == CaseStatus::Closed {
                return Ok(EvidenceLink::Closed);
            }
            let kept = mention::find(tx, case.mention)?.ok_or_else(no_link)?;
            // A case of such a mention is closed; this also covers mentions that nobody sees.
            if kept.owner.is_none() || check_mention(&kept.mention).is_err() {
                return Err(no_link());
            }
            let owner = tenant::find(tx, case.tenant)?;
            Ok(EvidenceLink::Open(Box::new(SharedEvidence {
                organization: owner.map(|it| it.name).unwrap_or_default(),
                talent_name: kept.talent_name,
                title: kept.mention.title,
                url: kept.mention.url,
                excerpt: kept.mention.excerpt,
                first_seen_at: kept.mention.first_seen_at,
                last_seen_at: kept.mention.last_seen_at,
                evidence: evidence::list(tx, case.mention)?,
            })))
        })
        .await
}

/// A picture that the page of the evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPicture {
    /// The copy of the found picture.
    Found,
    /// The copy of the reference image.
    Reference,
}

/// Opens a picture of the newest evidence for anybody who has the code of the link. It can be read as
/// long as the link works, which a signed URL of the picture would outlast.
pub async fn open_picture(app: &App, code: &str, picture: SharedPicture) -> Result<Vec<u8>> {
    let EvidenceLink::Open(shared) = open_link(app, code).await? else { return Err(no_link()) };
    let newest = shared.evidence.last().ok_or_else(no_link)?;
    let [found, reference] = newest.copies();
    let (copy, kind) = match picture {
        SharedPicture::Found => (found, ObjectKind::Evidence),
        SharedPicture::Reference => (reference, ObjectKind::Reference),
    };
    copy.ok_or_else(no_link)?;
    let object = ObjectKey::new(kind, newest.id.as_uuid());
    app.objects.get(object).await?.ok_or_else(no_link)
}

/// The address of the evidence; `None` if the case is closed.
pub(super) fn url(app: &App, record: &CaseRecord) -> Result<Option<String>> {
    if record.case.status == CaseStatus::Closed {
        return Ok(None);
    }
    let context = sealed_for(record.case.mention);
    let text = app.keys.open_sealed(Purpose::Field, &context, &record.sealed_code);
    let code = text.and_then(|it| ShareCode::parse(std::str::from_utf8(&it).ok()?));
    let code =
        code.ok_or_else(|| Error::internal("no key of the key ring decrypts the link of a case"))?;
    Ok(Some(format!("{}/evidence/{}", app.public_url, code.expose())))
}

/// Binds a sealed code to its case: it cannot be decrypted for another one.
pub(crate) fn sealed_for(id: MentionId) -> String {
    format!("case/{id}")
}

fn no_link() -> Error {
    Error::not_found("Shared link")
}
