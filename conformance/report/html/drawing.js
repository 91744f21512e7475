// The first part of the script of the HTML report, whose second part is page.js: makes elements, commands with a button
// that copies them, and pictures of wrong outputs. All text enters the page as text, never as markup, because a report
// holds messages of the library under test, which may be hostile.
"use strict";

// Makes an element of the page with a class and a text.
function element(name, style, text) {
  const node = document.createElement(name);
  if (style) node.className = style;
  if (text !== undefined) node.textContent = text;
  return node;
}

// Makes such an element as the last child of `parent`.
function add(parent, name, style, text) {
  const node = element(name, style, text);
  parent.append(node);
  return node;
}

// Makes an element of an SVG picture.
function drawing(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// Adds a text in which each https address becomes a link. The text stays text: no part of it becomes markup.
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

// Adds a button that copies the command, or selects it where the browser allows no copying.
function addCopyButton(command) {
  const code = command.querySelector("code");
  const button = element("button", "", "copy");
  button.type = "button";
  const showForAMoment = (word) => {
    button.textContent = word;
    setTimeout(() => { button.textContent = "copy"; }, 1200);
  };
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    showForAMoment(document.execCommand("copy") ? "copied" : "selected");
  };
  button.addEventListener("click", () => {
    if (navigator.clipboard === undefined) return select();
    navigator.clipboard.writeText(code.textContent).then(() => showForAMoment("copied"), select);
  });
  command.append(button);
}

// A line of a shell command with its copy button.
function commandOf(text) {
  const command = element("div", "command");
  command.append(element("code", "", text));
  addCopyButton(command);
  return command;
}

// The cells of a picture of wrong outputs. A picture shows a plane of the output (two of its axes) in few cells: a cell
// stands for row_step x column_step outputs, or fewer at the end of a row or column. grid.wrong counts the wrong outputs
// of each cell. `isFull` says whether all outputs of a cell are wrong. Example: 5 columns with a step of 2 give 3 cells,
// of which the last stands for one column.
function cellsOf(grid) {
  const columns = Math.ceil(grid.columns / grid.column_step);
  const outputsOf = (cell) => Math.min(grid.row_step, grid.rows - Math.floor(cell / columns) * grid.row_step) *
    Math.min(grid.column_step, grid.columns - cell % columns * grid.column_step);
  return { columns, rows: grid.wrong.length / columns, isFull: (cell) => grid.wrong[cell] === outputsOf(cell) };
}

// The SVG path of the cells for which `isDrawn(index)` holds: one stroke of width 1 for each series of neighbouring
// cells in a row. Example: cells 1 and 2 of row 0 give "M1 0.5h2", a line from x = 1 with the length 2.
function cellPath(columns, rows, isDrawn) {
  let path = "";
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const begin = column;
      while (column < columns && isDrawn(row * columns + column)) ++column;
      if (column > begin) path += `M${begin} ${row}.5h${column - begin}`;
    }
  }
  return path;
}

// A picture of the wrong outputs of one case with its caption. `caseRecord` is the case's record in the JSON report.
function pictureOf(caseRecord, title) {
  const grid = caseRecord.wrong_grid;
  const { columns, rows, isFull } = cellsOf(grid);
  const cellPixels = columns > 24 ? 7 : columns > 10 ? 11 : 16;  // guesses: a wide picture still fits the page
  // The plane that is shown, such as "0,1,*,*": a star for each of its axes.
  const plane = caseRecord.output_dims.map((_, axis) =>
    axis === grid.row_axis || axis === grid.column_axis ? "*" : grid.plane[axis]);
  const wrong = grid.wrong.reduce((sum, count) => sum + count, 0);
  const caption = `outputs [${plane.join(",")}]: ${wrong} of ${grid.rows * grid.columns} wrong` +
    (grid.row_step > 1 || grid.column_step > 1 ? `, a cell for ${grid.row_step} x ${grid.column_step}` : "");
  const image = drawing("svg", {
    class: "picture", viewBox: `0 0 ${columns} ${rows}`, role: "img", "aria-label": caption, style: `width:${columns * cellPixels}px`,
  });
  let lines = "";
  for (let column = 1; column < columns; ++column) lines += `M${column} 0v${rows}`;
  for (let row = 1; row < rows; ++row) lines += `M0 ${row}h${columns}`;
  const paths = {
    right: cellPath(columns, rows, () => true),
    some: cellPath(columns, rows, (cell) => grid.wrong[cell] !== 0 && !isFull(cell)),
    all: cellPath(columns, rows, isFull),
    lines,
  };
  for (const [style, path] of Object.entries(paths)) image.append(drawing("path", { class: style, d: path }));
  const first = caseRecord.first_wrong.coordinate;
  image.append(drawing("rect", {
    class: "first", width: 1, height: 1, x: Math.floor(first[grid.column_axis] / grid.column_step),
    y: grid.row_axis === grid.column_axis ? 0 : Math.floor(first[grid.row_axis] / grid.row_step),
  }));
  const figure = element("figure");
  figure.append(image);
  const words = add(figure, "figcaption");
  if (title) add(words, "code", "", title);
  add(words, "span", "", caption);
  return figure;
}
