"""Reading a cell's Python is not disturbed by what other threads do."""

import builtins

from labkit.grading import code


def test_an_error_of_the_parser_itself_is_not_the_students(monkeypatch):
    calls = []

    def unlucky(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            raise SystemError("AST constructor recursion depth mismatch (before=39, after=41)")
        return builtins.compile(*arguments)

    monkeypatch.setattr(code, "compile", unlucky, raising=False)
    assert code.names_set("answer_of_an_unlucky_thread = 1") == {"answer_of_an_unlucky_thread"}
    assert len(calls) > 1
