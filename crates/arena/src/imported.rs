//! Results of games that other programs have played, for the rating table: records with names and a
//! result (SGF, psq), and the lists of results in PGN that c-gomoku-cli writes.

use gomoku::{
    Color, GameResult, Rule,
    record::{self, Hint, RecordError, Tree},
};
use thiserror::Error;

/// A game that was played elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedGame {
    /// The players: Black, White.
    pub players: [String; 2],
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// The rule, if the file says.
    pub rule: Option<Rule>,
    /// The board size, if the file says.
    pub size: Option<u8>,
}

/// What a file of games holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedFile {
    /// The games that count.
    pub games: Vec<ImportedGame>,
    /// Games of which the file does not say who played or who won.
    pub left_out: usize,
}

/// Why no games are found in a file.
#[derive(Debug, Error)]
pub enum ImportError {
    /// It is no record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It holds no game.
    #[error("There is no game in the file.")]
    Empty,
}

/// Reads the results of a file with this name.
///
/// # Errors
/// When it is neither a record nor a list of results.
pub fn read_results(name: &str, bytes: &[u8]) -> Result<ImportedFile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let found: Vec<Option<ImportedGame>> = match is_pgn(&text) {
        true => pgn(&text),
        false => {
            let hint = Hint { name, ..Hint::default() };
            record::read(bytes, &hint)?.iter().map(of_record).collect()
        }
    };
    if found.is_empty() {
        return Err(ImportError::Empty);
    }
    let all = found.len();
    let games: Vec<_> = found.into_iter().flatten().collect();
    Ok(ImportedFile { left_out: all - games.len(), games })
}

fn of_record(tree: &Tree) -> Option<ImportedGame> {
    let players = Color::ALL.map(|color| tree.name(color).unwrap_or_default());
    let winner = match tree.result() {
        Some(end) => end.winner,
        // The stones may tell what the record does not.
        None => {
            let game = tree.game(tree.rule().unwrap_or(Rule::Freestyle)).ok()?;
            GameResult::from(game.position.outcome()?).winner
        }
    };
    named(ImportedGame { players, winner, rule: tree.rule(), size: Some(tree.size()) })
}

/// A game whose players have names.
fn named(game: ImportedGame) -> Option<ImportedGame> {
    game.players.iter().all(|name| !name.trim().is_empty()).then_some(game)
}

fn is_pgn(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('[') && text.contains("[Result \"")
}

/// Reads games from their tags. As in chess, `1-0` is a win of White, who moves second here.
fn pgn(text: &str) -> Vec<Option<ImportedGame>> {
    let mut games = Vec::new();
    let mut tags: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = tag(line.trim()) else { continue };
        if tags.iter().any(|(known, _)| *known == key) {
            games.push(of_tags(&tags));
            tags.clear();
        }
        tags.push((key, value));
    }
    if !tags.is_empty() {
        games.push(of_tags(&tags));
    }
    games
}

/// `[Key "value"]`, with \" and \\ in the value.
fn tag(line: &str) -> Option<(&str, String)> {
    let (key, rest) = line.strip_prefix('[')?.split_once(" \"")?;
    let value = rest.trim_end().strip_suffix("\"]")?;
    Some((key.trim(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

fn of_tags(tags: &[(&str, String)]) -> Option<ImportedGame> {
    let value = |key| tags.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone());
    let winner = match value("Result")?.as_str() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => return None,
    };
    let players = [value("Black")?, value("White")?];
    named(ImportedGame { players, winner, rule: None, size: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winners(file: &ImportedFile) -> Vec<(&str, &str, Option<Color>)> {
        let games = file.games.iter();
        games.map(|game| (&*game.players[0], &*game.players[1], game.winner)).collect()
    }

    #[test]
    fn lists_of_results_are_read() {
        let game = |black: &str, white: &str, result: &str| {
            format!(
                "[Event \"1\"]\n[Date \"2024.01.01 00:00:00\"]\n[Round \"1.1\"]\n[Black \"{black}\"]\n\
                 [White \"{white}\"]\n[Result \"{result}\"]\n[Termination \"x\"]\n[PlyCount \"9\"]\n\
                 {result}\n\n"
            )
        };
        let text = [
            game("a", "b", "1-0"),
            game("b", "a \\\"2\\\"", "0-1"),
            game("a", "b", "1/2-1/2"),
            game("a", "b", "*"),
            game("", "b", "1-0"),
        ];
        let file = read_results("games.pgn", text.concat().as_bytes()).unwrap();
        let (black, white) = (Some(Color::Black), Some(Color::White));
        let wanted = [("a", "b", white), ("b", "a \"2\"", black), ("a", "b", None)];
        assert_eq!((winners(&file).as_slice(), file.left_out), (&wanted[..], 2));
    }

    #[test]
    fn records_say_who_won_or_their_stones_do() {
        let sgf = "(;FF[4]GM[4]RU[1]SZ[20]PB[a]PW[b]RE[W+1];B[aa];W[bb])\n\
                   (;GM[4]SZ[15]PB[a]PW[b]RE[0];B[aa])\n\
                   (;GM[4]SZ[15]PB[b]PW[a];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])\n\
                   (;GM[4]SZ[15]PB[a]PW[b];B[aa])(;GM[4]SZ[15]RE[B+1];B[aa])";
        let file = read_results("a.sgf", sgf.as_bytes()).unwrap();
        let wanted =
            [("a", "b", Some(Color::White)), ("a", "b", None), ("b", "a", Some(Color::Black))];
        assert_eq!((winners(&file).as_slice(), file.left_out), (&wanted[..], 2));
        let first = &file.games[0];
        assert_eq!((first.rule, first.size), (Some(Rule::Standard), Some(20)));
        let psq = "Piskvorky 15x15, 11:11, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n\
                   5,1,0\npbrain-a.exe\npbrain-b.exe\n0\n";
        let file = read_results("a.psq", psq.as_bytes()).unwrap();
        assert_eq!(winners(&file), [("pbrain-a.exe", "pbrain-b.exe", Some(Color::Black))]);
    }

    #[test]
    fn what_is_no_file_of_games_is_refused() {
        for text in ["", "\u{1}", "[Result \"", "[Result \"]"] {
            assert!(read_results("a", text.as_bytes()).is_err(), "{text}");
        }
    }
}
