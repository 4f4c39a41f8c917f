//! Receipt keys: independent of access-token keys, and never retired.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::*;

const MESSAGE: &[u8] = b"a receipt";

fn now(setup: &Setup) -> Timestamp {
    setup.clock.now()
}

/// The key ring file as an older version wrote it.
fn older(setup: &Setup) -> (PathBuf, Value) {
    let path = setup.folder.path().join(FILE);
    let mut ring: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    ring.as_object_mut().unwrap().remove("receipts").unwrap();
    fs::write(&path, ring.to_string()).unwrap();
    (path, ring)
}

fn open(folder: &Path) -> Result<Keys, String> {
    Keys::open(folder, Arc::new(Hand(Mutex::new(2_000_000))), Arc::new(Count(Mutex::new(100))))
}

fn kids(set: &Value) -> Vec<String> {
    let keys = set["keys"].as_array().unwrap();
    keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn receipts_verify_for_good_whatever_was_rotated() {
    let setup = setup();
    let first = setup.keys.receipt_key(now(&setup)).unwrap();
    let signature = first.sign(MESSAGE);
    for _ in 0..20 {
        setup.keys.rotate(true).unwrap();
        setup.pass(90 * 86_400);
    }
    assert!(setup.keys.verify_receipt(first.kid(), MESSAGE, &signature));
    assert!(!setup.keys.verify_receipt(first.kid(), b"another", &signature));
    assert!(!setup.keys.verify_receipt("receipt-x", MESSAGE, &signature));
    assert_ne!(setup.keys.receipt_key(now(&setup)).unwrap().kid(), first.kid());
    let published = kids(&setup.keys.receipt_jwks());
    assert_eq!((published.len(), published.last().unwrap().as_str()), (21, first.kid()));
    assert!(published.iter().all(|kid| kid.starts_with("receipt-")));
    assert!(kids(&setup.keys.jwks()).iter().all(|kid| !kid.starts_with("receipt-")));
}

#[test]
fn a_new_receipt_key_is_published_before_it_signs() {
    let setup = setup();
    let rotated = setup.keys.rotate(false).unwrap();
    assert_eq!(rotated.signs_from, Timestamp::from_secs(1_000_600));
    assert!(kids(&setup.keys.receipt_jwks()).contains(&rotated.receipt_kid));
    let signs_at = |seconds| {
        setup.keys.receipt_key(Timestamp::from_secs(seconds)).unwrap().kid() == rotated.receipt_kid
    };
    assert_eq!([1_000_599, 1_000_600].map(signs_at), [false, true]);
}

#[test]
fn a_receipt_key_lets_nobody_in() {
    let setup = setup();
    let ring = setup.keys.ring();
    let (receipt, signing) =
        (ring.receipt_at(now(&setup)).unwrap(), ring.signing_at(now(&setup)).unwrap());
    let forged = token::sign(receipt, &claims(1_000_000)).unwrap();
    assert_eq!(setup.verify(&forged), Err(InvalidToken::Invalid));
    let mut disguised = receipt.clone();
    disguised.kid.clone_from(&signing.kid);
    let forged = token::sign(&disguised, &claims(1_000_000)).unwrap();
    assert_eq!(setup.verify(&forged), Err(InvalidToken::Invalid));
    let control = token::sign(signing, &claims(1_000_000)).unwrap();
    assert!(setup.verify(&control).is_ok(), "the same, signed by the key for it");
}

#[test]
fn an_access_token_key_signs_no_receipt() {
    let setup = setup();
    let ring = setup.keys.ring();
    let signing = ring.signing_at(now(&setup)).unwrap();
    let receipt = setup.keys.receipt_key(now(&setup)).unwrap();
    let signature = ReceiptKey::of(signing).unwrap().sign(MESSAGE);
    for kid in [signing.kid.as_str(), receipt.kid()] {
        assert!(!setup.keys.verify_receipt(kid, MESSAGE, &signature), "{kid}");
    }
    let control = receipt.sign(MESSAGE);
    assert!(setup.keys.verify_receipt(receipt.kid(), MESSAGE, &control));
    assert!(!setup.keys.verify_receipt(&signing.kid, MESSAGE, &control));
}

#[test]
fn a_ring_of_an_older_version_gets_the_same_key_on_every_node() {
    let setup = setup();
    let token = setup.keys.sign(&claims(1_000_000)).unwrap();
    let (path, ring) = older(&setup);
    let other = tempfile::tempdir().unwrap();
    fs::copy(&path, other.path().join(FILE)).unwrap();
    let [one, two] = [setup.folder.path(), other.path()].map(|it| open(it).unwrap());
    assert_eq!(one.receipt_jwks(), two.receipt_jwks());
    let stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(stored["receipts"].as_array().unwrap().len(), 1);
    assert_eq!((&stored["signing"], &stored["roots"]), (&ring["signing"], &ring["roots"]));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(setup.keys.reload().unwrap() && setup.verify(&token).is_ok());
    assert_eq!(setup.keys.receipt_jwks(), one.receipt_jwks());
}

#[test]
fn opening_at_once_loses_no_key() {
    for _ in 0..20 {
        let setup = setup();
        older(&setup);
        let folder = setup.folder.path();
        let rotated = std::thread::scope(|scope| {
            let opening: Vec<_> =
                (0..4).map(|_| scope.spawn(|| open(folder).map(drop).unwrap())).collect();
            let rotated = setup.keys.rotate(false).unwrap();
            for it in opening {
                it.join().unwrap();
            }
            rotated
        });
        let keys = open(folder).unwrap();
        assert_eq!(keys.receipt_jwks()["keys"].as_array().unwrap().len(), 2);
        assert!(kids(&keys.receipt_jwks()).contains(&rotated.receipt_kid));
        assert!(kids(&keys.jwks()).contains(&rotated.kid));
    }
}

#[test]
fn a_read_only_ring_without_a_receipt_key_is_named() {
    let setup = setup();
    let (path, _) = older(&setup);
    let before = fs::read(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    let refused = open(setup.folder.path()).err().unwrap();
    let expected = format!(
        "{}: cannot add the receipt key that this version needs: the file is read-only: make the \
         file and its folder writable for one start",
        path.display()
    );
    assert_eq!(refused, expected);
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    open(setup.folder.path()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    assert!(open(setup.folder.path()).is_ok(), "a complete ring may be read-only");
}

#[test]
fn reading_changes_nothing() {
    let setup = setup();
    let (path, _) = older(&setup);
    let before = fs::read(&path).unwrap();
    let clock = Arc::new(Hand(Mutex::new(2_000_000)));
    let read = Keys::read(setup.folder.path(), clock, Arc::new(Count(Mutex::new(1)))).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    let key = read.receipt_key(Timestamp::from_secs(2_000_000)).unwrap();
    let signature = key.sign(MESSAGE);
    let opened = open(setup.folder.path()).unwrap();
    assert!(opened.verify_receipt(key.kid(), MESSAGE, &signature), "the key it will get");
    assert!(Keys::read(tempfile::tempdir().unwrap().path(), opened.clock, opened.entropy).is_err());
}

#[test]
fn a_ring_with_keys_in_the_wrong_list_is_refused() {
    let setup = setup();
    let path = setup.folder.path().join(FILE);
    let ring: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for (from, to) in [("signing", "receipts"), ("receipts", "signing")] {
        let mut mixed = ring.clone();
        let key = ring[from][0].clone();
        mixed[to].as_array_mut().unwrap().push(key);
        fs::write(&path, mixed.to_string()).unwrap();
        let refused = open(setup.folder.path()).err().unwrap();
        assert!(refused.ends_with("mixes receipt keys with access-token keys"), "{refused}");
    }
}

#[test]
fn a_ring_includes_what_it_was_before() {
    let (setup, stranger) = (setup(), tempfile::tempdir().unwrap());
    let (path, _) = older(&setup);
    let backup = tempfile::tempdir().unwrap();
    fs::copy(&path, backup.path().join(FILE)).unwrap();
    let now = open(setup.folder.path()).unwrap();
    let clock = Arc::new(Hand(Mutex::new(2_000_000)));
    let before = Keys::read(backup.path(), clock, Arc::new(Count(Mutex::new(1)))).unwrap();
    assert!(now.includes(&before) && before.includes(&now), "the same keys");
    now.rotate(true).unwrap();
    assert!(now.includes(&before) && !before.includes(&now), "more keys");
    let stranger = open(stranger.path()).unwrap();
    assert!(!now.includes(&stranger) && !stranger.includes(&now));
}

#[test]
fn debug_shows_only_the_id() {
    let setup = setup();
    let key = setup.keys.receipt_key(now(&setup)).unwrap();
    assert_eq!(format!("{key:?}"), format!("ReceiptKey({})", key.kid()));
}
