// Bytes of every thread by the node that held them, and threads in tasks over time.
function startThreads(data) {
  const canvas = $("by-node");
  function draw() {
    const policy = data.policies[view.policy], rows = policy.byNode, nodes = Math.max(1, data.nodes);
    const width = Math.min(900, canvas.parentElement.clientWidth || 900), left = 60, top = 22;
    const each = Math.max(1, Math.min(12, Math.floor(360 / rows.length))), wide = Math.min(26, (width - left - 4) / nodes);
    const height = top + each * rows.length + 6, ink = pen(canvas, width, height);
    canvas.style.width = width + "px";
    const most = Math.max(1, ...rows.map((row) => row.reduce((sum, entry) => sum + entry[1], 0)));
    canvas.geometry = { rows, nodes, each, wide, left, top, policy };
    ink.fillStyle = style("--raised");
    ink.fillRect(left, top, wide * nodes, each * rows.length);
    rows.forEach((row, at) => {
      for (const [node, bytes] of row) {
        ink.fillStyle = heat(bytes / most);
        ink.fillRect(left + node * wide, top + at * each, Math.max(wide - (wide > 5 ? 1 : 0), 0.5), Math.max(each - (each > 4 ? 1 : 0), 1));
      }
    });
    ink.fillStyle = style("--soft");
    ink.font = "11px system-ui, sans-serif";
    ink.textBaseline = "middle";
    ink.textAlign = "right";
    for (let at = 0; at < rows.length; at += Math.max(1, Math.ceil(14 / each))) ink.fillText(at * policy.threadsEach, left - 6, top + (at + 0.5) * each);
    ink.textAlign = "center";
    for (let node = 0; node < nodes; node += Math.max(1, Math.ceil(20 / wide))) ink.fillText(node, left + (node + 0.5) * wide, top - 9);
    drawTasks(policy);
  }
  canvas.addEventListener("pointermove", (event) => {
    const { rows, nodes, each, wide, left, top, policy } = canvas.geometry, box = canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - top) / each), node = Math.floor((event.clientX - box.left - left) / wide);
    if (row < 0 || row >= rows.length || node < 0 || node >= nodes) return tip(event, "");
    const found = rows[row].find((entry) => entry[0] === node), sum = rows[row].reduce((total, entry) => total + entry[1], 0);
    const who = policy.threadsEach > 1 ? `threads ${row * policy.threadsEach} to ${(row + 1) * policy.threadsEach - 1}` : `thread ${row}`;
    tip(event, `${who}, node ${node}\n${found ? `${bytesText(found[1])}, ${percent(found[1] / sum)} of its data` : "nothing"}`);
  });
  canvas.addEventListener("pointerleave", (event) => tip(event, ""));

  function drawTasks(policy) {
    const { tasks, bins } = policy.time;
    $("tasks").hidden = !tasks.length;
    if (!tasks.length) return;
    const chart = $("task-chart"), width = chart.parentElement.clientWidth || 900, height = 180, ink = pen(chart, width, height);
    chart.style.width = width + "px";
    const left = 50, low = height - 24, room = width - left - 6, filled = new Float32Array(bins);
    // From the start of the measured part: tasks before it are not shown.
    const measured = policy.time.phases.find((phase) => phase[1]), zero = measured ? measured[2] : 0, long = policy.time.long;
    const first = Math.min(bins - 1, Math.floor(zero / long * bins)), shown = bins - first, from = first / bins * long - zero;
    for (const [name, colour] of TASKS) {
      const found = tasks.find((entry) => entry[0] === name);
      if (!found) continue;
      const parts = series(found[1]);
      ink.fillStyle = colour;
      for (let bin = first; bin < bins; bin++) {
        const high = Math.min((parts[bin] || 0) * (low - 8), low - 8 - filled[bin]);
        ink.fillRect(left + (bin - first) / shown * room, low - filled[bin] - high, Math.ceil(room / shown), high);
        filled[bin] += high;
      }
    }
    ink.fillStyle = style("--soft");
    ink.font = "11px system-ui, sans-serif";
    ink.textAlign = "right";
    [0, 0.5, 1].forEach((part) => ink.fillText(percent(part), left - 6, low - part * (low - 8) + 4));
    ink.textAlign = "center";
    const until = long - zero;
    for (const ps of roundSteps(from, until, width < 500 ? 3 : 8)) ink.fillText(timeText(ps), Math.min(width - 28, left + (ps - from) / (until - from) * room), height - 8);
    legend($("task-legend"), TASKS.map(([name, colour]) => [colour, name]));
  }
  view.redraw.push(draw);
}
