//! Lists of territories. Their items refer to one schema, because it has hundreds of names.

use grantor_domain::license::Territories;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::{Territory, list};

/// The territories of a license.
pub(crate) struct TerritoryList;

impl PartialSchema for TerritoryList {
    fn schema() -> RefOr<Schema> {
        let item = Ref::from_schema_name(Territory::name());
        RefOr::T(Schema::from(list(item).max_items(Some(Territories::MAX))))
    }
}

impl ToSchema for TerritoryList {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Territory::name().into_owned(), Territory::schema()));
    }
}
