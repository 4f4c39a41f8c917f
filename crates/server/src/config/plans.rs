//! Reads the operator's plans file: a TOML table for each plan, whose keys replace the built-in
//! values.

use std::path::Path;

use grantor_domain::license::Amount;
use grantor_domain::organization::Plan;
use grantor_domain::plan::{PlanTerms, Plans};
use toml::{Table, Value};

use super::problem::Malformed::{self, Because};

const UNLIMITED: &str = "unlimited";
/// The units of a size such as `10 GiB`.
const UNITS: [(&str, u32); 4] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
/// The maximum number of features that describe a plan.
const MOST_FEATURES: usize = 20;

/// Reads the plans from the file at this path.
pub(super) fn read(path: &str) -> Result<Plans, Malformed> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Because(format!("{path} cannot be read: {error}")))?;
    parse(Path::new(path), &text)
}

/// Parses the text of a plans file. Errors name the file, the plan and the key.
fn parse(path: &Path, text: &str) -> Result<Plans, Malformed> {
    let file = path.display();
    let tables: Table = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let what = error.message().lines().collect::<Vec<_>>().join(", ");
        Because(format!("{file}, line {line}: {what}"))
    })?;
    let mut plans = Plans::default();
    for (name, value) in tables {
        let plan = Plan::ALL.into_iter().find(|it| word(*it) == name).ok_or_else(|| {
            let known = Plan::ALL.map(word).join(", ");
            Because(format!("{file}, {name}: unknown plan; the plans are {known}"))
        })?;
        let Value::Table(members) = value else {
            return Err(Because(format!("{file}, plan {name}: must be a table such as [{name}]")));
        };
        for (member, value) in members {
            set(plans.of_mut(plan), &member, &value)
                .map_err(|what| Because(format!("{file}, plan {name}, {member}: {what}")))?;
        }
    }
    plans
        .check_prices()
        .map_err(|(plan, what)| Because(format!("{file}, plan {}, price: {what}", word(plan))))?;
    Ok(plans)
}

/// A plan's name in the file.
fn word(plan: Plan) -> String {
    plan.name().to_lowercase()
}

fn set(terms: &mut PlanTerms, member: &str, value: &Value) -> Result<(), String> {
    match member {
        "description" => terms.description = line(value)?,
        "price" => terms.price = price(value)?,
        "features" => terms.features = Some(features(value)?),
        "requests_per_minute" => {
            terms.requests_per_minute = u32::try_from(number(value)?)
                .ok()
                .filter(|it| *it > 0)
                .ok_or("must be from 1 to 4294967295")?;
        }
        "requests_per_month" => terms.requests_per_month = bound(value, number)?,
        "image_bytes" => terms.image_bytes = bound(value, bytes)?,
        "talents" => terms.talents = bound(value, number)?,
        "licenses" => terms.licenses = bound(value, number)?,
        "webhooks" => terms.webhooks = bound(value, number)?,
        "sources" => terms.sources = bound(value, number)?,
        "invitations_per_day" => terms.invitations_per_day = per_day(value)?,
        "letters_per_day" => terms.letters_per_day = per_day(value)?,
        _ => {
            return Err("unknown key; the keys are description, price, features, \
                        requests_per_minute, requests_per_month, image_bytes, talents, licenses, \
                        webhooks, sources, invitations_per_day, letters_per_day"
                .to_owned());
        }
    }
    Ok(())
}

/// How often something is allowed per day: at least once, or `None` if the value is "unlimited".
fn per_day(value: &Value) -> Result<Option<u32>, String> {
    let figure = bound(value, number)?.map(u32::try_from).transpose();
    let figure = figure.ok().filter(|it| *it != Some(0));
    figure.ok_or_else(|| "must be from 1 to 4294967295".to_owned())
}

/// A number, or `None` if the value is "unlimited".
fn bound(value: &Value, read: fn(&Value) -> Result<u64, String>) -> Result<Option<u64>, String> {
    if value.as_str() == Some(UNLIMITED) {
        return Ok(None);
    }
    read(value).map(Some).map_err(|what| format!("{what}, or {UNLIMITED:?}"))
}

fn number(value: &Value) -> Result<u64, String> {
    let number = value.as_integer().and_then(|it| u64::try_from(it).ok());
    number.ok_or_else(|| "must be a whole number of at least 0".to_owned())
}

/// A number of bytes, or a size such as `10 GiB`.
fn bytes(value: &Value) -> Result<u64, String> {
    let text = match value {
        Value::String(text) => text.trim(),
        other => return number(other),
    };
    let sized = UNITS.iter().find_map(|(unit, bits)| {
        let figure = text.strip_suffix(unit)?.trim_end();
        let digits = !figure.is_empty() && figure.bytes().all(|it| it.is_ascii_digit());
        figure.parse::<u64>().ok().filter(|_| digits)?.checked_mul(1 << bits)
    });
    let sized = sized.filter(|it| i64::try_from(*it).is_ok());
    sized.ok_or_else(|| "must be a number of bytes or a size such as \"10 GiB\"".to_owned())
}

fn price(value: &Value) -> Result<Amount, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        _ => return Err("must be an amount such as 49.99".to_owned()),
    };
    Amount::parse(&text).map_err(str::to_owned)
}

fn line(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::trim);
    let fits =
        |it: &&str| (1..=200).contains(&it.chars().count()) && !it.contains(char::is_control);
    text.filter(fits)
        .map(str::to_owned)
        .ok_or_else(|| "must be a line of 1 to 200 characters".to_owned())
}

fn features(value: &Value) -> Result<Vec<String>, String> {
    let lines = value.as_array().filter(|it| (1..=MOST_FEATURES).contains(&it.len()));
    let lines = lines.ok_or_else(|| format!("must be a list of 1 to {MOST_FEATURES} strings"))?;
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../../docs/plans.example.toml");

    fn read_text(text: &str) -> Result<Plans, String> {
        parse(Path::new("plans.toml"), text).map_err(|it| match it {
            Because(sentence) => sentence,
            Malformed::Not(what) => what.to_owned(),
        })
    }

    #[test]
    fn the_example_is_complete_and_says_what_is_built_in() {
        assert_eq!(read_text(EXAMPLE), Ok(Plans::default()));
        let tables: Table = toml::from_str(EXAMPLE).unwrap();
        for plan in Plan::ALL {
            let members: Vec<_> = tables[&word(plan)].as_table().unwrap().keys().collect();
            assert_eq!(
                members,
                [
                    "description",
                    "image_bytes",
                    "invitations_per_day",
                    "letters_per_day",
                    "licenses",
                    "price",
                    "requests_per_minute",
                    "requests_per_month",
                    "sources",
                    "talents",
                    "webhooks",
                ]
            );
        }
    }

    #[test]
    fn what_is_given_replaces_what_is_built_in_and_nothing_else() {
        let text = "[starter]\nprice = 12.5\ntalents = \"unlimited\"\nimage_bytes = \"3 MiB\"\n\
                    features = [\"Two seats\"]\n[free]\nrequests_per_minute = 10\nwebhooks = 0";
        let plans = read_text(text).unwrap();
        let mut expected = Plans::default();
        let starter = expected.of_mut(Plan::Starter);
        (starter.price, starter.talents) = (Amount::from_hundredths(1_250).unwrap(), None);
        starter.image_bytes = Some(3 << 20);
        starter.features = Some(vec!["Two seats".to_owned()]);
        let free = expected.of_mut(Plan::Free);
        (free.requests_per_minute, free.webhooks) = (10, Some(0));
        assert_eq!(plans, expected);
    }

    #[test]
    fn what_is_wrong_names_file_plan_and_member() {
        for (text, sentence) in [
            (
                "[gold]",
                "plans.toml, gold: unknown plan; the plans are free, starter, pro, enterprise",
            ),
            ("free = 3", "plans.toml, plan free: must be a table such as [free]"),
            ("[pro]\ntalent = 3", "plans.toml, plan pro, talent: unknown key; the keys are"),
            (
                "[pro]\ntalents = -3",
                "plans.toml, plan pro, talents: must be a whole number of at least 0, or \"unlimited\"",
            ),
            ("[pro]\ntalents = \"many\"", "plans.toml, plan pro, talents: must be a whole number"),
            (
                "[pro]\nimage_bytes = \"3 GB\"",
                "plans.toml, plan pro, image_bytes: must be a number of bytes",
            ),
            (
                "[pro]\nimage_bytes = \"99999999 TiB\"",
                "plans.toml, plan pro, image_bytes: must be a number of bytes",
            ),
            ("[pro]\nprice = 9.999", "plans.toml, plan pro, price: must be a decimal number"),
            ("[pro]\nprice = true", "plans.toml, plan pro, price: must be an amount such as 49.99"),
            ("[free]\nprice = 1", "plans.toml, plan free, price: must be 0"),
            (
                "[starter]\nprice = 100",
                "plans.toml, plan pro, price: must be more than the price of Starter",
            ),
            (
                "[free]\nrequests_per_minute = 0",
                "plans.toml, plan free, requests_per_minute: must be from 1",
            ),
            (
                "[free]\ninvitations_per_day = 0",
                "plans.toml, plan free, invitations_per_day: must be from 1",
            ),
            (
                "[free]\nfeatures = []",
                "plans.toml, plan free, features: must be a list of 1 to 20 strings",
            ),
            (
                "[free]\ndescription = \"\"",
                "plans.toml, plan free, description: must be a line of 1 to 200",
            ),
            ("[free]\n\n=", "plans.toml, line 3: "),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.starts_with(sentence), "{text:?}: {error}");
        }
    }
}
