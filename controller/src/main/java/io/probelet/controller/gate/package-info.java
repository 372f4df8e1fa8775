/**
 * Adds the readiness gate to pods whose probe annotation needs it, as the API server asks when they
 * are created. It takes no rights and no leader.
 */
@NullMarked
package io.probelet.controller.gate;

import org.jspecify.annotations.NullMarked;
