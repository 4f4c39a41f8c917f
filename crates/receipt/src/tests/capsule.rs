//! Capsules of evidence: made, verified, and refused with anything changed.

use grantor_keys::ReceiptKey;
use serde_json::{Map, Value, json};

use super::{ISSUER, NOW, at, key, keys};
use crate::capsule::tests_only::{read, write};
use crate::*;

/// Two revisions that follow each other.
fn revisions() -> Vec<Map<String, Value>> {
    let mut all: Vec<Map<String, Value>> = vec![];
    for number in 1..=2 {
        let before = all.last().and_then(|it| it.get("sha256").cloned());
        let copy = grantor_domain::evidence::sha256(format!("picture {number}").as_bytes());
        let revision = json!({
            "revision": number, "text": format!("Text {number}"), "previous_sha256": before,
            "picture": { "copy": { "sha256": copy, "bytes": 9 } },
        });
        let Value::Object(mut revision) = revision else { panic!("an object") };
        revision.insert("sha256".into(), json!(revision_hash(&revision).unwrap()));
        all.push(revision);
    }
    all
}

fn file(name: &str, text: &str) -> CapsuleFile {
    CapsuleFile { name: name.into(), bytes: text.as_bytes().to_vec() }
}

fn with(revisions: &[Map<String, Value>]) -> Vec<CapsuleFile> {
    vec![
        file("evidence.json", &json!({ "revisions": revisions }).to_string()),
        file("revision-1/picture.jpg", "picture 1"),
        file("revision-2/picture.jpg", "picture 2"),
        file("jwks.json", "{}"),
    ]
}

fn seal(files: &[CapsuleFile], key: &ReceiptKey) -> Vec<u8> {
    let (issuer, mention) = (ISSUER.into(), "m".into());
    let mut capsule = CapsuleWriter::new(NewCapsule { issuer, mention, created_at: at(NOW) });
    let parts: Vec<Vec<u8>> = files.iter().map(|it| capsule.add(it).unwrap()).collect();
    [parts.concat(), capsule.finish(key).unwrap()].concat()
}

#[test]
fn a_capsule_is_verified_with_the_keys_alone() {
    let keys = keys();
    let sealed = seal(&with(&revisions()), &key(&keys));
    assert!(is_capsule(&sealed) && !is_capsule(b"eyJ"));
    assert_eq!(sealed, seal(&with(&revisions()), &key(&keys)), "the same bytes");
    let public = KeySet::parse(&keys.receipt_jwks().to_string()).unwrap();
    let expected = Capsule {
        issuer: ISSUER.into(),
        mention: "m".into(),
        created_at: at(NOW),
        revisions: revisions(),
        files: with(&revisions()),
    };
    for issuer in [None, Some(ISSUER)] {
        assert_eq!(verify_capsule(&sealed, &public, issuer), Ok(expected.clone()));
    }
    let other = verify_capsule(&sealed, &public, Some("https://other.test"));
    assert_eq!(other, Err(InvalidCapsule::Issuer));
}

/// The content of every file is covered: a changed byte is noticed wherever it is.
#[test]
fn a_changed_byte_is_refused() {
    let keys = keys();
    let sealed = seal(&with(&revisions()), &key(&keys));
    assert!(verify_capsule(&sealed, &keys, None).is_ok());
    let names = ["picture 1", "picture 2", "Text 2", "{}", "grantor-evidence/1"];
    let mut changed = 0;
    for name in names {
        for place in find_all(&sealed, name.as_bytes()) {
            let mut bytes = sealed.clone();
            bytes[place] ^= 1;
            assert!(verify_capsule(&bytes, &keys, None).is_err(), "{name} at {place}");
            changed += 1;
        }
    }
    assert!(changed >= 4, "{changed}");
    assert_eq!(verify_capsule(&sealed[..99], &keys, None), Err(InvalidCapsule::Damaged));
}

fn find_all(bytes: &[u8], part: &[u8]) -> Vec<usize> {
    (0..bytes.len().saturating_sub(part.len()))
        .filter(|at| bytes[*at..].starts_with(part))
        .collect()
}

/// A forger who writes the archive anew, with right check sums, still cannot sign.
#[test]
fn a_forged_capsule_is_refused() {
    let keys = keys();
    let sealed = seal(&with(&revisions()), &key(&keys));
    let real = read(&sealed);
    let forge = |change: &dyn Fn(&mut Vec<CapsuleFile>)| {
        let mut files = real.clone();
        change(&mut files);
        verify_capsule(&write(&files), &keys, None).unwrap_err()
    };
    let changed = |name: &str| InvalidCapsule::File(name.to_owned());
    let place = |name: &str| real.iter().position(|it| it.name == name).unwrap();
    let picture = place("revision-1/picture.jpg");
    assert_eq!(
        forge(&|it| it[picture].bytes = b"picture 9".to_vec()),
        changed("revision-1/picture.jpg")
    );
    assert_eq!(forge(&|it| drop(it.remove(picture))), changed("revision-1/picture.jpg"));
    assert_eq!(forge(&|it| it.push(file("more.txt", "x"))), changed("more.txt"));
    let manifest = place("manifest.json");
    assert_eq!(forge(&|it| it[manifest].bytes = b"{}".to_vec()), changed("manifest.json"));
    let signature = place("manifest.jws");
    assert_eq!(forge(&|it| it[signature].bytes[20] ^= 1), InvalidCapsule::Signature);
    assert_eq!(forge(&|it| drop(it.remove(signature))), InvalidCapsule::Damaged);
}

/// Two programs must not find different files: nothing is around or between the files, and both
/// descriptions of a file are the same.
#[test]
fn an_archive_has_nothing_besides_its_files() {
    let keys = keys();
    let sealed = seal(&with(&revisions()), &key(&keys));
    let damaged = |bytes: &[u8]| {
        assert_eq!(verify_capsule(bytes, &keys, None), Err(InvalidCapsule::Damaged));
    };
    damaged(&[&b"x"[..], &sealed].concat());
    damaged(&[&sealed[..], b"x"].concat());
    // A comment.
    damaged(&[&sealed[..sealed.len() - 2], &[1, 0], b"x"].concat());
    // The name, the check sum and the date of the first file, before its content.
    let name = find_all(&sealed, b"evidence.json")[0];
    for place in [name, name - 16, name - 18] {
        let mut bytes = sealed.clone();
        bytes[place] ^= 1;
        damaged(&bytes);
    }
    damaged(&sealed.repeat(2));
    assert!(verify_capsule(&sealed, &keys, None).is_ok());
}

#[test]
fn revisions_follow_each_other() {
    let keys = keys();
    let refusal = |revisions: &[Map<String, Value>]| {
        let sealed = seal(&with(revisions), &key(&keys));
        verify_capsule(&sealed, &keys, None).unwrap_err()
    };
    let mut altered = revisions();
    altered[0].insert("text".into(), json!("Another text"));
    assert_eq!(refusal(&altered), InvalidCapsule::Chain(1));
    let mut gap = revisions();
    gap[1].insert("previous_sha256".into(), Value::Null);
    let hash = revision_hash(&gap[1]).unwrap();
    gap[1].insert("sha256".into(), json!(hash));
    assert_eq!(refusal(&gap), InvalidCapsule::Chain(2));
    let mut other = revisions();
    other[1].insert("picture".into(), Value::Null);
    let hash = revision_hash(&other[1]).unwrap();
    other[1].insert("sha256".into(), json!(hash));
    assert_eq!(refusal(&other), InvalidCapsule::File("revision-2/picture.jpg".into()));
}

/// A copy that an earlier revision has, too, is in a capsule once.
#[test]
fn a_revision_may_share_the_picture_of_an_earlier_one() {
    let keys = keys();
    let mut files = with(&revisions());
    files.retain(|it| it.name != "revision-2/picture.jpg");
    assert!(verify_capsule(&seal(&files, &key(&keys)), &keys, None).is_ok());
}

#[test]
fn a_capsule_may_have_very_many_files() {
    let keys = keys();
    let mut files = with(&revisions());
    files.extend((0..3_000).map(|it| file(&format!("revision-{it}/text.txt"), "x")));
    let capsule = verify_capsule(&seal(&files, &key(&keys)), &keys, None).unwrap();
    assert_eq!(capsule.files, files);
}

#[test]
fn another_key_is_not_trusted() {
    let sealed = seal(&with(&revisions()), &key(&keys()));
    let folder = tempfile::tempdir().unwrap();
    let entropy = super::entropy();
    let mut skipped = [0; 9];
    entropy.fill(&mut skipped);
    let clock = std::sync::Arc::new(super::Stopped);
    let other = grantor_keys::Keys::open(folder.path(), clock, entropy).unwrap();
    assert_eq!(verify_capsule(&sealed, &other, None), Err(InvalidCapsule::Signature));
}
