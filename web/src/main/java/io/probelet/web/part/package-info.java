/**
 * Parts of agents and controllers besides probing: how they begin, what they report, how they end.
 */
@NullMarked
package io.probelet.web.part;

import org.jspecify.annotations.NullMarked;
