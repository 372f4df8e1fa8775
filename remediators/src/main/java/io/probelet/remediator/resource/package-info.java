/** The resources: six kinds of remediation, and the order that reaches a node. */
@NullMarked
package io.probelet.remediator.resource;

import org.jspecify.annotations.NullMarked;
