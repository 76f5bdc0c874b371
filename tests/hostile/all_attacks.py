"""All attacks, by name."""

import attacks_in_files
import attacks_on_limits
import attacks_on_points
import attacks_on_secrets
import attacks_on_the_kernel

_TABLES = (attacks_on_points, attacks_on_the_kernel, attacks_on_limits, attacks_on_secrets, attacks_in_files)
ATTACKS = {attack.name: attack for table in _TABLES for attack in table.ATTACKS}
