#!/usr/bin/env python3
"""Writes the small hostile files of this folder, each named by what is wrong with it. What a reader says to each stands in
answers.txt; the fuzzers of tests/fuzz start from them."""
import gzip
import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
HUGE = 1 << 60


def text(value):
    return value if isinstance(value, bytes) else value.encode()


# --- folder: several files in one

def files(**named):
    return b"".join(b"===== " + name.replace("_", ".").encode() + b"\n" + text(content) for name, content in named.items())


def pair(en="yes\n", es="sí\n"):
    return files(mine_en=en, mine_es=es)


LINES = "one\ntwo\nthree\nfour\nfive\n"
FOLDER = {
    "nul-byte": pair("yes\nn\0o\n", "sí\nno\n"),
    "lone-c3": pair("coffee\n", b"caf\xc3\n"),
    "lone-continuation-byte": pair("day\n", b"d\xbfa\n"),
    "overlong": pair(b"a\xc0\xafb\n"),
    "overlong-nul": pair(b"a\xc0\x80b\n"),
    "surrogate": pair(b"\xed\xa0\x80\n"),
    "beyond-unicode": pair(b"\xf4\x90\x80\x80\n"),
    "utf-16": pair("yes\n".encode("utf-16")),
    "latin-1": pair("yes\n", "sí\n".encode("latin-1")),
    "line-separators-inside": pair("one\u2028more\ntwo\u0085\nthree\v\f\u2029.\n", "uno\ndos\ntres\n"),
    "carriage-returns": pair("one\r\ntwo\r\n", "uno\r\ndos\r\n"),
    "carriage-returns-alone": pair("one\rtwo\r", "uno\rdos\r"),
    "byte-order-mark": pair("\ufeffone\ntwo\n", "\ufeffuno\ndos\n"),
    "no-last-newline": pair("one\ntwo", "uno\ndos"),
    "one-blank-line-more": pair("one\ntwo\n\n", "uno\ndos\n"),
    "21-against-20-lines": pair("yes\n" * 21, "sí\n" * 20),
    "blank-on-one-side": pair("one\ntwo\n", "uno\n \u3000\n"),
    "blank-on-both-sides": pair("one\n\ntwo\n", "uno\n\t\ndos\n"),
    "nothing-but-blanks": pair("\n \n", "\n\u00a0\n"),
    "empty-files": pair("", ""),
    "one-file-alone": files(mine_en=LINES),
    "control-words-spelled": pair("_PAD _GO _EOS\n", "<s> </s>\n"),
    "a-thousand-accents": pair("e" + "\u0301\u0323" * 500 + "\n"),
    "three-endings": files(train_de=LINES, train_en=LINES, train_fr=LINES),
    "no-test-part": files(train_de=LINES, train_en=LINES, dev_de=LINES, dev_en=LINES),
    "two-test-parts": files(train_txt="a ||| b |||\n" * 3, val_txt="a ||| b |||\n", test_1_txt="", test_2_txt=""),
    "test-part-broken": files(train_de=LINES, train_en=LINES, val_de=LINES, val_en=LINES, test_de=LINES, test_en="one\n"),
    "packed-part-cut": files(train_de_gz=gzip.compress(text(LINES), mtime=0)[:-9], train_en=LINES),
    "packed-in-name-only": files(mine_en_gz="yes\n", mine_es="sí\n"),
}

# --- links: pairs in one file

LINKS = {
    "source-out-of-range": "a b ||| c ||| 0-0 2-0\n",
    "target-out-of-range": "a b ||| c ||| 0-1\n",
    "beyond-any-int": "a ||| b ||| 99999999999999999999-0\n",
    "negative": "a ||| b ||| -1-0\n",
    "twice": "a ||| b ||| 0-0 0-0\n",
    "no-number": "a ||| b ||| x-0\n",
    "nul-in-a-link": b"a ||| b ||| 0\0-0\n",
    "no-bars": "a b\n",
    "four-fields": "a ||| b ||| 0-0 ||| c\n",
    "four-bars": "a |||| b ||| 0-0\n",
    "empty-source": " ||| b |||\n",
    "two-tokens-in-a-word": "don't. ||| no ||| 0-0\n",
    "line-separator-in-a-word": "a\u2028b ||| c ||| 0-0\n",
    "byte-order-mark-inside": "\x01\ufeffa ||| b ||| 0-0\n",
    "an-accent-alone": "e \u0301 ||| c ||| 0-0\n",
    "unknown-links": "a ||| b |||\n",
    "empty": "",
}

# --- gz

PACKED = gzip.compress(b"one\ntwo\n", mtime=0)
GZ = {
    "empty": b"",
    "no-gz": b"one\ntwo\n",
    "two-bytes": PACKED[:2],
    "cut-in-the-header": PACKED[:9],
    "cut-in-the-data": PACKED[:14],
    "cut-in-the-checksum": PACKED[:-6],
    "another-checksum": PACKED[:-8] + b"\1" + PACKED[-7:],
    "another-size": PACKED[:-1] + b"\1",
    "bytes-after-the-end": PACKED + b"xyz",
    "zeros-after-the-end": PACKED + bytes(512),
    "second-member-cut": PACKED + PACKED[:12],
    "two-members": PACKED + PACKED,
    "a-bomb": gzip.compress(bytes((1 << 20) + 1), mtime=0),
    "name-without-end": PACKED[:3] + b"\x08" + PACKED[4:10] + b"n" * 99,
    "extra-field-too-long": PACKED[:3] + b"\x04" + PACKED[4:10] + b"\xff\xff" + PACKED[10:],
    "reserved-flags": PACKED[:3] + b"\xe0" + PACKED[4:],
    "raw-deflate": zlib.compress(b"one\ntwo\n")[2:-4],
}

# --- words: a list, and a sentence to cut into pieces

CONTROL = "_PAD\n_GO\n_EOS\n_UNK\n"
WORDS = {
    "no-control-words": "_PAD\n_GO\na\n",
    "a-word-twice": CONTROL + "a\nb\na\n",
    "a-control-word-twice": CONTROL + "_EOS\n",
    "an-empty-word": CONTROL + "\na\n",
    "a-merge-twice": "l@@ o\nl@@ o\n",
    "a-merge-without-mark": "l o\n",
    "a-merge-of-three": "a@@ b c\n",
    "a-merge-of-nothing": "@@ b\n",
    "a-merge-of-marks": "@@@ @\n",
    "nothing": "",
    "marks-in-the-text": "a@@ b\n=====\n@@\na@@\n@@@@@\nab\n",
    "broken-utf-8-in-the-text": b"\xc3@@ \xa9\n=====\n\xc3\xa9\n\xa9\xa9\n\xf0\x9f\n",
    "a-long-word": "a@@ a@@\n=====\n" + "a" * 2000 + "\n",
}

# --- tensors: safetensors files as they are


def raw(header, values=b""):
    header = text(header)
    return struct.pack("<Q", len(header)) + header + values


def one(shape="[2]", offsets="[0,8]", dtype='"F32"', more=""):
    return raw('{"W":{"dtype":%s,"shape":%s,"data_offsets":%s}%s}' % (dtype, shape, offsets, more), struct.pack("<2f", 1, 2))


def file_of(tensors, texts):
    """As write_safetensors has it: texts and tensors in order, a checksum over all."""
    header, values = {"__metadata__": dict(sorted({**texts, "checksum": "00000000"}.items()))}, b""
    for name, (shape, numbers) in tensors.items():
        packed = struct.pack("<%df" % len(numbers), *numbers)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(values), len(values) + len(packed)]}
        values += packed
    head = text(json.dumps(header, separators=(",", ":"), ensure_ascii=False))
    whole = raw(head + b" " * (-len(head) % 8), values)
    return whole.replace(b'"checksum":"00000000"', b'"checksum":"%08x"' % zlib.crc32(whole))


def some(*shape, value=0.5):
    size = 1
    for n in shape:
        size *= n
    return (list(shape), [value] * size)


GOOD = file_of({"W": some(2), "b": some()}, {"words": "a\nñ\n"})
TENSORS = {
    "whole": GOOD,
    "empty": b"",
    "seven-bytes": bytes(7),
    "a-text-file": b"Once upon a time there was a net\n",
    "a-zip-file": b"PK\3\4" + bytes(60),
    "header-of-2-to-the-60-bytes": struct.pack("<Q", HUGE) + b"{}",
    "header-cut": GOOD[:50],
    "header-no-json": raw("{W"),
    "header-a-list": raw("[1,2]"),
    "header-nested-deep": raw("[" * 3000),
    "header-not-utf-8": raw(b'{"\xff":1}'),
    "header-of-nothing": raw("{}"),
    "texts-a-list": raw('{"__metadata__":["a"]}'),
    "texts-no-object": raw('{"__metadata__":"words"}'),
    "a-text-a-number": raw('{"__metadata__":{"a":1}}'),
    "a-tensor-a-number": raw('{"W":1}'),
    "a-name-twice": one(more=',"W":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}'),
    "a-name-with-nul": raw('{"W\\u0000":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'),
    "half-precision": one(dtype='"F16"'),
    "dtype-a-list": one(dtype="[]"),
    "2-to-the-60-values": one("[%d]" % HUGE),
    "2-to-the-120-values": one("[%d,%d]" % (HUGE, HUGE)),
    "2-to-the-64-values": one("[4294967296,4294967296]"),
    "a-size-negative": one("[-2]"),
    "a-size-in-halves": one("[2.5]"),
    "five-axes": one("[1,1,1,1,2]"),
    "offsets-backwards": one(offsets="[8,0]"),
    "offsets-beyond-the-end": one(offsets="[0,%d]" % HUGE),
    "offsets-overlap": one(more=',"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'),
    "offsets-with-a-hole": one("[1]", "[4,8]"),
    "values-cut": GOOD[:-1],
    "bytes-after-the-end": GOOD + b"\n",
    "a-bit-flipped": GOOD[:-1] + bytes([GOOD[-1] ^ 1]),
    "checksum-no-checksum": raw('{"__metadata__":{"checksum":""}}'),
}

# --- resume: a run of two weights, 4 of 10 steps done, 2 an epoch

RUN = {"W": some(2, 3), "b": some(3)}
RUN_TEXTS = {"format": "lookback", "version": "1", "score": "dot", "step": "4", "tokens": "0", "loss": "0", "losses": "2.5\n1.5\n",
             "validation losses": "3\n2\n", "best.epoch": "2", "random.dropout": "7 12"}
for name, (shape, numbers) in list(RUN.items()):
    RUN |= {f"optimizer.m.{name}": (shape, numbers), f"optimizer.v.{name}": (shape, numbers), f"optimizer.steps.{name}": some(value=4)}
for name in "W", "b":
    RUN |= {f"best.{name}": RUN[name], f"past.1.{name}": RUN[name]}


def run(without=(), **texts):
    texts = {**RUN_TEXTS, **{name.replace("_", " "): value for name, value in texts.items()}}
    kept = {name: value for name, value in texts.items() if name not in without and value is not None}
    return file_of({name: x for name, x in RUN.items() if not name.startswith(tuple(without) or "?")}, kept)


def run_with(**tensors):
    return file_of({**RUN, **{name.replace("_", "."): x for name, x in tensors.items()}}, RUN_TEXTS)


RESUME = {
    "whole": run(),
    "step-negative": run(step="-1"),
    "step-beyond-64-bits": run(step="99999999999999999999"),
    "tokens-near-2-to-the-63": run(tokens="9223372036854775807"),
    "step-beyond-the-run": run(step="11"),
    "step-with-a-space": run(step="4 "),
    "step-without-losses": run(step="6"),
    "step-not-said": run(step=None),
    "loss-nan": run(loss="nan"),
    "losses-of-words": run(losses="2.5\nx\n"),
    "losses-beyond-numbers": run(losses="2.5\n1e999\n"),
    "random-of-words": run(**{"random.dropout": "seven"}),
    "validation-losses-too-few": run(validation_losses="3\n"),
    "best-not-there": run(without=["best."]),
    "best-of-another-size": run_with(best_b=some(4)),
    "past-not-there": run(without=["past."]),
    "optimizer-not-there": run(without=["optimizer."]),
    "optimizer-of-half-steps": run_with(optimizer_steps_b=some(value=0.5)),
    "optimizer-of-negative-steps": run_with(optimizer_steps_b=some(value=-1)),
    "optimizer-of-endless-steps": run_with(optimizer_steps_b=some(value=1e30)),
    "optimizer-infinite": run_with(optimizer_v_W=some(2, 3, value=float("inf"))),
    "a-weight-nan": run_with(b=some(3, value=float("nan"))),
    "a-weight-too-many": run_with(extra=some(1)),
    "a-weight-of-another-size": run_with(W=some(3, 2)),
    "another-score": run(score="additive"),
    "another-version": run(version="2"),
    "of-another-program": run(format="none"),
}

# --- model: what it is in texts, and its weights

N = 2  # E = H = A
VOCABULARY = CONTROL + "a\nb\n"
V = VOCABULARY.count("\n")
SHARED = {"format": "lookback", "version": "1", "source words": VOCABULARY, "target words": VOCABULARY, "source with ends": "false",
          "memory": "all", "dropout": "0", "heads": "1", "layers": "1"}
RECURRENT = {**SHARED, "model": "recurrent", "embedding size": "2", "hidden size": "2", "alignment size": "2", "score": "additive",
             "score bias": "false", "cell": "gru", "query": "new", "bridge": "copy", "first context": "zero", "input": "projected",
             "readout": "projected", "tied": "false", "fed-back embedding learns": "true"}
RECURRENT_WEIGHTS = {
    "encoder.embedding.weight": some(V, N), "encoder.gru.weight_ih_l0": some(3 * N, N), "encoder.gru.weight_hh_l0": some(3 * N, N),
    "encoder.gru.bias_ih_l0": some(3 * N), "encoder.gru.bias_hh_l0": some(3 * N), "decoder.embedding.weight": some(V, N),
    "decoder.vocab.weight": some(V, N), "decoder.vocab.bias": some(V), "decoder.attn0.W1": some(N, N), "decoder.attn0.W2": some(N, N),
    "decoder.attn0.v": some(N), "decoder.in.weight": some(N, 2 * N), "decoder.in.bias": some(N), "decoder.cell.weight_ih": some(3 * N, N),
    "decoder.cell.weight_hh": some(3 * N, N), "decoder.cell.bias_ih": some(3 * N), "decoder.cell.bias_hh": some(3 * N),
    "decoder.out.weight": some(N, 2 * N), "decoder.out.bias": some(N)}
TRANSFORMER = {**SHARED, "model": "transformer", "width": "2", "feed-forward size": "2", "norm": "post", "tied": "none"}


def looks(name):
    return {f"{name}.in_proj_weight": some(3 * N, N), f"{name}.in_proj_bias": some(3 * N), f"{name}.out_proj.weight": some(N, N),
            f"{name}.out_proj.bias": some(N)}


def layer(name, norms):
    weights = {f"{name}.linear{k}.{part}": x for k in (1, 2) for part, x in (("weight", some(N, N)), ("bias", some(N)))}
    return weights | {f"{name}.norm{k}.{part}": some(N) for k in range(1, norms + 1) for part in ("weight", "bias")}


TRANSFORMER_WEIGHTS = {
    "encoder.embedding.weight": some(V, N), **looks("encoder.layers.0.self_attn"), **layer("encoder.layers.0", 2),
    "decoder.embedding.weight": some(V, N), "decoder.vocab.weight": some(V, N), "decoder.vocab.bias": some(V),
    **looks("decoder.layers.0.self_attn"), **looks("decoder.layers.0.multihead_attn"), **layer("decoder.layers.0", 3)}


def model(texts, weights, changed):
    return file_of(weights, {name: value for name, value in {**texts, **changed}.items() if value is not None})


def recurrent(name=None, value=None, **weights):
    changed = {**RECURRENT_WEIGHTS, **{key.replace("_", "."): x for key, x in weights.items()}}
    return model(RECURRENT, changed, {name: value} if name else {})


def transformer(name=None, value=None):
    return model(TRANSFORMER, TRANSFORMER_WEIGHTS, {name: value} if name else {})


MODEL = {
    "recurrent-whole": recurrent(),
    "recurrent-hidden-size-0": recurrent("hidden size", "0"),
    "recurrent-hidden-size-negative": recurrent("hidden size", "-2"),
    "recurrent-hidden-size-2-to-the-60": recurrent("hidden size", str(HUGE)),
    "recurrent-hidden-size-in-words": recurrent("hidden size", "two"),
    "recurrent-embedding-size-beyond-64-bits": recurrent("embedding size", "99999999999999999999"),
    "recurrent-heads-0": recurrent("heads", "0"),
    "recurrent-heads-2-to-the-60": recurrent("heads", str(HUGE)),
    "recurrent-heads-2-to-the-60-of-dot": model(RECURRENT, RECURRENT_WEIGHTS, {"heads": str(HUGE), "score": "dot"}),
    "recurrent-hidden-size-2-to-the-62": recurrent("hidden size", str(1 << 62)),
    "recurrent-layers-0": recurrent("layers", "0"),
    "recurrent-layers-2-to-the-60": recurrent("layers", str(HUGE)),
    "recurrent-dropout-nan": recurrent("dropout", "nan"),
    "recurrent-dropout-2": recurrent("dropout", "2"),
    "recurrent-score-unknown": recurrent("score", "../../etc/passwd"),
    "recurrent-score-not-said": recurrent("score", None),
    "recurrent-cell-unknown": recurrent("cell", "tree"),
    "recurrent-a-word-twice": recurrent("source words", CONTROL + "a\na\n"),
    "recurrent-a-word-too-many": recurrent("source words", VOCABULARY + "c\n"),
    "recurrent-no-control-words": recurrent("target words", "a\nb\nc\nd\ne\nf\n"),
    "recurrent-merges-broken": recurrent("merges", "a b\n"),
    "recurrent-a-weight-nan": recurrent(decoder_vocab_bias=some(V, value=float("nan"))),
    "recurrent-a-weight-too-many": recurrent(decoder_extra=some(1)),
    "transformer-whole": transformer(),
    "transformer-heads-0": transformer("heads", "0"),
    "transformer-heads-3-for-width-2": transformer("heads", "3"),
    "transformer-width-0": transformer("width", "0"),
    "transformer-width-2-to-the-60": transformer("width", str(HUGE)),
    "transformer-feed-forward-size-negative": transformer("feed-forward size", "-1"),
    "transformer-layers-2-to-the-60": transformer("layers", str(HUGE)),
    "transformer-norm-unknown": transformer("norm", "none"),
    "a-model-unknown": model(RECURRENT, RECURRENT_WEIGHTS, {"model": "tree"}),
    "a-run-without-model": run(),
}

# --- options: an argument a line

OPTIONS = {
    "unknown": "--colour\nred\n",
    "misspelt": "--epoch\n3\n",
    "value-missing": "--epochs\n",
    "value-empty": "--epochs=\n",
    "an-option-for-a-value": "--out\n--quick\n",
    "a-flag-with-a-value": "--quick=yes\n",
    "number-negative": "--epochs\n-1\n",
    "number-octal": "--seed\n010\n",
    "number-beyond-64-bits": "--seed\n18446744073709551616\n",
    "number-with-more-behind": "--epochs\n3x\n",
    "number-nan": "--state\nnan,1\n",
    "number-beyond-doubles": "--state\n1e999\n",
    "list-of-nothing": "--state\n,\n",
    "range-left": "--heads\n9\n",
    "a-word-alone": "somewhere\n",
    "dashes-alone": "--\n",
    "three-dashes": "---\n",
    "one-dash": "-\n",
    "a-name-without-letters": "--=3\n",
    "brackets-in-a-text": "--sentence\n[a,b]\n",
    "braces-in-a-text": "--sentence={}\n",
    "percents-in-a-text": "--sentence\n%%\n",
    "quotes-in-a-text": "--sentence='\"\n",
    "line-ends-left-open": "--sentence\nno \\\n",
    "broken-utf-8": b"--sentence\n\xff\xc3\n",
    "ten-thousand-letters": "--out\n" + "a" * 10000 + "\n",
    "ten-thousand-letters-for-a-name": "--" + "a" * 10000 + "\n",
    "nothing": "",
    "help": "--epochs\n3\n--help\n",
}


def main():
    for folder, ending, cases in (("folder", "txt", FOLDER), ("links", "txt", LINKS), ("gz", "gz", GZ), ("words", "txt", WORDS),
                                  ("tensors", "safetensors", TENSORS), ("resume", "safetensors", RESUME),
                                  ("model", "safetensors", MODEL), ("options", "txt", OPTIONS)):
        (HERE / folder).mkdir(exist_ok=True)
        for name, content in cases.items():
            (HERE / folder / f"{name}.{ending}").write_bytes(text(content))


if __name__ == "__main__":
    main()
