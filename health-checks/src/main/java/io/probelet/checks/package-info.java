/**
 * The library for authors of controllers: register checks for a kind of resource, and its objects'
 * {@code status.conditions} say how they are, from then on. Start at {@link
 * io.probelet.checks.HealthChecks}. Checks are stateless functions that are handed the object and
 * the clients they ask for; what their results mean is decided in {@code cluster.check}.
 */
@NullMarked
package io.probelet.checks;

import org.jspecify.annotations.NullMarked;
