// Draws the results of the planner. This computes no placements: the data has one
// for each budget of the slider and each policy.
(() => {
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const POLICIES = ["last_read", "least_traffic"];
const POLICY_NAMES = {last_read: "last-read", least_traffic: "least-traffic"};
const CLASS_NAMES = {
  arena: "arena", fixed: "fixed", gather: "gathered from", expert: "experts",
  other: "other", free: "free",
};

// --- Text ------------------------------------------------------------------

const count = d3.format(",d");
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
function formatBytes(bytes) {
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) {
    bytes /= 1024;
    ++unit;
  }
  return (unit ? bytes.toFixed(2) : String(bytes)) + " " + UNITS[unit];
}
const plural = (n, one, many = one + "s") => `${count(n)} ${n === 1 ? one : many}`;
const formatMs = (seconds) => (seconds * 1e3).toFixed(2) + " ms";

// --- Uploads and terms -----------------------------------------------------

let running = 0;
const uploads = data.uploads.map(
  ([name, shape, format, matrixClass, bytes, lastRead, stepBytes], rank) => ({
    id: `upload-${rank}`, rank, name, shape, format, matrixClass, bytes, lastRead,
    stepBytes, total: (running += bytes),
  }));
// Resident terms, in pool order.
const resident = data.terms.filter((term) => term.resident).map((term) => ({
  id: `term-${term.name.replaceAll(" ", "-")}`, name: term.name, content: term.content,
  matrixClass: term.part ? "fixed" : "arena", bytes: term.bytes,
})).filter((item) => item.bytes > 0);

// Which uploads a point's policy keeps on the host, by rank.
function readSpaces(point, policy) {
  const spaces = new Uint8Array(uploads.length);
  const {moved, host} = point[policy];
  if (host === undefined)
    return spaces.fill(1, 0, moved);
  for (let rank = 0; rank < spaces.length; ++rank)
    spaces[rank] = parseInt(host[rank >> 2], 16) >> (rank & 3) & 1;
  return spaces;
}

const state = {
  index: data.start, policy: data.policy, spaces: null,
  get point() { return data.points[this.index]; },
  get placement() { return this.point[this.policy]; },
};

function describe(item) {
  if (item.rank === undefined)
    return `${item.name}\n${count(item.bytes)} bytes, ${formatBytes(item.bytes)}` +
      `\n${item.content}; never moves`;
  return `${item.name}\n${item.shape} in ${item.format}, ${item.matrixClass}` +
    `\n${count(item.bytes)} bytes, ${formatBytes(item.bytes)}` +
    `\nrank ${item.rank}, last read by launch ${item.lastRead}` +
    `\n${formatBytes(item.stepBytes)} of it read per step` +
    `\non the ${state.spaces[item.rank] ? "host" : "device 0"}`;
}

// --- The maps --------------------------------------------------------------

const ROW_HEIGHT = 18, ROW_STEP = 22;
// Cached per window size, since reading it forces a layout.
let mapWidth = 0;
const totalBytes = data.points[data.points.length - 1].budget;
// A power of two, so that there are at most 24 rows.
let rowBytes = 256;
while (totalBytes / rowBytes > 24)
  rowBytes *= 2;

// The outline of bytes [start, end), which may span several rows.
function outline(start, end) {
  let path = "";
  for (let row = Math.floor(start / rowBytes); row * rowBytes < end; ++row) {
    const from = Math.max(start - row * rowBytes, 0) / rowBytes * mapWidth;
    const to = Math.min(end - row * rowBytes, rowBytes) / rowBytes * mapWidth;
    path += `M${from.toFixed(2)} ${row * ROW_STEP}H${to.toFixed(2)}` +
      `v${ROW_HEIGHT}H${from.toFixed(2)}z`;
  }
  return path;
}

function makeMap(id) {
  const svg = d3.select(`#${id}`);
  const map = {svg, items: [], active: null};
  const tooltip = byId("tooltip");
  function place(x, y) {
    tooltip.hidden = false;
    const left = Math.min(x + 12, document.documentElement.clientWidth - tooltip.offsetWidth - 8);
    tooltip.style.left = `${Math.max(left, 8) + window.scrollX}px`;
    tooltip.style.top = `${y + 16 + window.scrollY}px`;
  }
  map.leave = () => {
    map.active = null;
    svg.attr("aria-activedescendant", null).selectAll("path.active")
      .classed("active", false).attr("aria-selected", "false");
    tooltip.hidden = true;
  };
  map.show = (item, node, x, y) => {
    map.leave();
    map.active = item;
    d3.select(node).classed("active", true).attr("aria-selected", "true");
    svg.attr("aria-activedescendant", node.id);
    tooltip.textContent = describe(item);
    place(x, y);
  };
  const point = (event) => {
    const item = d3.select(event.target).datum();
    if (event.target.tagName !== "path" || !item)
      map.leave();
    else if (item !== map.active)
      map.show(item, event.target, event.clientX, event.clientY);
    else
      place(event.clientX, event.clientY);
  };
  svg.on("pointermove pointerdown", point)
    .on("pointerleave blur", map.leave)
    .on("keydown", (event) => {
      const at = map.items.indexOf(map.active);
      const last = map.items.length - 1;
      const to = {
        ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
        PageDown: at + 10, PageUp: at - 10, Home: 0, End: last,
      }[event.key];
      if (event.key === "Escape")
        map.leave();
      if (to === undefined || last < 0)
        return;
      event.preventDefault();
      const item = map.items[Math.max(0, Math.min(last, to))];
      const node = byId(item.id);
      node.scrollIntoView({block: "nearest"});
      const box = node.getBoundingClientRect();
      map.show(item, node, box.left, box.bottom);
    });
  return map;
}
const deviceMap = makeMap("device-map"), hostMap = makeMap("host-map");

// Draws `items` consecutively, and the free bytes up to `room`.
function drawMap(map, items, room) {
  map.leave();
  map.items = items;
  let end = 0;
  const starts = items.map((item) => (end += item.bytes) - item.bytes);
  const rows = Math.max(Math.ceil(Math.max(end, room) / rowBytes), 1);
  map.svg.style("height", `${rows * ROW_STEP}px`);
  map.svg.selectAll("path.free").data(room > end ? [0] : []).join(
    (enter) => enter.insert("path", ":first-child").attr("class", "free")
      .attr("role", "presentation"))
    .datum(null).attr("d", outline(end, room));
  map.svg.selectAll("path:not(.free)").data(items, (item) => item.id).join(
    (enter) => enter.append("path").attr("id", (item) => item.id).attr("role", "option")
      .attr("aria-selected", "false")
      .attr("aria-label", (item) => `${item.name}, ${item.matrixClass}, ${formatBytes(item.bytes)}`)
      .attr("class", (item) => item.matrixClass + (item.rank % 2 ? " odd" : "")))
    .order()
    .attr("d", (item, i) => outline(starts[i], starts[i] + item.bytes));
}

function drawMaps() {
  const {spaces, point, placement} = state;
  drawMap(deviceMap, resident.concat(uploads.filter((item) => !spaces[item.rank])),
    point.budget - (placement.page_table_bytes ?? 0));
  drawMap(hostMap, uploads.filter((item) => spaces[item.rank]), 0);
}

// --- The curve -------------------------------------------------------------

const curve = d3.select("#curve");
const STEPS = {
  last_read: (point) => point.last_read.host_step_bytes,
  least_traffic: (point) => point.least_traffic.host_step_bytes,
  bound: (point) => point.bound_host_step_bytes,
};
let scaleX, scaleY;

// Ticks at round numbers in the unit of the largest.
function binaryAxis(axis, scale, ticks) {
  const [low, high] = scale.domain();
  const power = Math.min(Math.floor(Math.log2(Math.max(high, 1)) / 10), UNITS.length - 1);
  const unit = 1024 ** power;
  return axis.tickValues(d3.ticks(low / unit, high / unit, ticks).map((tick) => tick * unit))
    .tickFormat((bytes) => `${d3.format("~g")(bytes / unit)} ${UNITS[power]}`);
}

function drawCurve() {
  const {clientWidth: width, clientHeight: height} = curve.node();
  const [least, whole] = [data.points[0].budget, totalBytes];
  scaleX = d3.scaleLinear([least, Math.max(whole, least + 1)], [76, width - 16]);
  scaleY = d3.scaleLinear([0, d3.max(data.points, STEPS.last_read) || 1], [height - 44, 12]);
  curve.selectAll("g, path").remove();
  curve.append("g").attr("aria-hidden", "true")
    .attr("transform", `translate(0,${height - 44})`)
    .call(binaryAxis(d3.axisBottom(scaleX), scaleX, Math.max(2, width / 140)))
    .append("text").attr("x", width - 16).attr("y", 36).attr("text-anchor", "end")
    .text("budget on the device");
  curve.append("g").attr("aria-hidden", "true").attr("transform", "translate(76,0)")
    .call(binaryAxis(d3.axisLeft(scaleY), scaleY, 6));
  for (const [name, value] of Object.entries(STEPS))
    curve.append("path").attr("class", `line ${name}`).attr("d", d3.line(
      (point) => scaleX(point.budget), (point) => scaleY(value(point)))(data.points));
  curve.append("g").attr("class", "here");
}

function drawMarker() {
  const {point} = state;
  const x = scaleX(point.budget);
  const here = curve.select("g.here");
  here.selectAll("line").data([x]).join("line").attr("class", "marker")
    .attr("x1", x).attr("x2", x).attr("y1", scaleY.range()[0]).attr("y2", scaleY.range()[1]);
  here.selectAll("circle").data(POLICIES).join("circle").attr("class", "dot").attr("cx", x)
    .attr("cy", (policy) => scaleY(STEPS[policy](point)))
    .attr("r", (policy) => policy === state.policy ? 6 : 4);
}

function pickBudget(event) {
  const [x] = d3.pointer(event, curve.node());
  setIndex(d3.bisector((point) => point.budget).center(data.points, scaleX.invert(x)));
}
curve.on("pointerdown", pickBudget)
  .on("pointermove", (event) => event.buttons & 1 && pickBudget(event));

// --- Values and tables -----------------------------------------------------

function drawValues() {
  const {point, placement} = state;
  const text = formatBytes(point.budget);
  byId("budget-text").value = text;
  byId("budget").setAttribute("aria-valuetext", text);
  const optimality = point[state.policy].exact ? "proven optimal"
    : `lower bound ${formatBytes(point.bound_host_step_bytes)}`;
  const stay = uploads.length - placement.moved;
  const tableBytes = placement.page_table_bytes ?? 0;
  const isRefused = placement.host_bytes > (data.host_limit_bytes ?? Infinity);
  const values = [
    ["device", "on the device", placement.device_bytes, `${plural(stay, "upload")} stay`],
    ["host", "on the host", placement.host_bytes, isRefused
      ? `refused: the limit is ${formatBytes(data.host_limit_bytes)}`
      : `${plural(placement.moved, "upload")} move`],
    ["step", "read from the host per step", placement.host_step_bytes, optimality],
    ["left", "left over", point.budget - placement.device_bytes - tableBytes, "of the budget"],
  ].map(([id, name, bytes, note]) => ({id, name, value: formatBytes(bytes), bytes, note}));
  if (placement.page_table_bytes !== undefined)
    values.splice(1, 0, {
      id: "tables", name: "page tables", value: formatBytes(tableBytes), bytes: tableBytes,
      note: "on the device, for the host's part",
    });
  if (placement.step_seconds !== undefined)
    values.push({
      id: "time", name: "time of the reads of a step", value: formatMs(placement.step_seconds),
      bytes: placement.step_seconds, note: `estimated for ${data.device.name}`,
    });
  const cards = d3.select("#values").selectAll("div").data(values).join((enter) => {
    const card = enter.append("div");
    card.append("dt");
    card.append("dd").attr("id", (value) => `value-${value.id}`)
      .call((dd) => dd.append("span")).append("small");
    return card;
  });
  cards.select("dt").text((value) => value.name);
  cards.select("dd").attr("data-value", (value) => value.bytes);
  cards.select("span").text((value) => value.value);
  cards.select("small").text((value) => value.note);
  byId("device-note").textContent =
    `${formatBytes(placement.device_bytes)} of a budget of ${text}`;
  byId("host-note").textContent = placement.moved ? formatBytes(placement.host_bytes)
    : "nothing moves";
  byId("status").textContent = `${text}: ${plural(placement.moved, "upload")} move, ` +
    `${formatBytes(placement.host_step_bytes)} read from the host per step`;
}

function makeTables() {
  const terms = d3.select("#terms tbody").selectAll("tr").data(data.terms).join("tr")
    .classed("part", (term) => term.part);
  terms.append("th").attr("scope", "row").text((term) => term.name);
  terms.append("td").attr("class", "number").text((term) => count(term.bytes));
  terms.append("td").attr("class", "number").text((term) => formatBytes(term.bytes));
  terms.append("td").text((term) => term.content);

  const rows = d3.select("#matrices tbody").selectAll("tr").data(uploads).join("tr");
  const add = (kind, text) => rows.append("td").attr("class", kind).text(text);
  add("number", (item) => item.rank);
  rows.append("th").attr("scope", "row").text((item) => item.name);
  add(null, (item) => item.matrixClass);
  add("space", "");
  add(null, (item) => item.shape);
  add(null, (item) => item.format);
  add("number", (item) => count(item.bytes));
  add("number", (item) => count(item.total));
  add("number", (item) => item.lastRead);
  add("number", (item) => count(item.stepBytes));
  byId("shares").textContent = data.shares.map(
    ([alias, owner]) => `${alias} shares the upload of ${owner}`).join("; ");
  return rows;
}
const rows = makeTables();

const spaceCells = rows.select(".space").nodes();
function drawSpaces(before) {
  const {spaces} = state;
  rows.each(function (item) {
    if (before && before[item.rank] === spaces[item.rank])
      return;
    this.classList.toggle("host", spaces[item.rank]);
    spaceCells[item.rank].textContent = spaces[item.rank] ? "host" : "device 0";
  });
}

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  rows.each(function (item) {
    const text = `${item.name} ${item.matrixClass} ${item.format} ` +
      (state.spaces[item.rank] ? "host" : "device 0");
    this.hidden = !words.every((word) => text.toLowerCase().includes(word));
    found += !this.hidden;
  });
  byId("found").textContent = `${count(found)} of ${plural(uploads.length, "matrix", "matrices")}`;
}

// --- Updates ---------------------------------------------------------------

function draw() {
  const before = state.spaces;
  state.spaces = readSpaces(state.point, state.policy);
  drawValues();
  drawMaps();
  drawMarker();
  drawSpaces(before);
  if (!before || byId("search").value)
    search();
}

function setIndex(index) {
  state.index = index;
  byId("budget").value = index;
  draw();
}

function makeLegends() {
  const classes = d3.select("#legend").selectAll("span")
    .data(Object.keys(CLASS_NAMES)).join("span");
  classes.append("svg").attr("width", 14).attr("height", 14).attr("aria-hidden", "true")
    .append("rect").attr("width", 14).attr("height", 14).attr("class", (name) => name);
  classes.append("span").text((name) => CLASS_NAMES[name]);
  const lines = d3.select("#curve-legend").selectAll("span")
    .data(Object.keys(STEPS)).join("span");
  lines.append("svg").attr("width", 28).attr("height", 10).attr("aria-hidden", "true")
    .append("path").attr("d", "M0 5H28").attr("class", (name) => `line ${name}`);
  lines.append("span").text((name) => POLICY_NAMES[name] || "bound");
  byId("scale").textContent = `Both to the same scale: a full row is ${formatBytes(rowBytes)}.`;
  byId("forms").textContent = data.forms.map((form) =>
    `${form.name}: ${form.kind}, ${plural(form.rows, "row")}, ` +
    `${plural(form.launches, "launch", "launches")}`).join("; ");
  byId("least").textContent = `${formatBytes(data.points[0].budget)}, the smallest possible`;
  byId("whole").textContent = `${formatBytes(totalBytes)}, where nothing moves`;
  byId("times").textContent = data.device.memory_bytes_per_second
    ? `Times only include reads, at ${formatBytes(data.device.memory_bytes_per_second)} per second ` +
      `from the device and ${formatBytes(data.device.link_bytes_per_second)} per second from the ` +
      `host: ${data.device.name}.` : "";
}

byId("budget").max = data.points.length - 1;
byId("budget").addEventListener("input", (event) => setIndex(Number(event.target.value)));
for (const radio of document.getElementsByName("policy")) {
  radio.checked = radio.value === state.policy;
  radio.addEventListener("change", () => {
    state.policy = radio.value;
    draw();
  });
}
byId("search").addEventListener("input", search);
function measure() {
  mapWidth = byId("device-map").clientWidth;
  drawCurve();
}
makeLegends();
measure();
setIndex(state.index);
let seenWidth = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (seenWidth === document.documentElement.clientWidth)
    return;
  seenWidth = document.documentElement.clientWidth;
  measure();
  drawMaps();
  drawMarker();
});
})();
