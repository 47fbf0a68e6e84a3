"""Which state of the checkout was measured."""
import subprocess


def state_of(root):
    """Its commit, and whether it was changed since. A checkout that came without git, or a machine
    without it, has a commit that is unknown."""
    def told(*asked):
        return subprocess.run(["git", *asked], cwd=root, capture_output=True, text=True,
                              check=True).stdout.strip()
    try:
        return {"commit": told("rev-parse", "--short=12", "HEAD"),
                "changed": bool(told("status", "--porcelain", "--untracked-files=no"))}
    except (OSError, subprocess.CalledProcessError):
        return {"commit": "unknown", "changed": False}
