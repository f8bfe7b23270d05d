//! Amounts by node in files: pairs of a node and its amount, in the order of the nodes, without zeros.

use numalab_counts::ByNode;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(amounts: &ByNode, serializer: S) -> Result<S::Ok, S::Error> {
    amounts.entries().serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByNode, D::Error> {
    let wrong = "pairs [node, amount] are not in the order of their nodes, or an amount is 0";
    ByNode::of(Vec::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(wrong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Deserialize)]
    struct Read(#[serde(deserialize_with = "deserialize")] ByNode);

    fn written(amounts: &ByNode) -> String {
        let mut text = Vec::new();
        serialize(amounts, &mut serde_json::Serializer::new(&mut text)).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn disorder_and_zeros_are_refused() {
        for text in ["[[2,1],[0,1]]", "[[0,1],[0,1]]", "[[0,0]]", "[1,0,8]", "[[0,1,2]]", "[[-1,2]]"] {
            assert!(serde_json::from_str::<Read>(text).is_err(), "{text}");
        }
    }

    proptest! {
        // A plain array with a number for each node is the oracle.
        #[test]
        fn pairs_equal_plain_array(added in prop::collection::vec((0..8u32, 0..5u64), 0..20)) {
            let (mut by_node, mut array) = (ByNode::default(), [0; 8]);
            for &(node, amount) in &added {
                by_node.add(node, amount);
                array[node as usize] += amount;
            }
            let Read(read) = serde_json::from_str(&written(&by_node)).unwrap();
            prop_assert_eq!(&read, &by_node);
            prop_assert_eq!(std::array::from_fn(|node| read.get(node as u32)), array);
            prop_assert_eq!(read.iter().count(), array.iter().filter(|amount| **amount > 0).count());
        }
    }
}
