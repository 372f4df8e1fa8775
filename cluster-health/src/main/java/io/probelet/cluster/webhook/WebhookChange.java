package io.probelet.cluster.webhook;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One change remediation makes, or made, to one webhook.
 *
 * @param webhook the webhook's name within its configuration
 * @param field the field that changes
 * @param from its value before, JSON null if it had none
 * @param to its value after
 */
public record WebhookChange(String webhook, WebhookField field, JsonNode from, JsonNode to) {

  /** {@return the change in words, for example {@code timeoutSeconds of webhook "a": 30 → 3}} */
  @Override
  public String toString() {
    return "%s of webhook \"%s\": %s → %s".formatted(field, webhook, from, to);
  }
}
