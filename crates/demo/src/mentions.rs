//! Sample mentions, with every combination of verdict and status.
//!
//! They are in the past, so a special act records them, those of the history with their reviews.
//! The other reviews go through the regular act.

use std::cmp::Reverse;
use std::time::Duration;

use grantor_domain::event::{Event, EventType, NewEvent};
use grantor_domain::evidence::Evidence;
use grantor_domain::id::{ImageId, LicenseId, MentionId};
use grantor_domain::license::License;
use grantor_domain::mention::{
    Decided, Match, MatchKind, MediaType, Mention, MentionDecision, MentionStatus, Review,
    Reviewed, Verdict,
};
use grantor_domain::note::Note;
use grantor_domain::patch::Patch;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::LicenseName;
use grantor_storage::mention::{StoredMention, visibility};
use grantor_storage::{event, license, mention as rows, platform, source};

use super::evidence::Archive;
use super::history_rows::HISTORY;
use super::licenses::{SampleLicense, days_long, named};
use super::mention_rows::{MENTIONS, MatchedBy, Place, Row};
use super::people::Account;
use super::platforms::Site;
use super::site::post_path;
use super::sources::SampleSource;
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::watching::evidence::insert_sample;
use grantor_service::watching::mention;
use grantor_service::{App, Context};

/// A sample mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleMention {
    /// Its id.
    pub id: MentionId,
    /// The license it concerns.
    pub license: LicenseId,
    /// Whether the use is covered.
    pub verdict: Verdict,
    /// Its status.
    pub status: MentionStatus,
}

/// For how long events are kept by default: of older mentions there are none.
const EVENTS_KEPT: Duration = Duration::from_hours(30 * 24);

/// The position of the mention with this path in the result of [`record`].
pub(super) fn position(path: &str) -> Option<usize> {
    MENTIONS.iter().chain(&HISTORY).position(|it| it.path == path)
}

/// Where mentions were found: the platforms and the source.
pub(super) type Places<'a> = (&'a [Site], &'a SampleSource);

/// Records the mentions, oldest first, and reviews some of them as the agency. Those with every
/// combination come first in the result.
pub(super) async fn record(
    app: &App,
    operator: &Context,
    agency: &Account,
    places: Places<'_>,
    licenses: &[SampleLicense],
) -> Result<Vec<SampleMention>> {
    let mut rows: Vec<(usize, &Row)> = MENTIONS.iter().chain(&HISTORY).enumerate().collect();
    rows.sort_by_key(|(_, row)| Reverse(row.ago[1]));
    let mut sighted = Vec::with_capacity(rows.len());
    let mut archive = Archive::default();
    for (index, row) in rows {
        let of = named(licenses, row.license)?;
        let new = row.mention(app, of, places)?;
        let (id, verdict, mut status) = (new.id, new.verdict, new.status);
        let evidence = archive.evidence(app, &new).await?;
        let review = row.review()?;
        let is_past = index >= MENTIONS.len();
        let decided = review.as_ref().filter(|_| is_past).map(|it| reviewed(&new, it, agency));
        let decided = decided.transpose()?;
        status = decided.as_ref().map_or(status, |it| it.status);
        app.act(operator, Record { license: of.id, mention: new, evidence, decided }).await?;
        if let Some(review) = review.filter(|_| !is_past) {
            let (context, reader) = (agency.context(app), agency.caller.reader());
            let seen = mention::decide(app, &context, reader, id, review).await?;
            status = seen.shown.mention.status;
        }
        sighted.push((index, SampleMention { id, license: of.id, verdict, status }));
    }
    sighted.sort_by_key(|(index, _)| *index);
    Ok(sighted.into_iter().map(|(_, mention)| mention).collect())
}

/// The mention after the agency reviewed it, on the day after it was found.
fn reviewed(mention: &Mention, review: &Review, agency: &Account) -> Result<Mention> {
    let Reviewed { status, allowed, note } = review.apply(mention)?;
    let (by, by_name) = (agency.user, agency.caller.name.clone());
    let at = mention.first_seen_at.plus(days_long(1));
    let decided = Some(Decided { by, by_name, at });
    let version = mention.version + 1;
    Ok(Mention { status, allowed, note, decided, version, ..mention.clone() })
}

/// Adds the decision to the history of the mention.
fn keep_decision(unit: &mut UnitOfWork<'_, '_>, before: &Mention, after: &Mention) -> Result<()> {
    let Some(Decided { by, by_name, at }) = after.decided.clone() else { return Ok(()) };
    let (from, to) = (Some(before.decision_state()), after.decision_state());
    let decision = MentionDecision { from, to, by: Some(by), by_name, at };
    Ok(rows::decision::insert(unit.tx, after.id, &decision)?)
}

impl Row {
    /// The agency's review. A confirmed use is allowed unless it is unlicensed.
    fn review(&self) -> Result<Option<Review>> {
        let Some((decision, note)) = self.decided else { return Ok(None) };
        let allowed = match decision {
            "confirmed" => Patch::Set(self.verdict != Verdict::Unlicensed),
            _ => Patch::Keep,
        };
        Review::parse(Some(decision), allowed, Some(note)).map(Some)
    }

    fn mention(
        &self,
        app: &App,
        of: &SampleLicense,
        (sites, watched): Places<'_>,
    ) -> Result<Mention> {
        let now = app.clock.now();
        let [published, first, last] = self.ago.map(|days| now.minus(days_long(days)));
        // At different times of the day.
        let earlier = Duration::from_hours(self.title.len() as u64 * 7 % 24);
        let (platform, source, url) = match self.place {
            Place::Platform(index) => {
                let site = &sites[index];
                (Some(site.id), None, format!("https://{}{}", site.domain, self.path))
            }
            Place::Source => {
                let url = format!("{}{}", watched.origin, post_path(self.path));
                (None, Some(watched.id), url)
            }
        };
        let picture = of.images.first().copied();
        Ok(Mention {
            id: app.ids.next(),
            talent: of.talent,
            platform,
            source,
            url,
            title: self.title.to_owned(),
            excerpt: self.excerpt.to_owned(),
            author: self.author.map(str::to_owned),
            media_type: self.by.media_type(),
            found: self.by.found(picture, self.confidence)?,
            verdict: self.verdict,
            verdict_reason: self.reason.to_owned(),
            grant: None,
            status: MentionStatus::New,
            allowed: None,
            decided: None,
            note: Note::default(),
            published_at: Some(published.minus(earlier)),
            first_seen_at: first.minus(earlier),
            last_seen_at: last,
            revision: self.revision,
            version: 1,
        })
    }
}

impl MatchedBy {
    const fn media_type(&self) -> MediaType {
        match self {
            Self::Name(_) => MediaType::Text,
            Self::Picture(_) => MediaType::Image,
        }
    }

    fn found(&self, picture: Option<ImageId>, confidence: f64) -> Result<Match> {
        Ok(match self {
            Self::Name(name) => Match {
                kind: MatchKind::Name,
                term: (*name).to_owned(),
                confidence,
                distance: None,
                placement: None,
            },
            Self::Picture(distance) => {
                let picture = picture.ok_or_else(|| Error::not_found("Image"))?;
                let (kind, term) = (MatchKind::Image, picture.to_string());
                Match { kind, term, confidence, distance: Some(*distance), placement: None }
            }
        })
    }
}

struct Record {
    license: LicenseId,
    mention: Mention,
    evidence: Evidence,
    /// The mention after it was reviewed, if that is past too.
    decided: Option<Mention>,
}

impl Act for Record {
    type Permit = license::LicenseRecord;
    type Output = ();
    const ACTION: &'static str = "demo.mention";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<license::LicenseRecord> {
        license::claim(unit.tx, self.license)?.ok_or_else(|| Error::not_found("License"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        found: license::LicenseRecord,
    ) -> Result<Done<()>> {
        let license::LicenseRecord { mut license, talent_name, .. } = found;
        watch_since(&mut license, &self.mention, unit.now);
        license::update(unit.tx, &license, unit.actor)?;
        // The content's digest is unknown, so a later scan counts as a change.
        let owner = license.tenant;
        rows::insert(unit.tx, &self.mention, owner, "")?;
        insert_sample(unit, owner, &self.evidence)?;
        if let Some(id) = self.mention.source {
            source::count_mention(unit.tx, id)?;
        }
        if let Some(id) = self.mention.platform {
            platform::count(unit.tx, id, 1, 1, self.mention.first_seen_at)?;
        }
        let kept = rows::find(unit.tx, self.mention.id)?;
        let kept = kept.ok_or_else(|| Error::not_found("Mention"))?;
        let title = license.title.as_str().to_owned();
        let shown =
            StoredMention { talent_name, ..kept }.through(LicenseName { id: license.id, title });
        let oldest = visibility::oldest_license(unit.tx, &self.mention)?;
        let oldest = oldest.map_or(license.id, |it| it.id);
        let events = mention::events(unit, EventType::MentionCreated, &shown, (owner, oldest))?;
        emit(unit, events, self.mention.first_seen_at)?;
        if let Some(decided) = &self.decided {
            rows::update(unit.tx, decided, owner)?;
            keep_decision(unit, &self.mention, decided)?;
        }
        let resource = mention::resource(&self.mention);
        let mut done = Done::new((), resource, "A sample mention was recorded");
        done.tenant = Some(owner);
        Ok(done)
    }
}

/// Writes events as of a time in the past, unless they would have been deleted since.
fn emit(unit: &mut UnitOfWork<'_, '_>, events: Vec<NewEvent>, at: Timestamp) -> Result<()> {
    if unit.now.since(at) >= EVENTS_KEPT {
        return Ok(());
    }
    for content in events {
        event::insert(unit.tx, &Event { id: unit.ids.at(at), at, content })?;
    }
    Ok(())
}

/// Extends the watched period of a license back to the mention: the license was only just created.
fn watch_since(license: &mut License, mention: &Mention, now: Timestamp) {
    let first = mention.first_seen_at;
    license.watched_since = Some(license.watched_since.map_or(first, |it| it.min(first)));
    if !license.is_watched(now) {
        license.watched_until = Some(license.watched_until.map_or(first, |it| it.max(first)));
    }
}

#[cfg(test)]
mod tests {
    use grantor_domain::mention::MAX_EXCERPT;

    use super::super::post_rows::{IN_FEED, POSTS};
    use super::*;

    #[test]
    fn every_verdict_meets_every_decision() {
        for verdict in Verdict::ALL {
            for status in MentionStatus::ALL {
                let decided = |it: &Row| it.decided.map_or("new", |it| it.0) == status.name();
                let found = MENTIONS.iter().any(|it| it.verdict == verdict && decided(it));
                assert!(found, "{verdict:?} {status:?}");
            }
        }
    }

    #[test]
    fn every_sighting_is_in_order() {
        for row in MENTIONS.iter().chain(&HISTORY) {
            assert!(row.ago.is_sorted_by(|one, next| one >= next), "{}", row.title);
            assert!(row.excerpt.chars().count() <= MAX_EXCERPT);
            assert!((0.0..=1.0).contains(&row.confidence));
            if let Place::Platform(index) = row.place {
                assert!(index < super::super::platforms::ROWS.len());
            }
        }
        assert!(HISTORY.is_sorted_by(|one, next| one.ago[1] >= next.ago[1]));
        assert!((80..90).contains(&HISTORY[0].ago[1]), "about ninety days");
    }

    /// What was found on the sample site can be read there, in the archive.
    #[test]
    fn every_post_that_was_found_is_on_the_site() {
        let found = HISTORY.iter().filter(|it| matches!(it.place, Place::Source));
        let mut posts = POSTS.iter().skip(IN_FEED).rev();
        for row in found {
            let post = posts.next().unwrap();
            assert_eq!((row.path, row.title), (post.slug, post.title));
            assert!(post.paragraphs.contains(&row.excerpt), "{}", row.excerpt);
            let is_picture = row.by.media_type() == MediaType::Image;
            assert_eq!((row.ago[0], is_picture), (post.days_ago, post.picture.is_some()));
        }
        assert!(posts.next().is_none());
    }
}
