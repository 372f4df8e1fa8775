package io.probelet.remediator.order;

/**
 * The remediation that has ordered something.
 *
 * @param kind such as RebootRemediation
 */
public record OrderOwner(String kind, String namespace, String name, String uid) {
  @Override
  public String toString() {
    return "%s %s/%s".formatted(kind, namespace, name);
  }
}
