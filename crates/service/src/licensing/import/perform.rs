//! Imports one row. A row with tags needs two changes: the record, and then its tags.

use std::sync::Arc;

use grantor_domain::batch::{BatchCommand, BatchStep, ItemOutcome, Progress};
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::import::{
    Duplicates, ImportKind, ImportPlan, ImportRow, LicenseRow, TalentRow,
};
use grantor_domain::patch::Patch;
use grantor_domain::tag::{TaggedKind, Tags};
use grantor_domain::talent::TalentStatus;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::batch;
use uuid::Uuid;

use super::check::{Known, explain};
use crate::App;
use crate::licensing::license::{self, Expected, LicenseRef};
use crate::licensing::tag::{self, TagChange};
use crate::licensing::talent::{self, Changes, NewTalent};
use crate::operations::batch::{Performed, Run};

/// Imports a row.
pub(crate) async fn perform_row(
    app: &App,
    run: &Run,
    place: Progress,
    row: &ImportRow,
) -> Result<Performed> {
    let BatchCommand::Import(plan) = &run.batch.command else {
        return Err(Error::internal("rows without an import"));
    };
    let import = RowImport { app, run, plan, place };
    let imported = import.perform(row).await;
    // The report names columns.
    imported.map_err(|error| match error.kind() {
        ErrorKind::Validation => Error::new(error.kind().clone(), explain(plan.kind, &error)),
        _ => error,
    })
}

struct RowImport<'a> {
    app: &'a App,
    run: &'a Run,
    plan: &'a ImportPlan,
    place: Progress,
}

impl RowImport<'_> {
    async fn perform(&self, row: &ImportRow) -> Result<Performed> {
        if self.place.is_between() {
            let (id, created) = self.record().await?;
            let cells = self.plan.columns.cells(row);
            let tags = cells.get("Tags").map(Tags::parse).transpose();
            let tags = tags.map_err(|error| Error::field("Tags", error))?.unwrap_or_default();
            return self.tag(id, created, tags).await;
        }
        match self.plan.kind {
            ImportKind::Talents => self.talent(row).await,
            ImportKind::Licenses => self.license(row).await,
        }
    }

    async fn known(&self, row: &ImportRow) -> Result<Known> {
        let (tenant, kind) = (self.run.batch.tenant, self.plan.kind);
        let (columns, rows) = (self.plan.columns.clone(), [row.clone()]);
        self.app.store.read(move |tx| Known::load(tx, tenant, (kind, &columns), &rows)).await
    }

    /// The record that the first change of this row made.
    async fn record(&self) -> Result<(Uuid, bool)> {
        let (id, item) = (self.run.batch.id, self.place.item());
        let read = self.app.store.read(move |tx| Ok::<_, Error>(batch::record_of(tx, id, item)?));
        read.await?.ok_or_else(|| Error::internal("an imported record was not noted"))
    }

    async fn talent(&self, row: &ImportRow) -> Result<Performed> {
        let known = self.known(row).await?;
        let cells = self.plan.columns.cells(row);
        let parsed = TalentRow::parse(&cells)?;
        let (existing, tags) = (known.talent_of(&cells), parsed.tags.clone());
        if existing.is_some() && self.plan.duplicates == Duplicates::Skip {
            return Ok(Performed::Skipped(None));
        }
        let created = existing.is_none();
        let context = self.run.context(self.app, self.step(created, tags.as_ref()));
        let caller = Arc::clone(&self.run.caller);
        let id: TalentId = match existing {
            Some(id) => {
                talent::change(self.app, &context, caller, id, talent_changes(parsed)).await?;
                id
            }
            None => talent::create(self.app, &context, caller, new_talent(parsed)).await?.talent.id,
        };
        self.then_tag(id.as_uuid(), created, tags).await
    }

    async fn license(&self, row: &ImportRow) -> Result<Performed> {
        let known = self.known(row).await?;
        let cells = self.plan.columns.cells(row);
        let existing = known.license_of(&cells);
        if existing.is_some() && self.plan.duplicates == Duplicates::Skip {
            return Ok(Performed::Skipped(None));
        }
        let parsed = LicenseRow::parse(&cells, existing.is_some())?;
        let tags = parsed.tags.clone();
        let created = existing.is_none();
        let context = self.run.context(self.app, self.step(created, tags.as_ref()));
        let caller = Arc::clone(&self.run.caller);
        let id: LicenseId = if let Some(id) = existing {
            let (reader, within) = (caller.reader(), Some(caller.tenant));
            let (named, expected) = (LicenseRef::Id(id), Expected::default());
            let change = parsed.change()?;
            license::change(self.app, &context, reader, named, within, expected, change).await?;
            id
        } else {
            let new = parsed.new_license(self.app.clock.now())?;
            let name = parsed.talent.as_ref();
            let name = name.ok_or_else(|| Error::field("Talent", "is required"))?;
            let talent = known.find_talent(name)?;
            let made = license::create(self.app, &context, caller, talent, new, vec![]).await?;
            made.shown.license.id
        };
        self.then_tag(id.as_uuid(), created, tags).await
    }

    /// The step of the first change. It ends the row unless there are tags.
    fn step(&self, created: bool, tags: Option<&Tags>) -> BatchStep {
        let ends = outcome(created);
        let (to, outcome) = match tags.filter(|it| !it.as_slice().is_empty()) {
            Some(_) => (self.place.between(), ItemOutcome::Between),
            None => (self.place.next(), ends),
        };
        let (batch, from) = (self.run.batch.id, self.place);
        BatchStep { batch, from, to, outcome, notes_created: Some(created), undoable: None }
    }

    /// Goes on with the tags, if there are any.
    async fn then_tag(&self, id: Uuid, created: bool, tags: Option<Tags>) -> Result<Performed> {
        match tags.filter(|it| !it.as_slice().is_empty()) {
            Some(tags) => {
                let place = self.place.between();
                RowImport { place, ..*self }.tag(id, created, tags).await
            }
            None => Ok(Performed::Stored(self.place.next())),
        }
    }

    /// Puts the tags on the record.
    async fn tag(&self, id: Uuid, created: bool, tags: Tags) -> Result<Performed> {
        let kind = match self.plan.kind {
            ImportKind::Talents => TaggedKind::Talent,
            ImportKind::Licenses => TaggedKind::License,
        };
        let context = self.run.context(self.app, self.run.step(self.place, outcome(created)));
        let change = TagChange { add: tags, remove: Tags::default() };
        let caller = Arc::clone(&self.run.caller);
        let tagged = tag::change(self.app, &context, caller, (kind, id), change).await;
        tagged.map_err(|error| {
            if !error.is_refusal() {
                return error;
            }
            let message = format!("Imported without its tags: {}", error.message());
            Error::new(error.kind().clone(), message)
        })?;
        Ok(Performed::Stored(self.place.next()))
    }
}

const fn outcome(created: bool) -> ItemOutcome {
    if created { ItemOutcome::Created } else { ItemOutcome::Changed }
}

fn new_talent(row: TalentRow) -> NewTalent {
    NewTalent {
        fullname: row.fullname,
        aliases: row.aliases.unwrap_or_default(),
        email: row.email,
        phone: row.phone,
        bio: row.bio,
        social_media: row.social_media.unwrap_or_default(),
        team: None,
        external_id: row.external_id,
        status: row.status.unwrap_or(TalentStatus::Active),
    }
}

fn talent_changes(row: TalentRow) -> Changes {
    Changes {
        fullname: Some(row.fullname),
        aliases: row.aliases,
        email: row.email.map_or(Patch::Keep, Patch::Set),
        phone: row.phone.map_or(Patch::Keep, Patch::Set),
        bio: row.bio.map_or(Patch::Keep, Patch::Set),
        social_media: row.social_media,
        status: row.status,
        team: Patch::Keep,
        external_id: Patch::Keep,
    }
}
