//! Files of lines that one process at a time appends to, and that survive a kill at any point.
//!
//! Most hold one JSON value a line ([`LineLog::resume`], [`LineLog::append`]); some hold text of
//! their own ([`LineLog::open_text`], [`LineLog::append_text`]). A JSON object ends with the checksum
//! of the rest, `"sum":"89abcdef"`, so that a changed line is noticed; older files have none.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Why such a file cannot be used.
#[derive(Debug, Error)]
pub enum LineLogError {
    /// The file system refused.
    #[error("{path}: {error}.")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line that is not understood, before the last.
    #[error("Line {line} of {path} is damaged: {error}.")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// Another process is writing.
    #[error("{0} is in use by another process.")]
    Busy(PathBuf),
}

impl LineLogError {
    fn io(path: &Path) -> impl Fn(io::Error) -> LineLogError {
        move |error| LineLogError::Io { path: path.to_owned(), error }
    }
}

/// An open file, locked against other writers.
#[derive(Debug)]
pub struct LineLog {
    path: PathBuf,
    file: File,
}

impl LineLog {
    /// Begins a file, and the folder it lies in.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<LineLog, LineLogError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(LineLogError::io(path))?;
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        match file {
            // A process that was killed, or a disk that was full, before the first line was there
            // leaves a file that holds nothing.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let options = OpenOptions::new().read(true).append(true).open(path);
                let mut log = LineLog::lock(path, options)?;
                if fs::read(path).map_err(LineLogError::io(path))?.contains(&b'\n') {
                    return Err(LineLogError::io(path)(error));
                }
                log.cut(0)?;
                Ok(log)
            }
            file => LineLog::lock(path, file),
        }
    }

    /// Opens a file of JSON lines to go on; what it holds comes back. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume<T: DeserializeOwned>(path: &Path) -> Result<(LineLog, Vec<T>), LineLogError> {
        let mut log = LineLog::lock(path, OpenOptions::new().read(true).write(true).open(path))?;
        let (held, valid) = parse(path)?;
        log.cut(valid)?;
        Ok((log, held))
    }

    /// Opens a file of text lines, or begins it; what it holds comes back. A torn last line is cut
    /// off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is not text, or is in use.
    pub fn open_text(path: &Path) -> Result<(LineLog, Vec<String>), LineLogError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let mut log = LineLog::lock(path, file)?;
        let mut text = String::new();
        log.file.read_to_string(&mut text).map_err(LineLogError::io(path))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        log.cut(whole as u64)?;
        Ok((log, text[..whole].lines().map(str::to_owned).collect()))
    }

    fn lock(path: &Path, file: io::Result<File>) -> Result<LineLog, LineLogError> {
        let file = file.map_err(LineLogError::io(path))?;
        file.try_lock().map_err(|_| LineLogError::Busy(path.to_owned()))?;
        Ok(LineLog { path: path.to_owned(), file })
    }

    /// Cuts the file off after this many bytes; what is appended follows there.
    fn cut(&mut self, length: u64) -> Result<(), LineLogError> {
        self.file.set_len(length).map_err(LineLogError::io(&self.path))?;
        self.file.seek(SeekFrom::End(0)).map(drop).map_err(LineLogError::io(&self.path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line of JSON. It survives a kill of this process, and after [`sync`](Self::sync) a
    /// power cut.
    ///
    /// # Errors
    /// When the file cannot be written: what the line says must then not be counted.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), LineLogError> {
        let text = serde_json::to_string(line)
            .map_err(|error| LineLogError::io(&self.path)(error.into()))?;
        self.append_text(&sealed(text))
    }

    /// Writes a line of text, as [`append`](Self::append) does one of JSON.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append_text(&mut self, line: &str) -> Result<(), LineLogError> {
        // One write for the whole line: only a crash of the system can tear it.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(LineLogError::io(&self.path))
    }

    /// Makes sure that everything written survives a power cut.
    ///
    /// # Errors
    /// When the file cannot be synced.
    pub fn sync(&mut self) -> Result<(), LineLogError> {
        self.file.sync_data().map_err(LineLogError::io(&self.path))
    }
}

/// The JSON lines of a file, also while another process writes it.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, LineLogError> {
    Ok(parse(path)?.0)
}

/// The lines that are whole, and how many bytes they fill.
fn parse<T: DeserializeOwned>(path: &Path) -> Result<(Vec<T>, u64), LineLogError> {
    let bytes = fs::read(path).map_err(LineLogError::io(path))?;
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    // Blank lines at the end are no damage.
    let text = bytes[..whole].trim_ascii_end().len();
    let whole = bytes[text..whole].iter().position(|b| *b == b'\n').map_or(0, |end| text + end + 1);
    let mut texts = bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate().peekable();
    let (mut lines, mut valid, mut is_sealed) = (Vec::new(), 0, false);
    while let Some((number, text)) = texts.next() {
        match parse_line(text, &mut is_sealed) {
            Ok(line) => lines.push(line),
            // A power cut can leave rubbish where the last line should be.
            Err(_) if number > 0 && texts.peek().is_none() => break,
            Err(error) => {
                let (path, line) = (path.to_owned(), number + 1);
                return Err(LineLogError::Damaged { path, line, error });
            }
        }
        valid += text.len() as u64;
    }
    Ok((lines, valid))
}

/// Reads a line. Once a line had a checksum, all objects must have one.
fn parse_line<T: DeserializeOwned>(text: &[u8], is_sealed: &mut bool) -> Result<T, String> {
    let Some((body, sum)) = unsealed(text.trim_ascii_end()) else {
        if *is_sealed && text.starts_with(b"{") {
            return Err("its checksum is missing".to_owned());
        }
        return serde_json::from_slice(text).map_err(|error| error.to_string());
    };
    *is_sealed = true;
    if sum_of(&body) != sum {
        return Err("its checksum is wrong".to_owned());
    }
    serde_json::from_slice(&body).map_err(|error| error.to_string())
}

const SEAL: &[u8] = br#","sum":""#;

/// An object with its checksum; anything else as it is.
fn sealed(text: String) -> String {
    match text.strip_suffix('}') {
        Some(open) if open.len() > 1 => {
            format!("{open},\"sum\":\"{}\"}}", sum_of(text.as_bytes()))
        }
        _ => text,
    }
}

/// The object without its checksum, and the checksum.
fn unsealed(line: &[u8]) -> Option<(Vec<u8>, String)> {
    let rest = line.strip_suffix(b"\"}")?;
    let (open, sum) = rest.split_at_checked(rest.len().checked_sub(8)?)?;
    let sum = str::from_utf8(sum).ok()?.to_owned();
    Some(([open.strip_suffix(SEAL)?, b"}"].concat(), sum))
}

/// CRC-32 in hexadecimal.
fn sum_of(bytes: &[u8]) -> String {
    let step = |sum: u32, byte: &u8| TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8);
    format!("{:08x}", !bytes.iter().fold(!0, step))
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut sum, mut bit) = (i as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        table[i] = sum;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("linelog-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path); // of an earlier test that failed
        path
    }

    #[test]
    fn a_torn_line_is_cut_off_and_only_one_writes() {
        let path = file("torn");
        let mut log = LineLog::create(&path).unwrap();
        log.append(&1).unwrap();
        log.append(&2).unwrap();
        log.sync().unwrap();
        assert!(matches!(LineLog::resume::<u32>(&path), Err(LineLogError::Busy(_))));
        assert_eq!(read::<u32>(&path).unwrap(), [1, 2]);
        drop(log);
        fs::write(&path, "1\n2\n{rubbish\n34").unwrap();
        let (mut log, held) = LineLog::resume::<u32>(&path).unwrap();
        assert_eq!(held, [1, 2]);
        log.append(&3).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n3\n");
        drop(log);
        fs::write(&path, "1\nrubbish\n3\n").unwrap();
        let damaged = LineLog::resume::<u32>(&path).unwrap_err();
        assert!(matches!(damaged, LineLogError::Damaged { line: 2, .. }), "{damaged}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_was_never_begun_is_begun() {
        let path = file("empty");
        for torn in ["", "{\"kind\":\"hea"] {
            fs::write(&path, torn).unwrap();
            LineLog::create(&path).unwrap().append(&1).unwrap();
            assert_eq!(read::<u32>(&path).unwrap(), [1]);
        }
        assert!(
            matches!(LineLog::create(&path), Err(LineLogError::Io { .. })),
            "never overwritten"
        );
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_changed_line_is_noticed() {
        assert_eq!(sum_of(b"123456789"), "cbf43926", "the check value of CRC-32");
        let path = file("changed");
        let line = |number: u32| serde_json::json!({ "number": number, "text": "a \"sum\": 1" });
        let mut log = LineLog::create(&path).unwrap();
        for number in 0..3 {
            log.append(&line(number)).unwrap();
        }
        drop(log);
        let whole = fs::read(&path).unwrap();
        type Lines = Result<Vec<serde_json::Value>, LineLogError>;
        let read_again = || -> Lines { read(&path) };
        assert_eq!(read_again().unwrap(), [0, 1, 2].map(line));
        let second = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
        for at in second..2 * second - 1 {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                fs::write(&path, &bytes).unwrap();
                let read = read_again();
                assert!(read.is_err(), "bit {bit} of byte {at}: {read:?}");
            }
        }
        // Without its checksum a line is as good as changed, but older files have none at all.
        let bare = format!("{}\n", line(1));
        fs::write(&path, [&whole[..second], bare.as_bytes(), &whole[second..]].concat()).unwrap();
        assert!(matches!(read_again(), Err(LineLogError::Damaged { line: 2, .. })));
        fs::write(&path, [bare.as_bytes(), &whole[..second]].concat()).unwrap();
        assert_eq!(read_again().unwrap().len(), 2);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn blank_lines_at_the_end_are_no_damage() {
        let path = file("blank");
        for blank in ["\n", "\n\n\n", " \n\t\n", "\r\n"] {
            fs::write(&path, format!("1\n2\n{blank}")).unwrap();
            assert_eq!(read::<u32>(&path).unwrap(), [1, 2]);
            let (mut log, held) = LineLog::resume::<u32>(&path).unwrap();
            assert_eq!(held, [1, 2]);
            log.append(&3).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n3\n");
        }
        fs::write(&path, "1\r\n2\r\n\r\n").unwrap();
        let (mut log, held) = LineLog::resume::<u32>(&path).unwrap();
        assert_eq!(held, [1, 2]);
        log.append(&3).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\r\n2\r\n3\n");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn text_is_kept_line_by_line_too() {
        let path = file("text");
        let (mut log, held) = LineLog::open_text(&path).unwrap();
        assert!(held.is_empty());
        log.append_text("h8 i9").unwrap();
        drop(log);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"torn");
        fs::write(&path, bytes).unwrap();
        let (mut log, held) = LineLog::open_text(&path).unwrap();
        assert_eq!(held, ["h8 i9"]);
        log.append_text("j10").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "h8 i9\nj10\n");
        fs::remove_file(path).unwrap();
    }
}
