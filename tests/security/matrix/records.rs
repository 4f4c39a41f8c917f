//! Operations from the program's own tables, and the records that their addresses name.

use std::collections::BTreeMap;

use grantor_api::Api;
use grantor_api::frame::route::{Access, Route, RouteInfo};
use http::Method;
use serde_json::Value;

use super::bodies;

/// Ids by the kind of record.
#[derive(Clone, Debug, Default)]
pub(in crate::security) struct Records(BTreeMap<String, String>);

impl Records {
    /// All of these kinds with one id, or what stands for one.
    pub(super) fn all(kinds: &Records, id: &str) -> Self {
        Self(kinds.0.keys().map(|kind| (kind.clone(), id.to_owned())).collect())
    }

    pub(in crate::security) fn id(&self, kind: &str) -> &str {
        self.0.get(kind).unwrap_or_else(|| panic!("the world has no {kind}: make one in make.rs"))
    }

    /// The id of a record of this kind, if there is one.
    pub(in crate::security) fn find(&self, kind: &str) -> Option<&str> {
        self.0.get(kind).map(String::as_str)
    }

    pub(in crate::security) fn put(&mut self, kind: &str, id: String) {
        self.0.insert(kind.to_owned(), id);
    }

    /// These, and for the kinds that are not among them those.
    pub(super) fn or(mut self, others: &Self) -> Self {
        for (kind, id) in &others.0 {
            self.0.entry(kind.clone()).or_insert_with(|| id.clone());
        }
        self
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.0.values()
    }
}

/// A route, and what its address names.
#[derive(Debug)]
pub(in crate::security) struct Operation {
    pub(in crate::security) surface: Api,
    pub(in crate::security) row: RouteInfo,
    /// Method and path, as the tables here name it.
    pub(in crate::security) name: String,
    /// The address with `{kind}` where an id belongs.
    address: String,
    /// The kinds its address names, in order.
    pub(super) kinds: Vec<String>,
}

impl Operation {
    pub(super) fn new(surface: Api, route: Route) -> Self {
        let row = route.info;
        let name = format!("{} {}", row.method, row.path);
        let mut address = format!("{}{}", surface.prefix(), row.path);
        address.push_str(query(&row.path));
        let mut kinds = Vec::new();
        for part in address.clone().split('{').skip(1) {
            let parameter = part.split('}').next().expect("a name");
            let kind = kind(surface, &row.path, parameter);
            address = address.replacen(&format!("{{{parameter}}}"), &format!("<{kind}>"), 1);
            kinds.push(kind);
        }
        Self { surface, row, name, address, kinds }
    }

    /// Its address for these records.
    pub(in crate::security) fn path(&self, records: &Records) -> String {
        self.kinds.iter().fold(self.address.clone(), |path, kind| {
            path.replace(&format!("<{kind}>"), records.id(kind))
        })
    }

    pub(in crate::security) fn body(&self, records: &Records, number: u32) -> Option<Value> {
        bodies::body(&self.name, records, number)
    }

    /// Whether its body names records too.
    pub(super) fn body_names(&self, one: &Records, other: &Records) -> bool {
        self.body(one, 0) != self.body(other, 0)
    }

    /// Whether an owner's own name for a license does instead of its id.
    pub(super) fn takes_names(&self) -> bool {
        matches!(self.row.path.as_str(), "/licenses/{id}" | "/licenses/{id}/versions")
    }

    pub(super) fn changes(&self) -> bool {
        self.row.method != Method::GET
    }

    pub(super) fn is_public(&self) -> bool {
        self.row.access == Access::Public
    }
}

/// What an address must ask for.
fn query(path: &str) -> &'static str {
    match path {
        "/org/refresh/client" => "?clientId={clientId}",
        "/org/talent/name/search" | "/parties" => "?search=own",
        "/logs/all" => "?scheme=console",
        "/logs/search" => "?scheme=console&search=own",
        _ => "",
    }
}

/// What a part of an address stands for.
fn kind(surface: Api, path: &str, parameter: &str) -> String {
    match (surface, parameter) {
        // The public view of a license.
        (Api::External, "id") if path == "/metadata/{id}" => "license".to_owned(),
        (Api::External, "id") => {
            let noun = path.split('/').nth(1).expect("a noun");
            noun.trim_end_matches('s').to_owned()
        }
        (Api::Console, "session") => "challenge".to_owned(),
        (Api::External, "number") => "status_list".to_owned(),
        (Api::Console, "memberId") if path.starts_with("/admin") => "admin".to_owned(),
        _ => parameter.trim_end_matches("_id").trim_end_matches("Id").to_owned(),
    }
}

/// Every operation of both tables, and of routes beside them.
pub(in crate::security) fn operations(external: Vec<Route>, console: Vec<Route>) -> Vec<Operation> {
    let mut external_routes = grantor_api::external::routes("grantor");
    external_routes.extend(external);
    let mut console_routes = grantor_api::console::routes();
    console_routes.extend(console);
    let external = external_routes.into_iter().map(|it| Operation::new(Api::External, it));
    let console = console_routes.into_iter().map(|it| Operation::new(Api::Console, it));
    external.chain(console).collect()
}
