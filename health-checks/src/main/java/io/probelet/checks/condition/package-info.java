/**
 * How a condition moves when the cluster's own health is checked: a failure is given its threshold
 * before it is called one (CH-28), and tolerated while something is being built (CH-29). The one
 * word for an object's health, worst of all it says, is found here too (CH-39). All of it is pure.
 */
@NullMarked
package io.probelet.checks.condition;

import org.jspecify.annotations.NullMarked;
