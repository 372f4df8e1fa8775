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
 * A list that is read page by page, by one thread, while it comes: of a page that is read there are
 * a few pieces in memory, however large its objects are. The next page is asked for while one is
 * read, as a server takes as long to write a page of nodes as we take to read it; its beginning
 * waits in the connection.
 */
final class PagedList implements AutoCloseable {
  /**
   * A page of more bytes makes the next one half as long, one of less than a quarter twice: the
   * server has a whole page in memory, whatever we have. Pages of small objects stay as they are.
   */
  static final long LARGE_PAGE = 4L << 20;

  private static final int QUARTER = 4;

  private final ApiServer api;
  private final Selection selection;
  private final String accepted;
  private @Nullable PulledAnswer coming;
  private String version = "";
  private int limit;
  private boolean large;

  /**
   * Asks for nothing yet.
   *
   * @param accepted the media types to choose from, with commas, the best first
   */
  PagedList(ApiServer api, Selection selection, String accepted) {
    this.api = api;
    this.selection = selection;
    this.accepted = accepted;
    this.limit = selection.page();
  }

  /**
   * Shows all objects of the list to a reader, once.
   *
   * @return {@link Done} if that were all, else why they were not
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
    body.transferTo(OutputStream.nullOutputStream()); // so that the connection serves again
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

  /** {@return the moment that the list is of; of no use before it has been read} */
  String version() {
    return version;
  }

  /** Asks for nothing more. */
  @Override
  public void close() {
    if (coming != null) {
      coming.close();
      coming = null;
    }
  }

  /** After a large page the server is asked for one at a time. */
  private void openAhead(String next) {
    close(); // if a page says twice what follows, the last word counts
    if (!large) {
      coming = open(next);
    }
  }

  private PulledAnswer open(String next) {
    return api.open(selection.list(next, limit), accepted);
  }
}
