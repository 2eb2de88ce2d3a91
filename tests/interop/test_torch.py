#!/usr/bin/env python3
"""PyTorch takes the weights of a checkpoint of lookback and computes what lookback computed.

    test_torch.py FOLDER     with the files that the program interop_write writes
"""
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from read_checkpoint import read


# [state_dict]
def state_dict(tensors, scope):
    """What a module below this scope calls its own."""
    prefix = scope + "."
    return {name[len(prefix):]: torch.tensor(x) for name, x in tensors.items() if name.startswith(prefix)}


def load(tensors):
    modules = {"encoder.embedding": nn.Embedding(11, 8, padding_idx=0),
               "encoder.gru": nn.GRU(8, 6, num_layers=2, bidirectional=True, batch_first=True),
               "encoder.lstm": nn.LSTM(12, 10, batch_first=True),
               "readout": nn.Linear(10, 11)}
    for scope, module in modules.items():
        module.load_state_dict(state_dict(tensors, scope))
    return modules
# [/state_dict]


# [adam]
def load_adam(tensors, modules):
    """An Adam that remembers what ours did."""
    named = {f"{scope}.{name}": p for scope, module in modules.items() for name, p in module.named_parameters()}
    adam = torch.optim.Adam(named.values(), lr=1e-2)
    for name, p in named.items():
        adam.state[p] = {"exp_avg": torch.tensor(tensors["optimizer.m." + name]),
                         "exp_avg_sq": torch.tensor(tensors["optimizer.v." + name]),
                         "step": torch.tensor(tensors["optimizer.steps." + name])}
    return adam
# [/adam]


def logits(modules, ids, lengths):
    embedding, gru, lstm, readout = modules.values()
    packed = pack_padded_sequence(embedding(ids), lengths, batch_first=True, enforce_sorted=False)
    return readout(lstm(gru(packed)[0])[1][0][-1])


def main():
    tensors, _ = read(sys.argv[1] + "/m.safetensors")
    io = {name: torch.tensor(x) for name, x in read(sys.argv[1] + "/m.io.safetensors")[0].items()}
    ids, lengths = io["ids"].long(), io["lengths"].long()
    modules = load(tensors)
    y = logits(modules, ids, lengths)
    apart = (y - io["y"]).abs().max().item()
    print(f"{y.numel()} logits, the largest {y.abs().max().item():.2f}: PyTorch's and ours are at most {apart:.1e} apart")
    adam, later = load_adam(tensors, modules), 0
    for ours in io["losses"]:
        loss = nn.functional.cross_entropy(logits(modules, ids, lengths), ids[:, 0])
        later = max(later, abs(loss.item() - ours.item()))
        adam.zero_grad()
        loss.backward()
        adam.step()
    print(f"{len(io['losses'])} steps of Adam's further, from its memory: the losses are at most {later:.1e} apart")
    sys.exit(0 if apart <= 1e-5 and later <= 1e-5 else 1)


if __name__ == "__main__":
    main()
