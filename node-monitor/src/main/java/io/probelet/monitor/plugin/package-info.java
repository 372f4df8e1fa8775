/**
 * Runs plugins with node-problem-detector's protocol: their exit code is the result. A plugin
 * that hangs, forks or floods is limited to what its rule allows. Its output is untrusted.
 */
@NullMarked
package io.probelet.monitor.plugin;

import org.jspecify.annotations.NullMarked;
