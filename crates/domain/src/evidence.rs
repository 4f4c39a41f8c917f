//! Evidence: what was seen of a mention, kept so that it convinces a stranger (contract-2 section
//! 25). There is one record for each revision of a mention.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use strum::{VariantArray, VariantNames};

use crate::check::CheckMethod;
use crate::enum_names::enum_names;
use crate::id::{EvidenceId, ImageId, MentionId};
use crate::image::ImageType;
use crate::likeness::Placement;
use crate::mention::{Match, MatchKind};
use crate::name_index::{Folded, NameIndex};
use crate::{Timestamp, hex};

enum_names!(CaptureMethod, MissingPicture);

/// The longer side of the copies of pictures, in pixels.
pub const COPY_SIDE: u32 = 512;

/// The newest revisions that pages show.
pub const MAX_LISTED: u32 = 100;

/// The newest revisions that a capsule has. A page that changes with every hourly scan has fewer in
/// the two years that evidence is kept by default.
pub const MAX_IN_CAPSULE: u32 = 20_000;

/// The response headers that are kept, if they are there.
pub const KEPT_HEADERS: [&str; 5] = ["content-type", "date", "etag", "last-modified", "server"];

/// The maximum length of the value of a header, in bytes. Longer ones are left out.
const MAX_VALUE: usize = 1_024;

/// Kept response headers by lowercase name.
pub type Headers = BTreeMap<String, String>;

/// How content was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum CaptureMethod {
    /// Grantor fetched it.
    Fetched,
    /// A platform or a hub sent it.
    Pushed,
}

/// A response as it was received, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// How it was obtained.
    pub method: CaptureMethod,
    /// The requested URL.
    pub url: String,
    /// The URL after redirects; `None` if it was pushed.
    pub final_url: Option<String>,
    /// The status; `None` if it was pushed.
    pub status: Option<u16>,
    /// The kept headers.
    pub headers: Headers,
    /// The SHA-256 of the body as received, in hexadecimal.
    pub sha256: String,
    /// When it was received.
    pub at: Timestamp,
}

impl Capture {
    /// Something that was pushed about a URL.
    #[must_use]
    pub fn pushed(url: &str, body: &[u8], content_type: Option<&str>, at: Timestamp) -> Self {
        Self {
            method: CaptureMethod::Pushed,
            url: url.to_owned(),
            final_url: None,
            status: None,
            headers: kept_headers(content_type.map(|it| ("content-type", it))),
            sha256: sha256(body),
            at,
        }
    }
}

/// The headers that are kept of a response.
#[must_use]
pub fn kept_headers<'a>(all: impl IntoIterator<Item = (&'a str, &'a str)>) -> Headers {
    let kept = all.into_iter().filter(|(name, value)| {
        KEPT_HEADERS.iter().any(|it| it.eq_ignore_ascii_case(name)) && value.len() <= MAX_VALUE
    });
    kept.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect()
}

/// The SHA-256 of bytes in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    hex::encode(&hash)
}

/// Where matched words are in a text: positions in characters, from 0, without the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark {
    /// The position of the first character.
    pub start: u32,
    /// The position after the last character.
    pub end: u32,
}

/// Where a name is in a text, in order and without overlaps.
#[must_use]
pub fn marks(text: &str, name: &str) -> Vec<Mark> {
    let index = NameIndex::build([(0_u8, name.to_owned())]);
    let folded = Folded::of_text(text);
    let position = |at: usize| {
        let before = text.get(..at).map_or(0, |it| it.chars().count());
        u32::try_from(before).unwrap_or(u32::MAX)
    };
    let mut found: Vec<Mark> = index
        .find(&folded)
        .map(|it| Mark { start: position(it.range.start), end: position(it.range.end) })
        .filter(|it| it.start < it.end)
        .collect();
    found.sort_unstable();
    let mut end = 0;
    found.retain(|it| {
        let free = it.start >= end;
        if free {
            end = it.end;
        }
        free
    });
    found
}

/// The parts of a text, each with whether it is marked. Together they are the whole text.
#[must_use]
pub fn parts(text: &str, marks: &[Mark]) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = vec![];
    for (at, letter) in (0_u32..).zip(text.chars()) {
        let marked = marks.iter().any(|it| (it.start..it.end).contains(&at));
        match found.last_mut() {
            Some((part, known)) if *known == marked => part.push(letter),
            _ => found.push((letter.to_string(), marked)),
        }
    }
    found
}

/// Why there is no copy of a found picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum MissingPicture {
    /// It could not be fetched again, or had changed.
    Unavailable,
    /// The tenant stores as much as its plan allows.
    PlanLimit,
}

/// A stored copy of a picture: a JPEG of at most [`COPY_SIDE`] pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredCopy {
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
    /// Its length in bytes.
    pub bytes: u32,
}

/// What a talent was recognized by. Members that older evidence lacks are left out of its JSON form,
/// which its hash covers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidenceMatch {
    /// By name or by image.
    pub kind: MatchKind,
    /// The name, or the ID of the reference image.
    pub term: String,
    /// The number of bits in which the image hashes differ.
    pub distance: Option<u32>,
    /// How it was recognized; `None` in older evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<CheckMethod>,
    /// Where the picture shows the image, if it was recognized by local features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// The probability that the match is right, from 0 to 1. Only local features have one; `None`
    /// in older evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl From<&Match> for EvidenceMatch {
    fn from(found: &Match) -> Self {
        Self {
            kind: found.kind,
            term: found.term.clone(),
            distance: found.distance,
            method: Some(found.method()),
            placement: found.placement.clone(),
            confidence: found.placement.as_ref().map(|_| found.confidence),
        }
    }
}

/// The picture in which a talent was recognized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundPicture {
    /// Its URL.
    pub url: String,
    /// The URL after redirects.
    pub final_url: Option<String>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The kept headers of the response.
    pub headers: Headers,
    /// Its format.
    pub content_type: Option<ImageType>,
    /// The SHA-256 of the whole picture as received, in hexadecimal.
    pub sha256: Option<String>,
    /// The copy, if there is one.
    pub copy: Option<StoredCopy>,
    /// Why there is no copy.
    pub missing: Option<MissingPicture>,
}

/// The reference image that was recognized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReferencePicture {
    /// The image, which may have been deleted since.
    pub image_id: ImageId,
    /// The SHA-256 of the reference image as stored, in hexadecimal.
    pub sha256: Option<String>,
    /// The copy, if there is one.
    pub copy: Option<StoredCopy>,
}

/// The evidence of one revision of a mention. Its JSON form is what capsules contain and what the
/// hash covers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The unique ID, also of the copies.
    pub id: EvidenceId,
    /// The mention.
    #[serde(rename = "mention_id")]
    pub mention: MentionId,
    /// The revision of the mention.
    pub revision: u32,
    /// When the content was received.
    pub captured_at: Timestamp,
    /// How it was obtained.
    pub method: CaptureMethod,
    /// The URL of the content.
    pub content_url: String,
    /// The URL that was read: of the content itself, or of the feed that contains it.
    pub url: String,
    /// The URL after redirects.
    pub final_url: Option<String>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The kept headers of the response.
    pub headers: Headers,
    /// The SHA-256 of the body as received, in hexadecimal.
    pub body_sha256: String,
    /// The text around the match.
    pub text: String,
    /// Where the matched words are in the text.
    pub marks: Vec<Mark>,
    /// What the talent was recognized by.
    #[serde(rename = "match")]
    pub found: EvidenceMatch,
    /// The picture, if the talent was recognized in one.
    pub picture: Option<FoundPicture>,
    /// The reference image, if the talent was recognized by one.
    pub reference: Option<ReferencePicture>,
    /// The hash of the revision before.
    pub previous_sha256: Option<String>,
    /// The hash of everything above. Empty until it is computed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
}

impl Evidence {
    /// The copies that are stored: of the found picture and of the reference image.
    #[must_use]
    pub fn copies(&self) -> [Option<&StoredCopy>; 2] {
        [
            self.picture.as_ref().and_then(|it| it.copy.as_ref()),
            self.reference.as_ref().and_then(|it| it.copy.as_ref()),
        ]
    }

    /// The total length of the copies, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.copies().into_iter().flatten().map(|it| u64::from(it.bytes)).sum()
    }

    /// Drops the copies because the tenant stores as much as its plan allows.
    pub fn drop_copies(&mut self) {
        if let Some(picture) = &mut self.picture
            && picture.copy.take().is_some()
        {
            picture.missing = Some(MissingPicture::PlanLimit);
        }
        if let Some(reference) = &mut self.reference {
            reference.copy = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_named_headers_are_kept() {
        let long = "x".repeat(1_025);
        let all = [
            ("Content-Type", "text/html"),
            ("set-cookie", "secret"),
            ("ETag", "\"1\""),
            ("server", &*long),
        ];
        let kept = kept_headers(all);
        let expected = [("content-type", "text/html"), ("etag", "\"1\"")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(kept, Headers::from(expected));
    }

    #[test]
    fn names_are_marked_by_characters() {
        let text = "Été: Grâce Hopper, GRACE HOPPER; Grace Hoppers";
        let found = marks(text, "Grâce Hopper");
        assert_eq!(found, [Mark { start: 5, end: 17 }, Mark { start: 19, end: 31 }]);
        let shown = parts(text, &found);
        let marked: Vec<&str> =
            shown.iter().filter(|it| it.1).map(|(part, _)| part.as_str()).collect();
        assert_eq!(marked, ["Grâce Hopper", "GRACE HOPPER"]);
        let whole: String = shown.iter().map(|(part, _)| part.as_str()).collect();
        assert_eq!(whole, text);
        assert!(marks(text, "Ada Lovelace").is_empty() && parts("", &[]).is_empty());
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for it in CaptureMethod::ALL {
            assert_eq!(it.name().parse(), Ok(it));
            assert_eq!(serde_json::to_value(it).unwrap(), it.name());
        }
        for it in MissingPicture::ALL {
            assert_eq!(it.name().parse(), Ok(it));
            assert_eq!(serde_json::to_value(it).unwrap(), it.name());
        }
    }

    #[test]
    fn only_local_features_have_a_probability() {
        let placement = Placement { outline: vec![], scale: 1_000, rotation: 0, mirrored: false };
        let found = |placement: Option<Placement>| {
            let (kind, term) = (MatchKind::Image, String::new());
            let found = Match { kind, term, confidence: 0.987, distance: None, placement };
            serde_json::to_value(EvidenceMatch::from(&found)).unwrap()["confidence"].clone()
        };
        assert_eq!((found(Some(placement)), found(None)), (json!(0.987), json!(null)));
    }

    #[test]
    fn a_hash_is_hexadecimal() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
