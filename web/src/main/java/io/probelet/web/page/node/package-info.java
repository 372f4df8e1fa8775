/**
 * The page of a node: verdict, problems, containers worst first, and the node itself. Drawn from
 * the API's records, so that other nodes' answers can be drawn, too.
 */
@NullMarked
package io.probelet.web.page.node;

import org.jspecify.annotations.NullMarked;
