"""How feedback looks: as a number, as text, as HTML, and in a real kernel."""

import html.parser
import json
from pathlib import Path

import nbclient
import nbformat
import pytest
from answers import BY_MESSAGE, SOLUTIONS

import labkit as lk
from labkit.checks import ANSWER_TYPE, check, grade, to_html, to_text
from labkit.messages import LANGUAGES, table


class Elements(html.parser.HTMLParser):
    """Collects tags and text, and notes tags that are not closed in order."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.open, self.text = [], [], ""
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def feedback(exercise, answer, lang="en"):
    return Elements(to_html(grade(exercise, answer), lang))


def test_the_points_are_a_number():
    assert check("2.8", SOLUTIONS["2.8"]) + 1 == 3


@pytest.mark.parametrize(("answer", "shown"), [("mean", "1"), ("median", "0.5"), ("first step", "0")])
def test_the_points_print_as_the_number_alone(answer, shown):
    points = check("1.2", answer)
    assert (str(points), repr(points)) == (shown, shown)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", BY_MESSAGE)
def test_html_closes_what_it_opens_and_fills_every_placeholder(name, lang):
    page = feedback(*BY_MESSAGE[name], lang)
    assert not page.open and "{" not in page.text.replace('{"', "")


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_an_answer_cannot_bring_in_markup(exercise):
    attack = "<script>alert(1)</script>"
    answers = [
        attack,
        dict.fromkeys(SOLUTIONS[exercise], attack) if isinstance(SOLUTIONS[exercise], dict) else [attack],
    ]
    assert all(set(feedback(exercise, a).tags) <= {"div", "span", "strong", "code"} for a in answers)


def test_points_out_of_the_most_come_first():
    assert to_text(grade("1.2", "median"), "en").startswith("Points for exercise 1.2: 0.5 of 1")


@pytest.mark.parametrize(
    ("answer", "word"),
    [("mean", "Right"), ("median", "Partly right"), ("first step", "Not right yet"), (..., "Not answered")],
)
def test_a_word_stands_beside_the_icon(answer, word):
    assert word in feedback("1.2", answer).text


def test_the_language_in_use_is_followed():
    lk.set_language("hi")
    try:
        said = check("1.2", "median").feedback
    finally:
        lk.set_language("en")
    assert said == check("1.2", "median", lang="hi").feedback


def test_text_colours_are_left_to_the_theme():
    source = to_html(grade("1.2", "median"), "en")
    assert "background" not in source and 'strong style="color' not in source


@pytest.mark.parametrize("id_", sorted(i for i in table("checks") if ".word_" in i))
def test_every_word_of_the_frame_is_used(id_):
    seen = "".join(to_text(grade(*answer), "en") for answer in BY_MESSAGE.values())
    assert table("checks")[id_]["en"] in seen


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Run check cells in a real kernel; return their outputs."""
    cells = [
        "import labkit as lk",
        "lk.check('1.2', 'median')",
        "%precision 3\nlk.check('2.8', {'1': 'not yet'})",
        "lk.set_language('hi'); lk.check('1.1', ...)",
        "lk.check('7.7', 1)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    folder = str(tmp_path_factory.mktemp("kernel"))
    client = nbclient.NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": folder}})
    client.execute()
    return [cell.outputs for cell in notebook.cells]


def test_the_kernel_shows_the_number_as_text(outputs):
    assert [outputs[i][0].data["text/plain"] for i in (1, 2, 3)] == ["0.5", "0.25", "0"]


def test_the_kernel_result_is_an_execute_result(outputs):
    assert outputs[1][0].output_type == "execute_result"


def test_the_kernel_shows_the_feedback_as_html(outputs):
    assert "median" in outputs[1][0].data["text/html"]


def test_the_kernel_follows_the_language(outputs):
    assert 'lang="hi"' in outputs[3][0].data["text/html"]


def test_the_answer_leaves_the_kernel(outputs):
    assert outputs[1][0].data[ANSWER_TYPE] == {"exercise": "1.2", "answer": "median", "version": 1}


def test_grading_the_emitted_answer_gives_the_same_result(outputs):
    sent = json.loads(json.dumps(outputs[1][0].data[ANSWER_TYPE]))
    assert grade(sent["exercise"], sent["answer"]).points == 0.5


def test_an_unknown_exercise_shows_one_line_in_the_kernel(outputs):
    assert len(outputs[4][0].traceback) == 1 and "2.9" in outputs[4][0].traceback[0]


def test_checks_need_no_torch():
    sources = Path(lk.checks.__file__).parent.glob("*.py")
    assert not any("import torch" in source.read_text(encoding="utf-8") for source in sources)
