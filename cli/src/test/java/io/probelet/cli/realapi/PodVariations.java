package io.probelet.cli.realapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Small changes to a pod that is valid, some of which make it invalid. */
final class PodVariations {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String POD =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "varied"}, "spec": {
        "volumes": [{"name": "data", "emptyDir": {}}],
        "initContainers": [
          {"name": "init", "image": "i", "command": ["true"]},
          {"name": "sidecar", "image": "i", "command": ["true"], "restartPolicy": "Always"}],
        "containers": [
          {"name": "web", "image": "i", "command": ["true"],
           "ports": [{"name": "http", "containerPort": 80}],
           "env": [{"name": "A", "value": "b"}],
           "volumeMounts": [{"name": "data", "mountPath": "/data"}],
           "livenessProbe": {"httpGet": {"port": "http"}}},
          {"name": "other", "image": "i", "command": ["true"]}]}}
      """;

  private static final String WEB = "/spec/containers/0";
  private static final String SECOND = "/spec/containers/1";
  private static final String INIT = "/spec/initContainers/0";
  private static final String SIDECAR = "/spec/initContainers/1";
  private static final String LIVENESS = WEB + "/livenessProbe";

  /** Values that are of the wrong type nearly everywhere. */
  private static final String[] ODD = {
    "null", "\"\"", "\"x\"", "1", "-1", "1.5", "true", "[]", "{}"
  };

  /** Changes of one place of the pod to each of these values. */
  private static Stream<Change> at(String pointer, String... values) {
    return Stream.of(values).map(value -> new Change(pointer, value));
  }

  /**
   * One change.
   *
   * @param pointer where, as a JSON pointer; what leads there is made if need be
   * @param value the JSON that is put there; {@code -} takes away what is there
   */
  record Change(String pointer, String value) {
    @Override
    public String toString() {
      String shown = value.length() <= 120 ? value : value.substring(0, 120) + "…";
      return pointer + "=" + shown;
    }
  }

  private PodVariations() {}

  /** {@return each single change that is worth one, and some values of the wrong type} */
  static List<List<Change>> single(Random random, int mistyped) {
    List<Change> types = new ArrayList<>(wrongTypes().toList());
    Collections.shuffle(types, random);
    return Stream.concat(places(), types.stream().limit(mistyped))
        .distinct()
        .map(List::of)
        .toList();
  }

  /** {@return combinations of two or three} */
  static List<List<Change>> combined(Random random, int number) {
    List<Change> all = Stream.concat(places(), wrongTypes()).toList();
    List<List<Change>> combined = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      List<Change> some = new ArrayList<>();
      for (int j = random.nextInt(2); j < 3; j++) {
        some.add(all.get(random.nextInt(all.size())));
      }
      combined.add(some);
    }
    return combined;
  }

  /** {@return the pod with these changes, as JSON} */
  static String apply(List<Change> changes) throws JsonProcessingException {
    JsonNode pod = JSON.readTree(POD);
    for (Change change : changes) {
      put(pod, change);
    }
    return pod.toString();
  }

  private static void put(JsonNode pod, Change change) throws JsonProcessingException {
    String[] steps = change.pointer().substring(1).split("/", -1);
    JsonNode at = pod;
    for (int i = 0; i < steps.length - 1; i++) {
      JsonNode next = child(at, steps[i]);
      if (next == null || !next.isContainerNode()) {
        if (!set(
            at,
            steps[i],
            digits(steps[i + 1]) ? JSON.createArrayNode() : JSON.createObjectNode())) {
          return; // an earlier change took what this one would change
        }
        next = child(at, steps[i]);
        if (next == null) {
          return;
        }
      }
      at = next;
    }
    String last = steps[steps.length - 1];
    if (!change.value().equals("-")) {
      set(at, last, JSON.readTree(change.value()));
    } else if (at instanceof ObjectNode object) {
      object.remove(last);
    } else if (at instanceof ArrayNode array && digits(last)) {
      array.remove(Integer.parseInt(last));
    }
  }

  private static boolean digits(String step) {
    return step.matches("[0-9]+");
  }

  private static JsonNode child(JsonNode at, String step) {
    return at instanceof ArrayNode array && digits(step)
        ? array.get(Integer.parseInt(step))
        : at.get(step);
  }

  private static boolean set(JsonNode at, String step, JsonNode value) {
    if (at instanceof ObjectNode object) {
      object.set(step, value);
      return true;
    }
    if (at instanceof ArrayNode array && digits(step)) {
      int index = Integer.parseInt(step);
      if (index < array.size()) {
        array.set(index, value);
      } else {
        array.add(value);
      }
      return true;
    }
    return false;
  }

  private static String text(String part, int times) {
    return '"' + part.repeat(times) + '"';
  }

  /** Fields that get a value of each type. */
  private static Stream<Change> wrongTypes() {
    return Stream.of(
            "/metadata/labels",
            "/metadata/labels/a",
            "/metadata/annotations",
            "/metadata/annotations/a",
            "/metadata/finalizers",
            "/spec/restartPolicy",
            "/spec/terminationGracePeriodSeconds",
            "/spec/activeDeadlineSeconds",
            "/spec/hostNetwork",
            "/spec/hostPID",
            "/spec/dnsPolicy",
            "/spec/hostname",
            "/spec/subdomain",
            "/spec/nodeName",
            "/spec/nodeSelector",
            "/spec/nodeSelector/a",
            "/spec/tolerations",
            "/spec/tolerations/0",
            "/spec/affinity",
            "/spec/schedulerName",
            "/spec/securityContext",
            "/spec/securityContext/runAsUser",
            "/spec/shareProcessNamespace",
            "/spec/automountServiceAccountToken",
            "/spec/imagePullSecrets",
            "/spec/hostAliases",
            "/spec/volumes/1",
            "/spec/readinessGates",
            "/spec/readinessGates/0",
            "/spec/initContainers",
            "/spec/ephemeralContainers",
            WEB + "/image",
            WEB + "/imagePullPolicy",
            WEB + "/command",
            WEB + "/command/0",
            WEB + "/args",
            WEB + "/args/0",
            WEB + "/workingDir",
            WEB + "/ports",
            WEB + "/ports/0",
            WEB + "/ports/0/containerPort",
            WEB + "/ports/0/hostPort",
            WEB + "/ports/0/name",
            WEB + "/ports/0/protocol",
            WEB + "/ports/0/hostIP",
            WEB + "/env",
            WEB + "/env/0",
            WEB + "/env/0/name",
            WEB + "/env/0/value",
            WEB + "/env/0/valueFrom",
            WEB + "/envFrom",
            WEB + "/envFrom/0",
            WEB + "/resources",
            WEB + "/resources/limits",
            WEB + "/resources/limits/cpu",
            WEB + "/resources/requests/memory",
            WEB + "/volumeMounts",
            WEB + "/volumeMounts/0/readOnly",
            WEB + "/terminationMessagePath",
            WEB + "/terminationMessagePolicy",
            WEB + "/stdin",
            WEB + "/tty",
            WEB + "/securityContext",
            WEB + "/securityContext/runAsNonRoot",
            WEB + "/restartPolicy",
            WEB + "/restartPolicyRules",
            SIDECAR + "/restartPolicy",
            LIVENESS,
            LIVENESS + "/httpGet",
            LIVENESS + "/httpGet/port",
            LIVENESS + "/httpGet/path",
            LIVENESS + "/httpGet/host",
            LIVENESS + "/httpGet/scheme",
            LIVENESS + "/httpGet/httpHeaders",
            LIVENESS + "/periodSeconds",
            LIVENESS + "/timeoutSeconds",
            LIVENESS + "/initialDelaySeconds",
            LIVENESS + "/successThreshold",
            LIVENESS + "/failureThreshold",
            LIVENESS + "/terminationGracePeriodSeconds")
        .flatMap(pointer -> at(pointer, ODD));
  }

  private static Stream<Change> places() {
    return Stream.of(
            at(
                "/metadata/name",
                "-",
                "\"\"",
                "\"A\"",
                "\"a.b\"",
                "\"a..b\"",
                "\"-a\"",
                "\"a_b\"",
                text("a", 253),
                text("a", 254),
                "1"),
            at("/metadata/generateName", "\"g-\"", "\"G\"", "\"\""),
            at(
                "/metadata/labels",
                "{\"a\":\"b\"}",
                "{\"a\":true}",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":\"\"}",
                "{\"a\":\"b c\"}",
                "{\"a\":\"-b\"}",
                "{\"\":\"b\"}",
                "{\"-a\":\"b\"}",
                "{\"a b\":\"c\"}",
                "{\"a/b\":\"c\"}",
                "{\"a/b/c\":\"d\"}",
                "{\"A/b\":\"c\"}",
                "{\"/b\":\"c\"}",
                "{\"a/\":\"c\"}",
                "{\"a\":" + text("b", 63) + "}",
                "{\"a\":" + text("b", 64) + "}",
                "{" + text("a", 63) + ":\"b\"}",
                "{" + text("a", 64) + ":\"b\"}",
                "{\"" + "a".repeat(253) + "/b\":\"c\"}",
                "{\"" + "a".repeat(254) + "/b\":\"c\"}"),
            at(
                "/metadata/annotations",
                "{\"a\":\"any text: é\"}",
                "{\"a\":1}",
                "{\"a\":true}",
                "{\"a\":null}",
                "{\"A/b\":\"c\"}",
                "{\"a/b/c\":\"d\"}",
                "{\"a b\":\"c\"}",
                "{\"\":\"c\"}",
                "{\"a\":" + text("b", 256 * 1024 - 1) + "}",
                "{\"a\":" + text("b", 256 * 1024) + "}"),
            at("/metadata/finalizers", "[\"a/b\"]", "[\"a\"]", "[\"\"]", "[\"a b\"]"),
            at(
                "/spec/restartPolicy",
                "\"Always\"",
                "\"OnFailure\"",
                "\"Never\"",
                "\"always\"",
                "\"No\""),
            at(
                "/spec/terminationGracePeriodSeconds",
                "0",
                "1",
                "-2",
                "9223372036854775807",
                "9223372036854775808"),
            at("/spec/activeDeadlineSeconds", "0", "1", "2147483647", "2147483648"),
            at(
                "/spec/dnsPolicy",
                "\"Default\"",
                "\"ClusterFirst\"",
                "\"ClusterFirstWithHostNet\"",
                "\"None\"",
                "\"default\""),
            at("/spec/hostname", "\"a-b\"", "\"a.b\"", "\"A\"", text("a", 63), text("a", 64)),
            at("/spec/subdomain", "\"a-b\"", "\"a.b\"", "\"A\"", text("a", 64)),
            at("/spec/nodeName", "\"a.b\"", "\"A\""),
            at("/spec/nodeSelector", "{\"a\":\"b\"}", "{\"a b\":\"c\"}", "{\"a\":\"b c\"}"),
            at(
                "/spec/tolerations",
                "[{\"operator\":\"Exists\"}]",
                "[{\"key\":\"a\",\"operator\":\"Equal\",\"value\":\"b\"}]",
                "[{\"operator\":\"Equal\"}]",
                "[{\"operator\":\"In\",\"key\":\"a\"}]",
                "[{\"key\":\"a\",\"operator\":\"Exists\",\"value\":\"b\"}]",
                "[{\"key\":\"a\",\"operator\":\"Exists\",\"effect\":\"Never\"}]",
                "[{\"key\":\"a\",\"operator\":\"Exists\",\"tolerationSeconds\":1}]",
                "[{\"key\":\"a b\",\"operator\":\"Exists\"}]"),
            at(
                "/spec/hostAliases",
                "[{\"ip\":\"1.2.3.4\",\"hostnames\":[\"a\"]}]",
                "[{\"ip\":\"x\"}]",
                "[{\"ip\":\"1.2.3.4\",\"hostnames\":[\"A_\"]}]"),
            at("/spec/imagePullSecrets", "[{\"name\":\"a\"}]", "[{}]"),
            at("/spec/schedulerName", "\"mine\""),
            at(
                "/spec/volumes",
                "-",
                "[]",
                "[{\"name\":\"data\"}]",
                "[{\"name\":\"other\",\"emptyDir\":{}}]",
                "[{\"name\":\"data\",\"emptyDir\":{}},{\"name\":\"data\",\"emptyDir\":{}}]",
                "[{\"name\":\"Data\",\"emptyDir\":{}}]",
                "[{\"emptyDir\":{}}]",
                "[{\"name\":\"data\",\"emptyDir\":{},\"hostPath\":{\"path\":\"/\"}}]",
                "[{\"name\":\"data\",\"configMap\":{\"name\":\"a\"}}]",
                "[{\"name\":\"data\",\"hostPath\":{\"path\":\"/x\"}}]"),
            at(
                "/spec/readinessGates",
                "[{\"conditionType\":\"a/b\"}]",
                "[{\"conditionType\":\"a\"}]",
                "[{\"conditionType\":\"\"}]",
                "[{\"conditionType\":\"a b\"}]",
                "[{\"conditionType\":\"A/b\"}]",
                "[{\"conditionType\":\"a..b/c\"}]",
                "[{\"conditionType\":\"" + "a".repeat(254) + "/c\"}]",
                "[{}]"),
            at("/spec/containers", "-", "null", "[]", "{}", "[null]", "[{}]", "\"x\""),
            at("/spec/initContainers", "-", "null", "[]", "[null]", "[{}]"),
            at("/spec", "-", "null", "{}", "[]", "\"x\""),
            at("/metadata", "-", "null", "{}", "[]"),
            at("/apiVersion", "\"v2\"", "1"),
            at(
                WEB + "/name",
                "-",
                "\"\"",
                "\"A\"",
                "\"a.b\"",
                "\"a-\"",
                "\"other\"",
                "\"init\"",
                text("a", 63),
                text("a", 64)),
            at(WEB + "/image", "-", "\"a b\"", "\" a\"", "\"a \"", "\"registry/a@sha256:x\""),
            at(INIT + "/image", "-", "\"\""),
            at(
                WEB + "/imagePullPolicy",
                "\"Always\"",
                "\"Never\"",
                "\"IfNotPresent\"",
                "\"always\""),
            at(WEB + "/command", "[\"a\",null]", "[null]", "[1]", "[\"\"]", "[\"a\",[\"b\"]]"),
            at(WEB + "/args", "[null]", "[1]", "[true]", "[\"\"]", "[]", "[{}]"),
            at(WEB + "/workingDir", "\"rel/ative\"", "\"/abs\""),
            at(
                WEB + "/ports",
                "[{\"containerPort\":0}]",
                "[{\"containerPort\":65535}]",
                "[{\"containerPort\":65536}]",
                "[{\"containerPort\":80,\"hostPort\":70000}]",
                "[{\"containerPort\":80,\"hostPort\":0}]",
                "[{\"containerPort\":80,\"hostPort\":80}]",
                "[{\"containerPort\":80,\"hostPort\":80},{\"containerPort\":81,\"hostPort\":80}]",
                "[{\"containerPort\":80,\"hostPort\":80},{\"containerPort\":81,\"hostPort\":80,\"protocol\":\"UDP\"}]",
                "[{\"containerPort\":80,\"hostPort\":80,\"hostIP\":\"1.2.3.4\"},{\"containerPort\":81,\"hostPort\":80}]",
                "[{\"containerPort\":80},{\"containerPort\":80}]",
                "[{\"containerPort\":80,\"name\":\"a\"},{\"containerPort\":81,\"name\":\"a\"}]",
                "[{\"containerPort\":80,\"name\":\"A\"}]",
                "[{\"containerPort\":80,\"name\":\"a-\"}]",
                "[{\"containerPort\":80,\"name\":\"a--b\"}]",
                "[{\"containerPort\":80,\"name\":\"80\"}]",
                "[{\"containerPort\":80,\"name\":\"sixteen-letters-\"}]",
                "[{\"containerPort\":80,\"protocol\":\"tcp\"}]",
                "[{\"containerPort\":80,\"protocol\":\"SCTP\"}]",
                "[{\"containerPort\":80,\"hostIP\":\"1.2.3.4\"}]",
                "[{\"containerPort\":80,\"hostIP\":\"here\"}]",
                "[{}]",
                "[null]"),
            at(
                SECOND + "/ports",
                "[{\"containerPort\":80,\"hostPort\":8080}]",
                "[{\"containerPort\":80,\"name\":\"http\"}]"),
            at("/spec/hostNetwork", "true", "false"),
            at(
                WEB + "/env",
                "[{\"name\":\"A\"}]",
                "[{\"name\":\"A\",\"value\":null}]",
                "[{\"name\":\"A\",\"value\":1}]",
                "[{\"name\":\"A\",\"value\":true}]",
                "[{\"name\":\"\",\"value\":\"b\"}]",
                "[{\"value\":\"b\"}]",
                "[{\"name\":\"a b\",\"value\":\"b\"}]",
                "[{\"name\":\"a=b\",\"value\":\"b\"}]",
                "[{\"name\":\"1a\",\"value\":\"b\"}]",
                "[{\"name\":\".\",\"value\":\"b\"}]",
                "[{\"name\":\"é\",\"value\":\"b\"}]",
                "[{\"name\":\"A\",\"value\":\"b\"},{\"name\":\"A\",\"value\":\"c\"}]",
                "[{\"name\":\"A\",\"value\":\"b\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"}}}]",
                "[null]"),
            at(
                WEB + "/env/0",
                "{\"name\":\"A\",\"valueFrom\":{}}",
                "{\"name\":\"A\",\"valueFrom\":null}",
                "{\"name\":\"A\",\"value\":\"\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.labels['a']\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.labels['a b']\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.labels\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"status.podIP\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"status.phase\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"spec.containers\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"apiVersion\":\"v2\",\"fieldPath\":\"metadata.name\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"configMapKeyRef\":{\"name\":\"a\",\"key\":\"b\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"configMapKeyRef\":{\"name\":\"a\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"configMapKeyRef\":{\"key\":\"b\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"configMapKeyRef\":{\"name\":\"a\",\"key\":\"b c\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"configMapKeyRef\":{\"name\":\"A_\",\"key\":\"b\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"secretKeyRef\":{\"name\":\"a\",\"key\":\"b\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"secretKeyRef\":{\"name\":\"a\",\"key\":\"\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"resourceFieldRef\":{\"resource\":\"limits.cpu\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"resourceFieldRef\":{\"resource\":\"cpu\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"resourceFieldRef\":{\"resource\":\"limits.cpu\",\"divisor\":\"3\"}}}",
                "{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"},\"secretKeyRef\":{\"name\":\"a\",\"key\":\"b\"}}}"),
            at(
                WEB + "/envFrom",
                "[{\"configMapRef\":{\"name\":\"a\"}}]",
                "[{\"configMapRef\":{}}]",
                "[{\"secretRef\":{\"name\":\"a\"},\"prefix\":\"P_\"}]",
                "[{\"secretRef\":{\"name\":\"a\"},\"prefix\":\"=\"}]",
                "[{\"secretRef\":{\"name\":\"a\"},\"configMapRef\":{\"name\":\"a\"}}]",
                "[{}]",
                "[null]"),
            at(
                WEB + "/resources",
                "{\"limits\":{\"cpu\":\"1\"}}",
                "{\"limits\":{\"cpu\":\"x\"}}",
                "{\"limits\":{\"cpu\":\"-1\"}}",
                "{\"limits\":{\"cpu\":0.5}}",
                "{\"limits\":{\"memory\":\"1Mi\"},\"requests\":{\"memory\":\"2Mi\"}}",
                "{\"limits\":{\"memory\":\"1.5\"}}",
                "{\"limits\":{\"nonsense\":\"1\"}}",
                "{\"limits\":{\"example.com/gpu\":\"1\"}}",
                "{\"requests\":{\"example.com/gpu\":\"1\"}}",
                "{\"limits\":{\"example.com/gpu\":\"1.5\"}}",
                "{\"limits\":{\"cpu\":\"0.0001\"}}",
                "{\"claims\":[{\"name\":\"a\"}]}"),
            at(
                WEB + "/volumeMounts",
                "[{\"name\":\"data\",\"mountPath\":\"/a\"},{\"name\":\"data\",\"mountPath\":\"/a\"}]",
                "[{\"name\":\"missing\",\"mountPath\":\"/a\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"\"}]",
                "[{\"name\":\"data\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"relative\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"/a\",\"subPath\":\"../x\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"/a\",\"subPath\":\"/x\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"/a:b\"}]",
                "[{\"name\":\"data\",\"mountPath\":\"/a\",\"subPath\":\"b\",\"subPathExpr\":\"c\"}]",
                "[{\"mountPath\":\"/a\"}]"),
            at(
                WEB + "/terminationMessagePolicy",
                "\"File\"",
                "\"FallbackToLogsOnError\"",
                "\"Other\""),
            at(WEB + "/restartPolicy", "\"Always\"", "\"Never\"", "\"OnFailure\"", "\"never\""),
            at(INIT + "/restartPolicy", "\"Always\"", "\"Never\"", "\"OnFailure\"", "\"\"", "null"),
            at(SIDECAR + "/restartPolicy", "\"Never\"", "\"OnFailure\"", "\"\""),
            at(
                WEB + "/restartPolicyRules",
                "[]",
                "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"),
            at(
                WEB,
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1,1]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[]}}]"),
                rules("[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\"}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[null]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[-1]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[256]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"NotIn\",\"values\":[0]}}]"),
                rules(
                    "[{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"Is\",\"values\":[0]}}]"),
                rules("[{\"action\":\"Restart\"}]"),
                rules("[{\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"),
                rules("[{\"action\":\"Stop\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"),
                rules(
                    "[{\"action\":\"RestartAllContainers\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"),
                rules("[{}]"),
                rules("[null]"),
                rules("[]"),
                rules(many(20)),
                rules(many(21))),
            at(INIT + "/livenessProbe", "null", "{}", "{\"tcpSocket\":{\"port\":1}}"),
            at(INIT + "/readinessProbe", "{\"tcpSocket\":{\"port\":1}}"),
            at(
                SIDECAR + "/startupProbe",
                "{}",
                "{\"tcpSocket\":{\"port\":1}}",
                "{\"tcpSocket\":{\"port\":0}}"),
            at(
                LIVENESS,
                "{\"exec\":{\"command\":[\"a\"]}}",
                "{\"exec\":{\"command\":[]}}",
                "{\"exec\":{}}",
                "{\"exec\":{\"command\":[\"\"]}}",
                "{\"exec\":{\"command\":[null]}}",
                "{\"exec\":{\"command\":[\"a\"]},\"tcpSocket\":{\"port\":1}}",
                "{\"exec\":null,\"tcpSocket\":{\"port\":1}}",
                "{\"tcpSocket\":{\"port\":65535}}",
                "{\"tcpSocket\":{\"port\":65536}}",
                "{\"tcpSocket\":{\"port\":\"http\"}}",
                "{\"tcpSocket\":{\"port\":\"80\"}}",
                "{\"tcpSocket\":{\"port\":\"none\"}}",
                "{\"tcpSocket\":{}}",
                "{\"tcpSocket\":{\"port\":1,\"host\":\"a\"}}",
                "{\"grpc\":{\"port\":1}}",
                "{\"grpc\":{\"port\":1,\"service\":\"s\"}}",
                "{\"grpc\":{\"port\":1,\"service\":null}}",
                "{\"grpc\":{\"port\":\"1\"}}",
                "{\"grpc\":{}}",
                "{\"httpGet\":{\"port\":80,\"path\":\"no-slash\"}}",
                "{\"httpGet\":{\"port\":80,\"path\":\"\"}}",
                "{\"httpGet\":{\"port\":80,\"scheme\":\"http\"}}",
                "{\"httpGet\":{\"port\":80,\"scheme\":\"HTTPS\"}}",
                "{\"httpGet\":{\"path\":\"/\"}}",
                "{\"sleep\":{\"seconds\":1}}"),
            at(
                LIVENESS + "/httpGet/httpHeaders",
                "[{\"name\":\"a\",\"value\":\"b\"}]",
                "[{\"name\":\"a\"}]",
                "[{\"name\":\"\",\"value\":\"b\"}]",
                "[{\"value\":\"b\"}]",
                "[{\"name\":\"a b\",\"value\":\"b\"}]",
                "[{\"name\":\"a_b\",\"value\":\"b\"}]",
                "[{\"name\":\"a.b\",\"value\":\"b\"}]",
                "[{\"name\":\"a:\",\"value\":\"b\"}]",
                "[{\"name\":\"a\",\"value\":1}]",
                "[{\"name\":\"a\",\"value\":null}]",
                "[{\"name\":\"a\",\"value\":\"b\\nc\"}]",
                "[null]"),
            at(LIVENESS + "/periodSeconds", "0", "2147483647", "2147483648", "1.5"),
            at(LIVENESS + "/successThreshold", "0", "1", "2"),
            at(LIVENESS + "/terminationGracePeriodSeconds", "0", "1", "9223372036854775807"),
            at(
                WEB + "/readinessProbe",
                "{\"tcpSocket\":{\"port\":1},\"successThreshold\":2}",
                "{\"tcpSocket\":{\"port\":1},\"terminationGracePeriodSeconds\":1}",
                "{\"tcpSocket\":{\"port\":1},\"terminationGracePeriodSeconds\":null}"),
            at(
                "/spec/securityContext",
                "{\"runAsUser\":-1}",
                "{\"runAsUser\":0}",
                "{\"sysctls\":[{\"name\":\"a b\",\"value\":\"1\"}]}",
                "{\"fsGroup\":-1}"),
            at(
                WEB + "/securityContext",
                "{\"runAsUser\":-1}",
                "{\"runAsUser\":2147483648}",
                "{\"procMount\":\"Other\"}",
                "{\"privileged\":true,\"allowPrivilegeEscalation\":false}",
                "{\"capabilities\":{\"add\":[\"X\"]}}"),
            at("/spec/unknown", "1"),
            at(WEB + "/unknown", "{}"))
        .flatMap(changes -> changes);
  }

  private static String rules(String rules) {
    return "{\"name\":\"web\",\"image\":\"i\",\"command\":[\"true\"],\"restartPolicy\":\"Never\",\"restartPolicyRules\":"
        + rules
        + "}";
  }

  private static String many(int number) {
    String rule = "{\"action\":\"Restart\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}";
    return "[" + String.join(",", Collections.nCopies(number, rule)) + "]";
  }
}
