#include "cli/app.hpp"

int main(int argc, char** argv) { return mandate::cli::run(argc, argv); }
