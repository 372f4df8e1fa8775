package io.probelet.monitor.check;

/** An owner of a resource that tenants can exhaust. */
sealed interface Owner {
  /** A pod. */
  record Pod(String uid) implements Owner {}

  /** A user of the node, for processes outside of pods. */
  record User(long id) implements Owner {}

  /** The source address of connections, on the node or elsewhere. */
  record Address(String text) implements Owner {}

  /** An unknown owner. */
  record Unknown() implements Owner {}

  /** The unknown owner. */
  Owner UNKNOWN = new Unknown();
}
