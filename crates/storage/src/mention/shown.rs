//! Mentions with the names that people read next to them.

use grantor_domain::content;
use grantor_domain::id::{LicenseId, SourceId, TenantId};
use grantor_domain::mention::Mention;

use crate::license::watch::LicenseName;

/// The name that a tenant gave to its source. Other tenants may not read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName {
    tenant: TenantId,
    name: String,
}

impl SourceName {
    /// The name of a tenant's source.
    #[must_use]
    pub const fn new(tenant: TenantId, name: String) -> Self {
        Self { tenant, name }
    }

    /// The name, if this tenant watches the source.
    fn read_by(&self, reader: Option<TenantId>) -> Option<&str> {
        (reader == Some(self.tenant)).then_some(&self.name)
    }
}

/// A mention with the names of its talent and of where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMention {
    /// The mention.
    pub mention: Mention,
    /// The platform's name.
    pub platform_name: Option<String>,
    /// The source's name.
    pub source_name: Option<SourceName>,
    /// The talent's name.
    pub talent_name: String,
    /// The talent's tenant, while one of its licenses lists the mention.
    pub owner: Option<TenantId>,
}

impl StoredMention {
    /// The mention as shown through a license.
    #[must_use]
    pub fn through(self, license: LicenseName) -> ListedMention {
        let Self { mention, platform_name, source_name, talent_name, .. } = self;
        let LicenseName { id: license, title: license_title } = license;
        ListedMention { mention, platform_name, source_name, license, license_title, talent_name }
    }
}

/// A mention as listed through a license.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedMention {
    /// The mention.
    pub mention: Mention,
    /// The platform's name; `None` if a source found the mention.
    pub platform_name: Option<String>,
    /// The source's name; `None` for a platform's mention, and after the source was deleted.
    pub source_name: Option<SourceName>,
    /// The license through which it is shown.
    pub license: LicenseId,
    /// The license's title.
    pub license_title: String,
    /// The talent's name.
    pub talent_name: String,
}

impl ListedMention {
    /// The source that found it, if a tenant watches it. Others cannot open it.
    #[must_use]
    pub fn source_of(&self, reader: Option<TenantId>) -> Option<SourceId> {
        let own = self.source_name.as_ref().and_then(|it| it.read_by(reader));
        self.mention.source.filter(|_| own.is_some())
    }

    /// Where the mention was found, by the name that a tenant may read: that of the platform, that of
    /// the tenant's own source, or else the host.
    #[must_use]
    pub fn place(&self, reader: Option<TenantId>) -> &str {
        let source = self.source_name.as_ref().and_then(|it| it.read_by(reader));
        self.platform_name.as_deref().or(source).unwrap_or_else(|| {
            let address = content::key(&self.mention.url);
            address.split('/').next().unwrap_or(address)
        })
    }
}
