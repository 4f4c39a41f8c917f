//! Tests of receipts as a whole. The fixtures are the same in every run.

mod capsule;
mod forged;
mod mutated;
mod property;
mod receipt;
mod status;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::license::{Amount, Currency, FeePer, LicenseFee};
use grantor_domain::{Clock, Entropy, Timestamp};
use grantor_keys::{Keys, ReceiptKey};
use uuid::Uuid;

use crate::*;

pub(crate) const ISSUER: &str = "https://grantor.test";
pub(crate) const LIST: &str = "https://grantor.test/status-lists/7";
/// 2026-11-16T00:00:00Z.
pub(crate) const NOW: i64 = 1_794_787_200;
const DAY: i64 = 86_400;

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        at(NOW)
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// Returns different bytes each time, and the same in every run.
struct Count(Mutex<u8>);

impl Entropy for Count {
    fn fill(&self, buffer: &mut [u8]) {
        let mut count = self.0.lock().unwrap();
        *count = count.wrapping_add(1);
        buffer.fill(*count);
    }
}

pub(crate) fn entropy() -> Arc<dyn Entropy> {
    Arc::new(Count(Mutex::new(0)))
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_secs(seconds)
}

/// A key ring that is the same in every run.
pub(crate) fn keys() -> Keys {
    let folder = tempfile::tempdir().unwrap();
    Keys::open(folder.path(), Arc::new(Stopped), entropy()).unwrap()
}

pub(crate) fn key(keys: &Keys) -> ReceiptKey {
    keys.receipt_key(at(NOW)).unwrap()
}

pub(crate) fn new_receipt() -> NewReceipt {
    let party = |id, name: &str| Party { id: Uuid::from_u128(id), name: name.into() };
    NewReceipt {
        number: "GR-2026-000042".into(),
        terms_hash: "sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU".into(),
        licensor: party(1, "Zoë Müller Management"),
        uses: vec!["advertising".into(), "social_media".into()],
        territories: vec!["AT".into(), "DE".into()],
        exclusive: true,
        issued_at: at(NOW - DAY),
        starts_at: at(NOW),
        ends_at: Some(at(NOW + 365 * DAY)),
        status: StatusReference { idx: 131_071, uri: LIST.into() },
        license: LicenseName { id: Uuid::from_u128(2), title: "Campaigns".into() },
        talent: TalentName { id: Some(Uuid::from_u128(3)), name: "Łukasz 李小龙".into() },
        licensee: party(4, "Acme \"Films\" & Co."),
        fee: Some(LicenseFee {
            amount: Amount::parse("2500").unwrap(),
            currency: Currency::parse("EUR").unwrap(),
            per: FeePer::Month,
        }),
        conditions: Some("No alcohol.\nNo politics.".into()),
        channels: vec!["https://acme.test".into()],
    }
}

pub(crate) fn issued(keys: &Keys) -> String {
    issue(&new_receipt(), ISSUER, &key(keys), &*entropy()).unwrap()
}

/// The status list as the issuer knows it.
pub(crate) fn fresh() -> HeldStatusList {
    HeldStatusList::current(LIST, StatusList::default(), at(NOW))
}

pub(crate) fn check(keys: &Keys, receipt: &str) -> Verification {
    verify(receipt, keys, ISSUER, Some(&fresh()), at(NOW))
}

pub(crate) fn refused(reason: Reason) -> Verification {
    Verification { valid: Validity::No, reasons: vec![reason], claims: None }
}
