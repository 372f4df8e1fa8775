package io.probelet.kube.watch;

import io.probelet.kube.ApiPath;

/**
 * Which objects are followed.
 *
 * @param fieldSelector which of them; empty for all
 * @param labelSelector which of these, by their labels; empty for all
 * @param page how many are listed at a time at most, at least 1: fewer where objects are large
 */
public record Selection(
    String kind, String collection, String fieldSelector, String labelSelector, int page) {
  /** Refuses a path with a query, to which pages and selectors could not be added. */
  public Selection {
    if (collection.indexOf('?') >= 0) {
      throw new IllegalArgumentException(
          "the path of a collection must not have a query: " + collection);
    }
  }

  /** Few enough for a page of nodes to be read in a small heap. */
  private static final int USUAL_PAGE = 200;

  /**
   * Those that a field selects.
   *
   * @param fieldSelector which of them; empty for all
   * @param page how many are listed at a time, at least 1
   */
  public Selection(String kind, String collection, String fieldSelector, int page) {
    this(kind, collection, fieldSelector, "", page);
  }

  /** All of a collection. */
  public static Selection all(String kind, String collection) {
    return new Selection(kind, collection, "", USUAL_PAGE);
  }

  /** The path of a page of so many objects; {@code next} is empty for the first. */
  String list(String next, int limit) {
    return path("limit=" + limit + (next.isEmpty() ? "" : "&continue=" + ApiPath.encoded(next)));
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
