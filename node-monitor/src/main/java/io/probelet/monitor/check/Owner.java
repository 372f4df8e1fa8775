package io.probelet.monitor.check;

/** Who holds some of what tenants can fill. */
sealed interface Owner {
  /** A pod. */
  record Pod(String uid) implements Owner {}

  /** A user of the node whose process is in no pod. */
  record User(long id) implements Owner {}

  /** A sender of packets, on the node or elsewhere. */
  record Address(String text) implements Owner {}

  /** Whom nothing is known of. */
  record Unknown() implements Owner {}

  /** The one nothing is known of. */
  Owner UNKNOWN = new Unknown();
}
