package io.probelet.simulation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.WorldSettings.Part;
import io.probelet.simulation.api.SimulatedApiServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What an administrator has applied to a simulated cluster before it begins. */
final class ClusterObjects {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String TEMPLATES =
      """
      apiVersion: probelet.io/v1alpha1
      kind: ServiceRestartRemediationTemplate
      metadata: {name: restart, namespace: probelet-system}
      spec:
        template:
          spec:
            units: [kubelet.service]
            healthyWithin: 1m
            conditions:
            - {type: Ready, status: "True"}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: RebootRemediationTemplate
      metadata: {name: reboot, namespace: probelet-system}
      spec:
        template:
          spec: {answerWithin: 30s, rebootWithin: 3m}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: RebootRemediationTemplate
      metadata: {name: drain-and-reboot, namespace: probelet-system}
      spec:
        template:
          spec:
            drain: {timeout: 1m}
            answerWithin: 30s
            rebootWithin: 3m
      ---
      apiVersion: probelet.io/v1alpha1
      kind: DrainRemediationTemplate
      metadata: {name: drain, namespace: probelet-system}
      spec:
        template:
          spec: {timeout: 1m, force: true}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: OutOfServiceRemediationTemplate
      metadata: {name: out-of-service, namespace: probelet-system}
      spec:
        template:
          spec:
            confirmation: {hook: {url: "https://power.example.org/state"}}
            confirmWithin: 2m
      ---
      apiVersion: probelet.io/v1alpha1
      kind: HookRemediationTemplate
      metadata: {name: ticket, namespace: probelet-system}
      spec:
        template:
          spec:
            job:
              template:
                spec:
                  backoffLimit: 1
                  ttlSecondsAfterFinished: 900
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - {name: ticket, image: "registry.example.org/ticket:1"}
            within: 4m
      ---
      apiVersion: probelet.io/v1alpha1
      kind: HookRemediationTemplate
      metadata: {name: call, namespace: probelet-system}
      spec:
        template:
          spec:
            https: {url: "https://machines.example.org/repair"}
            within: 4m
      ---
      apiVersion: self-node-remediation.medik8s.io/v1alpha1
      kind: SelfNodeRemediationTemplate
      metadata: {name: self, namespace: probelet-system}
      spec:
        template:
          spec: {remediationStrategy: Automatic}
      ---
      apiVersion: fence-agents-remediation.medik8s.io/v1alpha1
      kind: FenceAgentsRemediationTemplate
      metadata:
        name: fence
        namespace: probelet-system
        annotations: {remediation.medik8s.io/multiple-templates-support: "true"}
      spec:
        template:
          spec: {agent: fence_ipmilan}
      ---
      apiVersion: fence-agents-remediation.medik8s.io/v1alpha1
      kind: FenceAgentsRemediationTemplate
      metadata:
        name: fence-hard
        namespace: probelet-system
        annotations: {remediation.medik8s.io/multiple-templates-support: "true"}
      spec:
        template:
          spec: {agent: fence_pdu}
      """;

  private static final String CLUSTER_HEALTH =
      """
      apiVersion: probelet.io/v1alpha1
      kind: ClusterHealth
      metadata: {name: cluster}
      spec: {syncPeriod: 30s}
      """;

  /** Documents that are the same in each world, as they were read once. */
  private static final Map<String, ObjectNode> FIXED = new ConcurrentHashMap<>();

  private ClusterObjects() {}

  /** Creates everything but nodes and pods. */
  static void apply(SimulatedApiServer server, WorldSettings settings) {
    if (settings.has(Part.CLUSTER_CARE)) {
      server.put(read(CLUSTER_HEALTH));
    }
    if (!settings.has(Part.REMEDIATION)) {
      return;
    }
    for (String document : TEMPLATES.split("(?m)^---$", -1)) {
      server.put(FIXED.computeIfAbsent(document, ClusterObjects::read));
    }
    if (settings.maxNodes() > 0) {
      server.put(read(policy(settings)));
    }
    settings.checks().forEach(check -> server.put(read(check(check))));
  }

  private static String policy(WorldSettings settings) {
    return """
    apiVersion: probelet.io/v1alpha1
    kind: RemediationPolicy
    metadata: {name: all}
    spec: {maxNodes: %d}
    """
        .formatted(settings.maxNodes());
  }

  private static String check(WorldSettings.HealthCheck settings) {
    int duration = settings.duration();
    StringBuilder check = new StringBuilder();
    check.append(
        """
        apiVersion: remediation.medik8s.io/v1alpha1
        kind: NodeHealthCheck
        metadata: {name: %s}
        spec:
          selector: {}
          minHealthy: %s
          unhealthyConditions:
          - {type: Ready, status: "False", duration: %ds}
          - {type: Ready, status: Unknown, duration: %ds}
          - {type: KernelDeadlock, status: "True", duration: %ds}
        """
            .formatted(settings.name(), settings.minHealthy(), duration, duration, duration));
    if (settings.stormCooldown() > 0) {
      check.append("  stormCooldownDuration: %ds%n".formatted(settings.stormCooldown()));
    }
    if (settings.healthyDelay() > 0) {
      check.append("  healthyDelay: %ds%n".formatted(settings.healthyDelay()));
    }
    return check.toString() + steps(settings.steps()).replaceAll("(?m)^", "  ");
  }

  /** {@return the fields of a spec that name the templates of an escalation} */
  static String steps(List<WorldSettings.Step> steps) {
    if (steps.size() == 1 && steps.getFirst().timeout() == 0) {
      return "remediationTemplate: %s%n".formatted(ref(steps.getFirst().template()));
    }
    StringBuilder fields = new StringBuilder("escalatingRemediations:\n");
    for (int order = 0; order < steps.size(); order++) {
      fields.append(
          "- {order: %d, timeout: %ds, remediationTemplate: %s}%n"
              .formatted(order + 1, steps.get(order).timeout(), ref(steps.get(order).template())));
    }
    return fields.toString();
  }

  private static String ref(String template) {
    return switch (template) {
      case "restart" -> ref("probelet.io", "ServiceRestart", template);
      case "reboot", "drain-and-reboot" -> ref("probelet.io", "Reboot", template);
      case "drain" -> ref("probelet.io", "Drain", template);
      case "out-of-service" -> ref("probelet.io", "OutOfService", template);
      case "ticket", "call" -> ref("probelet.io", "Hook", template);
      case "self" -> ref("self-node-remediation.medik8s.io", "SelfNode", template);
      default -> ref("fence-agents-remediation.medik8s.io", "FenceAgents", template);
    };
  }

  private static String ref(String group, String kind, String name) {
    return "{apiVersion: %s/v1alpha1, kind: %sRemediationTemplate, namespace: probelet-system, name: %s}"
        .formatted(group, kind, name);
  }

  static ObjectNode read(String document) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(document));
  }
}
