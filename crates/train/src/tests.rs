//! Slopes against differences, games against their text, and a tiny learning.

use gomoku::{Rule, zobrist::split_mix};
use player::{Choice, Player, Reason, Score, Task, Unwatched, Watch};

use crate::{
    Model, Samples, Selfplay, SelfplayGame, Settings, Trainer, export, import, integer_loss,
    model::{Buffer, Slopes},
};

/// Plays where its own shapes are, and likes having many near the center.
struct Simple;

impl Player for Simple {
    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, task: &Task, _: &dyn Watch) -> Choice {
        let position = &task.position;
        let center = gomoku::Point::center(position.size());
        let points = position.legal_points();
        let near =
            |p: &gomoku::Point| (p.distance(center), split_mix(position.key() ^ p.index() as u64));
        let point = points.iter().min_by_key(near).expect("there is room");
        let score = 40 - 10 * i64::from(point.distance(center));
        Choice { score: Some(Score::new(score)), ..Choice::of(point, Reason::Evaluation) }
    }
}

fn games(rule: Rule, n: u64) -> Vec<SelfplayGame> {
    let play = Selfplay { rule, size: 9, nodes: 10, openings: Vec::new(), seed: 3 };
    (0..n).map(|i| play.game(i, &mut Simple, &Unwatched).expect("nobody stops it")).collect()
}

fn samples(n: u64) -> Samples {
    let mut samples = Samples::new(0.25);
    games(Rule::Freestyle, n).into_iter().for_each(|game| samples.add(game, None));
    samples
}

#[test]
fn games_come_back_from_their_text() {
    for rule in Rule::ALL {
        for game in games(rule, 5) {
            assert_eq!(game.to_string().parse(), Ok(game));
        }
    }
    for bad in [
        "",
        "freestyle 15 h8 -",
        "chess 15 h8 - 1",
        "freestyle 15 h8 -,- 1",
        "freestyle 15 h8h8 -,- 1",
    ] {
        assert!(bad.parse::<SelfplayGame>().is_err(), "{bad}");
    }
}

/// Sees from the sixth stone on who wins at the fifteenth.
struct Seer;

impl Player for Seer {
    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        let ply = task.position.moves().len() as u32;
        let plies = 15 - ply;
        let wins = if plies % 2 == 1 { Score::win_in(plies) } else { Score::loss_in(plies) };
        let choice = Simple.choose(task, watch);
        Choice { score: if ply < 6 { choice.score } else { Some(wins) }, ..choice }
    }
}

#[test]
fn a_game_goes_on_until_its_win_is_short() {
    let play = Selfplay {
        rule: Rule::Freestyle,
        size: 15,
        nodes: 10,
        openings: vec![Vec::new()],
        seed: 3,
    };
    for number in 0..20 {
        let game = play.game(number, &mut Seer, &Unwatched).expect("nobody stops it");
        assert_eq!(game.moves.len(), 12, "three plies before the win");
        assert_eq!(game.result, 2);
        for (ply, score) in game.scores.iter().enumerate().skip(8) {
            let (wins, loses) = (*score == Some(9_999), *score == Some(-9_999));
            assert!(if ply % 2 == 0 { wins } else { loses }, "{game}");
        }
    }
}

#[test]
fn slopes_are_what_small_differences_say() {
    let samples = samples(4);
    let positions = &samples.training[..6];
    let model = Model::new(5);
    let cost = |model: &Model| {
        let blanks = model.blanks(Rule::Freestyle, &[9]);
        let mut buffer = Buffer::new();
        let mut sum = 0.0;
        for &position in positions {
            let sample = samples.get(position);
            let (chance, chances) = model.run(&sample, &blanks, &mut buffer, None);
            if let Some(target) = sample.value {
                let (p, q) = (f64::from(target), f64::from(chance));
                sum -= p * q.ln() + (1.0 - p) * (1.0 - q).ln();
            }
            if let Some(chosen) = sample.chosen {
                sum -= f64::from(chances[chosen as usize]).ln();
            }
            buffer.forget(&sample);
        }
        sum
    };
    let blanks = model.blanks(Rule::Freestyle, &[9]);
    let mut slopes = Slopes::new(&model, &[9]);
    let mut buffer = Buffer::new();
    for &position in positions {
        model.run(&samples.get(position), &blanks, &mut buffer, Some(&mut slopes));
    }
    model.learn_blanks(&mut slopes, &blanks);
    // The steepest numbers of each part, where rounding is smallest beside the difference.
    let l = &model.layout;
    let parts = [
        &l.value_rows,
        &l.value_bias,
        &l.first,
        &l.first_bias,
        &l.second,
        &l.second_bias,
        &l.last,
        &l.last_bias,
        &l.move_rows,
        &l.move_bias,
        &l.spread,
        &l.spread_bias,
        &l.move_weights,
        &l.mover,
        &l.other,
        &l.mask,
        &l.make,
        &l.take,
    ];
    for part in parts {
        let at = part
            .clone()
            .max_by(|&a, &b| slopes.numbers[a].abs().total_cmp(&slopes.numbers[b].abs()));
        let at = at.expect("no part is empty");
        let expected = f64::from(slopes.numbers[at]);
        assert!(expected != 0.0, "nothing flows to {part:?}");
        let step = 1e-3f32;
        let moved = |by: f32| {
            let mut model = model.clone();
            model.numbers[at] += by;
            cost(&model)
        };
        let found = (moved(step) - moved(-step)) / f64::from(2.0 * step);
        let error = (found - expected).abs() / (expected.abs() + 0.02);
        assert!(error < 0.05, "{part:?} at {at}: {found} by differences, {expected} by slopes");
    }
}

#[test]
fn learning_lowers_the_loss_and_integers_agree() {
    let samples = samples(60);
    let settings = Settings { passes: 6, batch: 64, rate: 0.01, ..Settings::default() };
    let mut trainer = Trainer::new(Model::new(1), settings);
    let losses = |trainer: &Trainer| {
        let held_out = trainer.loss(&samples, &samples.held_out).means();
        (trainer.loss(&samples, &samples.training).means().0, held_out.1, held_out)
    };
    let before = losses(&trainer);
    trainer.run(&samples, |_, _| {});
    let after = losses(&trainer);
    assert!(after.0 < 0.9 * before.0 && after.1 < 0.9 * before.1, "{before:?} to {after:?}");
    let after = after.2;
    let network = export(Rule::Freestyle, std::slice::from_ref(&trainer.model));
    assert!(network.sides()[0].is_in_range());
    let integers = integer_loss(&network, &samples, &samples.held_out).means();
    assert!((integers.0 - after.0).abs() < 0.003 && (integers.1 - after.1).abs() < 0.03);
    let again = export(Rule::Freestyle, &import(&network));
    assert_eq!(again.to_bytes(), network.to_bytes());
}

#[test]
fn neither_threads_nor_a_pause_change_what_is_learned() {
    let samples = samples(30);
    let settings = |threads| Settings { passes: 2, batch: 64, threads, ..Settings::default() };
    let mut whole = Trainer::new(Model::new(1), settings(1));
    let mut states = Vec::new();
    whole.run(&samples, |trainer, _| states.push(trainer.save()));
    let mut resumed = Trainer::new(Model::new(9), settings(3));
    resumed.restore(&states[states.len() / 2]).expect("it was just saved");
    resumed.run(&samples, |_, _| {});
    assert_eq!(whole.save(), resumed.save());
    assert!(resumed.restore(&states[0][1..]).is_err());
}
