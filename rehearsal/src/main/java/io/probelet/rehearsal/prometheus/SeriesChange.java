package io.probelet.rehearsal.prometheus;

import java.util.Map;

/**
 * A series began or ended.
 *
 * @param at in seconds of the epoch
 * @param metric of what
 * @param began false if it ended
 * @param labels of the series
 */
record SeriesChange(long at, Metric metric, boolean began, Map<String, String> labels) {}
