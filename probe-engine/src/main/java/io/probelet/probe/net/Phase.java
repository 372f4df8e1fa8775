package io.probelet.probe.net;

/** Where an attempt stands; a timeout says in which of these it struck. */
public enum Phase {
  /** Resolving the host's name. */
  RESOLVING,
  /** Making the connection. */
  CONNECTING,
  /** Shaking hands for TLS. */
  SECURING,
  /** Connected; the first byte of the answer has not come yet. */
  WAITING,
  /** Reading the answer. */
  READING
}
