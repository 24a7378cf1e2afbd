//! A brain: serves any player to a manager over two streams.
//!
//! A thread of its own reads commands, so that `END`, `YXSTOP` and the end of the stream are seen
//! while the player thinks. Commands are numbered as they are read; a stop ends the thinking on
//! every command before it and on none after it, however far the reader is ahead.
//!
//! After `END` nothing is printed. Commands that arrived in one piece with `END` (a script piped in)
//! are still answered, each a little worse for the hurry, and the end of the stream alone lets the
//! last answer be printed too.

mod book;
mod control;
pub mod gtp;
mod manager_board;
mod opening;
mod ponder;
mod session;
mod think;
mod time;
mod yixin;

use std::{
    io::{self, Read, Write},
    sync::{Arc, mpsc},
    thread,
};

pub use book::{Exchange, YixinBook, YixinBound, YixinEntry, YixinFilter};
use control::{Control, Output, Request};
use player::Player;
use session::Session;

use crate::{
    gomocup::Assembler,
    wire::{Coordinates, LineSplitter},
};

/// How a brain presents itself and what it allows.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The answer to `ABOUT`: keys and values.
    pub about: Vec<(String, String)>,
    /// The order of coordinates.
    pub coordinates: Coordinates,
    /// Makes the opening offers differ from process to process.
    pub seed: u64,
    /// Told to Yixin-Board: how many threads make sense.
    pub max_threads: u32,
    /// Told to Yixin-Board: the largest table in kilobytes, as a power of two.
    pub max_hash: u32,
    /// Called by the reading thread the moment it sees `END` or the end of the stream, and told
    /// whether anything may still be printed.
    pub at_end: fn(AtEnd),
}

/// What is left to do when the manager has nothing more to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// Nothing: after `END` no answer is wanted.
    Leave,
    /// Commands that came in one piece with the end are still answered.
    Answer,
}

impl Default for Settings {
    fn default() -> Settings {
        let about = [
            ("name", "Tengen"),
            ("version", env!("CARGO_PKG_VERSION")),
            ("author", "The Tengen authors"),
            ("country", "International"),
        ];
        Settings {
            about: about.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(),
            coordinates: Coordinates::ColumnRow,
            seed: 0,
            max_threads: 1,
            max_hash: 22,
            at_end: |_| {},
        }
    }
}

/// What a manager grants, for the one who makes the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Worker threads.
    pub threads: Option<u32>,
    /// Kilobytes for a transposition table.
    pub hash: Option<u64>,
}

/// Makes a player; called again when the manager grants something else.
pub type Make<'a> = dyn FnMut(&Resources) -> Result<Box<dyn Player>, String> + 'a;

/// Serves a player until `END` or the end of the input.
///
/// # Errors
/// If the output cannot be written to.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    make: &mut Make<'_>,
    book: Option<Box<dyn YixinBook>>,
    settings: &Settings,
) -> io::Result<()> {
    let control = Arc::new(Control::default());
    let (send, requests) = mpsc::channel();
    let reader = Reader { control: Arc::clone(&control), send, at_end: settings.at_end };
    thread::spawn(move || reader.run(input));
    let output = Output::new(output, Arc::clone(&control));
    let mut session = Session::new(settings, make, book, &output, &control);
    for request in requests {
        session.handle(&request);
        output.failure()?;
        session.ponder(&request);
    }
    Ok(())
}

/// The thread that reads.
struct Reader {
    control: Arc<Control>,
    send: mpsc::Sender<Request>,
    at_end: fn(AtEnd),
}

impl Reader {
    fn run(self, mut input: impl Read) {
        let mut lines = LineSplitter::default();
        let mut assembler = Assembler::default();
        let mut buffer = [0; 4096];
        let mut number = 0;
        for chunk in 0.. {
            let read = match input.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let at = crate::now();
            let mut commands = Vec::new();
            if read == 0 {
                lines.finish(|line| commands.extend(assembler.push(line)));
            } else {
                lines.push(&buffer[..read], |line| commands.extend(assembler.push(line)));
            }
            let is_alone = commands.len() == 1;
            for command in commands {
                number += 1;
                let is_end = self.control.note(&command, number, chunk);
                // The session may have gone because nobody reads its output.
                let gone = self.send.send(Request { command, number, chunk, at }).is_err();
                if is_end || gone {
                    (self.at_end)(if is_alone { AtEnd::Leave } else { AtEnd::Answer });
                    return;
                }
            }
            if read == 0 {
                self.control.note_end_of_input(chunk);
                (self.at_end)(AtEnd::Answer);
                return;
            }
        }
    }
}
