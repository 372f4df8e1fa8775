package io.probelet.cluster.webhook;

/** The way in which a webhook is problematic (CH-31). */
public enum WebhookHazard {
  /** It may respond too late for leases in kube-system, so leaders lose their leases. */
  SLOWS_LEASES,

  /** While it does not respond, critical objects cannot be written. */
  BLOCKS_OBJECTS
}
