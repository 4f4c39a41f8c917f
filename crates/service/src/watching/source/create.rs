//! Creating a source. The address is read first, outside of the unit of work.

use grantor_domain::role::Right;
use grantor_domain::source::{Feed, Looked, NewSource, Source};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_storage::feed;
use grantor_storage::source::{self, FEED_IS_WATCHED, ListedSource};
use serde_json::json;

use super::look::read_address;
use super::{may_watch, not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::organizations::{rights, usage};
use crate::watching::scan::look::Found;
use crate::watching::websub;
use crate::{App, Context};

const NO_PUSH: &str = "can only be watched through its hub, which cannot reach this server";

/// Creates a source and returns what was found at its address. The first scan is due at once.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewSource,
) -> Result<(ListedSource, Looked)> {
    super::look::authorize(app, context).await?;
    // Checked before anything is fetched, and again in the unit of work.
    usage::check(app, context, caller.tenant, LimitedResource::Sources).await?;
    let seen = read_address(app, &new.url).await?;
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
        let feed = feed::put(unit.tx, &self.feed(unit))?;
        let tenant = self.caller.tenant;
        if let Some(known) = source::find_of_feed(unit.tx, tenant, feed.id)? {
            let error = Error::conflict("You already watch this address").at("url");
            return Err(error.with_detail("source_id", known.to_string()));
        }
        let new = self.new.clone();
        let source = Source {
            id: unit.ids.next(),
            tenant,
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
        };
        source::insert(unit.tx, &source).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == FEED_IS_WATCHED => {
                Error::conflict("You already watch this address").at("url")
            }
            other => other.into(),
        })?;
        if source.is_active() {
            // Read in full for this source, even if other tenants' sources have it read already.
            feed::make_due(unit.tx, feed.id, unit.now, true)?;
        }
        if let Some((hub, topic)) = &self.seen.hub {
            let subscribed = websub::subscribe(unit.app, unit.tx, feed.id, hub, topic)?;
            if feed.push_only && !subscribed {
                return Err(Error::field("url", NO_PUSH));
            }
        }
        let listed = source::find(unit.tx, tenant, source.id)?.ok_or_else(not_found)?;
        let mut done = Done::new(listed, resource(&source), "A source was created");
        done.details = json!({ "url": source.url, "feed": feed.url });
        Ok(done)
    }
}

impl Create {
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
}
