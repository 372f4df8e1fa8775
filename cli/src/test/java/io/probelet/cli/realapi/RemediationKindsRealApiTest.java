package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.remediator.resource.RemediationKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The definitions of our remediations, their templates and of orders to nodes hold their rules. */
@Tag("real-api")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemediationKindsRealApiTest {
  private static final String NAME = "probelet-definition-test";
  private static final Map<RemediationKind, String> LEAST =
      Map.of(
          RemediationKind.SERVICE_RESTART, "{units: [kubelet.service]}",
          RemediationKind.DRAIN, "{}",
          RemediationKind.REBOOT, "{drain: {}}",
          RemediationKind.OUT_OF_SERVICE, "{confirmation: {annotation: {}}}",
          RemediationKind.MACHINE, "{}",
          RemediationKind.HOOK, "{https: {url: 'https://bmc.example/off'}}");

  private RealApi api;
  private KubernetesClient client;

  @BeforeAll
  void open(@TempDir Path directory) throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.assumeSince(RealApi.RULES);
    for (RemediationKind kind : RemediationKind.values()) {
      define(kind.plural());
      define(kind.templatePlural());
    }
    define("nodeorders");
  }

  private void define(String plural) throws Exception {
    String name = plural + "." + RemediationKind.GROUP;
    api.define("deploy/crds/" + name + ".yaml", name);
  }

  @AfterAll
  void close() {
    if (api != null) {
      api.close();
    }
  }

  private static GenericKubernetesResource object(String kind, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: probelet.io/v1alpha1
        kind: %s
        metadata: {name: %s, namespace: default}
        spec: %s
        """
            .formatted(kind, NAME, spec),
        GenericKubernetesResource.class);
  }

  /** Without leaving anything behind. */
  private GenericKubernetesResource created(String kind, String spec) {
    GenericKubernetesResource made = client.resource(object(kind, spec)).create();
    client.resource(made).delete();
    return made;
  }

  @Test
  @DisplayName("the API server accepts examples/remediations")
  void examples() throws Exception {
    define("remediationpolicies");
    String checks = "nodehealthchecks.remediation.medik8s.io";
    api.define("deploy/crds/" + checks + ".yaml", checks);
    List<String> kinds = new ArrayList<>();
    try (var files = Files.list(Path.of("../examples/remediations"))) {
      for (Path file :
          files
              .filter(each -> each.toString().endsWith(".yaml"))
              .filter(each -> !each.endsWith("scenario.yaml"))
              .toList()) {
        for (HasMetadata object : client.load(Files.newInputStream(file)).items()) {
          if (object.getMetadata().getNamespace() != null) {
            object.getMetadata().setNamespace("default"); // theirs need not be there
          }
          kinds.add(client.resource(object).dryRun().create().getKind());
        }
      }
    }
    assertThat(kinds).contains("NodeHealthCheck", "RemediationPolicy", "RebootRemediationTemplate");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ACT-51 a minimal remediation is valid, and its spec is immutable")
  void immutable(RemediationKind kind) {
    GenericKubernetesResource remediation = object(kind.kind(), LEAST.get(kind));
    client.resource(remediation).create();
    try {
      assertThatThrownBy(() -> merge(remediation, "{\"spec\": " + other(kind) + "}"))
          .hasMessageContaining("spec cannot be changed");
      client
          .resource(remediation)
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"status\": {\"phase\": \"Evidence\", \"node\": \"n\"}}");
      assertThat(client.resource(remediation).get().<String>get("status", "phase"))
          .isEqualTo("Evidence");
    } finally {
      client.resource(remediation).delete();
    }
    created(kind.templateKind(), "{template: {spec: %s}}".formatted(LEAST.get(kind)));
  }

  private void merge(GenericKubernetesResource object, String patch) {
    client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private static String other(RemediationKind kind) {
    return switch (kind) {
      case SERVICE_RESTART -> "{\"units\": [\"crio.service\"]}";
      case DRAIN -> "{\"force\": true}";
      case REBOOT -> "{\"mode\": \"SysRq\"}";
      case OUT_OF_SERVICE -> "{\"confirmWithin\": \"1h\"}";
      case MACHINE, HOOK -> "{\"within\": \"1h\"}";
    };
  }

  @Test
  @DisplayName("ACT-51 missing fields get the reader's defaults")
  void defaults() {
    assertThat(created("DrainRemediation", "{}").<Object>get("spec"))
        .isEqualTo(
            Map.of(
                "timeout",
                "10m",
                "force",
                false,
                "evictUnmanagedPods",
                true,
                "deleteEmptyDirData",
                true));
    assertThat(created("ServiceRestartRemediation", "{units: [a.service]}").<Object>get("spec"))
        .isEqualTo(
            Map.of(
                "units",
                List.of("a.service"),
                "activeWithin",
                "1m",
                "healthyWithin",
                "5m",
                "conditions",
                List.of(Map.of("type", "Ready", "status", "True"))));
  }

  @Test
  @DisplayName("a Job's template keeps all its fields")
  void template() {
    assertThat(
            created(
                    "HookRemediation",
                    "{job: {template: {spec: {template: {spec: {containers: [{name: a}]}}}}}}")
                .<Object>get("spec", "job", "template", "spec", "template", "spec", "containers"))
        .isEqualTo(List.of(Map.of("name", "a")));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SERVICE_RESTART|{}|spec.units",
        "SERVICE_RESTART|{units: []}|spec.units",
        "SERVICE_RESTART|{units: [../a.service]}|spec.units[0]",
        "SERVICE_RESTART|{units: [a.service, a.service]}|Duplicate value",
        "SERVICE_RESTART|{units: [a.service], activeWithin: 16m}|must be from 1s to 15m",
        "SERVICE_RESTART|{units: [a.service], conditions: [{type: Ready, status: Yes}]}|status",
        "DRAIN|{timeout: 0s}|must be from 1s to 24h",
        "DRAIN|{timeout: soon}|spec.timeout",
        "DRAIN|{gracePeriod: 2h}|must be from 0s to 1h",
        "REBOOT|{mode: Now}|spec.mode",
        "REBOOT|{drain: {timeout: 25h}}|must be from 1s to 24h",
        "OUT_OF_SERVICE|{}|spec.confirmation",
        "OUT_OF_SERVICE|{confirmation: {}}|exactly one of annotation and hook must be set",
        "OUT_OF_SERVICE|{confirmation: {annotation: {}, hook: {url: 'https://a'}}}|exactly one of",
        "MACHINE|{within: 25h}|must be from 1s to 24h",
        "HOOK|{}|exactly one of https and job must be set",
        "HOOK|{https: {url: 'https://a'}, job: {template: {}}}|exactly one of https and job",
        "HOOK|{https: {url: 'http://a'}}|spec.https.url",
        "HOOK|{https: {url: 'https://user@a'}}|spec.https.url",
        "HOOK|{https: {url: 'https://a', secretRef: {name: a}}}|spec.https.secretRef.key",
        "HOOK|{https: {url: 'https://a', timeout: 2m}}|must be from 1s to 1m",
        "HOOK|{job: {}}|spec.job.template"
      })
  @DisplayName("ACT-51 the definition refuses what the reader refuses, also in templates")
  void refused(RemediationKind kind, String spec, String problem) {
    assertThatThrownBy(() -> created(kind.kind(), spec))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(problem);
    assertThatThrownBy(() -> created(kind.templateKind(), "{template: {spec: %s}}".formatted(spec)))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(problem.replace("spec.", "spec.template.spec."));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{action: Diagnose, bootID: b}|",
        "{action: RestartServices, bootID: b, units: [a.service]}|",
        "{action: Reboot, bootID: b, mode: Kexec, timeoutSeconds: 3600}|",
        "{action: Reboot}|spec.bootID",
        "{action: Delete, bootID: b}|spec.action",
        "{action: Reboot, bootID: b, units: [a.service]}|units are required for RestartServices",
        "{action: RestartServices, bootID: b}|units are required for RestartServices",
        "{action: Diagnose, bootID: b, mode: Kexec}|mode is only allowed for Reboot",
        "{action: Diagnose, bootID: b, timeoutSeconds: 3601}|spec.timeoutSeconds",
        "{action: Diagnose, bootID: 'b b'}|spec.bootID"
      })
  @DisplayName("orders to a node")
  void orders(String spec, String problem) {
    Throwable refusal = catchThrowable(() -> created("NodeOrder", spec));
    if (problem == null) {
      assertThat(refusal).isNull();
    } else {
      assertThat(refusal).hasMessageContaining(problem);
    }
  }

  @Test
  @DisplayName("ACT-52 only an order's grant can change, once; a finished order stays finished")
  void granted() {
    GenericKubernetesResource order = object("NodeOrder", "{action: Reboot, bootID: b}");
    client.resource(order).create();
    try {
      for (String change :
          List.of(
              "\"bootID\": \"c\"",
              "\"action\": \"Diagnose\"",
              "\"mode\": \"SysRq\"",
              "\"timeoutSeconds\": 61",
              "\"reason\": \"another\"",
              "\"remediation\": {\"uid\": \"u\"}")) {
        assertThatThrownBy(() -> merge(order, "{\"spec\": {" + change + "}}"))
            .as(change)
            .hasMessageContaining("only granted may change");
      }
      merge(order, "{\"spec\": {\"granted\": true}}");
      assertThatThrownBy(() -> merge(order, "{\"spec\": {\"granted\": false}}"))
          .hasMessageContaining("granted cannot be revoked");
      phase(order, "Started");
      phase(order, "Done");
      assertThatThrownBy(() -> phase(order, "Started"))
          .hasMessageContaining("the phases Done and Failed are final");
    } finally {
      client.resource(order).delete();
    }
  }

  private void phase(GenericKubernetesResource order, String phase) {
    client
        .resource(order)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
  }
}
