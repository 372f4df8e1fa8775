package io.probelet.kube.object;

/**
 * The limits of the tree of one object. A limit of bytes alone is not enough: an array of 450,000
 * one-letter texts fits into etcd and needs a tree of 45 MB.
 *
 * @param values the most values of the kept part: objects, arrays and their elements
 * @param chars the most characters of its texts and field names together
 */
public record ObjectLimits(int values, int chars) {
  /** Deeper objects are skipped; no Kubernetes kind nests nearly as deep. */
  static final int DEPTH = 64;

  /**
   * For objects that tenants can write or that are numerous: a tree of at most 3 MB. Typical pods
   * have fewer than 2,000 values and 50,000 characters.
   */
  public static final ObjectLimits USUAL = new ObjectLimits(20_000, 1 << 20);

  /**
   * For the few objects of administrators, and for single responses: a NodeHealthCheck's status
   * lists each unhealthy node. A tree of at most 16 MB.
   */
  public static final ObjectLimits LARGE = new ObjectLimits(100_000, 2 << 20);

  /** {@return the limit as text, such as "more than 20000 values or 1048576 characters"} */
  public String text() {
    return "more than %d values or %d characters".formatted(values, chars);
  }
}
