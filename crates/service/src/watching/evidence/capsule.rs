//! The capsule of a mention's evidence: a ZIP file that anyone can verify with the published keys.

use grantor_domain::evidence::Evidence;
use grantor_domain::id::MentionId;
use grantor_domain::{Error, Result};
use grantor_receipt::{self as receipt, NewCapsule, seal_capsule};
use grantor_storage::license::reader::Reader;
use grantor_storage::object::{ObjectKey, ObjectKind};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{MentionEvidence, get};
use crate::App;

/// A capsule as a file.
#[derive(Clone, PartialEq, Eq)]
pub struct CapsuleFile {
    /// The name of the file.
    pub name: String,
    /// The ZIP file.
    pub zip: Vec<u8>,
}

/// Makes the capsule of a mention's evidence, for trustees and licensors.
pub async fn capsule(app: &App, reader: Reader, id: MentionId) -> Result<CapsuleFile> {
    let found = get(app, reader, id).await?;
    if found.revisions.is_empty() {
        return Err(Error::not_found("Evidence"));
    }
    let now = app.clock.now();
    let mut files = vec![text_file("evidence.json", &pretty(&describe(&found)?)?)];
    for revision in &found.revisions {
        let folder = format!("revision-{}", revision.revision);
        files.push(text_file(&format!("{folder}/text.txt"), &revision.text));
        files.extend(pictures(app, revision, &folder).await?);
    }
    files.push(text_file("jwks.json", &pretty(&app.keys.receipt_jwks())?));
    let (issuer, mention) = (app.public_url.clone(), id.to_string());
    let new = NewCapsule { issuer, mention, created_at: now, files };
    let key = app.keys.receipt_key(now)?;
    // Hashing megabytes takes milliseconds, which other requests must not wait for.
    let sealed = spawn_blocking(move || seal_capsule(new, &key)).await;
    let zip = sealed.map_err(|error| Error::internal(error.to_string()))??;
    Ok(CapsuleFile { name: format!("evidence-{id}.zip"), zip })
}

/// The content of `evidence.json`.
fn describe(found: &MentionEvidence) -> Result<Value> {
    let (shown, mention) = (&found.mention.shown, &found.mention.shown.mention);
    let revisions = serde_json::to_value(&found.revisions)
        .map_err(|error| Error::internal(format!("cannot write evidence: {error}")))?;
    let decided = mention.decided.as_ref();
    Ok(json!({
        "mention": {
            "id": mention.id,
            "talent": shown.talent_name,
            "url": mention.url,
            "title": mention.title,
            "author": mention.author,
            "verdict": mention.verdict,
            "verdict_reason": found.mention.reason,
            "status": mention.status,
            "allowed": mention.allowed,
            "decided_by": decided.map(|it| &it.by_name),
            "decided_at": decided.map(|it| it.at),
            "published_at": mention.published_at,
            "first_seen_at": mention.first_seen_at,
            "last_seen_at": mention.last_seen_at,
        },
        "revisions": revisions,
    }))
}

/// The copies of a revision's pictures.
async fn pictures(
    app: &App,
    revision: &Evidence,
    folder: &str,
) -> Result<Vec<receipt::CapsuleFile>> {
    let [picture, reference] = revision.copies();
    let mut files = vec![];
    for (copy, kind, name) in [
        (picture, ObjectKind::Evidence, "picture.jpg"),
        (reference, ObjectKind::Reference, "reference.jpg"),
    ] {
        if copy.is_none() {
            continue;
        }
        let bytes = app.objects.get(ObjectKey::new(kind, revision.id.as_uuid())).await?;
        let name = format!("{folder}/{name}");
        files.extend(bytes.map(|bytes| receipt::CapsuleFile { name, bytes }));
    }
    Ok(files)
}

fn text_file(name: &str, text: &str) -> receipt::CapsuleFile {
    receipt::CapsuleFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

fn pretty(value: &Value) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::internal(format!("cannot write evidence: {error}")))
}
