/** Node admission by NodeReadinessRules as a part of the controller, and its metrics. */
@NullMarked
package io.probelet.controller.readiness;

import org.jspecify.annotations.NullMarked;
