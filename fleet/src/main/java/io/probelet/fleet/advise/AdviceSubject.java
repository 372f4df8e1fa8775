package io.probelet.fleet.advise;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container of a workload, over all its pods.
 *
 * @param kind such as Deployment; Pod for pods without a controller
 * @param name the workload's name
 */
public record AdviceSubject(String namespace, String kind, String name, String container)
    implements Comparable<AdviceSubject> {
  /** The alphabet of pod template hashes, without vowels and what looks like them. */
  private static final Pattern REPLICA_SET =
      Pattern.compile("(?<deployment>.+)-[bcdfghjklmnpqrstvwxz2456789]{1,10}");

  private static final Comparator<AdviceSubject> ORDER =
      Comparator.comparing(AdviceSubject::namespace)
          .thenComparing(AdviceSubject::kind)
          .thenComparing(AdviceSubject::name)
          .thenComparing(AdviceSubject::container);

  /**
   * Makes the subject of a pod's owner. A ReplicaSet whose name ends with a template hash belongs
   * to the Deployment of the rest of its name: agents know the ReplicaSet only.
   */
  static AdviceSubject of(String namespace, String kind, String name, String container) {
    if (kind.equals("ReplicaSet")) {
      Matcher hashed = REPLICA_SET.matcher(name);
      if (hashed.matches()) {
        return new AdviceSubject(namespace, "Deployment", hashed.group("deployment"), container);
      }
    }
    return new AdviceSubject(namespace, kind, name, container);
  }

  @Override
  public int compareTo(AdviceSubject other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "%s %s/%s, container %s".formatted(kind, namespace, name, container);
  }
}
