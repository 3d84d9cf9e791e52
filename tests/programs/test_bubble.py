#!/usr/bin/env python3
# The two rising bubbles of examples/. Preconditions: both are built. What must vanish: how far the
# program with a solve (bubble_program) is from the loops that are written by hand (bubble), beyond
# rounding: in its rise, the last Courant number, the sum of squares of all velocities; and the
# difference of their numbers of cycles.
"""usage: test_bubble.py GMG GMG_GEN SOURCE_DIR"""
import os
import re
import subprocess
import sys

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1]))), "examples")
MOST = 1e-11  # of each number, which is printed with 13 digits
NUMBERS = r"rose by (\S+); the last Courant number is (\S+), the sum of u\^2 (\S+)"
WAYS = [["--size", "16", "--steps", "8"], ["--size", "12", "--steps", "4", "--ratio", "1000"]]


def found(name, words):
    done = subprocess.run(
        [os.path.join(EXAMPLES, name), *words], capture_output=True, text=True, check=False
    )
    numbers = re.search(NUMBERS, done.stdout)
    cycles = re.search(r": (\d+) cycles, .* of solves", done.stdout)
    if done.returncode or not numbers or not cycles:
        raise SystemExit(f"FAILED {name} {words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return [float(number) for number in numbers.groups()], int(cycles[1])


def main():
    faults = 0
    for name in ("bubble", "bubble_program"):
        if not os.path.exists(os.path.join(EXAMPLES, name)):
            print(f"skipped: {name} is not built")
            return 77
    for words in WAYS:
        (hand, hand_cycles), (made, made_cycles) = (
            found(name, words) for name in ("bubble", "bubble_program")
        )
        most = max(abs(a - b) / abs(a) for a, b in zip(hand, made))
        print(f"{words}: {hand_cycles} and {made_cycles} cycles, numbers differ by {most:.1e}")
        faults += not most <= MOST or hand_cycles != made_cycles
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
