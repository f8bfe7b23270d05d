// Data of the selected policy: bytes by region and node, and times of cache lines by origin.
const ORIGIN_NAMES = { node: "own node", socket: "same socket", board: "same board", machine: "farther" };
const ORIGIN_DASHES = { node: [], socket: [9, 3], board: [4, 3], machine: [2, 2] };

function startData(data) {
  if (!data.blame.some(Boolean)) return;
  $("data-of-regions").hidden = false;

  function drawRegions() {
    const blame = data.blame[view.policy], rows = blame ? blame.regions : [];
    $("regions").hidden = rows.length === 0;
    if (!rows.length) return;
    const most = Math.max(...rows.flatMap((row) => row[1]), 1), each = blame.nodesEach;
    const head = [element("th", {}, "region"), ...rows[0][1].map((_, at) => element("th", { class: "number" }, at * each)), element("th", { class: "number" }, "all")];
    const cell = (bytes, at, region) => element("td", { class: "heat", style: `background:${bytes ? heat(bytes / most) : "transparent"}`,
      title: `${region}, ${each > 1 ? "nodes from" : "node"} ${at * each}: ${bytesText(bytes)}` });
    const body = rows.map(([region, list]) => element("tr", {}, element("td", {}, region),
      ...list.map((bytes, at) => cell(bytes, at, region)), element("td", { class: "number" }, bytesText(list.reduce((a, b) => a + b, 0)))));
    $("regions").replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  }

  function drawLatencies() {
    const blame = data.blame[view.policy], canvas = $("latencies"), origins = blame ? blame.origins : [];
    const width = Math.max(300, Math.min(620, canvas.parentElement.clientWidth || 620)), height = 260;
    canvas.hidden = origins.length === 0;
    if (!origins.length) return;
    canvas.style.width = width + "px";
    const ink = pen(canvas, width, height), left = 44, right = 12, top = 12, bottom = 40;
    // A step is a quarter of a power of two, in picoseconds.
    const steps = origins.flatMap(([, bins]) => bins.map(([step]) => step));
    const low = Math.min(...steps) - 1, high = Math.max(...steps) + 1;
    const x = (step) => left + (width - left - right) * (step - low) / (high - low), y = (part) => top + (height - top - bottom) * (1 - part);
    ink.font = "11px system-ui, sans-serif";
    ink.textBaseline = "middle";
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      ink.strokeStyle = style("--line");
      ink.beginPath(); ink.moveTo(left, y(part)); ink.lineTo(width - right, y(part)); ink.stroke();
      ink.fillStyle = style("--soft"); ink.textAlign = "right"; ink.fillText(percent(part), left - 5, y(part));
    }
    ink.textAlign = "center";
    const ticks = [];
    for (let power = 1; power < 1e15; power *= 10) ticks.push(power, 2 * power, 5 * power);
    let free = 0;
    for (const tick of ticks.filter((ps) => 4 * Math.log2(ps) >= low && 4 * Math.log2(ps) <= high)) {
      const at = x(4 * Math.log2(tick));
      if (at < free) continue;
      ink.fillText(timeText(tick), at, height - bottom + 12);
      free = at + 60;
    }
    ink.fillText("time of a cache line", (left + width - right) / 2, height - 8);
    canvas.lines = [];
    for (const [level, bins] of origins) {
      const all = bins.reduce((sum, [, bytes]) => sum + bytes, 0);
      let sum = 0;
      ink.strokeStyle = OF_DISTANCE[level]; ink.lineWidth = 2; ink.setLineDash(ORIGIN_DASHES[level]);
      ink.beginPath(); ink.moveTo(x(bins[0][0]), y(0));
      for (const [step, bytes] of bins) { ink.lineTo(x(step), y(sum / all)); sum += bytes; ink.lineTo(x(step + 1), y(sum / all)); }
      ink.stroke();
      let before = 0;
      const half = bins.find(([, bytes]) => (before += bytes) >= all / 2);
      canvas.lines.push([level, all, half[0]]);
    }
    ink.setLineDash([]); ink.lineWidth = 1;
    const total = canvas.lines.reduce((sum, [, all]) => sum + all, 0);
    legend($("latency-legend"), canvas.lines.map(([level, all, half]) =>
      [OF_DISTANCE[level], `${ORIGIN_NAMES[level]}: ${percent(all / total)} of the bytes, half of them within ${timeText(Number((2 ** ((half + 1) / 4)).toPrecision(2)))} a line`]));
    canvas.setAttribute("aria-label", $("latency-legend").textContent);
  }
  view.redraw.push(drawRegions, drawLatencies);
}
