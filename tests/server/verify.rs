//! `grantor verify`: receipts are verified without a server, and without the network.

use std::path::Path;
use std::sync::Arc;

use grantor_domain::Timestamp;
use grantor_keys::{Keys, ReceiptKey};
use grantor_receipt::{
    LicenseName, NewReceipt, Party, StatusList, StatusReference, TalentName, issue,
    sign_status_list,
};
use grantor_testkit::clock::MockClock;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::server::{Installation, ProcessOutput};
use grantor_testkit::{db_test, seed};
use uuid::Uuid;

const ISSUER: &str = "https://grantor.test";
const LIST: &str = "https://grantor.test/status-lists/1";
const INDEX: u32 = 77;
/// While the grant lasts, and before any time at which a test runs.
const AT: &str = "2020-06-01T00:00:00Z";
const LATER: &str = "2020-06-01T01:00:00Z";

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn key_ring(folder: &Path, seed: u64) -> Keys {
    let entropy = Arc::new(SeededEntropy::new(seed));
    Keys::open(folder, Arc::new(MockClock::default()), entropy).unwrap()
}

fn key(keys: &Keys) -> ReceiptKey {
    keys.receipt_key(MockClock::START).unwrap()
}

fn receipt(keys: &Keys) -> String {
    let party = |name: &str| Party { id: Uuid::nil(), name: name.to_owned() };
    let receipt = NewReceipt {
        number: "GR-2020-000001".into(),
        terms_hash: "sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU".into(),
        licensor: party("Somerville & Co"),
        uses: vec!["ai_training".into()],
        territories: vec!["DE".into()],
        exclusive: false,
        issued_at: time("2020-01-01T00:00:00Z"),
        starts_at: time("2020-01-01T00:00:00Z"),
        ends_at: Some(time("2021-01-01T00:00:00Z")),
        status: StatusReference { idx: INDEX, uri: LIST.into() },
        license: LicenseName { id: Uuid::nil(), title: "Winter".into() },
        talent: TalentName { id: None, name: "Grace\u{1b}[31m Hopper".into() },
        licensee: party("Babbage Talent"),
        fee: None,
        conditions: None,
        channels: vec![],
    };
    issue(&receipt, ISSUER, &key(keys), &SeededEntropy::new(5)).unwrap()
}

/// A folder with a receipt, the published keys and a status list.
struct Files {
    installation: Installation,
    keys: Keys,
}

impl Files {
    fn of(installation: Installation) -> Self {
        Self::without_url(installation.with("GRANTOR_PUBLIC_URL", ISSUER))
    }

    /// The installation does not know its public URL.
    fn without_url(installation: Installation) -> Self {
        std::fs::create_dir_all(installation.data("")).unwrap();
        let keys = key_ring(&installation.data(""), 7);
        let files = Self { installation, keys };
        files.write("r.sd-jwt", &receipt(&files.keys));
        files.write("jwks.json", &files.keys.receipt_jwks().to_string());
        files.write("status.jwt", &files.status(&[]));
        files
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.installation.folder().join(name), text).unwrap();
    }

    /// The status list, signed a minute before the time of the verification.
    fn status(&self, revoked: &[u32]) -> String {
        let mut list = StatusList::default();
        for index in revoked {
            list.revoke(*index).unwrap();
        }
        sign_status_list(&list, LIST, &key(&self.keys), time("2020-05-31T23:59:00Z")).unwrap()
    }

    /// Verifies with these further arguments.
    async fn verify(&self, words: &str) -> ProcessOutput {
        self.installation.run(&format!("verify r.sd-jwt {words}")).await
    }
}

#[track_caller]
fn says(ran: &ProcessOutput, code: i32, texts: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    for text in texts {
        assert!(ran.out.contains(text), "no {text:?} in {}", ran.out);
    }
}

const PUBLISHED: &str = "--jwks jwks.json --status status.jwt --at";

#[tokio::test]
async fn published_keys_and_a_status_list_are_enough() {
    let files = Files::of(Installation::default());
    std::fs::remove_file(files.installation.data("keys.json")).unwrap();
    let ran = files.verify(&format!("{PUBLISHED} {AT}")).await;
    says(&ran, 0, &["Valid\n", "GR-2020-000001", "Babbage Talent", "AI training", "Germany"]);
    says(&ran, 0, &["Issuer:      https://grantor.test", "Fee:         none", "Grace [31m Hopper"]);
    assert_eq!(ran.err, "");
    let ran = files.verify(&format!("{PUBLISHED} {LATER}")).await;
    says(&ran, 3, &["Unknown\n", "STATUS_STALE", "GR-2020-000001"]);
    let ran = files.verify(&format!("--jwks jwks.json --at {AT}")).await;
    says(&ran, 3, &["Unknown\n", "STATUS_STALE"]);
    for (at, reason) in [("2019-01-01T00:00:00Z", "NOT_STARTED"), ("2022-01-01T00:00:00Z", "ENDED")]
    {
        let ran = files.verify(&format!("{PUBLISHED} {at}")).await;
        says(&ran, 1, &["Not valid\n", reason]);
    }
    files.write("status.jwt", &files.status(&[INDEX]));
    says(&files.verify(&format!("{PUBLISHED} {AT}")).await, 1, &["Not valid\n", "REVOKED"]);
    files.write("status.jwt", &files.status(&[INDEX + 1]));
    says(&files.verify(&format!("{PUBLISHED} {AT}")).await, 0, &["Valid\n"]);
}

#[tokio::test]
async fn a_forgery_is_not_valid() {
    let files = Files::of(Installation::default());
    let real = receipt(&files.keys);
    let place = tempfile::tempdir().unwrap();
    let other = key_ring(place.path(), 8);
    let letter = if &real[99..100] == "A" { "B" } else { "A" };
    let altered = format!("{}{letter}{}", &real[..99], &real[100..]);
    for (forged, reason) in [
        (receipt(&other), "SIGNATURE"),
        (altered, "SIGNATURE"),
        (real[..real.len() - 2].to_owned(), "DISCLOSURE"),
    ] {
        files.write("r.sd-jwt", &forged);
        let ran = files.verify(&format!("{PUBLISHED} {AT}")).await;
        says(&ran, 1, &["Not valid\n", reason]);
        assert!(!ran.out.contains("Babbage"), "{}", ran.out);
    }
    files.write("r.sd-jwt", &real);
    files.write("jwks.json", &other.receipt_jwks().to_string());
    let ran = files.verify(&format!("--jwks jwks.json --at {AT}")).await;
    says(&ran, 1, &["Not valid\n", "SIGNATURE"]);
    let ran = files.verify(&format!("{PUBLISHED} {AT}")).await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    assert!(ran.err.contains("status.jwt: the status list is not signed by a trusted key"));
}

#[tokio::test]
async fn wrong_usage_differs_from_what_could_not_be_checked() {
    let files = Files::of(Installation::default());
    files.write("c.pdf", "%PDF-1.7");
    for (words, said) in [
        ("--jwks none.json", "none.json: No such file"),
        ("--jwks r.sd-jwt", "r.sd-jwt: not a JSON Web Key Set"),
        ("--at soon", "--at must be an RFC 3339 date-time"),
        ("--jwks jwks.json --status none.jwt", "none.jwt: No such file"),
        ("--jwks jwks.json --status c.pdf", "c.pdf: not a status list"),
        ("--jwks jwks.json --status r.sd-jwt", "r.sd-jwt: not a status list"),
        ("--color", "unexpected argument '--color'"),
    ] {
        let ran = files.verify(words).await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{words}");
        assert!(ran.err.contains(said), "{words}: {}", ran.err);
    }
    let ran = Installation::default().run("verify none.sd-jwt").await;
    assert!(ran.code == Some(2) && ran.err.contains("none.sd-jwt: No such file"), "{}", ran.err);
    let ran = files.installation.run("verify c.pdf").await;
    assert!(ran.code == Some(2) && ran.err.contains("c.pdf is a PDF; save its"), "{}", ran.err);
    for text in ["", "\n", "no receipt", "Dear Ada. See you. Grace", "{\"a\": 1}", "PK"] {
        files.write("other", text);
        let ran = files.installation.run("verify other").await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{text}");
        let said = "other is neither a receipt nor a capsule of evidence";
        assert!(ran.err.contains(said), "{text}: {}", ran.err);
    }
    std::fs::remove_file(files.installation.data("keys.json")).unwrap();
    let ran = files.verify("").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    assert!(ran.err.contains("has no key ring; name"), "{}", ran.err);
}

/// The keys are the installation's own, whatever the address is at which it listens.
#[tokio::test]
async fn without_a_public_url_the_key_ring_knows_the_issuer() {
    let files = Files::without_url(Installation::default());
    let own = format!("--status status.jwt --at {AT}");
    says(&files.verify(&own).await, 0, &["Valid\n", &format!("Issuer:      {ISSUER}")]);
    let other = files.verify(&format!("{own} --public-url https://other.test")).await;
    says(&other, 1, &["Not valid\n", "ISSUER"]);
    let place = tempfile::tempdir().unwrap();
    files.write("r.sd-jwt", &receipt(&key_ring(place.path(), 8)));
    says(&files.verify(&own).await, 1, &["Not valid\n", "SIGNATURE"]);
}

/// A grant of the sample licenses with the receipt's place in the status list.
async fn store_grant(files: &Files, status: &str) {
    let options = files.installation.options();
    let license = seed::id(&options, "30000000-0000-0000-0000-000000000001");
    let id = seed::id(&options, "00000000-0000-0000-0000-000000000001");
    let script = format!(
        "INSERT INTO status_lists (list_id) VALUES (1);
         INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, status,
             begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner, lapses_at,
             version, created_by, created_at, updated_at)
           SELECT {id}, license_id, talent_id, tenant_id, tenant_id, 'accepted', 'asker', '{{}}',
             'x', '[]', 0, 0, 9, 1, {id}, 0, 0 FROM licenses WHERE license_id = {license};
         INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
             licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive,
             starts_at, accepted_by, accepted_by_name, status_list, status_index, created_at)
           SELECT {id}, {id}, license_id, 1, talent_id, tenant_id, tenant_id, 2020, 1, '{status}',
             '{{}}', 'x', (1 = 0), 0, {id}, 'Ada', 1, {INDEX}, 0
           FROM licenses WHERE license_id = {license};"
    );
    seed::run(&options, script).await;
}

#[db_test]
async fn an_installation_verifies_its_own_receipts(installation: Installation) {
    let files = Files::of(installation);
    let _ = files.installation.run("migrate").await.ok();
    let at = format!("--at {AT}");
    says(&files.verify(&at).await, 3, &["Unknown\n", "STATUS_STALE"]);
    seed::public_licenses(&files.installation.options(), 1).await;
    store_grant(&files, "active").await;
    says(&files.verify(&at).await, 0, &["Valid\n"]);
    let future = "--at 2090-01-01T00:00:00Z";
    says(&files.verify(future).await, 1, &["Not valid\n", "ENDED", "STATUS_STALE"]);
    let script = "UPDATE grants SET status = 'revoked', revoked_at = 1".to_owned();
    seed::run(&files.installation.options(), script).await;
    says(&files.verify(&at).await, 1, &["Not valid\n", "REVOKED"]);
    let ran = files.verify(&format!("{at} --public-url https://other.test")).await;
    says(&ran, 1, &["Not valid\n", "ISSUER"]);
}
