package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static io.probelet.probe.ProbeKind.STARTUP;
import static io.probelet.probe.engine.Fixtures.CONTAINER;
import static io.probelet.probe.engine.Fixtures.HANDLER;
import static io.probelet.probe.engine.Fixtures.POD;
import static io.probelet.probe.engine.Fixtures.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ContainerRules.ContainerState;
import io.probelet.probe.engine.ContainerRules.ProbeStatus;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Started, ready, adopted and stopped, one container and one moment at a time. */
class ContainerRulesTest {
  private static final Instant WALL = Instant.parse("2026-11-21T12:00:00Z");
  private static final long AGENT_START = Duration.ofHours(5).toNanos();
  private static final ContainerObservation RUNNING = ContainerObservation.running("id-1", WALL, 0);
  private static final ContainerObservation ENDED =
      ContainerObservation.terminated("id-1", WALL, 1, 0);

  @ParameterizedTest(name = "{0}: started {6}")
  @CsvSource({
    "not running,                     false, -,       false, -,    false, false",
    "not running though it succeeded, false, SUCCESS, false, id-1, false, false",
    "no startup probe,                true,  -,       false, -,    false, true",
    "startup probed still,            true,  -,       true,  -,    false, false",
    "startup probe unknown,           true,  UNKNOWN, true,  -,    false, false",
    "startup probe failed,            true,  FAILURE, true,  id-1, false, false",
    "startup probe succeeded,         true,  SUCCESS, true,  -,    false, true",
    "remembered,                      true,  -,       true,  id-1, false, true",
    "another was remembered,          true,  -,       true,  id-0, false, false",
    "the kubelet said so before,      true,  -,       true,  -,    true,  true"
  })
  @DisplayName("W-8 started is what runs and whose startup probe, if any, has succeeded")
  void started(
      String name,
      boolean running,
      String startup,
      boolean worker,
      String startedId,
      boolean before,
      boolean started) {
    ContainerObservation observation = before ? reportedBefore(true, false) : RUNNING;
    ContainerState state =
        new ContainerState(
            seen(observation), running ? observation : ENDED, 0, before, id(startedId));
    ProbeStatus probes = new ProbeStatus(worker, result(startup), false, null);
    ContainerRules rules = rules(Fixtures.container(probes(STARTUP)));
    assertThat(rules.status(state, probes).started()).isEqualTo(started);
    assertThat(ContainerRules.started(state, probes)).isEqualTo(started);
  }

  @Test
  @DisplayName("W-8 what the kubelet said of a container that is new since does not count")
  void startedBeforeNotAdopted() {
    ContainerObservation observation = reportedBefore(true, true);
    ContainerState state = new ContainerState(seen(observation), observation, 0, false, "");
    ContainerStatus status =
        rules(Fixtures.container(probes(STARTUP)))
            .status(state, new ProbeStatus(true, null, false, null));
    assertThat(status.started()).isFalse();
    assertThat(status.ready()).isFalse();
  }

  @ParameterizedTest(name = "{0}: ready {7}")
  @CsvSource({
    "no probe,                             -,  true,  -,       -,       false, -,    true",
    "no probe and not running,             -,  false, -,       -,       false, -,    false",
    "startup alone is being probed,        S,  true,  UNKNOWN, -,       false, -,    false",
    "startup alone without result,          S,  true,  -,       -,       false, -,    false",
    "startup alone failed,                 S,  true,  FAILURE, -,       false, id-1, false",
    "startup alone succeeded,              S,  true,  SUCCESS, -,       false, id-1, true",
    "startup ended with the pod,           S,  true,  SUCCESS, -,       false, -,    false",
    "readiness not yet probed,             R,  true,  -,       -,       true,  -,    false",
    "readiness failed,                     R,  true,  -,       FAILURE, true,  -,    false",
    "readiness unknown,                    R,  true,  -,       UNKNOWN, true,  -,    false",
    "readiness succeeded,                  R,  true,  -,       SUCCESS, true,  -,    true",
    "readiness succeeded but not running,  R,  false, -,       SUCCESS, true,  -,    false",
    "readiness succeeded before startup,   SR, true,  UNKNOWN, SUCCESS, true,  -,    false",
    "startup and readiness succeeded,      SR, true,  SUCCESS, SUCCESS, true,  id-1, true",
    "startup succeeded readiness did not,  SR, true,  SUCCESS, -,       true,  id-1, false"
  })
  @DisplayName("W-9 ready is what runs, has started, and whose readiness probe, if any, succeeded")
  void ready(
      String name,
      String kinds,
      boolean running,
      String startup,
      String readiness,
      boolean worker,
      String startedId,
      boolean ready) {
    ContainerState state =
        new ContainerState(seen(RUNNING), running ? RUNNING : ENDED, 0, false, id(startedId));
    ProbeStatus probes =
        new ProbeStatus(kinds.contains("S"), result(startup), worker, result(readiness));
    assertThat(rules(Fixtures.container(kinds(kinds))).status(state, probes).ready())
        .isEqualTo(ready);
  }

  @ParameterizedTest(name = "{0}: ready {8}")
  @CsvSource({
    "ready before,                       R, true,  true,  true,  -,       -,       true,  true",
    "nobody said so,                     R, true,  false, true,  -,       -,       true,  false",
    "its pod was not,                    R, true,  true,  false, -,       -,       true,  false",
    "it is new,                          R, false, true,  true,  -,       -,       true,  false",
    "its worker has ended,               R, true,  true,  true,  -,       -,       false, false",
    "readiness has failed since,         R, true,  true,  true,  -,       FAILURE, true,  false",
    "startup runs anew,                  SR, true, true,  true,  -,       -,       true,  true",
    "startup has failed since,           SR, true, true,  true,  FAILURE, -,       true,  false",
    "startup alone runs anew,            S, true,  true,  true,  -,       -,       false, true",
    "startup alone its pod was not,      S, true,  true,  false, -,       -,       false, false"
  })
  @DisplayName("W-9 what was ready before the agent's restart stays so until something is decided")
  void readyBefore(
      String name,
      String kinds,
      boolean adopted,
      boolean readyBefore,
      boolean podReady,
      String startup,
      String readiness,
      boolean worker,
      boolean ready) {
    ContainerObservation observation = reportedBefore(false, readyBefore);
    ContainerState state =
        new ContainerState(pod(observation, podReady), observation, 0, adopted, "");
    ProbeStatus probes =
        new ProbeStatus(kinds.contains("S"), result(startup), worker, result(readiness));
    assertThat(rules(Fixtures.container(kinds(kinds))).status(state, probes).ready())
        .isEqualTo(ready);
  }

  @Test
  @DisplayName("W-9 a pod that the runtime has lost was not ready")
  void readyBeforeWithoutPod() {
    ContainerState state = new ContainerState(null, reportedBefore(true, true), 0, true, "");
    assertThat(
            rules(Fixtures.container(probes(READINESS)))
                .status(state, new ProbeStatus(false, null, true, null))
                .ready())
        .isFalse();
  }

  @ParameterizedTest(name = "{0}: adopted {5}")
  @CsvSource({
    "ran 10 s before the agent,            -,    60, 70, false, false",
    "ran for longer before the agent,      -,    60, 71, false, true",
    "remembered,                           -,    60,  1, true,  true",
    "its predecessor was seen,             id-0, 60, 99, false, false",
    "its predecessor was seen but it is remembered, id-0, 60, 99, true, true",
    "seen before it ran,                   id-1, 60, 99, false, true",
    "starts now,                           -,    60,  0, false, false",
    "starts in a second though agent new,  -,     9, -1, false, false",
    "starts in the future and agent new,   -,     9, -2, false, true",
    "starts in the future and agent older, -,    10, -2, false, false"
  })
  @DisplayName("W-3.4 adopted is what an earlier life of the agent has probed, by age")
  void adopted(
      String name, String idBefore, long agentAge, long age, boolean remembered, boolean adopted) {
    ContainerState before =
        observed(
            ContainerState.NEW,
            ContainerObservation.waiting(id(idBefore), 0, ""),
            AGENT_START,
            false);
    long now = AGENT_START + Duration.ofSeconds(agentAge).toNanos();
    ContainerObservation running = ContainerObservation.running("id-1", WALL.minusSeconds(age), 0);
    ContainerState after = observed(before, running, now, remembered);
    assertThat(after.adopted()).isEqualTo(adopted);
    assertThat(after.startedId()).isEqualTo(remembered ? "id-1" : "");
    assertThat(after.runningSince())
        .isEqualTo(now - Duration.ofSeconds(Math.max(0, age)).toNanos());
    assertThat(after.pod()).isEqualTo(seen(running));
    assertThat(after.observation()).isEqualTo(running);
  }

  @Test
  @DisplayName("W-3.4 an instance that is seen again stays what it was, whatever the clocks say")
  void seenAgain() {
    ContainerState before = new ContainerState(seen(RUNNING), RUNNING, 17, true, "id-1");
    ContainerObservation again = ContainerObservation.running("id-1", WALL.plusSeconds(99), 0);
    ContainerState after = observed(before, again, AGENT_START, true);
    assertThat(after).isEqualTo(new ContainerState(seen(again), again, 17, true, "id-1"));
  }

  @Test
  @DisplayName("W-8 what is remembered of an instance is not forgotten as long as none follows")
  void endedKeepsStarted() {
    ContainerState before = new ContainerState(seen(RUNNING), RUNNING, 17, true, "id-1");
    assertThat(observed(before, ENDED, AGENT_START, false))
        .isEqualTo(new ContainerState(seen(ENDED), ENDED, 17, true, "id-1"));
    assertThat(rules(Fixtures.container(Map.of())).observed(before, null, 99, WALL, false))
        .isEqualTo(
            new ContainerState(null, ContainerObservation.waiting("", 0, ""), 17, true, "id-1"));
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, id-1, RUNNING,    id-1, false",
    "RUNNING, id-0, RUNNING,    id-1, true",
    "WAITING, id-1, RUNNING,    id-1, true",
    "WAITING, '',   RUNNING,    id-1, true",
    "RUNNING, id-0, TERMINATED, id-1, false"
  })
  @DisplayName("W-3.4 an instance starts from the initial result if it was not running before")
  void startsFromTheInitialResult(
      State stateBefore, String idBefore, State state, String id, boolean anew) {
    ContainerState before =
        observed(ContainerState.NEW, observation(stateBefore, idBefore), AGENT_START, false);
    assertThat(ContainerRules.startsAnew(before, observation(state, id))).isEqualTo(anew);
  }

  @Test
  @DisplayName("W-3.8 the running time uses the monotonic clock, and is zero while not running")
  void runFor() {
    ProbeStatus none = new ProbeStatus(false, null, false, null);
    ContainerState running = new ContainerState(seen(RUNNING), RUNNING, 100, true, "");
    assertThat(running.runFor(350)).isEqualTo(Duration.ofNanos(250));
    assertThat(ContainerRules.started(running, none)).isTrue();
    ContainerState ended = new ContainerState(seen(ENDED), ENDED, 100, false, "");
    assertThat(ended.runFor(350)).isEqualTo(Duration.ZERO);
    assertThat(ContainerRules.started(ended, none)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING,   false, true,  true",
    "PENDING,   false, true,  true",
    "RUNNING,   true,  true,  false",
    "SUCCEEDED, false, true,  false",
    "FAILED,    false, true,  false",
    "RUNNING,   false, false, false"
  })
  @DisplayName("W-3.2 workers begin again when a pod that was over runs again")
  void wantsWorkers(Phase phase, boolean deleting, boolean running, boolean wants) {
    ContainerObservation observation = running ? RUNNING : ENDED;
    PodObservation pod =
        new PodObservation(POD, phase, deleting, false, List.of(), Map.of(CONTAINER, observation));
    assertThat(ContainerRules.wantsWorkers(new ContainerState(pod, observation, 0, false, "")))
        .isEqualTo(wants);
  }

  @Test
  @DisplayName("W-3.2 a pod that is not observed has no new workers")
  void wantsWorkersWithoutPod() {
    assertThat(ContainerRules.wantsWorkers(new ContainerState(null, RUNNING, 0, false, "")))
        .isFalse();
  }

  @ParameterizedTest(name = "{0}: at once {6}")
  @CsvSource({
    "first of it,             -,    false, true,  false, false, true",
    "started meanwhile,       id-1, false, true,  false, false, true",
    "another instance,        id-0, true,  true,  false, false, true",
    "started already,         id-1, true,  true,  false, false, false",
    "ready already,           id-1, false, true,  true,  false, false",
    "not started,             id-1, false, false, false, false, false",
    "adopted keeps its turn,  -,    false, true,  false, true,  false"
  })
  @DisplayName("W-9, W-1 what has just started is probed for readiness at once")
  void probesStartedAtOnce(
      String name,
      String idBefore,
      boolean startedBefore,
      boolean started,
      boolean ready,
      boolean adopted,
      boolean atOnce) {
    ContainerStatus before =
        idBefore.equals("-")
            ? null
            : new ContainerStatus(
                POD,
                CONTAINER,
                ContainerObservation.running(idBefore, WALL, 0),
                startedBefore,
                false);
    ContainerState state = new ContainerState(seen(RUNNING), RUNNING, 0, adopted, "");
    assertThat(ContainerRules.probesStartedAtOnce(state, before, status(started, ready)))
        .isEqualTo(atOnce);
  }

  @ParameterizedTest
  @CsvSource({
    "true,  false, true,  true",
    "false, false, true,  false",
    "true,  true,  true,  false",
    "true,  false, false, false"
  })
  @DisplayName("W-9 what is not ready is probed at once when something of its pod changes")
  void probesChangedAtOnce(boolean started, boolean ready, boolean probedBefore, boolean atOnce) {
    assertThat(ContainerRules.probesChangedAtOnce(status(started, ready), probedBefore))
        .isEqualTo(atOnce);
    assertThat(ContainerRules.probesChangedAtOnce(null, probedBefore)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "LIVENESS,  true,  id-1, true",
    "STARTUP,   true,  id-1, true",
    "READINESS, true,  id-1, false",
    "LIVENESS,  false, id-1, false",
    "LIVENESS,  true,  id-0, false"
  })
  @DisplayName("D-1, D-4 a failed liveness or startup probe stops the instance that it is of")
  void stops(ProbeKind kind, boolean running, String failedId, boolean stops) {
    ContainerObservation observation = running ? RUNNING : ENDED;
    ContainerState state = new ContainerState(seen(observation), observation, 0, false, "");
    assertThat(
            failed(Fixtures.container(Map.of()), RestartPolicy.ALWAYS, kind, state, failedId, null))
        .isEqualTo(
            stops
                ? Optional.of(
                    new RestartDecision(
                        new ProbeSubject(POD, CONTAINER, kind),
                        target(),
                        Duration.ofSeconds(30),
                        new ProbeEvent(
                            "Normal",
                            "Killing",
                            "Container nginx failed "
                                + (kind == LIVENESS ? "liveness" : "startup")
                                + " probe, will be restarted"),
                        "HTTP probe failed with statuscode: 500"))
                : Optional.empty());
  }

  @Test
  @DisplayName("D-1 the probe's own grace period goes before the pod's")
  void ownGrace() {
    ContainerState state = new ContainerState(seen(RUNNING), RUNNING, 0, false, "");
    assertThat(
            failed(
                    Fixtures.container(Map.of()),
                    RestartPolicy.ALWAYS,
                    LIVENESS,
                    state,
                    "id-1",
                    Duration.ofSeconds(5))
                .orElseThrow()
                .grace())
        .isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @CsvSource({
    "false, -,          ALWAYS, true",
    "false, -,          NEVER,  false",
    "false, NEVER,      ALWAYS, false",
    "false, ON_FAILURE, NEVER,  true",
    "true,  ALWAYS,     NEVER,  true",
    "true,  -,          NEVER,  true"
  })
  @DisplayName("D-2 another instance follows unless nothing of the container is ever restarted")
  void restarts(boolean sidecar, String own, RestartPolicy podPolicy, boolean restarts) {
    RestartPolicy policy = own.equals("-") ? null : RestartPolicy.valueOf(own);
    ContainerSpec spec =
        new ContainerSpec(CONTAINER, sidecar, policy, List.of(), Map.of(), Map.of(), Map.of());
    ContainerRules rules =
        new ContainerRules(Fixtures.pod(Fixtures.POD, podPolicy, spec), spec, AGENT_START);
    assertThat(rules.restarts()).isEqualTo(restarts);
  }

  @ParameterizedTest
  @CsvSource({
    "false, -,          ALWAYS,     true",
    "false, -,          ON_FAILURE, true",
    "false, -,          NEVER,      false",
    "false, NEVER,      ALWAYS,     false",
    "false, ON_FAILURE, NEVER,      true",
    "true,  ALWAYS,     ALWAYS,     false"
  })
  @DisplayName("D-6 the event says that it will be restarted where the kubelet says so")
  void saysWhetherRestarted(boolean sidecar, String own, RestartPolicy podPolicy, boolean says) {
    RestartPolicy policy = own.equals("-") ? null : RestartPolicy.valueOf(own);
    ContainerSpec spec =
        new ContainerSpec(CONTAINER, sidecar, policy, List.of(), Map.of(), Map.of(), Map.of());
    ContainerState state = new ContainerState(seen(RUNNING), RUNNING, 0, false, "");
    assertThat(
            failed(spec, podPolicy, LIVENESS, state, "id-1", null).orElseThrow().event().message())
        .isEqualTo(
            (sidecar ? "Init container" : "Container")
                + " nginx failed liveness probe"
                + (says ? ", will be restarted" : ""));
  }

  @Test
  @DisplayName("W-3.3 a pod without the container, or none at all, says nothing of it")
  void observationIn() {
    ContainerRules rules = rules(Fixtures.container(Map.of()));
    assertThat(rules.observationIn(seen(RUNNING))).isEqualTo(RUNNING);
    assertThat(rules.observationIn(null).id()).isEmpty();
    assertThat(
            rules
                .observationIn(
                    new PodObservation(
                        POD, Phase.RUNNING, false, false, List.of(), Map.of("other", RUNNING)))
                .id())
        .isEmpty();
  }

  private static Optional<RestartDecision> failed(
      ContainerSpec spec,
      RestartPolicy policy,
      ProbeKind kind,
      ContainerState state,
      String failedId,
      @Nullable Duration grace) {
    return new ContainerRules(Fixtures.pod(POD, policy, spec), spec, AGENT_START)
        .failed(
            state,
            new ProbeSubject(POD, CONTAINER, kind),
            ProbeSpec.of(HANDLER).terminationGracePeriod(grace).build(),
            target(),
            failedId,
            "HTTP probe failed with statuscode: 500");
  }

  private static ProbeTarget target() {
    return new ProbeTarget(POD, Fixtures.container(Map.of()), "id-1", "10.0.0.1");
  }

  private static ContainerState observed(
      ContainerState before, ContainerObservation observation, long now, boolean remembered) {
    return rules(Fixtures.container(Map.of()))
        .observed(before, seen(observation), now, WALL, remembered);
  }

  private static ContainerObservation observation(State state, String id) {
    return new ContainerObservation(id, state, WALL, 0, 0, "", false, false);
  }

  private static ContainerObservation reportedBefore(boolean started, boolean ready) {
    return new ContainerObservation("id-1", State.RUNNING, WALL, 0, 0, "", started, ready);
  }

  private static PodObservation pod(ContainerObservation container, boolean ready) {
    return new PodObservation(
        POD, Phase.RUNNING, false, ready, List.of(), Map.of(CONTAINER, container));
  }

  private static ContainerStatus status(boolean started, boolean ready) {
    return new ContainerStatus(POD, CONTAINER, RUNNING, started, ready);
  }

  @ParameterizedTest(name = "init {0}, regular {1}: {2}, ready {3}")
  @CsvSource({
    "-,       -,       WAITING,    false",
    "-,       waiting, WAITING,    false",
    "running, -,       RUNNING,    false",
    "failed,  -,       TERMINATED, false",
    "done,    -,       TERMINATED, true",
    "-,       running, TERMINATED, true",
    "-,       failed,  TERMINATED, true",
    "failed,  running, TERMINATED, false",
  })
  @DisplayName("D-5 an init container that is gone once a regular one was started has succeeded")
  void initContainers(String init, String regular, State state, boolean ready) {
    ContainerSpec migrate = init("migrate");
    ContainerSpec web = Fixtures.container(Map.of());
    ProbedPod pod =
        new ProbedPod(POD, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of(migrate, web));
    Map<String, ContainerObservation> containers = new HashMap<>();
    put(containers, "migrate", init);
    put(containers, CONTAINER, regular);
    PodObservation seen =
        new PodObservation(POD, Phase.PENDING, false, false, List.of(), containers);
    ContainerRules rules = new ContainerRules(pod, migrate, AGENT_START);
    ContainerState observed = rules.observed(ContainerState.NEW, seen, AGENT_START, WALL, false);
    ContainerStatus status = rules.status(observed, new ProbeStatus(false, null, false, null));
    assertThat(status.role()).isEqualTo(ContainerRole.INIT);
    assertThat(status.observation().state()).isEqualTo(state);
    assertThat(status.ready()).isEqualTo(ready);
  }

  @Test
  @DisplayName("D-5 another init container that was started says nothing of one that is not there")
  void otherInitContainer() {
    ContainerSpec migrate = init("migrate");
    ProbedPod pod =
        new ProbedPod(
            POD,
            RestartPolicy.ALWAYS,
            Duration.ofSeconds(30),
            List.of(init("seed"), migrate, Fixtures.container(Map.of())));
    PodObservation seen =
        new PodObservation(POD, Phase.PENDING, false, false, List.of(), Map.of("seed", RUNNING));
    assertThat(new ContainerRules(pod, migrate, AGENT_START).observationIn(seen))
        .isEqualTo(ContainerState.UNSEEN);
  }

  @Test
  @DisplayName("W-8 an instance has started once its startup probe has succeeded")
  void startupSucceeded() {
    ProbeStatus unknown = new ProbeStatus(true, null, false, null);
    ContainerState before = new ContainerState(seen(RUNNING), RUNNING, 100, true, "id-0");
    assertThat(ContainerRules.started(before, unknown)).isFalse();
    ContainerState after = before.startupSucceeded("id-1");
    assertThat(after).isEqualTo(new ContainerState(seen(RUNNING), RUNNING, 100, true, "id-1"));
    assertThat(ContainerRules.started(after, unknown)).isTrue();
  }

  private static ContainerSpec init(String name) {
    return new ContainerSpec(
        name, ContainerRole.INIT, null, List.of(), Map.of(), Map.of(), Map.of(), null);
  }

  private static void put(Map<String, ContainerObservation> containers, String name, String how) {
    switch (how) {
      case "waiting" ->
          containers.put(name, ContainerObservation.waiting("", 0, "PodInitializing"));
      case "running" -> containers.put(name, RUNNING);
      case "failed" -> containers.put(name, ENDED);
      case "done" -> containers.put(name, ContainerObservation.terminated("id-1", WALL, 0, 0));
      default -> {} // the runtime does not have it
    }
  }

  private static ContainerRules rules(ContainerSpec spec) {
    return new ContainerRules(Fixtures.pod(spec), spec, AGENT_START);
  }

  private static Map<ProbeKind, ProbeSpec> probes(ProbeKind kind) {
    return Map.of(kind, Fixtures.probe());
  }

  private static Map<ProbeKind, ProbeSpec> kinds(String letters) {
    Map<ProbeKind, ProbeSpec> probes = new EnumMap<>(ProbeKind.class);
    if (letters.contains("S")) {
      probes.put(STARTUP, Fixtures.probe());
    }
    if (letters.contains("R")) {
      probes.put(READINESS, Fixtures.probe());
    }
    return probes;
  }

  private static @Nullable ProbeResult result(String name) {
    return name.equals("-") ? null : ProbeResult.valueOf(name);
  }

  private static String id(String text) {
    return text.equals("-") ? "" : text;
  }
}
