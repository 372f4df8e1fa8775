package io.probelet.system.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One case of Kubernetes' {@code test/e2e/common/node/container_probe.go}, there once for a regular
 * container and once for a sidecar.
 *
 * @param name of the container, after its row in the reference (E2 for regular ones, E3 for
 *     sidecars)
 * @param script that the container runs; {@code @DIR@} is a folder of its own
 * @param grace the pod's grace period in seconds
 * @param outcome how it must end
 */
record ProbeCase(
    String name, String what, String script, String probes, int grace, Outcome outcome) {
  private static final String SLEEP = "exec sleep 100000";

  /** How a case must end. */
  enum Outcome {
    /** Restarted once at least. */
    RESTARTED,
    /** Restarted again and again, counted one by one. */
    RESTARTED_OFTEN,
    /** Probed for a while, and not restarted. */
    STEADY,
    /** Probed for a while, not restarted, and a warning told of a redirect. */
    WARNED,
    /** Probed for a while, never ready and not restarted. */
    NEVER_READY,
    /** Ready, but not before its initial delay. */
    READY_LATE,
    /** Ready as soon as it has started, long before the period is over. */
    READY_SOON,
    /** Not ready any more while it ends, and its liveness is of no interest then. */
    NOT_READY_AT_END
  }

  /** The kinds of its probes that a shorter period is no matter for. */
  List<String> kinds() {
    return Stream.of("startup", "readiness", "liveness")
        .filter(kind -> probes.contains("\"" + kind + "Probe\""))
        .filter(kind ->
            !kind.equals("readiness")
                || (outcome != Outcome.READY_LATE && outcome != Outcome.READY_SOON))
        .toList();
  }

  boolean sidecar() {
    return name.startsWith("e3");
  }

  /** Whether a container of the newest state has come to where it must. */
  boolean isReached(JsonNode container, int restarts, CaseServers servers) {
    return switch (outcome) {
      case RESTARTED -> restarts >= 1;
      case RESTARTED_OFTEN -> restarts >= 3;
      case STEADY, WARNED -> consecutive(container) >= 4;
      case NEVER_READY -> consecutive(container) >= 3;
      case READY_LATE, READY_SOON -> container.path("ready").asBoolean();
      case NOT_READY_AT_END -> false; // it must be ended first
    };
  }

  /** What does not hold once it is there; empty if all does. */
  String complaint(JsonNode container, int restarts, CaseServers servers) {
    return switch (outcome) {
      case RESTARTED, RESTARTED_OFTEN, NOT_READY_AT_END -> "";
      case STEADY, WARNED, READY_SOON -> restarts == 0 ? "" : "it was restarted";
      case NEVER_READY ->
          restarts == 0 && !container.path("ready").asBoolean() ? "" : "it was restarted, or ready";
      case READY_LATE ->
          restarts == 0 && servers.firstProbeAfterStart(name) >= 1500
              ? ""
              : "probed " + servers.firstProbeAfterStart(name) + " ms after its start";
    };
  }

  /** Of the first kind that is probed: startup comes before the others. */
  private static int consecutive(JsonNode container) {
    return container.at("/probes/0/consecutive").asInt();
  }

  @Override
  public String toString() {
    return name + " " + what;
  }

  /** All of them, aimed at servers. */
  static List<ProbeCase> all(CaseServers servers) {
    List<ProbeCase> all = new ArrayList<>();
    for (String role : List.of("e2", "e3")) {
      new Table(role, servers, all).fill();
    }
    return all;
  }

  /** The rows for one role of containers. */
  private record Table(String role, CaseServers servers, List<ProbeCase> rows) {
    void fill() {
      row(
          1,
          "is not ready before its initial delay",
          "wget -q -O /dev/null http://127.0.0.1:%d/started/@NAME@; %s"
              .formatted(servers.httpPort(), SLEEP),
          readiness(http("/ok/"), 3, "\"initialDelaySeconds\": 3"),
          Outcome.READY_LATE);
      row(
          2,
          "is never ready with a failing readiness probe, and never restarted",
          SLEEP,
          readiness(http("/missing/"), 1, ""),
          Outcome.NEVER_READY);
      row(
          3,
          "is restarted when exec liveness fails",
          "touch @DIR@/health; sleep 1; rm @DIR@/health; " + SLEEP,
          liveness(exec("cat", "@DIR@/health"), "\"initialDelaySeconds\": 1"),
          Outcome.RESTARTED);
      row(
          4,
          "is not restarted while exec liveness succeeds",
          "touch @DIR@/health; " + SLEEP,
          liveness(exec("cat", "@DIR@/health"), "\"initialDelaySeconds\": 2"),
          Outcome.STEADY);
      row(
          5,
          "is restarted when /healthz fails",
          SLEEP,
          liveness(http("/healthz/"), ""),
          Outcome.RESTARTED);
      row(
          6,
          "is not restarted while its socket is open, whatever HTTP says",
          SLEEP,
          liveness("\"tcpSocket\": {\"port\": %d}".formatted(servers.httpPort()), ""),
          Outcome.STEADY);
      row(
          7,
          "is restarted again and again, and counted",
          SLEEP,
          liveness(http("/healthz/"), ""),
          Outcome.RESTARTED_OFTEN);
      row(
          8,
          "is not restarted while HTTP succeeds",
          SLEEP,
          liveness(http("/ok/"), ""),
          Outcome.STEADY);
      row(
          9,
          "is restarted when exec liveness takes longer than its timeout",
          SLEEP,
          timeout(liveness(exec("sh", "-c", "sleep 10"), "")),
          Outcome.RESTARTED);
      row(
          10,
          "is not ready when exec readiness takes longer than its timeout",
          SLEEP,
          timeout(readiness(exec("sh", "-c", "sleep 10"), 1, "")),
          Outcome.NEVER_READY);
      row(
          11,
          "is restarted when exec liveness fails and leaves something running",
          SLEEP,
          timeout(liveness(exec("sh", "-c", "sleep 10 & exit 1"), "")),
          Outcome.RESTARTED);
      row(
          12,
          "is restarted when what a local redirect leads to fails",
          SLEEP,
          liveness(http("/here/"), ""),
          Outcome.RESTARTED);
      row(
          13,
          "is not restarted by a redirect elsewhere, of which a warning tells",
          SLEEP,
          liveness(http("/away/"), ""),
          Outcome.WARNED);
      row(
          14,
          "is restarted when its startup probe fails, though it is live",
          SLEEP,
          startup(exec("false"), 3, "") + ", " + liveness(exec("true"), ""),
          Outcome.RESTARTED);
      row(
          15,
          "is not restarted by liveness before it has started",
          SLEEP,
          startup(exec("false"), 100_000, "") + ", " + liveness(exec("false"), ""),
          Outcome.STEADY);
      row(
          16,
          "is restarted by liveness once it has started",
          "rm -f @DIR@/startup; sleep 1; touch @DIR@/startup; " + SLEEP,
          startup(exec("cat", "@DIR@/startup"), 100_000, "") + ", " + liveness(exec("false"), ""),
          Outcome.RESTARTED);
      row(
          17,
          "is ready as soon as it has started",
          "touch @DIR@/health; sleep 1; touch @DIR@/startup; " + SLEEP,
          startup(exec("cat", "@DIR@/startup"), 100_000, "")
              + ", "
              + readiness(exec("cat", "@DIR@/health"), 3, "")
                  .replace("\"periodSeconds\": 1", "\"periodSeconds\": 1000"),
          Outcome.READY_SOON);
      String stubborn = "trap '' TERM; while :; do sleep 1; done";
      row(
          18,
          "has the grace period of its liveness probe",
          stubborn,
          500,
          liveness(closed(), "\"terminationGracePeriodSeconds\": 1"),
          Outcome.RESTARTED);
      row(
          19,
          "has the grace period of its startup probe",
          stubborn,
          500,
          startup(exec("cat", "@DIR@/startup"), 1, "\"terminationGracePeriodSeconds\": 1")
              + ", "
              + liveness(exec("true"), ""),
          Outcome.RESTARTED);
      row(
          20,
          "is not restarted while gRPC serves",
          SLEEP,
          liveness("\"grpc\": {\"port\": %d}".formatted(servers.grpcPort()), ""),
          Outcome.STEADY);
      row(
          21,
          "is restarted when nobody answers gRPC",
          SLEEP,
          timeout(liveness("\"grpc\": {\"port\": %d}".formatted(servers.closedPort()), "")),
          Outcome.RESTARTED);
      row(
          22,
          "is not ready any more while it ends",
          ending("rm -f @DIR@/ready"),
          30,
          readiness(exec("cat", "@DIR@/ready"), 1, ""),
          Outcome.NOT_READY_AT_END);
      row(
          23,
          "is not ready any more while it ends, and its liveness is not probed",
          "touch @DIR@/live; " + ending("rm -f @DIR@/ready @DIR@/live"),
          30,
          readiness(exec("cat", "@DIR@/ready"), 1, "")
              + ", "
              + liveness(exec("cat", "@DIR@/live"), "\"initialDelaySeconds\": 3"),
          Outcome.NOT_READY_AT_END);
    }

    /** Goes on for three seconds after its TERM. */
    private String ending(String what) {
      return "end() { %s; sleep 3; exit 0; }; trap end TERM; touch @DIR@/ready; sleep 100000 & wait"
          .formatted(what);
    }

    private void row(int number, String what, String script, String probes, Outcome outcome) {
      row(number, what, script, 1, probes, outcome);
    }

    private void row(
        int number, String what, String script, int grace, String probes, Outcome outcome) {
      String name = "%s-%02d".formatted(role, number);
      rows.add(
          new ProbeCase(
              name,
              what,
              script.replace("@NAME@", name),
              probes.replace("@NAME@", name),
              grace,
              outcome));
    }

    private String http(String page) {
      return "\"httpGet\": {\"path\": \"%s@NAME@\", \"port\": %d}"
          .formatted(page, servers.httpPort());
    }

    private String closed() {
      return "\"httpGet\": {\"path\": \"/healthz\", \"port\": %d}".formatted(servers.closedPort());
    }

    private static String exec(String... command) {
      return "\"exec\": {\"command\": [\"%s\"]}".formatted(String.join("\", \"", command));
    }

    private static String liveness(String handler, String more) {
      return probe("livenessProbe", handler, 1, more);
    }

    private static String readiness(String handler, int failures, String more) {
      return probe("readinessProbe", handler, failures, more);
    }

    private static String startup(String handler, int failures, String more) {
      return probe("startupProbe", handler, failures, more);
    }

    /** With more patience than a busy machine takes; {@link #timeout} has less. */
    private static String probe(String field, String handler, int failures, String more) {
      return "\"%s\": {%s, \"periodSeconds\": 1, \"timeoutSeconds\": 60, \"failureThreshold\": %d%s}"
          .formatted(field, handler, failures, more.isEmpty() ? "" : ", " + more);
    }

    private static String timeout(String probe) {
      return probe.replace("\"timeoutSeconds\": 60", "\"timeoutSeconds\": 1");
    }
  }
}
