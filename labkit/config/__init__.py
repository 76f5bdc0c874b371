"""The settings of one training run: what may be set, why the defaults are what they are, what is refused."""

from labkit.config.base import RUNNING_EXAMPLE, Config
from labkit.config.rules import ConfigError
from labkit.config.tasks import DigitsConfig, KahaniConfig

__all__ = ["RUNNING_EXAMPLE", "Config", "ConfigError", "DigitsConfig", "KahaniConfig"]
