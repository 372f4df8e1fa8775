/**
 * What a monitor file says, as values: which log is read or which program is run, what counts as a
 * problem there, and what follows from it. Files of node-problem-detector are read as they are
 * what we add to them stands next to its keys, and is ignored by it. A value of these
 * types is valid; what is not is refused with the field's name before it becomes one. What is kept
 * and counted of a rule goes by a name that it keeps over restarts.
 */
@NullMarked
package io.probelet.monitor.rule;

import org.jspecify.annotations.NullMarked;
