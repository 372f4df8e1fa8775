package io.probelet.cluster.webhook;

import java.util.List;

/**
 * A configuration after remediation, or after its undo.
 *
 * @param configuration the patched copy, or the same object if nothing changes
 * @param changes the changes in order; empty if there are none
 */
public record Remediated<T>(T configuration, List<WebhookChange> changes) {
  /** Keeps an unmodifiable copy of the changes. */
  public Remediated {
    changes = List.copyOf(changes);
  }
}
