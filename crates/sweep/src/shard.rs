//! Division of the points of a sweep among processes.

use std::fmt;
use std::str::FromStr;

/// One of several parts of a sweep, each run by one process. Points are dealt to shards in turn: neighbouring points,
/// which tend to cost the same, go to different shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of this shard, from 1 to `of`.
    pub number: u32,
    /// Number of shards into which the sweep is divided.
    pub of: u32,
}

impl Shard {
    /// True if the point with this index belongs to the shard.
    pub fn owns(self, point: usize) -> bool {
        Shard::owner(point, self.of) == self.number
    }

    /// Number, from 1 to `of`, of the shard that a point belongs to.
    pub fn owner(point: usize, of: u32) -> u32 {
        (point % of as usize) as u32 + 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let pair = text.split_once('/').and_then(|(number_, of)| Some((number(number_)?, number(of)?)));
        match pair {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            Some((_, 0)) => Err(format!("there are no shards in \"{text}\"; write for example 3/16")),
            Some((number, of)) => {
                Err(format!("there is no shard {number} of {of}; they are 1/{of} to {of}/{of}"))
            }
            None => Err(format!("\"{text}\" is not of the form K/N; write for example 3/16")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_one_owner() {
        for of in 1..9 {
            for point in 0..50 {
                let owners = (1..=of).filter(|&number| Shard { number, of }.owns(point));
                assert_eq!(owners.collect::<Vec<_>>(), [Shard::owner(point, of)]);
            }
        }
    }

    #[test]
    fn reads_what_it_writes_and_refuses_the_rest() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!((shard.number, shard.of, shard.to_string().as_str()), (3, 16, "3/16"));
        for text in ["", "3", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/2/3", "1/99999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
