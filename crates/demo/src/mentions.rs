//! Sample mentions, with every combination of verdict and status.
//!
//! They are in the past, so a special act records them. Reviews go through the regular act.

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, MentionId};
use grantor_domain::license::License;
use grantor_domain::mention::{
    Match, MatchKind, MediaType, Mention, MentionStatus, Review, Verdict,
};
use grantor_domain::note::Note;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::LicenseName;
use grantor_storage::mention::{StoredMention, visibility};
use grantor_storage::{license, mention as rows};

use super::licenses::{SampleLicense, days_long, named};
use super::people::Account;
use super::platforms::Site;
use grantor_service::act::{Act, Done, UnitOfWork};
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

/// What a talent was recognized by.
enum MatchedBy {
    Name(&'static str),
    /// The license's first image, with this hash distance.
    Picture(u32),
}

struct Row {
    license: &'static str,
    site: usize,
    path: &'static str,
    title: &'static str,
    excerpt: &'static str,
    author: Option<&'static str>,
    by: MatchedBy,
    confidence: f64,
    verdict: Verdict,
    reason: &'static str,
    /// The agency's review: status and note.
    decided: Option<(&'static str, &'static str)>,
    /// Days since it was published, first seen and last seen.
    ago: [u64; 3],
    revision: u32,
}

const PERMITTED: &str = "The platform's organization has an active permission";
const STRONG: &str = "Strong match, and the platform's organization has no permission";
const WEAK: &str = "Weak match, and the platform's organization has no permission";

const MENTIONS: [Row; 10] = [
    Row {
        license: "QF-001",
        site: 1,
        path: "/2/summit-season",
        title: "Summit season begins",
        excerpt: "… with Zoë Lindqvåg on the cover of our mountain issue …",
        author: Some("The editors"),
        by: MatchedBy::Name("Zoë Lindqvåg"),
        confidence: 0.98,
        verdict: Verdict::Licensed,
        reason: PERMITTED,
        decided: Some(("confirmed", "Cover of the mountain issue, as agreed")),
        ago: [21, 20, 1],
        revision: 2,
    },
    Row {
        license: "QF-002",
        site: 0,
        path: "/clips/81730",
        title: "rope + rock",
        excerpt: "zoe lindqvag shows the figure eight in 30 seconds",
        author: Some("@bergfilm"),
        by: MatchedBy::Name("Zoe Lindqvag"),
        confidence: 0.91,
        verdict: Verdict::Licensed,
        reason: PERMITTED,
        decided: None,
        ago: [6, 5, 0],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 0,
        path: "/clips/82944",
        title: "AI plays Chopin",
        excerpt: "generated hands, generated piano, real goosebumps",
        author: Some("@synthetic.salon"),
        by: MatchedBy::Picture(3),
        confidence: 0.95,
        verdict: Verdict::Unlicensed,
        reason: STRONG,
        decided: None,
        ago: [3, 2, 0],
        revision: 1,
    },
    Row {
        license: "QF-007",
        site: 1,
        path: "/1/tour-posters",
        title: "Posters of the year",
        excerpt: "… Inés Quintaflor in red against red …",
        author: Some("Culture desk"),
        by: MatchedBy::Picture(6),
        confidence: 0.9,
        verdict: Verdict::Unlicensed,
        reason: STRONG,
        decided: Some(("confirmed", "Still online after the license ended; sent to our lawyer")),
        ago: [40, 11, 1],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 1,
        path: "/2/piano-makers",
        title: "A visit to the piano makers",
        excerpt: "… the pianist Olena Yasnovets tried the oldest of them …",
        author: None,
        by: MatchedBy::Name("Olena Yasnovets"),
        confidence: 0.88,
        verdict: Verdict::Unlicensed,
        reason: STRONG,
        decided: Some(("dismissed", "News coverage needs no license")),
        ago: [15, 14, 9],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 0,
        path: "/clips/79001",
        title: "Whose hands are these?",
        excerpt: "one minute of scales, filmed from above",
        author: Some("@museum.of.sound"),
        by: MatchedBy::Picture(35),
        confidence: 0.73,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: None,
        ago: [2, 1, 0],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 0,
        path: "/clips/78212",
        title: "Learning the left hand",
        excerpt: "day 12, still the same four bars",
        author: Some("@piano.at.home"),
        by: MatchedBy::Picture(41),
        confidence: 0.68,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: Some(("dismissed", "Someone else's hands")),
        ago: [9, 8, 8],
        revision: 1,
    },
    Row {
        license: "QF-007",
        site: 0,
        path: "/clips/80555",
        title: "My room before the move",
        excerpt: "the face on the poster behind the shelf",
        author: Some("@boxes.and.boxes"),
        by: MatchedBy::Picture(38),
        confidence: 0.7,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: Some(("confirmed", "It is her tour poster, bought at a concert")),
        ago: [16, 15, 13],
        revision: 3,
    },
    Row {
        license: "QF-004",
        site: 1,
        path: "/1/picture-books",
        title: "Ten picture books for winter",
        excerpt: "… and 星野うらら herself reads from it …",
        author: Some("Book desk"),
        by: MatchedBy::Name("星野うらら"),
        confidence: 0.97,
        verdict: Verdict::Licensed,
        reason: PERMITTED,
        decided: Some(("dismissed", "A book review; not part of the campaign")),
        ago: [27, 26, 26],
        revision: 1,
    },
    Row {
        license: "NE-001",
        site: 0,
        path: "/clips/83310",
        title: "48 hours in the old town",
        excerpt: "pictures from a diary we found",
        author: Some("@city.in.two.days"),
        by: MatchedBy::Picture(2),
        confidence: 0.96,
        verdict: Verdict::Unlicensed,
        reason: STRONG,
        decided: None,
        ago: [4, 3, 0],
        revision: 1,
    },
];

/// Records the mentions and reviews some of them as the agency.
pub(super) async fn record(
    app: &App,
    operator: &Context,
    agency: &Account,
    sites: &[Site],
    licenses: &[SampleLicense],
) -> Result<Vec<SampleMention>> {
    let mut sighted = Vec::with_capacity(MENTIONS.len());
    for row in &MENTIONS {
        let of = named(licenses, row.license)?;
        let new = row.mention(app, of, &sites[row.site])?;
        let Mention { id, verdict, mut status, .. } = new.clone();
        app.act(operator, Record(of.id, new)).await?;
        if let Some((decision, note)) = row.decided {
            let decision = Review::parse(Some(decision), Some(note))?;
            let (context, reader) = (agency.context(app), agency.caller.reader());
            let seen = mention::decide(app, &context, reader, id, decision).await?;
            status = seen.shown.mention.status;
        }
        sighted.push(SampleMention { id, license: of.id, verdict, status });
    }
    Ok(sighted)
}

impl Row {
    fn mention(&self, app: &App, of: &SampleLicense, site: &Site) -> Result<Mention> {
        let now = app.clock.now();
        let [published, first, last] = self.ago.map(|days| now.minus(days_long(days)));
        let picture = of.images.first().copied();
        Ok(Mention {
            id: app.ids.next(),
            talent: of.talent,
            platform: site.id,
            url: format!("https://{}{}", site.domain, self.path),
            title: self.title.to_owned(),
            excerpt: self.excerpt.to_owned(),
            author: self.author.map(str::to_owned),
            media_type: self.by.media_type(),
            found: self.by.found(picture, self.confidence)?,
            verdict: self.verdict,
            verdict_reason: self.reason.to_owned(),
            grant: None,
            status: MentionStatus::New,
            note: Note::default(),
            published_at: Some(published),
            first_seen_at: first,
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
            },
            Self::Picture(distance) => {
                let picture = picture.ok_or_else(|| Error::not_found("Image"))?;
                let (kind, term) = (MatchKind::Image, picture.to_string());
                Match { kind, term, confidence, distance: Some(*distance) }
            }
        })
    }
}

struct Record(LicenseId, Mention);

impl Act for Record {
    type Permit = license::LicenseRecord;
    type Output = ();
    const ACTION: &'static str = "demo.mention";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<license::LicenseRecord> {
        license::claim(unit.tx, self.0)?.ok_or_else(|| Error::not_found("License"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        found: license::LicenseRecord,
    ) -> Result<Done<()>> {
        let license::LicenseRecord { mut license, talent_name, .. } = found;
        watch_since(&mut license, &self.1, unit.now);
        license::update(unit.tx, &license, unit.actor)?;
        // The content's digest is unknown, so a later scan counts as a change.
        let owner = license.tenant;
        rows::insert(unit.tx, &self.1, owner, "")?;
        let kept = rows::find(unit.tx, self.1.id)?.ok_or_else(|| Error::not_found("Mention"))?;
        let title = license.title.as_str().to_owned();
        let shown =
            StoredMention { talent_name, ..kept }.through(LicenseName { id: license.id, title });
        let oldest = visibility::oldest_license(unit.tx, &self.1)?.map_or(license.id, |it| it.id);
        let events = mention::events(unit, EventType::MentionCreated, &shown, (owner, oldest))?;
        let resource = mention::resource(&self.1);
        let mut done = Done::new((), resource, "A sample mention was recorded");
        (done.tenant, done.events) = (Some(owner), events);
        Ok(done)
    }
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
        for row in &MENTIONS {
            assert!(row.ago.is_sorted_by(|one, next| one >= next), "{}", row.title);
            assert!(row.excerpt.chars().count() <= MAX_EXCERPT);
            assert!(
                (0.0..=1.0).contains(&row.confidence)
                    && row.site < super::super::platforms::ROWS.len()
            );
        }
    }
}
