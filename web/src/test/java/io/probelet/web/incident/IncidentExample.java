package io.probelet.web.incident;

import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds incidents for tests: a liveness probe by HTTP on port 8080 with a timeout of 1 s. */
final class IncidentExample {
  private IncidentKind kind = IncidentKind.KILLED;
  private String handler = "httpGet";
  private boolean succeededBefore;
  private boolean succeeded;
  private boolean startup;
  private @Nullable Double usual;
  private @Nullable Long start;
  private @Nullable String expiry;
  private List<OutcomeFacts> outcomes = List.of();
  private @Nullable TerminationView end;
  private @Nullable Integer throttled;
  private @Nullable Long cpu;
  private @Nullable Long oomKills;
  private long memoryLimit;
  private @Nullable Integer cpuWait;
  private @Nullable Integer ioWait;
  private @Nullable Integer memoryWait;
  private @Nullable ThreadStates threads;
  private @Nullable List<Integer> listening;
  private @Nullable Integer nodeCpuWait;
  private @Nullable String imageBefore;
  private String waiting = "";
  private boolean deleting;
  private List<String> log = List.of();

  static IncidentExample failing(String cause, boolean definite, int code, String message) {
    IncidentExample example = new IncidentExample();
    example.outcomes =
        IntStream.range(0, 3)
            .mapToObj(i ->
                new OutcomeFacts(
                    "2026-11-27T10:00:0" + i + "Z",
                    OutcomeFacts.FAILED,
                    cause,
                    definite,
                    code,
                    cause.equals("timeout") ? 1000 : 1,
                    !cause.equals("connect"),
                    message))
            .toList();
    return example;
  }

  static IncidentExample timeouts() {
    return failing("timeout", false, 0, "context deadline exceeded");
  }

  static IncidentExample refused() {
    return failing("connect", true, 0, "connect: connection refused");
  }

  static IncidentExample ended(int code, @Nullable String signal, String reason) {
    IncidentExample example = new IncidentExample();
    example.kind = IncidentKind.ENDED;
    example.end = new TerminationView(code, signal, reason, "", null);
    return example;
  }

  static IncidentExample waiting(String reason, String message) {
    IncidentExample example = new IncidentExample();
    example.kind = IncidentKind.NOT_STARTED;
    example.waiting = reason;
    example.end = new TerminationView(0, null, reason, message, null);
    return example;
  }

  /** Of a runtime that could not start it. */
  IncidentExample saying(String message) {
    end = end == null ? null : end.withMessage(message);
    return this;
  }

  IncidentExample kind(IncidentKind other) {
    kind = other;
    return this;
  }

  IncidentExample handler(String other) {
    handler = other;
    return this;
  }

  IncidentExample succeeded() {
    succeeded = true;
    usual = 40.0;
    return this;
  }

  IncidentExample succeededBefore(long startMs) {
    succeededBefore = true;
    start = startMs;
    return this;
  }

  IncidentExample startup() {
    startup = true;
    return this;
  }

  IncidentExample expiry(String time) {
    expiry = time;
    return this;
  }

  IncidentExample errors() {
    outcomes =
        outcomes.stream()
            .map(each ->
                new OutcomeFacts(
                    each.time(), OutcomeFacts.ERROR, "stalled", false, 0, 1, false, "stalled"))
            .toList();
    return this;
  }

  IncidentExample throttled(int percent) {
    throttled = percent;
    return this;
  }

  IncidentExample cpu(long millis) {
    cpu = millis;
    return this;
  }

  IncidentExample oom(long kills, long limit) {
    oomKills = kills;
    memoryLimit = limit;
    return this;
  }

  IncidentExample waits(int cpuPercent, int memoryPercent, int ioPercent) {
    cpuWait = cpuPercent;
    memoryWait = memoryPercent;
    ioWait = ioPercent;
    return this;
  }

  IncidentExample threads(int running, int sleeping, int blocked, int stopped) {
    threads = new ThreadStates(running, sleeping, blocked, stopped, 0);
    return this;
  }

  IncidentExample listening(Integer... ports) {
    listening = List.of(ports);
    return this;
  }

  IncidentExample nodeCpu(int percent) {
    nodeCpuWait = percent;
    return this;
  }

  IncidentExample imageBefore(String image) {
    imageBefore = image;
    return this;
  }

  IncidentExample deleting() {
    deleting = true;
    return this;
  }

  IncidentExample log(String... lines) {
    log = List.of(lines);
    return this;
  }

  Incident build() {
    return at("2026-11-27T10:00:03Z", "shop/web:2");
  }

  Incident at(String time, String image) {
    boolean kernel =
        throttled != null
            || cpu != null
            || oomKills != null
            || cpuWait != null
            || threads != null
            || listening != null;
    return new Incident(
        time,
        kind,
        "shop",
        "web-0",
        "uid",
        "web",
        "id",
        "StatefulSet/web",
        image,
        imageBefore,
        1,
        "2026-11-27T09:00:00Z",
        outcomes.isEmpty()
            ? null
            : new ProbeFacts(
                "liveness",
                handler,
                handler.equals("exec") ? 0 : 8080,
                1000,
                1000,
                3,
                startup,
                succeededBefore,
                succeeded,
                usual,
                start,
                expiry,
                outcomes),
        end,
        kernel
            ? new KernelFacts(
                3000,
                throttled == null ? null : (Long) 100L,
                throttled,
                cpu,
                memoryLimit,
                (Long) 1L,
                oomKills,
                cpuWait,
                memoryWait,
                ioWait,
                threads,
                listening)
            : null,
        new IncidentNode(nodeCpuWait, null, null, List.of(), 0, 5),
        waiting,
        deleting,
        log);
  }
}
