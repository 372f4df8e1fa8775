/**
 * Logging, as text or JSON, and errors about options without effect. Everything goes through SLF4J
 * and a bounded queue. Logback is configured in code, which saves every start the reading of XML.
 */
@NullMarked
package io.probelet.cli.console;

import org.jspecify.annotations.NullMarked;
