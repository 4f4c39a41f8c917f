//! The differences between the engines, each defined once.
//!
//! Migrations are written in PostgreSQL's dialect. On `SQLite`, tables become STRICT and WITHOUT
//! ROWID; on PostgreSQL, text is compared by bytes, so that both engines sort alike.

/// Marks a statement that claims rows. `SQLite` has a single writer and needs no lock.
const SKIP_LOCKED: &str = "/*skip locked*/";

/// Marks a statement that locks rows until its unit ends. The lock is as strong as an update that
/// leaves the keys unchanged, so inserts that only reference the row do not wait.
const FOR_UPDATE: &str = "/*for update*/";

/// Like [`FOR_UPDATE`], but rows that are locked already are left out.
const FOR_UPDATE_OR_SKIP: &str = "/*for update or skip*/";

/// Marks a table that keeps its hidden rowid on `SQLite`.
const WITH_ROWID: &str = "/*with rowid*/";

const SQLITE_TYPES: [(&str, &str); 5] = [
    ("UUID", "BLOB"),
    ("BYTEA", "BLOB"),
    ("BIGINT", "INTEGER"),
    ("BOOLEAN", "INTEGER"),
    ("DOUBLE PRECISION", "REAL"),
];

/// To `SQLite`, `$1` is a name numbered by first appearance; `?1` is a number. Its table-valued
/// function `rarray` has the elements of a list.
pub(crate) fn sqlite_statement(text: &str) -> String {
    text.replace("= ANY($", "IN rarray($").replace('$', "?")
}

pub(crate) fn postgres_statement(text: &str) -> String {
    text.replace(SKIP_LOCKED, "FOR UPDATE SKIP LOCKED")
        .replace(FOR_UPDATE_OR_SKIP, "FOR NO KEY UPDATE SKIP LOCKED")
        .replace(FOR_UPDATE, "FOR NO KEY UPDATE")
}

pub(crate) fn sqlite_migration(text: &str) -> String {
    let mut sql = only_for(text, "sqlite");
    for (word, own) in SQLITE_TYPES {
        sql = replace_word(&sql, word, own);
    }
    sql.replace(&format!("\n) {WITH_ROWID};"), "\n) STRICT;")
        .replace("\n);", "\n) STRICT, WITHOUT ROWID;")
}

pub(crate) fn postgres_migration(text: &str) -> String {
    replace_word(&only_for(text, "postgres"), "TEXT", "TEXT COLLATE \"C\"")
}

/// Drops the blocks between `-- only ENGINE` and `-- end` for the other engine.
fn only_for(text: &str, engine: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut skipping = false;
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("-- only ") {
            skipping = named.trim() != engine;
        } else if line.trim_end() == "-- end" {
            skipping = false;
        } else if !skipping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Replaces a whole word outside comments and quoted text.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        let code = line.find("--").into_iter().chain(line.find('\'')).min();
        let (code, rest) = line.split_at(code.unwrap_or(line.len()));
        result.push_str(&replace_in_line(code, word, with));
        result.push_str(rest);
        result.push('\n');
    }
    result
}

fn replace_in_line(line: &str, word: &str, with: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(word) {
        let (before, tail) = rest.split_at(at);
        let after = &tail[word.len()..];
        let alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        result.push_str(before);
        result.push_str(if alone { with } else { word });
        rest = after;
    }
    result + rest
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "CREATE TABLE things (\n  thing_id UUID PRIMARY KEY,\n  note TEXT NOT NULL,\n  TEXTURE BIGINT\n);\n-- only sqlite\nPRAGMA x;\n-- end\n-- only postgres\nSELECT 1;\n-- end\n";

    #[test]
    fn each_engine_reads_its_own_words() {
        assert_eq!(
            sqlite_migration(SOURCE),
            "CREATE TABLE things (\n  thing_id BLOB PRIMARY KEY,\n  note TEXT NOT NULL,\n  TEXTURE INTEGER\n) STRICT, WITHOUT ROWID;\nPRAGMA x;\n"
        );
        assert_eq!(
            postgres_migration(SOURCE),
            "CREATE TABLE things (\n  thing_id UUID PRIMARY KEY,\n  note TEXT COLLATE \"C\" NOT NULL,\n  TEXTURE BIGINT\n);\nSELECT 1;\n"
        );
    }

    #[test]
    fn statements_keep_their_parameters_numbers() {
        assert_eq!(sqlite_statement("SELECT $2, $1"), "SELECT ?2, ?1");
        assert_eq!(sqlite_statement("SELECT $1 = ANY($2)"), "SELECT ?1 IN rarray(?2)");
        assert_eq!(
            postgres_statement("SELECT 1 /*skip locked*/"),
            "SELECT 1 FOR UPDATE SKIP LOCKED"
        );
        assert_eq!(
            postgres_statement("SELECT 1 FROM a /*for update*/"),
            "SELECT 1 FROM a FOR NO KEY UPDATE"
        );
        assert_eq!(
            postgres_statement("SELECT 1 FROM a /*for update or skip*/"),
            "SELECT 1 FROM a FOR NO KEY UPDATE SKIP LOCKED"
        );
    }
}
