/** What only the leader does about the leases in which agents count the restarts of workloads. */
@NullMarked
package io.probelet.controller.restart;

import org.jspecify.annotations.NullMarked;
