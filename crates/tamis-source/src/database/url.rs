//! How a database is named on a command line.

use super::DatabaseError;
use std::path::PathBuf;

/// A database by kind and place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DatabaseUrl {
    Sqlite(PathBuf),
}

impl DatabaseUrl {
    /// `sqlite:PATH`; `sqlite://PATH`, as other programs write it, is the same. The URL is not repeated in errors beyond its
    /// scheme, for what comes after it may hold a password.
    pub(super) fn parse(url: &str) -> Result<Self, DatabaseError> {
        let Some((scheme, rest)) = url.split_once(':') else {
            return Err(DatabaseError::NoScheme { found: crate::shown(url) });
        };
        match scheme.to_ascii_lowercase().as_str() {
            "sqlite" => match rest.strip_prefix("//").unwrap_or(rest) {
                "" => Err(DatabaseError::NoPath),
                ":memory:" => Err(DatabaseError::InMemory),
                path => Ok(Self::Sqlite(PathBuf::from(path))),
            },
            "postgres" | "postgresql" | "mysql" | "mariadb" => Err(DatabaseError::NotYet { scheme: scheme.to_owned() }),
            // Not a scheme but the drive of a path, or a path with a colon in it.
            _ if scheme.len() < 2 || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                Err(DatabaseError::NoScheme { found: crate::shown(url) })
            }
            _ => Err(DatabaseError::UnknownScheme { scheme: scheme.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_follows_the_scheme() {
        for (url, path) in [
            ("sqlite:people.db", "people.db"),
            ("sqlite:/data/people.db", "/data/people.db"),
            ("sqlite:///data/people.db", "/data/people.db"),
            ("SQLite:un año:2016.db", "un año:2016.db"),
        ] {
            assert_eq!(DatabaseUrl::parse(url).expect(url), DatabaseUrl::Sqlite(PathBuf::from(path)));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_said_without_telling_secrets() {
        let refused = |url: &str| DatabaseUrl::parse(url).expect_err(url).to_string();
        assert_eq!(
            refused("people.db"),
            "`people.db` does not say which kind of database it is; write sqlite:people.db"
        );
        assert_eq!(refused("C:\\people.db"), {
            "`C:\\people.db` does not say which kind of database it is; write sqlite:C:\\people.db"
        });
        let postgres = refused("postgres://steward:secret@host/people");
        assert!(postgres.contains("`postgres:`") && postgres.contains("sqlite:PATH"), "{postgres}");
        let oracle = refused("oracle:secret");
        assert!(oracle.contains("`oracle:`") && oracle.contains("sqlite:PATH"), "{oracle}");
        assert!(!postgres.contains("secret") && !oracle.contains("secret"));
        assert!(refused("sqlite:").contains("sqlite:PATH"));
        assert!(refused("sqlite::memory:").contains("file"));
    }
}
