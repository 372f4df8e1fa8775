/**
 * What Prometheus scrapes: the kubelet's own series under the kubelet's names, and ours under
 * {@code probelet_}. Thousands of probes a second pass through here on the event loops, so a probe
 * only adds to numbers that are found by one lookup; names, labels and text are made at the scrape.
 * docs/reference/metrics.md lists every metric.
 */
@NullMarked
package io.probelet.web.metrics;

import org.jspecify.annotations.NullMarked;
