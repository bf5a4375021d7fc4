// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// completion.c - the completion script for bash.
// in: the table.   out: a script: first the table as a shell function, then code that reads it.

#include <string.h>

#include "cli/options.h"
#include "cli/text.h"

enum { NAME = 64 };

// The script's fixed part; every @ becomes the program's name. Names from the table are plain
// words.
static const char *const script =
    "# Offer those of the words $2... that begin with $1.\n"
    "_@_offer() {\n"
    "    local start=$1 word\n"
    "    shift\n"
    "    for word; do\n"
    "        if [[ $word == \"$start\"* ]]; then COMPREPLY+=(\"$word\"); fi\n"
    "    done\n"
    "}\n"
    "\n"
    "# Offer what is of kind $1 and begins with $2; $3 is the program as it was typed.\n"
    "_@_fit() {\n"
    "    local kind=$1 start=$2 program=$3 found list=''\n"
    "    case $kind in\n"
    "    file | directory | scene)\n"
    "        # a quote or a backslash is how it was typed, not part of the name\n"
    "        case $start in\n"
    "        [\\'\\\"]*) start=${start:1} ;;\n"
    "        *) start=${start//\\\\/} ;;\n"
    "        esac\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        if [[ $kind == directory ]]; then\n"
    "            mapfile -t found < <(compgen -d -- \"$start\")\n"
    "        else\n"
    "            mapfile -t found < <(compgen -f -- \"$start\")\n"
    "        fi\n"
    "        COMPREPLY+=(\"${found[@]}\")\n"
    "        ;;&\n"
    "    scene | name)\n"
    "        mapfile -t found < <(\"${program/#\\~/$HOME}\" scenes --names 2>/dev/null "
    "</dev/null)\n"
    "        _@_offer \"$start\" \"${found[@]}\"\n"
    "        ;;\n"
    "    command)\n"
    "        _@_offer \"$start\" \"${commands[@]}\"\n"
    "        ;;\n"
    "    '|'*)\n"
    "        # after a comma the next of a list\n"
    "        if [[ $start == *,* ]]; then list=${start%,*},; fi\n"
    "        IFS='|' read -ra found <<<\"${kind:1}\"\n"
    "        _@_offer \"$start\" \"${found[@]/#/$list}\"\n"
    "        ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_@() {\n"
    "    local -a commands options operands words\n"
    "    local -A takes\n"
    "    local i word command='' value='' head='' place=0 only_operands='' before=''\n"
    "    COMPREPLY=()\n"
    "\n"
    "    # readline splits --name=value into three words: join them; it wants what follows head\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((i > 1)) && [[ $word == [=:]* || $before == [=:]* ]]; then\n"
    "            head=${words[-1]}\n"
    "            if [[ $word == [=:]* ]]; then head+=$word; fi\n"
    "            words[-1]+=$word\n"
    "        else\n"
    "            head=''\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "        before=$word\n"
    "    done\n"
    "\n"
    "    # the words before the last one: which command, how many operands, does one await its "
    "value?\n"
    "    _@_table ''\n"
    "    for ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
    "        word=${words[i]}\n"
    "        if [[ $value ]]; then\n"
    "            value=''\n"
    "        elif [[ ! $only_operands && $word == -- ]]; then\n"
    "            only_operands=yes\n"
    "        elif [[ ! $only_operands && $word == -?* && $word != -[0-9.]* ]]; then\n"
    "            value=${takes[$word]-}\n"
    "        elif [[ ! $command ]]; then\n"
    "            command=$word\n"
    "            _@_table \"$command\"\n"
    "        else\n"
    "            ((place++))\n"
    "        fi\n"
    "    done\n"
    "    word=${words[-1]}\n"
    "\n"
    "    if [[ $value ]]; then\n"
    "        _@_fit \"$value\" \"$word\" \"${words[0]}\"\n"
    "    elif [[ ! $only_operands && $word == --?*=* ]]; then\n"
    "        _@_fit \"${takes[${word%%=*}]-}\" \"${word#*=}\" \"${words[0]}\"\n"
    "        COMPREPLY=(\"${COMPREPLY[@]/#/${word%%=*}=}\")\n"
    "    elif [[ ! $only_operands && $word == -* ]]; then\n"
    "        _@_offer \"$word\" \"${options[@]}\"\n"
    "    elif ((place < ${#operands[@]})); then\n"
    "        _@_fit \"${operands[place]}\" \"$word\" \"${words[0]}\"\n"
    "    fi\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")\n"
    "}\n"
    "complete -F _@ @\n";

static void put_script(FILE *stream, const char *name) {
    for (const char *at = script; *at;) {
        // "${x[@]}" and "$@" are the shell's own
        size_t length = strcspn(at, "@");
        fwrite(at, 1, length, stream);
        at += length;
        if (!*at) break;
        bool shell = at > script && (at[-1] == '[' || at[-1] == '$');
        fputs(shell ? "@" : name, stream);
        at++;
    }
}

// what the shell completes for a value or an operand of this name
static const char *kind_of(const char *name, bool operand) {
    static const char *const kinds[][2] = {
        { "FILE", "file" },     { "RUN", "file" },    { "PROBLEM", "file" },
        { "DIR", "directory" }, { "SCENE", "scene" }, { "COMMAND", "command" },
    };
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");  // RUN of "RUN.h5"
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i][0]) == length && memcmp(kinds[i][0], name, length) == 0)
            return kinds[i][1];
    return operand && strcmp(name, "NAME") == 0 ? "name" : "any";
}

// a quoted word of the shell: the kind, or the choices as '|csv|vtk'
static void put_kind(FILE *stream, const char *name, const char *choices, bool operand) {
    const char *choice;
    if (!choices) {
        fprintf(stream, "'%s'", kind_of(name, operand));
        return;
    }
    fputc('\'', stream);
    for (size_t length; cli_next_choice(&choices, &choice, &length);) {
        fputc('|', stream);
        for (size_t i = 0; i < length; i++)
            if (choice[i] == '\'')
                fputs("'\\''", stream);
            else
                fputc(choice[i], stream);
    }
    fputc('\'', stream);
}

static void put_row(FILE *stream, const char *name, const cli_option *options) {
    fprintf(stream, "    %s)\n        options=(--help", name);
    for (const cli_option *o = options; o && o->name; o++)
        if (strcmp(o->name, "help") != 0) fprintf(stream, " --%s", o->name);
    fputs(")\n", stream);
    for (const cli_option *o = options; o && o->name; o++) {
        if (!o->value) continue;
        fprintf(stream, "        takes[--%s]=", o->name);
        put_kind(stream, o->value, o->choices, false);
        fputc('\n', stream);
        if (o->letter) fprintf(stream, "        takes[-%c]=${takes[--%s]}\n", o->letter, o->name);
    }
}

static void put_command(FILE *stream, const cli_command *command) {
    char name[NAME];
    put_row(stream, command->name, command->options);
    fputs("        operands=(", stream);
    for (int i = 0; i < command->most; i++) {
        if (i) fputc(' ', stream);
        cli_operand_name(command->operands, i, name, sizeof name);
        put_kind(stream, name, command->choices[i], true);
    }
    fputs(")\n        ;;\n", stream);
}

void cli_print_completion(const cli_program *program, FILE *stream) {
    fprintf(stream, "# bash completion for %s(1), written by '%s --completion' from its table.\n\n",
            program->name, program->name);
    fprintf(stream, "# What command $1 takes, into the caller's options, takes and operands.\n");
    fprintf(stream, "_%s_table() {\n    commands=(", program->name);
    for (const cli_command *c = program->commands; c->name; c++) fprintf(stream, "%s ", c->name);
    fprintf(stream, "help)\n    options=() operands=() takes=()\n    case $1 in\n");
    for (const cli_command *c = program->commands; c->name; c++) put_command(stream, c);
    put_command(stream, &cli_help_command);
    put_row(stream, "''", cli_program_options);
    fputs("        operands=(command)\n        ;;\n    esac\n}\n\n", stream);
    put_script(stream, program->name);
}
