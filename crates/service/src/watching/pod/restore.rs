//! Taking back that a pod was started, paused or stopped.

use grantor_domain::Result;
use grantor_domain::id::PodId;
use grantor_domain::pod::{PodAction, PodStatus};
use grantor_storage::pod::{self, ListedPod};
use serde::{Deserialize, Serialize};

use super::{done, not_found, tell_stopped};
use crate::act::{Done, UnitOfWork};
use crate::log::change::FieldChanges;
use crate::organizations::suspension::require_staff;
use crate::undo::{Reverse, changed_since, stored};

/// What takes back a command to a pod: the status before it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PodReverse {
    id: PodId,
    before: String,
    after: String,
}

impl PodReverse {
    /// What restores the status of a pod.
    pub(super) fn of(id: PodId, before: PodStatus, after: PodStatus) -> Reverse {
        let (before, after) = (before.name().to_owned(), after.name().to_owned());
        Reverse::Pod(Self { id, before, after })
    }

    /// Takes the command back.
    pub(crate) fn run(self, unit: &mut UnitOfWork<'_, '_>) -> Result<Done<()>> {
        require_staff(unit)?;
        let mut listed = pod::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        if listed.pod.status.name() != self.after {
            return Err(changed_since());
        }
        let status = stored(self.before.parse::<PodStatus>())?;
        bring_to(unit, &mut listed, status)?;
        if status == PodStatus::Stopped {
            tell_stopped(unit, &listed)?;
        }
        let changes = FieldChanges::default().field("status", self.after, self.before);
        let done = done(listed, "A scanner's status was updated").with_changes(changes);
        Ok(done.told("A change of a scanner's status was undone"))
    }
}

/// Gives a pod this status, by the commands that lead to it.
pub(crate) fn bring_to(
    unit: &mut UnitOfWork<'_, '_>,
    listed: &mut ListedPod,
    status: PodStatus,
) -> Result<()> {
    let commands: &[PodAction] = match (listed.pod.status, status) {
        (now, wanted) if now == wanted => &[],
        (_, PodStatus::Running) => &[PodAction::Start],
        (PodStatus::Running, PodStatus::Paused) => &[PodAction::Pause],
        (_, PodStatus::Paused) => &[PodAction::Start, PodAction::Pause],
        (_, PodStatus::Stopped) => &[PodAction::Stop],
    };
    for command in commands {
        listed.pod.apply(*command, unit.now)?;
    }
    Ok(pod::update(unit.tx, &listed.pod, unit.now)?)
}
