/**
 * One probe, once, printed: the curl of probes. What is probed comes from a URL or from a container
 * in a manifest, and goes through the same probers as in an agent.
 */
@NullMarked
package io.probelet.cli.once;

import org.jspecify.annotations.NullMarked;
