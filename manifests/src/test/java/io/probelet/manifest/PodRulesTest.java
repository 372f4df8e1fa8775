package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.process.LocalContainer;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import io.probelet.runtime.process.LocalPod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods are read with Kubernetes' rules for what matters here, and its names for the rest. */
class PodRulesTest {

  private static final String FULL =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: shop
        namespace: prod
        labels: {app: shop}
      spec:
        restartPolicy: OnFailure
        terminationGracePeriodSeconds: 5
        hostNetwork: true
        tolerations: []
        volumes: [{name: v, hostPath: {path: /v}}]
        readinessGates: [{conditionType: example.com/ready}]
        initContainers:
        - name: migrate
          command: [sh, -c, "true"]
        - name: proxy
          restartPolicy: Always
          command: [proxy]
          readinessProbe: {tcpSocket: {port: 15001}}
        containers:
        - name: web
          image: nginx
          imagePullPolicy: Always
          command: [nginx]
          args: [-g, "daemon off; $(COLOR)"]
          workingDir: data
          env:
          - {name: COLOR, value: red}
          - {name: EMPTY}
          - {name: COLOR, value: blue}
          ports:
          - {name: http, containerPort: 8080, hostPort: 8080, protocol: TCP}
          - {containerPort: 8081}
          restartPolicy: Never
          restartPolicyRules:
          - {action: Restart, exitCodes: {operator: In, values: [42, 43]}}
          - {action: Restart, exitCodes: {operator: NotIn, values: [0]}}
          resources: {requests: {cpu: 1}}
          volumeMounts: [{name: v, mountPath: /v}]
          lifecycle: {preStop: {sleep: {seconds: 1}}}
          securityContext: {runAsUser: 0}
          livenessProbe: {httpGet: {port: http}}
      status: {phase: Running}
      """;

  @Test
  void aWholePodForProcesses() {
    LocalPod pod = Objects.requireNonNull(Reading.of(FULL).pod().local());
    assertThat(pod.ref()).hasToString("prod/shop");
    assertThat(pod.restartPolicy()).isEqualTo(RestartPolicy.ON_FAILURE);
    assertThat(pod.terminationGracePeriod()).isEqualTo(Duration.ofSeconds(5));
    assertThat(pod.initContainers())
        .extracting(container -> container.name() + " " + container.spec().sidecar())
        .containsExactly("migrate false", "proxy true");
    LocalContainer web = pod.containers().getFirst();
    assertThat(web.command()).containsExactly("nginx");
    assertThat(web.args()).containsExactly("-g", "daemon off; $(COLOR)");
    assertThat(web.workingDir()).isEqualTo(Path.of("/manifests/data"));
    assertThat(web.env())
        .containsExactly(
            new EnvVar("COLOR", "red"), new EnvVar("EMPTY", ""), new EnvVar("COLOR", "blue"));
  }

  @Test
  void aWholePodForTheEngine() {
    PodSource source = Reading.of(FULL).pod();
    assertThat(source.at()).hasToString("4:9");
    assertThat(source.probeCount()).isEqualTo(2);
    assertThat(source.probed().containers())
        .extracting(container -> container.name() + " " + container.role())
        .as("init containers first")
        .containsExactly("migrate INIT", "proxy SIDECAR", "web REGULAR");
    ContainerSpec migrate = source.probed().containers().getFirst();
    assertThat(migrate.probes()).isEmpty();
    assertThat(migrate.restartsAfter(0, RestartPolicy.ALWAYS)).as("D-5").isFalse();
    assertThat(migrate.restartsAfter(1, RestartPolicy.ALWAYS)).as("D-5").isTrue();
    assertThat(migrate.restartsAfter(1, RestartPolicy.NEVER)).as("D-5").isFalse();
    ContainerSpec web = source.probed().containers().getLast();
    assertThat(web.ports()).containsOnlyKeys("http").containsValue(8080);
    assertThat(web.env()).containsEntry("COLOR", "blue").containsEntry("EMPTY", "");
    assertThat(web.restartPolicy()).isEqualTo(RestartPolicy.NEVER);
    assertThat(web.restartsAfter(43, RestartPolicy.ALWAYS)).isTrue();
    assertThat(web.restartsAfter(0, RestartPolicy.ALWAYS)).isFalse();
  }

  @Test
  void whatIsLeftOutHasTheApiServersDefaults() {
    PodSource source = Reading.ofContainer("").pod();
    assertThat(source.ref().namespace()).isEqualTo("default");
    assertThat(source.probed().restartPolicy()).isEqualTo(RestartPolicy.ALWAYS);
    assertThat(source.probed().terminationGracePeriod()).isEqualTo(Duration.ofSeconds(30));
    assertThat(source.probed().containers().getFirst().restartPolicy()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name: web, command: []|command: Required value: images are not run here; specify the"
            + " program to start",
        "name: web, args: [x]|command: Required value: images are not run here; specify the"
            + " program to start",
        "name: Web, command: [x]|name: Invalid value: \"Web\": must be a lowercase RFC 1123 label:"
            + " a-z, 0-9 and '-', beginning and ending with a letter or digit",
        "command: [x]|name: Required value: the container's name",
        "name: 5, command: [x]|name: Invalid value: 5: must be a string; put it in quotes",
        "name: web, command: [x], env: [{value: x}]|env[0].name: Required value: the variable's"
            + " name",
        "name: web, command: [x], env: [{name: \"a=b\"}]|env[0].name: Invalid value: \"a=b\": must"
            + " consist of printable ASCII characters other than '='",
        "name: web, command: [x], env: [{name: A, value: yes}]|env[0].value: Invalid value: yes:"
            + " must be a string; put it in quotes",
        "name: web, command: [x], env: [{name: A, valueFrom: {fieldRef:"
            + " {}}}]|env[0].valueFrom: Forbidden: cannot be resolved without a cluster; set"
            + " value instead",
        "name: web, command: [x], env: [{name: A, value: b, valueFrom: {}}]|env[0].valueFrom:"
            + " Forbidden: may not be specified when `value` is not empty",
        "name: web, command: [x], envFrom: [{secretRef: {name: s}}]|envFrom: Forbidden: cannot"
            + " be read without a cluster; list the variables under env",
        "name: web, command: [x], ports: [{name: http}]|ports[0].containerPort: Required value:"
            + " must be between 1 and 65535, inclusive",
        "name: web, command: [x], ports: [{containerPort: 70000}]|ports[0].containerPort: Invalid"
            + " value: 70000: must be between 1 and 65535, inclusive",
        "name: web, command: [x], ports: [{containerPort: 1, name: a}, {containerPort: 2, name: a}]|"
            + "ports[1].name: Duplicate value: \"a\": another port of the container has this name",
        "name: web, command: [x], ports: [{containerPort: 1, protocol: tcp}]|ports[0].protocol:"
            + " Unsupported value: \"tcp\": supported values: \"SCTP\", \"TCP\", \"UDP\"",
        "name: web, command: [x], restartPolicy: Sometimes|restartPolicy: Unsupported value:"
            + " \"Sometimes\": supported values: \"Always\", \"OnFailure\", \"Never\"",
        "name: web, command: [x], restartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
            + " values: [1]}}]|restartPolicy: Required value: must be specified when"
            + " restartPolicyRules are used",
        "name: web, command: [x], restartPolicy: Never, restartPolicyRules: [{action: Stop,"
            + " exitCodes: {operator: In}}]|restartPolicyRules[0].action: Unsupported value:"
            + " \"Stop\": supported values: \"Restart\", \"RestartAllContainers\"",
        "name: web, command: [x], restartPolicy: Never, restartPolicyRules: [{action:"
            + " Restart}]|restartPolicyRules[0].exitCodes: Required value: must be specified",
        "name: web, command: [x], restartPolicy: Never, restartPolicyRules: [{action: Restart,"
            + " exitCodes: {operator: Is}}]|restartPolicyRules[0].exitCodes.operator: Unsupported"
            + " value: \"Is\": supported values: \"In\", \"NotIn\"",
      })
  void containersWithOneMistake(String fields, String complaint) {
    String start = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{";
    Reading reading = Reading.of(start + fields + "}]}");
    assertThat(reading.complaints()).containsExactly(complaint);
    assertThat(reading.pods()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "metadata: {}|metadata.name: Required value: the pod's name; generateName needs an API"
            + " server",
        "metadata: null|metadata.name: Required value: the pod's name; generateName needs an"
            + " API server",
        "metadata: [a]|metadata: Invalid value: […]: must be an object",
        "metadata: {name: a_b}|metadata.name: Invalid value: \"a_b\": must be a lowercase RFC 1123"
            + " subdomain: a-z, 0-9, '-' and '.', each part beginning and ending with a letter or"
            + " digit",
        "metadata: {name: a, namespace: a.b}|metadata.namespace: Invalid value: \"a.b\": must be a"
            + " lowercase RFC 1123 label: a-z, 0-9 and '-', beginning and ending with a letter or"
            + " digit",
        "metadata: {name: a, annotations: {probelet.io/probe:"
            + " x}}|metadata.annotations[probelet.io/probe]: unknown annotation; did you mean"
            + " \"probelet.io/probes\"? known annotations: probelet.io/probes, probelet.io/probe-sources,"
            + " probelet.io/enforcement",
        "spec: {}|spec.containers: Required value: a pod needs at least one container",
        "spec: null|spec.containers: Required value: a pod needs at least one container",
        "spec: {containers: []}|spec.containers: Required value: a pod needs at least one container",
        "spec: {containers: [{name: a, command: [a]}], restartPolicy: always}|spec.restartPolicy:"
            + " Unsupported value: \"always\": supported values: \"Always\", \"OnFailure\","
            + " \"Never\"",
        "spec: {containers: [{name: a, command: [a]}, {name: a, command: [a]}]}|"
            + "spec.containers[1].name: Duplicate value: \"a\": spec.containers[0] has this name",
        "spec: {initContainers: [{name: a, command: [a]}], containers: [{name: a, command: [a]}]}|"
            + "spec.containers[0].name: Duplicate value: \"a\": spec.initContainers[0] has this"
            + " name",
        "spec: {containers: [{name: a, command: [a]}], readinessGates: [{conditionType: a/b/c}]}|"
            + "spec.readinessGates[0].conditionType: Invalid value: \"a/b/c\": must be a qualified"
            + " name such as example.com/condition",
        "spec: {containers: [{name: a, command: [a]}], ephemeralContainers: [{name:"
            + " d}]}|spec.ephemeralContainers: ephemeral containers are neither started nor probed",
        "spec: {containers: [{name: a, command: [a]}], container: []}|spec.container: unknown"
            + " field; did you mean \"containers\"?",
      })
  void podsWithOneMistake(String line, String complaint) {
    String pod = "apiVersion: v1\nkind: Pod\n";
    if (!line.startsWith("metadata")) {
      pod += "metadata: {name: a}\n";
    }
    if (!line.startsWith("spec")) {
      pod += "spec: {containers: [{name: a, command: [a]}]}\n";
    }
    assertThat(Reading.of(pod + line).problems())
        .extracting(problem -> problem.field() + ": " + problem.message())
        .containsExactly(complaint);
  }

  @Test
  void probesOnEphemeralContainersAreForbidden() {
    assertThat(
            Reading.of(
                    Reading.pod("")
                        + "  ephemeralContainers: [{name: d, livenessProbe: {}, startupProbe: {}}]")
                .complaints())
        .containsExactlyInAnyOrder(
            "spec.ephemeralContainers: ephemeral containers are neither started nor probed",
            "spec.ephemeralContainers[0].livenessProbe: Forbidden: cannot be set for an Ephemeral"
                + " Container",
            "spec.ephemeralContainers[0].startupProbe: Forbidden: cannot be set for an Ephemeral"
                + " Container");
  }

  @Test
  @DisplayName("D-23 the first matching rule decides whether the whole pod restarts")
  void restartAllContainers() {
    String rules =
        "restartPolicy: Never\nrestartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
            + " values: [8]}}, {action: RestartAllContainers, exitCodes: {operator: In, values: [7,"
            + " 8]}}]";
    Reading local = Reading.ofContainer(rules);
    assertThat(local.problems()).isEmpty();
    ContainerSpec web = local.pod().probed().containers().getFirst();
    assertThat(web.restartsPodAfter(7)).isTrue();
    assertThat(web.restartsAfter(7, RestartPolicy.NEVER)).isTrue();
    assertThat(web.restartsPodAfter(8)).as("the first rule wins").isFalse();
    assertThat(web.restartsAfter(8, RestartPolicy.NEVER)).isTrue();
    assertThat(web.restartsPodAfter(9)).isFalse();
    assertThat(Reading.of(Reading.pod(rules), Mode.PROBES_ONLY).problems()).isEmpty();
  }

  @Test
  void forProbingOnlyNeitherCommandNorValuesAreNeeded() {
    Reading reading =
        Reading.of(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: a, uid: 1234-5678}
            spec:
              containers:
              - name: a
                image: nginx
                env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]
                envFrom: [{configMapRef: {name: c}}]
                livenessProbe: {exec: {command: [test, $(A)]}}
            """,
            Mode.PROBES_ONLY);
    assertThat(reading.pod().local()).isNull();
    assertThat(reading.pod().ref().uid()).isEqualTo("1234-5678");
    assertThat(reading.container().env()).containsEntry("A", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "apiVersion: v1|kind: Required value: must name the kind, such as Pod",
        "kind: Pod|apiVersion: Required value: must be v1",
        "{kind: Pod, apiVersion: v2}|apiVersion: Unsupported value: \"v2\": supported values: \"v1\"",
        "{kind: pod, apiVersion: v1}|kind: Unsupported value: \"pod\": supported values: \"Pod\","
            + " \"PodList\", \"List\", \"Deployment\", \"StatefulSet\", \"DaemonSet\", \"ReplicaSet\","
            + " \"Job\", \"CronJob\"",
        "{kind: Ingress, apiVersion: networking.k8s.io/v1}|kind: ignored: \"Ingress\" of"
            + " networking.k8s.io is not supported; supported are Pods, workloads with a Pod"
            + " template, NodeHealthChecks, RemediationPolicies, Maintenances, remediations of probelet.io and"
            + " their templates, NodeReadinessRules, ClusterHealths, webhook configurations and lists of"
            + " them",
        "{kind: 5}|kind: Invalid value: 5: must be a string; put it in quotes",
        "[a]|: Invalid value: […]: must be an object",
        "just text|: must be an object",
      })
  void documentsThatAreNoPod(String document, String complaint) {
    Reading reading = Reading.of(document);
    assertThat(reading.complaints()).contains(complaint);
    assertThat(reading.pods()).isEmpty();
  }

  @Test
  void listsArePodsOneByOne() {
    Reading reading =
        Reading.of(
            """
            apiVersion: v1
            kind: List
            metadata: {}
            items:
            - {apiVersion: v1, kind: Service}
            - apiVersion: v1
              kind: PodList
              items:
              - metadata: {name: a}
                spec: {containers: [{name: x, command: [a]}]}
            - apiVersion: v1
              kind: Pod
              metadata: {name: b}
              spec: {containers: [{name: x, command: a}]}
            """);
    assertThat(reading.pods()).extracting(pod -> pod.ref().name()).containsExactly("a");
    assertThat(reading.lines())
        .containsExactly(
            "5:26: warning: document 1: items[0].kind: ignored: \"Service\" is not supported;"
                + " supported are Pods, workloads with a Pod template, NodeHealthChecks,"
                + " RemediationPolicies, Maintenances, remediations of probelet.io and their templates,"
                + " NodeReadinessRules, ClusterHealths, webhook configurations and lists of them",
            "14:42: error: document 1: items[2].spec.containers[0].command: Invalid value: \"a\":"
                + " must be a list");
  }

  @Test
  void ofCountlessProblemsSomeAreShownAndTheFileIsNotUsed() {
    String unknown =
        IntStream.range(0, 1_000).mapToObj("x%d: 1\n"::formatted).collect(Collectors.joining());
    Reading many = Reading.of(Reading.pod("") + unknown);
    assertThat(many.problems()).hasSize(201);
    assertThat(many.problems().getLast().message())
        .isEqualTo("has more problems than the 200 shown");
    Reading manyDocuments = Reading.of("--- x\n".repeat(100_000) + Reading.pod(""));
    assertThat(manyDocuments.problems()).hasSize(201);
    assertThat(manyDocuments.pods()).isEmpty();
    assertThat(manyDocuments.lines())
        .contains(" error: has too many problems; document 201 and later ones were not read");
  }

  @Test
  void aNameUsedTwiceIsAnErrorThatNamesBothPlaces() {
    Reading reading = Reading.of(Reading.pod("") + "---\n" + Reading.pod("args: [x]"));
    assertThat(reading.pods()).extracting(PodSource::document).containsExactly(1);
    assertThat(reading.lines())
        .containsExactly(
            "13:18: error: document 2: metadata.name: Duplicate value: \"default/test\": the pod is"
                + " defined in /manifests/pod.yaml:3:18 (document 1) already");
  }

  @Test
  void aDocumentWithANameTwiceIsNotUsed() {
    Reading reading = Reading.of(Reading.pod("") + "metadata: {name: other}\n");
    assertThat(reading.pods()).isEmpty();
    assertThat(reading.complaints()).containsExactly(": \"metadata\" is given twice, first at 3:1");
  }

  @DisplayName("the uid stays while only the looks change")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: x, command: [y]}]}",
        "# comment\nkind: Pod\napiVersion: v1\n\nspec:\n  containers:\n  - command:\n    - 'y'\n"
            + "    name: \"x\"\nmetadata:\n  name: a",
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},"
            + "\"spec\":{\"containers\":[{\"name\":\"x\",\"command\":[\"y\"]}]}}",
      })
  void sameUid(String manifest) {
    assertThat(Reading.of(manifest).pod().ref().uid())
        .isEqualTo("b323371f-5a0f-853a-8e09-8de7ecb56882");
  }

  @DisplayName("the uid changes with any value")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: x, command: [z]}]}",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {containers: [{name: x, command: [y]}]}",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: x, command: [y,"
            + " \"\"]}]}",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\nspec: {containers: [{name: x,"
            + " command: [y]}]}",
      })
  void otherUid(String manifest) {
    assertThat(Reading.of(manifest).pod().ref().uid())
        .isNotEqualTo("b323371f-5a0f-853a-8e09-8de7ecb56882");
  }
}
