/**
 * The page of a node: its containers, what is not well first, and the node itself. Drawn from the
 * API's records, so that the same can be drawn of a node that answered elsewhere.
 */
@NullMarked
package io.probelet.web.page.node;

import org.jspecify.annotations.NullMarked;
