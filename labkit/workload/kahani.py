"""A tiny GPT on Kahani text, whose best possible loss is known."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit import kahani
from labkit.config import KahaniConfig
from labkit.messages import checked_language
from labkit.models import GPT, Scalable
from labkit.workload.configured import Configured
from labkit.workload.protocol import Batch

HELD_OUT = 256  # windows that every run is evaluated on
_STEPS = 1 << 32  # more than a run can have, so that each (seed, step) has a stream of text of its own


class Kahani(Configured[KahaniConfig]):
    r"""Next-character prediction on windows that begin at a sentence start.

    Each step of each seed reads a stream of sentences of its own: no text is repeated, except that a short
    sentence may be drawn again, as from any language. A batch is one tensor of character codes, shape (batch,
    context + 1): "\n", then `context` characters, each to be predicted from those before it.
    """

    def __init__(self, config: KahaniConfig, device: torch.device) -> None:
        super().__init__(config, device)
        windows, best = _held_out(config.lang, config.context)
        self.held_out = windows.to(device)
        self.best = best.to(device)

    def standard_model(self) -> Scalable:
        """Return a GPT of the config's width, depth, heads and context for the language's characters."""
        config = self.config
        return GPT(
            width=config.width,
            depth=config.depth,
            heads=config.heads,
            vocabulary=len(kahani.vocabulary(config.lang)),
            context=config.context,
            token_shift=config.token_shift,
        )

    def batch(self, step: int) -> Batch:
        """Return the windows of a step."""
        config = self.config
        stream = config.seed * _STEPS + step
        windows = kahani.windows("train", config.batch_size, config.context, stream, config.lang)
        return (encode(windows, config.lang).to(self.device),)

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        """Return the mean cross-entropy in nats per character."""
        (windows,) = batch
        logits = model(windows[:, :-1]).flatten(0, 1).float()
        return functional.cross_entropy(logits, windows[:, 1:].flatten())

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Return the loss on held-out windows, the same for every run, in nats per character.

        "test_loss" is the mean over all characters; "excess" is how far it lies above the best possible loss
        on the same text (see `labkit.kahani.surprisals`), and "excess_se" is the standard error of that,
        windows being independent.
        """
        logits = model(self.held_out[:, :-1]).transpose(1, 2).float()
        losses = functional.cross_entropy(logits, self.held_out[:, 1:], reduction="none").mean(1)
        excess = (losses - self.best).double()
        return {
            "test_loss": float(losses.double().mean()),
            "excess": float(excess.mean()),
            "excess_se": float(excess.std()) / math.sqrt(len(excess)),
        }


@torch.no_grad()
def sample(model: GPT, lang: str | None = None, chars: int = 200, seed: int = 0) -> str:
    """Return text that a model writes, at least `chars` characters, to the end of a sentence or its context.

    Sentences are independent, so each is begun afresh; one that outgrows the context is cut there.

    Parameters
    ----------
    model : trained on windows of the language, on any device.
    lang : "en", "hi", or None for the language in use.
    chars : at least this many.
    seed : decides the draws; torch's global generator is left alone.
    """
    letters = kahani.vocabulary(lang)
    device = model.readout.weight.device
    generator = torch.Generator().manual_seed(seed)
    written = ""
    while len(written) < chars:
        sentence = encode(["\n"], lang).to(device)
        for _ in range(model.arguments["context"]):
            chances = model(sentence)[0, -1].float().softmax(0).cpu()
            drawn = torch.multinomial(chances, 1, generator=generator)
            sentence = torch.cat([sentence, drawn[None].to(device)], 1)
            if letters[int(drawn)] == "\n":
                break
        written += "".join(letters[code] for code in sentence[0, 1:].tolist()).rstrip("\n") + "\n"
    return written


def encode(windows: list[str], lang: str | None = None) -> Tensor:
    """Return texts of one length as their characters' places in the vocabulary, int64, (texts, length)."""
    codes = np.searchsorted(_known(checked_language(lang)), _code_points("".join(windows)))
    return torch.from_numpy(codes.reshape(len(windows), -1))


def _code_points(characters: str) -> np.ndarray:
    return np.frombuffer(characters.encode("utf-32-le"), dtype="<u4")


@functools.cache
def _known(lang: str) -> np.ndarray:
    """Return the vocabulary's code points, in ascending order as `labkit.kahani.vocabulary` gives them."""
    return _code_points(kahani.vocabulary(lang))


@functools.cache
def _held_out(lang: str, context: int) -> tuple[Tensor, Tensor]:
    """Return the held-out windows and the best possible mean loss on each."""
    windows = kahani.windows("test", HELD_OUT, context, lang=lang)
    best = [math.fsum(kahani.surprisals(window[1:], lang)) / context for window in windows]
    return encode(windows, lang), torch.tensor(best, dtype=torch.float32)
