/** {@code probelet diagnose}: collects evidence about a node, as the agent does. */
@NullMarked
package io.probelet.cli.diagnose;

import org.jspecify.annotations.NullMarked;
