/**
 * Remediators of our own: they carry out what any controller of NodeHealthChecks orders by creating
 * one of our resources. What to do next is decided by pure functions of what is observed; who
 * carries it out holds no rules. Nothing here knows the program that runs it.
 */
@NullMarked
package io.probelet.remediator;

import org.jspecify.annotations.NullMarked;
