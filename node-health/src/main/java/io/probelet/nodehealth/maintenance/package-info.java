/**
 * Maintenance: work on nodes that an administrator announced, during which the nodes are not
 * remediated. Its reader reports errors; its book says which nodes are in maintenance, and until
 * when. Everything is a value: this package uses neither an API server nor a clock.
 */
@NullMarked
package io.probelet.nodehealth.maintenance;

import org.jspecify.annotations.NullMarked;
