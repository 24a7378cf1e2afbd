//! The file of a network: a header, then its numbers packed, with a check sum.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use gomoku::Rule;

use crate::{
    network::{CHANNELS, Dense, Network, Row, Side},
    rows::{N_ROWS, rows_in_use},
    tables::Tables,
};

const MAGIC: &[u8; 8] = b"Line9\0\x01\n";

/// Why bytes are not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Something else altogether.
    #[error("This is not a network of Tengen, or one of another version.")]
    NotANetwork,
    /// The header names no rule or a wrong number of sides.
    #[error("The header of the network is damaged.")]
    BadHeader,
    /// Bytes are missing, added or changed.
    #[error("The network is damaged: its check sum does not agree.")]
    Damaged,
    /// The numbers could leave the range of the arithmetic.
    #[error("The network has numbers that are too large.")]
    OutOfRange,
}

impl Network {
    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut numbers = Vec::new();
        self.sides().iter().for_each(|side| write_side(&mut numbers, side));
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.rule() as u8, self.sides().len() as u8]);
        bytes.extend(check_sum(&numbers).to_le_bytes());
        let mut packed = DeflateEncoder::new(bytes, Compression::best());
        packed.write_all(&numbers).expect("a vector takes everything");
        packed.finish().expect("a vector takes everything")
    }

    /// The network in a file.
    ///
    /// # Errors
    /// If the bytes are not a network, or a damaged one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, FileError> {
        let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(FileError::NotANetwork)?;
        if magic != MAGIC {
            return Err(FileError::NotANetwork);
        }
        let (&[rule, n_sides], rest) = rest.split_first_chunk().ok_or(FileError::BadHeader)?;
        let rule = *Rule::ALL.get(rule as usize).ok_or(FileError::BadHeader)?;
        if !matches!(n_sides, 1 | 2) {
            return Err(FileError::BadHeader);
        }
        let (sum, packed) = rest.split_first_chunk().ok_or(FileError::BadHeader)?;
        let length = n_sides as usize * side_len();
        let mut numbers = Vec::with_capacity(length);
        let limited = DeflateDecoder::new(packed).take(length as u64 + 1);
        { limited }.read_to_end(&mut numbers).map_err(|_| FileError::Damaged)?;
        if numbers.len() != length || check_sum(&numbers) != u64::from_le_bytes(*sum) {
            return Err(FileError::Damaged);
        }
        let sides: Vec<Side> = numbers.chunks_exact(side_len()).map(read_side).collect();
        if !sides.iter().all(Side::is_in_range) {
            return Err(FileError::OutOfRange);
        }
        Ok(Network::new(rule, sides))
    }
}

/// FNV-1a.
fn check_sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Everything but the rows of windows, as numbers of 16 bits.
struct Numbers<'a> {
    rows: Vec<&'a mut Row>,
    dense: [&'a mut Dense; 2],
    small: Vec<&'a mut [i16]>,
    last_bias: &'a mut i32,
    tables: &'a mut Tables,
}

fn numbers(side: &mut Side) -> Numbers<'_> {
    let [spread0, spread1, spread2] = &mut side.spread;
    Numbers {
        rows: vec![
            &mut side.value_bias,
            &mut side.last,
            &mut side.move_bias,
            &mut side.move_weights,
        ],
        dense: [&mut side.first, &mut side.second],
        small: vec![spread0, spread1, spread2, &mut side.spread_bias],
        last_bias: &mut side.last_bias,
        tables: &mut side.tables,
    }
}

/// Bytes of a side: rows of one byte a number, then everything else.
fn side_len() -> usize {
    let mut counted = Vec::new();
    write_side(&mut counted, &Side::zero());
    counted.len()
}

/// Rows go channel by channel, which packs better; in the rows of windows a number is one byte.
fn write_side(bytes: &mut Vec<u8>, side: &Side) {
    for rows in [&side.value_rows, &side.move_rows] {
        for channel in 0..CHANNELS {
            bytes.extend(rows[..rows_in_use()].iter().map(|row| row.0[channel] as i8 as u8));
        }
    }
    let mut side = side.clone();
    let Numbers { rows, dense, small, last_bias, tables } = numbers(&mut side);
    let mut put = |numbers: &[i16]| bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    rows.iter().for_each(|row| put(&row.0));
    small.iter().for_each(|numbers| put(numbers));
    tables.parts().into_iter().for_each(|part| put(part));
    dense.iter().for_each(|layer| layer.weights.iter().for_each(|row| put(&row.0)));
    let biases = dense.iter().flat_map(|layer| layer.bias).chain([*last_bias]);
    bytes.extend(biases.flat_map(i32::to_le_bytes));
}

fn read_side(bytes: &[u8]) -> Side {
    let mut side = Side::zero();
    let mut bytes = bytes.iter().copied();
    for rows in [&mut side.value_rows, &mut side.move_rows] {
        for channel in 0..CHANNELS {
            let taken = rows[..rows_in_use()].iter_mut().zip(bytes.by_ref());
            taken.for_each(|(row, byte)| row.0[channel] = i16::from(byte as i8));
        }
    }
    let Numbers { rows, dense, small, last_bias, tables } = numbers(&mut side);
    let mut next = || bytes.next().unwrap_or_default();
    let mut short = |number: &mut i16| *number = i16::from_le_bytes([next(), next()]);
    rows.into_iter().for_each(|row| row.0.iter_mut().for_each(&mut short));
    small.into_iter().for_each(|numbers| numbers.iter_mut().for_each(&mut short));
    tables.parts_mut().into_iter().for_each(|part| part.iter_mut().for_each(&mut short));
    let [first, second] = dense;
    for layer in [&mut *first, &mut *second] {
        layer.weights.iter_mut().for_each(|row| row.0.iter_mut().for_each(&mut short));
    }
    let mut long =
        |number: &mut i32| *number = i32::from_le_bytes([next(), next(), next(), next()]);
    first.bias.iter_mut().chain(&mut second.bias).for_each(&mut long);
    long(last_bias);
    side
}

const _: () = assert!(N_ROWS <= u16::MAX as usize);
