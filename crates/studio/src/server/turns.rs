//! How many requests are worked on at once, in all and for each client.

use std::{collections::BTreeMap, net::IpAddr, sync::Mutex};

use desk::lock;

/// Requests that are worked on at once.
const MAX_REQUESTS: usize = 64;
/// Those of one client.
const MAX_OF_ONE: usize = 48;

/// What is being worked on, by client.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<BTreeMap<IpAddr, usize>>);

/// A request that is worked on, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    client: IpAddr,
}

impl Turns {
    /// Takes a turn, unless there are too many.
    pub(crate) fn take(&self, client: IpAddr) -> Option<Turn<'_>> {
        let mut all = lock(&self.0);
        let (total, own) = (all.values().sum::<usize>(), all.get(&client).copied().unwrap_or(0));
        if total >= MAX_REQUESTS || own >= MAX_OF_ONE {
            return None;
        }
        all.insert(client, own + 1);
        Some(Turn { turns: self, client })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.turns.0);
        if let Some(own) = all.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_all_turns_and_all_are_given_back() {
        let turns = Turns::default();
        let [one, other]: [IpAddr; 2] =
            ["127.0.0.1", "192.168.1.5"].map(|text| text.parse().unwrap());
        let taken: Vec<_> = std::iter::from_fn(|| turns.take(one)).collect();
        assert_eq!(taken.len(), MAX_OF_ONE);
        let others: Vec<_> = std::iter::from_fn(|| turns.take(other)).collect();
        assert_eq!(others.len(), MAX_REQUESTS - MAX_OF_ONE);
        drop((taken, others));
        assert!(lock(&turns.0).is_empty());
    }
}
