"""Texts in columns."""

from labkit.plots import side_by_side


def test_text_of_a_model_is_shown_as_it_is():
    shown = side_by_side({"16 <b>": "one & two\nthree", "लंबा": "राम गया।"})
    page = shown._repr_html_()
    assert "16 &lt;b&gt;" in page
    assert "one &amp; two<br>three" in page
    assert page.count("<td") == 2
    assert "one & two\nthree" in str(shown)
