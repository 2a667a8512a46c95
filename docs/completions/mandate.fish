# Completion of mandate, git-mandate and `git mandate` in fish. It asks the program, so it knows every verb and
# option of the one that is installed, and the actions, presets and branches of where you are.

function __mandate_complete
    set -l words (commandline -opc)
    for line in (command mandate completion words -- $words[2..-1] (commandline -ct) 2>/dev/null)
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
