// Shared by all views: the data, numbers in words, colours, the selection.
const $ = (id) => document.getElementById(id);
const view = { policy: 0, other: -1, redraw: [] };

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// Steps of a series, as fractions of its maximum.
const FIRST = "$".charCodeAt(0), STEPS = 89;
function series(text) {
  return Float32Array.from(text, (c) => ((c === "~" ? 92 : c.charCodeAt(0)) - FIRST) / STEPS);
}

// Spans of every thread: ends in units of time, and kinds.
function spansOf(time) {
  const bytes = Uint8Array.from(atob(time.spans), (c) => c.charCodeAt(0));
  let at = 0;
  const next = () => {
    let value = 0, weight = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * weight; weight *= 128; } while (byte > 127);
    return value;
  };
  return time.threads.map(() => {
    const count = next(), ends = new Float64Array(count), kinds = new Uint32Array(count);
    for (let i = 0, end = 0; i < count; i++) { end += next(); ends[i] = end; kinds[i] = next(); }
    return { ends, kinds };
  });
}

function timeText(ps) {
  // Times are whole picoseconds; fractions are rounding errors.
  if (Math.abs(ps) < 0.5) return "0 s";
  const [unit, size] = [["s", 1e12], ["ms", 1e9], ["us", 1e6], ["ns", 1e3], ["ps", 1]].find((u) => Math.abs(ps) >= u[1]) || ["ps", 1];
  return Number((ps / size).toPrecision(4)) + " " + unit;
}
function rateText(rate) {
  const [unit, size] = [["TB/s", 1e12], ["GB/s", 1e9], ["MB/s", 1e6], ["kB/s", 1e3], ["B/s", 1]].find((u) => rate >= u[1]) || ["B/s", 1];
  return Number((rate / size).toPrecision(3)) + " " + unit;
}
function bytesText(bytes) { return rateText(bytes).slice(0, -2); }
const percent = (part) => (part > 0 && part < 0.005 ? "<1" : Math.round(part * 100)) + "%";

// From dark violet over green to yellow: lightness alone tells the order (viridis).
const STOPS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
// Most parts are small: the square root separates their colours.
function heat(part) {
  const at = Math.sqrt(Math.min(Math.max(part, 0), 1)) * (STOPS.length - 1), low = Math.min(Math.floor(at), STOPS.length - 2);
  const mix = STOPS[low].map((c, i) => Math.round(c + (STOPS[low + 1][i] - c) * (at - low)));
  return `rgb(${mix})`;
}
// Colours by meaning, the same in every view: computing, data by its distance, waits for bandwidth, the runtime, nothing to do.
// Those that the ground hides change with it, and are variables of the style.
const OF_DISTANCE = { node: "#009e73", socket: "#f0e442", board: "#e69f00", machine: "#d55e00", memoryOnly: "#a6761d" };
const MEMORY = "#cc79a7", LINKS = "#6a3d9a", PAGES = "#8c564b", OVERHEAD = "var(--overhead)", IDLE = "var(--idle)";
const OF_REASON = {
  computing: "#0072b2", caches: "#56b4e9", "local latency": OF_DISTANCE.node, "latency in the socket": OF_DISTANCE.socket,
  "latency on the board": OF_DISTANCE.board, "latency of far memory": OF_DISTANCE.machine, "memory bandwidth": MEMORY,
  "shared pages": PAGES, "page faults": PAGES, "moves of pages": PAGES, "address space": PAGES, scanner: PAGES,
  runtime: OVERHEAD, "a lock or turn": OVERHEAD, "lines to write": OVERHEAD, "the last thread": IDLE, "something to do": IDLE,
};
// What several reasons of one colour are called together.
const TOGETHER = { [PAGES]: "pages and address space", [OVERHEAD]: "runtime, locks and lines", [IDLE]: "waiting for other threads", [LINKS]: "links and controllers" };
// All other reasons are full links and controllers, with the names that the machine gives them.
const reasonColour = (name) => OF_REASON[name] || LINKS;
// Colour of a class of activities.
const classColour = (data, at) => (at === 7 ? IDLE : at === 6 ? OVERHEAD : data.classes[at].colour);
// A colour for a canvas, which knows no variables.
const plainColour = (colour) => (colour.startsWith("var(") ? style(colour.slice(4, -1)) : colour);
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A canvas as sharp as the screen; returns its pen, in the units of the page.
function pen(canvas, width, height) {
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.height = height + "px";
  const ink = canvas.getContext("2d");
  ink.setTransform(sharp, 0, 0, sharp, 0, 0);
  ink.clearRect(0, 0, width, height);
  return ink;
}

function tip(event, text) {
  const box = $("tip");
  box.hidden = !text;
  if (!text) return;
  box.textContent = text;
  const right = event.clientX + 350 > window.innerWidth;
  box.style.left = (right ? Math.max(0, event.clientX - box.offsetWidth - 14) : event.clientX + 14) + "px";
  box.style.top = Math.min(event.clientY + 14, window.innerHeight - box.offsetHeight - 4) + "px";
}

function element(name, attributes, ...inside) {
  const svg = ["svg", "rect", "line", "path", "text", "g", "title", "circle"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value); else made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

function legend(box, entries) {
  box.replaceChildren(...entries.map(([colour, name]) => element("span", {}, element("i", { style: `background:${colour}` }), name)));
}

// Round numbers of a range, at most this many; counted from 0.
function roundSteps(from, to, most) {
  const step = Math.pow(10, Math.floor(Math.log10((to - from) / most)));
  const wide = [1, 2, 5, 10].map((times) => times * step).find((wide) => (to - from) / wide <= most) || step * 10;
  const first = Math.ceil(from / wide), count = Math.floor(to / wide) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * wide);
}

function redraw() { view.redraw.forEach((draw) => draw()); }
