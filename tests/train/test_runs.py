"""Runs in real processes: started, killed, carried on."""

import time

import pytest

from labkit import runs, train
from labkit.checkpoint import CheckpointError
from labkit.train import Config, Training


def wait_for(process, step):
    while process.running and process.position() < step:
        time.sleep(0.005)


def test_a_killed_process_carries_on_from_its_checkpoint(tmp_path, same_weights):
    config = Config(width=16, steps=2000, checkpoint_every=100, eval_every=1000, device="cpu")
    process = runs.start(config, tmp_path / "run")
    wait_for(process, 250)
    killed_at = process.kill()
    assert 250 <= killed_at < 2000
    assert not process.running
    assert process.position() == killed_at
    with pytest.raises(runs.RunError, match="did not finish"):
        process.wait()

    again = runs.start(config, tmp_path / "run")
    history = again.wait(timeout=120)
    assert history.resumed_from == killed_at - killed_at % 100
    assert again.position() == 2000
    expected = train.run(config, tmp_path / "undisturbed.pt")
    assert history.rows == expected.rows
    resumed, undisturbed = Training.load(again.folder.checkpoint), Training.load(tmp_path / "undisturbed.pt")
    assert same_weights(resumed.model.state_dict(), undisturbed.model.state_dict())


def test_a_folder_of_another_run_is_refused_before_a_process_starts(tmp_path):
    config = Config(width=8, steps=2, device="cpu")
    train.run(config, runs.RunFolder(tmp_path).checkpoint)
    with pytest.raises(CheckpointError, match="steps: 2 in the checkpoint, 3 now"):
        runs.start(Config(width=8, steps=3, device="cpu"), tmp_path)
    assert not runs.RunFolder(tmp_path).config.exists()


def test_a_process_that_fails_shows_the_end_of_its_log(tmp_path):
    process = runs.start(Config(device="cuda:99"), tmp_path)
    with pytest.raises(runs.RunError, match=r'device is "cuda:99"'):
        process.wait(timeout=60)


def test_a_folder_without_a_run_is_at_position_zero(tmp_path):
    folder = runs.RunFolder(tmp_path)
    assert (folder.saved_position(), folder.reported_position()) == (0, None)


@pytest.mark.parametrize("content", [None, "{", '{"lr": 1}'])
def test_the_command_ends_with_a_sentence_when_its_config_is_wrong(tmp_path, content):
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        train.main(["--config", str(path), "--checkpoint", str(tmp_path / "run.pt")])
    assert isinstance(caught.value.code, str)
