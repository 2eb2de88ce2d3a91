#!/usr/bin/env python3
"""Writes tests/interop/fixtures/: PyTorch modules as safetensors, and what they compute.

    make_fixtures.py [FOLDER]     needs PyTorch (Debian: python3-torch); the files are committed, so the tests need no Python

gru.safetensors is a state dict as PyTorch has it, in F32; gru.io.safetensors holds inputs and outputs, computed from these
weights in double precision. Ids and lengths are stored as numbers like all others. `encoder` is a model that PyTorch has
trained, and its io file the losses of the steps that PyTorch would take next.
"""
import copy
import json
import pathlib
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

LENGTHS = torch.tensor([5, 2, 4])


# [write]
def write_safetensors(path, tensors):
    """A state dict, or any dict of float tensors, as safetensors."""
    header, data = {}, b""
    for name, x in tensors.items():
        dtype = {torch.float32: "F32", torch.float64: "F64"}[x.dtype]
        values = x.detach().cpu().contiguous().numpy().tobytes()
        header[name] = {"dtype": dtype, "shape": list(x.shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
# [/write]


def write(folder, name, module, **io):
    write_safetensors(folder / f"{name}.safetensors", module.state_dict())
    write_safetensors(folder / f"{name}.io.safetensors", {k: v.double() for k, v in io.items()})


def recurrent(folder, name, net):
    """y, h_n (and c_n) of three sentences of different lengths, from given first states."""
    x = torch.randn(3, 5, net.input_size, dtype=torch.double)
    first = [torch.randn(2 * net.num_layers, 3, net.hidden_size, dtype=torch.double) for _ in range(1 + (name == "lstm"))]
    packed = pack_padded_sequence(x, LENGTHS, batch_first=True, enforce_sorted=False)
    packed, last = copy.deepcopy(net).double()(packed, tuple(first) if name == "lstm" else first[0])
    y, _ = pad_packed_sequence(packed, batch_first=True)
    states = dict(zip(["h0", "c0"], first)), dict(zip(["h_n", "c_n"], last if name == "lstm" else [last]))
    write(folder, name, net, x=x, lengths=LENGTHS, y=y, **states[0], **states[1])


class Encoder(nn.Module):
    """Reads a sentence and says what its first word was."""

    def __init__(self, words=11):
        super().__init__()
        self.embedding = nn.Embedding(words, 8, padding_idx=0)
        self.gru = nn.GRU(8, 12, batch_first=True)
        self.readout = nn.Linear(12, words)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        return self.readout(self.gru(packed)[1][-1])


def fit(model, batch, steps):
    """The loss before each step of a new Adam, and after the last."""
    ids, lengths, targets = batch
    adam, losses = torch.optim.Adam(model.parameters(), lr=1e-2), []
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(ids, lengths), targets)
        losses.append(loss.item())
        adam.zero_grad()
        loss.backward()
        adam.step()
    losses.append(nn.functional.cross_entropy(model(ids, lengths), targets).item())
    return losses


def trained(folder):
    lengths = torch.randint(3, 8, (32,))
    ids = torch.randint(1, 11, (32, 7)) * (torch.arange(7) < lengths[:, None])
    batch, model = (ids, lengths, ids[:, 0]), Encoder()
    before = fit(model, batch, 30)
    after = fit(copy.deepcopy(model).double(), batch, 5)
    print(f"PyTorch: loss {before[0]:.4f}, after 30 steps {after[0]:.4f}, after 35 {after[-1]:.4f}")
    write(folder, "encoder", model, ids=ids, lengths=lengths, losses=torch.tensor(after, dtype=torch.double))


def main():
    here = pathlib.Path(__file__).resolve().parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "fixtures"
    folder.mkdir(exist_ok=True)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    recurrent(folder, "gru", nn.GRU(4, 6, num_layers=2, bidirectional=True, batch_first=True))
    recurrent(folder, "lstm", nn.LSTM(4, 5, num_layers=2, bidirectional=True, batch_first=True))
    linear, x = nn.Linear(5, 3), torch.randn(2, 4, 5, dtype=torch.double)
    write(folder, "linear", linear, x=x, y=copy.deepcopy(linear).double()(x))
    embedding, ids = nn.Embedding(7, 4, padding_idx=0), torch.tensor([[3, 0, 6], [1, 1, 5]])
    write(folder, "embedding", embedding, ids=ids, y=embedding(ids))
    trained(folder)


if __name__ == "__main__":
    main()
