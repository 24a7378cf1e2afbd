//! A match on a fleet: a NATS server, three workers and the program that deals, any of which is killed
//! or stopped. The games are those of a match on one machine.

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use super::{Fault, Random, Scene, Work, process};

const LOG: &str = "runs/f/report/games.log";

pub(super) struct Fleet {
    wanted: String,
}

impl Fleet {
    pub(super) fn new(scene: &Scene) -> Result<Fleet> {
        let folder = scene.folder.join("undisturbed-fleet");
        let words = deal(&folder, None);
        process::expect_success(process::run(process::command(&scene.tengen(), &words))?)?;
        Ok(Fleet { wanted: std::fs::read_to_string(folder.join(LOG))? })
    }
}

/// The words that begin the match, or resume it.
fn deal(folder: &Path, url: Option<&str>) -> Vec<String> {
    let data = folder.display().to_string();
    let journal = std::fs::read(folder.join("runs/f/journal.jsonl"));
    let is_begun = journal.is_ok_and(|bytes| bytes.contains(&b'\n'));
    let mut words = match is_begun {
        true => vec!["match", "--resume", "f"],
        false => vec!["match", "static-table(depth=2)", "greedy", "--games", "60", "--name", "f"],
    };
    words.extend(["--data", &data]);
    words.extend(url.into_iter().flat_map(|url| ["--dispatch", url]));
    words.into_iter().map(str::to_owned).collect()
}

/// Everybody who takes part, the one who deals last.
struct Cast {
    children: Vec<(Part, Child)>,
    port: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Server,
    Worker(usize),
    Dealer,
}

impl Cast {
    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn start(&mut self, part: Part, scene: &Scene, folder: &Path) -> Result<()> {
        let url = self.url();
        let mut command = match part {
            Part::Server => {
                let config = folder.join("nats.conf");
                let (port, store) = (self.port, folder.join("nats"));
                let text =
                    format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: {store:?} }}\n");
                std::fs::write(&config, text)?;
                let words = ["-c".to_owned(), config.display().to_string()];
                let program = ["/usr/sbin/nats-server", "nats-server"];
                let found = program.into_iter().find(|path| Path::new(path).is_file());
                process::command(Path::new(found.unwrap_or("nats-server")), &words)
            }
            Part::Worker(number) => {
                let name = format!("w{number}");
                let words = ["worker", "--nats", &url, "--jobs", "1", "--name", &name];
                process::command(&scene.tengen(), &words.map(str::to_owned))
            }
            Part::Dealer => process::command(&scene.tengen(), &deal(folder, Some(&url))),
        };
        let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log"))?;
        command.stdout(Stdio::null()).stderr(log);
        self.children.push((part, command.spawn().context("is nats-server installed?")?));
        Ok(())
    }

    /// Starts again whoever has ended; the dealer only if it failed.
    fn revive(&mut self, scene: &Scene, folder: &Path) -> Result<bool> {
        let mut ended = Vec::new();
        for (part, child) in &mut self.children {
            ended.extend(child.try_wait()?.map(|status| (*part, status)));
        }
        for (part, status) in ended {
            if part == Part::Dealer && status.success() {
                return Ok(true);
            }
            self.children.retain(|(other, _)| *other != part);
            self.start(part, scene, folder)?;
        }
        Ok(false)
    }
}

impl Drop for Cast {
    fn drop(&mut self) {
        for (_, child) in &mut self.children {
            let _ = child.kill(); // it may have ended
            let _ = child.wait();
        }
    }
}

impl Work for Fleet {
    fn name(&self) -> &'static str {
        "fleet"
    }

    fn round(&self, scene: &mut Scene, folder: &Path, random: &mut Random) -> Result<()> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut cast = Cast { children: Vec::new(), port };
        cast.start(Part::Server, scene, folder)?;
        for number in 0..3 {
            cast.start(Part::Worker(number), scene, folder)?;
        }
        cast.start(Part::Dealer, scene, folder)?;
        let deadline = Instant::now() + Duration::from_secs(120);
        let mut faults = 2 + random.below(5);
        while !cast.revive(scene, folder)? {
            thread::sleep(random.within(Duration::from_millis(800)));
            if Instant::now() > deadline {
                bail!("the match does not end");
            }
            if faults == 0 {
                continue;
            }
            faults -= 1;
            let victim = random.below(cast.children.len() as u64) as usize;
            let child = &mut cast.children[victim].1;
            let fault = if random.below(3) == 0 { Fault::Stop } else { Fault::Kill };
            match fault {
                Fault::Stop => {
                    process::signal(child.id(), "STOP");
                    thread::sleep(random.within(Duration::from_millis(500)));
                    process::signal(child.id(), "CONT");
                }
                _ => child.kill()?,
            }
            scene.count(fault);
        }
        drop(cast);
        let found = std::fs::read_to_string(folder.join(LOG))?;
        ensure!(found == self.wanted, "the games differ from those on one machine");
        Ok(())
    }
}
