// Policies beside each other: a row for each, chosen by a click or by Enter.
function startSummary(data) {
  const shares = [["compute", classColour(data, 0)], ["memory", MEMORY], ["overhead", OVERHEAD], ["idle", IDLE]];
  const alone = data.policies.some((policy) => policy.memoryOnly > 0);
  const distances = [["local", OF_DISTANCE.node], ["near", OF_DISTANCE.board], ["remote", OF_DISTANCE.machine], ...(alone ? [["memoryOnly", OF_DISTANCE.memoryOnly]] : [])];
  const named = (name) => name === "memoryOnly" ? "memory only" : name;
  const bar = (policy, parts) => element("span", { class: "share", role: "img",
    "aria-label": parts.map(([name]) => `${named(name)} ${percent(policy[name])}`).join(", "),
    title: parts.map(([name]) => `${named(name)} ${percent(policy[name])}`).join(", ") },
  ...parts.map(([name, colour]) => element("i", { style: `width:${100 * policy[name]}%;background:${colour}` })));
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
    // Answers first: the best policy, what limits it and the selected one, changes to try.
    const several = data.policies.length > 1, lines = [];
    lines.push(several ? ["best", `${winner.name}: ${timeText(best)}`] : ["time", `${winner.name}: ${timeText(best)}`]);
    const limits = (policy) => policy.lost
      ? `waiting for ${policy.lost.name}, ${percent(policy.lost.share)} of the threads' time${policy.lost.resource ? ` (worst at ${policy.lost.resource})` : ""}`
      : `next to nothing: the threads compute for ${percent(policy.compute)} of their time`;
    lines.push([several ? "what limits it" : "what limits it most", limits(winner)]);
    if (policy !== winner) lines.push(["what limits " + policy.name, [limits(policy), ...policy.findings].join(". ")]);
    else if (policy.findings.length) lines.push(["what is found", policy.findings.join(" ")]);
    if (policy !== winner) lines.push(["what to change", `${winner.name} in place of ${policy.name}: ${timeText(best)}, ${percent(1 - best / policy.makespan)} less`]);
    // Changes come with the best first.
    const advice = data.blame[view.policy] && data.blame[view.policy].advice[0];
    if (advice && advice[2] >= 0.03) lines.push(["what to change", `${advice[0]}: ${timeText(advice[1])}, ${percent(advice[2])} less (${advice[3]})`]);
    $("policies-said").hidden = !several;
    $("verdict").replaceChildren(...lines.flatMap(([about, said], at) => [element("dt", {}, about), element("dd", { class: at === 0 ? "first" : "" }, said)]));
  };
  view.redraw.push(draw);
}
