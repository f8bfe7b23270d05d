// Reasons of the threads' time: bars of all policies, and a tree of the selected one that can be sorted.

function startReasons(data) {
  if (!data.blame.some(Boolean)) return;
  $("reasons").hidden = false;
  const PARTS = ["phase", "waits for", "region", "home", "resource"];
  const OWN = 5, WAITED = 6, PATH = 7;
  const COLUMNS = [["share of the threads' time", (sum) => sum[0] + sum[1]], ["own time", (sum) => sum[0]],
    ["waits of others", (sum) => sum[1]], ["of the critical path", (sum) => sum[2]]];
  let order = 0, descending = true;
  const open = new Set();

  // Reasons of one colour are one part of a bar. Computing comes first, what is left to wait for last.
  const parts = new Map();
  for (const blame of data.blame.filter(Boolean)) {
    for (const row of blame.rows) {
      const colour = reasonColour(row[1]), part = parts.get(colour) || { colour, names: new Set(), sum: 0 };
      parts.set(colour, part);
      part.names.add(row[1]);
      part.sum += (row[OWN] + row[WAITED]) / blame.whole;
    }
  }
  const rank = ({ colour }) => (colour === OF_REASON.computing ? 0 : colour === IDLE ? 2 : 1);
  const shown = [...parts.values()].sort((a, b) => rank(a) - rank(b) || b.sum - a.sum);
  const names = shown.map((part) => (part.names.size > 1 ? TOGETHER[part.colour] : [...part.names][0]));
  const place = (name) => shown.findIndex((part) => part.names.has(name));

  function drawBars() {
    const longest = Math.max(...data.policies.map((policy) => policy.makespan));
    const rows = data.policies.map((policy, at) => {
      const blame = data.blame[at];
      if (!blame) return null;
      const sums = names.map(() => 0);
      for (const row of blame.rows) sums[place(row[1])] += (row[OWN] + row[WAITED]) / blame.whole;
      const told = names.map((name, n) => `${name} ${percent(sums[n])}`).filter((text, n) => sums[n] > 0).join(", ");
      const bar = element("span", { class: "reasons-bar", role: "img", "aria-label": told, title: told,
        style: `width:${100 * policy.makespan / longest}%` },
      ...sums.map((sum, n) => element("i", { style: `width:${100 * sum}%;background:${shown[n].colour}` })));
      const choose = () => { view.policy = at; $("policy").value = at; redraw(); };
      return element("tr", { class: at === view.policy ? "chosen" : "", onclick: choose },
        element("td", {}, policy.name), element("td", { class: "number" }, timeText(policy.makespan)), element("td", { class: "reasons-cell" }, bar));
    });
    $("reasons-bars").replaceChildren(element("tbody", {}, ...rows.filter(Boolean)));
    legend($("reasons-legend"), names.map((name, n) => [shown[n].colour, name]));
  }

  // Rows under a path of names, each with its sums, in the chosen order.
  function children(rows, depth) {
    const groups = new Map();
    for (const row of rows) {
      const name = row[depth];
      const group = groups.get(name) || { name, rows: [], sum: [0, 0, 0] };
      group.rows.push(row);
      [OWN, WAITED, PATH].forEach((from, at) => { group.sum[at] += row[from]; });
      groups.set(name, group);
    }
    const key = order < COLUMNS.length ? (group) => COLUMNS[order][1](group.sum) : (group) => group.name;
    const sign = descending ? -1 : 1;
    return [...groups.values()].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
  }

  function drawTree() {
    const blame = data.blame[view.policy];
    const body = element("tbody", {});
    $("reasons-tree").hidden = !blame;
    $("reasons-said").textContent = blame ? blame.said : "";
    if (!blame) return;
    const add = (rows, depth, path) => {
      for (const group of children(rows, depth)) {
        const key = path + "/" + group.name, inner = depth + 1 < PARTS.length && group.rows.some((row) => row[depth + 1] !== "");
        // Groups without a name are replaced by their content.
        if (group.name === "") { if (inner) add(group.rows, depth + 1, key); continue; }
        const at = open.has(key), toggle = () => { if (at) open.delete(key); else open.add(key); drawTree(); };
        const focus = () => { const again = [...$("reasons-tree").querySelectorAll("tr")].find((row) => row.dataset.key === key); if (again) again.focus(); };
        const keys = (event) => {
          const act = event.key === "Enter" || event.key === " " || (event.key === "ArrowRight" && !at) || (event.key === "ArrowLeft" && at);
          if (act && inner) { event.preventDefault(); toggle(); focus(); }
        };
        const mark = inner ? (at ? "\u25be " : "\u25b8 ") : "\u2003";
        const row = element("tr", inner ? { tabindex: 0, onclick: toggle, onkeydown: keys, "aria-expanded": at, "aria-level": depth + 1 } : {},
          element("td", { style: `padding-left:${0.7 + 1.1 * depth}rem` }, mark + group.name),
          ...COLUMNS.map(([, value], n) => {
            const part = value(group.sum) / (n === 3 ? blame.makespan : blame.whole);
            return element("td", { class: "number" }, n === 0 ? element("span", { class: "amount", style: `width:${4 * part}rem` }) : "", part > 0 ? percent(part) : "");
          }));
        row.dataset.key = key;
        body.append(row);
        if (at && inner) add(group.rows, depth + 1, key);
      }
    };
    add(blame.rows, 0, "");
    const heads = [PARTS.join(", "), ...COLUMNS.map(([name]) => name)].map((name, at) => {
      const column = at === 0 ? COLUMNS.length : at - 1;
      const sort = () => { if (order === column) descending = !descending; else { order = column; descending = at > 0; } drawTree(); };
      const press = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); } };
      const arrow = order === column ? (descending ? " \u25bc" : " \u25b2") : "";
      return element("th", { class: at ? "number" : "", tabindex: 0, onclick: sort, onkeydown: press,
        "aria-sort": order === column ? (descending ? "descending" : "ascending") : "none" }, name + arrow);
    });
    $("reasons-tree").replaceChildren(element("thead", {}, element("tr", {}, ...heads)), body);
  }

  // At first the phases that matter are open.
  for (const blame of data.blame.filter(Boolean)) {
    for (const phase of children(blame.rows, 0)) if (phase.sum[0] + phase.sum[1] > 0.1 * blame.whole) open.add("/" + phase.name);
  }
  $("reasons-open").onclick = () => {
    const blame = data.blame[view.policy];
    if (blame) blame.rows.forEach((row) => PARTS.slice(0, -1).forEach((_, at) => open.add("/" + row.slice(0, at + 1).join("/"))));
    drawTree();
  };
  $("reasons-close").onclick = () => { open.clear(); drawTree(); };
  view.redraw.push(drawBars, drawTree);
}
