/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of some rows are sorted by the column whose heading is clicked, and the other way round when it is clicked again:
 * by the number that cells begin with, the greatest first, or by their text where there is none.
 * A last row that begins with "all" stays last.
 */
const LEAST_ROWS = 5;

const textOf = (row, column) => (row.cells[column] ? row.cells[column].textContent.trim() : "");

function numberOf(text) {
  const found = text.replace(/(\d),(?=\d{3})/g, "$1").match(/^[^\d-]{0,3}(-?\d+(\.\d+)?)/);
  return found ? parseFloat(found[1]) : null;
}

function compare(a, b) {
  const x = numberOf(a), y = numberOf(b);
  if (x !== null && y !== null) return y - x;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a.localeCompare(b);
}

function sort(table, column) {
  const body = table.tBodies[0], heading = table.tHead.rows[0].cells[column];
  const again = heading.getAttribute("aria-sort") === "descending";
  const rows = [...body.rows], last = /^all\b/i.test(textOf(rows[rows.length - 1], 0)) ? rows.pop() : null;
  rows.sort((a, b) => (again ? -1 : 1) * compare(textOf(a, column), textOf(b, column)));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", again ? "ascending" : "descending");
  body.append(...rows, ...(last ? [last] : []));
}

function makeSortable(table) {
  if (!table.tHead || table.tBodies[0].rows.length < LEAST_ROWS) return;
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    heading.classList.add("sorts");
    heading.tabIndex = 0;
    heading.addEventListener("click", () => sort(table, column));
    heading.addEventListener("keydown", (event) => event.key === "Enter" && sort(table, column));
  });
}

document.querySelectorAll("article table").forEach(makeSortable);
