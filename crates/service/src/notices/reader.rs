//! The person whom an email about notices goes to, and what the email tells. To somebody who is in
//! several organizations, everything names its organization, and what concerns two of them is told
//! once.

use std::collections::HashMap;

use grantor_domain::Result;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::membership::TenantMembership;
use grantor_domain::notice::{line_about, link_in};
use grantor_messages::Value;
use grantor_storage::notice::pending::PendingNotice;
use grantor_storage::notice::settings;
use grantor_storage::{Tx, membership};
use uuid::Uuid;

use super::person::Person;
use crate::mail::compose::Recipient;
use crate::mail::phrase::MailLocale;

/// Who reads an email.
pub(super) struct Reader {
    pub(super) person: Person,
    /// What the email is written in.
    pub(super) locale: MailLocale,
    /// The active memberships; none for staff.
    memberships: Vec<TenantMembership>,
}

/// What an email tells.
pub(super) struct Item {
    pub(super) notice: PendingNotice,
    /// The tenants that it is about; none for staff.
    tenants: Vec<TenantId>,
}

impl Item {
    /// Whether a notice tells the same about another tenant.
    fn is_also(&self, other: &PendingNotice) -> bool {
        let PendingNotice { kind, mail, link, .. } = &self.notice;
        (*kind, *mail, link) == (other.kind, other.mail, &other.link)
            && other.tenant.is_some_and(|it| !self.tenants.contains(&it))
    }
}

impl Reader {
    pub(super) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<Self>> {
        let Some(person) = Person::find(tx, id)? else { return Ok(None) };
        let mut memberships = vec![];
        if !person.is_staff {
            memberships = membership::list_memberships(tx, UserId::from(id))?;
            memberships.retain(|it| it.active);
        }
        let locale = settings::find_mail_locale(tx, id)?.into();
        Ok(Some(Self { person, locale, memberships }))
    }

    /// The address and the name.
    pub(super) fn recipient(&self) -> Recipient<'_> {
        Recipient { to: &self.person.email, name: Some(&self.person.fullname) }
    }

    /// What to tell: not what is about tenants that the person has left since, and once what is about
    /// several of the person's tenants.
    pub(super) fn items(&self, taken: Vec<PendingNotice>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::with_capacity(taken.len());
        // The positions of the items about each page.
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        for notice in taken.into_iter().filter(|it| self.may_see(it)) {
            let places = known.entry(notice.link.clone()).or_default();
            if let Some(at) = places.iter().copied().find(|at| items[*at].is_also(&notice)) {
                items[at].tenants.extend(notice.tenant);
            } else {
                places.push(items.len());
                items.push(Item { tenants: notice.tenant.into_iter().collect(), notice });
            }
        }
        items
    }

    fn may_see(&self, notice: &PendingNotice) -> bool {
        match notice.tenant {
            Some(tenant) => self.memberships.iter().any(|it| it.tenant == tenant),
            None => self.person.is_staff,
        }
    }

    fn has_several(&self) -> bool {
        self.memberships.len() > 1
    }

    /// What happened, in one line.
    pub(super) fn line(&self, item: &Item) -> String {
        self.named(item, &item.notice.summary)
    }

    /// A line with the organizations that an item is about, if the person is in several.
    pub(super) fn named(&self, item: &Item, line: &str) -> String {
        let names = self.names(std::slice::from_ref(item));
        names.map_or_else(|| line.to_owned(), |it| line_about(&it.join(", "), line))
    }

    /// The organizations that items are about, if the person is in several.
    pub(super) fn organizations(&self, items: &[Item]) -> Option<String> {
        let names = self.names(items)?;
        let (last, others) = names.split_last()?;
        Some(match others {
            [] => (*last).to_owned(),
            others => {
                let values =
                    [("others", Value::from(others.join(", "))), ("last", Value::from(*last))];
                self.locale.language.format("mail-organizations", &values)
            }
        })
    }

    /// The names of the organizations that items are about, if the person is in several.
    fn names(&self, items: &[Item]) -> Option<Vec<&str>> {
        let concerned =
            |it: &&TenantMembership| items.iter().any(|item| item.tenants.contains(&it.tenant));
        let named = self.memberships.iter().filter(concerned);
        let names: Vec<_> = named.map(|it| it.name.as_str()).collect();
        (self.has_several() && !names.is_empty()).then_some(names)
    }

    /// The path of the page about an item.
    pub(super) fn link(&self, item: &Item) -> String {
        let path = &item.notice.link;
        match item.tenants.first() {
            Some(tenant) if self.has_several() => link_in(*tenant, path),
            _ => path.clone(),
        }
    }

    /// The path of the bell, in the organization that all items are about.
    pub(super) fn list(&self, items: &[Item]) -> String {
        let path = if self.person.is_staff { "/app/admin/notices" } else { "/app/notices" };
        let first = items.first().and_then(|it| it.tenants.first()).copied();
        let only = first.filter(|it| items.iter().all(|item| item.tenants.contains(it)));
        match only {
            Some(tenant) if self.has_several() => link_in(tenant, path),
            _ => path.to_owned(),
        }
    }

    /// The path of the settings.
    pub(super) fn settings(&self) -> &'static str {
        if self.person.is_staff { "/app/admin/notifications" } else { "/app/profile/notifications" }
    }
}
