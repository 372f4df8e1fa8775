/**
 * {@code probelet probe}, the curl of probes. The probe comes from a URL, a manifest or the command
 * line, and runs on the same probers as in an agent.
 */
@NullMarked
package io.probelet.cli.once;

import org.jspecify.annotations.NullMarked;
