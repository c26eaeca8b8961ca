//! Output appears whole or not at all, under the permissions one expects.

use std::fs;
use std::io::Write;
use std::path::Path;
use tamis_source::{
    AtomicFile, Compression, OutputColumn, ReadOptions, WriteOptions, ensure_writable, read_table, write_table,
    write_table_to,
};

fn entries(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn column<'a>(name: &'a str, cells: &[&str]) -> OutputColumn<'a> {
    let cells = cells.iter().map(|&cell| cell.to_owned()).collect();
    OutputColumn { name, cells, cell_of_row: Box::new(|row| row as u32) }
}

#[test]
fn an_abandoned_file_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(&vec![b'x'; 1 << 20]).unwrap();
    drop(file);
    assert_eq!(entries(directory.path()), ["out.csv"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
}

#[test]
fn a_committed_file_replaces_the_old_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old and longer").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old and longer");
    file.commit().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(entries(directory.path()), ["out.csv"]);
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
    fs::write(directory.path().join("plain"), "").unwrap();
    AtomicFile::create(directory.path().join("atomic")).unwrap().commit().unwrap();
    assert_eq!(mode("atomic"), mode("plain"));
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    for mode in [0o600, 0o666] {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
    }
}

#[cfg(unix)]
#[test]
fn a_private_file_is_its_owners_alone_whatever_was_there() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("link.csv");
    for before in [None, Some(0o666)] {
        if let Some(mode) = before {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        AtomicFile::create_private(&path).unwrap().commit().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_a_link() {
    let directory = tempfile::tempdir().unwrap();
    let (real, link) = (directory.path().join("real.csv"), directory.path().join("link.csv"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let mut file = AtomicFile::create(&link).unwrap();
    file.write_all(b"new").unwrap();
    file.commit().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "new");
}

#[test]
fn a_directory_is_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let name = directory.path().display();
    let error = AtomicFile::create(directory.path()).unwrap_err().to_string();
    assert_eq!(error, format!("cannot write `{name}`: it is a directory and not a file; choose another path"));
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced() {
    let error = ensure_writable("/dev/null").unwrap_err().to_string();
    assert_eq!(error, "cannot write `/dev/null`: it is a device or pipe and not a file; choose another path");
}

#[test]
fn a_missing_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let path = missing.join("out.csv");
    let expected = format!(
        "cannot write `{}`: there is no directory `{}`; create it or choose another path",
        path.display(),
        missing.display()
    );
    assert_eq!(ensure_writable(&path).unwrap_err().to_string(), expected);
    let error = write_table(&path, &WriteOptions::default(), &[column("a", &["1"])], 0..1).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_file_in_place_of_the_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let error = ensure_writable(file.join("out.csv")).unwrap_err().to_string();
    assert!(error.contains(&format!("there is no directory `{}`", file.display())), "{error}");
}

#[test]
fn checking_beforehand_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    ensure_writable(directory.path().join("out.csv")).unwrap();
    assert!(entries(directory.path()).is_empty());
    assert!(ensure_writable("out.csv").is_ok());
}

#[test]
fn a_full_disk_is_named_with_the_reason() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from_raw_os_error(28))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = write_table_to(Full, "out.csv", &WriteOptions::default(), &[column("a", &["1"])], 0..1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot write `out.csv`: No space left on device (os error 28); \
         choose a place with enough space where you may create files"
    );
}

#[test]
fn an_unusable_delimiter_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let options = WriteOptions { delimiter: b'"', ..WriteOptions::default() };
    let error = write_table(directory.path().join("out.csv"), &options, &[column("a", &["1"])], 0..1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the delimiter `\"` and the quote `\"` cannot be used together; \
         choose two different ASCII characters that are not line breaks"
    );
    assert!(entries(directory.path()).is_empty());
}

#[test]
fn the_extension_or_the_option_decides_the_compression() {
    let directory = tempfile::tempdir().unwrap();
    for (name, forced, start) in [
        ("out.csv", None, &b"a,b\n"[..]),
        ("out.csv.gz", None, b"\x1F\x8B"),
        ("out.csv.zst", None, b"\x28\xB5\x2F\xFD"),
        ("out.gz", Some(Compression::None), b"a,b\n"),
        ("out", Some(Compression::Zstd), b"\x28\xB5\x2F\xFD"),
    ] {
        let path = directory.path().join(name);
        let options = WriteOptions { compression: forced, ..WriteOptions::default() };
        write_table(&path, &options, &[column("a", &["1", "2"]), column("b", &["x", "y"])], [1, 0, 1].into_iter())
            .unwrap();
        assert!(fs::read(&path).unwrap().starts_with(start), "{name}");
        let table = read_table(&path, &ReadOptions::default()).unwrap();
        let texts: Vec<&str> = (0..3).map(|row| table.columns()[1].text(row)).collect();
        assert_eq!(texts, ["y", "x", "y"]);
    }
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let written = |compression| {
        let mut bytes = Vec::new();
        let options = WriteOptions { compression: Some(compression), ..WriteOptions::default() };
        write_table_to(&mut bytes, "out", &options, &[column("a", &["1", "2"])], 0..2).unwrap();
        bytes
    };
    for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
        assert_eq!(written(compression), written(compression));
    }
}

#[test]
fn formulas_are_not_altered() {
    let mut text = Vec::new();
    let columns = [column("a", &["=1+1", "@x"]), column("b", &["+1", "-1"])];
    write_table_to(&mut text, "out.csv", &WriteOptions::default(), &columns, 0..2).unwrap();
    assert_eq!(text, b"a,b\n=1+1,+1\n@x,-1\n");
}
