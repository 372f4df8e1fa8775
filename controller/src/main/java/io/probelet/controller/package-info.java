/**
 * What only one of a cluster's processes does at a time: node remediation, the health of the
 * cluster's parts, the life cycle of watched nodes. {@code probelet controller} does it with an
 * identity of its own, and an agent that is configured to.
 */
@NullMarked
package io.probelet.controller;

import org.jspecify.annotations.NullMarked;
