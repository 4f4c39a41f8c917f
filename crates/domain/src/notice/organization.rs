//! What names the organization of a notice, for people who are in several of them.

use url::form_urlencoded::{Serializer, parse};

use crate::id::TenantId;

/// The parameter of a link that names the organization in which it leads somewhere.
const PARAMETER: &str = "organization";

/// A line about an organization.
#[must_use]
pub fn line_about(organization: &str, line: &str) -> String {
    format!("[{organization}] {line}")
}

/// A link to a page of an organization. Who opens it in another one is asked to switch.
#[must_use]
pub fn link_in(tenant: TenantId, link: &str) -> String {
    let separator = if link.contains('?') { '&' } else { '?' };
    format!("{link}{separator}{PARAMETER}={tenant}")
}

/// Takes the organization from the path and query of a link.
#[must_use]
pub fn take_organization(link: &str) -> (String, Option<TenantId>) {
    let Some((path, query)) = link.split_once('?') else { return (link.to_owned(), None) };
    let mut tenant = None;
    let mut rest = Serializer::new(String::new());
    for (name, value) in parse(query.as_bytes()) {
        match value.parse::<TenantId>() {
            Ok(id) if name == PARAMETER => tenant = Some(id),
            _ => {
                rest.append_pair(&name, &value);
            }
        }
    }
    if tenant.is_none() {
        return (link.to_owned(), None);
    }
    let rest = rest.finish();
    let link = if rest.is_empty() { path.to_owned() } else { format!("{path}?{rest}") };
    (link, tenant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_carries_its_organization() {
        let tenant = TenantId::from(uuid::Uuid::from_u128(7));
        for link in ["/app/requests/1", "/app/requests/1?to=a%40b.example"] {
            let carried = link_in(tenant, link);
            assert!(carried.ends_with(&format!("organization={tenant}")), "{carried}");
            assert_eq!(take_organization(&carried), (link.to_owned(), Some(tenant)));
            assert_eq!(take_organization(link), (link.to_owned(), None));
        }
        let other = "/app/parties?organization=x&q=%20";
        assert_eq!(take_organization(other), (other.to_owned(), None));
    }
}
