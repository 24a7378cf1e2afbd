//! What each kind of measurement shows: tables and plots.

use std::collections::BTreeMap;

use arena::plot::{Curve, Labels, curves, shares};
use gomoku::{Color, Position};

use super::{
    Finding,
    board::{self, Mark},
    doc::{Block, Cell},
    readings,
};
use crate::{
    claim::Quantity,
    evolve::{self, Evolved, Parameter},
    experiment::{Evolve, ExperimentPlayer, Find, Games, Meetings, Part, Walk},
    find,
    games::Played,
    measure::{Measure, grouped},
    walk,
};

/// The blocks of a part.
pub(super) fn blocks(id: &str, part: &Part, finding: &Finding) -> Vec<Block> {
    let mut blocks = conversions(&part.entrants());
    blocks.extend(match (part, finding) {
        (Part::Games(part), Finding::Games(played)) => games(id, part, played),
        (Part::Walk(part), Finding::Walk(rows)) => walked(id, part, rows),
        (Part::Find(part), Finding::Find(rows)) => found(id, part, rows),
        (Part::Evolve(part), Finding::Evolve(evolved)) => evolution(id, part, evolved),
        (Part::Readings(part), Finding::Readings(rows)) => readings::blocks(id, part, rows),
        _ => vec![Block::Text("Not part of this run.".to_owned())],
    });
    blocks
}

/// How the papers' seconds became evaluations.
fn conversions(entrants: &[&ExperimentPlayer]) -> Vec<Block> {
    let lines: Vec<String> = entrants.iter().filter_map(|entrant| entrant.conversion()).collect();
    if lines.is_empty() { Vec::new() } else { vec![Block::List(lines)] }
}

fn shown(measure: Option<Measure>) -> Cell {
    Cell::number(measure.map_or("–".to_owned(), |measure| measure.shown()))
}

fn games(id: &str, part: &Games, played: &Played) -> Vec<Block> {
    let plan = &played.plan;
    let player = |contender: &arena::Contender| {
        let limit = match contender.budget.describe() {
            limit if limit.is_empty() => "its own depth".to_owned(),
            limit => limit,
        };
        let (name, spec) = (&contender.name, format!("`{}`", contender.spec));
        vec![Cell::text(name), Cell::text(&spec), Cell::text(&limit)]
    };
    let mut blocks = vec![
        Block::Text(format!(
            "Rules: {}, {size}x{size}. Openings: {}. {}",
            plan.rule,
            plan.openings.name,
            if plan.is_reproducible() {
                "The games are the same on every machine."
            } else {
                "A clock has a say: these games differ from run to run."
            },
            size = plan.size,
        )),
        Block::table(
            &["player", "what it is", "limit a move"],
            plan.players.iter().map(player).collect(),
        ),
    ];
    blocks.extend(match part.schedule {
        Meetings::Duel => vec![colors(played), color_plot(id, part, played)],
        Meetings::Gauntlet => vec![gauntlet(played)],
        Meetings::League => vec![league(played)],
    });
    blocks
}

/// Each player with each color, as Liao's tables have it.
fn colors(played: &Played) -> Block {
    let name = |player: usize| played.plan.players[player].name.as_str();
    let row = |black: usize| {
        let white = 1 - black;
        let [won, lost, drawn] = played.tally(black, Some(white), Color::Black);
        let ms = |player: usize, color: Color| {
            let per = Some(1 - player);
            let (mut time, mut moves) = (0u64, 0u64);
            for game in played.games(player, per, color) {
                let first = mover_of_first_move(game, played);
                for (ply, micros) in game.times.iter().enumerate() {
                    let is_ours = (ply % 2 == 0) == (first == color);
                    time += if is_ours { *micros } else { 0 };
                    moves += u64::from(is_ours);
                }
            }
            format!("{:.2}", time as f64 / 1000.0 / moves.max(1) as f64)
        };
        vec![
            Cell::text(name(black)),
            Cell::text(name(white)),
            Cell::number(won + lost + drawn),
            Cell::number(won),
            Cell::number(lost),
            Cell::number(drawn),
            shown(Measure::score_of(won, drawn, lost)),
            Cell::number(ms(black, Color::Black)),
            Cell::number(ms(white, Color::White)),
        ]
    };
    let head = [
        "Black",
        "White",
        "games",
        "Black won",
        "White won",
        "drawn",
        "Black's score",
        "Black ms/move",
        "White ms/move",
    ];
    Block::table(&head, vec![row(0), row(1)])
}

/// The color that moved first after the opening: an opening with an odd number of stones leaves
/// White to move.
fn mover_of_first_move(game: &arena::GameRecord, played: &Played) -> Color {
    let pair = played.pairs.iter().find(|pair| pair.games.iter().any(|g| std::ptr::eq(g, game)));
    let opening = pair.map_or("", |pair| pair.opening.as_str());
    Position::parse(opening, played.plan.rule, played.plan.size)
        .map_or(Color::Black, |position| position.to_move())
}

fn color_plot(id: &str, part: &Games, played: &Played) -> Block {
    let name = |player: usize| played.plan.players[player].name.as_str();
    let row = |black: usize| {
        let [won, lost, drawn] = played.tally(black, Some(1 - black), Color::Black);
        let label = format!("{} as Black", short(name(black)));
        (label, vec![won as f64, drawn as f64, lost as f64])
    };
    let parts = [("Black won", "#444444"), ("drawn", "#999999"), ("White won", "#e0d8c0")];
    let svg = shares("Results by color", &parts, &[row(0), row(1)]);
    let caption = "Each bar is all games with these colors.".to_owned();
    Block::Svg { name: format!("{id}-{}", part.name), svg, caption }
}

fn short(name: &str) -> String {
    name.chars().take(20).collect()
}

fn gauntlet(played: &Played) -> Block {
    let base = played.plan.players[0].name.as_str();
    let row = |(place, other): (usize, &arena::Contender)| {
        let score = played.pair_score(place, Some(0));
        let elo = score.map(|score| {
            let elo = |share: f64| {
                let elo = stats::elo_of_score(share);
                if elo.is_finite() { format!("{elo:+.0}") } else { "∞".to_owned() }
            };
            format!("{} [{}, {}]", elo(score.value), elo(score.low), elo(score.high))
        });
        let pairs = played.pairs.iter().filter(|pair| pair.players.contains(&place));
        vec![
            Cell::text(&other.name),
            Cell::number(2 * pairs.count()),
            shown(score),
            Cell::number(elo.unwrap_or_default()),
        ]
    };
    let head = format!("score against {base}");
    Block::table(
        &["player", "games", head.as_str(), "Elo"],
        played.plan.players.iter().enumerate().skip(1).map(row).collect(),
    )
}

fn league(played: &Played) -> Block {
    let mut lines: Vec<(f64, Vec<Cell>)> = played
        .plan
        .players
        .iter()
        .enumerate()
        .map(|(place, player)| {
            let elo = played.elo(place);
            let games = 2 * played.pairs.iter().filter(|p| p.players.contains(&place)).count();
            let shown_elo = elo.map_or("–".to_owned(), |elo| {
                format!("{:+.0} ± {:.0}", elo.value, (elo.high - elo.low) / 2.0)
            });
            let cells = vec![
                Cell::text(&player.name),
                Cell::number(games),
                shown(played.pair_score(place, None)),
                Cell::number(shown_elo),
            ];
            (elo.map_or(f64::NEG_INFINITY, |elo| elo.value), cells)
        })
        .collect();
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = lines.into_iter().map(|(_, cells)| cells).collect();
    Block::table(&["player", "games", "score", "Elo, mean 0"], rows)
}

fn walked(id: &str, part: &Walk, rows: &[walk::Row]) -> Vec<Block> {
    let is_self_play = part.guide.is_none();
    let row = |(place, entrant): (usize, &ExperimentPlayer)| {
        let name = entrant.name.as_str();
        let of_player = || rows.iter().filter(|row| row.player == place);
        let positions: usize = of_player().map(|row| row.steps.len()).sum();
        let mut cells = vec![
            Cell::text(name),
            Cell::text(&format!("`{}`", entrant.spec)),
            Cell::number(of_player().count()),
            Cell::number(grouped(positions as i64)),
        ];
        if is_self_play {
            for wanted in ['B', 'W', 'D'] {
                let matching = of_player().filter(|row| row.result == Some(wanted));
                cells.push(Cell::number(matching.count()));
            }
        }
        cells.push(shown(walk::mean(rows, place, Quantity::Nodes)));
        cells.push(shown(walk::mean(rows, place, Quantity::Evaluations)));
        let ms = walk::mean(rows, place, Quantity::Ms).map_or(0.0, |ms| ms.value);
        cells.push(Cell::number(format!("{ms:.2}")));
        cells
    };
    let mut head = vec!["player", "what it is", "games", "positions"];
    if is_self_play {
        head.extend(["Black won", "White won", "drawn"]);
    }
    head.extend(["nodes a move", "evaluations a move", "ms a move"]);
    let source = match &part.guide {
        Some(guide) => format!(
            "Positions: every {} of games that `{guide}` plays against itself, the same for all.",
            if part.every == 1 { "move".to_owned() } else { format!("{} moves", part.every) }
        ),
        None => "Each player plays against itself.".to_owned(),
    };
    let table = Block::table(&head, part.players.iter().enumerate().map(row).collect());
    let note = "Milliseconds depend on this machine and on what else it does.";
    let mut blocks = vec![Block::Text(format!("{source} {note}")), table];
    if part.curve {
        blocks.push(by_stones(id, part, rows));
    }
    blocks
}

/// Evaluations by the number of stones, on a logarithmic scale.
fn by_stones(id: &str, part: &Walk, rows: &[walk::Row]) -> Block {
    let curve = |(place, entrant): (usize, &ExperimentPlayer)| {
        let mut by_stones: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for step in rows.iter().filter(|row| row.player == place).flat_map(|row| &row.steps) {
            let bin = step.stones / 4 * 4 + 2;
            by_stones.entry(bin).or_default().push((step.evaluations.max(1) as f64).log10());
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let error = |values: &[f64]| {
            let n = values.len() as f64;
            let m = mean(values);
            let variance =
                values.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (n - 1.0).max(1.0);
            stats::Z95 * (variance / n).sqrt()
        };
        let known: Vec<(f64, &Vec<f64>)> = by_stones.iter().map(|(s, v)| (*s as f64, v)).collect();
        let points = known.iter().map(|(stones, values)| (*stones, mean(values))).collect();
        let band = known.iter().map(|(_, v)| (mean(v) - error(v), mean(v) + error(v))).collect();
        Curve { name: entrant.name.clone(), points, band }
    };
    let labels = Labels {
        title: "Calculations by stones on the board",
        x: "stones on the board",
        y: "log10 of evaluations a move",
    };
    let lines: Vec<Curve> = part.players.iter().enumerate().map(curve).collect();
    let caption = "Mean of the logarithm: 3 on the left axis is a thousand evaluations, 6 a \
                   million. Bands are 95 % intervals.";
    Block::Svg {
        name: format!("{id}-{}", part.name),
        svg: curves(labels, &lines),
        caption: caption.to_owned(),
    }
}

fn found(id: &str, part: &Find, rows: &[find::Row]) -> Vec<Block> {
    let positions: u64 = rows.iter().map(|row| row.positions).sum();
    let examples: Vec<&find::Example> = rows.iter().flat_map(|row| &row.examples).collect();
    let mut blocks = vec![Block::Text(format!(
        "{} positions of {} games looked at, {} examples found.",
        grouped(positions as i64),
        rows.len(),
        examples.len()
    ))];
    let shortest = examples.iter().min_by_key(|example| (example.plies, example.moves.len()));
    if let Some(example) = shortest
        && let Ok(position) = Position::parse(&example.moves, part.start.rule, part.start.size)
    {
        blocks.extend(figure(id, part, example, &position));
    }
    blocks
}

/// The position twice: with the shallow player's move, and with the deep player's line.
fn figure(id: &str, part: &Find, example: &find::Example, position: &Position) -> Vec<Block> {
    let to_move = position.to_move();
    let next = position.board().len() + 1;
    let mark = |(ply, text): (usize, &String)| {
        let color = if ply % 2 == 0 { to_move } else { !to_move };
        let label = (next + ply).to_string();
        text.parse().ok().map(|point| Mark { point, color, label })
    };
    let shallow: Vec<Mark> = [&example.shallow].into_iter().enumerate().filter_map(mark).collect();
    let deep: Vec<Mark> = example.line.iter().enumerate().filter_map(mark).collect();
    let (a, b) = (&part.shallow.name, &part.deep.name);
    let first = format!(
        "Move {next}: {a} takes {}, an open three. The win is gone: {b} no longer sees one.",
        example.shallow
    );
    let second = format!(
        "Move {next}: {b} takes {} instead and wins in {} moves of both sides: {}.",
        example.line[0],
        example.plies,
        example.line.join(" ")
    );
    vec![
        Block::Svg {
            name: format!("{id}-{}-shallow", part.name),
            svg: board::draw("the shallow move", position, &shallow),
            caption: first,
        },
        Block::Svg {
            name: format!("{id}-{}-deep", part.name),
            svg: board::draw("the deep line", position, &deep),
            caption: second,
        },
        Block::Text(format!("The position: `{}`.", example.moves)),
    ]
}

fn evolution(id: &str, part: &Evolve, evolved: &Evolved) -> Vec<Block> {
    let row = |snapshot: &tune::Snapshot| {
        vec![
            Cell::number(snapshot.generation),
            Cell::number(snapshot.wins),
            Cell::number(snapshot.draws),
            Cell::number(snapshot.losses),
            shown(evolve::score(snapshot)),
        ]
    };
    let head = ["generation", "won", "drawn", "lost", "score against the start"];
    let table = Block::table(&head, evolved.snapshots.iter().map(row).collect());
    let line = |name: &str, of: fn(&tune::Snapshot) -> u32| Curve {
        name: name.to_owned(),
        points: evolved
            .snapshots
            .iter()
            .map(|s| (s.generation as f64, f64::from(of(s)) / f64::from(s.games().max(1)) * 100.0))
            .collect(),
        band: Vec::new(),
    };
    let labels = Labels { title: "Wins by generation", x: "generation", y: "% of games won" };
    let svg = curves(labels, &[line("evolved", |s| s.wins), line("start", |s| s.losses)]);
    let caption = "The first individual of each snapshot against the empirical parameters.";
    let plot = Block::Svg { name: format!("{id}-wins"), svg, caption: caption.to_owned() };
    let mut blocks = vec![table, plot];
    if let Some(tournament) = &evolved.tournament {
        let ratings: Vec<String> =
            tournament.ratings.iter().map(|rating| format!("{rating:.1}")).collect();
        blocks.push(Block::Text(format!(
            "Ratings among the population of generation {} after {} games: {}.",
            tournament.generation,
            tournament.games,
            ratings.join(", ")
        )));
    }
    let tenths = |value: f64| Cell::number(format!("{value:.1}"));
    let row = |parameter: &Parameter| {
        let place = part.params.iter().position(|name| *name == parameter.name);
        let printed = place.and_then(|place| part.printed.get(place).copied());
        vec![
            Cell::text(&parameter.name),
            tenths(parameter.start),
            printed.map_or_else(|| Cell::number("–"), tenths),
            tenths(parameter.best),
        ]
    };
    let rows: Vec<_> = evolved.parameters.iter().map(row).collect();
    if !rows.is_empty() {
        let head = ["parameter", "empirical", "evolved in the paper", "evolved here"];
        blocks.push(Block::table(&head, rows));
    }
    blocks
}
