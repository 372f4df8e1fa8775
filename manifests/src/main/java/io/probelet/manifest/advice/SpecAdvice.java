package io.probelet.manifest.advice;

/**
 * The pieces of advice on fields of a pod other than its probes: those of which an API server
 * warns, and hooks. docs/how-to/manifests.md lists them.
 */
public enum SpecAdvice {
  /** A memory of {@code 100m} is a tenth of a byte. */
  FRACTIONAL_BYTES(
      "fractional-bytes",
      "memory and storage are whole bytes, and the suffix m means thousandths of a byte; write"
          + " mebibytes as Mi"),

  /** An address without a port. */
  HOST_IP_WITHOUT_HOST_PORT(
      "host-ip-without-host-port", "hostIP has no effect without hostPort; give both or neither"),

  /** Twice the same. */
  DUPLICATE_PORT(
      "duplicate-port",
      "the pod declares this port twice, and its containers share one address; remove one of the"
          + " two"),

  /** The same port, with and without a port of the node. */
  OVERLAPPING_PORT(
      "overlapping-port",
      "the pod declares this port once with a hostPort and once with another or none; keep one of"
          + " the two"),

  /** The same port of the node, for all its addresses and for one. */
  AMBIGUOUS_HOST_PORT(
      "ambiguous-host-port",
      "the pod declares this hostPort for all addresses of the node and for one of them, and which"
          + " of the two holds is undefined; give both a hostIP, or remove one"),

  /** Two containers with one name for different ports. */
  DUPLICATE_PORT_NAME(
      "duplicate-port-name",
      "another container of the pod has a port of this name, and a Service that selects it by name"
          + " uses the first; probes use the port of their own container"),

  /** Less than no time. */
  NEGATIVE_GRACE_PERIOD(
      "negative-grace-period", "a negative terminationGracePeriodSeconds counts as 1; write 1"),

  /** The later value holds. */
  DUPLICATE_VARIABLE(
      "duplicate-variable",
      "an earlier variable has the same name and is hidden, and kubectl apply may drop one of the"
          + " two; remove one"),

  /** The node's own loopback address is asked. */
  HOOK_OF_LOCALHOST(
      "hook-of-localhost",
      "a kubelet sends the request from the node, where localhost is the node and not the"
          + " container; leave host empty"),

  /** The name of a program that no image has. */
  HOOK_IN_ONE_WORD(
      "hook-in-one-word",
      "the first item of a command names the program, spaces included, so that the hook always"
          + " fails; make each word an item"),

  /** What is a variable in a probe is none in a hook. */
  HOOK_VARIABLE(
      "hook-variable",
      "a kubelet expands no variables in the command of a hook; run sh -c and use $NAME");

  private final String id;
  private final String why;

  SpecAdvice(String id, String why) {
    this.id = id;
    this.why = why;
  }

  /** {@return its name for users and programs, which stays} */
  public String id() {
    return id;
  }

  /** {@return why, and what to do, in one sentence} */
  public String why() {
    return why;
  }
}
