//! Writes evidence in the unit of work that writes its mention.

use std::collections::BTreeMap;

use grantor_domain::evidence::{Evidence, EvidenceMatch, MissingPicture, marks};
use grantor_domain::id::{EvidenceId, MentionId, TalentId, TenantId};
use grantor_domain::mention::{MatchKind, Mention, Recognition};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_receipt::revision_hash;
use grantor_storage::evidence as rows;
use serde_json::Value;

use super::pending::{Drafts, missing_picture};
use crate::act::UnitOfWork;
use crate::organizations::usage;
use crate::watching::sighting::Recognized;

/// Writes the evidence of a batch.
pub(crate) struct Keeper<'a> {
    drafts: &'a Drafts,
    /// The evidence to write, by the tenant that owns the talent.
    waiting: BTreeMap<TenantId, Vec<Evidence>>,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(drafts: &'a Drafts) -> Self {
        Self { drafts, waiting: BTreeMap::new() }
    }

    /// Whether evidence was prepared for a talent in a piece of content.
    pub(crate) fn has_draft(&self, talent: TalentId, at: usize) -> bool {
        self.drafts.get(talent, at).is_some()
    }

    /// Takes the evidence of a mention's current revision, which [`Self::finish`] writes.
    pub(crate) fn keep(
        &mut self,
        unit: &UnitOfWork<'_, '_>,
        owner: TenantId,
        mention: &Mention,
        seen: (&Recognized, usize),
        recognition: &Recognition,
    ) {
        let evidence = self.evidence(unit, mention, seen, recognition);
        self.waiting.entry(owner).or_default().extend(evidence);
    }

    /// Writes all evidence, unless a revision has some. Returns the mentions whose copies are used,
    /// with the IDs of their evidence.
    ///
    /// What a tenant stores is locked from here to the end of the unit of work, so that units of
    /// work at the same time cannot exceed the plan together. It is locked tenant by tenant, and
    /// after everything else, so that they cannot deadlock.
    pub(crate) fn finish(
        self,
        unit: &mut UnitOfWork<'_, '_>,
    ) -> Result<Vec<(MentionId, EvidenceId)>> {
        let mut used = vec![];
        for (tenant, waiting) in self.waiting {
            let mut left = if waiting.iter().any(|it| it.bytes() > 0) {
                usage::claim_left(unit.app, unit.tx, tenant, LimitedResource::ImageBytes)?
            } else {
                None
            };
            let mut added = 0;
            for mut evidence in waiting {
                if left.is_some_and(|left| evidence.bytes() > left) {
                    evidence.drop_copies();
                }
                let bytes = evidence.bytes();
                if write(unit, tenant, &mut evidence)? && bytes > 0 {
                    (left, added) = (left.map(|it| it - bytes), added + bytes);
                    used.push((evidence.mention, evidence.id));
                }
            }
            if added > 0 {
                rows::count_bytes(unit.tx, tenant, added)?;
            }
        }
        Ok(used)
    }

    /// The evidence of a sighting. `None` if nothing was captured.
    fn evidence(
        &self,
        unit: &UnitOfWork<'_, '_>,
        mention: &Mention,
        (recognized, at): (&Recognized, usize),
        recognition: &Recognition,
    ) -> Option<Evidence> {
        let capture = recognized.captured.capture.as_deref()?;
        let draft = self.drafts.get(mention.talent, at);
        let seen = recognized.captured.picture_of(recognition);
        let unavailable =
            || seen.map(|it| missing_picture(it.0.url.clone(), MissingPicture::Unavailable));
        let found = &recognition.found;
        let marks = match found.kind {
            MatchKind::Name => marks(&recognition.excerpt, &found.term),
            MatchKind::Image => vec![],
        };
        Some(Evidence {
            id: draft.map_or_else(|| unit.ids.next(), |it| it.id),
            mention: mention.id,
            revision: mention.revision,
            captured_at: capture.at,
            method: capture.method,
            content_url: mention.url.clone(),
            url: capture.url.clone(),
            final_url: capture.final_url.clone(),
            status: capture.status,
            headers: capture.headers.clone(),
            body_sha256: capture.sha256.clone(),
            text: recognition.excerpt.clone(),
            marks,
            found: EvidenceMatch::from(found),
            picture: draft.map_or_else(unavailable, |it| it.picture.clone()),
            reference: draft.and_then(|it| it.reference.clone()),
            previous_sha256: None,
            sha256: String::new(),
        })
    }
}

/// Writes evidence with its hashes. False if the revision has evidence already.
fn write(unit: &mut UnitOfWork<'_, '_>, owner: TenantId, evidence: &mut Evidence) -> Result<bool> {
    if evidence.revision > 1 {
        let before = rows::last_hash(unit.tx, evidence.mention, evidence.revision)?;
        evidence.previous_sha256 = before;
    }
    evidence.sha256 = hash(evidence)?;
    Ok(rows::insert(unit.tx, owner, evidence)?)
}

/// The hash of everything that the evidence says.
pub(super) fn hash(evidence: &Evidence) -> Result<String> {
    match serde_json::to_value(evidence) {
        Ok(Value::Object(members)) => revision_hash(&members),
        _ => Err(Error::internal("evidence has no JSON form")),
    }
}
