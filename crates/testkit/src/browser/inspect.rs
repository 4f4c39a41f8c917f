//! The appearance of a page, browser errors, and accessibility checks.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Browser;
use crate::server::eventually;

/// Runs after all pending work of the page.
const MARK: &str = "const done = arguments[0];
    setTimeout(() => requestIdleCallback(() => { console.info('the log is whole'); done(); }, { timeout: 1000 }));";
const MARKED: &str = "the log is whole";

/// Narrower screens are phones.
const PHONE: u32 = 600;

impl Browser {
    /// Resizes the page; narrow sizes emulate a phone.
    pub async fn resize(&self, width: u32, height: u32) {
        let phone = width < PHONE;
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone,
        });
        self.driver.devtools("Emulation.setDeviceMetricsOverride", size).await;
        // A finger is a coarse pointer.
        let touch = json!({ "enabled": phone });
        self.driver.devtools("Emulation.setTouchEmulationEnabled", touch).await;
    }

    /// Plugs in an authenticator that creates and uses passkeys without asking anybody.
    pub async fn plug_in_authenticator(&self) {
        self.driver.devtools("WebAuthn.enable", json!({})).await;
        let options = json!({
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": true,
            "hasUserVerification": true,
            "isUserVerified": true,
            "automaticPresenceSimulation": true,
        });
        let options = json!({ "options": options });
        self.driver.devtools("WebAuthn.addVirtualAuthenticator", options).await;
    }

    /// Prefers the dark color scheme.
    pub async fn dark(&self) {
        self.prefer("dark").await;
    }

    /// Prefers the light color scheme.
    pub async fn light(&self) {
        self.prefer("light").await;
    }

    /// Shows the page as it is printed.
    pub async fn paper(&self) {
        self.driver.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
    }

    async fn prefer(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            // Disables animations.
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.driver.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Writes a screenshot to a PNG file.
    pub async fn screenshot(&self, file: &Path) {
        write(file, &self.driver.devtools("Page.captureScreenshot", json!({})).await);
    }

    /// Like [`Self::screenshot`], of the whole page.
    pub async fn full_screenshot(&self, file: &Path) {
        let size = self.driver.devtools("Page.getLayoutMetrics", json!({})).await;
        let size = &size["cssContentSize"];
        let (width, height) = (&size["width"], &size["height"]);
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let whole = json!({ "captureBeyondViewport": true, "clip": clip });
        write(file, &self.driver.devtools("Page.captureScreenshot", whole).await);
    }

    /// The browser's errors since the last call: script errors, failed requests, and violations of
    /// the page's policy, without the page's own status. A correct page has none.
    pub async fn console_errors(&self) -> Vec<String> {
        let entries = self.log().await;
        // A page that shows form errors has an error status, which is correct.
        let url = self.driver.client.current_url().await.map(String::from).unwrap_or_default();
        let page = format!("{url} - Failed to load resource: the server responded with a status");
        let grave = entries.iter().filter(|it| it["level"] == "SEVERE");
        let grave = grave.filter_map(|it| it["message"].as_str());
        grave.filter(|it| !it.starts_with(&page)).map(str::to_owned).collect()
    }

    /// Errors arrive late: the log is complete once it contains a mark that was logged after them.
    async fn log(&self) -> Vec<Value> {
        let marked = self.driver.client.execute_async(MARK, vec![]).await;
        marked.expect("a mark in the log");
        let mut entries = Vec::new();
        eventually("the mark in the log", async || {
            let log = self.driver.command("se/log", json!({ "type": "browser" })).await;
            entries.extend(log.as_array().cloned().unwrap_or_default());
            let is_mark = |it: &Value| it["message"].as_str().is_some_and(|it| it.contains(MARKED));
            entries.iter().any(is_mark).then_some(())
        })
        .await;
        entries
    }

    /// Serious and critical accessibility findings by WCAG 2 A and AA, each with the selector of
    /// its element. A correct page has none.
    pub async fn axe(&self) -> Vec<String> {
        self.run_axe(Value::Null).await
    }

    /// The findings about colors, which are all that another color scheme can change.
    pub async fn axe_colors(&self) -> Vec<String> {
        let rules = json!({ "type": "rule", "values": ["color-contrast", "link-in-text-block"] });
        self.run_axe(rules).await
    }

    /// Runs axe-core, which is sent to a page once.
    async fn run_axe(&self, rules: Value) -> Vec<String> {
        let run = async |script: &str| {
            let ran = self.driver.client.execute_async(script, vec![rules.clone()]).await;
            ran.expect("axe-core runs")
        };
        let check = include_str!("axe.js");
        let mut ran = run(check).await;
        if ran["missing"] == true {
            ran = run(&format!("{}\n{check}", axe_core())).await;
        }
        let findings = ran["findings"].as_array().unwrap_or_else(|| panic!("axe-core: {ran}"));
        findings.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
    }

    /// How many bytes the page transferred, without the pictures of licenses.
    pub async fn transferred(&self) -> u64 {
        self.run("transferred", vec![]).await.as_u64().expect("a number of bytes")
    }

    /// Requests to other origins. A correct page makes none.
    pub async fn foreign(&self) -> Vec<String> {
        self.list("foreign").await
    }

    /// Elements wider than the screen. A correct page has none, also on a phone.
    pub async fn too_wide(&self) -> Vec<String> {
        self.list("wide").await
    }

    /// Buttons, fields and links in menus that are lower than 44 pixels. A correct page has none on a
    /// phone.
    pub async fn small_targets(&self) -> Vec<String> {
        self.list("small").await
    }

    /// Ids that several elements of the page have. A correct page has none.
    pub async fn doubled_ids(&self) -> Vec<String> {
        self.list("doubled").await
    }

    async fn list(&self, word: &str) -> Vec<String> {
        let list = self.run(word, vec![]).await.as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
    }
}

fn write(file: &Path, captured: &Value) {
    let picture = STANDARD.decode(captured["data"].as_str().unwrap_or_default());
    std::fs::write(file, picture.expect("a picture in base64"))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

#[expect(clippy::disallowed_methods, reason = "the test runner sets its path")]
fn axe_core() -> String {
    let place = std::env::var("GRANTOR_TEST_AXE");
    let place = place.expect("GRANTOR_TEST_AXE: run the tests by `cargo xtask servers -- …`");
    std::fs::read_to_string(&place).unwrap_or_else(|error| panic!("{place}: {error}"))
}
