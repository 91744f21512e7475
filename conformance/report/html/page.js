// The second part of the script of the HTML report, after drawing.js: draws the JSON report that the page holds as data.
// From top to bottom: the verdicts, the tables and causes of each backend (a library under test), and the list of all
// cases with a filter. A switch changes between the light and the dark theme.

const records = JSON.parse(document.getElementById("data").textContent);
const summary = records[records.length - 1];
const pageSize = 50;       // cases that the list shows at first; all numbers here are guesses that keep the page fast
const mostRows = 100;      // rows of a table
const mostCauses = 40;     // causes of a backend
const mostPictures = 4;    // pictures of a cause
const mostLookedAt = 300;  // failures of a cause that are searched for pictures that differ

// Every result of every backend, in the order of the run. The data holds a case only once for all backends.
const rows = [];
const backends = [];
const causesOf = new Map();  // from a backend's name to a set for each cause: the numbers (`place`) of its failing cases
// The kind of a result, by which the list is filtered and coloured.
function kindOf(caseRecord) {
  if (caseRecord.status === "fail") return caseRecord.expected ? "known" : "unexpected";
  if (caseRecord.status === "imprecise" || caseRecord.status === "vacuous") return "warned";
  return caseRecord.status === "pass" ? "passed" : "idle";
}
const firstAt = new Map();  // what only the first record of a case holds, by the number of the case
for (const record of records) {
  if (record.record === "run") {
    backends.push({ ...record, ...summary.backends[backends.length], cases: new Map() });
  } else if (record.record === "causes") {
    causesOf.set(record.backend, record.clusters.map((cluster) => new Set(cluster.failures)));
  } else if (record.record === undefined) {
    const backend = backends[backends.length - 1];
    const caseRecord = record.id === undefined ? { ...firstAt.get(record.place), ...record } : record;
    if (!firstAt.has(record.place)) firstAt.set(record.place, { id: record.id, case: record.case, reason: record.reason });
    const row = { backend, caseRecord, suite: caseRecord.id.slice(0, caseRecord.id.indexOf("/")), kind: kindOf(caseRecord) };
    backend.cases.set(caseRecord.place, row);
    rows.push(row);
  }
}

// Theme: the reader's choice, else the system's setting.
const store = {
  get() { try { return localStorage.getItem("deconv-cts-theme"); } catch { return null; } },
  set(theme) { try { localStorage.setItem("deconv-cts-theme", theme); } catch { /* a page from a file may have none */ } },
};
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const themeButton = element("button");
themeButton.id = "theme";
themeButton.type = "button";
function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme === undefined ? systemIsDark.matches : theme === "dark";
}
function showTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  themeButton.textContent = isDark() ? "Light" : "Dark";
  themeButton.title = "Use the " + (isDark() ? "light" : "dark") + " theme";
}
themeButton.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  showTheme(theme);
  store.set(theme);
});
systemIsDark.addEventListener("change", () => showTheme());
document.body.prepend(themeButton);

// Draws any table of the report.
function tableOf(table) {
  const box = element("div", "scroll");
  const node = add(box, "table", table.columns ? "" : "words");
  if (table.columns) {
    const names = add(add(node, "thead"), "tr");
    for (const column of table.columns) add(names, "th", column.number ? "number" : "", column.name).scope = "col";
  }
  const body = add(node, "tbody");
  for (const cells of table.rows.slice(0, mostRows)) {
    const row = add(body, "tr");
    cells.forEach((cell, at) => {
      const style = table.columns && table.columns[at].number ? "number" : "";
      linkedText(add(row, at === 0 ? "th" : "td", style), cell.replaceAll("\n", ", "));
    });
    row.firstChild.scope = "row";
  }
  if (table.rows.length > mostRows) add(box, "p", "note", `... and ${table.rows.length - mostRows} more`);
  return box;
}

// Adds a table with its notes and a button that lists its cases. A table with a title is folded. `listed` are the
// settings of the filter that select the cases.
function addTable(parent, table, listed) {
  let place = parent;
  if (table.title && table.rows) {
    place = add(parent, "details");
    add(place, "summary", "", table.title);
  } else if (table.title) {
    add(parent, "p", "", table.title);
  }
  if (table.rows) place.append(tableOf(table));
  for (const note of table.notes ?? []) add(place, "p", "note", note);
  if (table.cases) place.append(listButton("List these cases", listed));
}

// A button that sets the filter of the case list, through the address of the page.
function listButton(text, listed) {
  const button = element("button", "", text);
  button.type = "button";
  button.addEventListener("click", () => { location.hash = new URLSearchParams({ status: "all", ...listed }).toString(); });
  return button;
}

// Ranks the pictures of a cause from 0 to 3. A plane shows more than a line, and a picture with right and wrong outputs
// more than one without right outputs.
function rankOfPicture(grid) {
  return (grid.rows > 1 ? 2 : 0) + (grid.wrong.includes(0) ? 1 : 0);
}

// Adds a cause (a defect that explains a group of failures), with the pictures of its smallest case and of others that
// look different. `number` counts the causes of the backend from 1.
function addCause(parent, backend, cause, number) {
  const article = add(parent, "article", "cause");
  linkedText(add(article, "h4"), cause.title);
  const rowsOf = (places) => places.map((place) => backend.cases.get(place)).filter((row) => row !== undefined);
  const smallest = rowsOf(cause.cases ?? []);
  const failures = rowsOf([...causesOf.get(backend.backend)[number - 1]]);
  const firstOfLook = new Map();  // the first case of each picture
  for (const { caseRecord } of [...smallest, ...failures.slice(0, mostLookedAt)]) {
    if (!caseRecord.wrong_grid || !caseRecord.first_wrong) continue;
    const look = JSON.stringify([caseRecord.wrong_grid.wrong, caseRecord.wrong_grid.columns]);
    if (!firstOfLook.has(look)) firstOfLook.set(look, caseRecord);
  }
  const [first, ...others] = firstOfLook.values();
  if (first) {
    const pictures = add(article, "div", "pictures");
    others.sort((one, other) => rankOfPicture(other.wrong_grid) - rankOfPicture(one.wrong_grid));
    for (const caseRecord of [first, ...others.slice(0, mostPictures - 1)]) pictures.append(pictureOf(caseRecord, caseRecord.id));
  }
  for (const note of cause.notes ?? []) linkedText(add(article, "p", "note"), note);
  for (const row of smallest) article.append(commandOf(replayOf(row)));
  article.append(listButton("List the failures of this cause", { cause: number, backend: backend.backend }));
}

// The command that judges the case of a row again.
function replayOf(row) {
  const options = row.caseRecord.replay_options;
  return row.backend.words.replay + (options ? options + " " : "") + row.caseRecord.case;
}

// Draws the page from its top.
const tones = { good: "right", bad: "wrong", open: "open" };
const header = document.querySelector("header");
const main = document.querySelector("main");
main.replaceChildren();
add(add(header, "p", "brand", "deconv-cts"), "span", "", "conformance of transposed convolution");
const worst = ["bad", "open", "good"].find((tone) => backends.some((backend) => backend.words.tone === tone)) ?? "open";
add(header, "h1", tones[worst], summary.headline);
if (backends.length === 1) add(add(header, "p", "lede"), "code", "", backends[0].backend);
for (const backend of backends) {
  const line = add(header, "p", "lede");
  if (backends.length > 1) {
    add(line, "strong", tones[backend.words.tone], backend.backend);
    line.append(` ${backend.words.verdict}: `);
  }
  line.append(`${backend.words.counts}, in ${backend.seconds.toFixed(1)} s`);
}
for (const error of summary.errors ?? []) add(header, "p", "error", error);
const run = backends[0];
add(header, "p", "facts", (run ? `suite ${run.suite_version} \u00B7 level ${run.level} \u00B7 seed ${run.seed} \u00B7 ` : "") +
  `exit code ${summary.exit_code}`);

if (summary.comparison) {
  const compared = add(main, "section", "comparison");
  add(compared, "h2", "", "Backends compared");
  for (const table of summary.comparison) addTable(compared, table, {});
}
for (const backend of backends) {
  const part = add(main, "section", "run");
  const words = backend.words;
  add(add(part, "h2", "", backend.backend), "span", tones[words.tone], words.verdict);
  for (const fact of words.facts) {
    addTable(part, fact, fact.cases && { backend: backend.backend, filter: backend.cases.get(fact.cases[0]).caseRecord.status });
  }
  if (words.causes_headline === "") continue;
  const causes = add(part, "section", "causes");
  add(causes, "h3", "", "Causes");
  add(causes, "p", "note", words.causes_headline);
  words.causes.slice(0, mostCauses).forEach((cause, at) => addCause(causes, backend, cause, at + 1));
  if (words.causes.length > mostCauses) add(causes, "p", "note", `... and ${words.causes.length - mostCauses} more`);
}

const kinds = {
  unexpected: "failed",
  known: "failed, as expected",
  warned: "warnings",
  passed: "passed",
  idle: "not run",
  all: "all",
};
// All text of a row in lower case, in which the filter searches. It is made when it is first needed.
function wordsOf(row) {
  const caseRecord = row.caseRecord;
  row.words ??= [caseRecord.id, caseRecord.case, caseRecord.status, caseRecord.failure, caseRecord.message, caseRecord.expected, caseRecord.reason]
    .filter((text) => text).join(" ").toLowerCase();
  return row.words;
}

// The filter of the case list. It is stored after the # of the page's address.
const has = (kind) => rows.some((row) => row.kind === kind);
const firstKind = ["unexpected", "known", "warned"].find(has) ?? "all";
const keys = ["filter", "backend", "suite", "failure", "status", "cause"];
const filter = {};
let shown = pageSize;

function matches(row) {
  if (filter.status !== "all" && row.kind !== filter.status) return false;
  if (filter.backend && row.backend.backend !== filter.backend) return false;
  if (filter.suite && row.suite !== filter.suite) return false;
  if (filter.failure && row.caseRecord.failure !== filter.failure) return false;
  if (filter.cause && !causesOf.get(row.backend.backend)?.[filter.cause - 1]?.has(row.caseRecord.place)) return false;
  return filter.filter.toLowerCase().split(/\s+/).every((word) => wordsOf(row).includes(word));
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const key of keys) filter[key] = given.get(key) ?? "";
  // If the address has a search but no status, search among all cases.
  if (!(filter.status in kinds)) filter.status = keys.some((key) => filter[key]) ? "all" : firstKind;
  showTheme(given.get("theme") ?? store.get());
  if (keys.some((key) => given.has(key))) section.scrollIntoView();
}

function writeAddress() {
  const written = new URLSearchParams();
  for (const key of keys) if (filter[key]) written.set(key, filter[key]);
  try { history.replaceState(null, "", "#" + written); } catch { /* some viewers allow no history */ }
}

// The list of cases, with the filter above it.
const section = add(main, "section", "cases");
section.id = "cases";
add(section, "h2", "", "Cases");
const list = add(section, "div");
const bar = element("div", "filter");
const count = element("p", "note");
const found = element("div");
const more = element("div", "more");
count.setAttribute("role", "status");
list.replaceChildren(bar, count, found, more);

const search = element("input");
search.type = "search";
search.placeholder = "Filter: words of an id, a case line, a message";
search.setAttribute("aria-label", "filter");
bar.append(search);
const selects = {};
function addSelect(key, label, options) {
  const select = element("select");
  select.setAttribute("aria-label", label);
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = value;
    select.append(option);
  }
  select.addEventListener("change", () => {
    filter[key] = select.value;
    filterChanged();
  });
  selects[key] = select;
  if (options.length > 2 || key === "status") bar.append(select);
}
const distinct = (values) => [...new Set(values)].filter((value) => value).map((value) => [value, value]);
addSelect("status", "status", Object.entries(kinds).filter(([kind]) => kind === "all" || has(kind)));
addSelect("backend", "backend", [["", "all backends"], ...distinct(backends.map((backend) => backend.backend))]);
addSelect("suite", "suite", [["", "all suites"], ...distinct(rows.map((row) => row.suite))]);
addSelect("failure", "failure class", [["", "all failure classes"], ...distinct(rows.map((row) => row.caseRecord.failure))]);

// The details of a case that is opened in the list.
function factsOf(row) {
  const caseRecord = row.caseRecord;
  const facts = element("dl");
  const addFact = (name, value) => {
    if (value === undefined || value === null || value === "") return;
    add(facts, "dt", "", name);
    linkedText(add(facts, "dd"), String(value));
  };
  addFact("backend", backends.length > 1 ? row.backend.backend : "");
  addFact("status", caseRecord.status);
  addFact("failure", caseRecord.failure);
  addFact("message", caseRecord.message);
  addFact("expected to fail", caseRecord.expected);
  addFact("about the case", caseRecord.reason);
  addFact("judged by", caseRecord.dialect && caseRecord.dialect + (caseRecord.clauses.length ? ", clauses " + caseRecord.clauses.join(", ") : ""));
  addFact("output", caseRecord.output_dims && caseRecord.output_dims.length ? `[${caseRecord.output_dims.join(",")}]` : "");
  addFact("wrong outputs", caseRecord.wrong_outputs && `${caseRecord.wrong_outputs} of ${caseRecord.outputs}`);
  const first = caseRecord.status === "fail" ? caseRecord.first_wrong : caseRecord.first_imprecise;
  if (first) {
    addFact(caseRecord.status === "fail" ? "first wrong output" : "first imprecise output", `[${first.coordinate.join(",")}]`);
    addFact("expected", first.expected);
    addFact("got", first.got);
    addFact("error", `${first.error ?? "not finite"}, bound ${first.bound ?? "not finite"}, ${first.taps} taps`);
  }
  addFact("worst error over bound", caseRecord.worst_error_over_bound?.toPrecision(3) ?? "not finite");
  if (caseRecord.short) addFact("more", "left out to keep the page small; replay the case to see them");
  return facts;
}

// Fills the opened body of a case: facts, picture, stack and commands.
function fillCase(body, row) {
  const sides = add(body, "div", "sides");
  sides.append(factsOf(row));
  if (row.caseRecord.wrong_grid && row.caseRecord.first_wrong) sides.append(pictureOf(row.caseRecord));
  if (row.caseRecord.backtrace) add(body, "pre", "", row.caseRecord.backtrace);
  add(body, "p", "label", "replay");
  body.append(commandOf(replayOf(row)));
  add(body, "p", "label", "explain");
  body.append(commandOf("deconv-cts explain " + row.caseRecord.case));
}

const styles = { unexpected: "fail", known: "known", warned: "warned", passed: "pass", idle: "idle" };
// The line of a case in the list. Its body is made when it is first opened.
function caseOf(row) {
  const details = element("details", "case " + styles[row.kind]);
  const summary = element("summary");
  const id = element("code", "id", row.caseRecord.id);
  summary.append(element("span", "dot"), id, element("span", "word", row.caseRecord.failure ?? row.caseRecord.status),
                 element("span", "brief", (backends.length > 1 ? row.backend.backend + "  " : "") + (row.caseRecord.message ?? "")));
  details.append(summary);
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    const body = element("div", "body");
    fillCase(body, row);
    details.append(body);
  });
  return details;
}

const withoutDetails = rows.filter((row) => row.caseRecord.short).length;
// Draws the list anew: the first cases that match the filter, and their number.
function showCases() {
  const matching = rows.filter(matches);
  const visible = matching.slice(0, shown);
  found.replaceChildren(...visible.map(caseOf));
  count.textContent = matching.length === 0 ? "No case matches." :
    `${visible.length} of ${matching.length} shown, ${rows.length} in all` + (filter.cause ? `; cause ${filter.cause}` : "") +
    (withoutDetails > 0 ? `; ${withoutDetails} without their details` : "");
  more.replaceChildren();
  if (visible.length < matching.length) {
    const button = element("button", "", `Show ${Math.min(pageSize * 4, matching.length - visible.length)} more`);
    button.type = "button";
    button.addEventListener("click", () => {
      shown += pageSize * 4;
      showCases();
    });
    more.append(button);
  }
  if (visible.length === 1) found.firstChild.open = true;
}

// The reader has changed the filter: the address follows it.
function filterChanged() {
  shown = pageSize;
  writeAddress();
  showCases();
}

// The address has changed: the filter and the list follow it.
function showAddress() {
  readAddress();
  search.value = filter.filter;
  for (const [key, select] of Object.entries(selects)) select.value = filter[key];
  shown = pageSize;
  showCases();
}

// While the reader types, the list waits for a pause of 120 ms, a guess.
let pause = 0;
search.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => {
    filter.filter = search.value;
    filterChanged();
  }, 120);
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  search.focus();
});
addEventListener("hashchange", showAddress);
showAddress();
