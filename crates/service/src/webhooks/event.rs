//! The event data of licenses, mentions and permissions (contract section 6): the records as in the
//! external API, without the members that depend on the reader.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, SourceId};
use grantor_domain::permission::Grantee;
use grantor_storage::permission::HeldPermission;
use grantor_storage::{license, mention};
use serde_json::{Value, json};

/// A license, without the reader's permission and without images, because their URLs expire.
pub(crate) fn license(shown: &license::LicenseRecord, now: Timestamp) -> Value {
    let license = &shown.license;
    let fee = license.fee.map(|it| {
        let (amount, currency) = (it.amount.to_string(), it.currency.to_string());
        json!({ "amount": amount, "currency": currency, "per": it.per.name() })
    });
    json!({
        "id": license.id,
        "external_id": license.external_id.as_ref().map(grantor_domain::license::ExternalId::as_str),
        "title": license.title.as_str(),
        "description": license.description.as_str(),
        "status": license.effective_status(now).name(),
        "license_type": license.license_type.key(),
        "talent": {
            "id": license.talent, "name": shown.talent_name, "aliases": shown.talent_aliases,
        },
        "owner": {
            "id": license.tenant, "name": shown.owner_name, "type": shown.owner_type.name(),
        },
        "uses": license.uses.as_slice().iter().map(|it| it.key()).collect::<Vec<_>>(),
        "territories": texts(license.territories.as_slice()),
        "fee": fee,
        "can_crawl": license.can_crawl,
        "terms": license.terms.as_map(),
        "valid_from": license.valid_from,
        "expires_at": license.expires_at,
        "image_count": license.image_count,
        "version": license.version,
        "created_at": license.created_at,
        "updated_at": license.updated_at,
    })
}

/// A mention through the license that its recipients see, with the reason for the verdict and the
/// name of the place and the source that they may read, without the note.
pub(crate) fn mention(
    shown: &mention::ListedMention,
    license: LicenseId,
    (reason, place): (&str, &str),
    source: Option<SourceId>,
) -> Value {
    let mention = &shown.mention;
    let found = &mention.found;
    let mut matched = json!({
        "kind": found.kind, "method": found.method(), "term": found.term,
        "confidence": found.confidence,
    });
    if let Some(distance) = found.distance {
        matched["distance"] = json!(distance);
    }
    if let Some(placement) = &found.placement {
        matched["placement"] = json!(placement);
    }
    json!({
        "id": mention.id,
        "license_id": license,
        "platform": mention.platform.map(|id| json!({ "id": id, "name": shown.platform_name })),
        "source": mention.source.map(|_| json!({ "id": source, "name": place })),
        "url": mention.url,
        "title": mention.title,
        "excerpt": mention.excerpt,
        "author": mention.author,
        "media_type": mention.media_type,
        "match": matched,
        "verdict": mention.verdict,
        "verdict_reason": reason,
        "status": mention.status,
        "allowed": mention.allowed,
        "decided_by": mention.decided.as_ref().map(|it| &it.by_name),
        "decided_at": mention.decided.as_ref().map(|it| it.at),
        "published_at": mention.published_at,
        "first_seen_at": mention.first_seen_at,
        "last_seen_at": mention.last_seen_at,
        "revision": mention.revision,
    })
}

/// A granted permission. The grantee's id is hidden until they accept.
pub(crate) fn permission(held: &HeldPermission) -> Value {
    let kind = match held.grantee {
        Grantee::User(_) => "user",
        Grantee::Organization(_) => "organization",
    };
    json!({
        "id": held.id, "grantee_type": kind, "grantee_id": grantee(held), "role": held.role,
        "status": if held.accepted { "accepted" } else { "pending" },
        "created_at": held.created_at,
    })
}

/// A revoked permission. Only ids, because the former grantee receives this event too.
pub(crate) fn revoked(held: &HeldPermission) -> Value {
    json!({ "id": held.id, "grantee_id": grantee(held) })
}

fn grantee(held: &HeldPermission) -> Option<uuid::Uuid> {
    let id = match held.grantee {
        Grantee::User(id) => id.as_uuid(),
        Grantee::Organization(id) => id.as_uuid(),
    };
    held.accepted.then_some(id)
}

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}
