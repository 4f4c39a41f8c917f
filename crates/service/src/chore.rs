//! What changes leave behind: goes on a part at a time, each a short unit of work, so that nothing
//! else waits for it. Any node may take the next part; a crash loses none, since how far it has come
//! is written with what was done.

use grantor_domain::Result;
use grantor_domain::chore::Chore;
use grantor_domain::event::NewEvent;
use grantor_storage::{Tx, Waiter, chore};

use crate::act::Desk;
use crate::{App, Context, delivery, license};

/// Parts at most that are done in a row.
const IN_A_ROW: u64 = 1_000;

/// Goes on with what is left; gives how many parts were done.
pub async fn work(app: &App) -> Result<u64> {
    let mut done = 0;
    while done < IN_A_ROW && app.store.read(chore::is_any).await? && step(app).await? {
        done += 1;
    }
    Ok(done)
}

/// Leaves the rest of a change to be done later.
pub(crate) fn leave(desk: &mut Desk<'_, '_>, rest: Option<Chore>) -> Result<()> {
    if let Some(rest) = rest {
        chore::insert(desk.tx, desk.ids.next(), &rest, desk.now)?;
    }
    Ok(())
}

/// Does one part; false where there is none that is free.
async fn step(app: &App) -> Result<bool> {
    let (own, follower) = (app.clone(), app.clone());
    let context = Context::system(app.clock.monotonic());
    let work = move |tx: &mut Tx<'_>| -> Result<bool> {
        let Some((id, left)) = chore::claim(tx)? else { return Ok(false) };
        let now = own.clock.now();
        let (actor, origin) = (&context.actor, &context.origin);
        let mut desk = Desk { tx, actor, origin, now, ids: &own.ids, app: &own };
        let Part { rest, events } = part(&mut desk, &left)?;
        match rest {
            Some(rest) => chore::update(tx, id, &rest)?,
            None => chore::delete(tx, id)?,
        }
        own.tell(tx, now, events)?;
        Ok(true)
    };
    app.store.write_for(&Waiter::default(), work, move |changes| follower.follow(changes)).await
}

/// What one part of a chore left.
pub(crate) struct Part {
    /// What is still to be done.
    pub(crate) rest: Option<Chore>,
    /// What is to be told.
    pub(crate) events: Vec<NewEvent>,
}

fn part(desk: &mut Desk<'_, '_>, chore: &Chore) -> Result<Part> {
    match *chore {
        Chore::TenantRenamed { tenant, after } => license::show_tenant_anew(desk, tenant, after),
        Chore::TalentRenamed { talent, after } => license::show_talent_anew(desk, talent, after),
        Chore::Replay(replay) => {
            let (rest, _) = delivery::queue_again(desk, replay)?;
            Ok(Part { rest, events: vec![] })
        }
    }
}
