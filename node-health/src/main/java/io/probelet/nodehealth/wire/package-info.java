/**
 * Turns the JSON of the API into what the planner knows, and what it decides into JSON. Reading is
 * forgiving: what others wrote may lack anything. Writing is exact, as remediators depend on it.
 */
@NullMarked
package io.probelet.nodehealth.wire;

import org.jspecify.annotations.NullMarked;
