package io.probelet.remediator.decide;

/** One pod, and no later one of its name. */
public record PodKey(String namespace, String name, String uid) {
  /** {@return namespace/name, for people} */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
