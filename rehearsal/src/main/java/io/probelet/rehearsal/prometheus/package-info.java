/**
 * Tapes made from what a Prometheus remembers of kube-state-metrics. Asks for what changed only,
 * page by page, so that neither side ever holds a month; every answer is a stranger's.
 */
@NullMarked
package io.probelet.rehearsal.prometheus;

import org.jspecify.annotations.NullMarked;
