/**
 * Error codes: what kind of trouble a message speaks of, so that a program need not read it. A
 * classifier is an ordered list of patterns, ours as defaults and the author's own added to them.
 * The patterns run in time linear in the message, whoever wrote it.
 */
@NullMarked
package io.probelet.checks.error;

import org.jspecify.annotations.NullMarked;
