# Completion of mandate, git-mandate and `git mandate` in bash. It asks the program, so it knows every verb
# and option of the one that is installed, and the actions, presets and branches of where you are.

# _mandate_complete FIRST: FIRST is the index in COMP_WORDS of the word behind the program's name.
_mandate_complete() {
    local rest=${COMP_LINE:0:COMP_POINT} word typed=() glued i line kept
    # COMP_WORDS is split at = and : as well; the line itself tells which of its parts are one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        glued=${rest%%[![:space:]]*}
        rest=${rest#"$glued"}
        word=${COMP_WORDS[i]}
        [ "$i" -lt "$COMP_CWORD" ] || word=$rest
        rest=${rest#"$word"}
        [ "$i" -ge "$1" ] || continue
        if [ -n "$glued" ] || [ "${#typed[@]}" -eq 0 ]; then
            typed+=("$word")
        else
            typed[${#typed[@]} - 1]+=$word
        fi
    done
    word=${typed[${#typed[@]} - 1]}
    # Readline replaces only what stands behind the last of its own breaks.
    kept=
    case $COMP_WORDBREAKS in *=*) case $word in *=*) kept=${word%"${word##*=}"} ;; esac ;; esac

    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :directories) compopt -o filenames && while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$word") ;;
            :files) compopt -o filenames && while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word") ;;
            *) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$kept"}") ;;
        esac
    done < <(command mandate completion words -- "${typed[@]}" 2>/dev/null)
    # A key that waits for its value gets no blank behind it.
    [ "${#COMPREPLY[@]}" -ne 1 ] || case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
}

_mandate() { _mandate_complete 1; }

# Called by git's own completion for `git mandate`.
_git_mandate() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" != mandate ] || break
    done
    _mandate_complete $((i + 1))
}

complete -F _mandate mandate git-mandate
