// What somebody needs who sees little or has no mouse: what axe asks for, contrast of every text, and the keyboard.
import axe from "axe-core";

const LEAST = 4.5;
/** Text that is large may have less: the guidelines ask for 3 to 1 from 24 pixels on, or 18.66 in bold. */
const LEAST_LARGE = 3;

/** What is wrong with a page whose parts are all opened by the keyboard; empty if nothing is. */
export async function access(page) {
  const complaints = await keyboard(page);
  complaints.push(...(await page.evaluate(faint, [LEAST, LEAST_LARGE])), ...(await violations(page)));
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = false)));
  await page.evaluate(() => (document.activeElement.blur(), window.scrollTo(0, 0)));
  return complaints;
}

/** What axe finds by all its rules, with the first place of each. */
async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => (await window.axe.run()).violations);
  return found.map((one) => `axe: ${one.help} (${one.id}), as at ${one.nodes[0].target.join(" ")}: ${one.nodes[0].html}`);
}

/** Tab reaches everything that can be pressed, in its order; Enter opens what is folded. */
async function keyboard(page) {
  const complaints = [];
  const folded = await page.locator("details.part > summary").count();
  for (let i = 0; i < folded; i += 1) {
    const summary = page.locator("details.part > summary").nth(i);
    await summary.focus();
    await page.keyboard.press("Enter");
    if (!(await summary.evaluate((one) => one.parentElement.open))) {
      complaints.push(`Enter does not open ${await summary.innerText()}`);
    }
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.click(1, 1); // from there, Tab goes on
  await page.evaluate(() => {
    const shown = (one) => one.checkVisibility() && !one.disabled;
    window.stops = [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")].filter(shown);
    // Of radio buttons, Tab stops at one.
    window.stops = window.stops.filter((one) => one.type !== "radio" || one.checked);
  });
  const count = await page.evaluate(() => window.stops.length);
  for (let i = 0; i < count; i += 1) {
    await page.keyboard.press("Tab");
    const wrong = await page.evaluate((n) => {
      const now = document.activeElement;
      const outline = window.getComputedStyle(now);
      const seen = outline.outlineStyle !== "none" && Number.parseFloat(outline.outlineWidth) >= 1;
      const said = (one) => `${one?.tagName} ${one?.id || one?.textContent?.slice(0, 30)}`;
      return now !== window.stops[n] ? `Tab comes to ${said(now)} in place of ${said(window.stops[n])}` : seen ? "" : `${said(now)} does not show that it has the focus`;
    }, i);
    if (wrong !== "") {
      complaints.push(wrong);
      break;
    }
  }
  return complaints;
}

/** In the page: texts that hardly differ from what they stand on, also in pictures, which axe leaves undecided. */
function faint([least, leastLarge]) {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const under = (element) => {
    const layers = [];
    for (let one = element; one !== null; one = one.parentElement) {
      layers.push(rgba(window.getComputedStyle(one).backgroundColor));
    }
    return layers.reduceRight((below, layer) => over(layer, below), rgba(window.getComputedStyle(document.body).backgroundColor));
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    const style = window.getComputedStyle(element);
    if (!own || !element.checkVisibility() || element.closest(".unseen, script, button:disabled") !== null) {
      continue;
    }
    const background = under(element);
    const drawn = rgba("ownerSVGElement" in element ? style.fill : style.color);
    const [high, low] = [light(over(drawn, background)), light(background)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? leastLarge : least)) {
      found.add(`"${element.textContent.trim().slice(0, 30)}" has a contrast of ${ratio.toFixed(1)}`);
    }
  }
  return [...found];
}
