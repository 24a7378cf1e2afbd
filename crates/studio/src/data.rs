//! This machine as the desk sees it: threads and clocks, the data folder, and what its runs and books
//! know.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use arena::JournalContent;
use book::PositionBook;
use desk::{Archive, CountGame, Host, Store, StoredFile, lock};
use gomoku::{Color, Position};

use crate::StudioError;

/// Threads and clocks.
#[derive(Debug)]
pub(crate) struct Machine {
    started: Instant,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        Machine { started: Instant::now() }
    }
}

impl Host for Machine {
    fn spawn(&self, name: &'static str, work: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        std::thread::Builder::new()
            .name(name.to_owned())
            // Proof trees are walked by recursion, and a long win is a deep tree.
            .stack_size(64 << 20)
            .spawn(work)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn clock(&self) -> Duration {
        self.started.elapsed()
    }

    fn date(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn cores(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// Keeps a data folder to one studio, for as long as it lives.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: fs::File,
    address: PathBuf,
}

impl FolderLock {
    /// Takes a folder, makes it if there is none, and leaves the address of the studio there. Files
    /// that a killed studio was about to put in place are removed.
    pub(crate) fn take(folder: &Path, url: &str) -> Result<FolderLock, StudioError> {
        let (path, address) = (folder.join("studio.lock"), folder.join("studio.url"));
        let failed = |error| StudioError::Data { path: path.clone(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                let url = fs::read_to_string(&address).ok().filter(|url| !url.is_empty());
                return Err(StudioError::InUse { folder: folder.to_owned(), url });
            }
            Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
        }
        remove_leftovers(folder);
        // The address may hold a token, which is for this user alone.
        let written = private_file(&address).and_then(|mut file| file.write_all(url.as_bytes()));
        written.map_err(|error| StudioError::Data { path: address.clone(), error })?;
        Ok(FolderLock { _file: file, address })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Without the lock the address means nothing, so it may as well stay.
        let _ = fs::remove_file(&self.address);
    }
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let _ = fs::remove_file(path); // it need not exist
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Removes what was written beside its place and never moved there, from a folder and those in it.
fn remove_leftovers(folder: &Path) {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let inner = entries(folder).map(|entry| entry.path()).filter(|path| path.is_dir());
    for folder in inner.chain([folder.to_owned()]) {
        for file in entries(&folder).map(|entry| entry.path()) {
            if file.extension().is_some_and(|kind| kind == BESIDE) {
                let _ = fs::remove_file(file);
            }
        }
    }
}

/// A folder as a store: a file for each thing kept, replaced whole.
#[derive(Debug)]
pub(crate) struct DataFolder {
    folder: PathBuf,
}

impl DataFolder {
    /// Makes the folder if there is none.
    pub(crate) fn open(folder: &Path) -> Result<DataFolder, StudioError> {
        let games = folder.join("games");
        fs::create_dir_all(&games).map_err(|error| StudioError::Data { path: games, error })?;
        Ok(DataFolder { folder: folder.to_owned() })
    }
}

impl Store for DataFolder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(name)).ok()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        replace(&self.folder.join(name), bytes).map_err(|error| error.to_string())
    }

    fn remove(&self, name: &str) -> bool {
        fs::remove_file(self.folder.join(name)).is_ok()
    }

    fn list(&self, folder: &str) -> Vec<StoredFile> {
        let files = fs::read_dir(self.folder.join(folder)).into_iter().flatten().flatten();
        files.filter_map(|file| entry(&file.path(), file.file_name().to_str()?)).collect()
    }
}

/// The extension of files that are being written.
const BESIDE: &str = "new";

/// Writes a file beside its place and moves it there.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A name of its own: nobody else writes there, in this process or another.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{number}.{BESIDE}", std::process::id()));
    let written = write_new(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    // A power cut must not take the new name back.
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// What a file looks like from outside.
fn entry(path: &Path, name: &str) -> Option<StoredFile> {
    let about = fs::metadata(path).ok()?;
    let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(StoredFile { name: name.to_owned(), len: about.len(), changed })
}

/// The journals of the runs, and the position books that `tengen book build` has searched.
#[derive(Debug)]
pub(crate) struct DataArchive {
    runs: PathBuf,
    books: PathBuf,
    known: Mutex<Option<(Vec<StoredFile>, Arc<PositionBook>)>>,
}

impl DataArchive {
    pub(crate) fn new(data: &Path) -> DataArchive {
        let (runs, books) = (data.join("runs"), data.join("books"));
        DataArchive { runs, books, known: Mutex::default() }
    }

    fn book_files(&self) -> Vec<StoredFile> {
        let files = fs::read_dir(&self.books).into_iter().flatten().flatten();
        let books = files.filter_map(|file| {
            let name = file.file_name().to_str().filter(|name| name.ends_with(".redb"))?.to_owned();
            entry(&file.path(), &name)
        });
        let mut books: Vec<_> = books.collect();
        books.sort();
        books
    }
}

impl Archive for DataArchive {
    fn match_files(&self) -> Vec<StoredFile> {
        let runs = fs::read_dir(&self.runs).into_iter().flatten().flatten();
        let journals = runs
            .filter_map(|run| entry(&run.path().join("journal.jsonl"), run.file_name().to_str()?));
        let mut journals: Vec<_> = journals.collect();
        journals.sort();
        journals
    }

    fn match_games(&self, count: &mut CountGame<'_>) {
        for run in self.match_files() {
            count_run(&self.runs.join(run.name).join("journal.jsonl"), count);
        }
    }

    /// All books together, or the shipped one as long as there are none. They are read again when one
    /// has changed; one that is being written or cannot be read is left out until then.
    fn book(&self) -> Arc<PositionBook> {
        let files = self.book_files();
        let mut known = lock(&self.known);
        if let Some((before, book)) = &*known
            && *before == files
        {
            return Arc::clone(book);
        }
        let all = if files.is_empty() {
            book::shipped_book()
        } else {
            let mut all = PositionBook::default();
            let paths = files.iter().map(|file| self.books.join(&file.name));
            for book in paths.filter_map(|path| book::load_book(&path).ok()) {
                all.merge(&book);
            }
            Arc::new(all)
        };
        // Reading a book may touch its file, so what it looks like now is what is remembered.
        *known = Some((self.book_files(), Arc::clone(&all)));
        all
    }
}

fn count_run(path: &Path, count: &mut CountGame<'_>) {
    let Ok(JournalContent { plan, pairs, .. }) = JournalContent::read(path) else { return };
    for pair in &pairs {
        let Ok(start) = Position::parse(&pair.opening, plan.rule, plan.size) else { continue };
        // Stones set up beforehand have no order.
        if start.moves().len() != start.board().len() {
            continue;
        }
        for game in &pair.games {
            let moves = Position::parse(&game.moves, plan.rule, plan.size)
                .map(|position| position.moves().to_vec());
            count(&start, &moves.unwrap_or_default(), game.result.color());
        }
    }
}

/// The finished games of the library in a data folder, each with its winner; games that do not
/// begin on the empty board are left out.
pub fn library_games(data: &Path) -> Vec<(Position, Option<Color>)> {
    let files = fs::read_dir(data.join("games")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    let is_game = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "json");
    let read = |path: &PathBuf| desk::finished_game(&fs::read(path).ok()?);
    paths.iter().filter(is_game).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use gomoku::Rule;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("studio-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_is_written_is_read_listed_and_removed() {
        let path = folder("folder");
        let store = DataFolder::open(&path).unwrap();
        assert_eq!(store.read("games/a.json"), None);
        store.write("games/a.json", b"one").unwrap();
        store.write("games/a.json", b"two!").unwrap();
        store.write("proofs/p.proof", b"a folder that was not there").unwrap();
        assert_eq!(store.read("games/a.json").unwrap(), b"two!");
        let listed = store.list("games");
        assert_eq!((listed.len(), listed[0].name.as_str(), listed[0].len), (1, "a.json", 4));
        assert!(store.remove("games/a.json") && !store.remove("games/a.json"));
        assert_eq!(store.list("nowhere"), []);
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn one_studio_has_a_folder_and_leaves_no_litter() {
        let path = folder("lock");
        let lock = FolderLock::take(&path, "http://127.0.0.1:1/").unwrap();
        let second = FolderLock::take(&path, "http://127.0.0.1:2/").unwrap_err();
        assert!(second.to_string().contains("http://127.0.0.1:1/"), "{second}");
        drop(lock);
        let store = DataFolder::open(&path).unwrap();
        store.write("games/a.json", b"kept").unwrap();
        fs::write(path.join("games/a.77-1.new"), b"of a studio that was killed").unwrap();
        fs::write(path.join("current.77-2.new"), b"").unwrap();
        drop(FolderLock::take(&path, "http://127.0.0.1:3/").unwrap());
        let left = |folder: &Path| -> Vec<_> {
            let names = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(left(&path.join("games")), ["a.json"]);
        assert!(!left(&path).iter().any(|name| name.ends_with("new")));
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn many_writers_of_one_file_never_fail() {
        let path = folder("writers");
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                // Each has a store of its own, as two programs would.
                let store = DataFolder::open(&path).unwrap();
                scope.spawn(move || {
                    for _ in 0..50 {
                        store.write("games/a.json", &[writer; 9]).unwrap();
                    }
                });
            }
        });
        let store = DataFolder::open(&path).unwrap();
        assert_eq!(store.read("games/a.json").unwrap().len(), 9);
        assert_eq!(store.list("games").len(), 1);
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn a_book_is_seen_when_it_is_there() {
        let path = folder("book");
        fs::create_dir_all(path.join("books")).unwrap();
        let archive = DataArchive::new(&path);
        assert_eq!(archive.book().len(), book::shipped_book().len());
        let after = Position::parse("h8h9", Rule::Freestyle, 15).unwrap();
        let (key, symmetry) = book::Key::of(&after);
        let point = symmetry.apply("i9".parse().unwrap(), 15);
        let text = format!("searched 20000 9 35 {point}:35 engine nodes=20000");
        let mut known = PositionBook::default();
        known.extend([(key.clone(), book::Entry::parse(&text, &key).unwrap())], []);
        book::BookFile::open(&path.join("books/main.redb")).unwrap().save(&known).unwrap();
        assert_eq!(archive.book().len(), 1);
        assert_eq!(archive.book().look(&after).unwrap().entry.unwrap().depth, 9);
        fs::remove_dir_all(&path).unwrap();
    }
}
