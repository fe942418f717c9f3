"""Reads C headers as nearby_modem.h is written, and what a library exports."""
import re
import subprocess


def structures(text, prefix):
    """name without prefix: its fields, as they are declared, without comments"""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return {
        match[1]: [" ".join(field.split()) for field in match[2].split(";") if field.strip()]
        for match in re.finditer(rf"typedef struct {prefix}_(\w+) \{{(.*?)\}}", text, re.S)
    }


def exported(library):
    """The names of a shared library's dynamic symbols."""
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}
