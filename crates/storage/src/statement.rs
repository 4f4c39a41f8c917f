//! SQL statements, each written once with `$1…$n` where it runs and translated for each engine.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::changes::Topics;
use crate::dialect;

/// A statement made by [`sql!`]; both engines' forms are derived from one text.
pub(crate) struct Statement {
    text: &'static str,
    sqlite: OnceLock<String>,
    postgres: OnceLock<String>,
    topics: OnceLock<Topics>,
    columns: OnceLock<Box<[Box<str>]>>,
}

impl Statement {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text,
            sqlite: OnceLock::new(),
            postgres: OnceLock::new(),
            topics: OnceLock::new(),
            columns: OnceLock::new(),
        }
    }

    pub(crate) fn for_sqlite(&self) -> &str {
        self.sqlite.get_or_init(|| dialect::sqlite_statement(self.text))
    }

    pub(crate) fn for_postgres(&self) -> &str {
        self.postgres.get_or_init(|| dialect::postgres_statement(self.text))
    }

    /// The names of the columns that the statement returns, which are asked for once.
    pub(crate) fn columns(&self, names: impl FnOnce() -> Box<[Box<str>]>) -> &[Box<str>] {
        self.columns.get_or_init(|| {
            let names = names();
            let mut seen = HashSet::new();
            debug_assert!(names.iter().all(|it| seen.insert(it)), "two of {names:?} are the same");
            names
        })
    }

    /// The topics that the statement changes.
    pub(crate) fn topics(&self) -> Topics {
        *self.topics.get_or_init(|| Topics::of_statement(self.text))
    }
}

/// A statement written inline. The text must be a literal, because a test finds each one in the
/// source and prepares it on both engines.
macro_rules! sql {
    ($text:literal) => {{
        static STATEMENT: $crate::statement::Statement = $crate::statement::Statement::new($text);
        &STATEMENT
    }};
}
pub(crate) use sql;

/// One of several statements that differ in one place, selected by index: `sql_choice!(index,
/// "SELECT … ORDER BY ", ["a ASC", "a DESC"], " LIMIT $1")`.
macro_rules! sql_choice {
    ($index:expr, $head:literal, [$($middle:literal),* $(,)?], $tail:literal) => {{
        const COUNT: usize = [$($middle),*].len();
        static STATEMENTS: [$crate::statement::Statement; COUNT] =
            [$($crate::statement::Statement::new(concat!($head, $middle, $tail))),*];
        &STATEMENTS[$index]
    }};
}
pub(crate) use sql_choice;
