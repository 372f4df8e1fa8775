/**
 * Checks of the machine itself (B-9): one small class for each node problem that the kernel or a
 * daemon can report. A check starts no program, keeps no thread and has no schedule. A check that
 * cannot run returns the reason, which is neither OK nor a problem. {@link
 * io.probelet.monitor.check.Machine} locates the kernel's files, so that tests can create their own
 * nodes.
 */
@NullMarked
package io.probelet.monitor.check;

import org.jspecify.annotations.NullMarked;
