//! The keyboard, for tests that use nothing else.

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::key::Key;
use serde_json::json;

use super::{Browser, text};

/// How often Tab is pressed to get to an element.
const MOST: usize = 150;

impl Browser {
    /// Presses keys one after another: letters, or those of [`fantoccini::key::Key`]. Unlike
    /// [`Self::keys`], they reach the browser and not an element, so that Tab leaves every field.
    pub async fn press_keys(&self, keys: &str) {
        let strokes = keys.chars().flat_map(|it| [down(it), up(it)]);
        self.strike(strokes).await;
    }

    /// Presses Tab until the element whose name begins with these words has the focus, which must
    /// be visible.
    pub async fn tab_to(&self, name: &str) {
        self.walk(name, &[Key::Tab.into()]).await;
    }

    /// Like [`Self::tab_to`], backward.
    pub async fn tab_back_to(&self, name: &str) {
        self.walk(name, &[Key::Shift.into(), Key::Tab.into()]).await;
    }

    async fn walk(&self, name: &str, chord: &[char]) {
        let mut met = Vec::new();
        while met.len() < MOST {
            let focused = text(&self.run("focused", vec![]).await);
            let rest = focused.strip_prefix(name);
            if rest.is_some_and(|it| it.is_empty() || it.starts_with(' ')) {
                if met.is_empty() {
                    // The page set the focus: it shows the focus once keys are used.
                    self.strike(tapped(&[Key::Shift.into(), Key::Tab.into()])).await;
                    self.strike(tapped(&[Key::Tab.into()])).await;
                }
                let is_seen = self.run("ringed", vec![]).await == json!(true);
                assert!(is_seen, "{focused:?} has the focus, which nobody sees");
                return;
            }
            met.push(focused);
            self.strike(tapped(chord)).await;
        }
        panic!("Tab does not lead to {name:?} but to {met:?}\n{}", self.describe().await);
    }

    async fn strike(&self, strokes: impl Iterator<Item = KeyAction>) {
        let keyboard = KeyActions::new("keyboard".to_owned());
        let strokes = strokes.fold(keyboard, KeyActions::then);
        self.driver.client.perform_actions(strokes).await.expect("keys are pressed");
    }
}

/// Presses keys together and releases them.
fn tapped(chord: &[char]) -> impl Iterator<Item = KeyAction> {
    chord.iter().copied().map(down).chain(chord.iter().rev().copied().map(up))
}

fn down(value: char) -> KeyAction {
    KeyAction::Down { value }
}

fn up(value: char) -> KeyAction {
    KeyAction::Up { value }
}
