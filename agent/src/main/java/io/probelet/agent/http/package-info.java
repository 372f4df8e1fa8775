/**
 * The agent's own small HTTP server: health, metrics, the containers as JSON and as a page. It
 * shares the event loops with the probes, so a loop only parses and moves bytes while a virtual
 * thread makes the answer. Each connection carries one request, and sizes, times and numbers are
 * bounded.
 */
@NullMarked
package io.probelet.agent.http;

import org.jspecify.annotations.NullMarked;
