/**
 * {@code probelet diagnose}: collects the evidence of a node as the agent does, from outside it.
 */
@NullMarked
package io.probelet.cli.diagnose;

import org.jspecify.annotations.NullMarked;
