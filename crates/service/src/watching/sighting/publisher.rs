//! What a platform's organization may do with a talent's likeness. Loaded once for each talent of a
//! batch, because it is the same for all content of the platform.

use grantor_domain::Result;
use grantor_domain::decision::GrantFacts;
use grantor_domain::id::TalentId;
use grantor_domain::mention::{PublisherRights, VerdictGrant};
use grantor_domain::platform::Platform;
use grantor_storage::grant;
use grantor_storage::license::watch::{self, LicenseName, WatchedTalent};

use crate::act::UnitOfWork;

/// The maximum number of an organization's grants for a talent that verdicts consider.
const MAX_GRANTS: u32 = 200;

/// The organization of a platform, and its rights to a talent.
pub(super) struct Publisher {
    /// Its rights.
    pub(super) rights: PublisherRights,
    /// The talent's oldest watched license on which it has a permission given by hand.
    pub(super) holds: Option<LicenseName>,
}

impl Publisher {
    /// Loads the rights to a watched talent.
    pub(super) fn load(
        unit: &mut UnitOfWork<'_, '_>,
        platform: &Platform,
        talent: TalentId,
        watched: &WatchedTalent,
    ) -> Result<Self> {
        let tenant = platform.tenant;
        if tenant == watched.owner {
            return Ok(Self { rights: PublisherRights::of_owner(), holds: None });
        }
        let holding = watch::find_holding(unit.tx, talent, tenant, unit.now)?;
        let (holds, permitted) = holding.map(|it| (it.oldest, it.license)).unzip();
        let grants = grant::list_of_talent(unit.tx, talent, tenant, MAX_GRANTS)?;
        let grants = grants.into_iter().map(|it| (VerdictGrant::from(&it), GrantFacts::from(it)));
        Ok(Self { rights: PublisherRights::new(grants.collect(), permitted), holds })
    }
}
