//! Creating a source. The address is read first, outside of the unit of work.

use grantor_domain::role::Right;
use grantor_domain::source::{FIRST_SCAN_WITHIN, Feed, FoundItems, Looked, NewSource, Source};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::feed;
use grantor_storage::source::{self, FEED_IS_WATCHED, ListedSource};
use serde_json::json;

use super::{already_watched, look, may_watch, not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::organizations::{rights, usage};
use crate::watching::scan::look::Found;
use crate::watching::websub;
use crate::{App, Context};

const NO_PUSH: &str = "can only be watched through its hub, which cannot reach this server";

/// Creates a source and returns what was found at its address. The first scan is due at once, unless
/// the feed was just read for somebody else.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewSource,
) -> Result<(ListedSource, Looked)> {
    // Checked before anything is fetched, and again in the unit of work.
    let address = look::admit(app, context, caller, &new.url, Some(new.talents.clone())).await?;
    let seen = look::find(app, &address).await?;
    let looked = seen.looked.clone();
    let created = app.act(context, Create { caller, new, seen }).await?;
    Ok((created, looked))
}

struct Create {
    caller: TenantCaller,
    new: NewSource,
    seen: Found,
}

impl Act for Create {
    type Permit = ();
    type Output = ListedSource;
    const ACTION: &'static str = "source.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let own = rights::limited_to(unit.tx, unit.actor, Right::ManageSources)?;
        may_watch(unit.tx, own.as_deref(), self.caller, &self.new.talents)?;
        usage::admit(unit, self.caller.tenant, LimitedResource::Sources, 1)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<ListedSource>> {
        let (feed, read_at) = self.put_feed(unit)?;
        let tenant = self.caller.tenant;
        if let Some(known) = source::find_of_feed(unit.tx, tenant, feed.id)? {
            return Err(already_watched(unit.tx, known, &self.seen.url)?);
        }
        let source = self.source(unit, &feed);
        source::insert(unit.tx, &source).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == FEED_IS_WATCHED => {
                Error::conflict("You already watch this address").at("url")
            }
            other => other.into(),
        })?;
        if source.is_active() {
            // Read in full for this source, even if other tenants' sources have it read already.
            match read_at {
                Some(at) => feed::make_due_by(unit.tx, feed.id, at.plus(FIRST_SCAN_WITHIN))?,
                None => feed::make_due(unit.tx, feed.id, unit.now, true)?,
            }
        }
        if let Some((hub, topic)) = &self.seen.hub {
            let subscribed = websub::subscribe(unit.app, unit.tx, feed.id, hub, topic)?;
            if feed.push_only && !subscribed {
                return Err(Error::field("url", NO_PUSH));
            }
        } else if source.is_active() {
            websub::resume(unit.tx, feed.id, unit.now)?;
        }
        let listed = source::find(unit.tx, tenant, source.id)?.ok_or_else(not_found)?;
        let mut done = Done::new(listed, resource(&source), "A source was created");
        done.details = json!({ "url": source.url, "feed": feed.url });
        Ok(done)
    }
}

impl Create {
    /// Stores the feed. Returns it, and when it was last read for somebody else, if that was within
    /// the hour: then it is not read again at once.
    fn put_feed(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<(Feed, Option<Timestamp>)> {
        let looked = &self.seen.looked;
        let times = (unit.now.minus(FIRST_SCAN_WITHIN), unit.now);
        let read_at = feed::last_read(unit.tx, &looked.feed_url, times)?;
        let feed = feed::put(unit.tx, &self.feed(unit))?;
        if read_at.is_none() {
            let found = FoundItems { items: looked.items, sample: looked.sample.clone() };
            feed::put_found(unit.tx, feed.id, &found)?;
        }
        Ok((feed, read_at))
    }

    fn feed(&self, unit: &UnitOfWork<'_, '_>) -> Feed {
        let looked = &self.seen.looked;
        Feed {
            id: unit.ids.next(),
            url: looked.feed_url.clone(),
            kind: looked.kind,
            service: looked.service,
            profile: looked.profile.clone(),
            title: looked.title.clone(),
            push_only: looked.push_only,
            due_at: None,
            last_scan_at: None,
            failing_since: None,
            failures: 0,
            created_at: unit.now,
        }
    }

    fn source(&self, unit: &UnitOfWork<'_, '_>, feed: &Feed) -> Source {
        let new = self.new.clone();
        Source {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            feed: feed.id,
            url: self.seen.url.clone(),
            name: new.name.unwrap_or_else(|| self.seen.looked.suggested_name()),
            frequency: new.frequency,
            status: new.status,
            stopped: None,
            talents: new.talents,
            asked_at: None,
            created_by: self.caller.user,
            created_at: unit.now,
            updated_at: unit.now,
            version: 1,
        }
    }
}
