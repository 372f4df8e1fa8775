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

/** The pieces of advice there are. docs/how-to/manifests.md lists them. */
public enum Advice {
  /** A container that others use is restarted, but never taken out of their way. */
  LIVENESS_WITHOUT_READINESS(
      "liveness-without-readiness",
      "a container that hangs gets traffic until it is restarted, and again before it has started;"
          + " a readinessProbe takes it out of its Services meanwhile",
      (container, kind) ->
          kind == LIVENESS
              && container.has(LIVENESS)
              && !container.has(READINESS)
              && container.serves()),

  /** Both probes ask the same, and liveness decides no later. */
  LIVENESS_EQUALS_READINESS(
      "liveness-equals-readiness",
      "what should only take the container out of its Services restarts it at the same moment; ask"
          + " less of liveness, or give it a larger failureThreshold",
      (container, kind) ->
          kind == LIVENESS
              && container.has(
                  LIVENESS,
                  liveness ->
                      container.has(READINESS, readiness -> decidesNoLater(liveness, readiness)))),

  /** An attempt may last as long as the time to the next. */
  TIMEOUT_NOT_BELOW_PERIOD(
      "timeout-not-below-period",
      "attempts do not overlap, so that slow ones delay the next and a failure is found later than"
          + " periodSeconds and failureThreshold say",
      (container, kind) ->
          container.has(kind, probe -> probe.timeout().compareTo(probe.period()) >= 0)),

  /** A process is started every second, or more often. */
  EXEC_EVERY_SECOND(
      "exec-every-second",
      "each attempt starts a process in the container, which costs more than what it checks; use"
          + " httpGet or grpc, or a longer period",
      (container, kind) ->
          container.has(
              kind, probe -> AdvisedContainer.runsCommand(probe) && atMost(probe.period(), 1))),

  /** A process has a second to start, do its work and end. */
  EXEC_TIMEOUT_ONE_SECOND(
      "exec-timeout-one-second",
      "on a busy node a command needs more than the default second to start and end, and then it"
          + " counts as failed",
      (container, kind) ->
          container.has(
              kind, probe -> AdvisedContainer.runsCommand(probe) && atMost(probe.timeout(), 1))),

  /** A fixed delay, where a startup probe would wait as long as it takes. */
  INITIAL_DELAY_FOR_START(
      "initial-delay-for-start",
      "a fixed initialDelaySeconds is too long for a quick start and too short for a slow one; a"
          + " startupProbe waits exactly as long as it takes",
      (container, kind) ->
          kind == LIVENESS
              && !container.has(STARTUP)
              && container.has(LIVENESS, probe -> !below(probe.initialDelay(), 10))),

  /** A start of a few seconds ends in restarts for ever. */
  RESTART_BEFORE_START(
      "restart-before-start",
      "a start that takes 10 seconds is cut off, and so is each one after it; a startupProbe holds"
          + " liveness back until it has succeeded",
      (container, kind) ->
          kind == LIVENESS
              && !container.has(STARTUP)
              && container.has(
                  LIVENESS,
                  probe -> below(probe.initialDelay().plus(AdvisedContainer.window(probe)), 10))),

  /** It takes longer to end a container than to find out that it hangs. */
  WINDOW_SHORTER_THAN_GRACE(
      "window-shorter-than-grace",
      "a container that hangs is found sooner than the grace period ends that it gets before it is"
          + " killed; give the probe a terminationGracePeriodSeconds of its own",
      (container, kind) ->
          kind == LIVENESS
              && container.has(
                  LIVENESS,
                  probe ->
                      probe.terminationGracePeriod() == null
                          && AdvisedContainer.window(probe).compareTo(container.grace()) < 0)),

  /** One lost answer restarts. */
  SINGLE_FAILURE_RESTARTS(
      "single-failure-restarts",
      "one lost packet or one pause restarts the container; a failureThreshold of 3 forgives what"
          + " passes",
      (container, kind) ->
          kind == LIVENESS && container.has(LIVENESS, probe -> probe.failureThreshold() == 1)),

  /** What another host does restarts this container. */
  LIVENESS_OF_ANOTHER_HOST(
      "liveness-of-another-host",
      "when that host fails this container is restarted, which mends nothing; ask the container"
          + " itself",
      (container, kind) -> kind == LIVENESS && container.has(kind, AdvisedContainer::asksAnother)),

  /** The kernel answers, not the program. */
  LIVENESS_BY_CONNECT(
      "liveness-by-connect",
      "the kernel takes connections for a program that hangs; httpGet or grpc ask the program",
      (container, kind) -> kind == LIVENESS && container.has(kind, AdvisedContainer::connectsOnly)),

  /** It is used before it can be. */
  PORT_WITHOUT_READINESS(
      "port-without-readiness",
      "Services send traffic to the port as soon as the container runs, whether it can answer or"
          + " not; a readinessProbe says when it can",
      (container, kind) ->
          kind == READINESS
              && !container.has(READINESS)
              && !container.has(LIVENESS)
              && container.listens()
              && container.serves()),

  /** Its readiness reaches no endpoint any more once its pod is deleted. */
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

  /** {@return its name for users and programs, which stays} */
  public String id() {
    return id;
  }

  /** {@return why, and what to do, in one sentence} */
  public String why() {
    return why;
  }

  /**
   * Finds what applies to one probe of a container.
   *
   * @param kind which probe, be it there or not
   * @return what applies, in a fixed order
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
