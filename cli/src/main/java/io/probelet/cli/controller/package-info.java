/**
 * The commands for a whole cluster: {@code controller}, with the options of every command that can
 * lead, and those that set up and undo its webhooks.
 */
@NullMarked
package io.probelet.cli.controller;

import org.jspecify.annotations.NullMarked;
