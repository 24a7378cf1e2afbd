//! Messages of pages to the desk, one a line, with a restart between blank lines: the games are kept, and
//! none becomes older or loses a line that was saved.
#![no_main]

use std::{sync::Arc, time::Duration};

use desk::{Archive, Desk, Host, Memory, Store};
use libfuzzer_sys::fuzz_target;
use player::Registry;

#[derive(Debug)]
struct Alone;

impl Host for Alone {
    fn spawn(&self, _name: &'static str, work: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        work();
        Ok(())
    }

    fn clock(&self) -> Duration {
        Duration::ZERO
    }

    fn date(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn cores(&self) -> usize {
        1
    }
}

#[derive(Debug)]
struct Shipped;

impl Archive for Shipped {}

fn numbers(store: &dyn Store) -> Vec<(String, u64)> {
    let number = |text: &[u8]| -> Option<u64> {
        let text = std::str::from_utf8(text).ok()?;
        let (_, rest) = text.split_once("\"seq\":")?;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    };
    let files = store.list("games");
    files
        .into_iter()
        .filter_map(|file| {
            let text = store.read(&format!("games/{}", file.name))?;
            Some((file.name, number(&text)?))
        })
        .collect()
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    for part in text.split("\n\n").take(4) {
        let desk =
            Desk::new(Arc::new(Registry::default()), Arc::new(Alone), Arc::clone(&store), Box::new(Shipped));
        let Some(session) = desk.connect(|| {}) else { return };
        for line in part.lines().take(32) {
            let before = numbers(&*store);
            session.handle(line);
            let after = numbers(&*store);
            for (name, number) in before {
                let now = after.iter().find(|(other, _)| *other == name).map(|(_, now)| *now);
                assert!(now.is_none_or(|now| now >= number), "{name} is older");
            }
            while session.outbox().next().is_some() {}
        }
    }
});
