"""The plan form without a browser: what each field changes, and that no input ever raises."""

from __future__ import annotations

import copy

import ipywidgets as ipw
import pytest

import labkit as lk
from labkit.messages import table, text

SETTINGS = [("baseline", "baseline"), ("mine", "method"), ("no A", "ablation"), ("no B", "ablation")]
HALF_TYPED = [
    "",
    " ",
    "4x",
    "-",
    "-3",
    "0",
    "1e999",
    "nan",
    "४०",
    "0,5",
    "9" * 5000,
    "<script>",
    "{0}",
    "$x$",
    "a\nb",
]


def lesson(**given):
    values = {
        "seeds_why": "Three seeds show the spread.",
        "run_time": lk.Measured(40),
        "venue": lk.Venue("free notebook service", session_hours=4, checkpoint_minutes=10),
        "risks": ["A session may end without warning."],
    }
    return lk.ComputePlan("Does it help?", SETTINGS, [0, 1, 2], **(values | given))


def every(widget):
    """All widgets of a form."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


def field(form, name, lang="en"):
    """The field with a label of the message table."""
    label = text(f"widgets.{name}", lang)
    return next(w for w in every(form) if getattr(w, "description", None) == label)


def buttons(form, name):
    return [
        w for w in every(form) if isinstance(w, ipw.Button) and w.description == text(f"widgets.{name}", "en")
    ]


def picture(form):
    return next(w for w in every(form) if isinstance(w, ipw.Image))


def html(form):
    return " ".join(w.value for w in every(form) if isinstance(w, ipw.HTML))


@pytest.fixture
def form():
    return lk.plan_form(lesson(), lang="en")


def test_form_shows_the_plan_it_was_given(form):
    assert form.draft.plan == lesson()
    assert "Total: 12 h" in html(form)
    assert bytes(picture(form).value).startswith(b"\x89PNG")


def test_form_takes_a_draft_and_a_plain_dict(form):
    draft = lk.draft_plan(**lesson().to_dict())
    assert lk.plan_form(draft).draft.plan == lk.plan_form(lesson().to_dict()).draft.plan == lesson()


def test_form_refuses_anything_else_in_words():
    with pytest.raises(TypeError, match="was given a int; it takes a ComputePlan"):
        lk.plan_form(3, lang="en")


def test_form_leaves_what_it_was_given_alone():
    data = lesson().to_dict()
    before = copy.deepcopy(data)
    shown = lk.plan_form(data)
    field(shown, "seed_count").value = 5
    assert data == before


def test_empty_form_says_what_is_missing_and_shows_no_hours():
    empty = lk.plan_form(lang="en")
    assert empty.draft.plan is None
    assert "Total: not yet" in html(empty)
    assert picture(empty).layout.display == "none"


def test_number_of_seeds_makes_the_list_longer_and_shorter(form):
    field(form, "seed_count").value = 5
    assert form.draft.plan.seeds == (0, 1, 2, 3, 4)
    field(form, "seed_count").value = 2
    assert form.draft.plan.seeds == (0, 1)


def test_longer_list_of_seeds_repeats_none(form):
    field(form, "seed_list").value = "1, 3"
    field(form, "seed_count").value = 4
    assert form.draft.plan.seeds == (1, 3, 0, 2)


def test_typing_the_list_sets_the_number_and_leaves_the_text_alone(form):
    field(form, "seed_list").value = "5, 7,  "
    assert field(form, "seed_count").value == 2
    assert field(form, "seed_list").value == "5, 7,  "


def test_settings_can_be_added_named_moved_and_removed(form):
    buttons(form, "add")[0].click()
    names = [w for w in every(form) if isinstance(w, ipw.Text) and w.description == "Setting 5"]
    names[0].value = "no C"
    buttons(form, "up")[4].click()
    assert [s.name for s in form.draft.plan.settings] == ["baseline", "mine", "no A", "no C", "no B"]
    buttons(form, "remove")[2].click()
    assert [s.name for s in form.draft.plan.settings] == ["baseline", "mine", "no C", "no B"]


def test_role_of_a_setting_can_be_changed(form):
    roles = [w for w in every(form) if isinstance(w, ipw.ToggleButtons) and w.description == "Role"]
    roles[3].value = "method"
    assert form.draft.plan.settings[3].role == "method"


def test_own_run_time_and_priority_of_a_setting_are_shown_and_kept():
    own = [lk.Setting("a", "baseline", lk.Measured(5)), lk.Setting("b", "ablation", priority=2)]
    plan = lk.ComputePlan("?", own, [0, 1], "", lk.Measured(40))
    shown = lk.plan_form(plan, lang="en")
    assert shown.draft.plan == plan
    assert [w.value for w in every(shown) if isinstance(w, ipw.Label)] == [
        "own run time: 5 min",
        "priority: 2",
    ]


def test_range_that_was_not_given_follows_the_minutes(form):
    field(form, "minutes").value = "50"
    assert form.draft.plan.run_time == lk.Measured(50)


def test_guess_asks_what_it_rests_on_and_a_measurement_does_not(form):
    why = field(form, "guess_why")
    assert why.layout.display == "none"
    field(form, "kind").value = "guess"
    why.value = "like the last one"
    assert why.layout.display is None
    assert form.draft.plan.run_time == lk.Guess(40, "like the last one")


def test_margin_changes_the_hours(form):
    field(form, "margin").value = 1.0
    assert "Total: 16 h" in html(form)


def test_venue_and_risks_reach_the_plan(form):
    field(form, "price_per_hour").value = "0.5"
    field(form, "risks").value = "one\n\n two "
    assert form.draft.plan.venue.price_per_hour == 0.5
    assert form.draft.plan.risks == ("one", "two")


def test_picture_follows_the_hours_and_is_not_drawn_again_for_words(form):
    before = picture(form).value
    field(form, "question").value = "Another question?"
    assert picture(form).value == before
    field(form, "seed_count").value = 4
    assert picture(form).value != before


def test_half_typed_number_is_said_in_words_and_mended_by_typing_on(form):
    field(form, "minutes").value = "4x"
    assert "4x" in html(form)
    assert form.draft.plan is None
    field(form, "minutes").value = "4"
    assert form.draft.plan.run_time == lk.Measured(4)


def test_problem_names_the_label_of_its_field_not_its_place_in_the_data(form):
    name = next(w for w in every(form) if getattr(w, "description", None) == "Setting 3")
    name.value = ""
    for label in ("question", "seeds_why", "risks"):
        field(form, label).value = ""
    field(form, "minutes").value = "4x"
    said = html(form)
    labels = ("Setting 3", "Question", "Why so many", "Minutes", "Risks, one a line")
    assert [label for label in labels if f"<li>“{label}” is" not in said] == []


def test_own_run_time_of_a_setting_is_named_with_its_setting():
    data = lesson().to_dict()
    data["settings"][1]["run_time"] = {"kind": "measured", "minutes": -1}
    assert "“Setting 2: Minutes” (mine) is -1" in html(lk.plan_form(data, lang="en"))


def test_two_settings_of_one_name_are_both_named_by_their_labels(form):
    name = next(w for w in every(form) if getattr(w, "description", None) == "Setting 4")
    name.value = "no A"
    assert "“Setting 4” is no A, and “Setting 3” has the same name" in html(form)


def test_total_stands_above_every_field(form):
    assert "Total: 12 h" in form.children[0].value


def test_unknown_role_is_shown_and_named():
    shown = lk.plan_form(lesson().to_dict() | {"settings": [{"name": "a", "role": "boss"}]}, lang="en")
    assert "“Setting 1: Role” (a) is" in html(shown)
    field(shown, "role").value = "baseline"
    assert shown.data["settings"] == [{"name": "a", "role": "baseline"}]


def test_missing_role_chooses_no_button():
    shown = lk.plan_form({"settings": [{"name": "a"}]}, lang="en")
    assert field(shown, "role").value is None


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("typed", HALF_TYPED)
def test_nothing_typed_in_any_field_raises(typed, lang):
    form = lk.plan_form({**lesson().to_dict(), "seeds": None}, lang=lang)  # without seeds nothing is drawn
    field(form, "kind", lang).value = "guess"
    for widget in [w for w in every(form) if isinstance(w, ipw.Text | ipw.Textarea)]:
        before = widget.value
        widget.value = typed
        assert html(form)
        widget.value = before


@pytest.mark.parametrize("typed", ["_x", "$x$", "<b>", "no A", "{0}"])
def test_any_name_of_a_setting_is_drawn(form, typed):
    field_of_name = next(w for w in every(form) if w.__class__ is ipw.Text and w.value == "no B")
    before = picture(form).value
    field_of_name.value = typed
    assert form.draft.plan is not None
    assert picture(form).value != before


def test_what_is_typed_is_never_markup(form):
    for name in ("question", "seeds_why", "minutes", "venue_name", "risks"):
        field(form, name).value = "<img src=x onerror=alert(1)>"
    assert "<img" not in html(form)


def test_every_field_has_a_label_that_belongs_to_it(form):
    kinds = (ipw.Text, ipw.Textarea, ipw.ToggleButtons, ipw.BoundedIntText, ipw.FloatSlider)
    assert all(w.description for w in every(form) if isinstance(w, kinds))


def test_hindi_form_has_its_labels_in_hindi():
    shown = lk.plan_form(lesson(), lang="hi")
    used = {getattr(w, "description", "") for w in every(shown)} - {""}
    english = {line["en"] for line in table("widgets").values() if line["en"] != line["hi"]}
    assert not used & english


def test_code_is_folded_until_asked_for_and_gives_the_same_plan(form):
    field(form, "seed_count").value = 4
    button, code = field(form, "show_code"), field(form, "code")
    assert code.layout.display == "none"
    button.value = True
    assert code.layout.display is None
    names = {}
    exec(code.value, names)
    assert names["draft"].plan == form.draft.plan


def test_nothing_that_changes_from_run_to_run_is_stored_in_the_notebook(form):
    assert repr(form) == "PlanForm"


def test_form_uses_no_output_widget(form):
    assert not [w for w in every(form) if isinstance(w, ipw.Output)]
