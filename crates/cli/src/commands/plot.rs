//! `numalab plot`: draws results.

use super::view;
use crate::failure::Failure;
use crate::flags::Plot;
use crate::hints;
use numalab_draw as draw;
use numalab_sweep::chart::{Arrangement, chart};

/// Reads the results, arranges and draws them, and writes the picture.
pub fn run(flags: &Plot) -> Result<(), Failure> {
    let output = flags.destination();
    output.check()?;
    if let Some(ending) = flags.other_ending() {
        return Err(Failure::request(
            format!("\".{ending}\" is not a format of pictures (they are SVG or HTML)"),
            "end the file name in .svg or .html",
        ));
    }
    let (colour, facet) = (flags.color.as_deref(), flags.facet.as_deref());
    let frame = view::rows(&flags.rows, &[Some(&flags.x), colour, facet])?;
    let wanted = Arrangement {
        x: &flags.x,
        y: &flags.y,
        colour,
        facet,
        log: (flags.log_x, flags.log_y),
        title: flags.title.as_deref(),
    };
    let chart = chart(&frame, &wanted).map_err(|error| hints::view(&flags.rows.files, error))?;
    let text = match flags.html() {
        true => draw::plot_html(&chart, flags.free_y),
        false => draw::plot_svg(&chart, flags.free_y),
    };
    output.write(text.as_bytes())
}
