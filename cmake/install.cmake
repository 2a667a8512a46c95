# What `cmake --install` puts where, all of it below the prefix, with DESTDIR in front; the hooks, pages and
# completions go where git, man and the shells look for them.

include(GNUInstallDirs)

configure_file(docs/mandate.1 mandate.1 @ONLY)

# The same file under a second name: a link beside it, which holds wherever the tree is moved.
function(mandate_install_link target name directory)
  set(links "${CMAKE_BINARY_DIR}/links/${directory}")
  file(MAKE_DIRECTORY "${links}")
  file(CREATE_LINK "${target}" "${links}/${name}" SYMBOLIC)
  install(FILES "${links}/${name}" DESTINATION "${directory}")
endfunction()

install(TARGETS mandate)
# git finds `git mandate` by this name, and `git help mandate` its page.
mandate_install_link(mandate git-mandate "${CMAKE_INSTALL_BINDIR}")
install(FILES "${CMAKE_BINARY_DIR}/mandate.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
mandate_install_link(mandate.1 git-mandate.1 "${CMAKE_INSTALL_MANDIR}/man1")

file(GLOB hooks CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/hooks/*")
install(PROGRAMS ${hooks} DESTINATION "${CMAKE_INSTALL_DATADIR}/mandate/hooks")

set(completions "${CMAKE_CURRENT_SOURCE_DIR}/docs/completions")
install(FILES "${completions}/mandate.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME mandate)
mandate_install_link(mandate git-mandate "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completions}/_mandate" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
mandate_install_link(_mandate _git-mandate "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${completions}/mandate.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
mandate_install_link(mandate.fish git-mandate.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
# fish asks no file of ours for what stands behind `git`, so that one is read when a shell starts.
mandate_install_link(../vendor_completions.d/mandate.fish git-mandate.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_conf.d")

file(GLOB pages CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/docs/*.md")
# `copyright` also names the libraries whose code the program contains: their licences ask for it wherever it goes.
install(FILES README.md CHANGELOG.md LICENSE cmake/debian/copyright ${pages} DESTINATION "${CMAKE_INSTALL_DOCDIR}")
