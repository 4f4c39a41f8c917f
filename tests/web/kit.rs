//! A browser for tests: it keeps cookies, sends forms, and reads pages.

use std::collections::BTreeMap;

use axum::body::Body;
use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig, TestRequest};
use grantor_testkit::{Engine, Fixture, seed};
use http::Method;

use crate::console::{PASSWORD, account};
use crate::picture;

/// The address of the user who runs the agency.
pub(crate) const ADA: &str = "ada@example.com";

/// An app with one agency, Babbage Talent, run by Ada Lovelace.
pub(crate) struct WebFixture {
    pub(crate) app: TestApp,
}

impl Fixture for WebFixture {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        Self::with_config(engine, TestConfig { allowed, ..TestConfig::default() }).await
    }
}

impl WebFixture {
    /// Like `on`, with a test's own configuration, except for limits.
    pub(crate) async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let limits = Limits::parse("login=off,register=off").unwrap();
        let app = TestApp::with_config(engine, TestConfig { limits, ..config }).await;
        assert_eq!(account(&app, ADA, "Babbage Talent").await.status, 201);
        Self { app }
    }

    /// A browser in which nobody is signed in.
    pub(crate) fn browser(&self) -> Browser<'_> {
        Browser::on(&self.app)
    }

    /// A browser in which this user is signed in.
    pub(crate) async fn signed_in(&self, email: &str) -> Browser<'_> {
        Browser::signed_in(&self.app, email).await
    }

    /// Ada's browser.
    pub(crate) async fn ada(&self) -> Browser<'_> {
        self.signed_in(ADA).await
    }

    /// The browser of another agency's administrator.
    pub(crate) async fn stranger(&self) -> Browser<'_> {
        account(&self.app, "mary@example.com", "Somerville & Co").await;
        self.signed_in("mary@example.com").await
    }

    /// The browser of a user with this role in Ada's organization.
    pub(crate) async fn colleague(&self, role: &str) -> Browser<'_> {
        account(&self.app, "colleague@example.com", "Another Agency").await;
        let email = "colleague@example.com";
        seed::move_into(&self.app.database.options, email, "Babbage Talent", role).await;
        self.signed_in(email).await
    }

    /// Adds the colleague to a team.
    pub(crate) async fn leads(&self, team: &str) {
        self.run(format!(
            "INSERT INTO team_members (team_id, tenant_id, user_id, joined_at)
             SELECT t.team_id, t.tenant_id, u.user_id, 0 FROM teams t, users u
             WHERE t.name = '{team}' AND u.email = 'colleague@example.com'"
        ))
        .await;
    }

    /// Changes the type of Ada's organization.
    pub(crate) async fn becomes(&self, tenant_type: &str) {
        let script =
            format!("UPDATE tenants SET type = '{tenant_type}' WHERE name = 'Babbage Talent'");
        self.run(script).await;
    }

    /// Runs SQL statements directly.
    pub(crate) async fn run(&self, script: String) {
        seed::run(&self.app.database.options, script).await;
    }
}

/// A browser.
pub(crate) struct Browser<'a> {
    app: &'a TestApp,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    /// A browser in which nobody is signed in.
    pub(crate) fn on(app: &'a TestApp) -> Self {
        Self { app, cookies: BTreeMap::new() }
    }

    /// A browser in which this user is signed in.
    pub(crate) async fn signed_in(app: &'a TestApp, email: &str) -> Self {
        let mut browser = Self::on(app);
        let form = [("username", email), ("password", PASSWORD)];
        let seen = browser.post("/app/sign-in", &form).await;
        assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app")), "{}", seen.text);
        browser
    }

    /// The cookie with this name.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Opens a page.
    pub(crate) async fn get(&mut self, path: &str) -> Seen {
        self.send(Method::GET, path, None, "none").await
    }

    /// Sends a form from one of our own pages.
    pub(crate) async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Seen {
        self.send(Method::POST, path, Some(form), "same-origin").await
    }

    /// Sends an encoded form.
    pub(crate) async fn post_bytes(&mut self, path: &str, body: &str) -> Seen {
        self.post_body(path, "application/x-www-form-urlencoded", body.to_owned()).await
    }

    /// Sends a body from one of our own pages.
    pub(crate) async fn post_body(
        &mut self,
        path: &str,
        content_type: &str,
        body: impl Into<Body>,
    ) -> Seen {
        let request = self.begin(Method::POST, path, "same-origin");
        let answer = request.header("content-type", content_type).body(body).send().await;
        self.keep(&answer);
        Seen::of(&answer)
    }

    /// Sends a form and follows the redirect.
    pub(crate) async fn follow(&mut self, path: &str, form: &[(&str, &str)]) -> Seen {
        let seen = self.post(path, form).await;
        assert_eq!(seen.status, 303, "{path}: {}", seen.text);
        self.get(&seen.location.expect("a way on")).await
    }

    /// Sends a form as a page of another site would.
    pub(crate) async fn post_from_afar(&mut self, path: &str, form: &[(&str, &str)]) -> Seen {
        self.send(Method::POST, path, Some(form), "cross-site").await
    }

    /// Sends a form with pictures.
    pub(crate) async fn upload(
        &mut self,
        path: &str,
        texts: &[(&str, &str)],
        files: &[&[u8]],
    ) -> Seen {
        self.post_body(path, &picture::form_type(), picture::form(texts, files)).await
    }

    fn begin(&self, method: Method, path: &str, site: &str) -> TestRequest<'_> {
        let request = self.app.request(method, path).header("sec-fetch-site", site);
        if self.cookies.is_empty() {
            return request;
        }
        let pairs = self.cookies.iter().map(|(name, it)| format!("{name}={it}"));
        request.header("cookie", &pairs.collect::<Vec<_>>().join("; "))
    }

    async fn send(
        &mut self,
        method: Method,
        path: &str,
        form: Option<&[(&str, &str)]>,
        site: &str,
    ) -> Seen {
        let mut request = self.begin(method, path, site);
        if let Some(form) = form {
            let body =
                url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
            request =
                request.header("content-type", "application/x-www-form-urlencoded").body(body);
        }
        let answer = request.send().await;
        self.keep(&answer);
        Seen::of(&answer)
    }

    fn keep(&mut self, answer: &Answer) {
        for line in answer.headers.get_all("set-cookie") {
            let pair = line.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// A page as the browser sees it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) kind: Option<String>,
    /// The content security policy.
    pub(crate) policy: Option<String>,
    /// How long to wait before the next attempt, in seconds.
    pub(crate) retry_after: Option<String>,
    /// The HTML.
    pub(crate) page: String,
    /// The visible text: without tags, with single spaces.
    pub(crate) text: String,
}

impl Seen {
    fn of(answer: &Answer) -> Self {
        let page = String::from_utf8_lossy(&answer.body).into_owned();
        let text = if page.starts_with("<!DOCTYPE") { words(&page) } else { page.clone() };
        let header = |name| answer.header(name).map(str::to_owned);
        let (location, kind) = (header("location"), header("content-type"));
        let (policy, retry_after) = (header("content-security-policy"), header("retry-after"));
        let status = answer.status.as_u16();
        Self { status, location, kind, policy, retry_after, page, text }
    }

    /// Asserts the status and that all of these texts are visible.
    #[track_caller]
    pub(crate) fn says(&self, status: u16, texts: &[&str]) -> &Self {
        assert_eq!(self.status, status, "{}", self.text);
        for text in texts {
            assert!(self.text.contains(text), "no {text:?} in: {}", self.text);
        }
        self
    }

    /// Asserts that this is nowhere on the page.
    #[track_caller]
    pub(crate) fn hides(&self, text: &str) -> &Self {
        assert!(!self.page.contains(text), "{text:?} in: {}", self.text);
        self
    }

    /// Asserts that a field shows this error and still contains what was entered.
    #[track_caller]
    pub(crate) fn refuses(&self, field: &str, wrong: &str) -> &Self {
        let said = self.between(&format!("id=\"{field}-wrong\">"), "</p>");
        assert_eq!(said.as_deref(), Some(wrong), "{}", self.text);
        self
    }

    /// Asserts that this field has the focus and is described by its error.
    #[track_caller]
    pub(crate) fn begins_at(&self, field: &str) -> &Self {
        let focused: Vec<_> = self.page.split('<').filter(|it| it.contains(" autofocus")).collect();
        let [tag] = focused[..] else { panic!("{field}: {focused:?}") };
        assert!(tag.contains(&format!(" name=\"{field}\"")), "{field}: {tag}");
        let described = ["", "by-"].map(|it| format!("aria-describedby=\"{it}{field}-wrong"));
        assert!(described.iter().any(|it| self.page.contains(it)), "{field}: {tag}");
        self
    }

    /// Asserts the value of a field.
    #[track_caller]
    pub(crate) fn holds(&self, field: &str, value: &str) -> &Self {
        let tag = self.between(&format!(" name=\"{field}\""), ">").expect("a field of this name");
        assert!(tag.contains(&format!("value=\"{value}\"")), "{field}: {tag}");
        self
    }

    /// The form's one-time number.
    #[track_caller]
    pub(crate) fn once(&self) -> String {
        self.between("name=\"once\" value=\"", "\"").expect("a form that makes something once")
    }

    /// The first text between two others.
    pub(crate) fn between(&self, before: &str, after: &str) -> Option<String> {
        let rest = self.page.split_once(before)?.1;
        rest.split_once(after).map(|(it, _)| it.to_owned())
    }

    /// The first URL on the page with this prefix.
    #[track_caller]
    pub(crate) fn link(&self, beginning: &str) -> String {
        let rest = self.between(&format!("href=\"{beginning}"), "\"");
        format!("{beginning}{}", rest.unwrap_or_else(|| panic!("no link in: {}", self.text)))
    }

    /// The last segment of the redirect's location: the id of the created record.
    #[track_caller]
    pub(crate) fn made(&self) -> String {
        assert_eq!(self.status, 303, "{}", self.text);
        let to = self.location.as_deref().expect("a way on");
        to.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

/// The text of a page, without tags.
fn words(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        // Inline elements continue a line; blocks start a new one.
        let goes_on =
            ["a", "/a", "code", "/code", "strong", "/strong", "time", "/time", "span", "/span"];
        if !goes_on.contains(&tag.split(' ').next().unwrap_or_default()) {
            text.push(' ');
        }
        text.push_str(rest);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}
