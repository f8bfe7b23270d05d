// Activities of all threads over time: a canvas for the selected policy, one for the policy beside it, with one axis.
const TASKS = [["creator", OF_DISTANCE.node], ["same socket", OF_DISTANCE.socket], ["same board", OF_DISTANCE.board], ["remote", OF_DISTANCE.machine]];
const DOMAINS = ["#0072b2", "#d55e00", "#009e73", "#f0e442", "#cc79a7", "#56b4e9", "#e69f00", "#6a3d9a", "#b15928", "#1b9e77", "#e7298a", "#a6761d"];
const LEFT = 92, TOP = 22, ROW = 4;

function startTimeline(data) {
  const window_ = { from: 0, to: 1 };
  let marked = null;
  for (const policy of data.policies) policy.spans = spansOf(policy.time);
  const longest = () => Math.max(...chosen().map((policy) => policy.time.long));
  const chosen = () => [view.policy, view.other].filter((at) => at >= 0).map((at) => data.policies[at]);

  // Rows: threads, or their sockets or boards if there are too many.
  function rows(policy) {
    const threads = policy.time.threads, wish = $("level").value;
    const boards = new Set(threads.map((t) => t[2])).size;
    const sockets = new Set(threads.map((t) => t[1])).size;
    const level = wish !== "auto" ? wish : threads.length <= 512 ? "thread" : sockets <= 256 ? "socket" : "board";
    if (level === "thread") return threads.map((_, at) => ({ name: `thread ${at}`, threads: [at] }));
    const place = level === "board" && boards > 1 ? 2 : 1, groups = new Map();
    threads.forEach((thread, at) => {
      const key = thread[place];
      if (!groups.has(key)) groups.set(key, { name: `${place === 2 ? "board" : "socket"} ${key}`, threads: [] });
      groups.get(key).threads.push(at);
    });
    return [...groups.values()];
  }

  // Zero is the start of the measured part.
  const origin = (policy) => { const phase = policy.time.phases.find((one) => one[1]); return phase ? phase[2] : 0; };
  const classOf = (policy, kind) => policy.time.kinds[kind][0];
  function colour(policy, kind) {
    const [group, , , creator, domain] = policy.time.kinds[kind];
    if ($("colours").value === "domain") return domain === null ? style("--idle") : DOMAINS[domain % DOMAINS.length];
    if ($("colours").value === "task") return creator === null ? style("--idle") : TASKS[creator][1];
    return plainColour(classColour(data, group));
  }

  const unitName = data.boards ? "board" : "socket";
  // The same in words.
  function named(policy, kind) {
    const [group, , , creator, domain] = policy.time.kinds[kind];
    if ($("colours").value === "domain") return domain === null ? "no data" : `data on ${unitName} ${domain}`;
    if ($("colours").value === "task") return creator === null ? "no task" : TASKS[creator][0];
    return data.classes[group].name;
  }

  // Parts of the threads' time between two moments, the largest first.
  function shares(policy, from, to) {
    const names = policy.time.kinds.map((_, kind) => named(policy, kind)), unit = policy.time.unit, sums = new Map();
    for (const spans of policy.spans) {
      for (let at = first(spans, from / unit); at < spans.ends.length; at++) {
        const start = (at ? spans.ends[at - 1] : 0) * unit;
        if (start >= to) break;
        const name = names[spans.kinds[at]], long = Math.min(spans.ends[at] * unit, to) - Math.max(start, from);
        sums.set(name, (sums.get(name) || 0) + long);
      }
    }
    const all = [...sums.values()].reduce((sum, one) => sum + one, 0) || 1;
    return [...sums].sort((a, b) => b[1] - a[1]).map(([name, sum]) => `${name} ${percent(sum / all)}`).join(", ");
  }

  // First span of a thread that ends after a moment.
  function first(spans, moment) {
    let low = 0, high = spans.ends.length;
    while (low < high) { const mid = (low + high) >> 1; if (spans.ends[mid] <= moment) low = mid + 1; else high = mid; }
    return low;
  }

  function drawOne(canvas, policy) {
    const list = rows(policy), width = canvas.parentElement.clientWidth || 900;
    const each = Math.max(ROW, Math.min(16, Math.floor(380 / list.length))), height = TOP + each * list.length + 26;
    const ink = pen(canvas, width, height), room = width - LEFT - 6;
    const from = window_.from * longest(), to = window_.to * longest(), unit = policy.time.unit;
    const x = (ps) => LEFT + (ps - from) / (to - from) * room;
    canvas.geometry = { list, each, from, to, room, policy };
    const colours = policy.time.kinds.map((_, kind) => colour(policy, kind));
    ink.font = "11px system-ui, sans-serif";
    ink.textBaseline = "middle";
    list.forEach((row, at) => {
      const y = TOP + at * each, high = Math.max(each - (each > 5 ? 1 : 0), 1);
      if (row.threads.length > 1) drawGroup(ink, policy, row, y, high, x, room, from, to, colours);
      else drawThread(ink, policy.spans[row.threads[0]], unit, y, high, x, from, to, colours);
      if (marked && marked(policy, row)) {
        ink.strokeStyle = style("--ink"); ink.lineWidth = 1.5; ink.strokeRect(LEFT - 1, y - 0.5, room + 2, high + 1);
      }
    });
    drawAxes(ink, policy, list, each, height, width, x, from, to);
    if ($("arrows").checked) drawArrows(ink, policy, list, each, x, from, to);
  }

  // Spans narrower than a pixel share it: the one that takes most of it is drawn.
  function drawThread(ink, spans, unit, y, high, x, from, to, colours) {
    let at = first(spans, from / unit), pixel = -1, most = 0, best = 0;
    for (; at < spans.ends.length; at++) {
      const start = (at ? spans.ends[at - 1] : 0) * unit, end = spans.ends[at] * unit;
      if (start >= to) break;
      const left = x(Math.max(start, from)), right = x(Math.min(end, to));
      if (right - left >= 1) {
        ink.fillStyle = colours[spans.kinds[at]];
        ink.fillRect(left, y, right - left, high);
      } else {
        const here = Math.floor(left);
        if (here !== pixel) { pixel = here; most = 0; }
        if (right - left > most) {
          most = right - left; best = spans.kinds[at];
          ink.fillStyle = colours[best];
          ink.fillRect(here, y, 1, high);
        }
      }
    }
  }

  // Many threads in one row: parts of each column by colour, one above the other.
  function drawGroup(ink, policy, row, y, high, x, room, from, to, colours) {
    const unit = policy.time.unit, columns = Math.floor(room), sums = new Map();
    for (const thread of row.threads) {
      const spans = policy.spans[thread];
      for (let at = first(spans, from / unit); at < spans.ends.length; at++) {
        const start = (at ? spans.ends[at - 1] : 0) * unit, end = spans.ends[at] * unit;
        if (start >= to) break;
        const left = Math.max(x(start) - LEFT, 0), right = Math.min(x(end) - LEFT, columns), name = colours[spans.kinds[at]];
        if (!sums.has(name)) sums.set(name, new Float32Array(columns + 1));
        const bins = sums.get(name);
        for (let column = Math.floor(left); column < right; column++) bins[column] += Math.min(right, column + 1) - Math.max(left, column);
      }
    }
    const filled = new Float32Array(columns + 1);
    for (const [name, bins] of sums) {
      ink.fillStyle = name;
      for (let column = 0; column < columns; column++) {
        const part = bins[column] / row.threads.length * high;
        if (part > 0) { ink.fillRect(LEFT + column, y + filled[column], 1, part); filled[column] += part; }
      }
    }
  }

  function drawAxes(ink, policy, list, each, height, width, x, from, to) {
    ink.fillStyle = style("--ink");
    ink.fillText(`${policy.name}, ${timeText(policy.makespan)}`, LEFT, 8);
    ink.fillStyle = style("--soft");
    const every = Math.max(1, Math.ceil(14 / each));
    ink.textAlign = "right";
    list.forEach((row, at) => { if (at % every === 0) ink.fillText(row.name, LEFT - 6, TOP + at * each + each / 2); });
    ink.textAlign = "center";
    const zero = origin(policy);
    for (const ps of roundSteps(from - zero, to - zero, Math.max(2, Math.min(9, (width - LEFT) / 80)))) {
      if (x(ps + zero) > width - 30) break;
      ink.fillText(timeText(ps), x(ps + zero), height - 8);
      ink.fillRect(x(ps + zero), height - 18, 1, 4);
    }
    ink.textAlign = "left";
    ink.strokeStyle = style("--ink");
    for (const [name, measured, start, end] of policy.time.phases.filter((phase) => phase[3] > from && phase[2] < to)) {
      const left = x(Math.max(start, from)), right = x(Math.min(end, to));
      ink.globalAlpha = measured ? 1 : 0.45;
      ink.beginPath(); ink.moveTo(left + 0.5, 18.5); ink.lineTo(right - 0.5, 18.5); ink.stroke();
      if (start >= from) { ink.beginPath(); ink.moveTo(left + 0.5, 14); ink.lineTo(left + 0.5, height - 20); ink.globalAlpha *= 0.5; ink.stroke(); }
      ink.globalAlpha = 1;
      if (right - left > name.length * 6 + 12 && left > LEFT + 160) ink.fillText(name, left + 4, 9);
    }
  }

  function drawArrows(ink, policy, list, each, x, from, to) {
    const rowOf = new Map();
    list.forEach((row, at) => row.threads.forEach((thread) => rowOf.set(thread, at)));
    ink.strokeStyle = style("--ink");
    ink.globalAlpha = 0.5;
    ink.lineWidth = 1;
    for (const [moment, giver, taker] of policy.time.handovers) {
      const ps = moment * policy.time.unit;
      if (ps < from || ps > to) continue;
      const middle = (thread) => TOP + (rowOf.get(thread) + 0.5) * each, down = Math.sign(middle(taker) - middle(giver)) || 1;
      ink.beginPath();
      ink.moveTo(x(ps), middle(giver)); ink.lineTo(x(ps), middle(taker));
      ink.moveTo(x(ps) - 2.5, middle(taker) - 4 * down); ink.lineTo(x(ps), middle(taker)); ink.lineTo(x(ps) + 2.5, middle(taker) - 4 * down);
      ink.stroke();
    }
    ink.globalAlpha = 1;
  }

  function zoom(factor, around) {
    const wide = Math.min(1, Math.max(1e-6, (window_.to - window_.from) * factor)), middle = window_.from + (window_.to - window_.from) * around;
    window_.from = Math.max(0, Math.min(1 - wide, middle - wide * around));
    window_.to = window_.from + wide;
    draw();
  }
  function move(part) {
    const wide = window_.to - window_.from;
    window_.from = Math.max(0, Math.min(1 - wide, window_.from + part * wide));
    window_.to = window_.from + wide;
    draw();
  }
  function all() { window_.from = 0; window_.to = 1; draw(); }
  function measured() {
    const ends = chosen().flatMap((policy) => policy.time.phases.filter((phase) => phase[1]).map((phase) => [phase[2], phase[3]]));
    if (ends.length) { window_.from = Math.min(...ends.map((end) => end[0])) / longest(); window_.to = Math.max(...ends.map((end) => end[1])) / longest(); }
    draw();
  }

  function hover(event) {
    const { list, each, from, to, room, policy } = event.target.geometry, box = event.target.getBoundingClientRect();
    const at = Math.floor((event.clientY - box.top - TOP) / each), ps = from + (event.clientX - box.left - LEFT) / room * (to - from);
    if (at < 0 || at >= list.length || ps < from || ps > to) return tip(event, "");
    const row = list[at], unit = policy.time.unit;
    if (row.threads.length > 1) return tip(event, `${row.name}: ${row.threads.length} threads\n${timeText(ps - origin(policy))}`);
    const thread = row.threads[0], spans = policy.spans[thread], found = first(spans, ps / unit);
    if (found >= spans.ends.length) return tip(event, `${row.name}\nended`);
    const start = (found ? spans.ends[found - 1] : 0) * unit, [, reason, limit, creator] = policy.time.kinds[spans.kinds[found]];
    const [node, socket, board, processor] = policy.time.threads[thread];
    const phase = policy.time.phases.find((one) => one[2] <= ps && ps < one[3]);
    tip(event, [`${row.name} on processor ${processor}, node ${node}, socket ${socket}${data.boards ? `, board ${board}` : ""}`,
      `${reason}${limit ? `, limited by ${limit}` : ""}`, `from ${timeText(start - origin(policy))} for ${timeText(spans.ends[found] * unit - start)}`,
      creator === null ? "" : `task of: ${TASKS[creator][0]}`, phase ? `phase ${phase[0]}` : ""].filter(Boolean).join("\n"));
  }

  function canvas(policy) {
    const made = element("canvas", { tabindex: 0, role: "img", "aria-label": `timeline of ${policy.name}` });
    // The wheel scrolls the page; with Ctrl, which pinches of a touchpad send, it zooms, and sideways it moves.
    made.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) {
        if (Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        event.preventDefault();
        return move(event.deltaX / made.geometry.room);
      }
      event.preventDefault();
      const box = made.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / made.geometry.room)));
    }, { passive: false });
    // Where each finger or the pressed mouse is. One drags, two zoom.
    const held = new Map();
    made.addEventListener("pointerdown", (event) => { held.set(event.pointerId, event.clientX); made.setPointerCapture(event.pointerId); });
    for (const end of ["pointerup", "pointercancel"]) made.addEventListener(end, (event) => held.delete(event.pointerId));
    made.addEventListener("pointermove", (event) => {
      if (!held.has(event.pointerId)) return hover(event);
      const other = [...held].find(([pointer]) => pointer !== event.pointerId), was = held.get(event.pointerId);
      held.set(event.pointerId, event.clientX);
      if (!other) return move((was - event.clientX) / made.geometry.room);
      const box = made.getBoundingClientRect(), [before, after] = [was, event.clientX].map((x) => Math.max(10, Math.abs(x - other[1])));
      zoom(before / after, Math.min(1, Math.max(0, ((other[1] + event.clientX) / 2 - box.left - LEFT) / made.geometry.room)));
    });
    made.addEventListener("pointerleave", (event) => tip(event, ""));
    made.addEventListener("keydown", (event) => {
      const act = { "+": () => zoom(0.5, 0.5), "=": () => zoom(0.5, 0.5), "-": () => zoom(2, 0.5), 0: all, ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), Home: () => move(-1e9), End: () => move(1e9) }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    return made;
  }

  function search() {
    const words = $("find").value.trim().toLowerCase().match(/^(thread|node|socket|board|processor)?\s*(\d+)$/);
    marked = null;
    $("found").textContent = $("find").value.trim() && !words ? "such as thread 5, node 3, board 1" : "";
    if (words) {
      const kind = words[1] || "thread", number = Number(words[2]), place = { node: 0, socket: 1, board: 2, processor: 3 }[kind];
      const fits = (policy, thread) => (kind === "thread" ? thread === number : policy.time.threads[thread][place] === number);
      marked = (policy, row) => row.threads.some((thread) => fits(policy, thread));
      const count = data.policies[view.policy].time.threads.filter((_, thread) => fits(data.policies[view.policy], thread)).length;
      $("found").textContent = count ? `${count} thread${count > 1 ? "s" : ""}` : "none";
    }
    draw();
  }

  let shown = "";
  function draw() {
    const policies = chosen(), key = policies.map((policy) => policy.name).join("|");
    if (key !== shown) {
      shown = key;
      $("charts").replaceChildren(...policies.map(canvas));
    }
    [...$("charts").children].forEach((one, at) => drawOne(one, policies[at]));
    const used = new Set(policies.flatMap((policy) => policy.time.kinds.map((_, kind) => classOf(policy, kind))));
    const tasks = $("colours").value === "task";
    const found = [...new Set(policies.flatMap((policy) => policy.time.kinds.map((kind) => kind[4])))].filter((domain) => domain !== null).sort((a, b) => a - b);
    legend($("legend"), $("colours").value === "domain" ? found.map((domain) => [DOMAINS[domain % DOMAINS.length], `data on ${unitName} ${domain}`]).concat([["var(--idle)", "no data"]]) : tasks ? TASKS.map(([name, ink]) => [ink, name]).concat([["var(--idle)", "no task"]])
      : data.classes.map((one, at) => [classColour(data, at), one.name]).filter((_, at) => used.has(at)));
    const [from, to] = [window_.from * longest(), window_.to * longest()];
    $("shares").replaceChildren(...policies.map((policy) => element("span", { class: "first" }, `${policy.name}, ${timeText(from - origin(policy))} to ${timeText(Math.min(to, policy.time.long) - origin(policy))}: ${shares(policy, from, to)}. `)));
    $("grain").textContent = policies.filter((policy) => policy.time.grain).map((policy) => `${policy.name}: ${policy.time.kept} of ${policy.time.seen} spans are drawn; within ${timeText(policy.time.grain)} shorter ones are put together by kind.`).join(" ");
  }
  $("zoom-in").onclick = () => zoom(0.5, 0.5);
  $("zoom-out").onclick = () => zoom(2, 0.5);
  $("zoom-all").onclick = all;
  $("zoom-measured").onclick = measured;
  $("find").oninput = search;
  for (const id of ["level", "colours", "arrows"]) $(id).onchange = draw;
  window.addEventListener("resize", draw);
  view.redraw.push(draw);
  view.window = window_;
  measured();
}
