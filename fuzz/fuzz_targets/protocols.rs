//! Conversations in the Gomocup and Yixin-Board protocols, and Botzone's. The first byte chooses.
#![no_main]

use std::io::{self, Read, Write};

use libfuzzer_sys::fuzz_target;
use player::{Choice, Player, Reason, Task, Watch};
use protocol::{
    botzone,
    serve::{Resources, Settings, serve},
};

/// Plays the first legal point.
struct First;

impl Player for First {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let legal = task.position.legal_points();
        let point = legal.iter().find(|&point| task.allows(point)).or(legal.first());
        Choice::of(point.expect("an empty point"), Reason::Only)
    }
}

struct Input(io::Cursor<Vec<u8>>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Where answers go to.
struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    if choice & 1 == 0 {
        let _ = botzone::run(rest, Nowhere, &mut First, &botzone::Options::default());
        return;
    }
    let mut make = |_: &Resources| Ok(Box::new(First) as Box<dyn Player>);
    let input = Input(io::Cursor::new([rest, b"\nEND\n"].concat()));
    let _ = serve(input, Nowhere, &mut make, None, &Settings::default());
});
