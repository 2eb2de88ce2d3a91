#!/usr/bin/env python3
"""Shows that the scripts of this folder can fail: each case is a small repository, a script, and what it must say."""
import contextlib
import importlib
import io
import os
import pathlib
import re
import shutil
import sys
import tempfile

SOURCE = "int x;\n  // [attend]\n  int a;\n\n    // [inner]\n    int b;\n    // [/inner]\n  // [/attend]\n"
RECORD = "head\nStep 1\na = 0.900\n\nStep 2\nb\n"
SNIPPET = "<!-- snippet: examples/07_a.cpp#attend -->\n{}<!-- /snippet -->\n"
OUTPUT = '<!-- output: 03 from="Step 1" to="Step 2" -->\n{}<!-- /output -->\n'
failures = []


def check(what, condition, said=""):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{said}")


def repository(page):
    top = pathlib.Path(tempfile.mkdtemp(prefix="lookback-tools-"))
    for name, text in {"README.md": "# Top\n", "docs/a.md": page, "examples/07_a.cpp": SOURCE,
                       "docs/output/03.txt": RECORD, "docs/output/exchange.txt": RECORD, "docs/output/multi30k-1.txt": RECORD,
                       "tests/a.py": "# [read]\nx = 1\n# [/read]\n", "docs/img/03-a.png": "",
                       "run": "./run tests  what\n", "CMakePresets.json": '{"configurePresets": [{"name": "dev"}]}'}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    return top


def run(script, *arguments):
    """Exit code and output, as from the command line, but in this process: sixty starts of Python take a while."""
    sys.argv = [script, *map(str, arguments)]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = importlib.import_module(script[:-3]).main()
    return code, said.getvalue()


def page_case(script, page, says=None, arguments=()):
    """The script passes on this page, or fails and says this."""
    top = repository(page)
    code, said = run(script, "--root", top, *arguments)
    check(f"{script} on {page!r}: {says or 'passes'}", code == 0 if says is None else code == 1 and says in said, said)
    text = (top / "docs/a.md").read_text(encoding="utf-8")
    shutil.rmtree(top)
    return text


def compare_case(expected, actual, same):
    top = repository("")
    (top / "e").write_text(expected, encoding="utf-8")
    (top / "a").write_text(actual, encoding="utf-8")
    code, said = run("compare.py", top / "e", top / "a")
    check(f"compare.py {expected!r} {actual!r}: {'same' if same else 'different'}", code == (0 if same else 1), said)
    shutil.rmtree(top)


for expected, actual, same in [
    ("e_1 = 0.9*1 = 0.900\n", "e_1 = 0.9*1 = 0.901\n", True),
    ("e_1 = 0.9*1 = 0.900\n", "e_1 = 0.9*1 = 0.902\n", False),
    ("e_1 = 0.9\n", "e_2 = 0.9\n", False),
    ("x 9.99 y\n", "x 10.00 y\n", True),
    ("x 0.000\n", "x -0.000\n", True),
    ("x 0.01\n", "x -0.01\n", False),
    ("1.20e-05\n", "1.21e-05\n", True),
    ("1.20e-05\n", "1.20e-04\n", False),
    ("[32, 7, 20]\n", "[32, 7, 21]\n", False),      # shapes and ids are exact
    ("20/20 right\n", "19/20 right\n", False),
    ("took ~3.5 ms, ~1,420 us\n", "took ~ 99 ms, ~7 us\n", True),
    ("took ~3.5 ms\n", "took ~3.5 s\n", False),
    ("0.1 ~-  0.3 ~-0.5\n", "0.1 ~0.02  0.3 ~-\n", True),
    ("0.1 ~-\n", "0.1 -\n", False),
    ("took ~3.5 ms\n", "took 3.5 ms\n", False),
    ("nan\n", "0.5\n", False),
    ("yo quiero café\n", "yo quiero cafe\n", False),
    ("a\nb\n", "a\n", False),
    ("a\n", "a\nb\n", False),
]:
    compare_case(expected, actual, same)
code, said = run("compare.py", os.devnull, "--", sys.executable, "-c", "raise SystemExit(3)")
check("compare.py: a program that fails", code == 1 and "exit code 3" in said, said)

WHERE = "<sub>[examples/07_a.cpp](../examples/07_a.cpp)</sub>\n\n"
CODE = WHERE + "```cpp\nint a;\n\n  int b;\n```\n"
STEP = "```text\nStep 1\na = 0.900\n```\n"
for page, says in [
    (SNIPPET.format(CODE), None),
    (SNIPPET.format(CODE.replace("int a", "int z")), "differs"),
    (SNIPPET.format(""), "differs"),
    (SNIPPET.format(CODE).replace("#attend", "#nothing"), "0 lines // [nothing]"),
    (SNIPPET.format(CODE).replace("07_a", "07_b"), "no file 07_b.cpp"),
    (SNIPPET.format(CODE).replace("<!-- /snippet -->", ""), "without its other half"),
    ("```cpp\nint x;\n```\n", "a C++ block that is not a snippet"),
    ("```sh\n./run\n```\n", None),
    (SNIPPET.replace("#attend", "").format(WHERE + "```cpp\nint x;\n  int a;\n\n    int b;\n```\n"), None),
    ("- x\n\n" + "".join(f"  {line}".rstrip() + "\n" for line in SNIPPET.format(CODE).splitlines()), None),
    (OUTPUT.format(STEP), None),
    (OUTPUT.format(STEP).replace("output: 03", "output: exchange"), None),
    (OUTPUT.format(STEP).replace("output: 03", "output: multi30k-1"), None),
    ("<!-- snippet: tests/a.py#read -->\n<sub>[tests/a.py](../tests/a.py)</sub>\n\n```python\nx = 1\n```\n"
     "<!-- /snippet -->\n", None),
    (OUTPUT.format(STEP.replace("900", "901")), "differs"),
    (OUTPUT.format(STEP).replace("Step 2", "Step 9"), 'no line with "Step 9"'),
]:
    page_case("sync.py", page, says, ["--check"])
rewritten = page_case("sync.py", "é\n" + SNIPPET.format("old\n") + OUTPUT.format(""))
check("sync.py rewrites", rewritten == "é\n" + SNIPPET.format(CODE) + OUTPUT.format(STEP), rewritten)

for page, says in [
    ("# One two!\n[x](#one-two) [y](../README.md#top) ![z](img/03-a.png) [w](https://example.org/none)\n", None),
    ("# A\n# A\n[x](#a-1)\n", None),
    ("# The `attention_decoder`, 2\n[x](#the-attention_decoder-2)\n", None),
    ("# Оценки\n[x](#оценки)\n", None),
    ("`[x](none.md)`\n```\n[x](none.md)\n```\n", None),
    ("[x](#one)\n", "no such heading"),
    ("[x](none.md)\n", "a.md:1: none.md: no such file"),
    ("![x](img/none.png)\n", "no such file"),
    ('<img src="img/none.png">\n', "no such file"),
    ("[x]: none.md\n", "no such file"),
    ("[x](../README.md#none)\n", "no such heading"),
]:
    page_case("links.py", page, says)

page_case("pictures.py", "![x](img/03-a.png)\n")
page_case("pictures.py", "![x](img/03-b.png)\n", "03-b.png is missing")

written = pathlib.Path(tempfile.mkdtemp(prefix="lookback-written-"))
page_case("pictures.py", "![x](img/03-a.png)\n", "03-a.png is written by no chapter", [written])
(written / "03-a.png").touch()
page_case("pictures.py", "![x](img/03-a.png)\n", arguments=[written])
shutil.rmtree(written)

DIFF = "```diff\n--- a/examples/07_a.cpp\n+++ b/examples/07_a.cpp\n@@ -1,3 +1,4 @@\n int x;\n   // [attend]\n+  new\n{}\n```\n"
for page, says in [
    (DIFF.format("   int a;"), None),
    (DIFF.format("-  int a;"), None),
    (DIFF.format("   int b;"), "the diff of examples/07_a.cpp does not fit any more"),
    (DIFF.format("   int a;").replace("07_a", "07_b"), "does not fit any more"),
    (DIFF.format("   int a;").replace("a/examples/07_a.cpp", "/dev/null"), None),
    ("```diff\n+ x\n```\n", "a diff without a hunk"),
]:
    page_case("diffs.py", page, says)

build = pathlib.Path(tempfile.mkdtemp(prefix="lookback-build-"))
(build / "examples").mkdir()
program = build / "examples/07_a"
program.write_text("#!/bin/sh\necho '  -h,--help  this'; echo '  --score TEXT=dot  one'\n")
program.chmod(0o755)
for page, says in [
    ("`./run`, `./run 07`, `./run 7 --score=dot`, `./run 07 --help`, `./run 07 -h`\n", None),
    ("    ./run 07 --score dot    a comment with --options\n", None),
    ("    ./run tests -R core && ./run 07\n", None),
    ("`./run NN`, `./run tests`, ` not ./run 99`\n", None),
    ("```\n./run 99\n```\n", None),
    ("`./run 08`\n", "a.md:1: ./run 08: there is no chapter 08"),
    ("    ./run 07 --skore dot\n", "07_a does not take --skore"),
    ("    ./run 07 && ./run fly\n", "./run has no verb fly"),
    ("`./run 07 --score 'dot`\n", "No closing quotation"),
    ("`docs/tools/none.py`\n", "no such file"),
    ("`cmake --preset dev`\n", None),
    ("`ctest --preset none`\n", "there is no preset none"),
]:
    page_case("commands.py", page, says, [build])
shutil.rmtree(build)

top = repository("")
(top / "core").mkdir()
(top / "core/a.cpp").write_text('// no\n\n/* no\n no */ int yes;\nauto yes = "// yes /*";\n  // no\nint yes;  // yes\n')
code, said = run("lines.py", "--root", top)
check("lines.py counts code", code == 0 and re.search("core without kernels +3 of", said), said)
(top / "examples/08_long.cpp").write_text("int x;\n" * 151)
code, said = run("lines.py", "--root", top)
check("lines.py fails over the budget", code == 1 and "151 of   150   OVER" in said, said)
shutil.rmtree(top)

for github, python in [
    ("a\n- b\n  c\n- d\n", "a\n\n- b\n    c\n- d\n"),
    ("1. a\n\n       code\n\n   b\n2. c\n", "1. a\n\n        code\n\n    b\n\n2. c\n"),
    ("- a\n  - b\n    c\n\nd\n", "- a\n    - b\n        c\n\nd\n"),
    ("- a\n\n  ```text\n  - x\n    y\n  ```\n", "- a\n\n    ```text\n    - x\n      y\n    ```\n"),
    ("```\n- x\n$$\n```\n", "```\n- x\n$$\n```\n"),
    ("    - code\n", "    - code\n"),
    ("a\n$$b$$\n$$c,\nd$$\ne\n", "a\n\n$$b$$\n\n\n$$c,\nd$$\n\ne\n"),
    ('<!-- output: 03 to="x" -->\n```text\nx\n```\n<!-- /output -->\n', "\n```text\nx\n```\n"),
    ("<details>\n", '<details markdown="1">\n'),
]:
    translated = importlib.import_module("dialect").translated(github)
    check(f"dialect.py {github!r}", translated == python, repr(translated))

print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
