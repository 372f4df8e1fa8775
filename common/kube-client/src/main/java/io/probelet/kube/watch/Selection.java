package io.probelet.kube.watch;

import io.probelet.kube.ApiPath;

/**
 * A selection of objects.
 *
 * @param fieldSelector the field selector; empty for all
 * @param labelSelector the label selector; empty for all
 * @param page the most objects per page, at least 1; pages of large objects have fewer
 */
public record Selection(
    String kind, String collection, String fieldSelector, String labelSelector, int page) {
  /** Rejects a path with a query, since page and selector parameters are added to it. */
  public Selection {
    if (collection.indexOf('?') >= 0) {
      throw new IllegalArgumentException(
          "the path of a collection must not have a query: " + collection);
    }
  }

  /** Whichever version a server has in its cache. */
  static final String ANY_VERSION = "0";

  /** Small enough to read a page of nodes in a small heap. */
  private static final int USUAL_PAGE = 200;

  /**
   * Selects objects by a field selector.
   *
   * @param fieldSelector the field selector; empty for all
   * @param page the objects per page, at least 1
   */
  public Selection(String kind, String collection, String fieldSelector, int page) {
    this(kind, collection, fieldSelector, "", page);
  }

  /** Selects all objects of a collection. */
  public static Selection all(String kind, String collection) {
    return new Selection(kind, collection, "", USUAL_PAGE);
  }

  /** The path of a page of so many objects; {@code next} is empty for the first. */
  String list(String next, int limit) {
    return path("limit=" + limit + (next.isEmpty() ? "" : "&continue=" + ApiPath.encoded(next)));
  }

  /** {@return whether a field selects few of many objects, by an index of the server's cache} */
  boolean isPart() {
    return fieldSelector.startsWith("spec.nodeName=") || fieldSelector.startsWith("metadata.name=");
  }

  /**
   * The path of a list from the server's cache, which has an index of a node's pods; etcd has none,
   * so that the server would read all pods of the cluster. Servers before 1.34 read a limited list
   * of a given version from etcd.
   *
   * @param version the oldest that will do, or {@link #ANY_VERSION}
   */
  String listNotBefore(String version, int limit) {
    return path(
        version.equals(ANY_VERSION)
            ? "limit=" + limit + "&resourceVersion=" + ANY_VERSION
            : "resourceVersion=" + ApiPath.encoded(version) + "&resourceVersionMatch=NotOlderThan");
  }

  /** The path of the events since a version. */
  String watch(String version, int seconds) {
    return path(
        "watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(ApiPath.encoded(version), seconds));
  }

  private String path(String query) {
    return collection
        + "?"
        + query
        + selector("fieldSelector", fieldSelector)
        + selector("labelSelector", labelSelector);
  }

  private static String selector(String name, String selector) {
    return selector.isEmpty() ? "" : "&" + name + "=" + ApiPath.encoded(selector);
  }
}
