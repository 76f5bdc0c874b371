"""Grade a class: `python -m labkit grade` and, for students, `python -m labkit validate`."""
