/**
 * Kubernetes' own end-to-end cases of container probes, one by one, with {@code probelet run} and
 * with an agent beside a container runtime. All cases of a target run at once, with shorter
 * periods.
 */
@NullMarked
package io.probelet.system.cases;

import org.jspecify.annotations.NullMarked;
