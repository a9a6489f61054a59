"use strict";
const form = document.getElementById("filters");
const items = [...document.querySelectorAll("main [data-kind]")];
const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));

function show() {
  const kinds = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
  const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const file = form.elements.file.value;
  for (const item of items) {
    const found = words.every((word) => texts.get(item).includes(word));
    item.hidden = !(kinds.has(item.dataset.kind) && (!file || item.dataset.file === file) && found);
  }
  for (const section of document.querySelectorAll("main > section")) {
    const within = [...section.querySelectorAll("[data-kind]")];
    section.hidden = within.length > 0 && within.every((item) => item.hidden);
  }
  const shown = items.filter((item) => !item.hidden).length;
  form.querySelector("output").textContent = shown === items.length ? "" : `${shown} of ${items.length} shown`;
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
// a browser keeps what was chosen when a page is loaded again
show();

// What is folded is on paper, too.
let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((one) => one.setAttribute("open", ""));
});
window.addEventListener("afterprint", () => opened.forEach((one) => one.removeAttribute("open")));
