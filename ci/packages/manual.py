# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes manual pages and completions of bash, zsh and fish from what the programs print for --help."""
import dataclasses
import gzip
import pathlib
import re
import subprocess
import time

from debian_tree import Problem

# Programs whose --help has the form of the library CLI11. deconv-fuzz-engine is left out: it has libFuzzer's help, and
# users do not start it.
PROGRAMS = ("deconv-cts", "deconv-fuzz")
VERBATIM = ("deconv-cts-gtest",)  # programs whose --help has another form; their pages show it as it is
TEXT_COLUMN = 30  # where CLI11 begins the text of an option


@dataclasses.dataclass
class Row:
    """An option, a positional argument or a subcommand. `name` is the left column of --help: `--level
    TEXT:{smoke,gate}`."""
    name: str
    text: str

    @property
    def flags(self):
        return re.findall(r"(?<![\w-])--?[\w][\w-]*", self.name.split(" ")[0])

    @property
    def choices(self):
        match = re.search(r":\{([\w,-]+)\}", self.name)
        return match.group(1).split(",") if match else []

    @property
    def takes_value(self):
        return " " in self.name


@dataclasses.dataclass
class Page:
    """The --help text of a command, split into sections. A section has a title and rows, or a title and plain lines."""
    command: str
    summary: str
    usage: str
    sections: list

    def rows(self, title):
        return next((rows for name, rows, _ in self.sections if name == title), [])


def help_of(program, *words):
    """What a program prints for --help after these words."""
    done = subprocess.run([str(program), *words, "--help"], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0 or not done.stdout.strip():
        raise Problem(f"{program.name} {' '.join(words)} --help failed with exit code {done.returncode}")
    return done.stdout


def parse(command, text):
    """Returns the Page of what a command prints for --help. Blank lines separate its sections."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    head = blocks[0].splitlines()
    usage = next((line.partition("Usage: ")[2] for line in head if line.startswith("Usage: ")), command)
    summary = " ".join(line for line in head if not line.startswith("Usage: "))
    sections = []
    for block in blocks[1:]:
        title, *lines = block.splitlines()
        if title.endswith(":") and lines:
            sections.append((title[:-1], rows_of(lines) if title[:-1] in ("Options", "Positionals", "Subcommands") else [], lines))
        else:
            sections.append(("", [], block.splitlines()))
    return Page(command, summary, usage, sections)


def rows_of(lines):
    """The rows of a section. A row has its name at column 2. Its text is at column 30 of the same line and the next
    ones; after a long name, it begins on the next line."""
    rows = []
    for number, line in enumerate(lines):
        if not re.match(r"  \S", line):
            rows[-1].text = f"{rows[-1].text} {line.strip()}".strip()
        elif number + 1 < len(lines) and lines[number + 1].startswith("   "):
            rows.append(Row(line.strip(), ""))
        else:
            rows.append(Row(line[:TEXT_COLUMN].strip(), line[TEXT_COLUMN:].strip()))
    return rows


def roff(text):
    """The text with escapes for roff, the language of manual pages."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man_page(page, version, epoch):
    """The manual page of a command."""
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    name = page.command.replace(" ", "-")
    lines = [f'.TH "{name.upper()}" 1 "{day}" "deconv-cts {version}" "User Commands"', ".SH NAME",
             f"{roff(name)} \\- {roff(page.summary.rstrip('.')[:1].lower() + page.summary.rstrip('.')[1:])}",
             ".SH SYNOPSIS", f".B {roff(page.usage)}"]
    for title, rows, text in page.sections:
        lines.append(f".SH {title.upper()}" if title else ".PP")
        for row in rows:
            lines += [".TP", f".B {roff(row.name)}", roff(row.text) or "\\&"]
        if not rows:
            lines += [".nf", *(roff(re.sub("^  ", "", line)) for line in text), ".fi"]
    if page.rows("Subcommands"):
        lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(name + '-' + row.name)}\\fR(1)" for row in page.rows("Subcommands"))]
    return "\n".join(lines) + "\n"


def quoted(text):
    """Returns the text for a place between single quotes of a shell."""
    return text.replace("'", "'\\''")


def bash(program, page, pages):
    """The completion function for bash: first the subcommands, then the options of the chosen subcommand, else files.
    `page` is that of the program, and `pages` has those of its subcommands."""
    lines = ["# Completion of bash, made from --help.", f"_{program.replace('-', '_')}() {{",
             '  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=""', "  COMPREPLY=()",
             "  if ((COMP_CWORD == 1)); then",
             f"    COMPREPLY=($(compgen -W '{' '.join([row.name for row in page.rows('Subcommands')] + flags_of(page))}' -- \"$word\"))",
             "    return", "  fi", "  case ${COMP_WORDS[1]}:$previous in"]
    for sub, child in pages.items():
        for row in child.rows("Options"):
            if row.choices:
                pattern = "|".join(f"{sub}:{flag}" for flag in row.flags)
                lines.append(f"    {pattern}) COMPREPLY=($(compgen -W '{' '.join(row.choices)}' -- \"$word\")); return ;;")
    lines += ["  esac", "  case ${COMP_WORDS[1]} in"]
    lines += [f"    {sub}) options='{' '.join(flags_of(child))}' ;;" for sub, child in pages.items()]
    lines += ["  esac", '  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))',
              '  else COMPREPLY=($(compgen -f -- "$word")); fi', "}",
              f"complete -o filenames -F _{program.replace('-', '_')} {program}"]
    return "\n".join(lines) + "\n"


def flags_of(page):
    """All flags of a command."""
    return [flag for row in page.rows("Options") for flag in row.flags]


def zsh(program, page, pages):
    """The completion for zsh; the arguments are those of bash()."""
    lines = [f"#compdef {program}", "# Completion of zsh, made from --help.", "local -a commands options", "commands=("]
    lines += [f"  '{row.name}:{quoted(row.text)}'" for row in page.rows("Subcommands")]
    lines += [")", "if ((CURRENT == 2)); then _describe command commands; return; fi", "case $words[2] in"]
    for sub, child in pages.items():
        lines.append(f"  {sub}) options=(")
        for row in child.rows("Options"):
            text = quoted(re.sub(r"([\[\]:])", r"\\\1", row.text))
            value = f":value:({' '.join(row.choices)})" if row.choices else ":value:_files" if row.takes_value else ""
            lines += [f"    '{flag}[{text}]{value}'" for flag in row.flags]
        lines.append("  ) ;;")
    lines += ["esac", "shift words", "((CURRENT--))", "_arguments $options '*:file:_files'"]
    return "\n".join(lines) + "\n"


def fish(program, page, pages):
    """The completion for fish; the arguments are those of bash()."""
    lines = ["# Completion of fish, made from --help."]
    for row in page.rows("Subcommands"):
        lines.append(f"complete -c {program} -n __fish_use_subcommand -a {row.name} -d '{fish_text(row.text)}'")
    for sub, child in pages.items():
        for row in child.rows("Options"):
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in row.flags)
            value = f" -x -a '{' '.join(row.choices)}'" if row.choices else " -r" if row.takes_value else ""
            lines.append(f"complete -c {program} -n '__fish_seen_subcommand_from {sub}' {flags}{value} -d '{fish_text(row.text)}'")
    return "\n".join(lines) + "\n"


def fish_text(text):
    """Returns the text for a place between single quotes of fish, which has escapes there."""
    return text.replace("\\", "\\\\").replace("'", "\\'")


def write(folder, epoch):
    """Writes the pages and completions of the programs in folder/bin below folder/share."""
    share, programs = folder / "share", folder / "bin"
    version = subprocess.run([str(programs / "deconv-cts"), "--version"], capture_output=True, text=True,
                             check=True).stdout.split()[-1]
    found = []
    for program in PROGRAMS:
        page = parse(program, help_of(programs / program))
        subs = [row.name for row in page.rows("Subcommands")]
        pages = {sub: parse(f"{program} {sub}", help_of(programs / program, sub)) for sub in subs}
        found += [page, *pages.values()]
        for path, text in ((f"bash-completion/completions/{program}", bash(program, page, pages)),
                           (f"zsh/site-functions/_{program}", zsh(program, page, pages)),
                           (f"fish/vendor_completions.d/{program}.fish", fish(program, page, pages))):
            put(share / path, text.encode())
    for program in VERBATIM:
        found.append(Page(program, "the conformance suite of transposed convolution as a GoogleTest program", program + " [OPTIONS]",
                          [("Description", [], help_of(programs / program).splitlines())]))
    for page in found:
        put(share / "man/man1" / f"{page.command.replace(' ', '-')}.1.gz",
            gzip.compress(man_page(page, version, epoch).encode(), 9, mtime=0))


def put(path, content):
    """Writes a file, and makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_bytes(content)
