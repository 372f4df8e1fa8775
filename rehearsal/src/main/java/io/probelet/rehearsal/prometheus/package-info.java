/**
 * Creates tapes from the data that a Prometheus stores of kube-state-metrics. It queries only
 * changes, page by page, so that neither side holds a whole month in memory. Responses are
 * untrusted.
 */
@NullMarked
package io.probelet.rehearsal.prometheus;

import org.jspecify.annotations.NullMarked;
