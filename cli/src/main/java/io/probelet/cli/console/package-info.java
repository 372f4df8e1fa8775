/**
 * What every command writes besides its output: the log, one line for each change, to one stream
 * for people or as JSON, and complaints about options. All goes through SLF4J and a bounded queue.
 * Logback is configured here in code, which spares every start the reading of XML.
 */
@NullMarked
package io.probelet.cli.console;

import org.jspecify.annotations.NullMarked;
