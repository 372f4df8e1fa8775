package io.probelet.manifest.advice;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static io.probelet.probe.ProbeKind.STARTUP;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/** The advice on probes. docs/how-to/manifests.md lists it. */
public enum Advice {
  /** A serving container has liveness but no readiness. */
  LIVENESS_WITHOUT_READINESS(
      "liveness-without-readiness",
      "a hung container receives traffic until it is restarted, and again before it has"
          + " started; add a readinessProbe, which removes it from its Services meanwhile",
      (container, kind) ->
          kind == LIVENESS
              && container.has(LIVENESS)
              && !container.has(READINESS)
              && container.serves()),

  /** Both probes check the same, and liveness fails no later. */
  LIVENESS_EQUALS_READINESS(
      "liveness-equals-readiness",
      "a failure that should only remove the container from its Services also restarts it;"
          + " make the livenessProbe check less, or increase its failureThreshold",
      (container, kind) ->
          kind == LIVENESS
              && container.has(
                  LIVENESS,
                  liveness ->
                      container.has(READINESS, readiness -> decidesNoLater(liveness, readiness)))),

  /** The timeout is not shorter than the period. */
  TIMEOUT_NOT_BELOW_PERIOD(
      "timeout-not-below-period",
      "attempts do not overlap: a slow one delays the next, so a failure is detected later"
          + " than periodSeconds and failureThreshold suggest",
      (container, kind) ->
          container.has(kind, probe -> probe.timeout().compareTo(probe.period()) >= 0)),

  /** A process starts every second, or more often. */
  EXEC_EVERY_SECOND(
      "exec-every-second",
      "each attempt starts a process in the container, which is expensive; use httpGet or"
          + " grpc, or a longer period",
      (container, kind) ->
          container.has(
              kind, probe -> AdvisedContainer.runsCommand(probe) && atMost(probe.period(), 1))),

  /** A command has at most a second. */
  EXEC_TIMEOUT_ONE_SECOND(
      "exec-timeout-one-second",
      "on a busy node a command may need more than the default second to start and finish,"
          + " which counts as a failure; increase timeoutSeconds",
      (container, kind) ->
          container.has(
              kind, probe -> AdvisedContainer.runsCommand(probe) && atMost(probe.timeout(), 1))),

  /** A fixed delay is used instead of a startup probe. */
  INITIAL_DELAY_FOR_START(
      "initial-delay-for-start",
      "a fixed initialDelaySeconds is too long for a fast start and too short for a slow one;"
          + " use a startupProbe, which waits exactly as long as needed",
      (container, kind) ->
          kind == LIVENESS
              && !container.has(STARTUP)
              && container.has(LIVENESS, probe -> !below(probe.initialDelay(), 10))),

  /** A start of a few seconds leads to endless restarts. */
  RESTART_BEFORE_START(
      "restart-before-start",
      "the livenessProbe restarts the container if its start takes 10 seconds, and again after"
          + " each restart; add a startupProbe, which delays liveness until it succeeds",
      (container, kind) ->
          kind == LIVENESS
              && !container.has(STARTUP)
              && container.has(
                  LIVENESS,
                  probe -> below(probe.initialDelay().plus(AdvisedContainer.window(probe)), 10))),

  /** Stopping a container takes longer than detecting that it hangs. */
  WINDOW_SHORTER_THAN_GRACE(
      "window-shorter-than-grace",
      "stopping a hung container takes longer than detecting it, because it gets the full"
          + " grace period; set the probe's terminationGracePeriodSeconds",
      (container, kind) ->
          kind == LIVENESS
              && container.has(
                  LIVENESS,
                  probe ->
                      probe.terminationGracePeriod() == null
                          && AdvisedContainer.window(probe).compareTo(container.grace()) < 0)),

  /** A single failure restarts the container. */
  SINGLE_FAILURE_RESTARTS(
      "single-failure-restarts",
      "one lost packet or one short pause restarts the container; use a failureThreshold of 3",
      (container, kind) ->
          kind == LIVENESS && container.has(LIVENESS, probe -> probe.failureThreshold() == 1)),

  /** A failure of another host restarts the container. */
  LIVENESS_OF_ANOTHER_HOST(
      "liveness-of-another-host",
      "if that host fails, this container is restarted, which fixes nothing; probe the"
          + " container itself",
      (container, kind) -> kind == LIVENESS && container.has(kind, AdvisedContainer::asksAnother)),

  /** The kernel accepts the connection, not the program. */
  LIVENESS_BY_CONNECT(
      "liveness-by-connect",
      "the kernel accepts connections even if the program hangs; use httpGet or grpc, which"
          + " the program itself must answer",
      (container, kind) -> kind == LIVENESS && container.has(kind, AdvisedContainer::connectsOnly)),

  /** The container gets traffic before it is ready. */
  PORT_WITHOUT_READINESS(
      "port-without-readiness",
      "Services send traffic to the port as soon as the container runs, even if it cannot"
          + " answer yet; add a readinessProbe",
      (container, kind) ->
          kind == READINESS
              && !container.has(READINESS)
              && !container.has(LIVENESS)
              && container.listens()
              && container.serves()),

  /** Its readiness no longer changes the endpoint after the pod's deletion. */
  READINESS_GATE_AT_TERMINATION(
      "readiness-gate-at-termination",
      "a kubelet does not recompute Ready of a terminating pod when its readiness gate changes, so"
          + " the endpoint stays serving until the pod ends; add a readinessProbe to the spec or a"
          + " preStop hook",
      (container, kind) ->
          kind == READINESS
              && container.gated()
              && container.has(READINESS)
              && container.spec().preStop() == null
              && container.serves()),

  /** The node's own loopback address is asked. */
  PROBE_OF_LOCALHOST(
      "probe-of-localhost",
      "a kubelet probes from the node, where localhost is the node and not the container; leave"
          + " host empty",
      (container, kind) ->
          container.probedFromNode() && container.has(kind, AdvisedContainer::asksLocalhost)),

  /** A value that no probe gets. */
  EXEC_VARIABLE_WITHOUT_VALUE(
      "exec-variable-without-value",
      "the command of a probe gets only values written in env: a variable from a Secret, ConfigMap"
          + " or field becomes empty text, and an unknown one stays as it is; run sh -c and use"
          + " $NAME",
      (container, kind) ->
          container.has(
              kind, probe -> container.anyCommand(probe, container::hasVariableWithoutValue))),

  /** The name of a program that no image has. */
  COMMAND_IN_ONE_WORD(
      "command-in-one-word",
      "the first item of a command names the program, spaces included, so that the check cannot"
          + " run and never fails; make each word an item",
      (container, kind) ->
          container.has(kind, probe -> container.anyCommand(probe, CommandText::isOneWord))),

  /** A start of a few seconds ends in restarts for ever. */
  STARTUP_GIVES_UP_EARLY(
      "startup-gives-up-early",
      "a start that takes 10 seconds is cut off, and so is each one after it; periodSeconds times"
          + " failureThreshold has to cover the slowest start",
      (container, kind) ->
          kind == STARTUP
              && container.has(
                  STARTUP,
                  probe -> below(probe.initialDelay().plus(AdvisedContainer.window(probe)), 10))),

  /** Nothing answers TCP there. */
  PROBE_OF_UDP_PORT(
      "probe-of-udp-port",
      "probes connect by TCP, and the container declares this port for another protocol only;"
          + " probe a TCP port, or run a command",
      (container, kind) -> container.has(kind, container::asksPortWithoutTcp));

  private final String id;
  private final String why;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
  private final BiPredicate<AdvisedContainer, ProbeKind> rule;

  Advice(String id, String why, BiPredicate<AdvisedContainer, ProbeKind> rule) {
    this.id = id;
    this.why = why;
    this.rule = rule;
  }

  /** {@return its stable name for users and programs} */
  public String id() {
    return id;
  }

  /** {@return the reason and the fix, in one sentence} */
  public String why() {
    return why;
  }

  /**
   * Finds the advice for one probe of a container.
   *
   * @param kind the kind of probe, which may be absent
   * @return the advice, in a fixed order
   */
  public static List<Advice> on(AdvisedContainer container, ProbeKind kind) {
    return Arrays.stream(values()).filter(each -> each.rule.test(container, kind)).toList();
  }

  private static boolean decidesNoLater(ProbeSpec liveness, ProbeSpec readiness) {
    return liveness.handler().equals(readiness.handler())
        && AdvisedContainer.window(liveness).compareTo(AdvisedContainer.window(readiness)) <= 0;
  }

  private static boolean atMost(Duration time, int seconds) {
    return time.compareTo(Duration.ofSeconds(seconds)) <= 0;
  }

  private static boolean below(Duration time, int seconds) {
    return time.compareTo(Duration.ofSeconds(seconds)) < 0;
  }
}
