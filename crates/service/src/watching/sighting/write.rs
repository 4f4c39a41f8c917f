//! Writing a mention: a new one, or one that was seen again.

use grantor_domain::content::Content;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::hex;
use grantor_domain::id::TalentId;
use grantor_domain::mention::{Mention, MentionStatus, Recognition, SightingTimes};
use grantor_domain::note::Note;
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::{LicenseName, WatchedTalent};
use grantor_storage::mention::visibility;
use grantor_storage::mention::{ListedMention, SourceName, StoredMention};
use grantor_storage::source::SourceRef;
use grantor_storage::{mention as rows, platform, source};

use super::publisher::Publisher;
use super::{Recognized, RecordedMention};
use crate::act::UnitOfWork;
use crate::watching::case;
use crate::watching::evidence::Keeper;
use crate::watching::mention;

/// Where content was found.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// On a platform.
    Platform(&'a Platform),
    /// By a source of the talent's owner.
    Source(&'a SourceRef),
}

/// One talent in one piece of content.
pub(super) struct Sighting<'a> {
    /// The talent.
    pub(super) talent: TalentId,
    /// The talent's name, owner and oldest watched license.
    pub(super) watched: &'a WatchedTalent,
    /// Who published the content.
    pub(super) publisher: &'a Publisher,
    /// Where it was found.
    pub(super) place: Place<'a>,
    /// The content.
    pub(super) content: &'a Content,
    /// What was recognized and captured of the content, and its number.
    pub(super) seen: (&'a Recognized, usize),
}

impl Sighting<'_> {
    /// Creates the mention or updates the known one, with the events to publish.
    pub(super) fn record(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        recognition: &Recognition,
        keeper: &mut Keeper<'_>,
    ) -> Result<(RecordedMention, Vec<NewEvent>)> {
        let owner = self.watched.owner;
        let digest = hex::encode(&self.content.digest());
        let new = self.mention(unit, recognition, unit.now);
        // Another unit may insert the same mention first: then this one updates it.
        if rows::insert(unit.tx, &new, owner, &digest)? {
            if let Some(id) = new.source {
                source::count_mention(unit.tx, id)?;
            }
            keeper.keep(unit, owner, &new, self.seen, recognition);
            let shown = self.kept(new).through(self.watched.oldest.clone());
            let by = (owner, shown.license);
            let events = mention::events(unit, EventType::MentionCreated, &shown, by)?;
            crate::notices::mention_found(unit, &shown, &events)?;
            return Ok((self.recorded(shown, true), events));
        }
        let known = rows::claim_at(unit.tx, self.talent, &self.content.url)?;
        let (known, before) = known
            .ok_or_else(|| Error::internal("the mention that conflicted on insert is missing"))?;
        case::seen_again(unit, known.mention.id)?;
        if !self.may_update(unit, &known)? {
            rows::touch(unit.tx, &known.mention, owner, unit.now)?;
            let shown = known.through(self.watched.oldest.clone());
            return Ok((self.recorded(shown, false), vec![]));
        }
        let new = self.mention(unit, recognition, known.mention.first_seen_at);
        let mut mention = again(&known.mention, new);
        mention.revision += u32::from(before.as_deref() != Some(&*digest));
        // A mention that no license listed is back on its owner's list, which is a change too.
        let changed = known.owner.is_none()
            || mention != (Mention { last_seen_at: unit.now, ..known.mention });
        mention.version += u32::from(changed);
        rows::update_sighting(unit.tx, &mention, owner, &digest)?;
        let needs_evidence =
            mention.revision > known.mention.revision || keeper.has_draft(self.talent, self.seen.1);
        if needs_evidence {
            keeper.keep(unit, owner, &mention, self.seen, recognition);
        }
        let license = visibility::oldest_license(unit.tx, &mention)?;
        let license = license.unwrap_or_else(|| self.watched.oldest.clone());
        let shown = self.kept(mention).through(license);
        let by = (owner, shown.license);
        let events = changed.then(|| mention::events(unit, EventType::MentionUpdated, &shown, by));
        Ok((self.recorded(shown, false), events.transpose()?.unwrap_or_default()))
    }

    /// Whether this sighting may update the mention. A mention belongs to the platform or the source
    /// that reported it first. It passes only to a platform that proved the URL's domain, and to a
    /// source from a platform that did not.
    fn may_update(&self, unit: &mut UnitOfWork<'_, '_>, known: &StoredMention) -> Result<bool> {
        let (platform, source) = (known.mention.platform, known.mention.source);
        match self.place {
            Place::Platform(own) if platform == Some(own.id) => return Ok(true),
            Place::Source(own) if source.is_some() => {
                return Ok(source == Some(own.id));
            }
            _ if platform.is_none() && source.is_none() => return Ok(true),
            _ => {}
        }
        let url = &self.content.url;
        let reporter = match platform {
            Some(id) => platform::find_anywhere(unit.tx, id)?,
            None => None,
        };
        let theirs = reporter.is_some_and(|it| it.owns(url));
        Ok(match self.place {
            Place::Platform(own) => own.owns(url) && !theirs,
            Place::Source(_) => !theirs,
        })
    }

    fn kept(&self, mention: Mention) -> StoredMention {
        let (platform_name, source_name) = match self.place {
            Place::Platform(it) => (Some(it.name.as_str().to_owned()), None),
            Place::Source(it) => (None, Some(SourceName::new(self.watched.owner, it.name.clone()))),
        };
        StoredMention {
            mention,
            platform_name,
            source_name,
            talent_name: self.watched.name.clone(),
            owner: Some(self.watched.owner),
        }
    }

    /// The mention as reported to the platform: through a license that its organization holds, if
    /// any.
    fn recorded(&self, shown: ListedMention, is_new: bool) -> RecordedMention {
        let license = self.publisher.holds.as_ref().unwrap_or(&self.watched.oldest);
        let LicenseName { id: license, title: license_title } = license.clone();
        let reader = match self.place {
            Place::Platform(it) => it.tenant,
            Place::Source(_) => self.watched.owner,
        };
        let reason = shown.mention.reason_for(Some(reader));
        let shown = ListedMention { license, license_title, ..shown };
        RecordedMention { shown, reason, is_new, copies: None }
    }

    fn mention(
        &self,
        unit: &UnitOfWork<'_, '_>,
        recognition: &Recognition,
        first_seen_at: Timestamp,
    ) -> Mention {
        let published_at = self.content.published_at;
        let times = SightingTimes { published_at, first_seen_at, now: unit.now };
        let judgment = self.publisher.judge(times, recognition);
        let (platform, source, verdict_reason) = match self.place {
            Place::Platform(it) => (Some(it.id), None, judgment.reason.to_owned()),
            Place::Source(it) => (None, Some(it.id), judgment.publisher_reason()),
        };
        Mention {
            id: unit.ids.next(),
            talent: self.talent,
            platform,
            source,
            url: self.content.url.as_str().to_owned(),
            title: self.content.title.clone(),
            excerpt: recognition.excerpt.clone(),
            author: self.content.author.clone(),
            media_type: recognition.found.kind.media_type(),
            found: recognition.found.clone(),
            verdict: judgment.verdict,
            verdict_reason,
            grant: judgment.grant,
            status: MentionStatus::New,
            allowed: None,
            decided: None,
            note: Note::default(),
            published_at,
            first_seen_at,
            last_seen_at: unit.now,
            revision: 1,
            version: 1,
        }
    }
}

/// The known mention with what was seen now. Its decision, note and first sighting stay.
fn again(was: &Mention, now: Mention) -> Mention {
    Mention {
        id: was.id,
        status: was.status,
        allowed: was.allowed,
        decided: was.decided.clone(),
        note: was.note.clone(),
        first_seen_at: was.first_seen_at,
        revision: was.revision,
        version: was.version,
        ..now
    }
}
