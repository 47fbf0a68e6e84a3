/// The message of a program that crashes: for an exception that nobody catches, an abort, a stack
/// overflow or a bad address.
///
/// The message says what happened and gives the command that repeats the run under way. The program
/// ends with exit code 1.
/// Nothing is written to a file, and nothing is flushed: what a run directory holds by then appears
/// whole or not at all.
#pragma once

#include <string>

namespace dibs {

/// The command that repeats what this thread does from here on; other threads without one of their
/// own name the last that was set.
void set_replay_line(std::string line);

/// Says what the exception that is being handled says, and the replay line. Requires: within a
/// `catch`.
void say_last_words();

/// From here on, for the whole program. Call it on the main thread, once. Sanitizers, which have
/// more to say about bad addresses, keep those signals.
void install_last_words();

}  // namespace dibs
