package io.probelet.cluster.webhook;

/** In which way a webhook is problematic (CH-31). */
public enum WebhookHazard {
  /** It may answer later than the leases in kube-system can wait: leaders lose their leases. */
  SLOWS_LEASES,

  /** While it does not answer, objects that the cluster stands on cannot be written. */
  BLOCKS_OBJECTS
}
