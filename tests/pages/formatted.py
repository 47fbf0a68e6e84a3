"""What a page formats by itself, against texts that the program has written."""
import json
import subprocess

from kit import check, checkout, dibs


def check_formats_of_script(b):
    """test_pages lies beside the program, and prints values with their texts."""
    done = subprocess.run([str(dibs.parent / "test_pages"), "[cases]"], capture_output=True, text=True)
    line = next((each for each in done.stdout.splitlines() if each.startswith("cases ")), None)
    check(line is not None, f"test_pages prints cases: {done.stderr[-300:]}")
    script = (checkout / "src/pages/assets/format.js").read_text(encoding="utf-8")
    for name, cases in json.loads(line.removeprefix("cases ")).items():
        decimals = ", 3" if name == "clock" else ""
        wrong = b.value(f"(() => {{ {script}\nreturn {json.dumps(cases)}.map(([v, t]) => [v, t, {name}(v{decimals})]).filter(([, t, own]) => t !== own); }})()")
        check(len(cases) == 5000 and not wrong, f"the script's {name} reads as the program's: {len(wrong)} of {len(cases)}: {wrong[:4]}")
