package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permission that a forbidden request lacks. */
class RbacRuleTest {
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /api/v1/pods?limit=50 | {apiGroups: [\"\"], resources: [pods], verbs: [list]}",
        "GET | /api/v1/pods?watch=true | {apiGroups: [\"\"], resources: [pods], verbs: [watch]}",
        "GET | /api/v1/namespaces/a | {apiGroups: [\"\"], resources: [namespaces], verbs: [get]}",
        "PATCH | /api/v1/namespaces/a/pods/b/status?force=true | {apiGroups: [\"\"], resources:"
            + " [pods/status], verbs: [patch]}",
        "POST | /api/v1/namespaces/a/pods/b/eviction | {apiGroups: [\"\"], resources:"
            + " [pods/eviction], verbs: [create]}",
        "POST | /api/v1/namespaces/a/events | {apiGroups: [\"\"], resources: [events], verbs:"
            + " [create]}",
        "DELETE | /api/v1/namespaces/a/pods/b | {apiGroups: [\"\"], resources: [pods], verbs:"
            + " [delete]}",
        "PATCH | /apis/coordination.k8s.io/v1/namespaces/a/leases/b | {apiGroups:"
            + " [coordination.k8s.io], resources: [leases], verbs: [patch]}",
        "GET | /healthz | {nonResourceURLs: [/healthz], verbs: [get]}",
      })
  @DisplayName("the rule that allows a request has the format of a Role")
  void rule(String method, String path, String rule) {
    assertThat(RbacRule.of(method, path)).isEqualTo(rule);
  }
}
