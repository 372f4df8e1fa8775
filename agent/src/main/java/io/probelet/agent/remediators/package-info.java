/** The remediators as a part of the controller, and what is shown of them over HTTP. */
@NullMarked
package io.probelet.agent.remediators;

import org.jspecify.annotations.NullMarked;
