//! What is kept of a mention, so that it convinces a stranger.

mod limit;
mod revisions;

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_domain::evidence::sha256;
use grantor_receipt::{Capsule, CapsuleFile, InvalidCapsule, KeySet, verify_capsule};
use grantor_service::operations::object_sweep::{SweepCursor, sweep};
use grantor_service::operations::retention::{self, Retention};
use grantor_testkit::server::Installation;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::picture::{Gallery, PAGE};
use super::{Watch, item, platform, push};
use crate::license::{Member, text};

const SAID: &str = "On stage: Grâce Hopper, in person.";

impl Watch {
    /// The evidence of a mention as the agency gets it.
    async fn evidence(&self, id: &str) -> Vec<Value> {
        let answer = self.world.get(&format!("/mentions/{id}/evidence")).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        assert_eq!(answer.json()["mention_id"], id);
        answer.json()["revisions"].as_array().unwrap().clone()
    }

    async fn status_of(&self, who: &Member, path: &str) -> u16 {
        who.external(&self.world.app, Method::GET, path, None).await.status.as_u16()
    }
}

impl Gallery {
    /// Pushes the copy of the reference image and returns the mention's ID.
    async fn copied(&self) -> String {
        text(&self.push("/copy.jpg", "Look!").await["mentions"][0]["mentionId"])
    }

    async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.watch.world.app.database.options, query).await
    }

    async fn capsule(&self, id: &str) -> Vec<u8> {
        let answer = self.watch.world.get(&format!("/mentions/{id}/evidence.zip")).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("content-type"), Some("application/zip"));
        answer.body
    }

    /// The published keys.
    async fn keys(&self) -> String {
        let answer = self.watch.world.get("/.well-known/jwks.json").await;
        String::from_utf8(answer.body).unwrap()
    }

    /// The bytes that the agency stores.
    async fn stored_bytes(&self) -> i64 {
        let query = "SELECT CAST(max(image_bytes) AS text) FROM tenant_usage";
        self.rows(query).await[0][0].parse().unwrap()
    }
}

#[db_test]
async fn the_text_around_a_name_is_kept_with_the_name_marked(watch: Watch) {
    watch.license(json!({})).await;
    let id = text(&watch.say(PAGE, SAID).await[0]["mentionId"]);
    let found = watch.evidence(&id).await;
    let expected = json!({
        "id": found[0]["id"], "revision": 1,
        "captured_at": watch.world.app.clock.now().to_string(), "method": "pushed",
        "content_url": PAGE, "url": PAGE, "final_url": null, "status": null, "headers": {},
        "body_sha256": sha256(SAID.as_bytes()), "text": SAID,
        "marks": [{ "start": 10, "end": 22 }],
        "match": {
            "kind": "name", "method": "full_name", "term": "Grâce Hopper", "distance": null,
        },
        "picture": null, "reference": null, "previous_sha256": null, "sha256": found[0]["sha256"],
    });
    assert_eq!(found, [expected]);
}

#[db_test]
async fn each_revision_has_its_evidence_and_names_the_one_before(watch: Watch) {
    watch.license(json!({})).await;
    let id = text(&watch.say(PAGE, SAID).await[0]["mentionId"]);
    for said in [SAID, "Grâce Hopper again", "Grâce Hopper again", "Grâce Hopper left"] {
        watch.say(PAGE, said).await;
    }
    let found = watch.evidence(&id).await;
    let told: Vec<_> = found.iter().map(|it| (it["revision"].clone(), text(&it["text"]))).collect();
    let expected = [(1, SAID), (2, "Grâce Hopper again"), (3, "Grâce Hopper left")];
    assert_eq!(told, expected.map(|(revision, said)| (json!(revision), said.to_owned())));
    assert_eq!(found[1]["previous_sha256"], found[0]["sha256"]);
    assert_eq!(found[2]["previous_sha256"], found[1]["sha256"]);
}

#[db_test]
async fn a_picture_is_kept_small_with_the_image_it_resembles(gallery: Gallery) {
    let id = gallery.copied().await;
    let found = gallery.watch.evidence(&id).await.remove(0);
    let picture = &found["picture"];
    let original = gallery.site.url("/copy.jpg");
    assert_eq!((&picture["url"], &picture["status"]), (&json!(original), &json!(200)));
    assert_eq!(
        (&picture["content_type"], &picture["missing"]),
        (&json!("image/jpeg"), &json!(null))
    );
    assert_eq!(found["reference"]["image_id"], gallery.image);
    let sum = "SELECT sha256 FROM images";
    assert_eq!(gallery.rows(sum).await, [[text(&found["reference"]["sha256"])]]);
    let capsule = open(&gallery, &id).await.unwrap();
    for (name, at, size) in
        [("picture", "/picture/copy", (320, 224)), ("reference", "/reference/copy", (512, 358))]
    {
        let file = file(&capsule, &format!("revision-1/{name}.jpg"));
        let copy = found.pointer(at).unwrap();
        assert_eq!(copy, &json!({ "sha256": sha256(&file.bytes), "bytes": file.bytes.len() }));
        let decoded = image::load_from_memory(&file.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height()), size, "{name}");
    }
}

fn file<'a>(capsule: &'a Capsule, name: &str) -> &'a CapsuleFile {
    capsule.files.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no {name}"))
}

async fn open(gallery: &Gallery, id: &str) -> Result<Capsule, InvalidCapsule> {
    let keys = KeySet::parse(&gallery.keys().await).unwrap();
    verify_capsule(&gallery.capsule(id).await, &keys, None)
}

#[db_test]
async fn a_capsule_has_everything_and_is_signed(gallery: Gallery) {
    let id = gallery.copied().await;
    let capsule = open(&gallery, &id).await.unwrap();
    assert_eq!((&capsule.mention, capsule.revisions.len()), (&id, 1));
    let names: Vec<&str> = capsule.files.iter().map(|it| it.name.as_str()).collect();
    let expected = [
        "revision-1/text.txt",
        "revision-1/picture.jpg",
        "revision-1/reference.jpg",
        "evidence.json",
        "jwks.json",
    ];
    assert_eq!(names, expected);
    let mut shown = gallery.watch.evidence(&id).await.remove(0);
    shown["mention_id"] = json!(id);
    assert_eq!(Value::Object(capsule.revisions[0].clone()), shown, "what the API says");
    assert_eq!(file(&capsule, "revision-1/text.txt").bytes, b"Look!");
}

/// The program verifies a capsule with published keys alone, and refuses it with a byte changed.
#[db_test]
async fn the_program_verifies_a_capsule_without_a_server(gallery: Gallery) {
    let id = gallery.copied().await;
    let (capsule, elsewhere) = (gallery.capsule(&id).await, Installation::default());
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(elsewhere.folder().join(name), bytes).unwrap();
    };
    write("jwks.json", gallery.keys().await.as_bytes());
    write("evidence.zip", &capsule);
    let ran = elsewhere.run("verify evidence.zip --jwks jwks.json").await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    for said in ["Valid\n", &format!("mention {id}"), PAGE, "Revisions:   1"] {
        assert!(ran.out.contains(said), "no {said:?} in {}", ran.out);
    }
    let place = capsule.windows(5).position(|it| it == b"Look!").unwrap();
    let mut changed = capsule.clone();
    changed[place] ^= 1;
    write("evidence.zip", &changed);
    let ran = elsewhere.run("verify evidence.zip --jwks jwks.json").await;
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("Not valid\n  DAMAGED"), "{}", ran.out);
}

#[db_test]
async fn evidence_survives_the_reference_image(gallery: Gallery) {
    let id = gallery.copied().await;
    let before = gallery.watch.evidence(&id).await;
    let world = &gallery.watch.world;
    let image = gallery.image.as_str().unwrap();
    let path = format!("/org/talent/license/{}/image/{image}", gallery.license);
    let removed = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert_eq!(removed.status, 204);
    assert_eq!(gallery.watch.evidence(&id).await, before);
    let capsule = open(&gallery, &id).await.unwrap();
    assert!(!file(&capsule, "revision-1/reference.jpg").bytes.is_empty());
}

#[db_test]
async fn only_those_who_act_for_the_talent_get_evidence(gallery: Gallery) {
    let id = gallery.copied().await;
    let (watch, world) = (&gallery.watch, &gallery.watch.world);
    let cara = Member::join(&world.app, "cara@example.com", Some("Brand")).await;
    let paths = ["evidence", "evidence.zip"].map(|it| format!("/mentions/{id}/{it}"));
    let statuses = async |who: &Member| {
        [watch.status_of(who, &paths[0]).await, watch.status_of(who, &paths[1]).await]
    };
    assert_eq!((statuses(&world.brand).await, statuses(&cara).await), ([403; 2], [403; 2]));
    assert_eq!(world.grant(&gallery.license, "viewer").await.status, 201);
    let grantee = json!({ "organizationId": cara.organization });
    assert_eq!(world.grant_to(&gallery.license, grantee, "trustee").await.status, 201);
    assert_eq!((statuses(&world.brand).await, statuses(&cara).await), ([403; 2], [200; 2]));
    let unknown = "/mentions/0190a5e4-7b3c-7def-8123-456789abcdef/evidence";
    assert_eq!(watch.status_of(&world.agency, unknown).await, 404);
}

#[db_test]
async fn copies_count_as_storage_and_a_full_plan_keeps_the_rest(gallery: Gallery) {
    let before = gallery.stored_bytes().await;
    let id = gallery.copied().await;
    let bytes = "SELECT CAST(bytes AS text) FROM evidence";
    let kept: i64 = gallery.rows(bytes).await[0][0].parse().unwrap();
    assert!(kept > 0);
    assert_eq!(gallery.stored_bytes().await, before + kept);
    // The Free plan has 1 GiB.
    let full = "UPDATE tenant_usage SET image_bytes = 1073741824".to_owned();
    seed::run(&gallery.watch.world.app.database.options, full).await;
    let found = gallery.push("/copy.jpg", "Look again!").await;
    assert_eq!(found["mentions"][0]["mentionId"], id, "it is found all the same: {found}");
    let newest = gallery.watch.evidence(&id).await.remove(1);
    let picture = &newest["picture"];
    assert_eq!((&picture["copy"], &picture["missing"]), (&json!(null), &json!("plan_limit")));
    assert_eq!(newest["reference"]["copy"], json!(null));
    assert!(picture["sha256"].is_string() && newest["text"] == "Look again!", "{newest}");
    assert_eq!(gallery.stored_bytes().await, 1_073_741_824);
}

/// Copies of evidence that is not written are not left behind.
#[db_test]
async fn a_copy_is_stored_once(gallery: Gallery) {
    let objects = || {
        let folder = gallery.watch.world.app.object_folder();
        ["evidence", "references"].map(|it| std::fs::read_dir(folder.join(it)).unwrap().count())
    };
    gallery.copied().await;
    gallery.copied().await;
    assert_eq!(objects(), [1, 1]);
    let (watch, world) = (&gallery.watch, &gallery.watch.world);
    let (_, pax) = platform(world, &world.agency, "other.example").await;
    let mut item = item(PAGE, "Something else");
    item["imageUrl"] = json!(gallery.site.url("/copy.jpg"));
    let told = push(world, &world.agency, &pax, json!([item])).await;
    assert_eq!(told.status, 201, "{}", told.json());
    assert_eq!(objects(), [1, 1], "nobody else speaks for the page");
    let id = text(&told.json()["data"]["items"][0]["mentions"][0]["mentionId"]);
    assert_eq!(watch.evidence(&id).await.len(), 1);
}

#[db_test]
async fn evidence_is_forgotten_after_its_retention(gallery: Gallery) {
    let before = gallery.stored_bytes().await;
    let id = gallery.copied().await;
    let (app, day) = (&gallery.watch.world.app, Duration::from_hours(24));
    let kept = Retention { events: day * 99, access: day * 99, audit: day * 99, evidence: day * 2 };
    app.clock.advance(day * 2);
    retention::sweep(&app.app, kept).await.unwrap();
    assert_eq!(gallery.rows("SELECT method FROM evidence").await, [["pushed"]]);
    app.clock.advance(Duration::from_micros(1));
    retention::sweep(&app.app, kept).await.unwrap();
    assert_eq!(gallery.rows("SELECT method FROM evidence").await, Vec::<Vec<String>>::new());
    assert_eq!(gallery.stored_bytes().await, before);
    assert_eq!(gallery.rows("SELECT status FROM mentions").await, [["new"]], "the mention stays");
    let token = gallery.watch.world.agency.renewed(app).await;
    let path = format!("/mentions/{id}/evidence.zip");
    assert_eq!(app.request(Method::GET, &path).bearer(&token).send().await.status, 404);
    // The copies are orphans now. Their files are dated by the machine's clock.
    app.clock.set_wall(grantor_domain::Timestamp::parse("2100-01-01T00:00:00Z").unwrap());
    assert_eq!(sweep(&app.app, &mut SweepCursor::default()).await, Ok(2));
}
