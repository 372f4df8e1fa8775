package io.probelet.kube.object;

/**
 * How large the tree of one object may become. Bytes alone are no bound: an array of 450,000
 * one-letter texts fits into etcd and has a tree of 45 MB.
 *
 * @param values how many values the kept part may have: objects, arrays and what is in them
 * @param chars how many characters its texts and field names may have together
 */
public record ObjectLimits(int values, int chars) {
  /** Objects within are skipped; no kind of Kubernetes nests nearly as deep. */
  static final int DEPTH = 64;

  /**
   * For objects that a tenant can write or that there are many of: a tree of 3 MB at most. Usual
   * pods have fewer than 2,000 values and 50,000 characters.
   */
  public static final ObjectLimits USUAL = new ObjectLimits(20_000, 1 << 20);

  /**
   * For objects of administrators, of which there are few, and for single responses: a
   * NodeHealthCheck's status lists each unhealthy node. A tree of 16 MB at most.
   */
  public static final ObjectLimits LARGE = new ObjectLimits(100_000, 2 << 20);

  /** {@return the limit in a sentence, such as "more than 20000 values or 1048576 characters"} */
  public String text() {
    return "more than %d values or %d characters".formatted(values, chars);
  }
}
