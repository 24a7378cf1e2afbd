//! Prints the node signature and the speed: `cargo run --release -p engine --example bench [DEPTH]`.

use player::{Stopwatch, Watch};

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let watch = Stopwatch::start();
    let lines = engine::bench::run(depth.unwrap_or(engine::bench::DEPTH), &watch);
    for line in &lines {
        println!("{:>10} {:>2} {:<24} {:>10}", line.rule.name(), line.size, line.text, line.nodes);
    }
    let nodes: u64 = lines.iter().map(|line| line.nodes).sum();
    let seconds = watch.elapsed().as_secs_f64();
    println!("{nodes} nodes, {:.0} nodes per second", nodes as f64 / seconds);
}
