# Cells that notebooks share: `# %% include="setup"` stands for the cell with that id.

# %% id="setup"
# @title Setup: run this cell first
# Finds labkit: in the folders above this notebook, installed, or, in Colab and the like, in uploaded files.
import importlib
import subprocess
import sys
from pathlib import Path

here = Path.cwd()
near = [here, *here.parents, *here.glob("*/")]
homes = [str(folder) for folder in near if (folder / "labkit" / "plan" / "__init__.py").is_file()]
wheels = sorted(str(p) for pattern in ("", "*/") for p in here.glob(pattern + "compute_lab_workbook-*.whl"))
if homes:
    sys.path.insert(0, homes[0])
elif wheels:  # brings what labkit needs; torch stays as it is
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", wheels[-1], "mnist1d"], check=True)
    importlib.invalidate_caches()
try:
    import labkit as lk

    lk.set_language  # somebody else's package called labkit does not have this
except (ImportError, AttributeError):
    raise ModuleNotFoundError(
        "Upload compute_lab_workbook-….whl (or the folder labkit) next to this notebook, then run this cell "
        "again. Do not pip install labkit: that is somebody else's package.\n"
        "compute_lab_workbook-….whl (या labkit folder) इस notebook के पास upload कीजिए, फिर यह cell दोबारा "
        "चलाइए। pip install labkit मत कीजिए: वह किसी और का package है।"
    ) from None
