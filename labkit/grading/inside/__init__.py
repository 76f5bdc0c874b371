"""Files that are copied into the sandbox and run there, next to a labkit without rubrics.

Whatever they report is the student's word: their code runs with the same rights as these files.
"""
