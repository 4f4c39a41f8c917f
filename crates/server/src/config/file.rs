//! Reads `grantor.toml`. All values are converted to text, including lists, numbers and booleans.

use std::path::Path;

use secrecy::SecretString;
use toml::Value;

use super::problem::Problem;

/// The file's keys and their values as text.
pub(crate) fn entries(
    path: &Path,
    text: &str,
    problems: &mut Vec<Problem>,
) -> Vec<(String, SecretString)> {
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            problems.push(syntax_problem(path, text, &error));
            return Vec::new();
        }
    };
    let mut entries = Vec::new();
    for (key, value) in table {
        if let Some(value) = to_text(&value) {
            entries.push((key, value.into()));
        } else {
            let place = format!("file {}", path.display());
            let what = format!("a {} cannot be the value of a setting", value.type_str());
            problems.push(Problem::at(&key, &place, what));
        }
    }
    entries
}

/// The parser's own message is not used: it repeats the line, which may contain a secret.
fn syntax_problem(path: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let what = error.message().lines().collect::<Vec<_>>().join(", ");
    Problem::at(&path.display().to_string(), &format!("line {line}"), what)
}

fn to_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(value) => Some(value.to_string()),
        Value::Array(values) => {
            let texts: Option<Vec<_>> = values
                .iter()
                .map(|value| if value.is_array() { None } else { to_text(value) })
                .collect();
            Some(texts?.join(","))
        }
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn read(text: &str) -> (Vec<(String, String)>, Vec<String>) {
        let mut problems = Vec::new();
        let entries = entries(Path::new("grantor.toml"), text, &mut problems);
        let shown = entries.into_iter().map(|(key, text)| (key, text.expose_secret().to_owned()));
        (shown.collect(), problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn values_may_be_written_as_toml_has_them() {
        let (entries, problems) = read("a = 'x'\nb = 30\nc = false\nd = [0, 5]\ne = ['x', 'y']");
        let texts: Vec<_> = entries.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!((texts, problems), (vec!["x", "30", "false", "0,5", "x,y"], vec![]));
    }

    #[test]
    fn a_table_is_no_value() {
        let (entries, problems) = read("[s3]\nbucket = 'x'");
        assert_eq!(entries, []);
        assert_eq!(problems, ["s3 (file grantor.toml): a table cannot be the value of a setting"]);
    }

    #[test]
    fn a_syntax_error_names_the_line_and_does_not_repeat_it() {
        let (_, problems) = read("listen = '127.0.0.1:1'\nstripe_secret_key = hunter2\n");
        assert!(problems[0].starts_with("grantor.toml (line 2): "), "{problems:?}");
        assert!(!problems[0].contains("hunter2") && !problems[0].contains('\n'), "{problems:?}");
    }
}
