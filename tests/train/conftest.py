import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Keep tiny steps quick on a busy machine, and the bits equal between this process and others."""
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(before)


@pytest.fixture
def same_weights():
    def compare(a, b):
        """Whether two models' state dicts are equal bit for bit."""
        return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)

    return compare
