//! The key ring file: created once, replaced atomically, readable only by its owner.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use grantor_domain::{Entropy, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::retired::RetiredKey;
use super::root::Root;
use super::signing::SigningKey;

/// How long a new key is published before it signs. Verifiers may cache the key set for a minute,
/// and the file must reach every node first.
const PUBLISH_LEAD: Duration = Duration::from_mins(10);
/// How long an old key still verifies: a little longer than the lifetime of an access token.
const VERIFY_AFTER: Duration = Duration::from_mins(65);

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ring {
    version: u32,
    roots: Vec<Root>,
    signing: Vec<SigningKey>,
    /// Keys that rotations removed from `signing`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    retired: Vec<RetiredKey>,
    /// The keys that sign receipts, newest first. They are never removed: a receipt must stay
    /// verifiable for good.
    #[serde(default)]
    receipts: Vec<SigningKey>,
}

/// The result of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotated {
    /// The new signing key.
    pub kid: String,
    /// When it starts to sign.
    pub signs_from: Timestamp,
    /// The new receipt key, which starts to sign at the same time.
    pub receipt_kid: String,
    /// The new root key, if one was requested, which starts to seal at the same time.
    pub root: Option<String>,
    /// The version of the key ring that has the new keys.
    pub version: String,
}

impl Ring {
    pub(super) fn create(now: Timestamp, entropy: &dyn Entropy) -> Result<Self, String> {
        let mut ring = Self {
            version: 1,
            roots: vec![Root::create(now, now, entropy)],
            signing: vec![SigningKey::create(now, now, entropy)?],
            retired: vec![],
            receipts: vec![],
        };
        ring.add_first_receipt_key()?;
        Ok(ring)
    }

    /// Reads the file. Returns whether it has a receipt key too: one written by an older version
    /// has none, and the returned ring has the key that [`Self::add_first_receipt_key`] derives.
    pub(super) fn load(path: &Path) -> Result<(Self, bool), String> {
        let shown = path.display();
        let mode = fs::metadata(path).map_err(|error| format!("{shown}: {error}"))?;
        if mode.permissions().mode() & 0o077 != 0 {
            return Err(format!(
                "{shown} can be read by users other than its owner: run `chmod 600 {shown}`"
            ));
        }
        Self::read(path)
    }

    /// Like [`Self::load`], for a mounted secret, whose group may read it.
    pub(super) fn load_mounted(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let mode = fs::metadata(path).map_err(|error| format!("{shown}: {error}"))?;
        if mode.permissions().mode() & 0o007 != 0 {
            return Err(format!(
                "{shown} can be read by everybody: mount it with the mode 0400 or 0440"
            ));
        }
        Ok(Self::read(path)?.0)
    }

    fn read(path: &Path) -> Result<(Self, bool), String> {
        let shown = path.display();
        let text = fs::read(path).map(Zeroizing::new);
        let text = text.map_err(|error| format!("{shown}: {error}"))?;
        Self::parse(&text).map_err(|error| format!("{shown}{error}"))
    }

    /// Reads the text of a key ring. An error continues a sentence that starts with its place.
    pub(super) fn parse(text: &[u8]) -> Result<(Self, bool), String> {
        let mut ring: Self =
            serde_json::from_slice(text).map_err(|error| format!(" is not a key ring: {error}"))?;
        ring.check().map_err(|error| format!(": {error}"))?;
        let complete = !ring.receipts.is_empty();
        if !complete {
            ring.add_first_receipt_key().map_err(|error| format!(": {error}"))?;
        }
        Ok((ring, complete))
    }

    /// The text of the key ring.
    pub(super) fn text(&self) -> Result<Zeroizing<Vec<u8>>, String> {
        serde_json::to_vec_pretty(self).map(Zeroizing::new).map_err(|error| error.to_string())
    }

    /// Adds the receipt key that is derived from the oldest root key.
    fn add_first_receipt_key(&mut self) -> Result<(), String> {
        let root = self.roots.last().ok_or("the key ring is empty")?;
        let since = root.created_at();
        self.receipts.push(SigningKey::receipt(&root.receipt_seed(), since, since)?);
        Ok(())
    }

    /// Writes the first key ring. If another process was faster, its key ring is kept.
    pub(super) fn store_new(&self, path: &Path) -> Result<(), String> {
        let temporary = self.write_temporary(path)?;
        let linked = fs::hard_link(&temporary, path);
        let _ = fs::remove_file(&temporary);
        match linked {
            Ok(()) => sync_folder(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Replaces the file atomically.
    pub(super) fn replace(&self, path: &Path) -> Result<(), String> {
        let temporary = self.write_temporary(path)?;
        fs::rename(&temporary, path).map_err(|error| format!("{}: {error}", path.display()))?;
        sync_folder(path)
    }

    pub(super) fn rotate(
        &mut self,
        root: bool,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> Result<Rotated, String> {
        let retired = self.retired_keys(now)?;
        self.signing.truncate(self.signing.len() - retired.len());
        self.retired.extend(retired);
        self.retired.retain(|key| key.is_remembered(now));
        let key = SigningKey::create(now, now.plus(PUBLISH_LEAD), entropy)?;
        let (kid, signs_from) = (key.kid.clone(), key.signs_from);
        self.signing.insert(0, key);
        let seed = Zeroizing::new(entropy.bytes::<32>());
        let receipt = SigningKey::receipt(&seed, now, signs_from)?;
        let receipt_kid = receipt.kid.clone();
        self.receipts.insert(0, receipt);
        let root = root.then(|| {
            let root = Root::create(now, signs_from, entropy);
            let id = root.id().to_owned();
            self.roots.insert(0, root);
            id
        });
        Ok(Rotated { kid, signs_from, receipt_kid, root, version: self.version_name() })
    }

    /// The root keys, newest first. A key ring without root keys is refused when loaded.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter()
    }

    /// The newest root key that seals already.
    pub(super) fn sealing_root(&self, now: Timestamp) -> &Root {
        let oldest = self.roots.len() - 1;
        let newest = self.roots.iter().position(|root| root.seals_from() <= now);
        &self.roots[newest.unwrap_or(oldest)]
    }

    /// Names this version of the key ring: its newest root key and its newest signing key.
    pub(super) fn version_name(&self) -> String {
        let (root, key) = (self.roots.first(), self.signing.first());
        format!("{}:{}", root.map_or("", Root::id), key.map_or("", |it| it.kid.as_str()))
    }

    /// Whether the key ring has the keys of this version, be they its newest or not.
    pub(super) fn has_version(&self, version: &str) -> bool {
        let Some((root, kid)) = version.split_once(':') else { return false };
        self.roots.iter().any(|it| it.id() == root)
            && (self.signing.iter().any(|it| it.kid == kid)
                || self.retired.iter().any(|it| it.is(kid)))
    }

    pub(super) fn root_of(&self, sealed: &[u8]) -> Option<&Root> {
        self.roots.iter().find(|root| root.sealed(sealed))
    }

    pub(super) fn signing_at(&self, now: Timestamp) -> Option<&SigningKey> {
        active(&self.signing, now)
    }

    /// The key that signs receipts.
    pub(super) fn receipt_at(&self, now: Timestamp) -> Option<&SigningKey> {
        active(&self.receipts, now)
    }

    /// The receipt key with this id. Receipt keys never retire.
    pub(super) fn receipt(&self, kid: &str) -> Option<&SigningKey> {
        self.receipts.iter().find(|key| key.kid == kid)
    }

    /// The key with this id, if it still verifies.
    pub(super) fn verifying(&self, kid: &str, now: Timestamp) -> Option<&SigningKey> {
        let retired = self.retired_at(now);
        self.signing.iter().find(|key| key.kid == kid && !retired.iter().any(|it| it.kid == kid))
    }

    /// The retired key with this id, to tell an expired token from one that was never issued.
    pub(super) fn retired(&self, kid: &str, now: Timestamp) -> Option<RetiredKey> {
        let fresh = self.retired_keys(now).ok()?;
        let mut known = fresh.into_iter().chain(self.retired.iter().cloned());
        known.find(|key| key.is(kid) && key.is_remembered(now))
    }

    pub(super) fn jwks(&self, now: Timestamp) -> Value {
        let retired = self.retired_at(now);
        let live = self.signing.iter().filter(|key| !retired.iter().any(|it| it.kid == key.kid));
        let keys: Vec<Value> = live.filter_map(SigningKey::jwk).collect();
        json!({ "keys": keys })
    }

    pub(super) fn includes(&self, other: &Self) -> bool {
        let has_root = |root: &Root| self.roots.iter().any(|it| it.same(root));
        let has_receipt = |key: &SigningKey| {
            self.receipts.iter().any(|it| it.kid == key.kid && it.public() == key.public())
        };
        other.roots.iter().all(has_root) && other.receipts.iter().all(has_receipt)
    }

    pub(super) fn receipt_jwks(&self) -> Value {
        let keys: Vec<Value> = self.receipts.iter().filter_map(SigningKey::jwk).collect();
        json!({ "keys": keys })
    }

    /// Keys whose successor has been signing for longer than any token lives.
    fn retired_at(&self, now: Timestamp) -> &[SigningKey] {
        let live = self.signing.iter().position(|key| key.signs_from.plus(VERIFY_AFTER) <= now);
        live.map_or(&[], |index| &self.signing[index + 1..])
    }

    /// The public halves of retired keys that are still in `signing`.
    fn retired_keys(&self, now: Timestamp) -> Result<Vec<RetiredKey>, String> {
        let retired = self.retired_at(now);
        let first = self.signing.len() - retired.len();
        let ended = |at: usize| self.signing[first + at - 1].signs_from.plus(VERIFY_AFTER);
        retired.iter().enumerate().map(|(at, key)| RetiredKey::of(key, ended(at))).collect()
    }

    fn check(&self) -> Result<(), String> {
        if self.version != 1 {
            return Err(format!("key ring version {} is not supported", self.version));
        }
        if self.roots.is_empty() || self.signing.is_empty() {
            return Err("the key ring is empty".to_owned());
        }
        self.roots.iter().try_for_each(Root::check)?;
        // A key in the wrong list would sign or verify for the wrong purpose.
        if self.signing.iter().any(SigningKey::is_for_receipts)
            || !self.receipts.iter().all(SigningKey::is_for_receipts)
        {
            return Err("the key ring mixes receipt keys with access-token keys".to_owned());
        }
        let mut keys = self.signing.iter().chain(&self.receipts);
        keys.try_for_each(|key| key.public().map(drop))?;
        self.retired.iter().try_for_each(|key| key.decoding().map(drop))
    }

    fn write_temporary(&self, path: &Path) -> Result<PathBuf, String> {
        let temporary = path.with_extension(format!("json.{}", std::process::id()));
        let shown = |error: std::io::Error| format!("{}: {error}", temporary.display());
        let text = self.text()?;
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(shown)?;
        // A file left by a crash may have other permissions.
        file.set_permissions(Permissions::from_mode(0o600)).map_err(shown)?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(shown)?;
        Ok(temporary)
    }
}

/// The newest key that signs already.
fn active(keys: &[SigningKey], now: Timestamp) -> Option<&SigningKey> {
    keys.iter().find(|key| key.signs_from <= now).or_else(|| keys.last())
}

fn sync_folder(path: &Path) -> Result<(), String> {
    // The folder of a bare file name is empty.
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| format!("{}: {error}", folder.display()))
}
