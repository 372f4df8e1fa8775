/** Evidence about nodes by workloads as a part of the controller, and its metrics. */
@NullMarked
package io.probelet.controller.workloads;

import org.jspecify.annotations.NullMarked;
