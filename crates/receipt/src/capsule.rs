//! Capsules: the evidence of a mention as a ZIP file that anyone can verify. A manifest lists the
//! SHA-256 of each file, and a receipt key signs the manifest.

mod archive;
mod layout;

use std::collections::{HashMap, HashSet};

use grantor_domain::evidence::sha256;
use grantor_domain::{Error, Result, Timestamp};
use grantor_keys::ReceiptKey;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::archive::ArchiveWriter;
use crate::jws::{self, Unverified};
use crate::strict_json;
use crate::trusted_keys::TrustedKeys;

/// The `typ` of a signed manifest.
const TYPE: &str = "grantor-evidence+jwt";
/// The format that the manifest names.
const FORMAT: &str = "grantor-evidence/1";
const MANIFEST: &str = "manifest.json";
const SIGNATURE: &str = "manifest.jws";
/// The file with all revisions.
const EVIDENCE: &str = "evidence.json";

/// The longest capsule, in bytes.
pub const MAX_CAPSULE: usize = 2 * 1024 * 1024 * 1024 - 1;

/// A file of a capsule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapsuleFile {
    /// Its name, with `/` between folders.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What a new capsule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCapsule {
    /// The public URL of the issuer.
    pub issuer: String,
    /// The ID of the mention.
    pub mention: String,
    /// When the capsule is made.
    pub created_at: Timestamp,
}

/// Makes a capsule file by file. What the calls return, one after another, is the capsule.
pub struct CapsuleWriter {
    about: NewCapsule,
    archive: ArchiveWriter,
    /// The files as the manifest lists them.
    listed: Vec<Value>,
}

impl CapsuleWriter {
    /// Starts a capsule.
    #[must_use]
    pub fn new(about: NewCapsule) -> Self {
        Self { about, archive: ArchiveWriter::default(), listed: vec![] }
    }

    /// Adds a file.
    pub fn add(&mut self, file: &CapsuleFile) -> Result<Vec<u8>> {
        let CapsuleFile { name, bytes } = file;
        let hash = sha256(bytes);
        self.listed.push(json!({ "name": name, "bytes": bytes.len(), "sha256": hash }));
        self.archive.add(name, bytes)
    }

    /// Adds the manifest and signs it.
    pub fn finish(self, key: &ReceiptKey) -> Result<Vec<u8>> {
        let Self { about, mut archive, listed } = self;
        let manifest = json!({
            "format": FORMAT,
            "iss": about.issuer,
            "mention_id": about.mention,
            "created_at": about.created_at,
            "files": listed,
        });
        let signature = jws::sign(TYPE, &manifest, key)?;
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| Error::internal(format!("cannot write a manifest: {error}")))?;
        let mut end = archive.add(MANIFEST, &text)?;
        end.extend(archive.add(SIGNATURE, signature.as_bytes())?);
        end.extend(archive.finish()?);
        Ok(end)
    }
}

/// A verified capsule.
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    /// The issuer.
    pub issuer: String,
    /// The ID of the mention.
    pub mention: String,
    /// When the capsule was made.
    pub created_at: Timestamp,
    /// The evidence, oldest revision first.
    pub revisions: Vec<Map<String, Value>>,
    /// The files.
    pub files: Vec<CapsuleFile>,
}

/// Why a capsule is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCapsule {
    /// It is not a ZIP file, or damaged.
    #[error("the file is damaged or is not an evidence capsule")]
    Damaged,
    /// The manifest is not signed by a trusted key.
    #[error("the manifest was not signed by a trusted key, or was changed")]
    Signature,
    /// Another issuer signed it.
    #[error("the capsule was issued by somebody else")]
    Issuer,
    /// A file is missing, added or changed.
    #[error("{0} is missing, was added or was changed")]
    File(String),
    /// The revisions do not follow each other.
    #[error("revision {0} does not follow the revision before it")]
    Chain(u64),
}

impl InvalidCapsule {
    /// A name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Damaged => "DAMAGED",
            Self::Signature => "SIGNATURE",
            Self::Issuer => "ISSUER",
            Self::File(_) => "FILE",
            Self::Chain(_) => "CHAIN",
        }
    }
}

/// The manifest as it is on the wire.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    iss: String,
    mention_id: String,
    created_at: Timestamp,
    files: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    name: String,
    bytes: u64,
    sha256: String,
}

/// Whether a file looks like a capsule, judged by its first bytes.
#[must_use]
pub fn is_capsule(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// The hash of one revision of evidence: SHA-256 of its canonical JSON (RFC 8785) without the hash
/// itself, in hexadecimal.
pub fn revision_hash(revision: &Map<String, Value>) -> Result<String> {
    let mut hashed = revision.clone();
    hashed.remove("sha256");
    let text = serde_json_canonicalizer::to_string(&hashed)
        .map_err(|error| Error::internal(format!("cannot write evidence: {error}")))?;
    Ok(sha256(text.as_bytes()))
}

/// Verifies a capsule: the signature of its manifest, every file, and that the revisions follow
/// each other. With an `issuer`, nobody else may have signed it.
pub fn verify(
    bytes: &[u8],
    keys: &dyn TrustedKeys,
    issuer: Option<&str>,
) -> Result<Capsule, InvalidCapsule> {
    let mut files = archive::read(bytes).ok_or(InvalidCapsule::Damaged)?;
    let mut take = |name: &str| {
        let place = files.iter().position(|it| it.name == name)?;
        Some(files.remove(place).bytes)
    };
    let (text, signature) = take(MANIFEST).zip(take(SIGNATURE)).ok_or(InvalidCapsule::Damaged)?;
    let signature = String::from_utf8(signature).map_err(|_| InvalidCapsule::Signature)?;
    let token = Unverified::parse(signature.trim(), TYPE).ok_or(InvalidCapsule::Signature)?;
    let payload = token.verify(keys).ok_or(InvalidCapsule::Signature)?;
    if strict_json::parse_object(&text).as_ref() != Some(&payload) {
        return Err(InvalidCapsule::File(MANIFEST.to_owned()));
    }
    let manifest: Manifest =
        serde_json::from_value(Value::Object(payload)).map_err(|_| InvalidCapsule::Damaged)?;
    if manifest.format != FORMAT {
        return Err(InvalidCapsule::Damaged);
    }
    if issuer.is_some_and(|it| it != manifest.iss) {
        return Err(InvalidCapsule::Issuer);
    }
    check_files(&manifest.files, &files)?;
    let revisions = revisions(&files)?;
    check_chain(&revisions)?;
    check_copies(&revisions, &manifest.files)?;
    let Manifest { iss: issuer, mention_id: mention, created_at, .. } = manifest;
    Ok(Capsule { issuer, mention, created_at, revisions, files })
}

/// Checks that the files are those of the manifest, each once.
fn check_files(listed: &[Listed], files: &[CapsuleFile]) -> Result<(), InvalidCapsule> {
    let found: HashMap<&str, &CapsuleFile> =
        files.iter().map(|file| (file.name.as_str(), file)).collect();
    for it in listed {
        let intact = found.get(it.name.as_str()).is_some_and(|file| {
            file.bytes.len() as u64 == it.bytes && sha256(&file.bytes) == it.sha256
        });
        if !intact {
            return Err(InvalidCapsule::File(it.name.clone()));
        }
    }
    let names: HashSet<&str> = listed.iter().map(|it| it.name.as_str()).collect();
    match files.iter().find(|file| !names.contains(file.name.as_str())) {
        Some(added) => Err(InvalidCapsule::File(added.name.clone())),
        None => Ok(()),
    }
}

/// The revisions in the evidence.
fn revisions(files: &[CapsuleFile]) -> Result<Vec<Map<String, Value>>, InvalidCapsule> {
    let read = || {
        let file = files.iter().find(|it| it.name == EVIDENCE)?;
        let evidence = strict_json::parse_object(&file.bytes)?;
        let revisions = evidence.get("revisions")?.as_array()?;
        revisions.iter().map(|it| it.as_object().cloned()).collect::<Option<Vec<_>>>()
    };
    read().ok_or_else(|| InvalidCapsule::File(EVIDENCE.to_owned()))
}

/// Checks the hash of each revision, and that it names the hash of the one before. The first one
/// may follow a revision that is no longer kept.
fn check_chain(revisions: &[Map<String, Value>]) -> Result<(), InvalidCapsule> {
    let mut before: Option<&str> = None;
    for revision in revisions {
        let number = revision.get("revision").and_then(Value::as_u64).unwrap_or_default();
        let text = |name: &str| revision.get(name).and_then(Value::as_str);
        let own = text("sha256");
        let intact = own.is_some() && revision_hash(revision).ok().as_deref() == own;
        if !intact || before.is_some_and(|it| text("previous_sha256") != Some(it)) {
            return Err(InvalidCapsule::Chain(number));
        }
        before = own;
    }
    Ok(())
}

/// Checks that the pictures are those that the revisions name.
fn check_copies(revisions: &[Map<String, Value>], files: &[Listed]) -> Result<(), InvalidCapsule> {
    let hashes: HashMap<&str, &str> =
        files.iter().map(|it| (it.name.as_str(), it.sha256.as_str())).collect();
    for revision in revisions {
        let number = revision.get("revision").and_then(Value::as_u64).unwrap_or_default();
        for kind in ["picture", "reference"] {
            let copy = revision.get(kind).and_then(|it| it.pointer("/copy/sha256"));
            let name = format!("revision-{number}/{kind}.jpg");
            let (copy, file) = (copy.and_then(Value::as_str), hashes.get(name.as_str()).copied());
            if file.is_some() && file != copy {
                return Err(InvalidCapsule::File(name));
            }
        }
    }
    Ok(())
}

/// Archives that are not signed, for tests of forgeries.
#[cfg(test)]
pub(crate) mod tests_only {
    use super::{CapsuleFile, archive};

    pub(crate) fn read(bytes: &[u8]) -> Vec<CapsuleFile> {
        archive::read(bytes).unwrap()
    }

    pub(crate) fn write(files: &[CapsuleFile]) -> Vec<u8> {
        let mut archive = archive::ArchiveWriter::default();
        let entries = files.iter().map(|it| archive.add(&it.name, &it.bytes).unwrap());
        let mut bytes = entries.collect::<Vec<_>>().concat();
        bytes.extend(archive.finish().unwrap());
        bytes
    }
}
