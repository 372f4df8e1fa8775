package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** `probelet validate` says everything that is wrong, precisely, and exits accordingly. */
class ValidateCommandTest {

  private static final String GOOD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: good}
      spec:
        containers:
        - name: web
          command: [sleep, inf]
          livenessProbe: {exec: {command: [ls]}}
          readinessProbe: {tcpSocket: {port: 80}}
      """;

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: web
              image: nginx
              # nothing
              livenessProbe: {httpGet: {port: 80}, periodSeconds: 5}
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @DisplayName("Acceptance 4: five different mistakes get five precise messages and exit 2")
  void fiveMistakes() throws IOException {
    Path file =
        write(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: fine}
            spec: {containers: [{name: a, command: [a]}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: broken
              annotations:
                probelet.io/probes: |
                  web:
                    liveness:
                      period: 20ms
            spec:
              restartPolicy: always
              containers:
              - name: web
                livenessProbe:
                  httpGet: {path: /, port: 80800}
                  periodSeconds: 10s
            """);
    assertThat(validate(file.toString())).isEqualTo(2);
    assertThat(out.toString().replace(file.toString(), "FILE"))
        .isEqualTo(
            """
            FILE:14:19: error: document 2: metadata.annotations[probelet.io/probes].web.liveness.period: Invalid value: "20ms": must be at least 100ms
            FILE:16:18: error: document 2: spec.restartPolicy: Unsupported value: "always": supported values: "Always", "OnFailure", "Never"
            FILE:18:5: error: document 2: spec.containers[0].command: Required value: images are not run here; specify the program to start
            FILE:20:32: error: document 2: spec.containers[0].livenessProbe.httpGet.port: Invalid value: 80800: must be between 1 and 65535, inclusive
            FILE:21:22: error: document 2: spec.containers[0].livenessProbe.periodSeconds: Invalid value: "10s": must be an integer
            1 pod, 0 probes, 5 errors, 0 warnings
            """);
  }

  @Test
  void validManifestIsCountedAndExitsZero() throws IOException {
    assertThat(validate(write(GOOD).toString())).isZero();
    assertThat(out).hasToString("1 pod, 2 probes, no problems\n");
  }

  @Test
  void warningsAloneExitZero() throws IOException {
    Path file = write(GOOD + "    livenesProbe: {}\n");
    assertThat(validate(file.toString())).isZero();
    assertThat(out.toString())
        .contains("warning: ", "did you mean \"livenessProbe\"?")
        .endsWith("1 pod, 2 probes, 0 errors, 1 warning\n");
  }

  @Test
  void jsonForPrograms() throws IOException {
    Path file = write(GOOD.replace("port: 80", "port: 0"));
    assertThat(validate("--output", "json", file.toString())).isEqualTo(2);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.get("pods").asInt()).isZero();
    JsonNode problem = report.get("problems").get(0);
    assertThat(problem.get("file").asText()).isEqualTo(file.toString());
    assertThat(problem.get("document").asInt()).isEqualTo(1);
    assertThat(problem.get("line").asInt()).isEqualTo(9);
    assertThat(problem.get("column").asInt()).isEqualTo(40);
    assertThat(problem.get("severity").asText()).isEqualTo("error");
    assertThat(problem.get("field").asText())
        .isEqualTo("spec.containers[0].readinessProbe.tcpSocket.port");
    assertThat(problem.get("message").asText())
        .isEqualTo("Invalid value: 0: must be between 1 and 65535, inclusive");
  }

  @Test
  void probesOnlyTakesPodsOfACluster() throws IOException {
    Path file = write(GOOD.replace("command: [sleep, inf]", "image: nginx"));
    assertThat(validate(file.toString())).isEqualTo(2);
    assertThat(validate("--probes-only", file.toString())).isZero();
  }

  @Test
  @DisplayName("--policy reports what agents with that configuration report")
  void policy() throws IOException {
    Path pod =
        write(
            GOOD.replace(
                    "metadata: {name: good}",
                    "metadata: {name: good, namespace: shop, annotations: {probelet.io/probes: 'web:"
                        + " {startup: {exec: {command: [sh]}}}'}}")
                .replace("command: [sleep, inf]", "command: [sleep, inf]\n    image: nginx"));
    Path agents = folder.resolve("agents.conf");
    Files.writeString(agents, "policy: {namespaces: [{names: [shop], exec: true}]}");
    assertThat(validate("--policy=" + agents, pod.toString())).isZero();
    assertThat(validate(pod.toString())).as("run by its own user").isZero();
    Files.writeString(agents, "policy: {preset: restricted}");
    assertThat(validate("--policy=" + agents, pod.toString())).isEqualTo(2);
    assertThat(validate("--probes-only", pod.toString())).isEqualTo(2);
    assertThat(out.toString())
        .contains(
            "metadata.annotations[probelet.io/probes].web.startup.exec: Forbidden: the policy for"
                + " this namespace allows no commands in annotations (exec)");
    Files.writeString(agents, "policy: {preset: free}");
    assertThat(validate("--policy=" + agents, pod.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(agents + ":1:18: error: policy.preset: Unsupported value");
  }

  @Test
  void policyReportsThrottleHoldThatAgentsCutOff() throws IOException {
    Path pod =
        write(
            GOOD.replace(
                    "metadata: {name: good}",
                    "metadata: {name: good, annotations: {probelet.io/probes: 'web:"
                        + " {liveness: {exec: {command: [a]}, throttleHold: 1h}}'}}")
                .replace("command: [sleep, inf]", "command: [sleep, inf]\n    image: nginx"));
    Path agents = folder.resolve("agents.conf");
    String trusted = "policy: {preset: trusted}\nthrottleGuard: ";
    Files.writeString(agents, trusted + "{hold: 30s, maxHold: 1m}");
    assertThat(validate("--policy=" + agents, pod.toString())).isZero();
    String field =
        ": warning: document 1: metadata.annotations[probelet.io/probes].web.liveness.throttleHold: ";
    assertThat(out.toString())
        .contains(pod + ":")
        .contains(field + "restarts wait at most 1m0s, the agent's throttleGuard.maxHold");
    out.getBuffer().setLength(0);
    Files.writeString(agents, trusted + "{enabled: false}");
    assertThat(validate("--policy=" + agents, pod.toString())).isZero();
    assertThat(out.toString())
        .contains(
            field + "has no effect: the agent's configuration has throttleGuard.enabled: false");
    out.getBuffer().setLength(0);
    Files.writeString(agents, trusted + "{maxHold: 1h}");
    assertThat(validate("--policy=" + agents, pod.toString())).isZero();
    assertThat(out.toString()).doesNotContain("throttleHold");
  }

  @Test
  void wrongUsageExitsTwo() {
    assertThat(validate()).isEqualTo(2);
    assertThat(err.toString()).contains("PATH");
    assertThat(validate("--output", "xml", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("\"xml\" is not allowed; use text, json or sarif");
    assertThat(validate("/no/such/file")).isEqualTo(2);
    assertThat(out.toString()).startsWith("/no/such/file: error: no such file or directory\n");
  }

  @Test
  @DisplayName("checks workloads and standard input for a cluster")
  void workloadsAndPipes() throws IOException {
    Path file = write(DEPLOYMENT);
    assertThat(validate(file.toString())).isZero();
    assertThat(out).hasToString("1 pod, 1 probe, no problems\n");
    out.getBuffer().setLength(0);
    String pod = GOOD.replace("command: [sleep, inf]", "image: nginx");
    String service = "---\n{apiVersion: v1, kind: Service, metadata: {name: a}}\n";
    assertThat(validatePiped(pod + "---\n" + DEPLOYMENT + service + service, "-")).isZero();
    assertThat(out)
        .hasToString(
            "2 pods, 3 probes, no problems\nskipped 2 objects of other kinds: Service 2\n");
    out.getBuffer().setLength(0);
    assertThat(validatePiped(service, "-", "-")).isEqualTo(2);
    assertThat(validatePiped(service, "-", "--output=json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/skipped/Service").asInt())
        .isEqualTo(1);
    out.getBuffer().setLength(0);
    assertThat(validatePiped(DEPLOYMENT.replace("periodSeconds: 5", "periodSeconds: -5"), "-"))
        .isEqualTo(2);
    assertThat(out.toString())
        .startsWith(
            "<stdin>:13:61: error: document 1: spec.template.spec.containers[0].livenessProbe"
                + ".periodSeconds: Invalid value: -5: must be");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "probes: {userAgent: probelet}|",
        "probes: {userAgent: curl}|1:21: error: document 1: probes.userAgent: Unsupported value: \"curl\": supported values:",
        "guard: {holdOnConditions: [KernelDeadlock]}|",
        "guard: {holdOnConditions: [KernelDeadlok]}|1:28: warning: document 1: guard.holdOnConditions[0]: no monitor in nodeMonitor.monitors sets this condition; did you mean \"KernelDeadlock\"?",
        "guard: {holdOnConditions: [Thirsty]}|1:28: warning: document 1: guard.holdOnConditions[0]: no monitor in nodeMonitor.monitors sets this condition; built-in ones set CertificateExpiring, ContainerRuntime",
        "guard: {holdOnConditions: [DiskPressure]}|1:28: warning: document 1: guard.holdOnConditions[0]: has no effect: the kubelet sets this condition",
        "{nodeMonitor: {monitors: [none]}, guard: {holdOnConditions: [Thirsty]}}|1:62: warning: document 1: guard.holdOnConditions[0]: no monitor in nodeMonitor.monitors sets this condition; there is none",
        "{nodeMonitor: {monitors: [/etc/own.json]}, guard: {holdOnConditions: [Thirsty]}}|",
        "{nodeMonitor: {monitors: [/etc/own.json]}, guard: {holdOnConditions: [DiskFul]}}|1:71: warning: document 1: guard.holdOnConditions[0]: no built-in monitor sets this condition; did you mean \"DiskFull\"?",
        "guard: {percent: 100}|1:18: error: document 1: guard.percent: Invalid value: 100: must be from 1 to 99",
        "http: {}\\n---\\nhttp: {}|3:1: error: document 2: starts a second document; a configuration is one document",
        "nodes: [{name: a}]|",
        "nodes: [{name: a, count: 0}]|1:26: error: document 1: nodes[0].count: Invalid value: 0: must be",
        "events: []|1:1: error: document 1: nodes: Required value: the cluster's nodes",
        "{CPU: {metricsConfigs: {cpu/load_1m: {displayName: cpu/load_1m}}}, invokeInterval: 60s}|",
        "net: {excludeInterfaceRegexp: '['}|1:31: error: document 1: net.excludeInterfaceRegexp: Invalid value: \"[\": is not a valid RE2 expression",
        "disk: {metricsConfigs: {disk/odd: {displayName: a}}, lsblkTimeout: 5s}|1:35: warning: document 1: disk.metricsConfigs[disk/odd]: disk/odd is not collected, ignored",
        "{plugin: kmsg, source: a, rules: [{type: temporary, reason: R}]}|1:35: error: document 1: rules[0].pattern: Required value",
        "something: else|1:1: error: document 1: kind: Required value: must name the kind,"
            + " such as Pod",
      })
  @DisplayName(
      "recognizes files without a kind by their keys: configuration, scenario, statistics, monitor")
  void kindless(String text, String complaint) throws IOException {
    Path file = write(text.replace("\\n", "\n"));
    int exit = validate(file.toString());
    String first = out.toString().lines().findFirst().orElseThrow();
    if (complaint == null) {
      assertThat(first).matches("1 [A-Za-z ]+, no problems");
    } else {
      assertThat(first).startsWith(file + ":" + complaint);
    }
    assertThat(exit).isEqualTo(first.contains("error: ") ? 2 : 0);
  }

  @Test
  @DisplayName("the summary counts everything that was checked")
  void countsWhatIsNoPod() throws IOException {
    String policy =
        "---\napiVersion: probelet.io/v1alpha1\nkind: RemediationPolicy\nmetadata: {name: a}\n"
            + "spec: {maxNodes: 1}\n";
    String drain =
        "---\napiVersion: probelet.io/v1alpha1\nkind: DrainRemediationTemplate\n"
            + "metadata: {name: a}\nspec: {template: {spec: {}}}\n";
    String monitor = "---\n{plugin: kmsg, source: a, rules: []}\n";
    assertThat(validate(write(policy + policy + drain + monitor).toString())).isZero();
    assertThat(out)
        .hasToString("1 DrainRemediationTemplate, 2 RemediationPolicies, 1 monitor, no problems\n");
    out.getBuffer().setLength(0);
    assertThat(validate(write(GOOD + policy).toString())).isZero();
    assertThat(out).hasToString("1 pod, 2 probes, 1 RemediationPolicy, no problems\n");
    out.getBuffer().setLength(0);
    assertThat(validate("--output=json", write(policy + policy).toString())).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/checked/RemediationPolicy").asInt())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("advice has a position and a rule, and does not change the exit code")
  void advice() throws IOException {
    Path file = write(DEPLOYMENT);
    assertThat(validate("--advise", file.toString())).isZero();
    assertThat(out.toString().replace(file.toString(), "FILE"))
        .isEqualTo(
            """
            FILE:13:24: advice: document 1: spec.template.spec.containers[0].livenessProbe: a hung container receives \
            traffic until it is restarted, and again before it has started; add a readinessProbe, which removes it from \
            its Services meanwhile (liveness-without-readiness)
            FILE:13:24: advice: document 1: spec.template.spec.containers[0].livenessProbe: stopping a hung container \
            takes longer than detecting it, because it gets the full grace period; set the probe's \
            terminationGracePeriodSeconds (window-shorter-than-grace)
            1 pod, 1 probe, no problems, 2 pieces of advice
            """);
    out.getBuffer().setLength(0);
    assertThat(validate("--advise", "--output=json", file.toString())).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/problems/0/rule").asText())
        .isEqualTo("liveness-without-readiness");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "probelet.io/ready| |true",
        "example.com/other| |false",
        "probelet.io/ready|readinessProbe: {periodSeconds: 5, httpGet: {port: 80}}|false",
        "probelet.io/ready|lifecycle: {preStop: {sleep: {seconds: 5}}}|false"
      })
  @DisplayName("readiness by annotation alone does not drain a terminating pod")
  void adviceOnReadinessGates(String gate, String more, boolean given) throws IOException {
    Path file =
        write(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              annotations: {probelet.io/probes: "web: {readiness: {httpGet: {port: 80}}}"}
            spec:
              readinessGates: [{conditionType: %s}]
              containers:
              - name: web
                image: web:1
                command: [web]
                %s
            """
                .formatted(gate, more == null ? "" : more));
    assertThat(validate("--advise", file.toString())).isZero();
    assertThat(
            out.toString().contains("containers[0].readinessProbe: a kubelet does not recompute"))
        .as(out.toString())
        .isEqualTo(given);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "probelet.io/ready|readiness|false",
        "example.com/other|readiness|true",
        "example.com/other|startup|false"
      })
  @DisplayName("D-20 readiness by annotation without the gate is a warning with its line")
  void missingReadinessGate(String gate, String kind, boolean given) throws IOException {
    Path file =
        write(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              annotations: {probelet.io/probes: "web: {%s: {httpGet: {port: 80}}}"}
            spec:
              readinessGates: [{conditionType: %s}]
              containers:
              - name: web
                image: web:1
                command: [web]
            """
                .formatted(kind, gate));
    assertThat(validate("--probes-only", file.toString())).isZero();
    String warning =
        file
            + ":5:37: warning: document 1: metadata.annotations[probelet.io/probes]:"
            + " web.readiness has no effect on the pod's Ready condition: add"
            + " `readinessGates: [{conditionType: probelet.io/ready}]` to the pod's spec";
    assertThat(out.toString().contains(warning)).as(out.toString()).isEqualTo(given);
    out.getBuffer().setLength(0);
    assertThat(validate(file.toString())).isZero();
    assertThat(out.toString()).as("a process has no gate").doesNotContain("has no effect");
  }

  @Test
  @DisplayName("SARIF names rule, level, file, line and column of each finding")
  void sarif() throws IOException {
    Path file =
        write(
            DEPLOYMENT.replace("periodSeconds: 5", "periodSeconds: -5")
                + "---\n"
                + DEPLOYMENT
                    .replace("selector:", "selectors: {}\n  selector:")
                    .replace("web", "b"));
    assertThat(validate("--advise", "--output=sarif", file.toString())).isEqualTo(2);
    JsonNode log = new ObjectMapper().readTree(out.toString());
    SarifShape.check(log);
    assertThat(log.at("/runs/0/results"))
        .extracting(result ->
            "%s %s %s:%s"
                .formatted(
                    result.get("ruleId").asText(),
                    result.get("level").asText(),
                    result.at("/locations/0/physicalLocation/region/startLine"),
                    result.at("/locations/0/physicalLocation/region/startColumn")))
        .containsExactly(
            "invalid-value error 13:61",
            "unknown-field warning 19:3",
            "liveness-without-readiness note 28:24",
            "window-shorter-than-grace note 28:24");
    assertThat(
            log.at("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri").asText())
        .isEqualTo(file.toUri().toString());
    out.getBuffer().setLength(0);
    assertThat(validate("--output=sarif", "no such:file.yaml")).isEqualTo(2);
    JsonNode missing = new ObjectMapper().readTree(out.toString());
    SarifShape.check(missing);
    assertThat(missing.at("/runs/0/results/0/locations/0/physicalLocation").toString())
        .isEqualTo("{\"artifactLocation\":{\"uri\":\"no%20such%3Afile.yaml\"}}");
  }

  @Test
  @DisplayName("advice on other fields than probes has a rule in SARIF and JSON as well")
  void adviceOnOtherFields() throws IOException {
    Path file =
        write(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: web}
            spec:
              containers:
              - name: web
                image: web:1
                resources: {limits: {memory: 400m}}
                readinessProbe: {exec: {command: [curl -f localhost]}, timeoutSeconds: 2}
            """);
    assertThat(validate("--advise", "--probes-only", "-o", "sarif", file.toString())).isZero();
    JsonNode log = new ObjectMapper().readTree(out.toString());
    SarifShape.check(log);
    assertThat(log.at("/runs/0/results"))
        .extracting(result ->
            result.get("ruleId").asText()
                + " "
                + log.at("/runs/0/tool/driver/rules/" + result.get("ruleIndex") + "/id").asText()
                + " "
                + result.at("/locations/0/physicalLocation/region/startLine"))
        .containsExactly(
            "fractional-bytes fractional-bytes 8", "command-in-one-word command-in-one-word 9");
    out.getBuffer().setLength(0);
    assertThat(validate("--advise", "--probes-only", "-o", "json", file.toString())).isZero();
    assertThat(out.toString()).contains("\"fractional-bytes\"", "\"command-in-one-word\"");
  }

  private int validatePiped(String text, String... args) {
    InputStream pipe = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return execute(new ValidateCommand(pipe), args);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("pod.yaml"), text);
  }

  private int validate(String... args) {
    return execute(new ValidateCommand(), args);
  }

  private int execute(ValidateCommand command, String... args) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
