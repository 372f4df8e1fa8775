package io.probelet.cluster.webhook;

import java.util.List;

/**
 * A configuration after remediation or its undoing.
 *
 * @param configuration the patched copy, or the very same object if nothing changes
 * @param changes what changes, in order; empty if nothing does
 */
public record Remediated<T>(T configuration, List<WebhookChange> changes) {
  /** Keeps an unmodifiable copy of the changes. */
  public Remediated {
    changes = List.copyOf(changes);
  }
}
