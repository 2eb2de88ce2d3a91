"""What mkdocs does not do by itself, as its hooks (mkdocs.yml names this file): the pages are written for GitHub.

- Their Markdown is not Python-Markdown's: on_page_markdown, dialect.py.
- A link to a source, outside the book, leads to a page with its text: on_page_markdown, on_post_build.
- <!-- live: one-step --> and <!-- /live --> stand round a picture that a live figure takes the place of: on_page_content.
- From file:// a page may neither fetch the search index nor start a worker, so a script brings both: on_post_page, on_post_build.
- Code is not searched, or each page would carry all code of the book twice: on_page_content, on_post_page.
"""
import base64
import gzip
import html
import json
import os
import pathlib
import re
import struct
import sys

from mkdocs.structure.files import File, Files
from pygments import lex
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Keyword, String
from pygments.util import ClassNotFound

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import dialect  # noqa: E402  (mkdocs loads a hook by its path)

DOCS = pathlib.Path(__file__).resolve().parents[1]
TOP = DOCS.parent
LINK = re.compile(r"(\]\()((?:\.\./|tools/|live/|output/)[^)\s#]*)(#[^)\s]*)?(\))")
LIVE = {"one-step": ["plane.js", "one_step.js"], "learn": ["learner.js", "heatmap.js", "learn.js"]}
CODE = re.compile(r'<div class="highlight">.*?</pre></div>', re.S)
PLAIN = re.compile(r'<span class="[nw]">([^<]*)</span>')   # names and blanks have no colour; they were a fifth of the pages' bytes
linked = set()   # the sources that a page leads to
hidden = {}      # of each page its code, which the search is not to see


# --- files

def on_config(config):
    config["docs_dir"] = str(DOCS)
    return config


def on_files(files, config):
    """The theme, the pages, their pictures, the live figures, and KaTeX from where npm has put it."""
    ours = re.compile(r"[^/]+\.md|img/.+\.png|live/[a-z_]+\.(css|js)")
    kept = [f for f in files if not f.abs_src_path.startswith(f"{DOCS}/") or ours.fullmatch(f.src_uri)]

    modules = TOP / "build/site/node_modules"
    fonts = [str(f.relative_to(modules)) for name in ("Main", "Math", "Size", "AMS")   # what the formulas of the book use
             for f in sorted((modules / "katex/dist/fonts").glob(f"KaTeX_{name}*.woff2"))]
    katex = ["katex/dist/katex.min.css", "katex/dist/katex.min.js", *fonts]
    return Files(kept + [File(f, str(modules), config["site_dir"], config["use_directory_urls"]) for f in katex])


# --- Markdown

def source_page(path):
    return f"source/{path}/index.html" if (TOP / path).is_dir() else f"source/{path}.html"


def on_page_markdown(markdown, page, config, files):
    def to_source(match):
        path = os.path.relpath(DOCS / match[2], TOP)
        if not (TOP / path).exists():
            raise SystemExit(f"{page.file.src_uri}: {match[2]}: no such file")
        linked.add(path)
        return match[1] + source_page(path).replace("/", ":", 1) + match[4]   # source:core/..: mkdocs would miss a page

    return LINK.sub(to_source, dialect.translated(markdown))


# --- HTML

def sized(match):
    """A picture that is loaded when it is seen, with its size, so that nothing moves when it comes."""
    width, height = struct.unpack(">II", (DOCS / match[1]).read_bytes()[16:24])
    return f'<img loading="lazy" width="{width}" height="{height}" '


def on_page_content(content, page, config, files):
    names = re.findall(r"<!-- live: ([a-z-]+) -->", content)
    content = re.sub(r"<!-- live: ([a-z-]+) -->", r'<div class="live" data-live="\1">', content)
    content = content.replace("<!-- /live -->", "</div>")
    content = re.sub(r'<img (?=[^>]*src="([^"]+\.png)")', sized, content)
    content = content.replace('href="source:', 'href="source/')
    if names:
        scripts = ["engine.js", "live/live.js"] + [f"live/{script}" for name in names for script in LIVE[name]]
        content += "".join(f'<script src="{script}"></script>\n' for script in scripts)   # at once: before formulas are drawn
    content = PLAIN.sub(r"\1", content)
    hidden[page.url] = CODE.findall(content)
    return CODE.sub("<!-- code -->", content)


def on_post_page(output, page, config):
    code = iter(hidden[page.url])
    output = re.sub("<!-- code -->", lambda _: next(code), output)
    return output.replace('<script src="assets/javascripts/bundle', '<script src="search/index.js"></script>\n'
                          '      <script src="assets/javascripts/bundle', 1)


# --- afterwards

STYLE = """body{font:14px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:72rem;padding:0 1rem;color:#202124;background:#fff}
pre{overflow-x:auto;font:13px/1.45 ui-monospace,monospace;tab-size:4}a{color:#3f51b5}.c{color:#5f6f5f}.k{color:#9c2a7a}.s{color:#1c6b3a}
@media(prefers-color-scheme:dark){body{color:#dfe1e5;background:#1e2129}a{color:#9fb0ff}.c{color:#93a893}.k{color:#f08ad0}.s{color:#8fd6a5}}"""


def coloured(path, text):
    """Comments, keywords and strings; a token of any other kind is as it stands."""
    try:
        lexer = get_lexer_for_filename(path, stripnl=False)
    except ClassNotFound:
        return html.escape(text, quote=False)
    parts, last = [], ""
    for token, value in lex(text, lexer):
        kind = "c" if token in Comment else "k" if token in Keyword else "s" if token in String else ""
        if kind != last:
            parts.append(("</span>" if last else "") + (f"<span class={kind}>" if kind else ""))
        parts.append(html.escape(value, quote=False))
        last = kind
    return "".join(parts) + ("</span>" if last else "")


def write_source(site, path):
    """A source as a page; of a folder the list of its files, of which those lead on that a page of the book leads to."""
    page = site / source_page(path)

    def entry(file):
        name, there = file.name + "/" * file.is_dir(), str(file.relative_to(TOP))
        to = os.path.relpath(site / source_page(there), page.parent)
        return f'<li><a href="{to}">{name}</a></li>' if there in linked else f"<li>{name}</li>"

    if (TOP / path).is_dir():
        body = "<ul>" + "".join(entry(f) for f in sorted((TOP / path).iterdir()) if f.name[0] not in "._") + "</ul>"
    else:
        body = f"<pre>{coloured(path, (TOP / path).read_text(encoding='utf-8'))}</pre>"
    page.parent.mkdir(parents=True, exist_ok=True)
    book = os.path.relpath(site / "index.html", page.parent)
    page.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                    f"<title>{path}</title><style>{STYLE}</style><p><a href=\"{book}\">The book</a> / {path}</p>{body}</html>\n",
                    encoding="utf-8")


def engine():
    """lookback_engine, whose text is all that a worker needs: it returns what starts the engine. One classic script, for file://."""
    built = TOP / "build/web"
    packed = base64.b64encode(gzip.compress((built / "engine.wasm").read_bytes(), mtime=0)).decode()
    return f"""function lookback_engine() {{
{(built / "engine.js").read_text(encoding="utf-8")}
return async () => {{
  const packed = Uint8Array.from(atob("{packed}"), c => c.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return createEngine({{ wasmBinary: await new Response(unpacked).arrayBuffer() }});
}};
}}
"""


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    (site / "engine.js").write_text(engine(), encoding="utf-8")
    for path in linked:
        write_source(site, path)
    scripts = site / "assets/javascripts"
    names = ["404.html", "sitemap.xml", "sitemap.xml.gz"]   # for a server, with links from its top
    for unused in [*site.rglob("*.map"), *(scripts / "lunr").rglob("*.js"), *(site / name for name in names)]:
        unused.unlink(missing_ok=True)
    index, worker = site / "search/search_index.json", next((scripts / "workers").glob("search.*.js"))
    found = json.loads(index.read_text(encoding="utf-8"))
    titles = {entry["location"]: entry["title"] for entry in found["docs"]}
    for entry in found["docs"]:
        page, _, section = entry["location"].partition("#")
        if not section:
            entry["text"] = ""   # its sections have entries of their own
        elif entry["title"] != titles[page]:
            entry["title"] = f"{titles[page]}: {entry['title']}"   # there is a "Where the note errs" on every page
    script = json.dumps(worker.read_text(encoding="utf-8")).replace("</", "<\\/")
    (site / "search/index.js").write_text(
        f"var __search = {{\n  index: Promise.resolve({json.dumps(found, ensure_ascii=False)}),\n"
        f'  worker: URL.createObjectURL(new Blob([{script}], {{type: "text/javascript"}}))\n}};\n', encoding="utf-8")
    index.unlink()
    worker.unlink()
