//! Books whose files have been damaged, and books of the first version.

use std::{
    fs,
    path::{Path, PathBuf},
};

use book::{BookFile, Entry, Key, PositionBook, StoreError, load_book};
use gomoku::{Position, Rule, zobrist::split_mix};
use redb::{Database, ReadableTable, TableDefinition};

fn file(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("tengen-damage-{name}-{}.redb", std::process::id()));
    let _ = fs::remove_file(&path); // of an earlier test that failed
    path
}

/// Some entries after two stones.
fn book() -> PositionBook {
    let mut book = PositionBook::default();
    let entries =
        "abcdefg".chars().flat_map(|col| (1..=14).map(move |row| format!("h8{col}{row}")));
    book.extend(
        entries.map(|moves| {
            let after = Position::parse(&moves, Rule::Freestyle, 15).unwrap();
            let (key, symmetry) = Key::of(&after);
            let point = symmetry.apply("i9".parse().unwrap(), 15);
            let text = format!("searched 20000 9 35 {point}:35 engine nodes=20000");
            (key.clone(), Entry::parse(&text, &key).unwrap())
        }),
        [],
    );
    book
}

fn texts(book: &PositionBook) -> Vec<(String, String)> {
    book.entries().map(|(key, entry)| (key.as_str().to_owned(), entry.to_text())).collect()
}

/// What everything that opens a book makes of a file: never a panic, and never another book.
fn survives(path: &Path, whole: &[(String, String)]) -> bool {
    let same = |found: Result<PositionBook, StoreError>| match found {
        Ok(book) => {
            assert_eq!(texts(&book), whole, "a damaged book was believed");
            true
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains(path.to_str().unwrap()), "{text}");
            false
        }
    };
    let read = same(load_book(path));
    let written = BookFile::open(path).and_then(|store| {
        let book = store.book()?;
        let (key, entry) = book.entries().next().expect("an entry");
        store.put(key, entry)?;
        store.book()
    });
    same(written) && read
}

#[test]
fn a_damaged_book_is_an_error_and_never_a_panic_or_a_lie() {
    let path = file("flipped");
    let whole = book();
    BookFile::open(&path).unwrap().save(&whole).unwrap();
    let bytes = fs::read(&path).unwrap();
    let whole = texts(&whole);
    assert!(survives(&path, &whole));
    let mut noticed = 0;
    for number in 0..160u64 {
        let mut damaged = bytes.clone();
        let random = |salt: u64| split_mix(number * 16 + salt) as usize;
        match number % 4 {
            // One bit, some bytes, a page of zeros, a file that is too short.
            0 => {
                let at = random(0) % damaged.len();
                damaged[at] ^= 1 << (random(1) % 8);
            }
            1 => {
                let at = random(0) % (damaged.len() - 64);
                damaged[at..at + 64]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, byte)| *byte = random(i as u64) as u8);
            }
            2 => {
                let at = random(0) % (damaged.len() / 4096) * 4096;
                damaged[at..at + 4096].fill(0);
            }
            _ => damaged.truncate(random(0) % damaged.len()),
        }
        fs::write(&path, &damaged).unwrap();
        noticed += usize::from(!survives(&path, &whole));
    }
    assert!(noticed > 20, "{noticed} of 160");
    // The text of an entry, changed where the database does not look.
    let text = b"nodes=20000";
    let mut damaged = bytes.clone();
    for at in 0..bytes.len() - text.len() {
        if bytes[at..].starts_with(text) {
            damaged[at + 6] = b'9';
        }
    }
    fs::write(&path, &damaged).unwrap();
    let error = load_book(&path).unwrap_err().to_string();
    assert!(error.contains("is damaged: its checksum is wrong"), "{error}");
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_whose_making_was_cut_short_becomes_a_book() {
    let path = file("unborn");
    drop(BookFile::open(&path).unwrap());
    let mut unborn = fs::read(&path).unwrap();
    unborn[..9].fill(0);
    let refused = unborn.clone();
    unborn[512..].fill(0);
    fs::write(&path, &unborn).unwrap();
    BookFile::open(&path).unwrap().save(&book()).unwrap();
    assert_eq!(texts(&load_book(&path).unwrap()), texts(&book()));
    // One that holds something is left alone.
    fs::write(&path, &refused).unwrap();
    assert!(BookFile::open(&path).is_err());
    assert!(fs::read(&path).unwrap() == refused);
    fs::remove_file(&path).unwrap();
}

#[test]
fn books_of_the_first_version_are_read_and_get_a_checksum() {
    let path = file("first");
    let whole = book();
    BookFile::open(&path).unwrap().save(&whole).unwrap();
    let about: TableDefinition<'_, &str, &str> = TableDefinition::new("about");
    let sum_and_version = || {
        let database = Database::create(&path).unwrap();
        let change = database.begin_write().unwrap();
        let table = change.open_table(about).unwrap();
        let text = |key: &str| table.get(key).unwrap().map(|value| value.value().to_owned());
        (text("sum"), text("version"))
    };
    let (sum, version) = sum_and_version();
    assert_eq!(version.as_deref(), Some("2"));
    {
        let database = Database::create(&path).unwrap();
        let change = database.begin_write().unwrap();
        let mut table = change.open_table(about).unwrap();
        table.remove("sum").unwrap();
        table.insert("version", "1").unwrap();
        drop(table);
        change.commit().unwrap();
    }
    assert_eq!(texts(&load_book(&path).unwrap()), texts(&whole));
    drop(BookFile::open(&path).unwrap());
    assert_eq!(sum_and_version(), (sum, version), "as if it had been written now");
    fs::remove_file(&path).unwrap();
}
