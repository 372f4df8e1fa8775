/**
 * Node health and remediation. Decisions are pure functions of observations and time; the
 * subpackages contain them. This module does not depend on the program that runs it.
 */
@NullMarked
package io.probelet.nodehealth;

import org.jspecify.annotations.NullMarked;
