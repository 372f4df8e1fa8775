/**
 * Incidents of containers (restarts, crashes, holds, periods of not being ready) and their causes.
 * Recording them is the agent's work; judging them is a pure function.
 */
@NullMarked
package io.probelet.web.incident;

import org.jspecify.annotations.NullMarked;
