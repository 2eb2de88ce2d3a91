// The site as a whole: every page opens without a complaint, every link leads somewhere, nothing is too large.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";

import { bases, shot, site, visit } from "./browser.mjs";

const files = fs.readdirSync(site, { recursive: true }).filter(name => fs.statSync(path.join(site, name)).isFile());
const pages = files.filter(name => /^[^/]+\.html$/.test(name)).sort();
const size = name => fs.statSync(path.join(site, name)).size;
const megabytes = bytes => `${(bytes / 1e6).toFixed(2)} MB`;

test("book: every page opens, its formulas are drawn, at most 2 MB come for it, 360 pixels hold it", async context => {
  let most = 0;
  for (const name of pages) {
    let bytes = 0;
    await visit("about:blank", async page => {
      page.on("response", response => {
        if (response.url().startsWith(bases.http)) bytes += size(decodeURIComponent(response.url().slice(bases.http.length)));
      });
      await page.goto(bases.http + name);
      await page.waitForFunction(() => [...document.querySelectorAll("[data-live]")].every(place => place.dataset.state === "live"));
      await page.evaluate(() => { for (const image of document.images) image.loading = "eager"; });   // else those that are seen
      await page.waitForFunction(() => [...document.images].every(image => image.complete && image.naturalWidth > 0));
      assert.equal(await page.locator(".katex-error").count(), 0, name);
      assert.equal(await page.locator(".arithmatex:not(:has(.katex))").count(), 0, name);
      await page.setViewportSize({ width: 360, height: 740 });
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= 360, `${name} is wider`);
    });
    assert.ok(bytes < 2e6, `${name}: ${megabytes(bytes)}`);
    most = Math.max(most, bytes);
  }
  context.diagnostic(`${pages.length} pages, the largest ${megabytes(most)}`);
});

test("book: at most 4 MB without pictures, no source maps", context => {
  const total = files.filter(name => !name.endsWith(".png")).reduce((sum, name) => sum + size(name), 0);
  context.diagnostic(`${files.length} files, ${megabytes(total)} without pictures`);
  assert.ok(total < 4e6, megabytes(total));
  assert.deepEqual(files.filter(name => name.endsWith(".map")), []);
});

test("book: every link leads to a file of the site, every anchor to a heading", () => {
  const problems = [];
  const text = name => fs.readFileSync(path.join(site, name), "utf8");
  for (const name of files.filter(name => name.endsWith(".html")))
    for (const [, target] of text(name).matchAll(/(?:href|src)="?([^\s">]+)/g)) {
      if (/^(?:[a-z]+:|\/\/)/.test(target)) {
        if (!target.startsWith("http")) continue;
        if (/<(?:script|link|img)[^>]*$/.test(text(name).split(target)[0])) problems.push(`${name} fetches ${target}`);
        continue;
      }
      const [to, anchor] = decodeURIComponent(target).split("#");
      const file = to === "" ? name : path.join(path.dirname(name), to === "." ? "index.html" : to);
      if (to.startsWith("/") || !files.includes(file)) problems.push(`${name}: ${target}`);
      else if (anchor && !anchor.startsWith("__") && !text(file).includes(`id="${anchor}"`)) problems.push(`${name}: ${target}: no such heading`);
    }
  assert.deepEqual([...new Set(problems)], []);
});

for (const [kind, base] of Object.entries(bases))
  test(`book, ${kind}: search, dark mode, a command to copy, the next page`, () => visit(base + "index.html", async (page, window) => {
    if (kind === "http") await window.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("input.md-search__input").click();
    await page.locator("input.md-search__input").pressSequentially("barycentric");   // it listens to keys
    await page.locator(".md-search-result__link").first().waitFor();
    assert.match(await page.locator(".md-search-result__list").innerText(), /One step/);
    await page.keyboard.press("Escape");
    await page.locator('label[title="Dark"]:visible').click();
    assert.equal(await page.locator("body").getAttribute("data-md-color-scheme"), "slate");
    await shot(page, `book-dark-${kind}`);
    await page.locator(".md-footer__link--next").click();
    await page.locator("h1", { hasText: "01. Autograd" }).waitFor();
    await page.locator(".md-clipboard").first().click();
    if (kind === "http") assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "./run 01\n");
  }));

test("book: without scripts, and without an engine, a live figure's picture is in its place", async () => {
  const live = pages.filter(name => fs.readFileSync(path.join(site, name), "utf8").includes("data-live="));
  assert.deepEqual(live, ["03-one-step.html", "08-translate.html"]);
  for (const name of live) {
    await visit(bases.http + name, page => page.locator("[data-live] img").waitFor(), { javaScriptEnabled: false });
    await visit("about:blank", async page => {
      await page.route("**/engine.js", route => route.fulfill({ contentType: "text/javascript", body: "" }));
      await page.goto(bases.http + name);
      await page.locator('[data-state="failed"]').waitFor();
      assert.match(await page.locator("[data-live]").innerText(), /cannot run in this browser/);
      await page.locator("[data-live] img").waitFor();
    });
  }
});
