// The machine: nodes in their boards, links as lines, coloured by their present traffic.
function startTopology(data) {
  const most = 64;
  function draw() {
    const box = $("topology"), nodes = data.nodes;
    if (!nodes || nodes > most) {
      box.replaceChildren(element("p", { class: "soft" }, `The machine has ${nodes} nodes: too many for a drawing. The table below says which links are busy.`));
      return;
    }
    const boards = data.boards || 1, each = nodes / boards, across = Math.ceil(Math.sqrt(boards)), inside = Math.ceil(Math.sqrt(each));
    const cell = 44, board = inside * cell + 26, gap = boards > 1 ? 70 : 0, down = Math.ceil(boards / across);
    const corner = (at) => [30 + (at % across) * (board + gap), 30 + Math.floor(at / across) * (board + gap)];
    const place = new Map();
    const middle = (unit) => {
      const words = unit.match(/(\w+) (\d+)$/);
      if (!words) return null;
      const [, kind, text] = words, at = Number(text);
      if (kind === "board") { const [x, y] = corner(at); return [x + board / 2, y + board / 2, unit.startsWith("board") ? "board" : "hub"]; }
      const perSocket = data.sockets ? nodes / data.sockets : 1, node = kind === "socket" ? at * perSocket : kind === "node" ? at : NaN;
      return place.get(Math.floor(node)) || null;
    };
    const shapes = [], labels = [];
    for (let at = 0; at < boards; at++) {
      const [x, y] = corner(at);
      if (boards > 1) {
        shapes.push(element("rect", { x, y, width: board, height: board, fill: "none", stroke: "var(--line)", rx: 4 }));
        labels.push(element("text", { x: x + 4, y: y + board - 5 }, `board ${at}`));
      }
      for (let inner = 0; inner < each; inner++) place.set(at * each + inner, [x + 13 + (inner % inside + 0.5) * cell, y + 9 + (Math.floor(inner / inside) + 0.5) * cell, "node"]);
    }
    const name = (one, part) => `${one.name}: ${percent(part)} of ${rateText(one.capacity)}`;
    const links = view.resources().filter((one) => one.kind === "link").map((one) => ({ one, part: view.part(one.parts) })).sort((a, b) => a.part - b.part);
    for (const { one, part } of links) {
      const from = middle(one.from), to = middle(one.to);
      if (!from || !to) continue;
      const long = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, bend = 5 + (from[2] === "board" ? long * 0.08 : 0);
      // Each direction bends to its own side.
      const x = (from[0] + to[0]) / 2 - (to[1] - from[1]) / long * bend, y = (from[1] + to[1]) / 2 + (to[0] - from[0]) / long * bend;
      const path = element("path", { d: `M${from[0]} ${from[1]}Q${x} ${y} ${to[0]} ${to[1]}`, fill: "none", stroke: heat(part), "stroke-width": 1.5 + 4 * Math.sqrt(part), "stroke-linecap": "round" }, element("title", {}, name(one, part)));
      shapes.push(path);
    }
    const memories = new Map(view.resources().filter((one) => one.kind === "memory").map((one) => [one.from, one]));
    for (const [node, [x, y]] of place) {
      const one = memories.get(`node ${node}`), part = one ? view.part(one.parts) : 0;
      shapes.push(element("rect", { x: x - 15, y: y - 12, width: 30, height: 24, rx: 4, fill: one ? heat(part) : "var(--raised)", stroke: "var(--ink)" }, element("title", {}, one ? name(one, part) : `node ${node}: unused`)));
      const text = element("text", { x, y: y + 4, "text-anchor": "middle" }, String(node));
      text.style.fill = part > 0.3 || !one ? "#111" : "#fff";
      if (!one) text.style.fill = "var(--ink)";
      labels.push(text);
    }
    const width = 60 + across * board + (across - 1) * gap, height = 60 + down * board + (down - 1) * gap;
    box.replaceChildren(element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "the machine, coloured by traffic" }, ...shapes, ...labels));
  }
  view.drawTopology = draw;
  view.redraw.push(draw);
}
