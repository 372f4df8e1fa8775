package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;
import static io.probelet.web.incident.IncidentExample.ended;
import static io.probelet.web.incident.IncidentExample.failing;
import static io.probelet.web.incident.IncidentExample.refused;
import static io.probelet.web.incident.IncidentExample.timeouts;
import static io.probelet.web.incident.IncidentExample.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.web.incident.Cause.Confidence;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cause follows from what was recorded, and is certain only where nothing else fits. */
class CausesTest {
  /** Of containerd with runc. */
  private static final String NO_PROGRAM =
      "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc"
          + " create failed: unable to start container process: exec: \"/usr/bin/nope\": stat"
          + " /usr/bin/nope: no such file or directory: unknown";

  static Stream<Arguments> causes() {
    return Stream.of(
        // timeouts
        arguments(timeouts().throttled(98).cpu(99).succeeded(), CauseType.CPU_LIMIT, LIKELY),
        arguments(timeouts().throttled(49).cpu(5).succeeded(), CauseType.HANG, LIKELY),
        arguments(
            timeouts().throttled(46).cpu(90).nodeCpu(98).threads(1, 0, 0, 0).succeeded(),
            CauseType.CPU_LIMIT,
            LIKELY),
        arguments(timeouts().threads(1, 7, 0, 0).cpu(3).succeeded(), CauseType.HANG, LIKELY),
        arguments(timeouts().nodeCpu(90).waits(80, 0, 0), CauseType.NODE_CPU, CERTAIN),
        arguments(timeouts().nodeCpu(90), CauseType.NODE_CPU, LIKELY),
        arguments(
            timeouts().nodeCpu(99).threads(1, 4, 0, 0).cpu(25).succeeded(),
            CauseType.NODE_CPU,
            UNCLEAR),
        arguments( // 40 ms of CPU are enough for an answer
            timeouts().nodeCpu(99).threads(1, 0, 0, 0).cpu(147).succeeded(),
            CauseType.BUSY,
            LIKELY),
        arguments(
            timeouts().nodeCpu(99).waits(93, 0, 0).cpu(147).succeeded(), CauseType.BUSY, LIKELY),
        arguments(
            timeouts().nodeCpu(99).threads(0, 1, 0, 0).cpu(0).succeeded(), CauseType.HANG, CERTAIN),
        arguments(
            timeouts().nodeCpu(90).waits(3, 0, 0).cpu(4).threads(0, 8, 0, 0).succeeded(),
            CauseType.HANG,
            CERTAIN),
        arguments(timeouts().waits(0, 70, 0).cpu(100), CauseType.NODE_PRESSURE, LIKELY),
        arguments(timeouts().waits(0, 0, 80).cpu(100), CauseType.BLOCKED_ON_IO, LIKELY),
        arguments(timeouts().threads(0, 2, 4, 0).cpu(1), CauseType.BLOCKED_ON_IO, CERTAIN),
        arguments(timeouts().threads(0, 8, 1, 0).cpu(1), CauseType.BLOCKED_ON_IO, LIKELY),
        arguments(timeouts().threads(0, 0, 0, 3).cpu(0), CauseType.STOPPED_PROCESS, CERTAIN),
        arguments(timeouts().threads(0, 8, 0, 0).cpu(3).succeeded(), CauseType.HANG, CERTAIN),
        arguments(timeouts().threads(0, 8, 0, 0).cpu(3), CauseType.HANG, LIKELY),
        arguments(timeouts().threads(1, 7, 0, 0).cpu(990).succeeded(), CauseType.BUSY, LIKELY),
        arguments(timeouts(), CauseType.UNKNOWN, UNCLEAR),
        arguments(timeouts().cpu(200).succeeded(), CauseType.UNKNOWN, UNCLEAR),
        arguments(timeouts().oom(1, 64 << 20).cpu(3), CauseType.MEMORY_LIMIT, CERTAIN),
        // refused
        arguments(refused().listening(8081), CauseType.WRONG_PORT, LIKELY),
        arguments(refused().listening(8080).succeeded(), CauseType.NOT_LISTENING, LIKELY),
        arguments(
            timeouts().handler("exec").threads(0, 8, 0, 0).cpu(0).succeeded(),
            CauseType.UNKNOWN,
            UNCLEAR),
        arguments(refused().listening(8081).succeededBefore(3000), CauseType.WRONG_PORT, LIKELY),
        arguments(refused().listening(8081).succeeded(), CauseType.NOT_LISTENING, CERTAIN),
        arguments(refused().listening().cpu(400), CauseType.SLOW_START, LIKELY),
        arguments(refused().succeededBefore(9000), CauseType.SLOW_START, LIKELY),
        arguments(refused(), CauseType.SLOW_START, UNCLEAR),
        arguments(refused().succeeded(), CauseType.NOT_LISTENING, CERTAIN),
        arguments(
            refused().log("dial tcp 10.0.0.9:5432: connect: connection refused"),
            CauseType.DEPENDENCY_REFUSED,
            LIKELY),
        // answers
        arguments(failing("status", true, 404, "404"), CauseType.WRONG_PATH, LIKELY),
        arguments(failing("status", true, 404, "404").succeeded(), CauseType.WRONG_PATH, LIKELY),
        arguments(failing("status", true, 503, "503"), CauseType.REPORTED_UNHEALTHY, CERTAIN),
        arguments(
            failing("status", true, 503, "503").log("lookup db: no such host"),
            CauseType.DNS,
            LIKELY),
        arguments(
            failing("status", true, 503, "503").log("x509: certificate has expired"),
            CauseType.TLS_EXPIRED,
            LIKELY),
        arguments(failing("resolve", false, 0, "no such host"), CauseType.DNS, CERTAIN),
        arguments(
            failing("tls", true, 0, "expired").expiry("2026-11-01T00:00:00.000Z"),
            CauseType.TLS_EXPIRED,
            CERTAIN),
        arguments(
            failing("tls", true, 0, "bad").expiry("2027-11-01T00:00:00.000Z"),
            CauseType.TLS,
            LIKELY),
        arguments(
            failing("exit_code", true, 1, "connect ECONNREFUSED 10.0.0.9:5432").handler("exec"),
            CauseType.DEPENDENCY_REFUSED,
            LIKELY),
        arguments(
            failing("exit_code", true, 127, "sh: curl: not found").handler("exec"),
            CauseType.PROGRAM_MISSING,
            LIKELY),
        arguments(
            failing("exit_code", true, 1, "no leader").handler("exec"),
            CauseType.REPORTED_UNHEALTHY,
            CERTAIN),
        arguments(timeouts().errors(), CauseType.PROBER_STALLED, CERTAIN),
        // ends
        arguments(ended(137, "SIGKILL", "OOMKilled"), CauseType.MEMORY_LIMIT, CERTAIN),
        arguments(ended(137, "SIGKILL", "Error"), CauseType.STOPPED_BY_OTHERS, LIKELY),
        arguments(ended(143, "SIGTERM", "Error").deleting(), CauseType.DELETED, CERTAIN),
        arguments(
            ended(143, "SIGTERM", "Error").imageBefore("shop/web:1"),
            CauseType.IMAGE_CHANGED,
            CERTAIN),
        arguments(ended(127, null, "Error"), CauseType.PROGRAM_MISSING, LIKELY),
        arguments(ended(128, null, "StartError"), CauseType.CANNOT_START, CERTAIN),
        arguments(
            ended(128, null, "StartError").saying(NO_PROGRAM), CauseType.PROGRAM_MISSING, LIKELY),
        arguments(ended(127, null, "ContainerCannotRun"), CauseType.PROGRAM_MISSING, LIKELY),
        arguments(ended(139, "SIGSEGV", "Error"), CauseType.CRASH, CERTAIN),
        arguments(ended(1, null, "Error").log("panic: nil map"), CauseType.CRASH, CERTAIN),
        arguments(
            ended(1, null, "Error").log("ECONNREFUSED 10.0.0.9:5432"),
            CauseType.DEPENDENCY_REFUSED,
            LIKELY),
        arguments(ended(0, null, "Completed").log("no such host"), CauseType.CRASH, LIKELY),
        // never started
        arguments(waiting("ImagePullBackOff", "not found"), CauseType.IMAGE_MISSING, CERTAIN),
        arguments(waiting("RunContainerError", NO_PROGRAM), CauseType.PROGRAM_MISSING, LIKELY),
        arguments(
            waiting("RunContainerError", "runc create failed: error mounting \"/data\" to rootfs"),
            CauseType.CANNOT_START,
            CERTAIN),
        arguments(
            waiting("CreateContainerConfigError", "secret \"db\" not found"),
            CauseType.CANNOT_START,
            CERTAIN));
  }

  @ParameterizedTest(name = "{index} {1} {2}")
  @MethodSource("causes")
  void judges(IncidentExample example, CauseType type, Confidence confidence) {
    Cause cause = Causes.of(example.build());
    assertThat(cause.type()).as(cause.sentence()).isEqualTo(type);
    assertThat(cause.confidence()).as(cause.sentence()).isEqualTo(confidence);
  }

  @Test
  @DisplayName("one sentence has the probe, the figures and what to do")
  void sentence() {
    assertThat(Causes.of(timeouts().throttled(98).cpu(99).succeeded().build()).text())
        .isEqualTo(
            "Killed by liveness after 3 timeouts: throttled 98 % of the time at its CPU limit of"
                + " 100m; it usually answers in 40 ms. Raise the limit or raise timeoutSeconds"
                + " above 1, or find what uses the CPU.");
    assertThat(Causes.of(refused().listening(8081).kind(IncidentKind.UNREADY).build()).text())
        .isEqualTo(
            "Not ready after 3 failures: nothing listens on port 8080; it listens on 8081."
                + " Correct the probe's port, or allow for a longer start.");
    assertThat(
            Causes.of(refused().listening().cpu(400).succeededBefore(9500).startup().build())
                .text())
        .isEqualTo(
            "Killed by liveness after 3 failures: it had not finished its start, nothing listened"
                + " on port 8080 yet; an earlier start took 9.5 s. Raise the startup probe's"
                + " failureThreshold.");
    assertThat(Causes.of(ended(137, "SIGKILL", "OOMKilled").oom(0, 64 << 20).build()).text())
        .isEqualTo(
            "Killed by the kernel at its memory limit of 64Mi (OOM). Raise the limit, or find what"
                + " uses the memory.");
  }

  @Test
  @DisplayName("a line is only called the last words if nothing follows it")
  void lastWords() {
    assertThat(
            Causes.of(ended(1, null, "Error").log("dial: connection refused", "").build()).text())
        .contains("its last words: \"dial: connection refused\"");
    assertThat(
            Causes.of(
                    ended(2, null, "Error")
                        .log("dial: connection refused", "panic: index out of range")
                        .build())
                .text())
        .contains("an earlier line of its output: \"dial: connection refused\"");
    assertThat(Causes.of(ended(128, null, "StartError").saying(NO_PROGRAM).build()).text())
        .contains("exec: \\\"/usr/bin/nope\\\": stat /usr/bin/nope: no such file");
  }

  @Test
  @DisplayName("a container's own words never make a cause certain")
  void ownWords() {
    for (String line :
        new String[] {
          "OOMKilled", "throttled 100 %", "connection refused", "no such host", "node has no memory"
        }) {
      Cause cause = Causes.of(failing("status", true, 500, line).log(line).build());
      boolean fromWords = cause.type() != CauseType.REPORTED_UNHEALTHY;
      assertThat(fromWords && cause.confidence() == CERTAIN).as(line).isFalse();
      assertThat(cause.type())
          .as(line)
          .isNotIn(CauseType.MEMORY_LIMIT, CauseType.CPU_LIMIT, CauseType.NODE_PRESSURE);
    }
  }

  @Test
  @DisplayName("hostile texts stay on one line and are cut")
  void hostile() {
    String hostile = "\u001b[31mred\n\nline " + "x".repeat(10_000);
    Cause cause = Causes.of(failing("body", true, 0, hostile).log(hostile).build());
    assertThat(cause.text()).doesNotContain("\n").doesNotContain("\u001b").hasSizeLessThan(600);
    assertThat(cause.evidence())
        .allSatisfy(fact -> assertThat(fact).doesNotContain("\n").hasSizeLessThan(300));
  }
}
