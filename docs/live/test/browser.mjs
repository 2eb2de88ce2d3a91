// What the tests share: a server for out/site, Debian's chromium, and pages that remember what went wrong in them.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const site = path.join(top, "out/site"), shots = path.join(top, "out/web");
export const chapters = path.join(top, "build/release/examples");
const { chromium } = createRequire(path.join(top, "build/site/"))("playwright-core");

const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".woff2": "font/woff2" };
const server = http.createServer((request, response) => {
  const file = path.join(site, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  if (!file.startsWith(site) || !fs.existsSync(file) || !fs.statSync(file).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": kinds[path.extname(file)] ?? "application/octet-stream" });
  fs.createReadStream(file).pipe(response);
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));
export const bases = { http: `http://127.0.0.1:${server.address().port}/`, file: pathToFileURL(site).href + "/" };

const home = fs.mkdtempSync(path.join(os.tmpdir(), "lookback-web-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"], env: { ...process.env, HOME: home } });
fs.mkdirSync(shots, { recursive: true });

// Opens a page of the site in a window of its own, hands it to `use`, and then wants its console to be clean.
export async function visit(url, use, options = {}) {
  const window = await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options });
  const page = await window.newPage(), wrong = [];
  page.setDefaultTimeout(60000);
  page.on("console", message => { if (["error", "warning"].includes(message.type())) wrong.push(message.text()); });
  page.on("pageerror", error => wrong.push(String(error)));
  page.on("requestfailed", request => wrong.push(`failed: ${request.url()}`));
  page.on("response", response => { if (response.status() >= 400) wrong.push(`${response.status()}: ${response.url()}`); });
  try {
    await page.goto(url);
    const result = await use(page, window);
    assert.deepEqual(wrong, []);
    return result;
  } finally {
    await window.close();
  }
}

export async function shot(page, name, selector) {
  await (selector ? page.locator(selector) : page).screenshot({ path: path.join(shots, `${name}.png`) });
}

export const focused = page => page.evaluate(() => document.activeElement.textContent);

// In the page: how the ink of a text stands out from the paper of its figure (WCAG 2: at least 4.5).
export function contrast(text) {
  const rgb = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = rgb => rgb.map(c => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const { color, opacity } = getComputedStyle(text), paper = rgb(getComputedStyle(text.closest(".live-figure")).backgroundColor);
  const ink = rgb(color).map((c, k) => opacity * c + (1 - opacity) * paper[k]);
  const [low, high] = [light(ink), light(paper)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

export async function close() {
  await browser.close();
  server.close();
  fs.rmSync(home, { recursive: true, force: true });
}

export const recorded = name => fs.readFileSync(path.join(top, "docs/output", `${name}.txt`), "utf8");
export const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
