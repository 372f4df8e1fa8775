/**
 * Programs whose exit code is an opinion, in node-problem-detector's protocol. A program that
 * hangs, forks or floods costs what its rule allows and nothing else. Nothing of its output is
 * trusted.
 */
@NullMarked
package io.probelet.monitor.plugin;

import org.jspecify.annotations.NullMarked;
