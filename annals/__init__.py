"""The one name that the wheel installs.

The packages beside this file import one another by their own names (`domain`, `service`,
`projections`, `workers`). Importing `annals` makes these names importable.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
