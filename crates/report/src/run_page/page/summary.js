// Policies beside each other: a row for each, chosen by a click or by Enter.
function startSummary(data) {
  const shares = [["compute", 0], ["memory", 5], ["overhead", 6], ["idle", 7]];
  const alone = data.policies.some((policy) => policy.memoryOnly > 0);
  const distances = [["local", 2], ["near", 4], ["remote", 5], ...(alone ? [["memoryOnly", 3]] : [])];
  const named = (name) => name === "memoryOnly" ? "memory only" : name;
  const bar = (policy, parts) => element("span", { class: "share", role: "img",
    "aria-label": parts.map(([name]) => `${named(name)} ${percent(policy[name])}`).join(", "),
    title: parts.map(([name]) => `${named(name)} ${percent(policy[name])}`).join(", ") },
  ...parts.map(([name, at]) => element("i", { style: `width:${100 * policy[name]}%;background:${name === "idle" ? "var(--idle)" : data.classes[at].colour}` })));
  const best = Math.min(...data.policies.map((policy) => policy.makespan));
  const names = ["policy", "time", "of the best", "compute, memory, overhead, idle", `data: local, near, far${alone ? ", memory only" : ""}`, "waits most for", "share", "when"];
  const draw = () => {
    const rows = data.policies.map((policy, at) => {
      const choose = () => { view.policy = at; $("policy").value = at; redraw(); };
      const cells = [
        element("td", {}, policy.name, ...(policy.makespan === best && data.policies.length > 1 ? [element("span", { class: "best" }, "best")] : [])), element("td", { class: "number" }, timeText(policy.makespan)),
        element("td", { class: "number" }, policy.ratio.toFixed(2)),
        element("td", {}, bar(policy, shares)), element("td", {}, bar(policy, distances)),
        element("td", {}, policy.lost ? policy.lost.name : ""),
        element("td", { class: "number" }, policy.lost ? percent(policy.lost.share) : ""),
        element("td", {}, policy.lost ? policy.lost.when : "")];
      if (policy.lost && policy.lost.resource) cells[5].append(element("span", { class: "soft place" }, `worst at ${policy.lost.resource}`));
      return element("tr", { tabindex: 0, class: at === view.policy ? "chosen" : "", onclick: choose,
        onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } }, ...cells);
    });
    const head = names.map((name, at) => element("th", { class: [1, 2, 6].includes(at) ? "number" : "" }, name));
    $("policies").replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
    const policy = data.policies[view.policy];
    const winner = data.policies.find((other) => other.makespan === best);
    const lines = [data.policies.length > 1 ? `${winner.name} is best: ${timeText(best)}.` : `${winner.name} takes ${timeText(best)}.`];
    if (policy !== winner) {
      if (winner.lost) lines.push(`What limits it most is waiting for ${winner.lost.name}: ${percent(winner.lost.share)} of its threads' time.`);
      lines.push(`${policy.name} takes ${policy.ratio.toFixed(2)} times as long.`);
    }
    if (policy.lost) lines.push(`Under ${policy.name} the threads lose most to waiting for ${policy.lost.name}: ${percent(policy.lost.share)} of their time.`);
    else lines.push(`Under ${policy.name} the threads lose next to nothing: they compute for ${percent(policy.compute)} of their time.`);
    // Changes come with the best first.
    const advice = data.blame[view.policy] && data.blame[view.policy].advice[0];
    if (advice && advice[2] >= 0.03) lines.push(`What gains most is ${advice[0]}: ${timeText(advice[1])}, ${percent(advice[2])} less (${advice[3]}).`);
    $("verdict").replaceChildren(...lines.concat(policy.findings).map((line) => element("span", { class: line === lines[0] ? "first" : "" }, line + " ")));
  };
  view.redraw.push(draw);
}
