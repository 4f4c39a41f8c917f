//! The messages of one language.

use std::collections::{BTreeSet, HashMap};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use intl_memoizer::concurrent::IntlLangMemoizer;
use unic_langid::LanguageIdentifier;

use crate::language::thousands;

/// The messages of one language.
pub(crate) struct MessageSet {
    code: &'static str,
    bundle: FluentBundle<FluentResource>,
    /// The messages without variables, ready to be shown.
    plain: HashMap<String, &'static str>,
    keys: BTreeSet<String>,
}

impl MessageSet {
    /// A language without messages. Languages live as long as the program.
    pub(crate) fn new(code: &str) -> Self {
        let locale: LanguageIdentifier = code.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![locale]);
        bundle.set_use_isolating(false);
        Self { code: code.to_owned().leak(), bundle, plain: HashMap::new(), keys: BTreeSet::new() }
    }

    /// The code of the language.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Adds the messages of a file. Those that are known are replaced.
    pub(crate) fn add(&mut self, messages: String) -> Result<(), String> {
        let parsed = FluentResource::try_new(messages);
        let parsed = parsed.map_err(|(_, errors)| {
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        let mut added = BTreeSet::new();
        for entry in parsed.entries() {
            if let Entry::Message(message) = entry
                && !added.insert(message.id.name.to_owned())
            {
                return Err(format!("{} is there twice", message.id.name));
            }
        }
        self.keys.append(&mut added);
        self.bundle.add_resource_overriding(parsed);
        Ok(())
    }

    /// Prepares the messages without variables.
    pub(crate) fn finish(&mut self) {
        let thousands = self.format("number-thousands", &[]);
        self.bundle.set_formatter(Some(match thousands.as_deref() {
            Some(".") => grouped::<'.'>,
            Some("\u{a0}") => grouped::<'\u{a0}'>,
            Some("’") => grouped::<'’'>,
            _ => grouped::<','>,
        }));
        for key in &self.keys {
            if self.variables_of(key).is_empty()
                && let Some(text) = self.format(key, &[])
            {
                self.plain.insert(key.clone(), text.leak());
            }
        }
    }

    /// The variables of every message, by its key.
    #[cfg(test)]
    pub(crate) fn variables(&self) -> BTreeSet<(String, BTreeSet<String>)> {
        self.keys.iter().map(|it| (it.clone(), self.variables_of(it))).collect()
    }

    fn variables_of(&self, key: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if let Some(pattern) = self.bundle.get_message(key).and_then(|it| it.value()) {
            collect(pattern, &mut found);
        }
        found
    }

    /// A text without variables.
    pub(crate) fn text(&self, key: &str) -> Option<&'static str> {
        self.plain.get(key).copied()
    }

    /// A text with variables.
    pub(crate) fn format(
        &self,
        key: &str,
        values: &[(&'static str, FluentValue<'_>)],
    ) -> Option<String> {
        let message = self.bundle.get_message(key)?;
        let values: FluentArgs<'_> =
            values.iter().map(|(name, value)| (*name, value.clone())).collect();
        let text = self.bundle.format_pattern(message.value()?, Some(&values), &mut vec![]);
        Some(text.into_owned())
    }
}

/// Formats a number with a separator of thousands.
fn grouped<const SEPARATOR: char>(value: &FluentValue<'_>, _: &IntlLangMemoizer) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let digits = number.as_string();
    let whole = digits.trim_start_matches('-');
    if whole.contains('.') {
        return None;
    }
    let separator = thousands().unwrap_or(SEPARATOR);
    let mut text = if whole.len() < digits.len() { "-".to_owned() } else { String::new() };
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    Some(text)
}

fn collect(pattern: &Pattern<&str>, found: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            collect_from(expression, found);
        }
    }
}

fn collect_from(expression: &Expression<&str>, found: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => collect_inline(inline, found),
        Expression::Select { selector, variants } => {
            collect_inline(selector, found);
            for variant in variants {
                collect(&variant.value, found);
            }
        }
    }
}

fn collect_inline(inline: &InlineExpression<&str>, found: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            found.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => collect_from(expression, found),
        InlineExpression::FunctionReference { arguments, .. } => {
            for argument in &arguments.positional {
                collect_inline(argument, found);
            }
        }
        _ => {}
    }
}
