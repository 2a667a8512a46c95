// From argv to an exit status: finds the verb, parses its command line, runs it, prints once.
//
// stdout carries the answer and nothing else, in one write, after the verb has decided. Losing stdout is
// exit 4 output-failed, and stderr then says whether a booking stands. No exception leaves this function.
#pragma once

namespace mandate::cli {

int run(int argc, char** argv);

}  // namespace mandate::cli
