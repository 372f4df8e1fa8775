/**
 * What the parts have in common of which an agent or a controller is made besides probing: how they
 * are begun, what they report of themselves, how they end.
 */
@NullMarked
package io.probelet.web.part;

import org.jspecify.annotations.NullMarked;
