/**
 * Converts the API's JSON into the planner's values, and its decisions into JSON. Reading is
 * tolerant, because objects of other clients may lack any field. Writing is exact, because
 * remediators depend on it.
 */
@NullMarked
package io.probelet.nodehealth.wire;

import org.jspecify.annotations.NullMarked;
