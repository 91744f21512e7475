// The first part of the page's script: makes elements, commands with a button that copies them, and pictures of wrong
// outputs. All text enters the page as text, never as markup.
"use strict";

// Makes an element of the page with a class and a text.
function element(name, style, text) {
  const node = document.createElement(name);
  if (style) node.className = style;
  if (text !== undefined) node.textContent = text;
  return node;
}

function add(parent, name, style, text) {
  const node = element(name, style, text);
  parent.append(node);
  return node;
}

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

// The cells of a picture of wrong outputs. A cell stands for row_step x column_step outputs of a plane; `full` tells
// whether all of them are wrong.
function cellsOf(grid) {
  const columns = Math.ceil(grid.columns / grid.column_step);
  const size = (at) => Math.min(grid.row_step, grid.rows - Math.floor(at / columns) * grid.row_step) *
    Math.min(grid.column_step, grid.columns - at % columns * grid.column_step);
  return { columns, rows: grid.wrong.length / columns, full: (at) => grid.wrong[at] === size(at) };
}

// The SVG path of the cells to draw: one stroke of width 1 for each run of neighbouring cells in a row.
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

// A picture of the wrong outputs of one case with its caption. `told` is the record of the case.
function pictureOf(told, title) {
  const grid = told.wrong_grid;
  const { columns, rows, full } = cellsOf(grid);
  const cell = columns > 24 ? 7 : columns > 10 ? 11 : 16;
  const place = told.output_dims.map((_, axis) => axis === grid.row_axis || axis === grid.column_axis ? "*" : grid.plane[axis]);
  const wrong = grid.wrong.reduce((sum, count) => sum + count, 0);
  const caption = `outputs [${place.join(",")}]: ${wrong} of ${grid.rows * grid.columns} wrong` +
    (grid.row_step > 1 || grid.column_step > 1 ? `, a cell for ${grid.row_step} x ${grid.column_step}` : "");
  const image = drawing("svg", {
    class: "picture", viewBox: `0 0 ${columns} ${rows}`, role: "img", "aria-label": caption, style: `width:${columns * cell}px`,
  });
  let lines = "";
  for (let column = 1; column < columns; ++column) lines += `M${column} 0v${rows}`;
  for (let row = 1; row < rows; ++row) lines += `M0 ${row}h${columns}`;
  const paths = {
    right: cellPath(columns, rows, () => true),
    some: cellPath(columns, rows, (at) => grid.wrong[at] !== 0 && !full(at)),
    all: cellPath(columns, rows, full),
    lines,
  };
  for (const [style, path] of Object.entries(paths)) image.append(drawing("path", { class: style, d: path }));
  const first = told.first_wrong.coordinate;
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
