package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.concurrent.Executors;

/** Makes a client that reads of a Node only what {@link NodeObject} has. */
final class SlimClient {
  private SlimClient() {}

  static KubernetesClient of(Config config) {
    KubernetesSerialization json = new KubernetesSerialization(new ObjectMapper(), false);
    json.registerKubernetesResource("v1", "Node", NodeObject.class);
    json.registerKubernetesResource("v1", "Status", Status.class);
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(json)
        .withTaskExecutorSupplier(Executors::newVirtualThreadPerTaskExecutor)
        .build();
  }
}
