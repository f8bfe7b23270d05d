//! Runs over time as one self-contained HTML page.
//!
//! | file | contents |
//! |---|---|
//! | `data`, `blame` | content of the page, as JSON |
//! | `packed` | series and spans in few bytes; deflate and base64 |
//! | `shared_pages` | pages that nodes share in software |
//! | `page/` | markup, style and scripts, one view a file |

mod blame;
mod data;
mod packed;
mod shared_pages;

use numalab_results::{Comparison, Explanation, Timeline};

const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
/// Scripts of the page, ordered by dependency.
const SCRIPTS: [&str; 11] = [
    include_str!("page/base.js"),
    include_str!("page/summary.js"),
    include_str!("page/reasons.js"),
    include_str!("page/advice.js"),
    include_str!("page/timeline.js"),
    include_str!("page/traffic.js"),
    include_str!("page/topology.js"),
    include_str!("page/data.js"),
    include_str!("page/threads.js"),
    include_str!("page/shared_pages.js"),
    include_str!("page/start.js"),
];

/// A complete HTML document for a comparison, the timelines of its policies, and explanations where
/// they exist.
pub fn run_page(comparison: &Comparison, timelines: &[Timeline], explanations: &[Explanation]) -> String {
    let data = data::data(comparison, timelines, explanations);
    let title = format!("{} on {}", comparison.workload.name, comparison.machine.name);
    let title = escaped(&title);
    let scripts = SCRIPTS.concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - NumaLab</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"text/plain\" id=\"data\">{}</script>\n<script>\n\"use strict\";\n{scripts}</script>\n\
         </body>\n</html>\n",
        packed::text(&data)
    )
}

fn escaped(text: &str) -> String {
    let text = numalab_base::printable(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
pub(crate) mod tests;
