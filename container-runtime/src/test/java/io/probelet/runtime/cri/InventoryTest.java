package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import io.probelet.runtime.cri.Inventory.Changes;
import io.probelet.runtime.cri.Inventory.Listing;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.LinuxPodSandboxStatus;
import io.probelet.runtime.cri.v1.Namespace;
import io.probelet.runtime.cri.v1.NamespaceMode;
import io.probelet.runtime.cri.v1.NamespaceOption;
import io.probelet.runtime.cri.v1.PodIP;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxMetadata;
import io.probelet.runtime.cri.v1.PodSandboxNetworkStatus;
import io.probelet.runtime.cri.v1.PodSandboxState;
import io.probelet.runtime.cri.v1.PodSandboxStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of the runtime for which lists, and what listeners are told of the answers. */
class InventoryTest {
  private static final PodRef WEB = new PodRef("default", "web", "web-uid");
  private static final PodSandbox SANDBOX = Listed.sandbox("s1", "web");
  private static final Container RUNNING = Listed.running("c1", "s1", "app", 0);

  private final Inventory inventory = new Inventory("192.0.2.1");

  /** Looks and answers every question from the lists; the only pod changed comes back. */
  private PodObservation poll(PodSandbox sandbox, Container... containers) {
    Changes changes = changes(List.of(sandbox), List.of(containers));
    assertThat(changes.changed()).hasSize(1);
    return changes.changed().getFirst();
  }

  private Changes changes(List<PodSandbox> sandboxes, List<Container> containers) {
    Listing listing = inventory.begin(sandboxes, containers);
    return inventory.finish(
        listing,
        listing.sandboxesToAsk().stream().map(id -> Listed.status(id, "10.0.0.1")).toList(),
        containers.stream()
            .filter(each -> listing.containersToAsk().contains(each.getId()))
            .map(Listed::status)
            .toList());
  }

  @Test
  void aRunningContainerIsToldWithStartTimeAndAttempt() {
    PodObservation pod = poll(SANDBOX, Listed.running("c7", "s1", "app", 7));

    assertThat(pod.pod()).isEqualTo(WEB);
    assertThat(pod.phase()).isEqualTo(Phase.RUNNING);
    assertThat(pod.ips()).containsExactly("10.0.0.1");
    assertThat(pod.containers())
        .containsOnlyKeys("app")
        .containsEntry(
            "app",
            ContainerObservation.running("c7", Instant.ofEpochSecond(18), 7)
                .with(ContainerDetails.NONE.loggingTo("/var/log/c7.log")));
  }

  @Test
  void anEndedContainerIsToldWithItsExitCode() {
    ContainerObservation ended =
        poll(SANDBOX, Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0))
            .containers()
            .get("app");

    assertThat(ended.state()).isEqualTo(State.TERMINATED);
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.reason()).isEqualTo("Error");
  }

  @Test
  void keepsHowTheInstanceBeforeEnded() {
    poll(SANDBOX, Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0));
    Termination ended = new Termination(137, 9, "Error", "killed by the kernel", instant(17));
    assertThat(details(Listed.running("c2", "s1", "app", 1)))
        .isEqualTo(new ContainerDetails("", ended, "/var/log/c2.log"));
  }

  @Test
  void boundsWhatTheRuntimeSaysOfAnEnd() {
    ContainerStatus endless =
        ContainerStatus.newBuilder()
            .setMessage("m".repeat(1_000_000))
            .setLogPath("/" + "p".repeat(1_000_000))
            .build();
    assertThat(Compact.of(endless).getMessage()).hasSize(1_024);
    assertThat(Compact.of(endless).getLogPath()).hasSize(4_096);
  }

  private ContainerDetails details(Container listed) {
    return poll(SANDBOX, listed).containers().get("app").details();
  }

  private static Instant instant(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  @Test
  void aCreatedContainerWaitsAndIsNotAskedFor() {
    Container created = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_CREATED, 0);
    assertThat(inventory.begin(List.of(SANDBOX), List.of(created)).containersToAsk()).isEmpty();

    PodObservation pod = poll(SANDBOX, created);
    assertThat(pod.phase()).isEqualTo(Phase.PENDING);
    assertThat(pod.containers().get("app"))
        .isEqualTo(ContainerObservation.waiting("c1", 0, "ContainerCreating"));
  }

  @Test
  void aCreatedContainerHasTheEndAndTheOutputOfTheInstanceBeforeIt() {
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);
    ContainerDetails before = details(ended);
    Container created = Listed.container("c2", "s1", "app", ContainerState.CONTAINER_CREATED, 1);
    ContainerDetails now = poll(SANDBOX, ended, created).containers().get("app").details();
    assertThat(now.lastTermination()).isNotNull().isEqualTo(before.lastTermination());
    assertThat(now.logPath()).isEqualTo("/var/log/c1.log");
  }

  @Test
  void theNewestInstanceOfANameCountsAndOldOnesAreNotAskedFor() {
    List<Container> instances =
        List.of(
            Listed.container("c0", "s1", "app", ContainerState.CONTAINER_EXITED, 0),
            Listed.running("c2", "s1", "app", 2),
            Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 1));

    assertThat(inventory.begin(List.of(SANDBOX), instances).containersToAsk())
        .containsExactly("c2");
    assertThat(poll(SANDBOX, instances.toArray(Container[]::new)).containers().get("app").id())
        .isEqualTo("c2");
  }

  @Test
  void whatHasNotChangedIsNeitherAskedForNorToldAgain() {
    poll(SANDBOX, RUNNING);

    Listing again = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    assertThat(again.sandboxesToAsk()).isEmpty();
    assertThat(again.containersToAsk()).isEmpty();
    assertThat(inventory.finish(again, List.of(), List.of()))
        .isEqualTo(new Changes(List.of(), List.of()));
  }

  @Test
  void whatIsListedInAnotherOrderHasNotChanged() {
    Container other = Listed.running("c2", "s1", "db", 0);
    changes(List.of(SANDBOX), List.of(RUNNING, other));

    assertThat(changes(List.of(SANDBOX), List.of(other, RUNNING)))
        .isEqualTo(new Changes(List.of(), List.of()));
  }

  @Test
  void aPodOfWhichNotAllIsKnownIsGoneAllTheSame() {
    Listing listing = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    inventory.finish(listing, List.of(), List.of());

    assertThat(changes(List.of(), List.of())).isEqualTo(new Changes(List.of(), List.of(WEB)));
  }

  @Test
  void aContainerThatIsGoneIsMissedAlthoughAnotherIsListedTwice() {
    Container other = Listed.running("c2", "s1", "db", 0);
    changes(List.of(SANDBOX), List.of(RUNNING, other));

    assertThat(changes(List.of(SANDBOX), List.of(RUNNING, RUNNING)).changed()).hasSize(1);
  }

  @Test
  void aContainerThatEndedIsAskedForAgain() {
    poll(SANDBOX, RUNNING);
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);

    assertThat(inventory.begin(List.of(SANDBOX), List.of(ended)).containersToAsk())
        .containsExactly("c1");
    assertThat(poll(SANDBOX, ended).containers().get("app").state()).isEqualTo(State.TERMINATED);
  }

  @Test
  void aContainerThatEndedBetweenListAndQuestionIsToldAsEnded() {
    Listing listing = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);
    Changes changes = inventory.finish(listing, List.of(), List.of(Listed.status(ended)));

    assertThat(changes.changed().getFirst().containers().get("app").state())
        .isEqualTo(State.TERMINATED);
  }

  @Test
  void withoutAnAnswerANewContainerWaitsAndAKnownOneStaysAsItWas() {
    Listing listing = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    Changes unanswered = inventory.finish(listing, List.of(), List.of());
    assertThat(unanswered.changed().getFirst().containers().get("app"))
        .isEqualTo(ContainerObservation.waiting("c1", 0, "ContainerStatusUnknown"));
    assertThat(unanswered.changed().getFirst().ips()).isEmpty();

    poll(SANDBOX, RUNNING);
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);
    Listing later = inventory.begin(List.of(SANDBOX), List.of(ended));
    assertThat(inventory.finish(later, List.of(), List.of()).changed()).isEmpty();
    assertThat(inventory.begin(List.of(SANDBOX), List.of(ended)).containersToAsk())
        .containsExactly("c1");
  }

  @Test
  void aContainerInAnUnknownStateStaysAsItWas() {
    poll(SANDBOX, RUNNING);
    Container unknown = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_UNKNOWN, 0);

    assertThat(changes(List.of(SANDBOX), List.of(unknown)).changed()).isEmpty();
  }

  @Test
  void aPodIsGoneWithItsLastSandbox() {
    poll(SANDBOX, RUNNING);

    assertThat(changes(List.of(), List.of())).isEqualTo(new Changes(List.of(), List.of(WEB)));
    assertThat(changes(List.of(), List.of())).isEqualTo(new Changes(List.of(), List.of()));
  }

  @Test
  void theNewestSandboxGivesTheAddresses() {
    PodSandbox dead = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);
    PodSandbox alive = Listed.sandbox("s2", "web", PodSandboxState.SANDBOX_READY, 2);

    Listing listing = inventory.begin(List.of(alive, dead), List.of());
    assertThat(listing.sandboxesToAsk()).containsExactly("s2");
  }

  @Test
  void containersOfAnOlderSandboxStillBelongToThePod() {
    PodSandbox dead = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);
    PodSandbox alive = Listed.sandbox("s2", "web", PodSandboxState.SANDBOX_READY, 2);
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);

    Changes changes = changes(List.of(dead, alive), List.of(ended));
    assertThat(changes.changed().getFirst().containers()).containsOnlyKeys("app");
  }

  @Test
  void aStoppedPodWhoseNameAnotherHasIsLeftOut() {
    PodSandbox dead =
        of(Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1), "old-uid");
    PodSandbox alive = Listed.sandbox("s2", "web", PodSandboxState.SANDBOX_READY, 2);
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);

    Changes changes = changes(List.of(dead, alive), List.of(ended));
    assertThat(changes.changed()).extracting(PodObservation::pod).containsExactly(WEB);
    assertThat(changes.changed().getFirst().containers()).isEmpty();
  }

  @Test
  void aStoppedPodIsToldAsLongAsNoOtherHasItsName() {
    PodSandbox dead = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);
    PodSandbox other = Listed.sandbox("s2", "db", PodSandboxState.SANDBOX_READY, 2);

    assertThat(changes(List.of(dead, other), List.of()).changed()).hasSize(2);
  }

  @Test
  void twoPodsOfOneNameThatBothRunAreBothTold() {
    PodSandbox going = of(Listed.sandbox("s1", "web"), "old-uid");
    PodSandbox coming = Listed.sandbox("s2", "web", PodSandboxState.SANDBOX_READY, 2);

    assertThat(changes(List.of(going, coming), List.of()).changed()).hasSize(2);
  }

  private static PodSandbox of(PodSandbox sandbox, String uid) {
    return sandbox.toBuilder().setMetadata(sandbox.getMetadata().toBuilder().setUid(uid)).build();
  }

  @Test
  void aStoppedSandboxKeepsItsAddresses() {
    poll(SANDBOX, RUNNING);
    PodSandbox stopped = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);

    assertThat(changes(List.of(stopped), List.of(RUNNING)).changed()).isEmpty();
  }

  @Test
  void allAddressesAreTold() {
    PodSandboxStatus dual =
        PodSandboxStatus.newBuilder()
            .setId("s1")
            .setNetwork(
                PodSandboxNetworkStatus.newBuilder()
                    .setIp("10.0.0.1")
                    .addAdditionalIps(PodIP.newBuilder().setIp("fd00::1")))
            .build();
    Listing listing = inventory.begin(List.of(SANDBOX), List.of());
    assertThat(inventory.finish(listing, List.of(dual), List.of()).changed().getFirst().ips())
        .containsExactly("10.0.0.1", "fd00::1");
  }

  @Test
  void aSandboxWithoutAddressIsAskedForAgain() {
    PodSandboxStatus none = PodSandboxStatus.newBuilder().setId("s1").build();
    inventory.finish(inventory.begin(List.of(SANDBOX), List.of()), List.of(none), List.of());

    assertThat(inventory.begin(List.of(SANDBOX), List.of()).sandboxesToAsk()).containsExactly("s1");
    assertThat(poll(SANDBOX).ips()).containsExactly("10.0.0.1");
  }

  @Test
  void onlyAPodInTheHostNetworkHasTheNodesAddress() {
    assertThat(ipsOf(NamespaceMode.NODE)).containsExactly("192.0.2.1");
    assertThat(ipsOf(NamespaceMode.POD)).isEmpty();
  }

  private static List<String> ipsOf(NamespaceMode network) {
    PodSandboxStatus status =
        PodSandboxStatus.newBuilder()
            .setId("s1")
            .setLinux(
                LinuxPodSandboxStatus.newBuilder()
                    .setNamespaces(
                        Namespace.newBuilder()
                            .setOptions(NamespaceOption.newBuilder().setNetwork(network))))
            .build();
    Inventory fresh = new Inventory("192.0.2.1");
    Listing listing = fresh.begin(List.of(SANDBOX), List.of());
    return fresh.finish(listing, List.of(status), List.of()).changed().getFirst().ips();
  }

  @Test
  void whatIsNoPodOfKubernetesIsLeftOut() {
    PodSandbox nameless =
        PodSandbox.newBuilder()
            .setId("s9")
            .setMetadata(PodSandboxMetadata.newBuilder().setName("stray"))
            .build();
    Container stray = Listed.running("c9", "nowhere", "app", 0);

    assertThat(changes(List.of(nameless), List.of(stray)))
        .isEqualTo(new Changes(List.of(), List.of()));
  }

  @ParameterizedTest
  @CsvSource({"'', web, uid", "default, '', uid", "default, web, ''"})
  void aSandboxThatLacksPartOfItsNameIsNoPod(String namespace, String name, String uid) {
    PodSandbox sandbox =
        SANDBOX.toBuilder()
            .setMetadata(
                PodSandboxMetadata.newBuilder().setNamespace(namespace).setName(name).setUid(uid))
            .build();

    assertThat(changes(List.of(sandbox), List.of(RUNNING)))
        .isEqualTo(new Changes(List.of(), List.of()));
  }

  @Test
  void ofInstancesCreatedAtOneTimeTheLaterAttemptCounts() {
    Container first = RUNNING;
    Container second =
        Listed.running("c2", "s1", "app", 1).toBuilder().setCreatedAt(first.getCreatedAt()).build();

    assertThat(inventory.begin(List.of(SANDBOX), List.of(first, second)).containersToAsk())
        .containsExactly("c2");
    assertThat(inventory.begin(List.of(SANDBOX), List.of(second, first)).containersToAsk())
        .containsExactly("c2");
  }

  @Test
  void ofInstancesThatDifferInNothingTheFirstListedCounts() {
    Container twin = Listed.running("c2", "s1", "app", 0);

    assertThat(inventory.begin(List.of(SANDBOX), List.of(RUNNING, twin)).containersToAsk())
        .containsExactly("c1");
  }

  @Test
  void aStoppedSandboxIsNotAskedForItsAddresses() {
    PodSandbox stopped = Listed.sandbox("s1", "web", PodSandboxState.SANDBOX_NOTREADY, 1);

    assertThat(inventory.begin(List.of(stopped), List.of()).sandboxesToAsk()).isEmpty();
  }

  @Test
  void ofSandboxesCreatedAtOneTimeTheFirstListedCounts() {
    assertThat(
            inventory
                .begin(List.of(SANDBOX, Listed.sandbox("s2", "web")), List.of())
                .sandboxesToAsk())
        .containsExactly("s1");
  }

  @Test
  void anInstanceOfUnknownStateIsNotTakenForTheOneBefore() {
    poll(SANDBOX, RUNNING);
    Container unknown = Listed.container("c2", "s1", "app", ContainerState.CONTAINER_UNKNOWN, 1);

    assertThat(poll(SANDBOX, RUNNING, unknown).containers())
        .containsEntry("app", ContainerObservation.waiting("c2", 1, "ContainerStatusUnknown"));
  }

  @Test
  void aRunningContainerWithoutStartTimeStartedWhenItWasCreated() {
    Listing listing = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    Changes changes =
        inventory.finish(
            listing,
            List.of(),
            List.of(Listed.status(RUNNING).toBuilder().setStartedAt(0).build()));

    assertThat(changes.changed().getFirst().containers())
        .containsEntry(
            "app",
            ContainerObservation.running("c1", Instant.ofEpochSecond(10), 0)
                .with(ContainerDetails.NONE.loggingTo("/var/log/c1.log")));
  }

  @Test
  void anEndedContainerThatNeverStartedHasNoStartTime() {
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 0);
    Listing listing = inventory.begin(List.of(SANDBOX), List.of(ended));
    Changes changes =
        inventory.finish(
            listing, List.of(), List.of(Listed.status(ended).toBuilder().setStartedAt(0).build()));

    assertThat(changes.changed().getFirst().containers().get("app").startedAt()).isNull();
  }

  @Test
  void whatWasGoneIsAskedForAgainWhenItIsBack() {
    poll(SANDBOX, RUNNING);
    changes(List.of(), List.of());

    Listing back = inventory.begin(List.of(SANDBOX), List.of(RUNNING));
    assertThat(back.sandboxesToAsk()).containsExactly("s1");
    assertThat(back.containersToAsk()).containsExactly("c1");
  }

  @Test
  void aContainerWithoutLabelHasTheNameOfItsMetadata() {
    assertThat(poll(SANDBOX, RUNNING.toBuilder().clearLabels().build()).containers())
        .containsOnlyKeys("k8s_app");
  }

  @Test
  void aSandboxWithTheUidOfAnotherPodIsAnotherPod() {
    PodSandbox other =
        Listed.sandbox("s2", "web").toBuilder()
            .setMetadata(SANDBOX.getMetadata().toBuilder().setNamespace("tenant"))
            .build();
    Changes changes =
        changes(List.of(SANDBOX, other), List.of(RUNNING, Listed.running("c2", "s2", "app", 0)));

    assertThat(changes.changed())
        .extracting(pod -> pod.pod() + " " + pod.containers().get("app").id())
        .containsExactly("default/web c1", "tenant/web c2");
    assertThat(changes(List.of(SANDBOX), List.of(RUNNING)).gone())
        .containsExactly(new PodRef("tenant", "web", "web-uid"));
  }
}
