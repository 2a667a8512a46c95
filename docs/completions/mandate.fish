# Completion of mandate, git-mandate and `git mandate` in fish. It asks the program, so it knows every verb and
# option of the one that is installed, and the actions, presets and branches of where you are.

function __mandate_complete
    set -l words (commandline -opc)
    set -l name 1
    if string match -qr '(^|/)git$' -- $words[1]
        set name (contains -i -- mandate $words)
    end
    set -e words[1..$name]
    for line in (command mandate completion words -- $words (commandline -ct) 2>/dev/null)
        switch $line
            case :directories
                __fish_complete_directories (commandline -ct)
            case :files
                __fish_complete_path (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c mandate -f -a '(__mandate_complete)'
complete -c git-mandate -f -a '(__mandate_complete)'
# fish 3.6 looks for commands of git's in PATH, and then misses their names.
complete -c git -f -n '__fish_git_using_command mandate' -a '(__mandate_complete)'
