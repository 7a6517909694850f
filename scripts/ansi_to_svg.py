"""Makes an SVG picture (standard output) of terminal text with ECMA-48 colours (standard input). Argument: its description."""
import re
import sys
from html import escape

COLUMN, LINE, MARGIN = 7.83, 17, 16  # of a monospaced font of 13 pixels
# By "select graphic rendition" parameter.
STYLES = {
    "1": 'font-weight="bold"',
    "2": 'fill="#8b929e"',
    "31": 'fill="#fb6a5b"',
    "33": 'fill="#e5b567"',
    "35": 'fill="#d08ad6"',
    "36": 'fill="#6cc5d9"',
}


def spans(line):
    """(style, text) for each stretch of the line, which begins without style."""
    style = ""
    for part in re.split(r"(\033\[[0-9;]*m)", line):
        codes = re.fullmatch(r"\033\[([0-9;]*)m", part)
        if codes:
            style = " ".join(STYLES[code] for code in codes.group(1).split(";") if code in STYLES)
        elif part:
            yield style, part


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    columns = max(sum(len(text) for _, text in spans(line)) for line in lines)
    width = round(columns * COLUMN + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN - 4
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
          f'role="img" aria-label="{escape(sys.argv[1])}">')
    print('<rect width="100%" height="100%" rx="6" fill="#1e2127"/>')
    print('<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" fill="#d7dae0">')
    for number, line in enumerate(lines):
        inside = "".join(f"<tspan {style}>{escape(text)}</tspan>" if style else escape(text) for style, text in spans(line))
        if inside.strip():
            print(f'<text x="{MARGIN}" y="{MARGIN + 12 + number * LINE}" xml:space="preserve">{inside}</text>')
    print("</g>\n</svg>")


main()
