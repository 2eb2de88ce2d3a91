// Figure B: it learns all 20 pairs, with the losses of the native program; pause, step, restart, another score, a sentence.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";

import { bases, chapters, shot, visit } from "./browser.mjs";

const page_of = base => base + "08-translate.html";
const button = (page, name) => page.getByRole("button", { name, exact: true });
const press = (page, name) => button(page, name).click();
const epoch = async page => Number((await page.locator(".live-claim").innerText()).match(/Epoch (\d+)/)?.[1]);
const at_epoch = (page, n) => page.locator(".live-claim strong", { hasText: `Epoch ${n} of` }).waitFor();
const weights = page => page.locator(".live-heat").first().locator("tbody td").allInnerTexts();

// The losses that ./run 08 keeps in its file, with all their digits.
function native_losses(epochs) {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "lookback-08-")), file = path.join(out, "run.safetensors");
  execFileSync(path.join(chapters, "08_translate"),
    ["--epochs", String(epochs), "--hold-out", "0", "--save", file, "--out", out], { stdio: "ignore" });
  const bytes = fs.readFileSync(file), header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
  fs.rmSync(out, { recursive: true });
  return header.__metadata__.losses.trim().split("\n").map(Number);
}

test("learn: its first 50 losses are those of ./run 08, to 1e-4", context => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  const losses = await page.evaluate(async () => {
    const engine = await lookback_engine()();
    engine.begin("additive", 1);
    return Array.from({ length: 50 }, () => engine.step());
  });
  const native = native_losses(50), apart = losses.map((loss, i) => Math.abs(loss - native[i]));
  context.diagnostic(`first ${losses[0].toFixed(6)}, 50th ${losses[49].toFixed(6)}; at most ${Math.max(...apart)} apart`);
  assert.equal(native.length, 50);
  assert.ok(Math.max(...apart) < 1e-4);
  for (let n = 1; n <= 3; ++n) {   // and those that the figure shows, in three digits
    await press(page, "One step");
    await at_epoch(page, n);
    const shown = Number((await page.locator(".live-claim").innerText()).match(/loss (\S+)\. /)[1]);
    assert.ok(Math.abs(shown - native[n - 1]) < 6e-4, `step ${n}: ${shown}, ${native[n - 1]}`);
  }
}));

for (const [kind, base] of Object.entries(bases))
  test(`learn, ${kind}: it comes to 20/20 and translates`, context => visit(page_of(base), async page => {
    await at_epoch(page, 0);
    const before = await weights(page), begin = performance.now();
    await press(page, "Train");
    await page.locator(".live-exact", { hasText: "20/20" }).waitFor();
    const seconds = (performance.now() - begin) / 1000;
    context.diagnostic(`20/20 after ${seconds.toFixed(1)} s, epoch ${await epoch(page)}`);
    assert.ok(seconds < 60);
    await at_epoch(page, 300);
    assert.equal(await page.locator(".live-exact").innerText(), "20/20");
    assert.equal(await button(page, "Train").isDisabled(), true);
    assert.notDeepEqual(await weights(page), before);
    const columns = await page.locator(".live-heat").first().locator("thead th").allInnerTexts();
    const jardín = (await page.getByRole("row", { name: "jardín" }).first().locator("td").allInnerTexts()).map(Number);
    assert.equal(columns[jardín.indexOf(Math.max(...jardín))].trim(), "garden");
    assert.ok(Math.abs(jardín.reduce((sum, weight) => sum + weight) - 1) < 0.05);
    await page.getByLabel("Your sentence", { exact: true }).fill("I love the white flowers in the garden.");
    await press(page, "Translate");
    await page.getByText("me encantan las flores blancas del jardín.", { exact: true }).waitFor();
    await shot(page, `learn-${kind}`, ".live-figure");
  }));

test("learn: pause, one step, another pair, restart with another score and seed", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  await press(page, "One step");
  await at_epoch(page, 1);
  assert.match(await page.locator(".live-claim").innerText(), /loss 4\.519/);
  await press(page, "Train");
  await press(page, "Pause");
  await button(page, "Train").waitFor();
  const paused = await epoch(page);
  assert.ok(paused < 300);
  await page.waitForTimeout(300);
  assert.equal(await epoch(page), paused);
  await page.getByLabel("Sentence pair").selectOption("18");
  await page.getByRole("rowheader", { name: "cabeza" }).waitFor();   // me duele la cabeza hoy.
  await press(page, "Restart");
  await at_epoch(page, 0);
  await page.getByLabel("Score", { exact: true }).selectOption("dot");
  await at_epoch(page, 0);
  await page.getByLabel("Seed").fill("2");
  await page.getByLabel("Seed").press("Enter");
  await at_epoch(page, 0);
  await press(page, "One step");
  await at_epoch(page, 1);
  assert.doesNotMatch(await page.locator(".live-claim").innerText(), /loss 4\.519/);
}));

test("learn: an empty sentence is a message, an unknown word is named", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  await page.getByLabel("Your sentence", { exact: true }).fill("  ");
  await press(page, "Translate");
  await page.getByText("there is nothing to translate: the sentence has no words").waitFor();
  await page.getByLabel("Your sentence", { exact: true }).fill("¿I like my CAFE\u0301?");
  await press(page, "Translate");
  await page.getByText("In no training sentence, so read as UNK: ¿, café.").waitFor();   // lower case, composed, split
}));

test("learn: 360 pixels wide, light and dark", async () => {
  for (const colorScheme of ["light", "dark"])
    await visit(page_of(bases.http), async page => {
      await at_epoch(page, 0);
      await press(page, "One step");
      await at_epoch(page, 1);
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= 360);
      await shot(page, `learn-narrow-${colorScheme}`, ".live-figure");
    }, { viewport: { width: 360, height: 740 }, colorScheme });
});
