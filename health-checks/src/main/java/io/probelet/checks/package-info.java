/**
 * A library for authors of operators. Register checks for a kind of resource; the library runs them
 * and writes the results to {@code status.conditions} of its objects. Start at {@link
 * io.probelet.checks.HealthChecks}. Checks are stateless functions that are handed the object and
 * the clients they ask for; what their results mean is decided in {@code cluster.check}.
 */
@NullMarked
package io.probelet.checks;

import org.jspecify.annotations.NullMarked;
