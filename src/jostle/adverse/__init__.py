"""Running an existing test suite while things happen that should make no difference."""

from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.own import adverse_condition

__all__ = ["Condition", "Ground", "Neutral", "Pass", "adverse_condition"]
