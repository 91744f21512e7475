// The script of the HTML report: the list of all cases with its filter, buttons that copy commands, and the theme switch.
// All text enters the page as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const pageSize = 50;

  function element(name, style, text) {
    const node = document.createElement(name);
    if (style) node.className = style;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function drawing(name, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  function linkedText(parent, text) {
    for (const part of text.split(/(https:\/\/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*[A-Za-z0-9_~/#=&-])/)) {
      if (!part.startsWith("https://")) {
        parent.append(part);
        continue;
      }
      const link = element("a", "", part);
      link.href = part;
      link.rel = "noreferrer noopener";
      parent.append(link);
    }
  }

  // Commands.
  function addCopyButton(command) {
    const code = command.querySelector("code");
    const button = element("button", "", "copy");
    button.type = "button";
    const done = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = "copy"; }, 1200);
    };
    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done(document.execCommand("copy") ? "copied" : "selected");
    };
    button.addEventListener("click", () => {
      if (navigator.clipboard === undefined) return select();
      navigator.clipboard.writeText(code.textContent).then(() => done("copied"), select);
    });
    command.append(button);
  }

  function commandOf(text) {
    const command = element("div", "command");
    command.append(element("code", "", text));
    addCopyButton(command);
    return command;
  }

  for (const command of document.querySelectorAll(".command")) addCopyButton(command);

  // Theme: what the reader chose, else what the system says.
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

  // Every result of every backend, in the order of the run.
  const kinds = {
    unexpected: "failed",
    known: "failed, as expected",
    warned: "warnings",
    passed: "passed",
    idle: "not run",
    all: "all",
  };
  function kindOf(status, told) {
    if (status === "fail") return told.known ? "known" : "unexpected";
    if (status === "loose" || status === "powerless") return "warned";
    return status === "pass" ? "passed" : "idle";
  }
  const rows = [];
  data.backends.forEach((backend, backendNumber) => {
    for (const [caseNumber, statusNumber, dialect, ratio, told = {}] of backend.results) {
      const [suite, name, line, reason] = data.cases[caseNumber];
      const status = data.statuses[statusNumber].name;
      rows.push({
        backend, backendNumber, line, ratio, told, status,
        suite: data.texts[suite],
        id: data.texts[suite] + "/" + name,
        dialect: data.texts[dialect],
        reason: data.texts[reason],
        kind: kindOf(status, told),
      });
    }
  });
  function wordsOf(row) {
    row.words ??= [row.id, row.line, row.status, row.told.failure, row.told.message, row.told.known, row.reason, row.dialect]
      .filter((text) => text).join(" ").toLowerCase();
    return row.words;
  }

  // The filter, which is also what stands behind the # of the page's address.
  const has = (kind) => rows.some((row) => row.kind === kind);
  const firstKind = ["unexpected", "known", "warned"].find(has) ?? "all";
  const keys = ["filter", "backend", "suite", "failure", "status", "cause"];
  const filter = {};
  let shown = pageSize;

  function matches(row) {
    if (filter.status !== "all" && row.kind !== filter.status) return false;
    if (filter.backend && row.backend.name !== filter.backend) return false;
    if (filter.suite && row.suite !== filter.suite) return false;
    if (filter.failure && row.told.failure !== filter.failure) return false;
    if (filter.cause && String(row.told.cause ?? "") !== filter.cause) return false;
    return filter.filter.toLowerCase().split(/\s+/).every((word) => wordsOf(row).includes(word));
  }

  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const key of keys) filter[key] = given.get(key) ?? "";
    // Who asks for something asks among all cases, unless the address says otherwise.
    if (!(filter.status in kinds)) filter.status = keys.some((key) => filter[key]) ? "all" : firstKind;
    showTheme(given.get("theme") ?? store.get());
    if (keys.some((key) => given.has(key))) section.scrollIntoView();
  }

  function writeAddress() {
    const written = new URLSearchParams();
    for (const key of keys) if (filter[key]) written.set(key, filter[key]);
    try { history.replaceState(null, "", "#" + written); } catch { /* some viewers allow no history */ }
  }

  // The list.
  const section = document.getElementById("cases");
  const list = document.getElementById("list");
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
      changed();
    });
    selects[key] = select;
    if (options.length > 2 || key === "status") bar.append(select);
  }
  const distinct = (values) => [...new Set(values)].filter((value) => value).map((value) => [value, value]);
  addSelect("status", "status", Object.entries(kinds).filter(([kind]) => kind === "all" || has(kind)));
  addSelect("backend", "backend", [["", "all backends"], ...distinct(data.backends.map((backend) => backend.name))]);
  addSelect("suite", "suite", [["", "all suites"], ...distinct(rows.map((row) => row.suite))]);
  addSelect("failure", "failure class", [["", "all failure classes"], ...distinct(rows.map((row) => row.told.failure))]);

  function pictureOf(picture) {
    const cell = picture.columns > 24 ? 7 : picture.columns > 10 ? 11 : 16;
    const figure = element("figure");
    const image = drawing("svg", {
      class: "picture", viewBox: `0 0 ${picture.columns} ${picture.rows}`, role: "img", "aria-label": picture.caption,
      style: `width:${picture.columns * cell}px`,
    });
    let lines = "";
    for (let column = 1; column < picture.columns; ++column) lines += `M${column} 0v${picture.rows}`;
    for (let row = 1; row < picture.rows; ++row) lines += `M0 ${row}h${picture.columns}`;
    let right = "";
    for (let row = 0; row < picture.rows; ++row) right += `M0 ${row}.5h${picture.columns}`;
    for (const [style, path] of Object.entries({ right, some: picture.some, all: picture.all, lines })) {
      image.append(drawing("path", { class: style, d: path }));
    }
    image.append(drawing("rect", { class: "first", x: picture.first[0], y: picture.first[1], width: 1, height: 1 }));
    const caption = element("figcaption");
    caption.append(element("span", "", picture.caption));
    figure.append(image, caption);
    return figure;
  }

  function factsOf(row) {
    const told = row.told;
    const facts = element("dl");
    const add = (name, value) => {
      if (value === undefined || value === null || value === "") return;
      const described = element("dd");
      linkedText(described, String(value));
      facts.append(element("dt", "", name), described);
    };
    add("backend", data.backends.length > 1 ? row.backend.name : "");
    add("status", row.status + ": " + data.statuses.find((status) => status.name === row.status).sentence);
    add("failure", told.failure && told.failure + ": " + data.failures[told.failure]);
    add("message", told.message);
    add("expected to fail", told.known);
    add("about the case", row.reason);
    add("judged by", row.dialect + (told.clauses && told.clauses.length ? ", clauses " + told.clauses.join(", ") : ""));
    add("output", told.dims);
    add("wrong outputs", told.wrong && `${told.wrong} of ${told.outputs}`);
    if (told.first) {
      add(row.status === "fail" ? "first wrong output" : "first loose output", told.first.at);
      add("expected", told.first.expected);
      add("got", told.first.got);
      add("error", `${told.first.error ?? "not finite"}, bound ${told.first.bound ?? "not finite"}, ${told.first.taps} taps`);
    }
    add("worst error over bound", row.ratio ?? "not finite");
    if (told.short) add("more", "left out to keep the page small; replay the case to see them");
    return facts;
  }

  function fill(body, row) {
    const sides = element("div", "sides");
    sides.append(factsOf(row));
    if (row.told.picture) sides.append(pictureOf(row.told.picture));
    body.append(sides);
    if (row.told.backtrace) body.append(element("pre", "", row.told.backtrace));
    body.append(element("p", "label", "replay"), commandOf(row.backend.replay + (row.told.options ? row.told.options + " " : "") + row.line));
    body.append(element("p", "label", "explain"), commandOf("deconv-cts explain " + row.line));
  }

  const styles = { unexpected: "fail", known: "known", warned: "warned", passed: "pass", idle: "idle" };
  function caseOf(row) {
    const details = element("details", "case " + styles[row.kind]);
    const summary = element("summary");
    const id = element("code", "id", row.id);
    summary.append(element("span", "dot"), id, element("span", "word", row.told.failure ?? row.status),
                   element("span", "brief", (data.backends.length > 1 ? row.backend.name + "  " : "") + (row.told.message ?? "")));
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (details.childElementCount > 1) return;
      const body = element("div", "body");
      fill(body, row);
      details.append(body);
    });
    return details;
  }

  function show() {
    const matching = rows.filter(matches);
    const visible = matching.slice(0, shown);
    found.replaceChildren(...visible.map(caseOf));
    count.textContent = matching.length === 0 ? "No case matches." :
      `${visible.length} of ${matching.length} shown, ${rows.length} in all` + (filter.cause ? `; cause ${filter.cause}` : "") +
      (data.short > 0 ? `; ${data.short} without their details` : "");
    more.replaceChildren();
    if (visible.length < matching.length) {
      const button = element("button", "", `Show ${Math.min(pageSize * 4, matching.length - visible.length)} more`);
      button.type = "button";
      button.addEventListener("click", () => {
        shown += pageSize * 4;
        show();
      });
      more.append(button);
    }
    if (visible.length === 1) found.firstChild.open = true;
  }

  function changed() {
    shown = pageSize;
    writeAddress();
    show();
  }

  function showAddress() {
    readAddress();
    search.value = filter.filter;
    for (const [key, select] of Object.entries(selects)) select.value = filter[key];
    shown = pageSize;
    show();
  }

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filter.filter = search.value;
      changed();
    }, 120);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    search.focus();
  });
  addEventListener("hashchange", showAddress);
  showAddress();

  // From a cause to its failures.
  for (const article of document.querySelectorAll(".cause")) {
    const button = element("button", "", "List the failures of this cause");
    button.type = "button";
    button.addEventListener("click", () => {
      const asked = { cause: article.dataset.cause, backend: article.dataset.backend, status: "all" };
      location.hash = new URLSearchParams(asked).toString();
    });
    article.querySelector(".told").append(button);
  }
})();
