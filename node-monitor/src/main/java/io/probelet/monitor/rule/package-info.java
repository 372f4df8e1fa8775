/**
 * Monitor files as values: the log to read or the program to run, what counts as a problem, and its
 * consequences. Files of node-problem-detector are read unchanged; it ignores the keys
 * that Probelet adds. Values of these types are valid; invalid input is rejected with the field's
 * name. State and counters of a rule are stored under an ID that is stable over restarts.
 */
@NullMarked
package io.probelet.monitor.rule;

import org.jspecify.annotations.NullMarked;
