//! Calls to identity providers, through the outbound client: their configuration, their keys, and
//! the exchange of a code for an ID token.

use std::pin::Pin;

use grantor_domain::single_sign_on::{Connection, Issuer};
use grantor_domain::{Error, Result, Timestamp};
use grantor_outbound::{Outbound, OutboundError, OutboundRequest, Purpose};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreJsonWebKeySet,
    CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    DiscoveryError, EndpointMaybeSet, EndpointNotSet, EndpointSet, ErrorResponse, HttpRequest,
    HttpResponse, IssuerUrl, LoginHint, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse as _,
};

use super::callback_url;
use super::identity::Identity;
use crate::App;

/// Signatures that are accepted. None can be made with the client secret, and none is empty.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

type Answer = Pin<Box<dyn Future<Output = Result<HttpResponse, OutboundError>> + Send>>;

/// The random values of one sign-in at a provider.
pub(super) struct Challenge {
    /// Binds the way back to the browser.
    pub(super) state: String,
    /// Binds the ID token to this sign-in.
    pub(super) nonce: String,
    /// Binds the code to this sign-in (PKCE).
    pub(super) verifier: String,
}

/// Reads what a provider publishes about itself, and returns it as JSON.
pub(super) async fn discover(app: &App, issuer: &Issuer) -> Result<String> {
    let invalid = |reason: String| Error::field("issuer", reason);
    let url = IssuerUrl::new(issuer.as_str().to_owned());
    let url = url.map_err(|_| invalid("must be a URL".to_owned()))?;
    let http = http(app);
    let found = CoreProviderMetadata::discover_async(url, &http).await;
    let found = found.map_err(|error| invalid(discovery_problem(issuer, &error)))?;
    let scheme = found.authorization_endpoint().url().scheme();
    if scheme != "https" && !(scheme == "http" && issuer.as_str().starts_with("http://")) {
        return Err(invalid("has a sign-in page without https".to_owned()));
    }
    if found.token_endpoint().is_none() {
        return Err(invalid("does not exchange codes for tokens".to_owned()));
    }
    let signs = |it: &CoreJwsSigningAlgorithm| ALGORITHMS.contains(it);
    if !found.id_token_signing_alg_values_supported().iter().any(signs) {
        return Err(invalid("supports none of the accepted signatures".to_owned()));
    }
    serde_json::to_string(&found).map_err(|error| Error::internal(error.to_string()))
}

/// Returns the address of the provider's sign-in page for one sign-in.
pub(super) fn sign_in_url(
    app: &App,
    connection: &Connection,
    secret: &str,
    challenge: &Challenge,
    email: &str,
) -> Result<String> {
    let client = client(app, metadata(connection)?, connection, secret)?;
    let verifier = PkceCodeVerifier::new(challenge.verifier.clone());
    let (state, nonce) = (challenge.state.clone(), challenge.nonce.clone());
    let request = client.authorize_url(
        CoreAuthenticationFlow::AuthorizationCode,
        move || CsrfToken::new(state),
        move || Nonce::new(nonce),
    );
    let (url, ..) = request
        .add_scope(Scope::new("email".to_owned()))
        .add_scope(Scope::new("profile".to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .set_login_hint(LoginHint::new(email.to_owned()))
        .url();
    Ok(url.into())
}

/// Exchanges a code for an ID token, verifies the token, and returns who signed in. `Err` in the
/// result says what was wrong, for the organization's administrators.
pub(super) async fn identify(
    app: &App,
    connection: &Connection,
    secret: &str,
    challenge: &Challenge,
    code: &str,
) -> Result<Result<Identity, String>> {
    let http = http(app);
    let metadata = metadata(connection)?;
    // Fetched each time, because providers replace their keys.
    let keys = CoreJsonWebKeySet::fetch_async(metadata.jwks_uri(), &http).await;
    let keys = match keys {
        Ok(keys) => keys,
        Err(error) => return Ok(Err(format!("its keys {}", discovery_reason(&error)))),
    };
    let client = client(app, metadata.set_jwks(keys), connection, secret)?;
    let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned()));
    let exchange = exchange.map_err(|error| Error::internal(error.to_string()))?;
    let verifier = PkceCodeVerifier::new(challenge.verifier.clone());
    let tokens = match exchange.set_pkce_verifier(verifier).request_async(&http).await {
        Ok(tokens) => tokens,
        Err(error) => return Ok(Err(exchange_reason(&error))),
    };
    let Some(id_token) = tokens.id_token() else {
        return Ok(Err("the provider sent no ID token".to_owned()));
    };
    let now = moment(app.clock.now());
    let checks = client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || now);
    let claims = match id_token.claims(&checks, &Nonce::new(challenge.nonce.clone())) {
        Ok(claims) => claims,
        Err(error) => return Ok(Err(claims_reason(&error).to_owned())),
    };
    let mut identity = Identity::of_token(claims);
    if identity.email.is_none()
        && let Ok(request) =
            client.user_info(tokens.access_token().clone(), Some(claims.subject().clone()))
    {
        let info: CoreUserInfoClaims = match request.request_async(&http).await {
            Ok(info) => info,
            Err(_) => return Ok(Err("the provider told nothing about the person".to_owned())),
        };
        identity.add(&info);
    }
    Ok(Ok(identity))
}

fn metadata(connection: &Connection) -> Result<CoreProviderMetadata> {
    serde_json::from_str(&connection.metadata)
        .map_err(|error| Error::internal(format!("an identity provider cannot be read: {error}")))
}

fn client(
    app: &App,
    metadata: CoreProviderMetadata,
    connection: &Connection,
    secret: &str,
) -> Result<Client> {
    let auth_type = auth_type(&metadata);
    let back = RedirectUrl::new(callback_url(app));
    let back = back.map_err(|error| Error::internal(error.to_string()))?;
    let id = ClientId::new(connection.client_id.as_str().to_owned());
    let secret = Some(ClientSecret::new(secret.to_owned()));
    let client = CoreClient::from_provider_metadata(metadata, id, secret);
    Ok(client.set_redirect_uri(back).set_auth_type(auth_type))
}

/// How the provider wants the secret: in a header, unless it only takes it in the body.
fn auth_type(metadata: &CoreProviderMetadata) -> AuthType {
    let has = |method| {
        let methods = metadata.token_endpoint_auth_methods_supported();
        methods.is_some_and(|it| it.contains(&method))
    };
    let only_in_body = has(CoreClientAuthMethod::ClientSecretPost)
        && !has(CoreClientAuthMethod::ClientSecretBasic);
    if only_in_body { AuthType::RequestBody } else { AuthType::BasicAuth }
}

/// The HTTP client of the OpenID Connect library.
fn http(app: &App) -> impl Fn(HttpRequest) -> Answer + Send + Sync + use<> {
    let outbound = app.outbound.clone();
    move |request: HttpRequest| -> Answer { Box::pin(send(outbound.clone(), request)) }
}

async fn send(outbound: Outbound, request: HttpRequest) -> Result<HttpResponse, OutboundError> {
    let (parts, body) = request.into_parts();
    let (method, url, headers) = (parts.method, parts.uri.to_string(), parts.headers);
    let request = OutboundRequest { method, url, headers, body };
    let answer = outbound.send(Purpose::Identity, request).await?;
    let mut response = HttpResponse::new(answer.body);
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers;
    Ok(response)
}

fn moment(now: Timestamp) -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::from_timestamp(now.as_secs(), 0).unwrap_or_default()
}

/// Why a configuration or a set of keys could not be read, in words that fit after its name. Text of
/// the provider is never repeated.
fn discovery_reason(error: &DiscoveryError<OutboundError>) -> String {
    match error {
        DiscoveryError::Request(reason) => format!("could not be reached: {reason}"),
        DiscoveryError::Response(status, ..) => {
            format!("did not return what was expected (status {})", status.as_u16())
        }
        DiscoveryError::Validation(_) => {
            "names another issuer in its configuration; enter exactly that one".to_owned()
        }
        _ => "did not return a valid OpenID Connect configuration".to_owned(),
    }
}

/// Why the configuration of an issuer could not be read, and what to do about it.
fn discovery_problem(issuer: &Issuer, error: &DiscoveryError<OutboundError>) -> String {
    let (reason, base) = (discovery_reason(error), issuer.as_str().trim_end_matches('/'));
    match error {
        // The reason says what to enter.
        DiscoveryError::Validation(_) => reason,
        _ => format!(
            "{reason}; check that {base}/.well-known/openid-configuration opens in a browser"
        ),
    }
}

fn exchange_reason<T: ErrorResponse + 'static>(
    error: &RequestTokenError<OutboundError, T>,
) -> String {
    match error {
        RequestTokenError::Request(reason) => {
            format!("the provider could not be reached: {reason}")
        }
        RequestTokenError::ServerResponse(_) => {
            "the provider refused the code; check the client ID and the client secret".to_owned()
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            "the provider's response to the code was not valid".to_owned()
        }
    }
}

fn claims_reason(error: &ClaimsVerificationError) -> &'static str {
    match error {
        ClaimsVerificationError::Expired(_) => "the ID token has expired",
        ClaimsVerificationError::InvalidAudience(_) => "the ID token is for another client",
        ClaimsVerificationError::InvalidIssuer(_) => "the ID token is from another issuer",
        ClaimsVerificationError::InvalidNonce(_) => "the ID token belongs to another sign-in",
        ClaimsVerificationError::SignatureVerification(_) => {
            "the signature of the ID token is not valid"
        }
        _ => "the ID token is not valid",
    }
}
