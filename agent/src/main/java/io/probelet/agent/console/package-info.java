/**
 * What the program says while it runs: one line for each change, so that a quiet console means
 * nothing changed. All goes through SLF4J and a bounded queue to one stream, as lines for people or
 * as JSON. Logback is configured here in code, which spares every start the reading of XML.
 */
@NullMarked
package io.probelet.agent.console;

import org.jspecify.annotations.NullMarked;
