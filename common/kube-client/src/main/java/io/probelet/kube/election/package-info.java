/**
 * Elects one of several processes by a Lease. A candidate believes its own clock only for how long
 * something has lasted, never for what time another one wrote, so clocks may differ. The leader
 * stops acting well before anyone else may take over, also when it was frozen meanwhile.
 */
@NullMarked
package io.probelet.kube.election;

import org.jspecify.annotations.NullMarked;
