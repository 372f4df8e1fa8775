package io.probelet.runtime.process;

import io.probelet.health.TimeSource;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all pods of a runtime share.
 *
 * @param timer must not be blocked
 * @param instances all running ones by id
 */
record RunnerTools(
    ProcessSettings settings,
    TimeSource time,
    ProcessLauncher launcher,
    ScheduledExecutorService timer,
    Reports reports,
    Map<String, Instance> instances) {}
