//! What hubs send to a callback URL: requests to confirm a subscription or its end, denials, and
//! pushes.

use aws_lc_rs::hmac;
use grantor_domain::websub::{
    AFTER_DENIAL, HubMode, HubSignature, HubSubscription, MAX_NOTE, SignatureMethod, callback_hash,
    read_lease, renew_after,
};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::websub::{self, Push, SealedSubscription};
use grantor_storage::{Changes, Tx, feed};
use metrics::counter;

use super::{finish, is_watched, open, release};
use crate::{App, Context};

/// Signatures that are checked of one push.
const MAX_SIGNATURES: usize = 4;

/// The query of a request from a hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HubQuery {
    /// `hub.mode`.
    pub mode: String,
    /// `hub.topic`.
    pub topic: String,
    /// `hub.challenge`.
    pub challenge: Option<String>,
    /// `hub.lease_seconds`.
    pub lease_seconds: Option<String>,
    /// `hub.reason`.
    pub reason: Option<String>,
}

/// The answer to a request from a hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// We want what the hub asks; this challenge is returned.
    Confirmed(String),
    /// The hub told us something.
    Noted,
    /// We want something else.
    Refused,
}

/// A push of a hub.
pub struct PushRequest {
    /// The values of `X-Hub-Signature`.
    pub signatures: Vec<String>,
    /// The media type.
    pub content_type: Option<String>,
    /// The content of the feed.
    pub body: Vec<u8>,
}

/// What became of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushResult {
    /// It was stored, and the feed is due.
    Accepted,
    /// Its signature is missing or wrong; it was ignored.
    Rejected,
    /// There is no such subscription, or it is no longer wanted.
    Gone,
}

impl PushResult {
    /// The name in metrics.
    const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Gone => "gone",
        }
    }
}

/// Answers a hub that asks whether we want a subscription or its end, or that denies one.
pub async fn confirm(app: &App, token: &str, query: HubQuery) -> Result<Confirmation> {
    let Some(hash) = callback_hash(token) else { return Ok(Confirmation::Refused) };
    // Made-up tokens do not reach the writer.
    let known = app.store.lookup(move |tx| websub::find_by_token(tx, &hash)).await?;
    if known.is_none() {
        return Ok(Confirmation::Refused);
    }
    let now = app.clock.now();
    let [chance] = app.entropy.bytes();
    let work = move |tx: &mut Tx<'_>| match websub::claim_by_token(tx, &hash)? {
        Some(found) => decide(tx, &found.subscription, &query, now, chance),
        None => Ok(Confirmation::Refused),
    };
    app.store.write(work).await
}

fn decide(
    tx: &mut Tx<'_>,
    known: &HubSubscription,
    query: &HubQuery,
    now: Timestamp,
    chance: u8,
) -> Result<Confirmation> {
    match (query.mode.as_str(), &query.challenge) {
        ("denied", _) if known.is_about(&query.topic) => {
            if known.is_wanted() {
                let note = denial(query.reason.as_deref());
                websub::deny(tx, known.id, &note, now.plus(AFTER_DENIAL))?;
            }
            Ok(Confirmation::Noted)
        }
        ("subscribe", Some(challenge)) if known.confirms(HubMode::Subscribe, &query.topic) => {
            let lease = read_lease(query.lease_seconds.as_deref());
            let renewed_at = now.plus(renew_after(lease, chance));
            websub::activate(tx, known.id, now.plus(lease), renewed_at)?;
            Ok(Confirmation::Confirmed(challenge.clone()))
        }
        ("unsubscribe", Some(challenge)) if known.confirms(HubMode::Unsubscribe, &query.topic) => {
            finish(tx, known, now)?;
            Ok(Confirmation::Confirmed(challenge.clone()))
        }
        _ => Ok(Confirmation::Refused),
    }
}

fn denial(reason: Option<&str>) -> String {
    let note = match reason.map(str::trim) {
        None | Some("") => "the hub denied the subscription".to_owned(),
        Some(reason) => format!("the hub denied the subscription: {reason}"),
    };
    note.chars().filter(|it| !it.is_control()).take(MAX_NOTE).collect()
}

/// Stores what a hub pushed and makes the feed due.
pub async fn receive(
    app: &App,
    context: &Context,
    token: &str,
    pushed: PushRequest,
) -> Result<PushResult> {
    let result = verify_and_store(app, context, token, pushed).await?;
    counter!("grantor_websub_pushes_total", "outcome" => result.name()).increment(1);
    Ok(result)
}

async fn verify_and_store(
    app: &App,
    context: &Context,
    token: &str,
    pushed: PushRequest,
) -> Result<PushResult> {
    let Some(hash) = callback_hash(token) else { return Ok(PushResult::Gone) };
    let found = app.store.lookup(move |tx| websub::find_by_token(tx, &hash)).await?;
    let Some(found) = found.filter(|it| it.subscription.is_wanted()) else {
        return Ok(PushResult::Gone);
    };
    if !is_signed(open(app, &found)?.secret(), &pushed.signatures, &pushed.body) {
        return Ok(PushResult::Rejected);
    }
    store(app, context, &found, pushed).await
}

async fn store(
    app: &App,
    context: &Context,
    found: &SealedSubscription,
    pushed: PushRequest,
) -> Result<PushResult> {
    let (now, feed, own) = (app.clock.now(), found.subscription.feed, app.clone());
    let PushRequest { content_type, body, .. } = pushed;
    let push = Push { id: app.ids.next(), body, content_type, received_at: now };
    let work = move |tx: &mut Tx<'_>| {
        if !is_watched(tx, feed)? {
            release(tx, feed, now)?;
            return Ok(PushResult::Gone);
        }
        // A push without content only says that the feed has changed.
        if !push.body.is_empty() {
            websub::insert_push(tx, feed, &push)?;
        }
        feed::make_due(tx, feed, now, false)?;
        Ok::<_, Error>(PushResult::Accepted)
    };
    let after = move |changes: &Changes| own.after_commit(changes);
    app.store.write_for(&context.waiter, work, after).await
}

/// Whether one of the signatures is that of the body. The comparison takes constant time.
fn is_signed(secret: &str, signatures: &[String], body: &[u8]) -> bool {
    let signatures = signatures.iter().take(MAX_SIGNATURES);
    signatures.filter_map(|it| HubSignature::parse(it)).any(|signature| {
        let algorithm = match signature.method {
            SignatureMethod::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
            SignatureMethod::Sha256 => hmac::HMAC_SHA256,
            SignatureMethod::Sha384 => hmac::HMAC_SHA384,
            SignatureMethod::Sha512 => hmac::HMAC_SHA512,
        };
        let key = hmac::Key::new(algorithm, secret.as_bytes());
        hmac::verify(&key, body, &signature.tag).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second test case of RFC 2202 and RFC 4231.
    const VECTORS: [&str; 4] = [
        "sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "sha384=af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e\
         8e2240ca5e69e2c78b3239ecfab21649",
        "sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
         9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    ];
    const BODY: &[u8] = b"what do ya want for nothing?";

    fn signed(signatures: &[&str], body: &[u8]) -> bool {
        let signatures: Vec<_> = signatures.iter().map(|it| (*it).to_owned()).collect();
        is_signed("Jefe", &signatures, body)
    }

    #[test]
    fn every_method_is_verified() {
        for vector in VECTORS {
            assert!(signed(&[vector], BODY), "{vector}");
            assert!(!signed(&[vector], b"what do ya want for nothing!"), "{vector}");
            let (method, tag) = vector.split_once('=').unwrap();
            let last = if tag.ends_with('0') { '1' } else { '0' };
            let altered = format!("{method}={}{last}", &tag[..tag.len() - 1]);
            assert!(!signed(&[&altered], BODY), "{altered}");
            assert!(!is_signed("other", &[vector.to_owned()], BODY), "{vector}");
        }
    }

    #[test]
    fn one_valid_signature_is_enough_and_none_is_not() {
        let [sha1, sha256, ..] = VECTORS;
        let wrong = format!("sha256={}", "0".repeat(64));
        assert!(signed(&[&wrong, sha1], BODY));
        assert!(signed(&[sha256, "sha1=nonsense"], BODY));
        assert!(!signed(&[], BODY));
        assert!(!signed(&["sha1=", "nonsense"], BODY));
        assert!(!signed(&[&wrong, &wrong, &wrong, &wrong, sha256], BODY), "only four are checked");
    }

    #[test]
    fn a_denial_is_one_line_of_bounded_length() {
        assert_eq!(denial(None), "the hub denied the subscription");
        assert_eq!(denial(Some(" ")), "the hub denied the subscription");
        assert_eq!(denial(Some("no\npe\u{7}")), "the hub denied the subscription: nope");
        assert_eq!(denial(Some(&"é".repeat(1_000))).chars().count(), MAX_NOTE);
    }
}
