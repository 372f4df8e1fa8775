/**
 * Small files that probes need: certificates, keys, tokens. Whoever names a file may name a pipe, a
 * device or a file that hangs, so files are checked and read on a few threads that do nothing else,
 * within a bound on size and time, and never on a loop.
 */
@NullMarked
package io.probelet.probe.file;

import org.jspecify.annotations.NullMarked;
