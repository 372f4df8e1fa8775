/**
 * Checks of the machine itself: one small class for each thing that can be wrong with a node and
 * that the kernel, or a daemon, can be asked about (B-9). No check starts a program, keeps a thread
 * or knows when it is due; one that cannot be carried out says why, which is neither good nor bad
 * news. Where the kernel's files are is said by {@link io.probelet.monitor.check.Machine}, so that
 * tests make nodes of their own.
 */
@NullMarked
package io.probelet.monitor.check;

import org.jspecify.annotations.NullMarked;
