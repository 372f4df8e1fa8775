/**
 * The commands for a whole cluster: {@code controller}, its options, and the commands that set up
 * and revert webhooks.
 */
@NullMarked
package io.probelet.cli.controller;

import org.jspecify.annotations.NullMarked;
