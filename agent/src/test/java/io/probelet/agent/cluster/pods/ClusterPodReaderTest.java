package io.probelet.agent.cluster.pods;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Source;
import io.probelet.kube.workload.Workload;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.manifest.policy.PolicySettings;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of a pod that the API server sends. */
class ClusterPodReaderTest {
  private static final String OUR_STARTUP =
      "\"probelet.io/probes\": \"web: {startup: {tcpSocket: {port: 80}}}\"";

  private static final String TCP = "\"livenessProbe\": {\"tcpSocket\": {\"port\": 80}}";
  private static final String PORT = "{\"name\": \"p%d\", \"containerPort\": 80}";
  private static final String VARIABLE = "{\"name\": \"V%d\", \"value\": \"0123456789\"}";
  private static final String FASTER =
      "\"probelet.io/probes\": \"web: {liveness: {period: 1s},"
          + " readiness: {tcpSocket: {port: http}}}\"";

  private static ClusterPod read(String json) {
    return read(json, AgentConfiguration.DEFAULT.podRules());
  }

  private static ClusterPod read(String json, PodRules rules) {
    Mapping root = (Mapping) Document.json(Source.of(json)).root();
    return new ClusterPodReader(rules).read(root).orElseThrow();
  }

  private static ContainerSpec web(ClusterPod pod) {
    return pod.probed().containers().getFirst();
  }

  @Test
  @DisplayName("spec and status are read; a field newer than this program is no problem")
  void read() {
    ClusterPod pod = read(ApiPods.running("a"));
    assertThat(pod.ref().toString()).isEqualTo("shop/a");
    assertThat(pod.problems()).isEmpty();
    assertThat(pod.probed().terminationGracePeriod()).isEqualTo(Duration.ofSeconds(7));
    assertThat(web(pod).probes().get(ProbeKind.LIVENESS).handler()).isInstanceOf(TcpSocket.class);
    assertThat(pod.reported().phase()).isEqualTo(Phase.RUNNING);
    assertThat(pod.reported().ready()).isTrue();
    assertThat(pod.reported().ips()).containsExactly("127.0.0.1", "::1");
    assertThat(pod.reported().containers().get("web"))
        .isEqualTo(
            new ContainerObservation(
                "id-a",
                ContainerObservation.State.RUNNING,
                Instant.parse("2026-11-21T10:00:00Z"),
                0,
                2,
                "",
                true,
                true));
  }

  @Test
  @DisplayName("the same object read twice is equal, so that an update restarts no worker")
  void equal() {
    String json =
        ApiPods.pod(
            "a",
            "\"probelet.io/probes\": \"web: {liveness: {httpGet: {port: 80},"
                + " expect: {body: {matches: 'a.*b'}}}}\"",
            "");
    assertThat(read(json).problems()).isEmpty();
    assertThat(read(json).probed()).isEqualTo(read(json).probed());
  }

  @Test
  @DisplayName("variables are kept only where a probe's command uses some (H-9)")
  void trimmed() {
    assertThat(web(read(ApiPods.running("a"))).env()).isEmpty();
    assertThat(
            web(read(
                    ApiPods.pod(
                        "a", "", "\"livenessProbe\": {\"exec\": {\"command\": [\"$(A)\"]}}")))
                .env())
        .containsEntry("A", "b");
  }

  @Test
  @DisplayName("a static pod is known by the uid its mirror names")
  void mirror() {
    ClusterPod pod = read(ApiPods.pod("a", "\"kubernetes.io/config.mirror\": \"hash\"", TCP));
    assertThat(pod.ref().uid()).isEqualTo("hash");
    assertThat(pod.uid()).isEqualTo("uid-a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a uid", "-", "\\u001b[2J", "u/v", "x{128}"})
  @DisplayName("an invalid uid makes no static pod and is reported")
  void noMirror(String text) {
    String uid = text.replace("x{128}", "x".repeat(129));
    ClusterPod pod =
        read(ApiPods.pod("a", "\"kubernetes.io/config.mirror\": \"%s\"".formatted(uid), TCP));
    assertThat(pod.ref().uid()).isEqualTo("uid-a");
    assertThat(pod.problems())
        .containsExactly(
            "metadata.annotations[kubernetes.io/config.mirror]:"
                + " must be a uid of at most 128 letters, digits, '-', '_' and '.'");
  }

  @ParameterizedTest(name = "{0} configured, annotation \"{1}\": {2}")
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      value = {
        "SPEC,ANNOTATION | - | liveness=1s readiness=10s | 0",
        "SPEC | - | liveness=10s | 0",
        "ANNOTATION | - | liveness=1s readiness=10s | 0",
        "SPEC,ANNOTATION | spec | liveness=10s | 0",
        "SPEC | spec, annotation | liveness=10s | 1",
        "SPEC,ANNOTATION | none | '' | 0",
        "SPEC | nonsense | liveness=10s | 1",
      })
  @DisplayName("probes come from the sources configured, unless the pod chooses fewer")
  void origins(String configured, String chosen, String expected, int problems) {
    Set<ProbeOrigin> origins = EnumSet.noneOf(ProbeOrigin.class);
    for (String origin : configured.split(",", -1)) {
      origins.add(ProbeOrigin.valueOf(origin));
    }
    String annotations =
        chosen == null ? FASTER : FASTER + ", \"probelet.io/probe-sources\": \"" + chosen + "\"";
    ClusterPod pod =
        read(
            ApiPods.pod("a", annotations, TCP),
            new PodRules(origins, Enforcement.ENFORCE, Map.of(), PolicySettings.DEFAULT));
    StringBuilder probes = new StringBuilder();
    for (ProbeKind kind : new ProbeKind[] {ProbeKind.LIVENESS, ProbeKind.READINESS}) {
      if (web(pod).probes().containsKey(kind)) {
        probes
            .append(probes.isEmpty() ? "" : " ")
            .append(kind.label().toLowerCase(Locale.ROOT))
            .append('=')
            .append(web(pod).probes().get(kind).period().toSeconds())
            .append('s');
      }
    }
    assertThat(probes.toString()).isEqualTo(expected);
    assertThat(pod.problems()).hasSize(problems);
  }

  @Test
  @DisplayName("errors in the annotation are ignored and reported, the rest is probed")
  void badAnnotation() {
    String bad =
        "\"probelet.io/probes\": \"web: {liveness: {period: soon},"
            + " readiness: {tcpSocket: {port: 81}}}\"";
    ClusterPod pod = read(ApiPods.pod("a", bad, TCP));
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS, ProbeKind.READINESS);
    assertThat(web(pod).probes().get(ProbeKind.LIVENESS).period())
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(pod.problems())
        .singleElement()
        .asString()
        .startsWith("metadata.annotations[probelet.io/probes].web.liveness.period: Invalid value");
  }

  @Test
  @DisplayName("an error of a header is reported without its possibly secret value")
  void secrets() {
    String bad =
        "\"probelet.io/probes\": \"web: {liveness: {httpGet: {port: 80, path: '/a?key=hush0',"
            + " httpHeaders: [{name: 'Authorization: Bearer hush1', value: x}, {name: A, value: 4711},"
            + " {name: B, value: [hush2]}, {name: '', value: hush3}]}, period: soon}}\"";
    ClusterPod pod = read(ApiPods.pod("a", bad, ""));
    assertThat(pod.problems()).hasSizeGreaterThanOrEqualTo(5);
    assertThat(pod.problems()).noneMatch(each -> each.contains("hush") || each.contains("4711"));
  }

  @Test
  @DisplayName("an annotation that is not even YAML leaves the pod's own probes")
  void brokenAnnotation() {
    ClusterPod pod = read(ApiPods.pod("a", "\"probelet.io/probes\": \"web: {\"", TCP));
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS);
    assertThat(pod.problems()).isNotEmpty();
  }

  @Test
  @DisplayName("the first ten problems are reported with 200 characters each, the rest is counted")
  void manyProblems() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      fields.append("f").append("x".repeat(400)).append(i).append(": 1, ");
    }
    String annotation = "\"probelet.io/probes\": \"web: {liveness: {%s}}\"".formatted(fields);
    ClusterPod pod = read(ApiPods.pod("a", annotation, TCP));
    assertThat(pod.problems()).hasSize(11).allMatch(each -> each.length() <= 200);
    assertThat(pod.problems().getLast()).isEqualTo("and 50 more");
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "host, 'its probes, ports, restart rules and the variables of its exec probes come to 500'",
    "ports, 'its probes, ports, restart rules and the variables of its exec probes come to'",
    "variables, 'its probes, ports, restart rules and the variables of its exec probes come to'",
    "containers, 'it has 257 containers, more than 256'",
  })
  @DisplayName("a spec that is too large is not probed and reported; its gate stays closed")
  void tooLarge(String what, String why) {
    String exec = "\"livenessProbe\": {\"exec\": {\"command\": [\"$(V1)\"]}}";
    String json =
        switch (what) {
          case "host" -> ApiPods.running("a").replace("\"port\": 80", host("x".repeat(500_000)));
          case "ports" ->
              ApiPods.running("a")
                  .replace("\"ports\": [", "\"ports\": [" + many(PORT, 2_000) + ", ");
          case "variables" ->
              ApiPods.pod("a", "", exec)
                  .replace("\"env\": [", "\"env\": [" + many(VARIABLE, 3_000) + ", ");
          default ->
              ApiPods.running("a")
                  .replace(
                      "\"containers\": [",
                      "\"containers\": [" + many("{\"name\": \"c%d\"}", 256) + ", ");
        };
    ClusterPod pod = read(json);
    assertThat(pod.probed().containers()).isEmpty();
    assertThat(pod.problems().getFirst())
        .startsWith("spec.containers: the pod is not probed: " + why)
        .hasSizeLessThanOrEqualTo(200);
  }

  @Test
  @DisplayName(
      "variables that no probe refers to are not kept, so they may be as large as they like")
  void largeVariables() {
    ClusterPod pod =
        read(
            ApiPods.running("a")
                .replace("\"env\": [", "\"env\": [" + many(VARIABLE, 3_000) + ", "));
    assertThat(pod.problems()).isEmpty();
    assertThat(web(pod).env()).isEmpty();
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS);
  }

  @Test
  @DisplayName("W-8 what the kubelet says of a start counts unless the startup probe is ours")
  void kubeletsWord() {
    String startup = "\"startupProbe\": {\"tcpSocket\": {\"port\": 80}}";
    assertThat(reported(read(ApiPods.pod("a", "", startup))).startedBefore()).isTrue();
    ClusterPod ours = read(ApiPods.pod("a", OUR_STARTUP, ""));
    assertThat(reported(ours).startedBefore()).isFalse();
    assertThat(reported(ours).readyBefore()).as("by a kubelet that knows no probe").isFalse();
    assertThat(reported(read(ApiPods.pod("a", OUR_STARTUP, startup))).startedBefore()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"True, true", "False, false"})
  @DisplayName("W-9 a startup probe of ours holds the gate, which says what was before")
  void startupGate(String condition, boolean readyBefore) {
    ClusterPod pod =
        read(
            ApiPods.pod("a", OUR_STARTUP, "")
                .replace(
                    "\"restartPolicy\"",
                    "\"readinessGates\": [{\"conditionType\": \"probelet.io/ready\"}],"
                        + " \"restartPolicy\"")
                .replace(
                    "{\"type\": \"Ready\"",
                    "{\"type\": \"probelet.io/ready\", \"status\": \"%s\"}, {\"type\": \"Ready\""
                        .formatted(condition)));
    assertThat(pod.gate().containers()).containsExactly("web");
    assertThat(reported(pod).readyBefore()).isEqualTo(readyBefore);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web: {readiness: {tcpSocket: {port: 80}}}|other|web",
        "web: {readiness: {tcpSocket: {port: 80}}}|probelet.io/ready|",
        "web: {startup: {tcpSocket: {port: 80}}}|other|",
        "web: {readiness: {prot: 80}}|other|"
      })
  @DisplayName("D-20 readiness by annotation without the gate has no effect, which is known")
  void missingGate(String probes, String gate, String container) {
    ClusterPod pod =
        read(
            ApiPods.pod("a", "\"probelet.io/probes\": \"" + probes + "\"", "")
                .replace(
                    "\"restartPolicy\"",
                    "\"readinessGates\": [{\"conditionType\": \"%s\"}], \"restartPolicy\""
                        .formatted(gate)));
    assertThat(pod.gate().missingFor())
        .isEqualTo(container == null ? List.of() : List.of(container));
    assertThat(pod.gate().warnings("other")).isEmpty();
    assertThat(pod.gate().warnings("web")).hasSize(container == null ? 0 : 1);
    assertThat(pod.warnings()).as("not a second time").isEmpty();
  }

  private static ContainerObservation reported(ClusterPod pod) {
    return pod.reported().containers().get("web");
  }

  @Test
  @DisplayName("another revision is what differs in more than its status")
  void revision() {
    String pod = ApiPods.running("a");
    int revision = read(pod).revision();
    assertThat(read(pod.replace("\"status\": \"True\"", "\"status\": \"False\"")).revision())
        .isEqualTo(revision);
    assertThat(read(pod.replace("\"manager\": \"kubelet\"", "\"manager\": \"k\"")).revision())
        .isEqualTo(revision);
    for (String change :
        List.of(
            pod.replace("\"annotations\"", "\"labels\": {\"a\": \"b\"}, \"annotations\""),
            pod.replace("\"annotations\": {", "\"annotations\": {\"a\": \"b\""),
            pod.replace("\"annotations\"", "\"deletionTimestamp\": \"x\", \"annotations\""),
            pod.replace("web:1", "web:2"))) {
      assertThat(read(change).revision()).isNotEqualTo(revision);
    }
  }

  private static String host(String host) {
    return "\"port\": 80, \"host\": \"" + host + "\"";
  }

  private static String many(String format, int number) {
    return IntStream.range(0, number).mapToObj(format::formatted).collect(joining(", "));
  }

  @Test
  @DisplayName("requests that the policy forbids are ignored and reported; the rest is probed")
  void policy() {
    String annotations =
        "\"probelet.io/enforcement\": \"enforce\", \"probelet.io/probes\": \"web: {readiness:"
            + " {exec: {command: [sh]}}, startup: {tcpSocket: {port: 80}}}\"";
    PodRules observe =
        new PodRules(
            EnumSet.allOf(ProbeOrigin.class),
            Enforcement.OBSERVE,
            Map.of(),
            PolicySettings.DEFAULT);
    ClusterPod pod = read(ApiPods.pod("a", annotations, TCP), observe);
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS, ProbeKind.STARTUP);
    assertThat(pod.problems())
        .containsExactly(
            "metadata.annotations[probelet.io/enforcement]: Forbidden: the policy for this namespace"
                + " allows no more than observe (enforcement)",
            "metadata.annotations[probelet.io/probes].web.readiness.exec: Forbidden: the policy for"
                + " this namespace allows no commands in annotations (exec)");
  }

  private static final String STARTS =
      "\"probelet.io/probes\": \"web: {startup: {tcpSocket: {port: 80}}}\"";

  private static String sidecar(String annotations, String spec) {
    return ApiPods.pod("a", annotations, spec)
        .replace(
            "\"containers\": [{",
            "\"containers\": [{\"name\": \"app\", \"image\": \"i\"}],"
                + " \"initContainers\": [{\"restartPolicy\": \"Always\", ");
  }

  @Test
  @DisplayName("D-5: a startup probe that only the annotation has on a sidecar holds nothing back")
  void startupOfSidecar() {
    ClusterPod pod = read(sidecar(STARTS, ""));
    assertThat(pod.problems()).isEmpty();
    assertThat(pod.warnings())
        .singleElement()
        .asString()
        .startsWith("web.startup does not delay later containers: the kubelet starts them at once");
    assertThat(pod.fieldPath("web")).isEqualTo("spec.initContainers{web}");
    assertThat(pod.fieldPath("app")).isEqualTo("spec.containers{app}");
    String probe = "\"startupProbe\": {\"tcpSocket\": {\"port\": 80}}";
    assertThat(read(sidecar(STARTS, probe)).warnings()).isEmpty();
    assertThat(read(ApiPods.pod("a", STARTS, "")).warnings()).isEmpty();
  }

  @ParameterizedTest(name = "pod {0}, container {1}, {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "OnFailure, -,         enforce, true",
        "OnFailure, -,         observe, false",
        "OnFailure, Always,    enforce, false",
        "Always,    OnFailure, enforce, true",
        "Always,    -,         enforce, false",
        "Never,     -,         enforce, false",
      })
  @DisplayName("D-2: a pod whose exit code 0 would count as success is reported in advance")
  void succeedsWithZero(String podPolicy, String own, String enforcement, boolean warned) {
    String annotations = FASTER + ", \"probelet.io/enforcement\": \"" + enforcement + "\"";
    String json =
        ApiPods.pod(
                "a",
                annotations,
                own == null ? TCP : TCP + ", \"restartPolicy\": \"%s\"".formatted(own))
            .replace(
                "\"nodeName\": \"here\", \"restartPolicy\": \"Always\"",
                "\"restartPolicy\": \"" + podPolicy + "\"");
    assertThat(read(json).warnings())
        .hasSize(warned ? 1 : 0)
        .allMatch(
            text -> text.startsWith("web is not stopped when a probe of this annotation fails"));
  }

  @Test
  @DisplayName("the controller of a pod is its owner, and no other; a uid that is none is left out")
  void owner() {
    assertThat(read(ApiPods.running("a")).owner()).isEqualTo(PodOwner.NONE);
    assertThat(read(owned("{\"uid\": \"other\"}, {\"uid\": \"rs\", \"controller\": true}")).owner())
        .isEqualTo(new PodOwner("rs", Optional.empty()));
    assertThat(
            read(owned("{\"uid\": \"%s\", \"controller\": true}".formatted("x".repeat(129))))
                .owner())
        .isEqualTo(PodOwner.NONE);
  }

  @Test
  @DisplayName("D-8 the workload of a pod is its controller, in the pod's own namespace")
  void workload() {
    String set =
        "{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'name': 'web-1', 'uid': '00000000-0000-4000-8000-000000000001', ";
    ClusterPod pod = read(owned((set + "'controller': true}").replace('\'', '"')));
    assertThat(pod.owner().workload())
        .isEqualTo(
            Workload.of(
                pod.ref().namespace(),
                "apps/v1",
                "ReplicaSet",
                "web-1",
                "00000000-0000-4000-8000-000000000001"))
        .isPresent();
  }

  private static String owned(String references) {
    return ApiPods.running("a")
        .replace("\"namespace\":", "\"ownerReferences\": [" + references + "], \"namespace\":");
  }

  private static String preStop(String command) {
    return ", \"lifecycle\": {\"preStop\": {\"exec\": {\"command\": [\"%s\"]}}}".formatted(command);
  }

  @Test
  @DisplayName("D-7 a hook is kept of a container that a probe may stop, and of no other")
  void hooks() {
    String readiness = "\"readinessProbe\": {\"tcpSocket\": {\"port\": 80}}";
    assertThat(web(read(ApiPods.pod("a", "", TCP + preStop("drain")))).preStop())
        .isEqualTo(new PreStopHook.Exec(List.of("drain")));
    assertThat(web(read(ApiPods.pod("a", "", readiness + preStop("drain")))).preStop()).isNull();
    PodRules annotationOnly =
        new PodRules(
            EnumSet.of(ProbeOrigin.ANNOTATION),
            Enforcement.ENFORCE,
            Map.of(),
            PolicySettings.DEFAULT);
    String annotation = "\"probelet.io/probes\": \"web: {liveness: {period: 1s}}\"";
    assertThat(
            web(read(ApiPods.pod("a", annotation, TCP + preStop("drain")), annotationOnly))
                .preStop())
        .as("hooks are the spec's, whatever the source of the probes")
        .isEqualTo(new PreStopHook.Exec(List.of("drain")));
  }

  @Test
  @DisplayName("D-7 hooks that are too long are not run and reported; the pod is probed")
  void longHooks() {
    ClusterPod fits = read(ApiPods.pod("a", "", TCP + preStop("x".repeat(32 * 1024 - 1))));
    assertThat(fits.problems()).isEmpty();
    assertThat(web(fits).preStop()).isInstanceOf(PreStopHook.Exec.class);
    ClusterPod pod = read(ApiPods.pod("a", "", TCP + preStop("x".repeat(32 * 1024))));
    assertThat(pod.problems())
        .containsExactly(
            "spec.containers: preStop hooks are not run when a probe has a container stopped: they"
                + " come to 32769 characters, more than 32768");
    assertThat(web(pod).preStop())
        .isEqualTo(new PreStopHook.Refused("the pod's hooks have more than 32768 characters"));
    assertThat(web(pod).probes()).containsOnlyKeys(ProbeKind.LIVENESS);
  }
}
