package io.probelet.remediator.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.remediator.resource.HttpsHook.SecretKeyRef;
import io.probelet.remediator.resource.OutOfServiceSpec.Confirmation;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemediationReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static RemediationReader.Reading read(RemediationKind kind, String spec) {
    ObjectNode resource = JSON.createObjectNode();
    resource.set("spec", json(spec));
    return RemediationReader.read(kind, resource);
  }

  private static RemediationSpec good(RemediationKind kind, String spec) {
    RemediationReader.Reading reading = read(kind, spec);
    assertThat(reading.problems()).isEmpty();
    return reading.spec().orElseThrow();
  }

  @Test
  @DisplayName("ACT-50 what is left out has its default")
  void defaults() {
    assertThat(good(RemediationKind.SERVICE_RESTART, "{'units': ['kubelet.service']}"))
        .isEqualTo(
            new ServiceRestartSpec(
                List.of("kubelet.service"),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                List.of(NodeConditionStatus.READY)));
    assertThat(good(RemediationKind.DRAIN, "{}")).isEqualTo(DrainSpec.DEFAULT);
    assertThat(good(RemediationKind.REBOOT, "{}"))
        .isEqualTo(
            new RebootSpec(null, RebootMode.REBOOT, Duration.ofMinutes(1), Duration.ofMinutes(10)));
    assertThat(good(RemediationKind.REBOOT, "{'drain': {}}"))
        .extracting(spec -> ((RebootSpec) spec).drain().orElseThrow())
        .isEqualTo(DrainSpec.DEFAULT);
    assertThat(good(RemediationKind.MACHINE, "{}"))
        .isEqualTo(new MachineSpec(Duration.ofMinutes(30)));
    assertThat(good(RemediationKind.OUT_OF_SERVICE, "{'confirmation': {'annotation': {}}}"))
        .isEqualTo(new OutOfServiceSpec(new Confirmation.ByAnnotation(), Duration.ofMinutes(15)));
    assertThat(RemediationReader.read(RemediationKind.MACHINE, JSON.createObjectNode()).spec())
        .isPresent();
  }

  @Test
  @DisplayName("ACT-50 reads the fields of a spec")
  void said() {
    assertThat(
            good(
                RemediationKind.HOOK,
                """
                {'within': '1h', 'https': {'url': 'https://bmc.example:8443/off?now=1',
                  'secretRef': {'name': 'bmc', 'key': 'hmac.key'}, 'timeout': '5s',
                  'retryFor': '0s'}}
                """))
        .isEqualTo(
            new HookSpec(
                new HookSpec.Target.Endpoint(
                    new HttpsHook(
                        URI.create("https://bmc.example:8443/off?now=1"),
                        List.of(),
                        new SecretKeyRef("bmc", "hmac.key"),
                        Duration.ofSeconds(5),
                        Duration.ZERO)),
                Duration.ofHours(1)));
    String template =
        "{'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'name': 'a', 'image': 'i'}]}}}}";
    assertThat(good(RemediationKind.HOOK, "{'job': {'template': " + template + "}}"))
        .isEqualTo(
            new HookSpec(
                new HookSpec.Target.Job((ObjectNode) json(template)), Duration.ofMinutes(30)));
    assertThat(
            good(
                RemediationKind.REBOOT,
                "{'mode': 'SysRq', 'drain': {'force': true, 'gracePeriod': '0s', 'deleteEmptyDirData': false}}"))
        .isEqualTo(
            new RebootSpec(
                new DrainSpec(Duration.ofMinutes(10), true, Duration.ZERO, true, false, null),
                RebootMode.SYS_RQ,
                Duration.ofMinutes(1),
                Duration.ofMinutes(10)));
    assertThat(
            good(
                    RemediationKind.DRAIN,
                    "{'uncordon': {'for': '2m', 'job': {'template': " + template + "}}}")
                .uncordon())
        .contains(
            new UncordonSpec(
                List.of(NodeConditionStatus.READY),
                Duration.ofMinutes(2),
                (ObjectNode) json(template),
                Duration.ofMinutes(15)));
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SERVICE_RESTART|{}|spec.units: Required value: the units to restart, such as [kubelet.service]",
        "SERVICE_RESTART|{'units': ['-.mount']}|spec.units[0]: Invalid value: \"-.mount\": must be the name",
        "SERVICE_RESTART|{'units': ['a.service', 'a.service']}|spec.units[1]: Duplicate value",
        "SERVICE_RESTART|{'units': ['a.target']}|service, socket, mount, path or timer",
        "SERVICE_RESTART|{'units': ['../a.service']}|spec.units[0]: Invalid value",
        "SERVICE_RESTART|{'units': ['a.service'], 'activeWithin': '16m'}|must be from 1s to 15m",
        "SERVICE_RESTART|{'units': ['a.service'], 'conditions': [{'type': 'Ready'}]}|status: Required value",
        "SERVICE_RESTART|{'units': ['a.service'], 'conditions': [{'type': '?', 'status': 'True'}]}|condition's type",
        "DRAIN|{'timeout': '0s'}|spec.timeout: Invalid value: \"0s\": must be from 1s to 24h",
        "DRAIN|{'gracePeriod': '2h'}|must be from 0s to 1h",
        "DRAIN|{'uncordon': {'conditions': []}}|spec.uncordon.conditions: Required value",
        "DRAIN|{'uncordon': {'for': '2h'}}|spec.uncordon.for: Invalid value",
        "DRAIN|{'uncordon': {'job': {}}}|spec.uncordon.job.template: Required value",
        "REBOOT|{'drain': {'uncordon': {'until': '1m'}}}|spec.drain.uncordon.until: unknown field",
        "REBOOT|{'mode': 'Now'}|supported values: \"Reboot\", \"Kexec\", \"SysRq\"",
        "OUT_OF_SERVICE|{}|spec.confirmation: Required value: how to confirm",
        "OUT_OF_SERVICE|{'confirmation': {}}|spec.confirmation: Required value: one of annotation and hook",
        "OUT_OF_SERVICE|{'confirmation': {'annotation': {}, 'hook': {'url': 'https://a'}}}"
            + "|spec.confirmation.hook: Forbidden: may not be set together with annotation",
        "MACHINE|{'within': '25h'}|must be from 1s to 24h",
        "HOOK|{}|spec: Required value: one of https and job",
        "HOOK|{'https': {'url': 'http://a'}}|spec.https.url: Invalid value: \"http://a\": must be https://",
        "HOOK|{'https': {'url': 'https://user@a'}}|without a user",
        "HOOK|{'https': {'url': 'https://a:70000'}}|spec.https.url",
        "HOOK|{'https': {'url': 'https://a/#b'}}|without a fragment",
        "HOOK|{'https': {'url': 'https://a', 'caBundle': 'YQ=='}}|must be certificates as PEM, in base64",
        "HOOK|{'https': {'url': 'https://a', 'secretRef': {'name': 'A', 'key': 'k'}}}|RFC 1123",
        "HOOK|{'https': {'url': 'https://a', 'secretRef': {'name': 'a', 'key': '/k'}}}|spec.https.secretRef.key",
        "HOOK|{'job': {}}|spec.job.template: Required value",
        "HOOK|{'job': {'template': {'spec': {}}}}|containers: Required value: the containers",
        "HOOK|{'job': {'template': {'spec': {'template': {'spec': {'containers': [{'name': 'a', 'image': 'i'}]}}}}}}"
            + "|spec.job.template.spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"",
        "HOOK|{'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 7, 'containers': [{'name': 'a', 'image': 'i'}]}}}}}}|restartPolicy: Invalid value: 7",
        "DRAIN|{'uncordon': {'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 'Always', 'containers': [{'name': 'a', 'image': 'i'}]}}}}}}}"
            + "|restartPolicy: Unsupported value: \"Always\": supported values: \"OnFailure\", \"Never\"",
        "REBOOT|{'drain': {'uncordon': {'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'name': 'a'}]}}}}}}}}"
            + "|spec.drain.uncordon.job.template.spec.template.spec.containers[0].image: Required value: the image to run",
        "HOOK|{'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'image': 'i'}]}}}}}}"
            + "|containers[0].name: Required value: the container's name",
        "HOOK|{'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 'Never', 'initContainers': [{'name': 'b'}], 'containers': [{'name': 'a', 'image': 'i'}]}}}}}}"
            + "|initContainers[0].image: Required value"
      })
  @DisplayName("ACT-50 reports each problem with its field and the allowed values")
  void refused(RemediationKind kind, String spec, String problem) {
    RemediationReader.Reading reading = read(kind, spec);
    assertThat(reading.spec()).isEmpty();
    assertThat(reading.refusal()).contains(problem);
  }

  @Test
  @DisplayName("ACT-50 more than the bounds is refused, and said with the bound")
  void bounds() {
    String units = "'a.service', ".repeat(8) + "'b.service'";
    assertThat(read(RemediationKind.SERVICE_RESTART, "{'units': [" + units + "]}").refusal())
        .contains("spec.units: Too many: 9: must have at most 8 items");
    String longName = "a".repeat(248) + ".service";
    assertThat(read(RemediationKind.SERVICE_RESTART, "{'units': ['" + longName + "']}").refusal())
        .contains("no more than 255 characters");
    String url = "https://a/" + "b".repeat(2039);
    assertThat(read(RemediationKind.HOOK, "{'https': {'url': '" + url + "'}}").refusal())
        .contains("no more than 2048 characters");
    String args = "a".repeat(65_536);
    assertThat(
            read(
                    RemediationKind.HOOK,
                    "{'job': {'template': {'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'image': 'i', 'name': '"
                        + args
                        + "'}]}}}}}}")
                .refusal())
        .contains("spec.job.template: Too long: must be no more than 65536 characters as JSON");
    String ca = "a".repeat(65_537);
    assertThat(
            read(RemediationKind.HOOK, "{'https': {'url': 'https://a', 'caBundle': '" + ca + "'}}")
                .refusal())
        .contains("must be no more than 65536 characters")
        .hasSizeLessThan(300);
  }
}
