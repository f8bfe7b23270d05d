// Reads the data and starts every view.
(async () => {
  const data = await unpack($("data").textContent);
  const changed = data.overrides.length ? `, ${data.overrides.join(", ")}` : "";
  $("title").textContent = `${data.workload} on ${data.machine}`;
  const threads = data.policies.length ? data.policies[0].time.threads.length : 0;
  $("subtitle").textContent = `${threads} threads, ${data.nodes} NUMA nodes, seed ${data.seed}${data.runtime ? `, runtime ${data.runtime}` : ""}${data.placement ? `, pages ${data.placement}` : ""}${changed}`;
  // The error of a replay stands above its results.
  $("notes").hidden = !data.notes.length;
  $("notes").replaceChildren(...data.notes.map((note) => element("li", { class: note.startsWith("unproven") ? "first" : "" }, note)));
  const options = data.policies.map((policy, at) => element("option", { value: at }, policy.name));
  $("policy").replaceChildren(...options.map((option) => option.cloneNode(true)));
  $("other").replaceChildren(element("option", { value: -1 }, "none"), ...options);
  // One policy needs no selection.
  for (const choice of ["policy", "other"]) $(choice).parentElement.hidden = data.policies.length < 2;
  const best = data.policies.reduce((a, policy, at) => (policy.makespan < data.policies[a].makespan ? at : a), 0);
  view.policy = best;
  $("policy").value = best;
  $("policy").onchange = () => { view.policy = Number($("policy").value); redraw(); };
  $("other").onchange = () => { view.other = Number($("other").value); redraw(); };
  // The button says what a click does.
  const dark = (on) => { document.documentElement.classList.toggle("dark", on); $("dark").textContent = on ? "light page" : "dark page"; };
  dark(window.matchMedia("(prefers-color-scheme: dark)").matches);
  $("dark").onclick = () => { dark(!document.documentElement.classList.contains("dark")); redraw(); };
  if (data.policies.length) {
    startSummary(data);
    startReasons(data);
    startAdvice(data);
    startTraffic(data);
    startTopology(data);
    startData(data);
    startThreads(data);
    startSharedPages(data);
    startTimeline(data);
    redraw();
  }
  document.documentElement.dataset.ready = "yes";
})();
