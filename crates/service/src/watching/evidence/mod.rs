//! Evidence of mentions: captured when content is scanned, kept with each revision of a mention, and
//! given to those who act for the talent, also as a signed capsule (contract-2 section 25).

mod capsule;
mod capture;
mod keep;
mod pending;
mod sample;

use grantor_domain::Result;
use grantor_domain::evidence::Evidence;
use grantor_domain::id::MentionId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::LicenseAct;
use grantor_storage::license::reader::Reader;
use grantor_storage::{Tx, evidence, mention as mentions};

pub use self::capsule::{CapsuleStream, capsule};
pub(crate) use self::capture::fetched;
pub use self::capture::{PictureCopy, SeenPicture};
pub(crate) use self::keep::Keeper;
pub(crate) use self::pending::{Captured, Drafts, Pending, discard_unused};
pub use self::sample::insert_sample;
use crate::App;
use crate::watching::mention::{self, MentionView};

/// A mention and its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct MentionEvidence {
    /// The mention.
    pub mention: MentionView,
    /// The evidence of its newest revisions, oldest first.
    pub revisions: Vec<Evidence>,
}

/// Returns the newest evidence of a mention, for trustees and licensors. A mention that the caller
/// cannot see is refused as when it is read itself.
pub async fn get(app: &App, reader: Reader, id: MentionId) -> Result<MentionEvidence> {
    app.store
        .read(move |tx| {
            let mention = reviewable(tx, reader, id)?;
            Ok(MentionEvidence { mention, revisions: evidence::list(tx, id)? })
        })
        .await
}

/// Lists the evidence of all revisions of a mention, oldest first, for trustees and licensors.
pub async fn list(
    app: &App,
    reader: Reader,
    id: MentionId,
    page: Page,
) -> Result<Listing<Evidence>> {
    app.store
        .read(move |tx| {
            reviewable(tx, reader, id)?;
            Ok(evidence::page(tx, id, page)?)
        })
        .await
}

/// A mention as somebody sees it who may review it.
fn reviewable(tx: &mut Tx<'_>, reader: Reader, id: MentionId) -> Result<MentionView> {
    let found = mentions::find(tx, id)?;
    let mention = mention::get_visible(tx, reader, found)?;
    mention.role.check(LicenseAct::ReviewMentions)?;
    Ok(mention)
}
