package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.probelet.document.selector.LabelSelector;
import java.util.ArrayList;
import java.util.List;

/** All webhook configurations of the cluster in one round. */
record WebhookConfigurations(
    List<ValidatingWebhookConfiguration> validating, List<MutatingWebhookConfiguration> mutating) {

  static WebhookConfigurations read(ClusterReader reader) {
    return new WebhookConfigurations(
        all(reader, ValidatingWebhookConfiguration.class),
        all(reader, MutatingWebhookConfiguration.class));
  }

  private static <T extends HasMetadata> List<T> all(ClusterReader reader, Class<T> kind) {
    List<T> all = new ArrayList<>();
    reader.each(kind, List.of(), LabelSelector.EVERYTHING, all::add);
    return all;
  }
}
