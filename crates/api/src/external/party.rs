//! `/parties`.

use axum::extract::State;
use grantor_domain::party::PartySearch;
use grantor_service::organizations::party::{self, FoundParty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::extract::Query;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Which parties to find.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct SearchParams {
    /// The beginning of the name, or of a word in it, regardless of case and accents. At least 3
    /// letters.
    #[param(required, nullable = false, inline, value_type = value::PartyWords)]
    search: Option<String>,
}

/// Up to 10 parties: tenants that share a request, grant or permission with the caller's tenant,
/// and organizations that have a verified domain and chose to be found by name.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundParties)]
pub(super) struct PartiesBody {
    /// The parties.
    data: Vec<FoundBody>,
}

/// A party that was found by name.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundParty)]
struct FoundBody {
    /// The ID, for offers and permissions.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The name.
    name: String,
    /// The tenant type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
    /// A verified domain of the party, if it has one.
    domain: Option<String>,
}

impl From<FoundParty> for FoundBody {
    fn from(party: FoundParty) -> Self {
        let FoundParty { id, name, kind, domain } = party;
        Self { id: id.to_string(), name, kind: kind.name(), domain }
    }
}

pub(super) async fn search(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Query(params): Query<SearchParams>,
) -> Result<axum::Json<PartiesBody>, Problem> {
    let text = params.search.ok_or_else(|| Problem::field("search", "is required"))?;
    let search = PartySearch::parse(&text).map_err(|error| Problem::field("search", error))?;
    let found = party::search(&state.app, &context, (&*caller).into(), search).await?;
    Ok(axum::Json(PartiesBody { data: found.into_iter().map(FoundBody::from).collect() }))
}
