use std::sync::Arc;
use std::time::Duration;

use grantor_domain::{Clock, Entropy};
use grantor_storage::object::ObjectKind;
use uuid::Uuid;

use super::*;

const ORIGIN: &str = "https://grantor.test";
const ISSUED: Timestamp = Timestamp::from_secs(1_767_225_600);
const HOUR: Duration = Duration::from_hours(1);

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        ISSUED
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

impl Entropy for Fixed {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}

fn keys() -> (tempfile::TempDir, Keys) {
    let folder = tempfile::tempdir().unwrap();
    let keys = Keys::open(folder.path(), Arc::new(Fixed), Arc::new(Fixed)).unwrap();
    (folder, keys)
}

fn image() -> ObjectKey {
    ObjectKey::new(ObjectKind::Image, Uuid::from_u128(0x0190_a5e4_7b3c_7def_8123_4567_89ab_cdef))
}

/// Path and query of a URL signed for an hour.
fn target(keys: &Keys) -> String {
    let url = sign(keys, ORIGIN, image(), ISSUED.plus(HOUR));
    url.strip_prefix(ORIGIN).unwrap().to_owned()
}

#[test]
fn a_url_names_the_object_its_expiry_and_a_signature() {
    let (_folder, keys) = keys();
    let url = sign(&keys, ORIGIN, image(), ISSUED.plus(HOUR));
    let (start, signature) = url.split_once("&signature=").unwrap();
    let object = "objects/images/0190a5e4-7b3c-7def-8123-456789abcdef";
    assert_eq!(start, format!("{ORIGIN}/{object}?expires=1767229200"));
    assert_eq!(signature.len(), 43);
}

#[test]
fn a_url_is_good_for_its_hour() {
    let (_folder, keys) = keys();
    let target = target(&keys);
    for (seconds, outcome) in [
        (0, Ok(image())),
        (3_599, Ok(image())),
        (3_600, Err(InvalidUrl::Expired)),
        (3_601, Err(InvalidUrl::Expired)),
    ] {
        let now = ISSUED.plus(Duration::from_secs(seconds));
        assert_eq!(verify(&keys, &target, now), outcome, "{seconds} s");
    }
}

#[test]
fn a_url_outlives_a_rotation_of_the_root() {
    let (_folder, keys) = keys();
    let target = target(&keys);
    keys.rotate(true).unwrap();
    assert_eq!(verify(&keys, &target, ISSUED), Ok(image()));
}

#[test]
fn a_url_of_one_object_opens_no_other() {
    let (_folder, keys) = keys();
    let target = target(&keys);
    let forged = |from: &str, to: &str| verify(&keys, &target.replace(from, to), ISSUED);
    for (from, to) in [
        ("images", "thumbnails"),
        ("abcdef?", "abcdee?"),
        ("1767229200", "1767229201"),
        ("1767229200", "+1767229200"),
        ("1767229200", "01767229200"),
        ("-7b3c-", "-7B3C-"),
        ("?expires", "?EXPIRES"),
        ("&signature", "&expires=1767229200&signature"),
        ("/images", "//images"),
        ("/images", "/images/../images"),
    ] {
        assert_eq!(forged(from, to), Err(InvalidUrl::Unsigned), "{from} → {to}");
    }
    let unsigned = target.split_once("&signature=").unwrap().0;
    for other in ["", "/", "/objects/", unsigned, &format!("{unsigned}&signature=")] {
        assert_eq!(verify(&keys, other, ISSUED), Err(InvalidUrl::Unsigned), "{other}");
    }
}

#[test]
fn every_byte_counts() {
    let (_folder, keys) = keys();
    let target = target(&keys);
    for index in 0..target.len() {
        for byte in (0..128_u8).filter(|byte| *byte != target.as_bytes()[index]) {
            let mut altered = target.clone().into_bytes();
            altered[index] = byte;
            assert_refused(&keys, altered, &target);
        }
        let mut shorter = target.clone();
        shorter.remove(index);
        assert_refused(&keys, shorter.into_bytes(), &target);
        for extra in "a0/?&=%+-_ ".chars() {
            let mut longer = target.clone();
            longer.insert(index, extra);
            assert_refused(&keys, longer.into_bytes(), &target);
        }
    }
    for extra in ["a", "0", "=", "&", "&x=1", "#", "%00", " ", "\n"] {
        assert_refused(&keys, format!("{target}{extra}").into_bytes(), &target);
    }
}

#[test]
fn none_of_ten_thousand_mutations_is_accepted() {
    let (_folder, keys) = keys();
    let target = target(&keys);
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % end
    };
    for _ in 0..10_000 {
        let mut altered = target.clone().into_bytes();
        for _ in 0..=below(3) {
            let (at, ascii) = (below(altered.len()), u8::try_from(below(128)).unwrap());
            match below(4) {
                0 => altered[at] = ascii,
                1 => drop(altered.remove(at)),
                2 => altered.insert(at, ascii),
                _ => altered.swap(at, below(target.len() - 3)),
            }
        }
        if altered != target.as_bytes() {
            assert_refused(&keys, altered, &target);
        }
    }
}

fn assert_refused(keys: &Keys, altered: Vec<u8>, target: &str) {
    let altered = String::from_utf8(altered).unwrap();
    assert_ne!(altered, target);
    assert_eq!(verify(keys, &altered, ISSUED), Err(InvalidUrl::Unsigned), "{altered:?}");
}
