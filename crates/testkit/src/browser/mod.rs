//! A real browser in the words of who sits before it: what is seen and how things are called.
//!
//! Every word waits for what it needs. What does not come fails with the page as it stands.

mod driver;
mod look;

use std::path::Path;
use std::time::Duration;

use fantoccini::elements::{Element, ElementRef};
use serde_json::{Value, json};
use tokio::time::{interval, timeout};

use self::driver::Driver;
use crate::store::PATIENCE;

const PAGE: &str = include_str!("page.js");
/// The member under which the driver's protocol hands elements over.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with a fresh profile, 1280 × 900 and light; it ends when dropped.
pub struct Browser {
    driver: Driver,
    origin: String,
    patience: Duration,
}

impl Browser {
    /// A browser for the pages of an origin.
    pub async fn start(origin: &str) -> Self {
        let (driver, origin) = (Driver::start().await, origin.to_owned());
        let browser = Self { driver, origin, patience: PATIENCE };
        browser.resize(1280, 900).await;
        browser.light().await;
        browser
    }

    /// The same, which waits no longer than this for what it needs.
    #[must_use]
    pub fn patient_for(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Goes to an address of the origin.
    pub async fn open(&self, address: &str) {
        let url = format!("{}{address}", self.origin);
        let went = self.driver.client.goto(&url).await;
        went.unwrap_or_else(|error| panic!("{url} does not open: {error}"));
    }

    /// Enters a value into the field with this label: types it, or chooses the option of this text.
    pub async fn fill(&self, label: &str, value: &str) {
        self.enter(label, None, value).await;
    }

    /// The same of several fields of this label: the one that shares a row, say, with a text.
    pub async fn fill_beside(&self, text: &str, label: &str, value: &str) {
        self.enter(label, Some(text), value).await;
    }

    /// Presses the button or link of this name.
    pub async fn press(&self, name: &str) {
        self.click("press", name, None).await;
    }

    /// The same of several of this name: the one that shares a row, say, with a text.
    pub async fn press_beside(&self, text: &str, name: &str) {
        self.click("press", name, Some(text)).await;
    }

    /// Clicks a box, a switch or a choice with this label.
    pub async fn tick(&self, label: &str) {
        self.click("field", label, None).await;
    }

    /// Chooses files for the field with this label.
    pub async fn upload(&self, label: &str, files: &[&Path]) {
        let paths: Vec<&str> = files.iter().map(|it| it.to_str().expect("a path")).collect();
        let field = self.find("file", label, None).await;
        let sent = field.send_keys(&paths.join("\n")).await;
        sent.unwrap_or_else(|error| panic!("{label:?} takes no files: {error}"));
    }

    /// Sends keys to what has the focus: letters, or those of [`fantoccini::key::Key`].
    pub async fn keys(&self, keys: &str) {
        let focus = self.driver.client.active_element().await.expect("something has the focus");
        focus.send_keys(keys).await.expect("keys arrive");
    }

    /// Moves the focus on; gives the name of what has it then.
    pub async fn tab(&self) -> String {
        self.keys(&char::from(fantoccini::key::Key::Tab).to_string()).await;
        text(&self.run("focused", vec![]).await)
    }

    /// Waits until a text can be seen.
    pub async fn see(&self, wanted: &str) {
        self.until(&format!("{wanted:?} is not to be seen"), async || {
            self.try_run("text", vec![]).await.ok().filter(|it| text(it).contains(wanted))
        })
        .await;
    }

    /// Waits until a text cannot be seen any more.
    pub async fn gone(&self, unwanted: &str) {
        self.until(&format!("{unwanted:?} is still to be seen"), async || {
            self.try_run("text", vec![]).await.ok().filter(|it| !text(it).contains(unwanted))
        })
        .await;
    }

    /// Waits until the address is this one.
    pub async fn arrive(&self, path: &str) {
        self.until(&format!("{path} was not reached"), async || {
            (self.path().await == path).then_some(())
        })
        .await;
    }

    /// Waits until every picture is there and nothing has changed for half a second.
    pub async fn settle(&self) {
        let (mut last, mut times) = (String::new(), 0);
        self.until("the page does not come to rest", async || {
            let now = self.try_run("standing", vec![]).await.as_ref().map(text).unwrap_or_default();
            times = if now == last && !now.is_empty() { times + 1 } else { 0 };
            last = now;
            (times == 10).then_some(())
        })
        .await;
    }

    /// Path and query of the address.
    pub async fn path(&self) -> String {
        let url = self.driver.client.current_url().await.expect("an address");
        url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
    }

    /// All text that can be seen, in one line.
    pub async fn text(&self) -> String {
        text(&self.run("text", vec![]).await)
    }

    /// The value of the field with this label.
    pub async fn value(&self, label: &str) -> String {
        let field = json!(self.find("field", label, None).await);
        text(&self.run("value", vec![field]).await)
    }

    /// Signs a person in by the form.
    pub async fn sign_in(&self, name: &str, password: &str) {
        self.open("/app/sign-in").await;
        self.fill("Email or name", name).await;
        self.fill("Password", password).await;
        self.leave("/app/sign-in").await;
    }

    /// Signs staff in by the form.
    pub async fn sign_in_as_staff(&self, token: &str) {
        self.open("/app/admin/sign-in").await;
        self.fill("One-time token", token).await;
        self.leave("/app/admin/sign-in").await;
    }

    async fn leave(&self, form: &str) {
        self.keys(&char::from(fantoccini::key::Key::Enter).to_string()).await;
        self.until("nobody was signed in", async || {
            (!self.path().await.starts_with(form)).then_some(())
        })
        .await;
    }

    async fn enter(&self, label: &str, beside: Option<&str>, value: &str) {
        let field = self.find("field", label, beside).await;
        if self.run("put", vec![json!(field), json!(value)]).await == json!(true) {
            let cleared = field.clear().await;
            let typed = field.send_keys(value).await;
            cleared.and(typed).unwrap_or_else(|error| panic!("{label:?} is not filled: {error}"));
        }
    }

    async fn click(&self, kind: &str, name: &str, beside: Option<&str>) {
        let clicked = self.find(kind, name, beside).await.click().await;
        if let Err(error) = clicked {
            panic!("{name:?} cannot be pressed: {error}\n{}", self.standing().await);
        }
    }

    async fn find(&self, kind: &str, name: &str, beside: Option<&str>) -> Element {
        let mut fault = Value::Null;
        let looking = async {
            let mut pace = interval(PACE);
            loop {
                pace.tick().await;
                let wanted = vec![json!(kind), json!(name), json!(beside)];
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
        let Ok(element) = timeout(self.patience, looking).await else {
            panic!("no {kind} {name:?}: {fault}\n{}", self.standing().await)
        };
        element
    }

    async fn until<T>(&self, otherwise: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
        let looking = async {
            let mut pace = interval(PACE);
            loop {
                pace.tick().await;
                if let Some(seen) = look().await {
                    return seen;
                }
            }
        };
        let Ok(seen) = timeout(self.patience, looking).await else {
            panic!("{otherwise}\n{}", self.standing().await)
        };
        seen
    }

    /// The page as it stands, for who has to find out why a test failed.
    async fn standing(&self) -> String {
        let url = self.driver.client.current_url().await.map(String::from).unwrap_or_default();
        let errors = self.console_errors().await.join("\n");
        format!("at {url}, where can be seen:\n{}\n{errors}", self.text().await)
    }

    async fn run(&self, word: &str, arguments: Vec<Value>) -> Value {
        self.try_run(word, arguments).await.unwrap_or_else(|error| panic!("{word}: {error}"))
    }

    /// Fails when the page goes away while it is looked at; who waits looks at the next one.
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
