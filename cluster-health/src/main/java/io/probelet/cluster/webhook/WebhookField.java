package io.probelet.cluster.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of a webhook that remediation may change. */
public enum WebhookField {
  /** How long the API server waits for the webhook. */
  TIMEOUT_SECONDS("timeoutSeconds"),
  /** What happens if the webhook does not respond. */
  FAILURE_POLICY("failurePolicy"),
  /** The namespaces in which it is called. */
  NAMESPACE_SELECTOR("namespaceSelector"),
  /** The objects for which it is called. */
  OBJECT_SELECTOR("objectSelector");

  private final String text;

  WebhookField(String text) {
    this.text = text;
  }

  /** {@return the field's name in the manifest} */
  @Override
  @JsonValue
  public String toString() {
    return text;
  }

  JsonNode read(AdmissionWebhook webhook) {
    return ChangeLog.tree(
        switch (this) {
          case TIMEOUT_SECONDS -> webhook.timeoutSeconds();
          case FAILURE_POLICY -> webhook.failurePolicy();
          case NAMESPACE_SELECTOR -> webhook.namespaceSelector();
          case OBJECT_SELECTOR -> webhook.objectSelector();
        });
  }

  AdmissionWebhook write(AdmissionWebhook webhook, JsonNode value) {
    boolean selector = this == NAMESPACE_SELECTOR || this == OBJECT_SELECTOR;
    LabelSelector labels = selector ? ChangeLog.value(value, LabelSelector.class) : null;
    return new AdmissionWebhook(
        webhook.name(),
        this == FAILURE_POLICY ? ChangeLog.value(value, String.class) : webhook.failurePolicy(),
        this == TIMEOUT_SECONDS ? ChangeLog.value(value, Integer.class) : webhook.timeoutSeconds(),
        webhook.rules(),
        this == NAMESPACE_SELECTOR ? labels : webhook.namespaceSelector(),
        this == OBJECT_SELECTOR ? labels : webhook.objectSelector());
  }

  boolean holds(AdmissionWebhook webhook, @Nullable JsonNode value) {
    return Objects.equals(read(webhook), value);
  }
}
