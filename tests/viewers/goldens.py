"""Pictures held against goldens: means of coarse blocks, so that a font or a browser's smoothing changes little, and a view that
is empty, shifted or of other colours changes much."""

import base64
import os
import pathlib

FOLDER = pathlib.Path(__file__).parent / "goldens"

# Blocks of a picture, across and down.
ACROSS, DOWN = 24, 12

# Differences of red, green or blue, of 255: of one block, and in the mean of all. Text in another font moves a block by some
# twenty; a shifted row of threads by a hundred.
MOST_OF_ONE, MOST_IN_THE_MEAN = 60, 6

# The picture as one pixel for each block. Browsers smooth halvings well and larger steps badly: blocks are summed here.
BLOCKS = """async ([source, across, down]) => {
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  ink.drawImage(picture, 0, 0);
  const { data } = ink.getImageData(0, 0, picture.width, picture.height), blocks = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const edge = (at, parts, long) => Math.floor(at * long / parts), sum = [0, 0, 0];
      const [left, right] = [edge(column, across, picture.width), edge(column + 1, across, picture.width)];
      const [top, low] = [edge(row, down, picture.height), edge(row + 1, down, picture.height)];
      for (let y = top; y < low; y++) for (let x = left; x < right; x++) {
        for (let n = 0; n < 3; n++) sum[n] += data[4 * (y * picture.width + x) + n];
      }
      blocks.push(...sum.map((one) => Math.round(one / Math.max(1, (right - left) * (low - top)))));
    }
  }
  return blocks;
}"""


def hold(helper, locator, name):
    """Compares an element with its golden; with INSTA_UPDATE=always it becomes the golden. `helper` is an empty page."""
    source = "data:image/png;base64," + base64.b64encode(locator.screenshot()).decode()
    found = helper.evaluate(BLOCKS, [source, ACROSS, DOWN])
    golden = FOLDER / f"{name}.txt"
    if os.environ.get("INSTA_UPDATE") == "always":
        FOLDER.mkdir(exist_ok=True)
        rows = [bytes(found[at : at + 3 * ACROSS]).hex() for at in range(0, len(found), 3 * ACROSS)]
        golden.write_text("\n".join(rows) + "\n")
        return
    expected = list(bytes.fromhex(golden.read_text().replace("\n", "")))
    assert len(expected) == len(found), f"{golden.name} has other blocks"
    off = [abs(a - b) for a, b in zip(expected, found)]
    mean, most = sum(off) / len(off), max(off)
    at = off.index(most) // 3
    where = f"most, {most}, in row {at // ACROSS + 1} of {DOWN}, column {at % ACROSS + 1} of {ACROSS}"
    assert most <= MOST_OF_ONE and mean <= MOST_IN_THE_MEAN, f"{name} is not its golden: {mean:.1f} off in the mean, {where}"
