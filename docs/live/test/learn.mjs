// Figure B: it learns all 20 pairs, with the losses of the native program; pause, step, restart, another score, a sentence.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";

import { bases, chapters, focused, shot, visit } from "./browser.mjs";

const page_of = base => base + "08-translate.html";
const button = (page, name) => page.getByRole("button", { name, exact: true });
const press = (page, name) => button(page, name).click();
const epoch = async page => Number((await page.locator(".live-claim").innerText()).match(/Epoch (\d+)/)?.[1]);
const at_epoch = (page, n) => page.locator(".live-claim strong", { hasText: `Epoch ${n} of` }).waitFor();
const ask = async (page, sentence) => {
  await page.getByLabel("Your sentence", { exact: true }).fill(sentence);
  await press(page, "Translate");
};
const message = page => page.locator(".live-error");
const spoken = page => page.locator('.live-hidden[role="status"]');
const unseen = (page, words) => page.locator(".live-said + p", { hasText: `In no training sentence, so read as UNK: ${words}.` }).waitFor();
const own = page => page.locator(".live-heat").nth(1);
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
    assert.equal(await focused(page), "Train");   // which was pressed, and is not to be pressed any more
    assert.notDeepEqual(await weights(page), before);
    const columns = await page.locator(".live-heat").first().locator("thead th").allInnerTexts();
    const jardín = (await page.getByRole("row", { name: "jardín" }).first().locator("td").allInnerTexts()).map(Number);
    assert.equal(columns[jardín.indexOf(Math.max(...jardín))].trim(), "garden");
    assert.ok(Math.abs(jardín.reduce((sum, weight) => sum + weight) - 1) < 0.05);
    await ask(page, "I love the white flowers in the garden.");
    await page.locator(".live-said", { hasText: "me encantan las flores blancas del jardín." }).waitFor();
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

test("learn: what is begun anew while it learns has nothing of what was before", () => visit(page_of(bases.http), async page => {
  const begin_anew = [() => press(page, "Restart"), () => page.getByLabel("Score", { exact: true }).selectOption("dot"),
    async () => { await page.getByLabel("Seed").fill("2"); await page.getByLabel("Seed").press("Enter"); }];
  await at_epoch(page, 0);
  for (const begin of begin_anew) {
    await press(page, "Train");
    await page.waitForTimeout(1000);
    assert.ok(await epoch(page) > 0);
    await begin();
    await at_epoch(page, 0);
    assert.equal(await page.locator(".live-curve").getAttribute("d"), "");
    assert.doesNotMatch(await page.locator(".live-claim").innerText(), /loss/);
    await press(page, "One step");
    await at_epoch(page, 1);
    assert.match(await page.locator(".live-curve").getAttribute("d"), /^M[^L]*$/);   // one point
  }
}));

test("learn: a seed that is none is refused, and it goes on", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  await press(page, "Train");
  for (const seed of ["-5", "1.7", ""]) {
    const before = await epoch(page);
    await page.getByLabel("Seed").fill(seed);
    await page.getByLabel("Seed").press("Enter");
    assert.match(await message(page).innerText(), /a seed is a whole number from 0 to 999999/);
    assert.equal(await page.getByLabel("Seed").inputValue(), "1");
    assert.ok(await epoch(page) >= before);
  }
}));

test("learn: an empty sentence is a message, an unknown word is named", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  await own(page).waitFor();
  await press(page, "Train");
  await ask(page, "  ");
  await page.getByText("there is nothing to translate: the sentence has no words").waitFor();
  assert.equal(await own(page).isHidden(), true);
  assert.equal(await page.locator(".live-said").innerText(), "");
  await at_epoch(page, 300);   // it has gone on
  await press(page, "Restart");
  assert.equal(await message(page).isHidden(), true);
  await ask(page, "¿I like my CAFE\u0301?");
  await unseen(page, "¿, café");   // lower case, composed, split
}));

test("learn: what is translated is read aloud, and the heatmap names the sentence", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  await ask(page, "I like my zebra.");
  await unseen(page, "zebra");
  assert.equal(await spoken(page).textContent(), await page.locator(".live-said").textContent() + " In no training sentence, so read as UNK: zebra.");
  assert.match(await own(page).locator("caption").innerText(), /I like my zebra\./);
}));

test("learn: a word of 200 letters widens nothing", () => visit(page_of(bases.http), async page => {
  await at_epoch(page, 0);
  const word = "a".repeat(200);
  await ask(page, word);
  await unseen(page, word);
  assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= 360);
  const head = own(page).locator("thead span").first();
  assert.ok((await head.boundingBox()).height < 150);
  assert.equal(await head.getAttribute("title"), word);
}, { viewport: { width: 360, height: 740 } }));

test("learn: when the worker has died this is said until it begins anew", () => visit("about:blank", async page => {
  await page.addInitScript(() => { window.Worker = class extends Worker { constructor(url) { super(url); window.last_worker = this; } }; });
  await page.goto(page_of(bases.http));
  await at_epoch(page, 0);
  await press(page, "Train");
  await page.waitForTimeout(300);
  await page.evaluate(() => last_worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory", cancelable: true })));
  const said = () => message(page).innerText(), line = () => page.locator(".live-claim").innerText();
  assert.equal(await said(), "the engine has stopped (out of memory); Restart begins anew");
  await press(page, "Translate");
  await page.waitForTimeout(300);
  assert.equal(await said(), "the engine has stopped (out of memory); Restart begins anew");
  assert.match(await line(), /^Stopped after epoch \d+\.$/);
  assert.equal(await button(page, "Train").isDisabled(), true);
  await press(page, "Restart");
  await at_epoch(page, 0);
  assert.equal(await message(page).isHidden(), true);
  await press(page, "One step");
  await at_epoch(page, 1);
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
