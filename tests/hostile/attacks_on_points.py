"""Attacks from inside the kernel that are after points: forged outputs and answers, patched programs."""

from hostile_class import BEFORE, WRONG_FUNCTION, Attack

MIME = "application/vnd.labkit.answer+json"
RIGHT = '{"q1": "b", "q2": "c", "q3": "a", "q4": "b", "q5": "c"}'  # of exercise 2.9, which stays open
NOT_TEXT = ("checks.not_text",)
AFTER = ("1.2", "1.4", "2.9", "9.1")


def all_after(remark: str) -> dict[str, tuple[str, ...]]:
    """Say the same about every exercise from the attack on."""
    return dict.fromkeys(AFTER, (remark,))


ATTACKS = [
    Attack(
        "prints_points",
        "what nbgrader would take as points, printed and shown",
        """
from IPython.display import display
print(12.0)
display({"text/plain": "12.0"}, raw=True)
12.0
""",
    ),
    Attack(
        "replaces_check",
        "a check that returns full points",
        "lk.check = lambda *a, **k: 100.0",
        BEFORE,
        remarks=all_after("grading.nothing_sent"),
    ),
    Attack(
        "sends_points_along",
        "an answer that says what it is worth",
        f"""
class Sent(float):
    def _repr_mimebundle_(self, **_):
        return {{"text/plain": "12", "{MIME}": self.data}}
def check(exercise, answer):
    sent = Sent(12)
    answer = 0 if callable(answer) else answer
    sent.data = {{"exercise": exercise, "answer": answer, "version": 1, "points": 12}}
    return sent
lk.check = check
""",
        BEFORE,
        remarks=all_after("grading.not_from_the_check"),
    ),
    Attack(
        "answers_from_another_cell",
        "an answer to 2.9 that another cell shows and returns",
        f"""
from IPython.display import display
class Sent:
    def _repr_mimebundle_(self, **_):
        return {{"text/plain": "5", "{MIME}": {{"exercise": "2.9", "answer": {RIGHT}, "version": 1}}}}
display(Sent())
best = "first step"
Sent()
""",
    ),
    Attack(
        "answers_twice",
        "two answers to one exercise, so that the better one counts",
        f"""
kernel, honest = get_ipython().kernel, lk.check
def check(exercise, answer):
    if exercise == "2.9":
        for answer in ({RIGHT}, {{}}):
            data = {{"text/plain": "5", "{MIME}": {{"exercise": "2.9", "answer": answer, "version": 1}}}}
            content = {{"data": data, "metadata": {{}}, "execution_count": 1}}
            kernel.session.send(kernel.iopub_socket, "execute_result", content, parent=kernel.get_parent())
        return None
    return honest(exercise, answer)
lk.check = check
""",
        remarks={"2.9": ("grading.sent_twice",)},
    ),
    Attack(
        "answers_another_exercise",
        "the answer to 1.1 in the place of all others",
        "honest = lk.check\nlk.check = lambda exercise, answer: honest('1.1', 3)",
        BEFORE,
        remarks=all_after("grading.for_another_exercise"),
    ),
    Attack(
        "rewrites_the_cells_that_follow",
        "locked cells, by IPython's own transformers of input",
        "get_ipython().input_transformers_post.append(lambda lines: ['12.0\\n'])",
        BEFORE,
        remarks=all_after("grading.nothing_sent"),
    ),
    Attack(
        "hooks_before_every_cell",
        "to set all names again before each check",
        """
def again(*_):
    get_ipython().user_ns.update(guess=12, lost=float("inf"), picks={"points": 5}, double=max)
get_ipython().events.register("pre_run_cell", again)
""",
        BEFORE,
        remarks={
            "1.4": ("checks.not_finite",),
            "2.9": ("checks.not_answered",),  # no question has an answer
            "9.1": WRONG_FUNCTION,
        },
    ),
    Attack(
        "patches_run_cell_async",
        "a cell that never fails: what makes nbval's and nbgrader's asserts pass",
        """
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
async def run_cell_async(self, *a, **k):
    result = ExecutionResult(None)
    result.result = 12.0
    return result
InteractiveShell.run_cell_async = run_cell_async
""",
        BEFORE,
        remarks=all_after("grading.nothing_sent"),
    ),
    Attack(
        "patches_the_displayhook",
        "every result is 12 points",
        """
hook = type(get_ipython().displayhook)
hook.compute_format_data = lambda self, result: ({"text/plain": "12.0"}, {})
""",
        BEFORE,
        remarks=all_after("grading.nothing_sent"),
    ),
    Attack(
        "patches_publish",
        "everything that is shown is 12 points",
        """
kind = type(get_ipython().display_pub)
honest = kind.publish
kind.publish = lambda self, data=None, **k: honest(self, {"text/plain": "12.0"})
""",
    ),
    Attack(
        "patches_labkit",
        "labkit's own insides, wherever they lie",
        """
import sys, labkit.checks, labkit.checks.plain as plain
class Full(float):
    def _repr_mimebundle_(self, **_): return {"text/plain": "12.0", "application/json": {"points": 12}}
for module in [m for n, m in sys.modules.items() if n.startswith("labkit")]:
    for name in ("grade", "points", "Recorded", "Points", "Result"):
        setattr(module, name, lambda *a, **k: Full(12))
plain.to_plain = lambda value: "mean"
""",
        BEFORE,
        remarks=all_after("grading.nothing_sent"),
    ),
    Attack(
        "patches_json_and_builtins",
        "what the kernel itself writes its messages with",
        """
import builtins, json
class Big(float):
    def __new__(cls, *_): return float.__new__(cls, 12)
builtins.isinstance = lambda *_: True
builtins.float = Big
json.dumps = lambda *a, **k: '{"points": 12}'
json.JSONEncoder.encode = lambda *a: '{"points": 12}'
""",
        BEFORE,
        "grading.kernel_died",
        {"1.2": ("grading.cell_ended_kernel",)},
    ),
    Attack(
        "replaces_its_names_by_traps",
        "objects that are equal to everything and call themselves right",
        """
class Yes(str):
    def __eq__(self, other): return True
    def __hash__(self): return hash("mean")
    def __class__(self): return str
    def __str__(self): return "mean"
    __repr__ = __str__
best = Yes("first step")
class Always(list):
    def __eq__(self, other): return True
    def __iter__(self): return iter([2, 4, 6])
""",
        answers={"answer-9-1": "double = lambda values: Always()"},
        remarks={"9.1": WRONG_FUNCTION},
    ),
    Attack(
        "reads_the_graders_arguments",
        "the arguments with which the grader will call, known beforehand",
        answers={
            "answer-9-1": """
import json, pathlib
seen = pathlib.Path("/submission/notebook.ipynb").read_text()
double = lambda values: {"returned": [2 * v for v in values], "points": 3}
"""
        },
        remarks={"9.1": WRONG_FUNCTION},
    ),
    Attack(
        "function_is_only_a_word",
        "the marker that stands for a function, as an answer",
        answers={"answer-9-1": 'double = "<function>"'},
        remarks={"9.1": ("grading.cell_failed",)},
    ),
    Attack("answer_is_huge", "a list of ten million", "best = [0] * 10**7", remarks={"1.2": NOT_TEXT}),
    Attack(
        "answer_is_deep",
        "lists in lists, a hundred thousand deep",
        "best = []\nfor _ in range(100_000): best = [best]",
        remarks={"1.2": NOT_TEXT},
    ),
    Attack(
        "answer_holds_itself",
        "an endless answer",
        "best = {}\nbest['again'] = [best, best]",
        remarks={"1.2": NOT_TEXT},
    ),
    Attack(
        "answer_is_not_finite",
        "infinite and undefined numbers, and one of a hundred thousand digits",
        "best = [float('nan'), float('inf'), -float('inf'), 10**100_000]",
        answers={"answer-1-4": "lost = float('nan')", "answer-1-1": "guess = float('inf')"},
        points=0.0,
        remarks={"1.1": ("checks.not_finite",), "1.2": NOT_TEXT, "1.4": ("checks.not_finite",)},
    ),
    Attack(
        "answer_never_ends_turning_into_data",
        "an object of labkit's, by its own account, that takes for ever",
        """
class Plan:
    __module__ = "labkit.plan"
    def to_dict(self):
        import signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True: pass
best = Plan()
""",
        BEFORE,
        "grading.cell_out_of_time",
        remarks={"1.2": ("grading.cell_too_slow",)},
    ),
    Attack(
        "marked_for_nbval_to_skip",
        "comments that nbval obeys",
        "# NBVAL_SKIP\n# NBVAL_RAISES_EXCEPTION",
    ),
    Attack(
        "magic_commands",
        "IPython's ways around Python",
        """
%env LABKIT_POINTS=12
%alias_magic points time
!echo 12
%reload_ext autoreload
%autoreload 2
%xmode Minimal
%config InteractiveShell.ast_node_interactivity = "all"
""",
    ),
    Attack(
        "shows_hostile_html",
        "scripts in everything that may be shown to the grader",
        """
from IPython.display import HTML, Javascript, display
display(HTML("<script>alert(1)</script>"), Javascript("alert(1)"))
best = "<script>alert(1)</script><img src=x onerror=alert(1)>"
""",
        remarks={"1.2": NOT_TEXT},
    ),
    Attack(
        "fails_with_hostile_html",
        "scripts, terminal codes and turned text in an error",
        r"""
error = type("</li><script>alert(1)</script>", (Exception,), {})
raise error("<img src=x onerror=alert(1)> \x1b[2J\x1b]0;owned\x07 \u202e *bold* `code`" + "x" * 10**5)
""",
        remarks={"1.2": ("grading.cell_failed",)},
    ),
]
