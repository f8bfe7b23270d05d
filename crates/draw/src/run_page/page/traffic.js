// Traffic between nodes, each cell relative to its own limit, at a moment or on average.
function startTraffic(data) {
  const canvas = $("matrix");
  for (const { time } of data.policies) {
    time.resources = time.resources.map(([name, kind, from, to, capacity, text]) => ({ name, kind, from, to, capacity, parts: series(text) }));
    time.traffic = time.traffic.map(([home, reader, limit, total, most, text]) => ({ home, reader, limit, total, most, parts: series(text) }));
  }
  const time = () => data.policies[view.policy].time;
  // Bins of the measured part, and the fraction of each that belongs to it.
  function measured() {
    const { phases, bin, bins } = time(), whole = phases.filter((phase) => phase[1]);
    const [from, to] = whole.length ? [Math.min(...whole.map((phase) => phase[2])), Math.max(...whole.map((phase) => phase[3]))] : [0, bins * bin];
    const weights = [];
    for (let at = Math.floor(from / bin); at < Math.min(bins, Math.ceil(to / bin)); at++) {
      weights.push([at, Math.min(to, (at + 1) * bin) - Math.max(from, at * bin)]);
    }
    return weights;
  }
  const mean = (parts) => {
    let [sum, long] = [0, 0];
    for (const [at, weight] of measured()) [sum, long] = [sum + weight * (parts[at] || 0), long + weight];
    return sum / Math.max(1, long);
  };
  view.part = (parts) => ($("mean").checked ? mean(parts) : parts[Number($("moment").value)] || 0);
  view.resources = () => time().resources;

  function cells() {
    const groups = time().groups, cells = new Array(groups * groups);
    for (const pair of time().traffic) {
      const rate = view.part(pair.parts) * pair.most;
      cells[pair.home * groups + pair.reader] = { rate, part: pair.limit ? rate / pair.limit : null, limit: pair.limit };
    }
    if (time().nodesEach === 1) for (const memory of time().resources.filter((one) => one.kind === "memory")) {
      const node = Number(memory.from.slice(5)), part = view.part(memory.parts);
      cells[node * groups + node] = { rate: part * memory.capacity, part, limit: memory.capacity, memory: true };
    }
    // Cells without limits are relative to the busiest one.
    const most = Math.max(1, ...cells.filter(Boolean).map((cell) => cell.rate));
    cells.forEach((cell) => { if (cell && cell.part === null) cell.part = cell.rate / most; });
    return cells;
  }

  function draw() {
    const groups = time().groups, slider = $("moment");
    slider.max = time().bins - 1;
    const first = time().phases.find((phase) => phase[1]), start = Number(slider.value) * time().bin - (first ? first[2] : 0);
    $("moment-text").textContent = $("mean").checked ? "measured part" : `from ${timeText(start)} for ${timeText(time().bin)}`;
    const room = 34, size = Math.min(460, canvas.parentElement.clientWidth || 460), each = (size - room - 4) / groups;
    const ink = pen(canvas, size, size), list = cells();
    canvas.style.width = size + "px";
    canvas.geometry = { list, groups, each, room };
    ink.fillStyle = style("--raised");
    ink.fillRect(room, room, each * groups, each * groups);
    for (let home = 0; home < groups; home++) for (let reader = 0; reader < groups; reader++) {
      const cell = list[home * groups + reader];
      if (!cell || cell.rate <= 0) continue;
      ink.fillStyle = heat(cell.part);
      ink.fillRect(room + reader * each, room + home * each, Math.max(each - (each > 6 ? 1 : 0), 0.5), Math.max(each - (each > 6 ? 1 : 0), 0.5));
    }
    ink.fillStyle = style("--soft");
    ink.font = "11px system-ui, sans-serif";
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(16 / each));
    for (let at = 0; at < groups; at += every) {
      ink.fillText(at * time().nodesEach, room + (at + 0.5) * each, room - 8);
      ink.fillText(at * time().nodesEach, room - 12, room + (at + 0.5) * each);
    }
    ink.fillText("used on node", room + each * groups / 2, 8);
    ink.save();
    ink.translate(8, room + each * groups / 2);
    ink.rotate(-Math.PI / 2);
    ink.fillText("held by node", 0, 0);
    ink.restore();
    drawHot();
  }

  function drawHot() {
    const busy = time().resources.map((one) => ({ one, part: view.part(one.parts) })).sort((a, b) => b.part - a.part).slice(0, 8);
    const row = ({ one, part }) => element("tr", {}, element("td", {}, one.name), element("td", { class: "number" }, percent(part)),
      element("td", { class: "number" }, rateText(part * one.capacity)), element("td", { class: "number" }, rateText(one.capacity)));
    const head = ["resource", "of its limit", "now", "limit"].map((name, at) => element("th", { class: at ? "number" : "" }, name));
    $("hot").replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...busy.map(row)));
  }

  canvas.addEventListener("pointermove", (event) => {
    const { list, groups, each, room } = canvas.geometry, box = canvas.getBoundingClientRect();
    const reader = Math.floor((event.clientX - box.left - room) / each), home = Math.floor((event.clientY - box.top - room) / each);
    if (reader < 0 || home < 0 || reader >= groups || home >= groups) return tip(event, "");
    const cell = list[home * groups + reader], name = (at) => (time().nodesEach > 1 ? `nodes ${at * time().nodesEach} to ${(at + 1) * time().nodesEach - 1}` : `node ${at}`);
    const what = cell && cell.memory ? `memory of node ${home}` : `from ${name(home)} to threads on ${name(reader)}`;
    tip(event, cell ? `${what}\n${rateText(cell.rate)}${cell.limit ? `, ${percent(cell.part)} of ${rateText(cell.limit)}` : ""}` : `${what}\nnothing`);
  });
  canvas.addEventListener("pointerleave", (event) => tip(event, ""));
  $("moment").oninput = () => { $("mean").checked = false; redraw(); };
  $("mean").onchange = redraw;
  let playing = null;
  $("play").onclick = () => {
    if (playing) { clearInterval(playing); playing = null; $("play").textContent = "play"; return; }
    $("mean").checked = false;
    $("play").textContent = "stop";
    playing = setInterval(() => {
      $("moment").value = (Number($("moment").value) + 1) % time().bins;
      draw();
      view.drawTopology();
    }, 120);
  };
  legend($("scale"), [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1].map((part) => [heat(part), percent(part) + (part === 1 ? " of the limit" : "")]));
  view.redraw.push(draw);
}
