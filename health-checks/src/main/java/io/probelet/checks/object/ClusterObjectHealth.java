package io.probelet.checks.object;

import static io.probelet.checks.object.ConditionExpectation.ifPresent;
import static io.probelet.checks.object.ConditionExpectation.required;
import static io.probelet.checks.object.Findings.unhealthyIf;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.probelet.checks.error.ErrorCodeClassifier;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.List;
import java.util.Optional;

/** Whether the things a cluster itself is made of are as they should be. */
public final class ClusterObjectHealth {

  private static final ConditionExpectation READY = required("Ready", "True");
  private static final List<ConditionExpectation> NODE =
      List.of(
          READY,
          ifPresent("DiskPressure", "False"),
          ifPresent("MemoryPressure", "False"),
          ifPresent("NetworkUnavailable", "False"),
          ifPresent("PIDPressure", "False"),
          ifPresent("SystemdUnitsReady", "True"));
  private static final List<ConditionExpectation> API_SERVICE =
      List.of(required("Available", "True"));
  private static final List<ConditionExpectation> CRD =
      List.of(
          required("NamesAccepted", "True"),
          required("Established", "True"),
          ifPresent("Terminating", "False"));

  private ClusterObjectHealth() {}

  /**
   * Wants it ready, under no pressure and with its systemd units running (CH-16); a kubelet's
   * complaint of too little memory, disk or process numbers is a configuration problem.
   *
   * @param node the Node
   * @return what is to be said of its health
   */
  public static CheckResult check(Node node) {
    return ConditionExpectation.firstViolation(NODE, conditions(node))
        .<CheckResult>map(
            detail -> new Unhealthy(detail, ErrorCodeClassifier.NODE_PRESSURE.classify(detail)))
        .orElseGet(CheckResult::healthy);
  }

  /**
   * Wants it available (CH-17).
   *
   * @param apiService the APIService
   * @return what is to be said of its health
   */
  public static CheckResult check(APIService apiService) {
    return unhealthyIf(
        ConditionExpectation.firstViolation(
            API_SERVICE,
            ObservedCondition.list(
                apiService.getStatus() == null ? null : apiService.getStatus().getConditions(),
                c ->
                    new ObservedCondition(
                        c.getType(), c.getStatus(), c.getReason(), c.getMessage()))));
  }

  /**
   * Wants its names accepted, the kind served, and the definition not on its way out (CH-18).
   *
   * @param crd the CustomResourceDefinition
   * @return what is to be said of its health
   */
  public static CheckResult check(CustomResourceDefinition crd) {
    return unhealthyIf(
        ConditionExpectation.firstViolation(
            CRD,
            ObservedCondition.list(
                crd.getStatus() == null ? null : crd.getStatus().getConditions(),
                c ->
                    new ObservedCondition(
                        c.getType(), c.getStatus(), c.getReason(), c.getMessage()))));
  }

  /**
   * Wants a load balancer to have an address; other Services are always well (CH-20).
   *
   * @param service the Service
   * @return what is to be said of its health
   */
  public static CheckResult check(Service service) {
    boolean loadBalancer =
        service.getSpec() != null && "LoadBalancer".equals(service.getSpec().getType());
    boolean hasIngress =
        service.getStatus() != null
            && service.getStatus().getLoadBalancer() != null
            && !service.getStatus().getLoadBalancer().getIngress().isEmpty();
    return loadBalancer && !hasIngress
        ? CheckResult.unhealthy("service is missing ingress status")
        : CheckResult.healthy();
  }

  static boolean isReady(Node node) {
    Optional<String> violation =
        ConditionExpectation.firstViolation(List.of(READY), conditions(node));
    return violation.isEmpty();
  }

  private static List<ObservedCondition> conditions(Node node) {
    return ObservedCondition.list(
        node.getStatus() == null ? null : node.getStatus().getConditions(),
        c -> new ObservedCondition(c.getType(), c.getStatus(), c.getReason(), c.getMessage()));
  }
}
