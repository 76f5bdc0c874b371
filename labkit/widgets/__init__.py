"""Forms for the notebooks, made of core ipywidgets only, so that every notebook service can show them."""

from labkit.widgets.explorer import Explorer, explore
from labkit.widgets.form import PlanForm, plan_form

__all__ = ["Explorer", "PlanForm", "explore", "plan_form"]
