/** Making elements. Text is always set as text, so that nothing from outside can become markup. */

type Child = Node | string | null | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** An element: attributes that are true are present, those that are false or undefined are not; `onclick` listens. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(key.slice(2), value);
    } else if (value === true) {
      element.setAttribute(key, "");
    } else if (value !== false && value !== undefined) {
      element.setAttribute(key, String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** A part of a page under a heading of its own. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  const id = `h-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

/** A part that is read on demand: its heading opens and closes it. */
export function folded(title: string, ...children: readonly Child[]): HTMLElement {
  return h("details", { class: "part" }, h("summary", {}, h("h2", {}, title)), ...children);
}

/** A table with a caption that only screen readers tell, unless it is shown. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, i) => cellOf(cell, i === 0))))),
    ),
  );
}

function cellOf(cell: Child, first: boolean): HTMLElement {
  return first ? h("th", { scope: "row" }, cell) : h("td", {}, cell);
}

/** Numbers behind a picture, for those who want them or cannot see it. */
export function details(summary: string, ...children: readonly Child[]): HTMLElement {
  return h("details", {}, h("summary", {}, summary), ...children);
}

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: act, ...attributes }, label);
}

/** A picture with its alternative in words. Style elements of a library go: they are not allowed here, nor needed. */
export function picture(drawing: Element, words: string): HTMLElement {
  for (const style of drawing.querySelectorAll("style")) {
    style.remove();
  }
  drawing.setAttribute("aria-hidden", "true");
  return h("div", { class: "picture", role: "img", "aria-label": words }, drawing);
}

/** Sentences of the server with their code between ticks. */
export function ticked(text: string): (Node | string)[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}

/** With a capital letter and an end. */
export function sentence(text: string): string {
  const shown = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}
