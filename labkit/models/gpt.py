"""A tiny language model of the GPT kind."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit.messages import text
from labkit.models.base import Scalable
from labkit.mup.layers import AttentionScale, Readout


class GPT(Scalable):
    """A decoder-only transformer with pre-norm blocks and learned positions.

    As in GPT-2 (Radford et al., 2019), with layer normalisation before each part (Xiong et al., arXiv
    2002.04745), and with a readout of its own instead of the embedding's weights. No dropout: text that
    never repeats cannot be learned by heart.

    Parameters
    ----------
    width : numbers in the representation of one position; a multiple of `heads`.
    depth : number of blocks.
    heads : attention heads of each block.
    vocabulary : number of different characters.
    context : the most positions that one window may have.
    token_shift : whether each position also sees a learned share of the embedding before it, one share
        for each of the `width` numbers, 0 at first (after RWKV's token shift, Peng et al., arXiv 2305.13048).

    Raises
    ------
    ValueError
        If the width is not a multiple of the number of heads.
    """

    def __init__(
        self,
        width: int = 64,
        depth: int = 2,
        *,
        heads: int = 4,
        vocabulary: int = 64,
        context: int = 64,
        token_shift: bool = False,
    ) -> None:
        super().__init__(
            width=width,
            depth=depth,
            heads=heads,
            vocabulary=vocabulary,
            context=context,
            token_shift=token_shift,
        )
        if width % heads:
            raise ValueError(text("train.heads_do_not_divide", key="width", width=width, heads=heads))
        self.characters = nn.Embedding(vocabulary, width)
        self.positions = Positions(context, width)
        self.share = nn.Parameter(torch.zeros(width)) if token_shift else None
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.readout = Readout(width, vocabulary)

    def forward(self, characters: Tensor) -> Tensor:
        """Return unnormalised log probabilities of the next character at each position.

        Parameters
        ----------
        characters : int64, shape (batch, positions) with at most `context` positions.

        Returns
        -------
        Shape (batch, positions, vocabulary).
        """
        x = self.characters(characters)
        if self.share is not None:
            x = x + self.share * functional.pad(x[:, :-1], (0, 0, 1, 0))
        x = self.blocks(self.positions(x))
        logits: Tensor = self.readout(self.norm(x))
        return logits


class Positions(nn.Module):
    """Adds to each position a learned vector that says where it is.

    The vectors begin as sines and cosines of the position (after Vaswani et al., arXiv 1706.03762, section
    3.5), from 1 radian a position to 1 radian in the whole context: from these, attention to the character
    before is learned far sooner than from random vectors.
    """

    def __init__(self, context: int, width: int) -> None:
        super().__init__()
        rates = context ** -torch.linspace(0, 1, (width + 1) // 2)
        angles = torch.outer(torch.arange(context), rates)
        waves = torch.stack([angles.sin(), angles.cos()], 2).flatten(1)
        self.weight = nn.Parameter(waves[:, :width].contiguous())

    def forward(self, x: Tensor) -> Tensor:
        """Map representations, shape (batch, positions, width), to the same with their places added."""
        return x + self.weight[: x.shape[1]]


class Block(nn.Module):
    """Causal self-attention, then an MLP on each position; each reads a normalised copy and adds to it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.mlp_norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        """Map representations, shape (batch, positions, width), to those of the next block."""
        x = x + self.attention(self.attention_norm(x))
        y: Tensor = x + self.mlp(self.mlp_norm(x))
        return y


class Attention(nn.Module):
    """Causal self-attention with several heads (Vaswani et al., arXiv 1706.03762).

    The rows of the weight of `query_key_value` are all queries, then all keys, then all values, and inside
    each the heads one after the other: then a head grows with the width by repeating rows.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.scale = AttentionScale(width // heads)

    def forward(self, x: Tensor) -> Tensor:
        """Map representations, shape (batch, positions, width), to what the heads gathered, same shape."""
        batch, positions, width = x.shape
        parts = self.query_key_value(x).view(batch, positions, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # each (batch, heads, positions, head size)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True, scale=self.scale())
        y: Tensor = self.output(mixed.transpose(1, 2).reshape(batch, positions, width))
        return y
