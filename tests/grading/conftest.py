import pytest

from labkit.checks import core
from labkit.grading.runtime import prepare_runtime


@pytest.fixture(scope="session")
def runtime(tmp_path_factory):
    """What the sandboxes of all tests show of labkit."""
    folder = tmp_path_factory.mktemp("runtime")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    return prepare_runtime(folder / "inside")


@pytest.fixture
def function_exercise(monkeypatch):
    """An exercise that asks for a function which doubles every number of a list."""

    def draw(source):
        return [[[source.randint(-9, 9) for _ in range(3)]] for _ in range(3)]

    def rubric(calls):
        for call in calls:
            yield core.part(1, doubled, call)

    def doubled(call):
        right = [2 * value for value in call["arguments"][0]]
        return core.right("t.right") if call.get("returned") == right else core.wrong("t.wrong")

    monkeypatch.setattr(core, "_rubrics", {**core._all_rubrics(), "9.1": core._Rubric(3, rubric, draw)})
    return "9.1"
