package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterCacheTest {
  private final ClusterCache cache = new ClusterCache();

  private static JsonNode remediation(int version, String succeeded) throws IOException {
    return new ObjectMapper()
        .readTree(
            """
            {"apiVersion": "example.io/v1", "kind": "RebootRemediation",
             "metadata": {"name": "n1", "namespace": "r", "uid": "u", "resourceVersion": "%d"},
             "status": {"conditions": [{"type": "Succeeded", "status": "%s"}]}}
            """
                .formatted(version, succeeded));
  }

  private Success success() {
    return cache.remediations().all().stream()
        .map(ObservedRemediation::succeeded)
        .findFirst()
        .get();
  }

  @Test
  @DisplayName(
      "N-2 an answer to our write that is older than what the watch showed is not believed")
  void answerIsLate() throws IOException {
    cache.observe(remediation(99, "Unknown"));
    cache.observe(remediation(112, "False"));
    cache.wrote(remediation(110, "Unknown"));
    assertThat(success()).isEqualTo(Success.NO);
    cache.observe(remediation(113, "True"));
    assertThat(success()).isEqualTo(Success.YES);
  }

  @Test
  @DisplayName("N-2 what a watch shows that is older than our write is not believed")
  void watchIsLate() throws IOException {
    cache.wrote(remediation(110, "False"));
    assertThat(cache.observe(remediation(99, "Unknown"))).isFalse();
    assertThat(success()).isEqualTo(Success.NO);
    assertThat(cache.observe(remediation(111, "True"))).isTrue();
  }

  @Test
  @DisplayName(
      "N-2 an answer to our write that comes after the watch has shown the end revives nothing")
  void answerComesAfterTheEnd() throws IOException {
    cache.observe(remediation(99, "Unknown"));
    cache.observeEnd(remediation(112, "Unknown"));
    cache.wrote(remediation(110, "Unknown"));
    assertThat(cache.remediations().all()).isEmpty();
  }

  @Test
  @DisplayName("N-2 what a watch shows again after its end, as of a restored etcd, is believed")
  void watchShowsItAgain() throws IOException {
    cache.observeEnd(remediation(112, "Unknown"));
    assertThat(cache.observe(remediation(99, "Unknown"))).isTrue();
    assertThat(success()).isEqualTo(Success.UNKNOWN);
  }
}
