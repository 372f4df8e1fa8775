/**
 * The commands that query a running agent over HTTP and print the answer as kubectl would: status,
 * top, events, explain and logs. They keep no state.
 */
@NullMarked
package io.probelet.cli.status;

import org.jspecify.annotations.NullMarked;
