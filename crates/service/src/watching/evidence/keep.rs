//! Writes evidence in the unit of work that writes its mention.

use std::collections::BTreeMap;

use grantor_domain::evidence::{Evidence, EvidenceMatch, MissingPicture, marks};
use grantor_domain::id::{EvidenceId, TalentId, TenantId};
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
    budgets: BTreeMap<TenantId, Budget>,
}

/// What a tenant may still store, and what this unit of work adds.
#[derive(Clone, Copy)]
struct Budget {
    /// `None` if the plan has no limit.
    left: Option<u64>,
    added: u64,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(drafts: &'a Drafts) -> Self {
        Self { drafts, budgets: BTreeMap::new() }
    }

    /// Whether evidence was prepared for a talent in a piece of content.
    pub(crate) fn has_draft(&self, talent: TalentId, at: usize) -> bool {
        self.drafts.get(talent, at).is_some()
    }

    /// Writes the evidence of a mention's current revision, unless there is some. Returns its ID if
    /// its copies are used.
    pub(crate) fn keep(
        &mut self,
        unit: &mut UnitOfWork<'_, '_>,
        owner: TenantId,
        mention: &Mention,
        (recognized, at): (&Recognized, usize),
        recognition: &Recognition,
    ) -> Result<Option<EvidenceId>> {
        let Some(mut evidence) = self.evidence(unit, mention, (recognized, at), recognition) else {
            return Ok(None);
        };
        if evidence.bytes() > 0 && !self.fits(unit, owner, evidence.bytes())? {
            evidence.drop_copies();
        }
        if mention.revision > 1 {
            evidence.previous_sha256 = rows::last_hash(unit.tx, mention.id, mention.revision)?;
        }
        evidence.sha256 = hash(&evidence)?;
        let bytes = evidence.bytes();
        if !rows::insert(unit.tx, owner, &evidence)? || bytes == 0 {
            return Ok(None);
        }
        if let Some(budget) = self.budgets.get_mut(&owner) {
            budget.added += bytes;
        }
        Ok(Some(evidence.id))
    }

    /// Whether a tenant's plan has room for this many more bytes.
    fn fits(&mut self, unit: &mut UnitOfWork<'_, '_>, owner: TenantId, more: u64) -> Result<bool> {
        let budget = if let Some(known) = self.budgets.get(&owner).copied() {
            known
        } else {
            let left = usage::left(unit.app, unit.tx, owner, LimitedResource::ImageBytes)?;
            Budget { left, added: 0 }
        };
        self.budgets.insert(owner, budget);
        Ok(budget.left.is_none_or(|left| budget.added + more <= left))
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
            found: EvidenceMatch {
                kind: found.kind,
                term: found.term.clone(),
                distance: found.distance,
            },
            picture: draft.map_or_else(unavailable, |it| it.picture.clone()),
            reference: draft.and_then(|it| it.reference.clone()),
            previous_sha256: None,
            sha256: String::new(),
        })
    }

    /// Counts the bytes of all copies, tenant by tenant, so that two units of work cannot deadlock.
    pub(crate) fn finish(self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        for (tenant, budget) in self.budgets.into_iter().filter(|it| it.1.added > 0) {
            rows::count_bytes(unit.tx, tenant, budget.added)?;
        }
        Ok(())
    }
}

/// The hash of everything that the evidence says.
pub(super) fn hash(evidence: &Evidence) -> Result<String> {
    match serde_json::to_value(evidence) {
        Ok(Value::Object(members)) => revision_hash(&members),
        _ => Err(Error::internal("evidence has no JSON form")),
    }
}
