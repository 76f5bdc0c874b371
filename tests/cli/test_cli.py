import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from labkit.cli import main
from labkit.messages import set_language
from labkit.plan import ComputePlan, Measured, Setting, Venue

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def english():
    set_language("en")
    yield
    set_language("en")


@pytest.fixture
def plan_file(tmp_path):
    plan = ComputePlan(
        question="Does my method beat the baseline on the small data set?",
        settings=[Setting("baseline", "baseline"), Setting("mine", "method"), Setting("no A", "ablation")],
        seeds=[0, 1, 2],
        seeds_why="Three seeds show the spread of the results.",
        run_time=Measured(minutes=40),
        venue=Venue("free notebook", session_hours=4, hours_per_week=12, checkpoint_minutes=10),
        risks=["The session may end without notice."],
    )
    plan.save(tmp_path / "plan.json")
    return tmp_path / "plan.json"


@pytest.mark.parametrize(("form", "start"), [("text", ""), ("markdown", ""), ("html", "<"), ("request", "#")])
def test_sound_plan_is_printed_in_each_format(plan_file, capsys, form, start):
    code = main(["plan", str(plan_file), "--format", form])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    assert shown.out.startswith(start)
    assert "my method" in shown.out


def test_plan_is_printed_in_hindi(plan_file, capsys):
    main(["plan", str(plan_file), "--lang", "hi"])
    assert "घंटे" in capsys.readouterr().out


def test_plan_with_problems_is_printed_with_them_and_exits_with_1(plan_file, capsys):
    plan_file.write_text(
        plan_file.read_text(encoding="utf-8").replace('"method"', '"ablation"'), encoding="utf-8"
    )
    code = main(["plan", str(plan_file)])
    shown = capsys.readouterr()
    assert (code, "\n- " in shown.err, "baseline" in shown.out) == (1, True, True)


@pytest.mark.parametrize(
    "content", ["", "[1, 2", "seeds: x", "\x00"], ids=["empty", "broken", "wrong type", "zero byte"]
)
def test_plan_that_cannot_be_used_is_refused_without_a_traceback(tmp_path, content):
    file = tmp_path / "plan.yaml"
    file.write_text(content, encoding="utf-8")
    done = labkit("plan", file)
    assert (done.returncode, "Traceback" in done.stderr, done.stderr.strip() != "") == (1, False, True)


@pytest.mark.parametrize("name", ["missing.yaml", "."])
def test_plan_file_that_cannot_be_read_is_named(tmp_path, name):
    done = labkit("plan", tmp_path / name)
    assert (done.returncode, "Traceback" in done.stderr, str(tmp_path) in done.stderr) == (1, False, True)


@pytest.mark.parametrize("command", ["lab", "run", "build"])
def test_without_notebooks_the_message_says_where_they_are_expected(tmp_path, command):
    with zipfile.ZipFile(tmp_path / "labkit.whl", "w") as wheel:
        for path in (ROOT / "labkit").rglob("*"):
            if path.suffix in (".py", ".toml"):
                wheel.write(path, path.relative_to(ROOT))
    with zipfile.ZipFile(tmp_path / "labkit.whl") as wheel:
        wheel.extractall(tmp_path / "site")
    (tmp_path / "empty").mkdir()
    done = labkit(command, cwd=tmp_path / "empty", site=tmp_path / "site")
    assert (done.returncode, "--notebooks DIR" in done.stderr) == (1, True)


def test_folder_without_notebooks_is_refused(tmp_path, capsys):
    code = main(["run", "--notebooks", str(tmp_path)])
    assert (code, str(tmp_path) in capsys.readouterr().err) == (1, True)


def test_no_command_shows_the_help(capsys):
    code, err = main([]), capsys.readouterr().err
    assert (code, all(name in err for name in ("lab", "run", "plan", "build"))) == (2, True)


def test_help_is_in_the_language_asked_for(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", "--lang=hi", "--help"])
    assert (ended.value.code, "बिना browser" in capsys.readouterr().out) == (0, True)


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1", "8888.0"])
def test_port_out_of_range_is_refused(capsys, port):
    with pytest.raises(SystemExit) as ended:
        main(["lab", f"--port={port}"])
    assert (ended.value.code, "from 1 to 65535" in capsys.readouterr().err) == (2, True)


def test_build_lists_faults_and_says_that_nothing_was_written(tmp_path, capsys):
    source = tmp_path / "notebooks" / "source" / "01_x.py"
    source.parent.mkdir(parents=True)
    source.write_text('# %% [markdown] lang="en"\n# Text\n', encoding="utf-8")
    code = main(["build", "--notebooks", str(tmp_path / "notebooks")])
    err = capsys.readouterr().err
    assert (code, "01_x.py:1: " in err, "nothing was written" in err) == (1, True, True)


def labkit(*arguments, cwd=ROOT, site=ROOT):
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from labkit.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_a_reader_that_goes_away_ends_the_command_quietly(plan_file):
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from labkit.cli import main; sys.exit(main())"
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, "plan", str(plan_file)],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
