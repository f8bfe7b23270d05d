//! Rows about place lists: the length of the tour through a measured distance matrix.

use crate::published::Published;
use numalab_study::StudyError;
use numalab_tours::DistanceMatrix;
use numalab_tours::tour::Algorithm;

/// Measured distance matrices in the binary: name and text of each.
const MATRICES: [(&str, &str); 3] = [
    ("bcs16", include_str!("../../../../reference/distance-bcs16.csv")),
    ("hp8", include_str!("../../../../reference/distance-hp8.csv")),
    ("fujitsu8", include_str!("../../../../reference/distance-fujitsu8.csv")),
];

/// Length of the tour that the row's algorithm finds through the row's matrix.
pub fn length(row: &Published) -> Result<Option<f64>, StudyError> {
    let Some((_, text)) = MATRICES.iter().find(|(machine, _)| *machine == row.machine) else {
        return Ok(None);
    };
    let name = format!("reference/distance-{}.csv", row.machine);
    let distances = numalab_files::distance_matrix_from_text(&name, text)?;
    let matrix = DistanceMatrix::new(&distances.rows).map_err(|error| row.wrong(error))?;
    let named = row.params().find(|(key, _)| *key == "algorithm").map(|(_, name)| name);
    let algorithm = Algorithm::ALL.into_iter().find(|algorithm| Some(algorithm.name()) == named);
    Ok(algorithm.and_then(|algorithm| algorithm.tour(&matrix)).map(|tour| tour.length))
}
