use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use super::*;

const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn entropy() -> Arc<Count> {
    Arc::new(Count(Mutex::new(100)))
}

fn secret() -> RingSecret {
    RingSecret::parse(SECRET).unwrap()
}

#[test]
fn a_new_root_seals_only_when_all_nodes_had_time_to_load_it() {
    let setup = setup();
    let other = tempfile::tempdir().unwrap();
    fs::copy(setup.folder.path().join(FILE), other.path().join(FILE)).unwrap();
    let behind = Keys::read(other.path(), setup.clock.clone(), entropy()).unwrap();
    let rotated = setup.keys.rotate(true).unwrap();
    let sealed = || setup.keys.seal(Purpose::Field, "x", b"value");
    let opens = |sealed: &[u8]| behind.open_sealed(Purpose::Field, "x", sealed).is_some();
    let verifies = |tag: &[u8]| behind.verify_mac(Purpose::Url, b"data", tag);
    assert!(opens(&sealed()) && verifies(&setup.keys.mac(Purpose::Url, b"data")));
    assert!(setup.keys.has_version(&rotated.version) && !behind.has_version(&rotated.version));
    setup.pass(600);
    assert!(!opens(&sealed()) && !verifies(&setup.keys.mac(Purpose::Url, b"data")));
    assert_eq!(setup.keys.open_sealed(Purpose::Field, "x", &sealed()).unwrap(), b"value");
    fs::remove_file(other.path().join(FILE)).unwrap();
    fs::copy(setup.folder.path().join(FILE), other.path().join(FILE)).unwrap();
    assert_eq!(behind.reload(), Ok(true));
    assert!(opens(&sealed()) && behind.version() == rotated.version);
}

#[test]
fn the_first_root_seals_at_once() {
    let setup = setup();
    let path = setup.folder.path().join(FILE);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("seals_from"), "as in rings of older versions");
    setup.keys.rotate(true).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("seals_from"));
}

#[test]
fn a_mounted_secret_is_read_and_never_written() {
    let setup = setup();
    let path = setup.folder.path().join(FILE);
    let before = fs::read(&path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
    let mounted = || Keys::mounted(&path, setup.clock.clone(), entropy());
    let keys = mounted().unwrap();
    assert_eq!(keys.version(), setup.keys.version());
    let refused = keys.rotate(false).unwrap_err();
    assert!(
        refused.contains("write the new one with `grantor keys rotate --to FILE`"),
        "{refused}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);

    let new = setup.folder.path().join("new.json");
    let rotated = keys.rotate_to(&new, true).unwrap();
    assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(keys.rotate_to(&new, true).unwrap_err().ends_with("exists already: name a new file"));
    assert!(!keys.has_version(&rotated.version));
    fs::remove_file(&path).unwrap();
    fs::rename(&new, &path).unwrap();
    assert_eq!(keys.reload(), Ok(true));
    assert!(keys.has_version(&rotated.version));

    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let refused = mounted().err().unwrap();
    assert!(refused.ends_with("mount it with the mode 0400 or 0440"), "{refused}");
}

#[test]
fn a_ring_in_the_database_opens_with_its_secret_alone() {
    let clock = Arc::new(Hand(Mutex::new(1_000_000)));
    let row = SealedRing::create(&secret(), &*clock, &*entropy()).unwrap();
    let open = |secret, row: &SealedRing| Keys::open_row(secret, row, clock.clone(), entropy());
    let keys = open(secret(), &row).unwrap();
    assert_eq!(keys.row_version(), Some(1));
    let other = RingSecret::parse(&SECRET.replace("AAEC", "AAED")).unwrap();
    assert!(open(other, &row).is_err());
    for index in 0..row.sealed.len() {
        let mut altered = row.clone();
        altered.sealed[index] ^= 1;
        assert!(open(secret(), &altered).is_err(), "byte {index}");
    }

    let (rotated, next) = keys.rotate_row(true).unwrap();
    assert!(next.version == 2 && !keys.has_version(&rotated.version), "not before it is stored");
    let sealed = keys.seal(Purpose::Field, "x", b"value");
    keys.load_row(&next).unwrap();
    assert_eq!((keys.row_version(), keys.version()), (Some(2), rotated.version));
    assert_eq!(keys.open_sealed(Purpose::Field, "x", &sealed).unwrap(), b"value");
}

#[test]
fn a_file_moves_into_the_database_and_back() {
    let setup = setup();
    let sealed = setup.keys.seal(Purpose::Field, "x", b"value");
    let row = setup.keys.to_row(&secret()).unwrap();
    let keys = Keys::open_row(secret(), &row, setup.clock.clone(), entropy()).unwrap();
    assert_eq!(keys.open_sealed(Purpose::Field, "x", &sealed).unwrap(), b"value");
    let copy = tempfile::tempdir().unwrap();
    keys.copy_to(&copy.path().join(FILE)).unwrap();
    let copied = Keys::read(copy.path(), setup.clock.clone(), entropy()).unwrap();
    assert!(copied.includes(&setup.keys) && setup.keys.includes(&copied));
}

#[test]
fn a_secret_has_32_bytes() {
    for wrong in ["", "hunter2", "AAAA", &SECRET.replace('=', ""), &format!("{SECRET}{SECRET}")] {
        assert!(RingSecret::parse(wrong).is_err(), "{wrong}");
    }
    assert!(RingSecret::parse(&format!("{SECRET}\n")).is_ok(), "as a file of one line");
}
