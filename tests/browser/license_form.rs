//! The license form in a real browser: the talent and territories by name, a preview, a template,
//! and pictures that survive a refused form.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

use crate::picture::{photo, saved};

const SEARCH: &str = "Search countries and regions";

/// Keys as the `WebDriver` protocol names them.
const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";
const END: &str = "\u{E010}";
const HOME: &str = "\u{E011}";
const DOWN: &str = "\u{E015}";

/// Chooses the first territory that a search finds.
async fn choose(browser: &Browser, words: &str) {
    browser.fill(SEARCH, words).await;
    browser.keys(ENTER).await;
}

/// Nothing is wrong with what is on the screen, in both themes and sizes.
async fn check(browser: &Browser) {
    for (width, height) in [(390, 844), (1280, 900)] {
        browser.resize(width, height).await;
        browser.dark().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, dark");
        browser.light().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, light");
        assert_eq!(browser.too_wide().await, [""; 0], "{width}");
    }
    assert_eq!(browser.doubled_ids().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talent_is_found_by_typing_and_chosen_by_arrows() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses/new").await;
    browser.fill("Name", "Concert hands").await;
    // One by a word of the name, the other by an alias.
    browser.fill("Talent", "o").await;
    browser.see("2 results").await;
    browser.see("Tadhg Ó Marcáin").await;
    check(&browser).await;
    for key in [DOWN, HOME, END, DOWN, DOWN, ENTER] {
        browser.keys(key).await;
    }
    assert_eq!(browser.value("Talent").await, "Олена Ясновець");
    browser.gone("2 results").await;
    // Whoever types means somebody else.
    browser.fill("Talent", "nobody at all").await;
    browser.see("Nothing found").await;
    browser.keys(ESCAPE).await;
    browser.gone("Nothing found").await;
    browser.press("Create license").await;
    browser.see("Must be the name of a talent that you can find.").await;
    assert_eq!(browser.value("Talent").await, "nobody at all");
    browser.fill("Talent", "yasn").await;
    browser.see("1 result").await;
    browser.keys(ENTER).await;
    // Enter in a field creates the license.
    browser.keys(ENTER).await;
    browser.see("License created").await;
    browser.see("Олена Ясновець").await;
    assert_eq!(browser.foreign().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn territories_are_found_by_name_and_shown_as_chips() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses/new").await;
    browser.see("None chosen").await;
    choose(&browser, "cote d").await;
    browser.see("1 country").await;
    choose(&browser, "scandin").await;
    browser.see("6 countries").await;
    // A chip is removed where it stands.
    browser.tick("Côte d’Ivoire").await;
    browser.see("5 countries").await;
    browser.fill("Talent", site.sample.talents[0].1).await;
    browser.fill("Name", "Northern lights").await;
    browser.fill("Fee", "1.500").await;
    browser.fill("Currency", "EUR · Euro").await;
    browser.fill("Fee per", "Month").await;
    browser.press("Preview").await;
    browser.see("Nothing is saved yet.").await;
    browser.see("€1,500 per month").await;
    browser.see("5 countries").await;
    browser.press("Create license").await;
    browser.see("License created. The amount was read as €1,500.").await;
    browser.see("Nordics").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.foreign().await, [""; 0]);
    assert_eq!(browser.axe().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn chosen_pictures_survive_a_refused_form() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("face.png");
    std::fs::write(&file, saved(&photo(7), image::ImageFormat::Png)).unwrap();
    browser.open("/app/licenses/new").await;
    browser.upload("Reference images", &[&file]).await;
    browser.press("Create license").await;
    browser.see("Is required.").await;
    browser.see("Images chosen before").await;
    // The page was replaced without loading it, and its fields still work.
    browser.see("Drop images here").await;
    choose(&browser, "japan").await;
    browser.see("1 country").await;
    browser.fill("Talent", site.sample.talents[0].1).await;
    browser.fill("Name", "Kept face").await;
    browser.press("Create license").await;
    browser.see("License created").await;
    browser.see("Japan").await;
    browser.gone("No images yet.").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_license_is_made_from_a_template_and_becomes_one() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses/new").await;
    browser.fill("Template", "Social media, 1 year, DACH").await;
    browser.press("Use template").await;
    browser.see("3 countries").await;
    browser.fill("Talent", site.sample.talents[0].1).await;
    browser.press("Create license").await;
    browser.see("License created").await;
    browser.see("DACH").await;
    browser.press("Save as template").await;
    browser.fill("Template name", "Our faces").await;
    browser.press("Save template").await;
    browser.see("Template saved: Our faces").await;
    browser.press("Duplicate").await;
    browser.see("License duplicated.").await;
    browser.open("/app/licenses/templates").await;
    browser.see("Our faces").await;
    browser.press("Rename").await;
    browser.fill("New name of Our faces", "All faces").await;
    browser.keys(ENTER).await;
    browser.see("Template renamed").await;
    browser.see("All faces").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
