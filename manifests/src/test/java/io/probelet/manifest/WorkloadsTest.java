package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.manifest.pod.KindlessReader;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.ProbeKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads are read by their Pod template, as Pods are; lists and pipes by what is in them. */
class WorkloadsTest {
  private static final String TEMPLATE =
      """
      metadata: {labels: {app: web}}
      spec:
        containers:
        - name: web
          image: nginx
          command: [nginx]
          livenessProbe: {httpGet: {port: 80}, periodSeconds: PERIOD}
      """;

  private static String deployment(String period) {
    return serving("Deployment", period);
  }

  private static String serving(String kind, String period) {
    return """
    apiVersion: apps/v1
    kind: %s
    metadata: {name: web, namespace: shop}
    spec:
      selector: {matchLabels: {app: web}}
      template:
    """
            .formatted(kind)
        + TEMPLATE.replace("PERIOD", period).indent(4);
  }

  private static String ending(String kind, String period) {
    String template =
        TEMPLATE.replace("PERIOD", period).replace("spec:", "spec:\n  restartPolicy: Never");
    return kind.equals("Job")
        ? "apiVersion: batch/v1\nkind: Job\nmetadata: {name: web, namespace: shop}\nspec:\n  template:\n"
            + template.indent(4)
        : "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: web, namespace: shop}\nspec:\n"
            + "  schedule: '* * * * *'\n  jobTemplate:\n    spec:\n      template:\n"
            + template.indent(8);
  }

  private static String workload(String kind, String period) {
    return kind.endsWith("Job") ? ending(kind, period) : serving(kind, period);
  }

  private static Reading inCluster(String yaml) {
    return Reading.of(yaml, Mode.PROBES_ONLY);
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment, web",
    "StatefulSet, web-0",
    "DaemonSet, web",
    "ReplicaSet, web",
    "Job, web",
    "CronJob, web"
  })
  @DisplayName("each kind of workload gives one pod with the probes of its template")
  void onePod(String kind, String name) {
    PodSource pod = inCluster(workload(kind, "5")).pod();
    assertThat(pod.kind()).isEqualTo(kind);
    assertThat(pod.ref().toString()).isEqualTo("shop/" + name);
    assertThat(pod.probed().containers().getFirst().probes().get(ProbeKind.LIVENESS).period())
        .hasSeconds(5);
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment, 13:61, spec.template.spec",
    "StatefulSet, 13:61, spec.template.spec",
    "DaemonSet, 13:61, spec.template.spec",
    "ReplicaSet, 13:61, spec.template.spec",
    "Job, 13:61, spec.template.spec",
    "CronJob, 16:65, spec.jobTemplate.spec.template.spec"
  })
  @DisplayName("a mistake in the template has its line and its path in the workload")
  void mistake(String kind, String at, String path) {
    assertThat(inCluster(workload(kind, "10s")).lines())
        .containsExactly(
            at
                + ": error: document 1: "
                + path
                + ".containers[0].livenessProbe.periodSeconds: Invalid value: \"10s\": must be an"
                + " integer");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "apps/v1|extensions/v1beta1|apiVersion: Unsupported value: \"extensions/v1beta1\": supported values: \"apps/v1\"",
        "apps/v1|v1|apiVersion: Unsupported value: \"v1\": supported values: \"apps/v1\"",
        "name: web,|uid: a,|metadata.name: Required value: the name; generateName needs an API"
            + " server",
        "selector: {matchLabels: {app: web}}|replicas: 2|spec.selector: Required value: must"
            + " select the labels of the template",
        "selector: {matchLabels: {app: web}}|selector: {}|spec.selector: Invalid value: {}: must name at least one label",
        "matchLabels: {app: web}|matchLabels: {app: other}|spec.template.metadata.labels: Invalid value: {…}: the selector does not match the labels of the template",
        "matchLabels: {app: web}|matchLabels: {app: -}|spec.selector.matchLabels[app]: Invalid value: \"-\": must be a label's value",
        "selector:|replicas: -1\\n  selector:|spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        "selector:|replicas: many\\n  selector:|spec.replicas: Invalid value: \"many\": must be an integer",
        "    spec:|    spec:\\n      restartPolicy: Never|spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: \"Always\"",
        "name: web,|name: web, labels: {'a b': c},|metadata.labels[a b]: Invalid key",
        "name: web,|name: web, annotations: {'a b': c},|metadata.annotations[a b]: Invalid key",
        "name: web,|name: web, labels: 5,|metadata.labels: Invalid value: 5: must be an object",
        "selector:|minReadySeconds: -1\\n  selector:|spec.minReadySeconds: Invalid value: -1: must be greater",
        "      containers:|      activeDeadlineSeconds: 5\\n      containers:|spec.template.spec.activeDeadlineSeconds: Forbidden: must not be set for pods of a Deployment",
        "template:|templates:|spec.template: Required value: the template of its pods"
      })
  @DisplayName("what an API server refuses of a workload is refused")
  void refused(String found, String instead, String complaint) {
    String bad = deployment("5").replace(found, instead.replace("\\n", "\n"));
    assertThat(bad).isNotEqualTo(deployment("5"));
    assertThat(inCluster(bad).complaints())
        .anyMatch(line -> line.startsWith(complaint.replaceFirst("must be a label's value$", "")));
    assertThat(inCluster(bad).pods()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Deployment|  selector:|  strategy: {type: OnDelete}\\n  selector:|spec.strategy.type: Unsupported value: \"OnDelete\": supported values: \"RollingUpdate\", \"Recreate\"",
        "DaemonSet|  selector:|  updateStrategy: {type: OnDelete}\\n  selector:|",
        "StatefulSet|  selector:|  podManagementPolicy: Odd\\n  selector:|spec.podManagementPolicy: Unsupported value: \"Odd\"",
        "CronJob|schedule:|concurrencyPolicy: Odd\\n  schedule:|spec.concurrencyPolicy: Unsupported value: \"Odd\"",
        "Job|  template:|  completionMode: Odd\\n  template:|spec.completionMode: Unsupported value: \"Odd\"",
        "StatefulSet|name: web|name: a.b|metadata.name: Invalid value: \"a.b\": must be",
        "DaemonSet|name: web|name: a.b|",
        "Job|name: web|name: NAME64|metadata.name: Invalid value: \"NAME64\": must be no more than 63 characters",
        "CronJob|name: web|name: NAME53|metadata.name: Invalid value: \"NAME53\": must be no more than 52 characters",
        "CronJob|      template:|      selector: {}\\n     "
            + " template:|spec.jobTemplate.spec.selector: Forbidden: must not be set; the cluster"
            + " generates one for each Job",
        "Job|  template:|  selector: {matchLabels: {app: web}}\\n  template:|",
        "Job|  template:|  selector: {matchLabels: {app: b}}\\n  template:|spec.template.metadata.labels: Invalid value: {…}: the selector does not match",
        "Job|  template:|  backoffLimit: -1\\n  template:|spec.backoffLimit: Invalid value: -1: must be greater",
        "CronJob|      template:|      completions: -1\\n      template:|spec.jobTemplate.spec.completions: Invalid value: -1: must be greater",
        "CronJob|schedule:|failedJobsHistoryLimit: -1\\n  schedule:|spec.failedJobsHistoryLimit: Invalid value: -1: must be greater",
        "Job|batch/v1|apps/v1|apiVersion: Unsupported value: \"apps/v1\": supported values: \"batch/v1\""
      },
      ignoreLeadingAndTrailingWhitespace = false)
  @DisplayName("and what only some kinds are asked")
  void refusedOf(String kind, String found, String instead, String complaint) {
    String good = workload(kind, "5");
    String bad = good.replaceFirst(Pattern.quote(found), ofLength(instead).replace("\\n", "\n"));
    assertThat(bad).isNotEqualTo(good);
    if (complaint == null) {
      assertThat(inCluster(bad).problems()).isEmpty();
    } else {
      assertThat(inCluster(bad).complaints())
          .singleElement()
          .asString()
          .startsWith(ofLength(complaint));
    }
  }

  private static String ofLength(String text) {
    return text.replace("NAME64", "a".repeat(64)).replace("NAME53", "a".repeat(53));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Job", "CronJob"})
  @DisplayName("pods of a Job must be able to end")
  void jobsEnd(String kind) {
    String bad = workload(kind, "5").replaceAll(" +restartPolicy: Never\n", "");
    assertThat(inCluster(bad).complaints())
        .singleElement()
        .asString()
        .endsWith("spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
  }

  @Test
  @DisplayName("a template's annotation counts, one of the workload has no effect and says so")
  void annotations() {
    String annotated =
        deployment("5")
            .replace(
                "labels: {app: web}",
                "labels: {app: web}, annotations: {probelet.io/probes: 'web: {liveness: {period:"
                    + " 250ms}}'}");
    assertThat(inCluster(annotated).probe(ProbeKind.LIVENESS).period()).hasMillis(250);
    String misplaced =
        deployment("5")
            .replace("namespace: shop", "namespace: shop, annotations: {probelet.io/probes: ''}");
    assertThat(inCluster(misplaced).lines())
        .containsExactly(
            "3:74: warning: document 1: metadata.annotations[probelet.io/probes]: has no"
                + " effect here; put it into the metadata of the Pod template");
  }

  @Test
  @DisplayName("volumes of a StatefulSet's claims may be mounted")
  void claims() {
    String mounted =
        serving("StatefulSet", "5")
            .replace("command: [nginx]", "volumeMounts: [{name: data, mountPath: /data}]");
    assertThat(inCluster(mounted).complaints())
        .containsExactly(
            "spec.template.volumeMounts[0].name: Not found: \"data\": the pod has no such volume");
    String claimed =
        mounted.replace(
            "  template:",
            "  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]\n"
                + "  template:");
    assertThat(inCluster(claimed).problems()).isEmpty();
  }

  @Test
  @DisplayName("what kubectl get adds is no mistake")
  void ofACluster() {
    String got =
        deployment("5")
            .replace(
                "namespace: shop",
                "namespace: shop, uid: 2b1c, resourceVersion: '12', generation: 1, creationTimestamp:"
                    + " '2026-11-22T12:00:00Z', managedFields: [{manager: kubectl, operation: Update,"
                    + " apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {'f:metadata': {}}}]")
            .replace(
                "  template:",
                "  progressDeadlineSeconds: 600\n  strategy: {type: Recreate}\n  template:");
    assertThat(inCluster(got + "status: {replicas: 1, conditions: []}\n").problems()).isEmpty();
  }

  @Test
  @DisplayName("an unknown field of a workload is a warning with a guess")
  void unknownField() {
    assertThat(inCluster(deployment("5").replace("selector:", "replica: 2\n  selector:")).lines())
        .containsExactly(
            "5:3: warning: document 1: spec.replica: unknown field; did you mean \"replicas\"?");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Deployment|replicas: 3|1|spec.replicas: one pod runs here, not 3",
        "Deployment|replicas: 1|1|",
        "StatefulSet|replicas: 0|0|spec.replicas: no pod runs, because the number is 0",
        "Job|parallelism: 2|1|spec.parallelism: one pod runs here, not 2",
        "Job|suspend: true|0|spec.suspend: no pod runs while this is true",
        "CronJob|suspend: false|1|spec.schedule: has no effect: the pod runs once, immediately"
      })
  @DisplayName("one pod is run, and what else is asked for is named")
  void run(String kind, String line, int pods, String warning) {
    String yaml = workload(kind, "5").replaceFirst("\nspec:\n", "\nspec:\n  " + line + "\n");
    Reading run = Reading.of(yaml);
    assertThat(run.pods()).hasSize(pods);
    assertThat(run.complaints())
        .containsExactlyElementsOf(warning == null ? List.of() : List.of(warning));
    assertThat(inCluster(yaml).pod().kind())
        .as("elsewhere it is a pod like others")
        .isEqualTo(kind);
  }

  @Test
  @DisplayName("two workloads of one name are two pods in a cluster, and one too many here")
  void sameName() {
    String both = deployment("5") + "---\n" + ending("Job", "5");
    assertThat(inCluster(both).pods()).hasSize(2);
    assertThat(Reading.of(both).complaints())
        .containsExactly(
            "metadata.name: Duplicate value: \"shop/web\": the Deployment is defined in"
                + " /manifests/pod.yaml:3:18 (document 1) already");
    assertThat(inCluster(deployment("5") + "---\n" + deployment("6")).problems()).hasSize(1);
  }

  @Test
  @DisplayName("items of a list for one kind need not say what they are")
  void typedList() {
    String item = deployment("10s").replaceAll("(apiVersion|kind): .*\n", "");
    String list =
        "apiVersion: apps/v1\nkind: DeploymentList\nmetadata: {}\nitems:\n-"
            + item.indent(2).substring(1);
    assertThat(inCluster(list).lines())
        .containsExactly(
            "15:63: error: document 1: items[0].spec.template.spec.containers[0].livenessProbe"
                + ".periodSeconds: Invalid value: \"10s\": must be an integer");
  }

  @Test
  @DisplayName("lists in lists are read to a depth that no tool reaches")
  void lists() {
    assertThat(inCluster(nested(8)).pod().kind()).isEqualTo("Pod");
    assertThat(inCluster(nested(9)).complaints())
        .singleElement()
        .asString()
        .contains("must not be in more than 8 lists");
  }

  private static String nested(int depth) {
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: i}]}}";
    return "{apiVersion: v1, kind: List, items: [".repeat(depth) + pod + "]}".repeat(depth);
  }

  @Test
  @DisplayName("another group's kind of the same name is none of ours")
  void foreignGroup() {
    assertThat(
            inCluster("{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: a}}")
                .lines())
        .singleElement()
        .asString()
        .contains(
            "warning", "ignored: \"Job\" of batch.volcano.sh is not supported; supported are ");
  }

  @Test
  @DisplayName("what is piped in is read as a cluster's; kinds that nobody here reads are counted")
  void pipe() {
    Manifests read =
        piped(
            deployment("5").replace("command: [nginx]", "args: [a]")
                + "---\n{apiVersion: v1, kind: Service}\n---\n{apiVersion: v1, kind: ConfigMap}\n---\n"
                + "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Service}]}\n");
    assertThat(read.problems()).isEmpty();
    assertThat(read.pods()).hasSize(1);
    assertThat(read.others().byKind()).isEqualTo(Map.of("ConfigMap", 1, "Service", 2));
    assertThat(piped("kind: Pod").problems())
        .extracting(Problem::toString)
        .allMatch(line -> line.startsWith("<stdin>:1:1: error: document 1: "));
  }

  @Test
  @DisplayName("a pipe may have JSON, and is read to a size and a number of values")
  void bounds() {
    assertThat(piped(nested(1).replaceAll("([A-Za-z0-9]+)", "\"$1\"")).pods()).hasSize(1);
    String values = "apiVersion: v1\nkind: List\nitems: [" + "a,".repeat(1_000_001) + "]";
    assertThat(piped(values).problems())
        .singleElement()
        .asString()
        .contains("holds more than 1000000 values");
    assertThat(
            ManifestReader.read(List.of(ManifestReader.PIPE), cluster(), new Endless()).problems())
        .extracting(Problem::toString)
        .containsExactly("<stdin>: error: is larger than 16 MiB; split it");
  }

  @Test
  @DisplayName("strangers' kinds are counted by name up to a number")
  void manyKinds() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      yaml.append("---\n{apiVersion: x/v1, kind: K").append(i).append("}\n");
    }
    yaml.append("---\n{apiVersion: x/v1, kind: ").append("k".repeat(100)).append("}\n");
    Map<String, Integer> counts = piped(yaml.toString()).others().byKind();
    assertThat(counts).hasSize(51).containsEntry("others", 10).containsEntry("K49", 1);
    assertThat(piped(yaml.toString()).problems())
        .singleElement()
        .asString()
        .contains("must be a kind: at most 63 letters");
  }

  @Test
  @DisplayName("of a directory nobody has chosen the kinds; of a named file somebody has")
  void directory(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "{apiVersion: v1, kind: Service}");
    assertThat(inFiles(directory).problems()).isEmpty();
    assertThat(inFiles(directory).others().byKind()).isEqualTo(Map.of("Service", 1));
    assertThat(inFiles(directory, file).problems())
        .singleElement()
        .asString()
        .contains("ignored: \"Service\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "probelet.io/v1alpha1|Maintenence|error|\"Maintenence\" is not a kind of probelet.io; did you mean \"Maintenance\"?",
        "probelet.io/v1alpha1|MaintenenceList|error|\"Maintenence\" is not a kind of probelet.io; did you mean",
        "probelet.io/v1alpha1|Widget|error|its kinds are ClusterHealth, DrainRemediation, DrainRemediationTemplate",
        "probelet.io/v1alpha1|NodeHealthCheck|error|\"NodeHealthCheck\" is a kind of remediation.medik8s.io, not of probelet.io",
        "example.org/v1|Maintenence|warning|ignored: \"Maintenence\" of example.org is not supported; did you mean \"Maintenance\" of probelet.io?",
        "remediation.medik8s.io/v1alpha1|NodeHealthChek|warning|did you mean \"NodeHealthCheck\" of remediation.medik8s.io?",
        "probelt.io/v1alpha1|Maintenance|warning|did you mean \"Maintenance\" of probelet.io?",
        "''|RebootRemediaton|warning|did you mean \"RebootRemediation\" of probelet.io?",
        "v1alpha1|RebootRemediation|warning|did you mean \"RebootRemediation\" of probelet.io?",
        "probelet.io|RebootRemediation|error|apiVersion: Invalid value: \"probelet.io\": must be a version or group/version",
        "v1/v2/v3|Shop|error|apiVersion: Invalid value: \"v1/v2/v3\": must be a version or group/version",
        "shop.example.org/v1|A Shop|error|kind: Invalid value: \"A Shop\": must be a kind",
      })
  @DisplayName("a folder reports objects that are probably meant for Probelet")
  void misspelled(
      String version, String kind, String severity, String problem, @TempDir Path directory)
      throws IOException {
    Files.writeString(
        directory.resolve("a.yaml"),
        "{%skind: %s, metadata: {name: a}}"
            .formatted(version.isEmpty() ? "" : "apiVersion: " + version + ", ", kind));
    assertThat(inFiles(directory).problems())
        .singleElement()
        .asString()
        .contains(": " + severity + ": ", problem);
  }

  @ParameterizedTest
  @CsvSource({
    "probelet.io/v1alpha1, NodeOrder",
    "shop.example.org/v1, Maintenance",
    "nodemaintenance.medik8s.io/v1beta1, NodeMaintenance",
    "shop.example.org/v1, MaintenanceWindow",
  })
  @DisplayName("a folder counts objects of others without a warning")
  void others(String version, String kind, @TempDir Path directory) throws IOException {
    Files.writeString(
        directory.resolve("a.yaml"),
        "{apiVersion: %s, kind: %s, metadata: {name: a}}".formatted(version, kind));
    assertThat(inFiles(directory).problems()).isEmpty();
    assertThat(inFiles(directory).others().byKind()).isEqualTo(Map.of(kind, 1));
  }

  private static Manifests inFiles(Path... paths) {
    return ManifestReader.read(List.of(paths), cluster(), InputStream.nullInputStream());
  }

  private static Manifests piped(String text) {
    InputStream pipe = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return ManifestReader.read(List.of(Path.of("-")), cluster(), pipe);
  }

  private static Purpose cluster() {
    Purpose.Use cluster = new Purpose.Use(Mode.PROBES_ONLY, PodRules.LOCAL);
    Purpose.Use here = new Purpose.Use(Mode.STANDALONE_PROCESS, PodRules.LOCAL);
    return new Purpose(here, cluster, List.<KindlessReader>of(), false, false, Map.of());
  }

  /** A pipe whose other end never stops. */
  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return '#';
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      Arrays.fill(bytes, from, from + length, (byte) '#');
      return length;
    }
  }
}
