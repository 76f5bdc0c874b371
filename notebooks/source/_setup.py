# Cells that every notebook shares: `# %% include="setup"` and `# %% include="language"`.

# %% id="setup"
import sys
from pathlib import Path

for folder in (Path.cwd(), *Path.cwd().parents):  # in a clone, labkit lies above the notebooks
    if (folder / "labkit" / "__init__.py").is_file():
        sys.path.insert(0, str(folder))
        break

import labkit as lk

# %% id="language"
lk.set_language(lang)
