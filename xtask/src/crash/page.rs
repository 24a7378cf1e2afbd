//! The studio with two scripted pages that play, fall behind and come back: what the server said it has
//! is there after every fault, and no game is ever older or shorter.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{Fault, Random, Scene, Work, flip, process};

pub(super) struct Studio;

impl Work for Studio {
    fn name(&self) -> &'static str {
        "studio"
    }

    fn round(&self, scene: &mut Scene, folder: &Path, random: &mut Random) -> Result<()> {
        let mut kept = Kept::default();
        for _ in 0..2 + random.below(3) {
            let fault = Fault::any(random);
            // A disk with little room refuses a game that has grown long; one without any, all.
            let blocks = (fault == Fault::Full).then(|| 1 + random.below(6));
            let mut server = Server::start(scene, folder, blocks)?;
            kept.check(&server)?;
            let mut pages = [server.page()?, server.page()?];
            for _ in 0..20 + random.below(60) {
                let page = &mut pages[random.below(2) as usize];
                if !page.act(random, &mut kept)? {
                    break;
                }
            }
            match fault {
                Fault::Stop => {
                    process::signal(server.0.id(), "STOP");
                    std::thread::sleep(random.within(Duration::from_millis(200)));
                    process::signal(server.0.id(), "CONT");
                    kept.check(&server)?;
                }
                // It may be in the middle of a write.
                _ => pages[0].send_only(random)?,
            }
            server.kill()?;
            if fault == Fault::Flip {
                damage(scene, folder, random)?;
            }
            scene.count(fault);
        }
        let mut server = Server::start(scene, folder, None)?;
        kept.check(&server)?;
        server.kill()?;
        // Only a start tidies up.
        let mut server = Server::start(scene, folder, None)?;
        server.kill()
    }
}

/// A game whose file has changed is shown or set aside, but the studio starts.
fn damage(scene: &Scene, folder: &Path, random: &mut Random) -> Result<()> {
    let games = super::files(&folder.join("games"));
    let Some(file) = games.get(random.below(games.len() as u64) as usize) else { return Ok(()) };
    let before = flip(file, random)?;
    let mut server = Server::start(scene, folder, None)?;
    let mut page = server.page()?;
    page.hello()?;
    server.kill()?;
    std::fs::write(file, before)?;
    let _ = std::fs::remove_dir_all(folder.join("damaged-games")); // it was put back
    Ok(())
}

/// What the server has said it has: for each game its number and its lines.
#[derive(Default)]
struct Kept(BTreeMap<String, (u64, BTreeSet<String>)>);

impl Kept {
    fn remember(&mut self, doc: &Value) {
        let (id, seq) = (doc["id"].as_str().unwrap_or_default(), doc["seq"].as_u64().unwrap_or(0));
        let known = self.0.entry(id.to_owned()).or_default();
        known.0 = known.0.max(seq);
        known.1.extend(lines(doc));
    }

    fn check(&self, server: &Server) -> Result<()> {
        for (id, (seq, kept)) in &self.0 {
            let found = server.get(&format!("/api/games/{id}"))?;
            let found: Value = serde_json::from_str(&found)
                .with_context(|| format!("the game {id} is lost: {found}"))?;
            let now = found["seq"].as_u64().unwrap_or(0);
            ensure!(now >= *seq, "the game {id} is at {now} and was at {seq}");
            let there = lines(&found);
            let missing: Vec<_> = kept.difference(&there).collect();
            ensure!(missing.is_empty(), "the game {id} has lost {missing:?}");
        }
        Ok(())
    }
}

/// The path of every node, as text.
fn lines(doc: &Value) -> BTreeSet<String> {
    let mut paths: Vec<String> = Vec::new();
    for node in doc["nodes"].as_array().into_iter().flatten() {
        let above = node["p"].as_u64().and_then(|parent| paths.get(parent as usize));
        let point = node["m"].as_str().unwrap_or_default();
        paths.push(format!("{}{point}", above.map_or("", String::as_str)));
    }
    paths.into_iter().filter(|path| !path.is_empty()).collect()
}

struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.kill(); // it has usually been killed; after a failure it has not
    }
}

impl Server {
    fn start(scene: &Scene, folder: &Path, blocks: Option<u64>) -> Result<Server> {
        let words = ["studio", "--no-open", "--port", "0", "--data", &folder.display().to_string()]
            .map(str::to_owned);
        let mut command = match blocks {
            Some(blocks) => process::command_on_full_disk(&scene.tengen(), &words, blocks),
            None => process::command(&scene.tengen(), &words),
        };
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take().context("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().strip_prefix("Tengen is at http://");
        let address = address.with_context(|| format!("the studio says '{}'", line.trim()))?;
        Ok(Server(child, address.trim_end_matches('/').to_owned()))
    }

    fn kill(&mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }

    fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(&self.1)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(stream)
    }

    fn get(&self, path: &str) -> Result<String> {
        let mut stream = self.connect()?;
        let host = &self.1;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    fn page(&self) -> Result<Page> {
        let mut stream = self.connect()?;
        let host = &self.1;
        write!(
            stream,
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        ensure!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        Ok(Page { stream, doc: new_game(0), base: None })
    }
}

/// A page: its game, and the version that the server is known to have.
struct Page {
    stream: TcpStream,
    doc: Value,
    base: Option<u64>,
}

fn new_game(number: u64) -> Value {
    json!({
        "v": 1, "id": format!("g-{number:x}"), "seq": 0, "rule": "freestyle", "size": 15,
        "setup": null, "seats": [{ "who": "human" }, { "who": "human" }], "names": ["", ""],
        "nodes": [{ "p": -1 }], "at": 0, "tip": 0,
    })
}

impl Page {
    /// Changes the game and saves it, or takes over another page's. False when the disk is full.
    fn act(&mut self, random: &mut Random, kept: &mut Kept) -> Result<bool> {
        match random.below(12) {
            0 => {
                self.doc = new_game(random.below(u64::MAX));
                self.base = None;
            }
            // Whoever looks elsewhere for a while falls behind.
            1 => {
                if let Some(doc) = self.hello()? {
                    self.take(doc);
                }
            }
            _ => {}
        }
        self.play(random);
        self.put()?;
        loop {
            let message = self.receive()?;
            match message["t"].as_str() {
                Some("saved") => {
                    self.base = message["seq"].as_u64();
                    kept.remember(&self.doc);
                    return Ok(true);
                }
                Some("doc") if message["answer"] == true => {
                    let own = lines(&self.doc);
                    let doc = message["doc"].clone();
                    let lost: Vec<_> = own.difference(&lines(&doc)).cloned().collect();
                    ensure!(lost.is_empty(), "the answer to a save lacks {lost:?}");
                    kept.remember(&doc);
                    self.take(doc);
                    return Ok(true);
                }
                Some("error") if message["code"] == "disk" => return Ok(false),
                Some("error") if message["code"] == "merged" => {}
                Some("error") => bail!("the server says {message}"),
                _ => {}
            }
        }
    }

    /// Saves and does not wait for the answer.
    fn send_only(&mut self, random: &mut Random) -> Result<()> {
        self.play(random);
        self.put()
    }

    /// The server's game.
    fn hello(&mut self) -> Result<Option<Value>> {
        self.send(&json!({ "t": "hello", "proto": 1 }))?;
        loop {
            let message = self.receive()?;
            if message["t"] == "hello" {
                return Ok(Some(message["doc"].clone()).filter(|doc| !doc.is_null()));
            }
        }
    }

    fn take(&mut self, doc: Value) {
        self.base = doc["seq"].as_u64();
        self.doc = doc;
    }

    /// Adds a move somewhere in the tree.
    fn play(&mut self, random: &mut Random) {
        let nodes = self.doc["nodes"].as_array_mut().expect("a game has nodes");
        let parent = random.below(nodes.len() as u64);
        let column = char::from(b'a' + random.below(15) as u8);
        let point = format!("{column}{}", 1 + random.below(15));
        let is_new = !nodes.iter().any(|node| node["p"] == parent && node["m"] == point.as_str());
        if is_new {
            nodes.push(json!({ "p": parent, "m": point }));
        }
        let last = nodes.len() - 1;
        let seq = self.doc["seq"].as_u64().unwrap_or(0);
        self.doc["seq"] = json!(seq + 1);
        self.doc["at"] = json!(last);
        self.doc["tip"] = json!(last);
    }

    fn put(&mut self) -> Result<()> {
        let base = self.base;
        let message = match base {
            Some(base) => json!({ "t": "doc-put", "doc": self.doc, "base": base }),
            None => json!({ "t": "doc-put", "doc": self.doc }),
        };
        self.send(&message)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        let mut frame = vec![0x81];
        match text.len() {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length @ 126..=65_535 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A mask of zeros leaves the text as it is.
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        Ok(self.stream.write_all(&frame)?)
    }

    /// The next message.
    fn receive(&mut self) -> Result<Value> {
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head)?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.stream.read_exact(&mut bytes)?;
                    u64::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.stream.read_exact(&mut bytes)?;
                    u64::from_be_bytes(bytes)
                }
                short => u64::from(short),
            };
            let mut text = vec![0; length as usize];
            self.stream.read_exact(&mut text)?;
            match head[0] & 0x0f {
                1 => return Ok(serde_json::from_slice(&text)?),
                8 => bail!("the server closes the socket"),
                _ => {}
            }
        }
    }
}
