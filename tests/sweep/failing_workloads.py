"""Workloads that fail in the middle of a run, in a module that another process can import."""

import os
import signal
import subprocess
import sys

from labkit.workload import Mnist1d


class Raises(Mnist1d):
    def batch(self, step):
        if step == 5 and self.config.seed == 1:
            raise RuntimeError("my own mistake")
        return super().batch(step)


class IsKilled(Mnist1d):
    def batch(self, step):
        if step == 5 and self.config.seed == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().batch(step)


class Prints(Mnist1d):
    def batch(self, step):
        if step == 5:
            print("from Python")
            subprocess.run([sys.executable, "-c", "print('from another program')"], check=True)
        return super().batch(step)
