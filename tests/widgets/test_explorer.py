"""Buttons with a picture or a sentence that follows them."""

import pytest

import labkit as lk


def buttons(explorer, name):
    return explorer._fields[name]


def test_words_follow_a_button():
    explorer = lk.explore(lambda width: f"width {width}", {"width": [16, 32]}, {"width": 16})
    assert "width 16" in explorer._words.value
    buttons(explorer, "width").value = 32
    assert "width 32" in explorer._words.value
    assert explorer.values == {"width": 32}


def test_several_values_may_be_chosen_and_keep_their_order():
    explorer = lk.explore(lambda seeds: f"{seeds}", {"seeds": [0, 1, 2]}, {"seeds": [2, 0]})
    assert explorer.values == {"seeds": [0, 2]}
    buttons(explorer, "seeds")._buttons[1].value = True
    assert explorer.values == {"seeds": [0, 1, 2]}
    assert "[0, 1, 2]" in explorer._words.value


def test_of_several_values_the_last_stays_chosen():
    explorer = lk.explore(lambda seeds: f"{seeds}", {"seeds": [0, 1, 2]}, {"seeds": [1]})
    last = buttons(explorer, "seeds")._buttons[1]
    last.value = False
    assert last.value is True
    assert explorer.values == {"seeds": [1]}
    buttons(explorer, "seeds")._buttons[2].value = True
    last.value = False
    assert explorer.values == {"seeds": [2]}


def test_a_figure_is_shown_as_a_picture():
    rows = [{"step": step, "train_loss": 1 / step} for step in (1, 2, 3)]
    explorer = lk.explore(lambda n: lk.plots.losses({"a": rows[:n]}), {"n": [2, 3]}, {"n": 2})
    first = bytes(explorer._picture.value)
    assert first.startswith(b"\x89PNG")
    buttons(explorer, "n").value = 3
    assert bytes(explorer._picture.value) != first


def test_a_choice_that_does_not_work_says_why():
    def show(n):
        if n == 3:
            raise ValueError("three <is> too many")
        return "fine"

    explorer = lk.explore(show, {"n": [2, 3]}, {"n": 2})
    buttons(explorer, "n").value = 3
    assert "three &lt;is&gt; too many" in explorer._words.value
    assert explorer._picture.layout.display == "none"


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_every_start_value_that_is_not_an_option_is_named(lang):
    with pytest.raises(ValueError) as error:
        lk.explore(str, {"n": [2, 3], "seeds": [0, 1]}, {"n": 4, "seeds": [0, 7]}, lang=lang)
    assert "“n”" in str(error.value)
    assert "“seeds”" in str(error.value)


def test_the_text_of_the_cell_does_not_change_from_run_to_run():
    assert repr(lk.explore(str, {}, {})) == "Explorer"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((None, {"n": [2]}, {"n": 2}), "show is a NoneType; expected is a function"),
        ((str, [2], {"n": 2}), "options is a list; expected is a dictionary"),
        ((str, {"n": [2]}, [2]), "chosen is a list; expected is a dictionary"),
        ((repr, {"n": 2}, {"n": 2}), "“n” has a int as its options; expected is a list"),
        ((lambda z: z, {"n": [2]}, {"n": 2}), "show does not take “n”"),
        ((lambda n, z: z, {"n": [2]}, {"n": 2}), "show also needs “z”"),
        ((lambda n: n, {"n": [2]}, {}), "“n” is missing in chosen; its options are: 2"),
    ],
)
def test_what_cannot_be_explored_is_refused_in_words(given, said):
    with pytest.raises(ValueError, match=said):
        lk.explore(*given, lang="en")


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(ValueError, match=r"show is(.|\n)*“n” has(.|\n)*“m” is missing(.|\n)*“k” is 7"):
        lk.explore(3, {"n": 2, "m": [1], "k": [1]}, {"n": 2, "k": 7}, lang="en")


def test_a_function_may_take_more_than_it_needs():
    assert lk.explore(lambda **values: f"{values}", {"n": [2]}, {"n": 2}).values == {"n": 2}
    assert lk.explore(lambda n, size=3: f"{n} {size}", {"n": [2]}, {"n": 2}).values == {"n": 2}
