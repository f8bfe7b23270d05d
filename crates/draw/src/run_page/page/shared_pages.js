// Pages that nodes share in software, under the chosen policy: tables, and faults by page and node.
function startSharedPages(data) {
  if (!data.policies.some((policy) => policy.sharedPages)) return;
  $("shared-pages").hidden = false;
  const draw = () => {
    const shared = data.policies[view.policy].sharedPages, parts = [];
    for (const { title, head, rows } of shared ? shared.tables : []) {
      const cells = (kind, row) => row.map((text, at) => element(kind, { class: at ? "number" : "" }, text));
      parts.push(element("h3", {}, title), element("div", { class: "wide" }, element("table", {},
        element("thead", {}, element("tr", {}, ...cells("th", head))),
        element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells("td", row)))))));
    }
    $("shared-tables").replaceChildren(...parts);
    $("shared-picture").innerHTML = shared && shared.svg ? shared.svg : "";
  };
  view.redraw.push(draw);
}
