/**
 * Node remediation as a user of the agent sees it: the report over HTTP and on the command line,
 * and the metrics. What is shown comes from the leader; an agent on standby says who that is.
 */
@NullMarked
package io.probelet.agent.remediation;

import org.jspecify.annotations.NullMarked;
