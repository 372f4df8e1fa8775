/** The command that takes back what was changed in webhook configurations. */
@NullMarked
package io.probelet.agent.clusterhealth;

import org.jspecify.annotations.NullMarked;
