/**
 * What to do next for a remediation, by pure functions of what is observed and the time. Nothing
 * here reads a clock or asks the API server; every rule can be tabled in virtual time.
 */
@NullMarked
package io.probelet.remediator.decide;

import org.jspecify.annotations.NullMarked;
