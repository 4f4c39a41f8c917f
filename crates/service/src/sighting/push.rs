//! Content that a platform pushes to be checked, by a PAX with the scope write (contract section 5).

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::id::PaxId;
use grantor_domain::likeness;
use grantor_domain::pax::{PaxScope, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::pax::ListedPax;
use grantor_storage::{Tx, pax, platform};
use serde_json::json;
use tokio::time::timeout;

use super::{Looked, Noted, Recognized, Sighted, Traces, merge, note, parts, recognize};
use crate::act::{Act, Desk, Done};
use crate::outbound::{OutboundRequest, Purpose};
use crate::{App, Context, reach};

/// The pieces of content one push may bring.
pub const MOST_ITEMS: usize = 100;
/// How long the pictures of a push may take, all together.
pub const PICTURES: Duration = Duration::from_secs(25);
/// Pictures on their way at the same time.
const AT_ONCE: usize = 4;

/// What became of a piece of content.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Where it is.
    pub url: ContentUrl,
    /// Who was seen in it.
    pub sighted: Vec<Sighted>,
    /// How many more people it names than are kept.
    pub left_out: usize,
    /// Why its picture was not looked at.
    pub picture_error: Option<String>,
}

/// Looks at content that somebody of the platform's organization brings.
pub async fn push(
    app: &App,
    context: &Context,
    id: PaxId,
    items: Vec<Content>,
) -> Result<Vec<Checked>> {
    // Asked before anything is fetched for it, and again with the change.
    let actor = context.actor.clone();
    app.store.read(move |tx| usable(tx, &actor, id).map(drop)).await?;
    let (pictures, errors) = pictures(app, &items).await;
    let looked = items.into_iter().zip(pictures);
    let looked = looked.map(|(content, picture)| Looked { content, picture }).collect();
    let found = Arc::new(recognize(app, looked).await?);
    let sighted = note_all(app, context, id, &found).await?;
    let checked = found.iter().zip(sighted).zip(errors);
    Ok(checked
        .map(|((found, sighted), picture_error)| Checked {
            url: found.content.url.clone(),
            sighted,
            left_out: found.left_out,
            picture_error,
        })
        .collect())
}

/// Notes what was found, a part at a time. The last part carries the request's idempotency key: should
/// this end before, the same push notes the rest, since what is noted twice is noted once.
async fn note_all(
    app: &App,
    context: &Context,
    id: PaxId,
    found: &Arc<Vec<Recognized>>,
) -> Result<Vec<Vec<Sighted>>> {
    let mut parts = parts(app, found).await?;
    let last = parts.pop().unwrap_or_default();
    let before = Context { idempotency: None, ..context.clone() };
    let mut sighted: Vec<Vec<Sighted>> = found.iter().map(|_| vec![]).collect();
    for traces in parts {
        let part = Push { id, found: Arc::clone(found), traces, noted: None };
        merge(&mut sighted, app.act(&before, part).await?);
    }
    let new = sighted.iter().flatten().filter(|it| it.is_new).count();
    let part = Push { id, found: Arc::clone(found), traces: last, noted: Some(new) };
    merge(&mut sighted, app.act(context, part).await?);
    Ok(sighted)
}

/// Fetches and reads the pictures, and tells why one was not. A picture that cannot be had is no
/// reason not to read the text.
async fn pictures(
    app: &App,
    items: &[Content],
) -> (Vec<Option<likeness::Seen>>, Vec<Option<String>>) {
    let asked = |it: &Content| it.image_url.as_ref().map(|_| "it took too long".to_owned());
    let mut errors: Vec<Option<String>> = items.iter().map(asked).collect();
    let mut pictures = vec![None; items.len()];
    let urls: Vec<_> = items.iter().map(|it| it.image_url.clone()).enumerate().collect();
    let fetched = stream::iter(urls).filter_map(async |(at, url)| Some((at, url?)));
    let fetched = fetched.map(|(at, url)| {
        let app = app.clone();
        async move { (at, picture(&app, &url).await) }
    });
    let mut fetched = std::pin::pin!(fetched.buffer_unordered(AT_ONCE));
    let fetching = async {
        while let Some((at, seen)) = fetched.next().await {
            match seen {
                Ok(seen) => (pictures[at], errors[at]) = (seen, None),
                Err(reason) => errors[at] = Some(reason),
            }
        }
    };
    // What has not come by then stays as it was noted at first.
    let _in_time = timeout(PICTURES, fetching).await;
    (pictures, errors)
}

async fn picture(app: &App, url: &ContentUrl) -> Result<Option<likeness::Seen>, String> {
    let answer = app.outbound.send(Purpose::Image, OutboundRequest::get(url.as_str())).await;
    let answer = answer.map_err(|error| error.to_string())?;
    if !answer.status.is_success() {
        return Err(format!("it was answered with the status {}", answer.status.as_u16()));
    }
    crate::likeness::hash_of(app, answer.body).await.map_err(|error| {
        let field = error.fields().values().next();
        field.cloned().unwrap_or_else(|| error.message().to_owned())
    })
}

/// The PAX, if the actor's organization may push by it.
fn usable(tx: &mut Tx<'_>, actor: &grantor_domain::access::Actor, id: PaxId) -> Result<ListedPax> {
    let unknown = || Error::not_found("PAX");
    let tenant = actor.tenant().ok_or_else(unknown)?;
    let found = pax::find(tx, tenant, id)?.ok_or_else(unknown)?;
    reach::within_as(tx, actor, Right::ManagePlatforms, found.team)?;
    if found.pax.status == PaxStatus::Revoked {
        return Err(Error::conflict("This PAX was revoked"));
    }
    if !found.pax.scopes.contains(PaxScope::Write) {
        let message = "This PAX lacks the scope write";
        return Err(Error::new(ErrorKind::InsufficientPermissions, message));
    }
    Ok(found)
}

struct Push {
    id: PaxId,
    found: Arc<Vec<Recognized>>,
    /// The part that is noted.
    traces: Traces,
    /// With the last part: how many new mentions those before it made.
    noted: Option<usize>,
}

impl Act for Push {
    type Grant = (ListedPax, Platform);
    type Output = Vec<Vec<Sighted>>;
    const ACTION: &'static str = "pax.push";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let found = usable(desk.tx, desk.actor, self.id)?;
        let platform = platform::find_anywhere(desk.tx, found.pax.platform)?;
        Ok((found, platform.ok_or_else(crate::platform::not_found)?))
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        (found, platform): Self::Grant,
    ) -> Result<Done<Self::Output>> {
        let Noted { sighted, events } = note(desk, &platform, &self.found, &self.traces)?;
        let all = || sighted.iter().flatten();
        let (seen, new) = (all().count(), all().filter(|it| it.is_new).count());
        if let Some(noted) = self.noted {
            platform::count(desk.tx, platform.id, self.found.len(), noted + new, desk.now)?;
            pax::count(desk.tx, found.pax.id, desk.now)?;
        }
        let resource = crate::pax::resource(&found.pax);
        let mut done = Done::new(sighted, resource, "Content was pushed");
        done.details = json!({ "items": self.found.len(), "mentions": seen, "new": new });
        done.events = events;
        Ok(done)
    }
}
