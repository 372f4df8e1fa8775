package io.probelet.kube.watch;

import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.PulledAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A list read page by page, by one thread, as it arrives: only a few chunks of a page are in
 * memory, however large its objects are. The next page is requested while one is read, since a
 * server needs as long to write a page of nodes as we need to read it; its beginning waits in the
 * connection.
 */
final class PagedList implements AutoCloseable {
  /**
   * The page size in bytes above which the next page has half as many objects; below a quarter it
   * has twice as many. The server holds a whole page in memory. Pages of small objects keep their
   * length.
   */
  static final long LARGE_PAGE = 4L << 20;

  private static final int QUARTER = 4;

  private final ApiServer api;
  private final Selection selection;
  private final String accepted;
  private final String notBefore;
  private @Nullable PulledAnswer coming;
  private String version = "";
  private int limit;
  private boolean large;

  /**
   * Creates a list of the newest state, without a request.
   *
   * @param accepted the accepted media types, separated by commas, in order of preference
   */
  PagedList(ApiServer api, Selection selection, String accepted) {
    this(api, selection, accepted, "");
  }

  /**
   * Creates a list without a request.
   *
   * @param accepted the accepted media types, separated by commas, in order of preference
   * @param notBefore a version: the server may take any from there on from its cache; empty for the
   *     newest
   */
  PagedList(ApiServer api, Selection selection, String accepted, String notBefore) {
    this.notBefore = notBefore;
    this.api = api;
    this.selection = selection;
    this.accepted = accepted;
    this.limit = selection.page();
  }

  /**
   * Passes all objects of the list to a reader, once.
   *
   * @return {@link Done} if all were read, else the failure
   * @throws InterruptedException if the thread was interrupted
   */
  ApiResult read(ListPage.Reader reader) throws InterruptedException {
    PulledAnswer page = open("");
    while (true) {
      AtomicReference<String> next = new AtomicReference<>("");
      ApiResult answer = page.read(body -> readPage(body, reader, next));
      if (!(answer instanceof Done) || next.get().isEmpty()) {
        return answer;
      }
      page = coming == null ? open(next.get()) : coming;
      coming = null;
    }
  }

  private void readPage(InputStream body, ListPage.Reader reader, AtomicReference<String> next)
      throws IOException {
    ListPage.Counted bytes = ListPage.unpacked(body);
    ListPage read = ListPage.read(bytes, reader, this::openAhead);
    body.transferTo(OutputStream.nullOutputStream()); // so that the connection can be reused
    version = read.version();
    next.set(read.next());
    adapt(bytes.count());
  }

  private void adapt(long bytes) {
    large = bytes > LARGE_PAGE;
    if (large) {
      limit = Math.max(1, limit / 2);
    } else if (bytes < LARGE_PAGE / QUARTER) {
      limit = Math.min(selection.page(), 2 * limit);
    }
  }

  /** {@return the resource version of the list; valid only after reading} */
  String version() {
    return version;
  }

  /** Cancels further requests. */
  @Override
  public void close() {
    if (coming != null) {
      coming.close();
      coming = null;
    }
  }

  /** After a large page, the next one is not requested in advance. */
  private void openAhead(String next) {
    close(); // if a page names its successor twice, the last one counts
    if (!large) {
      coming = open(next);
    }
  }

  private PulledAnswer open(String next) {
    String path =
        next.isEmpty() && !notBefore.isEmpty()
            ? selection.listNotBefore(notBefore, limit)
            : selection.list(next, limit);
    return api.open(path, accepted);
  }
}
