package io.probelet.rehearsal.prometheus;

import java.util.Map;

/**
 * A series began or ended.
 *
 * @param at in seconds of the epoch
 * @param began false if it ended
 */
record SeriesChange(long at, Metric metric, boolean began, Map<String, String> labels) {}
