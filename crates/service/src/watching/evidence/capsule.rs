//! The capsule of a mention's evidence: a ZIP file that anyone can verify with the published keys.
//! It is written while it is sent, because the pictures of all revisions may not fit into memory.

use std::collections::{HashSet, VecDeque};

use futures_util::{Stream, stream};
use grantor_domain::evidence::{Evidence, MAX_IN_CAPSULE, sha256};
use grantor_domain::id::MentionId;
use grantor_domain::{Error, Result};
use grantor_receipt::{CapsuleFile, CapsuleWriter, NewCapsule};
use grantor_storage::evidence as rows;
use grantor_storage::license::reader::Reader;
use grantor_storage::object::{ObjectKey, ObjectKind};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::reviewable;
use crate::App;
use crate::watching::mention::MentionView;

/// Revisions read at a time.
const PAGE: u32 = 100;

/// A capsule that is about to be written.
pub struct CapsuleStream {
    name: String,
    progress: Progress,
}

impl CapsuleStream {
    /// The name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Streams the ZIP file.
    pub fn chunks(self) -> impl Stream<Item = Result<Vec<u8>>> {
        stream::try_unfold(Some(self.progress), |progress| async move {
            match progress {
                Some(progress) => progress.next().await.map(Some),
                None => Ok(None),
            }
        })
    }
}

/// Starts the capsule of a mention's evidence, for trustees and licensors.
pub async fn capsule(app: &App, reader: Reader, id: MentionId) -> Result<CapsuleStream> {
    let (mention, first) = app
        .store
        .read(move |tx| {
            let mention = reviewable(tx, reader, id)?;
            Ok::<_, Error>((mention, rows::first_of_newest(tx, id, MAX_IN_CAPSULE)?))
        })
        .await?;
    let waiting = load_after(app, id, first.map_or(0, |it| it.saturating_sub(1))).await?;
    if waiting.is_empty() {
        return Err(Error::not_found("Evidence"));
    }
    let (issuer, created_at) = (app.public_url.clone(), app.clock.now());
    let about = NewCapsule { issuer, mention: id.to_string(), created_at };
    let progress = Progress {
        app: app.clone(),
        mention: id,
        writer: CapsuleWriter::new(about),
        waiting,
        last: None,
        included: HashSet::new(),
        json: format!("{{\"mention\":{},\"revisions\":[\n", describe(&mention)).into_bytes(),
    };
    Ok(CapsuleStream { name: format!("evidence-{id}.zip"), progress })
}

async fn load_after(app: &App, id: MentionId, after: u32) -> Result<VecDeque<Evidence>> {
    let list = app.store.read(move |tx| rows::list_after_revision(tx, id, after, PAGE));
    Ok(list.await?.into())
}

/// What is decided about a mention, for `evidence.json`.
fn describe(seen: &MentionView) -> Value {
    let (shown, mention) = (&seen.shown, &seen.shown.mention);
    let decided = mention.decided.as_ref();
    json!({
        "id": mention.id,
        "talent": shown.talent_name,
        "url": mention.url,
        "title": mention.title,
        "author": mention.author,
        "verdict": mention.verdict,
        "verdict_reason": seen.reason,
        "status": mention.status,
        "allowed": mention.allowed,
        "decided_by": decided.map(|it| &it.by_name),
        "decided_at": decided.map(|it| it.at),
        "published_at": mention.published_at,
        "first_seen_at": mention.first_seen_at,
        "last_seen_at": mention.last_seen_at,
    })
}

/// A capsule that is being written.
struct Progress {
    app: App,
    mention: MentionId,
    writer: CapsuleWriter,
    /// Revisions that were read and are not written yet.
    waiting: VecDeque<Evidence>,
    /// The last revision that was written, and its hash.
    last: Option<(u32, String)>,
    /// The hashes of texts and pictures in the capsule: each is in it once.
    included: HashSet<String>,
    /// `evidence.json` so far.
    json: Vec<u8>,
}

impl Progress {
    /// Writes the next revision that adds files, or else the end.
    async fn next(mut self) -> Result<(Vec<u8>, Option<Self>)> {
        loop {
            if self.waiting.is_empty()
                && let Some((revision, _)) = &self.last
            {
                self.waiting = load_after(&self.app, self.mention, *revision).await?;
            }
            let Some(revision) = self.waiting.pop_front() else {
                return Ok((self.finish().await?, None));
            };
            let chunk = self.add(revision).await?;
            if !chunk.is_empty() {
                return Ok((chunk, Some(self)));
            }
        }
    }

    /// Writes a revision.
    async fn add(&mut self, revision: Evidence) -> Result<Vec<u8>> {
        if let Some((_, hash)) = &self.last {
            // Retention may have deleted the revisions between.
            if revision.previous_sha256.as_ref() != Some(hash) {
                return Err(Error::internal("evidence was deleted while its capsule was written"));
            }
            self.json.extend(b",\n");
        }
        serde_json::to_writer(&mut self.json, &revision)
            .map_err(|error| Error::internal(format!("cannot write evidence: {error}")))?;
        let number = revision.revision;
        let mut chunk = vec![];
        if self.included.insert(sha256(revision.text.as_bytes())) {
            let text = revision.text.as_bytes().to_vec();
            chunk.extend(self.file(format!("revision-{number}/text.txt"), text)?);
        }
        let [picture, reference] = revision.copies();
        for (copy, kind, name) in [
            (picture, ObjectKind::Evidence, "picture.jpg"),
            (reference, ObjectKind::Reference, "reference.jpg"),
        ] {
            let Some(copy) = copy.filter(|it| !self.included.contains(&it.sha256)) else {
                continue;
            };
            let key = ObjectKey::new(kind, revision.id.as_uuid());
            if let Some(bytes) = self.app.objects.get(key).await? {
                self.included.insert(copy.sha256.clone());
                chunk.extend(self.file(format!("revision-{number}/{name}"), bytes)?);
            }
        }
        self.last = Some((number, revision.sha256));
        Ok(chunk)
    }

    fn file(&mut self, name: String, bytes: Vec<u8>) -> Result<Vec<u8>> {
        self.writer.add(&CapsuleFile { name, bytes })
    }

    /// Writes what concerns all revisions, and signs the capsule.
    async fn finish(mut self) -> Result<Vec<u8>> {
        self.json.extend(b"\n]}\n");
        let keys = serde_json::to_vec_pretty(&self.app.keys.receipt_jwks())
            .map_err(|error| Error::internal(format!("cannot write keys: {error}")))?;
        let key = self.app.keys.receipt_key(self.app.clock.now())?;
        // Hashing megabytes takes milliseconds, which other requests must not wait for.
        let end = spawn_blocking(move || {
            let json = std::mem::take(&mut self.json);
            let mut end = self.file("evidence.json".to_owned(), json)?;
            end.extend(self.file("jwks.json".to_owned(), keys)?);
            end.extend(self.writer.finish(&key)?);
            Ok::<_, Error>(end)
        });
        end.await.map_err(|error| Error::internal(error.to_string()))?
    }
}
