package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Source;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a pod's status and the runtime say of why a container is broken. */
class ContainerCausesTest {
  private static final String ENDED =
      "\"terminated\": {\"exitCode\": 137, \"reason\": \"OOMKilled\", \"message\": \"%s\","
          + " \"finishedAt\": \"2026-11-21T10:00:05Z\", \"containerID\": \"containerd://id-1\"}";

  private static final Instant FINISHED = Instant.parse("2026-11-21T10:00:05Z");
  private static final PodRef POD = new PodRef("shop", "a", "uid-a");

  private static ContainerObservation web(String status) {
    return read("\"containerStatuses\": [{\"name\": \"web\", " + status + "}]")
        .reported()
        .containers()
        .get("web");
  }

  private static ClusterPod read(String statuses) {
    String json = ApiPods.running("a");
    int at = json.indexOf("\"containerStatuses\"");
    return reader(json.substring(0, at) + statuses + "}}");
  }

  private static ClusterPod reader(String json) {
    Mapping root = (Mapping) Document.json(Source.of(json)).root();
    return new ClusterPodReader(AgentConfiguration.DEFAULT.podRules()).read(root).orElseThrow();
  }

  @Test
  void readsWhyTheKubeletWaitsAndHowTheLastInstanceEnded() {
    ContainerObservation web =
        web(
            "\"restartCount\": 3, \"containerID\": \"containerd://id-1\", \"state\": {\"waiting\":"
                + " {\"reason\": \"CrashLoopBackOff\", \"message\": \"back-off 40s\"}},"
                + " \"lastState\": {"
                + ENDED.formatted("no database")
                + "}");
    assertThat(web.reason()).isEqualTo("CrashLoopBackOff");
    assertThat(web.details())
        .isEqualTo(
            new ContainerDetails(
                "back-off 40s", new Termination(137, 9, "OOMKilled", "no database", FINISHED), ""));
  }

  @Test
  void readsHowThisInstanceEnded() {
    ContainerObservation web = web("\"state\": {" + ENDED.formatted("") + "}");
    assertThat(web.state()).isEqualTo(State.TERMINATED);
    assertThat(web.details().lastTermination())
        .isEqualTo(new Termination(137, 9, "OOMKilled", "", FINISHED));
  }

  @Test
  void boundsTheMessagesOfAPod() {
    String statuses =
        IntStream.range(0, 200)
            .mapToObj(i ->
                "{\"name\": \"c%d\", \"state\": {\"waiting\": {\"reason\": \"%s\", \"message\": \"%s\"}}}"
                    .formatted(i, "R".repeat(500), "m".repeat(2_000)))
            .collect(Collectors.joining(",", "\"containerStatuses\": [", "]"));
    Map<String, ContainerObservation> containers = read(statuses).reported().containers();
    assertThat(containers).hasSize(200);
    assertThat(
            containers.values().stream().mapToInt(each -> each.details().message().length()).sum())
        .isEqualTo(PodStatusReader.MAX_MESSAGES);
    assertThat(containers.values())
        .allSatisfy(each -> {
          assertThat(each.details().message()).hasSizeLessThanOrEqualTo(Termination.MAX_MESSAGE);
          assertThat(each.reason()).hasSizeLessThanOrEqualTo(Termination.MAX_REASON);
        });
  }

  @Test
  void initContainersAreContainersOfThePod() {
    ClusterPod pod =
        reader(
            ApiPods.running("a")
                .replace(
                    "\"containers\": [",
                    "\"initContainers\": [{\"name\": \"migrate\", \"image\": \"m:1\"}],"
                        + " \"containers\": [")
                .replace(
                    "\"containerStatuses\"",
                    "\"initContainerStatuses\": [{\"name\": \"migrate\", \"restartCount\": 4,"
                        + " \"state\": {\"waiting\": {\"reason\": \"CrashLoopBackOff\"}},"
                        + " \"lastState\": {"
                        + ENDED.formatted("")
                        + "}}], \"containerStatuses\""));
    assertThat(pod.probed().containers())
        .extracting(ContainerSpec::name, ContainerSpec::role)
        .containsExactly(tuple("migrate", ContainerRole.INIT), tuple("web", ContainerRole.REGULAR));
    ContainerObservation migrate = pod.reported().containers().get("migrate");
    assertThat(migrate.restartCount()).isEqualTo(4);
    assertThat(migrate.details().lastTermination()).isNotNull();
    assertThat(pod.fieldPath("migrate")).isEqualTo("spec.initContainers{migrate}");
  }

  // --- Beside a runtime

  private static PodObservation pod(Map<String, ContainerObservation> containers) {
    return new PodObservation(POD, Phase.PENDING, false, false, List.of(), containers);
  }

  private static ContainerObservation joined(
      ContainerObservation reported, ContainerObservation seen) {
    return PodJoin.of(pod(Map.of("web", reported)), pod(Map.of("web", seen)))
        .containers()
        .get("web");
  }

  @Test
  void keepsWhatOnlyTheKubeletKnows() {
    ContainerObservation pull =
        ContainerObservation.waiting("", 0, "ImagePullBackOff")
            .with(ContainerDetails.NONE.saying("Back-off pulling image"));
    ContainerObservation done = ContainerObservation.terminated("id-0", FINISHED, 0, 0);
    ContainerObservation stale = ContainerObservation.running("id-9", FINISHED, 0);
    PodObservation reported = pod(Map.of("web", pull, "init", done, "gone", stale));
    assertThat(PodJoin.of(reported, pod(Map.of())).containers())
        .as("the runtime is right about what runs")
        .isEqualTo(Map.of("web", pull, "init", done));
  }

  @Test
  void tellsTheKubeletsBackOffOfAnInstanceThatTheRuntimeHasSeenEnd() {
    Termination ended = new Termination(1, 0, "Error", "", FINISHED);
    ContainerObservation seen =
        new ContainerObservation("id-1", State.TERMINATED, FINISHED, 1, 3, "Error", false, false)
            .with(ContainerDetails.ended(ended).loggingTo("/var/log/c.log"));
    ContainerObservation reported =
        ContainerObservation.waiting("id-1", 3, "CrashLoopBackOff")
            .with(
                new ContainerDetails(
                    "back-off 40s", new Termination(1, 0, "Error", "theirs", FINISHED), ""));
    ContainerObservation joined = joined(reported, seen);
    assertThat(joined.state()).as("W-3.6 goes by the runtime").isEqualTo(State.TERMINATED);
    assertThat(joined.exitCode()).isOne();
    assertThat(joined.reason()).isEqualTo("CrashLoopBackOff");
    assertThat(joined.details())
        .isEqualTo(new ContainerDetails("back-off 40s", ended, "/var/log/c.log"));
  }

  @Test
  void takesTheLastEndFromTheKubeletAfterTheAgentsStart() {
    Termination ended = new Termination(1, 0, "Error", "", FINISHED);
    ContainerObservation seen = ContainerObservation.running("id-2", FINISHED, 1);
    ContainerObservation same =
        ContainerObservation.running("id-2", FINISHED, 1).with(ContainerDetails.ended(ended));
    ContainerObservation behind =
        ContainerObservation.waiting("id-1", 1, "CrashLoopBackOff")
            .with(new ContainerDetails("back-off 10s", ended, ""));
    for (ContainerObservation reported : List.of(same, behind)) {
      ContainerObservation joined = joined(reported, seen);
      assertThat(joined.running()).isTrue();
      assertThat(joined.reason()).isEmpty();
      assertThat(joined.details()).isEqualTo(ContainerDetails.ended(ended));
    }
  }
}
