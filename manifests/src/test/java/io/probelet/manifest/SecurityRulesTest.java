package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import io.probelet.runtime.confine.Capability;
import io.probelet.runtime.confine.CapabilityChange;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.confine.Limits;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code run} holds processes to, or refuses; nothing of a security context goes unsaid. */
class SecurityRulesTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: test}
      spec:
        %s
        containers:
        - name: web
          command: [sleep, inf]
      """;

  @Test
  @DisplayName("everything a process can be held to is read, the container's word before the pod's")
  void full() {
    String ofPod =
        "securityContext: {runAsUser: 1, runAsGroup: 2, runAsNonRoot: false,"
            + " supplementalGroups: [3, 4], supplementalGroupsPolicy: Strict, fsGroup: 5}";
    String ofContainer =
        """
        securityContext:
          runAsUser: 1000
          runAsNonRoot: true
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: false
          privileged: false
          capabilities: {drop: [ALL, net_raw], add: [CAP_CHOWN]}
          seccompProfile: {type: Unconfined}
        resources:
          limits: {memory: 64Mi, cpu: 500m}
          requests: {memory: 32Mi, ephemeral-storage: 1Gi}
        """;
    Reading reading = Reading.of(POD.formatted(ofPod) + ofContainer.indent(4));
    assertThat(reading.complaints())
        .containsExactly(
            "securityContext.capabilities.add: have no effect for users other than root, as in"
                + " Kubernetes");
    assertThat(Objects.requireNonNull(reading.pods().getFirst().local()).containers())
        .singleElement()
        .satisfies(web ->
            assertThat(web.confinement())
                .isEqualTo(
                    new Confinement(
                        1000,
                        2,
                        true,
                        List.of(3, 4, 5),
                        true,
                        new CapabilityChange(
                            false,
                            Set.of(Capability.of("CHOWN").orElseThrow()),
                            true,
                            Set.of(Capability.of("NET_RAW").orElseThrow())),
                        new Limits(64L << 20, 500L))));
  }

  @Test
  @DisplayName("the pod's word holds for a container that says nothing, an init container as well")
  void podLevel() {
    Reading reading =
        Reading.of(
            POD.formatted(
                "securityContext: {runAsUser: 1000, runAsNonRoot: true}\n"
                    + "  initContainers: [{name: init, command: [ls]}]"));
    var pod = Objects.requireNonNull(reading.pod().local());
    assertThat(List.of(pod.initContainers().getFirst(), pod.containers().getFirst()))
        .allSatisfy(each -> {
          assertThat(each.confinement().user()).isEqualTo(1000);
          assertThat(each.confinement().nonRoot()).isTrue();
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "securityContext: {readOnlyRootFilesystem: true} | securityContext.readOnlyRootFilesystem:"
            + " Forbidden",
        "securityContext: {privileged: true} | securityContext.privileged: Forbidden",
        "securityContext: {seccompProfile: {type: Localhost, localhostProfile: x}} |"
            + " securityContext.seccompProfile: Forbidden",
        "securityContext: {appArmorProfile: {type: Localhost}} | securityContext.appArmorProfile:"
            + " Forbidden",
        "securityContext: {seccompProfile: {type: Lax}} | securityContext.seccompProfile.type:"
            + " Unsupported value",
        "securityContext: {seccompProfile: {}} | securityContext.seccompProfile.type: Unsupported",
        "securityContext: {seLinuxOptions: {level: s0}} | securityContext.seLinuxOptions: Forbidden",
        "securityContext: {windowsOptions: {}} | securityContext.windowsOptions: Forbidden",
        "securityContext: {runAsUser: -1} | securityContext.runAsUser: Invalid value",
        "securityContext: {runAsUser: 2147483648} | securityContext.runAsUser: Invalid value",
        "securityContext: {runAsUser: root} | securityContext.runAsUser: Invalid value",
        "securityContext: {runAsUser: 0, runAsNonRoot: true} | securityContext.runAsNonRoot:"
            + " Forbidden",
        "securityContext: {capabilities: {drop: [FLY]}} | securityContext.capabilities.drop[0]:"
            + " Invalid value",
        "resources: {limits: {nvidia.com/gpu: 1}} | resources.limits[nvidia.com/gpu]: Forbidden",
        "resources: {limits: {ephemeral-storage: 1Gi}} | resources.limits[ephemeral-storage]:"
            + " Forbidden",
        "resources: {limits: {memory: much}} | resources.limits.memory: Invalid value",
        "resources: {limits: {memory: -1}} | resources.limits.memory: Invalid value",
        "resources: {limits: {memory: 1e999999999}} | resources.limits.memory: Invalid value",
        "resources: {limits: {memory: 99999999999E}} | resources.limits.memory: Invalid value",
        "resources: {limits: {cpu: [1]}} | resources.limits.cpu: Invalid value",
      })
  void refused(String lines, String complaint) {
    Reading reading = Reading.ofContainer(lines);
    assertThat(reading.complaints()).singleElement().asString().startsWith(complaint);
    assertThat(reading.pods()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hostUsers: false | spec.hostUsers: Forbidden",
        "resources: {limits: {memory: 1Gi}} | spec.resources.limits: Forbidden",
        "securityContext: {sysctls: [{name: kernel.x, value: '1'}]} | spec.securityContext.sysctls:"
            + " Forbidden",
        "securityContext: {seccompProfile: {type: Localhost}} | spec.securityContext.seccompProfile:"
            + " Forbidden",
        "securityContext: {fsGroup: -1} | spec.securityContext.fsGroup: Invalid value",
        "securityContext: {supplementalGroups: [x]} |"
            + " spec.securityContext.supplementalGroups[0]: Invalid value",
        "securityContext: {supplementalGroupsPolicy: Some} |"
            + " spec.securityContext.supplementalGroupsPolicy: Unsupported value",
      })
  void refusedForThePod(String lines, String complaint) {
    Reading reading = Reading.of(POD.formatted(lines));
    assertThat(reading.complaints()).singleElement().asString().startsWith(complaint);
    assertThat(reading.pods()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "securityContext: {seccompProfile: {type: RuntimeDefault}} |"
            + " securityContext.seccompProfile: has no effect",
        "securityContext: {appArmorProfile: {type: RuntimeDefault}} |"
            + " securityContext.appArmorProfile: has no effect",
        "securityContext: {procMount: Default} | securityContext.procMount: has no effect",
        "securityContext: {runAsRoot: false} | securityContext.runAsRoot: unknown field",
      })
  void warned(String lines, String complaint) {
    Reading reading = Reading.ofContainer(lines);
    assertThat(reading.complaints()).singleElement().asString().startsWith(complaint);
    assertThat(reading.pods()).hasSize(1);
  }

  @Test
  @DisplayName("a class of sandboxes is a cluster's business, but not passed over")
  void runtimeClass() {
    assertThat(Reading.of(POD.formatted("runtimeClassName: gvisor")).complaints())
        .containsExactly(
            "spec.runtimeClassName: has no effect: the containers run as local processes"
                + " without a sandbox");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PROBES_ONLY", "IN_CLUSTER"})
  @DisplayName("who only probes leaves the security context to whoever runs the pod")
  void others(Mode mode) {
    Reading reading =
        Reading.of(
            Reading.pod("securityContext: {privileged: true, readOnlyRootFilesystem: true}"), mode);
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.pods()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "memory, '0', ",
    "memory, 128, 128",
    "memory, '1.5Ki', 1536",
    "memory, 1e3, 1000",
    "memory, 0.1, 1",
    "memory, 1M, 1000000",
    "memory, 8Ei, "
  })
  @DisplayName("amounts in all of Kubernetes' ways")
  void amounts(String name, String amount, Long expected) {
    Reading reading = Reading.ofContainer("resources: {limits: {%s: %s}}".formatted(name, amount));
    Long read =
        reading.pods().isEmpty()
            ? null
            : Objects.requireNonNull(reading.pods().getFirst().local())
                .containers()
                .getFirst()
                .confinement()
                .limits()
                .memoryBytes();
    assertThat(read).isEqualTo(expected);
  }
}
