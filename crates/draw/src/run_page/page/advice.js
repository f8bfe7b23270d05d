// Simulated changes, and the time recovered if one thing were ideal.
function startAdvice(data) {
  const draw = () => {
    const blame = data.blame[view.policy], any = blame && (blame.advice.length || blame.ideals.length);
    $("advice").hidden = !any;
    if (!any) return;
    const numbers = (head, numeric) => element("thead", {}, element("tr", {}, ...head.map((name, at) => element("th", { class: numeric.includes(at) ? "number" : "" }, name))));
    const advice = blame.advice.map(([change, makespan, gain, how]) => element("tr", {}, element("td", {}, change),
      element("td", { class: "number" }, timeText(makespan)), element("td", { class: "number" }, "-" + percent(gain)), element("td", {}, element("code", {}, how))));
    $("changes").replaceChildren(numbers(["change", "time", "gain", "how to try it"], [1, 2]), element("tbody", {}, ...advice));
    const ideals = blame.ideals.map(([name, share, alone, words]) => element("tr", {}, element("td", {}, name),
      element("td", { class: "number" }, percent(share / blame.makespan)), element("td", { class: "number" }, percent(alone / blame.makespan)), element("td", {}, words)));
    $("ideals").replaceChildren(numbers(["lost to", "its share", "alone", "that is"], [1, 2]), element("tbody", {}, ...ideals));
  };
  view.redraw.push(draw);
}
