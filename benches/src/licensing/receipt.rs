//! Receipts issued and verified: by the pure functions, and over HTTP.

use grantor_domain::Timestamp;
use grantor_receipt::{
    HeldStatusList, LicenseName, NewReceipt, Party, StatusList, StatusReference, TalentName,
    Validity,
};
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture as _};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Parties, grant};
use crate::license::text;
use crate::measure::{Outcome, processor_time, report};
use crate::wire::{cost, request, send};

/// How often each function runs.
const RUNS: u32 = 5_000;
/// Connections over which receipts are requested.
const CONNECTIONS: usize = 4;
/// The grants whose receipts are requested; the ninth is active.
const GRANTS: std::ops::Range<u32> = 9..17;

/// Measures the pure functions.
pub(super) async fn run() -> Outcome {
    let test = TestApp::on(Engine::Sqlite).await;
    let app = &test.app;
    let (now, issuer) = (app.clock.now(), app.public_url.as_str());
    let new = new_receipt(issuer, now);
    let key = app.keys.receipt_key(now)?;
    let issue = || grantor_receipt::issue(&new, issuer, &key, &*app.entropy);
    let receipt = issue()?;
    let list = HeldStatusList::current(new.status.uri.clone(), StatusList::default(), now);
    let verify = || grantor_receipt::verify(&receipt, &*app.keys, issuer, Some(&list), now);
    if verify().valid != Validity::Yes {
        return Err("the receipt is not valid".into());
    }
    let issued = pace(|| issue().map(drop).map_err(Into::into))?;
    let verified = pace(|| {
        std::hint::black_box(verify());
        Ok(())
    })?;
    report(
        "licensing",
        &format!(
            "receipts by one core: {issued:.0} issued/s, {verified:.0} verified/s: {:.1} times",
            verified / issued
        ),
    );
    Ok(())
}

/// Measures the endpoints.
pub(super) async fn over_http(parties: &Parties) -> Outcome {
    let headers = [("authorization", parties.licensee.as_str())];
    let get = |number| request(&format!("GET /grants/{}/receipt", grant(number)), &headers, "");
    let issue: Vec<_> = GRANTS.map(get).collect();
    let mut verify = Vec::new();
    for text_of_request in &issue {
        let answer: Value =
            serde_json::from_slice(&send(parties.served, text_of_request).await?.body)?;
        let body = json!({ "receipt": text(&answer["receipt"]) });
        verify.push(request("POST /receipts/verify", &[], &body.to_string()));
    }
    for (what, texts) in [("GET /grants/{id}/receipt", issue), ("POST /receipts/verify", verify)] {
        let (micros, pace) = cost(parties.served, &texts, CONNECTIONS).await?;
        report("licensing", &format!("{what}: {micros:.0} µs of CPU time, {pace:.0} receipts/s"));
    }
    Ok(())
}

/// How often a function can run in a second of CPU time.
fn pace(mut run: impl FnMut() -> Outcome) -> Outcome<f64> {
    let before = processor_time("self")?;
    for _ in 0..RUNS {
        run()?;
    }
    let taken = processor_time("self")?.saturating_sub(before);
    Ok(f64::from(RUNS) / taken.as_secs_f64())
}

fn new_receipt(issuer: &str, now: Timestamp) -> NewReceipt {
    let party = |id, name: &str| Party { id: Uuid::from_u128(id), name: name.to_owned() };
    NewReceipt {
        number: "GR-2026-000042".to_owned(),
        terms_hash: "sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU".to_owned(),
        licensor: party(1, "Quillfeather Talent"),
        uses: vec!["advertising".to_owned(), "social_media".to_owned()],
        territories: vec!["AT".to_owned(), "DE".to_owned()],
        exclusive: true,
        issued_at: now,
        starts_at: now,
        ends_at: None,
        status: StatusReference { idx: 42, uri: format!("{issuer}/status-lists/1") },
        license: LicenseName { id: Uuid::from_u128(2), title: "Campaigns".to_owned() },
        talent: TalentName { id: Some(Uuid::from_u128(3)), name: "Marguerite".to_owned() },
        licensee: party(4, "Acme Films"),
        fee: None,
        conditions: Some("No alcohol.".to_owned()),
        channels: vec!["https://acme.test".to_owned()],
    }
}
