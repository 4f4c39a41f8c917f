//! How callers of operations authenticate.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};

use crate::frame::api::Api;
use crate::frame::route::{Access, Described};

/// Returns the ways in which a caller may authenticate.
pub(super) fn security(route: &Described) -> Vec<SecurityRequirement> {
    let (info, none) = (&route.info, [""; 0]);
    let mut ways = Vec::new();
    if route.doc.signed_in {
        // In OpenAPI 3.1, HTTP schemes can list the scopes a token needs.
        let scopes = match info.access {
            Access::External(scope)
            | Access::ExternalWithRight(scope, _)
            | Access::UserOrClient(_, scope) => vec![scope.name()],
            _ => vec![],
        };
        ways.push(SecurityRequirement::new("bearer", scopes));
    }
    ways.extend(info.security.map(|scheme| SecurityRequirement::new(scheme, none)));
    if info.oauth && route.doc.body.is_some() {
        // Or in the form.
        ways.extend([SecurityRequirement::new("basic", none), SecurityRequirement::default()]);
    }
    ways
}

/// Returns the security schemes, which say how to get credentials.
pub(super) fn schemes(api: Api, public_url: &str) -> [(&'static str, SecurityScheme); 2] {
    let bearer = match api {
        Api::External => format!(
            "An access token of an API client, valid for 1 hour. Create an API client in the \
             console under *API clients*, and exchange its key and secret:\n\n```sh\n\
             curl {public_url}/auth/token --json '{{\"api_key\": \"…\", \"api_secret\": \"…\"}}'\n\
             ```\n\nSend `data.access_token` in the header `Authorization: Bearer …`. When it \
             expires, use `data.refresh_token` with `POST /auth/token/refresh`. OAuth 2.0 \
             libraries use `POST /oauth/token` instead."
        ),
        Api::Console => format!(
            "An access token of a user or staff member, valid for 1 hour. Sign in:\n\n```sh\n\
             curl {public_url}/v1.0.1/auth/login --json '{{\"username\": \"…\", \"password\": \
             \"…\"}}'\n```\n\nSend `data.accessToken` in the header `Authorization: Bearer …`, \
             with `x-source: console`. When it expires, use `data.refreshToken` with `POST \
             /auth/refresh/token`. Staff get their token from `POST /auth/authenticateAdmin`. An \
             operation that lists a scope also takes the access token of an API client of the \
             external API."
        ),
    };
    let basic = "The key of an API client as username, and its secret as password. Create an API \
                 client in the console under *API clients*.";
    let http = |scheme, about: &str| HttpBuilder::new().scheme(scheme).description(Some(about));
    let bearer = http(HttpAuthScheme::Bearer, &bearer).bearer_format("JWT").build();
    let basic = http(HttpAuthScheme::Basic, basic).build();
    [("basic", SecurityScheme::Http(basic)), ("bearer", SecurityScheme::Http(bearer))]
}
