/**
 * Carries out orders to the node this agent runs on. What to do when is decided by the rules of
 * {@code io.probelet.remediator.order}; here is who writes, and who acts.
 */
@NullMarked
package io.probelet.agent.order;

import org.jspecify.annotations.NullMarked;
