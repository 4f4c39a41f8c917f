//! A real browser, controlled by what a user sees: texts, labels and names.
//!
//! Every action waits for what it needs. If that does not appear, the test fails and shows the
//! page.

mod driver;
mod inspect;
mod keyboard;

use std::path::Path;
use std::time::Duration;

use fantoccini::elements::{Element, ElementRef};
use serde_json::{Value, json};
use tokio::time::{interval, timeout};

use self::driver::Driver;
use crate::store::PATIENCE;

const PAGE: &str = include_str!("page.js");
/// The member by which the `WebDriver` protocol passes elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with a fresh profile, 1280 × 900 and light; it closes when dropped.
pub struct Browser {
    driver: Driver,
    origin: String,
    patience: Duration,
}

impl Browser {
    /// Starts a browser for the pages of an origin.
    pub async fn start(origin: &str) -> Self {
        let (driver, origin) = (Driver::start().await, origin.to_owned());
        let browser = Self { driver, origin, patience: PATIENCE };
        browser.resize(1280, 900).await;
        browser.light().await;
        browser
    }

    /// Sets how long to wait for what an action needs.
    #[must_use]
    pub fn with_timeout(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Opens a path of the origin.
    pub async fn open(&self, address: &str) {
        let url = format!("{}{address}", self.origin);
        let went = self.driver.client.goto(&url).await;
        went.unwrap_or_else(|error| panic!("{url} does not open: {error}"));
    }

    /// Fills the field with this label: types the value, or selects the option with this text.
    pub async fn fill(&self, label: &str, value: &str) {
        self.enter(label, None, value).await;
    }

    /// Like [`Self::fill`], for the field that is in the same row as a text.
    pub async fn fill_near(&self, text: &str, label: &str, value: &str) {
        self.enter(label, Some(text), value).await;
    }

    /// Presses the button or link with this name.
    pub async fn press(&self, name: &str) {
        self.click("press", name, None).await;
    }

    /// Like [`Self::press`], for the button or link that is in the same row as a text.
    pub async fn press_near(&self, text: &str, name: &str) {
        self.click("press", name, Some(text)).await;
    }

    /// Clicks the checkbox, switch or radio button with this label.
    pub async fn tick(&self, label: &str) {
        self.click("field", label, None).await;
    }

    /// Selects files for the field with this label.
    pub async fn upload(&self, label: &str, files: &[&Path]) {
        let paths: Vec<&str> = files.iter().map(|it| it.to_str().expect("a path")).collect();
        let field = self.find("file", label, None).await;
        let sent = field.send_keys(&paths.join("\n")).await;
        sent.unwrap_or_else(|error| panic!("{label:?} accepts no files: {error}"));
    }

    /// Sends keys to the focused element: letters, or those of [`fantoccini::key::Key`].
    pub async fn keys(&self, keys: &str) {
        let focus = self.driver.client.active_element().await.expect("something has the focus");
        focus.send_keys(keys).await.expect("keys arrive");
    }

    /// Moves the focus to the next element and returns its name.
    pub async fn tab(&self) -> String {
        self.keys(&char::from(fantoccini::key::Key::Tab).to_string()).await;
        text(&self.run("focused", vec![]).await)
    }

    /// Waits until a text is visible.
    pub async fn see(&self, wanted: &str) {
        self.until(&format!("{wanted:?} is not visible"), async || {
            self.try_run("text", vec![]).await.ok().filter(|it| text(it).contains(wanted))
        })
        .await;
    }

    /// Waits until a text is no longer visible.
    pub async fn gone(&self, unwanted: &str) {
        self.until(&format!("{unwanted:?} is still visible"), async || {
            self.try_run("text", vec![]).await.ok().filter(|it| !text(it).contains(unwanted))
        })
        .await;
    }

    /// Waits until the browser is at this path.
    pub async fn arrive(&self, path: &str) {
        self.until(&format!("{path} was not reached"), async || {
            (self.path().await == path).then_some(())
        })
        .await;
    }

    /// Waits until all pictures are loaded and nothing has changed for half a second.
    pub async fn settle(&self) {
        let (mut last, mut times) = (String::new(), 0);
        self.until("the page keeps changing", async || {
            let now = self.try_run("content", vec![]).await.as_ref().map(text).unwrap_or_default();
            times = if now == last && !now.is_empty() { times + 1 } else { 0 };
            last = now;
            (times == 10).then_some(())
        })
        .await;
    }

    /// The path and query of the current URL.
    pub async fn path(&self) -> String {
        let url = self.driver.client.current_url().await.expect("an address");
        url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
    }

    /// All visible text, in one line.
    pub async fn text(&self) -> String {
        text(&self.run("text", vec![]).await)
    }

    /// The value of the field with this label.
    pub async fn value(&self, label: &str) -> String {
        let field = json!(self.find("field", label, None).await);
        text(&self.run("value", vec![field]).await)
    }

    /// Signs a user in with the form.
    pub async fn sign_in(&self, name: &str, password: &str) {
        self.open("/app/sign-in").await;
        self.fill("Email or full name", name).await;
        self.fill("Password", password).await;
        self.leave("/app/sign-in").await;
    }

    /// Signs a staff member in with the form.
    pub async fn sign_in_as_staff(&self, token: &str) {
        self.open("/app/admin/sign-in").await;
        self.fill("One-time token", token).await;
        self.leave("/app/admin/sign-in").await;
    }

    async fn leave(&self, form: &str) {
        self.keys(&char::from(fantoccini::key::Key::Enter).to_string()).await;
        self.until("the sign-in failed", async || {
            (!self.path().await.starts_with(form)).then_some(())
        })
        .await;
    }

    async fn enter(&self, label: &str, near: Option<&str>, value: &str) {
        let field = self.find("field", label, near).await;
        if self.run("put", vec![json!(field), json!(value)]).await == json!(true) {
            let cleared = field.clear().await;
            let typed = field.send_keys(value).await;
            cleared
                .and(typed)
                .unwrap_or_else(|error| panic!("{label:?} cannot be filled: {error}"));
        }
    }

    async fn click(&self, kind: &str, name: &str, near: Option<&str>) {
        let element = self.find(kind, name, near).await;
        // The driver does not scroll within an element of a fixed position.
        self.run("show", vec![json!(element)]).await;
        if let Err(error) = element.click().await {
            panic!("{name:?} cannot be pressed: {error}\n{}", self.describe().await);
        }
    }

    async fn find(&self, kind: &str, name: &str, near: Option<&str>) -> Element {
        let mut fault = Value::Null;
        let polling = async {
            let mut pace = interval(PACE);
            loop {
                pace.tick().await;
                let wanted = vec![json!(kind), json!(name), json!(near)];
                let mut found = match self.try_run("find", wanted).await {
                    Ok(found) => found,
                    Err(error) => json!({ "fault": error }),
                };
                if let Some(id) = found["element"][ELEMENT].as_str() {
                    let id = ElementRef::from(id.to_owned());
                    return Element::from_element_id(self.driver.client.clone(), id);
                }
                fault = found["fault"].take();
            }
        };
        let Ok(element) = timeout(self.patience, polling).await else {
            panic!("no {kind} {name:?}: {fault}\n{}", self.describe().await)
        };
        element
    }

    async fn until<T>(&self, otherwise: &str, mut poll: impl AsyncFnMut() -> Option<T>) -> T {
        let polling = async {
            let mut pace = interval(PACE);
            loop {
                pace.tick().await;
                if let Some(found) = poll().await {
                    return found;
                }
            }
        };
        let Ok(found) = timeout(self.patience, polling).await else {
            panic!("{otherwise}\n{}", self.describe().await)
        };
        found
    }

    /// Describes the page, to find out why a test failed.
    async fn describe(&self) -> String {
        let url = self.driver.client.current_url().await.map(String::from).unwrap_or_default();
        let errors = self.console_errors().await.join("\n");
        format!("at {url}, with this text:\n{}\n{errors}", self.text().await)
    }

    async fn run(&self, word: &str, arguments: Vec<Value>) -> Value {
        self.try_run(word, arguments).await.unwrap_or_else(|error| panic!("{word}: {error}"))
    }

    /// Fails if the page is left while the script runs; callers that wait retry on the next page.
    async fn try_run(&self, word: &str, mut arguments: Vec<Value>) -> Result<Value, String> {
        arguments.insert(0, json!(word));
        let ran = self.driver.client.execute(PAGE, arguments).await;
        ran.map_err(|error| error.to_string())
    }
}

const PACE: Duration = Duration::from_millis(50);

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
